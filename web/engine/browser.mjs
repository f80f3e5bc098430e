// An engine in a worker of Debian's chromium, driven as the web version of ShogiHome drives it: in a page without shared
// memory, and in one that is isolated, as ShogiHome is by its service worker.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";

import { launch } from "../test/chromium.mjs";

/** The worker: commands come in, lines go out. */
const WORKER = `
let engine;
onmessage = async ({ data }) => {
  if (data.launch) {
    const { default: createEngine } = await import(data.launch);
    engine = await createEngine({ printErr: () => {}, locateFile: (path) => new URL(path, data.launch).href });
    engine.addMessageListener((line) => postMessage(line));
    postMessage("launched");
  } else if (data.terminate) {
    engine.terminate();
  } else {
    engine.postMessage(data.line);
  }
};
`;
const TYPES = { js: "text/javascript", html: "text/html" };

/** What isolates a page. The engine's own files come without it. */
const ISOLATION = { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" };

/** Serves a folder, a page and the worker. */
async function serve(folder, isIsolated) {
  const own = { "/": "<!doctype html><title>engine</title>", "/worker.js": WORKER };
  const server = createServer(async ({ url }, response) => {
    const body = own[url] ?? (await readFile(join(folder, url)).catch(() => undefined));
    const type = TYPES[url === "/" ? "html" : url.split(".").at(-1)] ?? "application/octet-stream";
    const isolation = isIsolated && url in own ? ISOLATION : {};
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type, ...isolation }).end(body);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return server;
}

/** In the page: starts the worker, and leaves functions to speak with it. */
function begin(module) {
  const worker = new Worker("worker.js", { type: "module" });
  const lines = [];
  let awake = () => {};
  worker.onmessage = ({ data }) => {
    lines.push({ line: data, at: performance.now() });
    awake();
  };
  window.lines = lines;
  window.say = (message) => worker.postMessage(message);
  /** Waits for a line that begins so; it is said when, and all lines up to it are taken. */
  window.hear = async (start) => {
    for (;;) {
      const at = lines.findIndex(({ line }) => line.startsWith(start));
      if (at >= 0) return lines.splice(0, at + 1).at(-1);
      await new Promise((done) => (awake = done));
    }
  };
  window.say({ launch: new URL(module, location.href).href });
  return window.hear("launched");
}

/** In the page: plays a little, stops and ends the engine. */
async function play(threads) {
  const answers = [];
  const options = `setoption name Threads value ${threads}`;
  for (const line of ["usi", options, "isready", "position startpos", "go btime 0 wtime 0 byoyomi 300"]) window.say({ line });
  for (const start of ["option name Threads", "usiok", "readyok", "bestmove "]) answers.push((await window.hear(start)).line);
  window.say({ line: "go infinite" });
  await window.hear("info depth 3");
  const stopped = performance.now();
  window.say({ line: "stop" });
  const { line, at } = await window.hear("bestmove ");
  answers.push(line);
  window.say({ line: "go infinite" });
  await window.hear("info depth 3");
  window.say({ terminate: true });
  // The lines that were under way.
  await new Promise((done) => setTimeout(done, 200));
  window.lines.length = 0;
  window.say({ line: "usi" });
  await new Promise((done) => setTimeout(done, 300));
  return { answers, delay: at - stopped, after: window.lines };
}

/** In the page: a move by an engine that is made in the page itself, which ends it. */
async function moveInPage(module) {
  const { default: createEngine } = await import(new URL(module, location.href).href);
  const engine = await createEngine({ printErr: (line) => Promise.reject(new Error(line)) });
  const move = await new Promise((done) => {
    engine.addMessageListener((line) => line.startsWith("bestmove ") && done(line));
    for (const line of ["position startpos", "go nodes 2000"]) engine.postMessage(line);
  });
  engine.postMessage("quit");
  return move;
}

/** Plays a little in a page; what is legal at the start is listed in `legal`. */
async function testPage(folder, legal, { isIsolated, threads, most }) {
  const server = await serve(folder, isIsolated);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { module } = JSON.parse(await readFile(join(folder, "engine.json"), "utf8"));
    assert.equal(await page.evaluate(() => crossOriginIsolated), isIsolated);
    await page.evaluate(begin, module);
    const { answers, delay, after } = await page.evaluate(play, threads);
    assert.match(answers[0], new RegExp(`max ${most}$`));
    assert.deepEqual(after, []);
    answers.push(await page.evaluate(moveInPage, module));
    // All that is left is the host of the first engine.
    for (let count = 0; page.workers().length > 1; count++) {
      assert(count < 100, `workers are left: ${page.workers().map((worker) => worker.url())}`);
      await page.waitForTimeout(50);
    }
    assert.deepEqual(problems, []);
    for (const line of answers.slice(3)) assert(legal.includes(`"${line.split(" ")[1]}"`), line);
    const name = isIsolated ? "an isolated page" : "a page";
    console.log(`in ${name} of chromium ${browser.version()}, up to ${most} threads; stop was answered after ${delay.toFixed(0)} ms`);
  } finally {
    await browser.close();
    server.close();
  }
}

/** Plays a little in a page without shared memory, as on GitHub Pages, and in one with it. */
export async function testInBrowser(folder, legal) {
  await testPage(folder, legal, { isIsolated: false, threads: 1, most: 1 });
  const { options } = JSON.parse(await readFile(join(folder, "engine.json"), "utf8"));
  const { max } = options.find(({ name }) => name === "Threads");
  await testPage(folder, legal, { isIsolated: true, threads: Math.min(max, 2), most: max });
}
