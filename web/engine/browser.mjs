// An engine in a worker of Debian's chromium, driven as the web version of ShogiHome drives it.

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

/** Serves a folder, a page and the worker. */
async function serve(folder) {
  const own = { "/": "<!doctype html><title>engine</title>", "/worker.js": WORKER };
  const server = createServer(async ({ url }, response) => {
    const body = own[url] ?? (await readFile(join(folder, url)).catch(() => undefined));
    const type = TYPES[url === "/" ? "html" : url.split(".").at(-1)] ?? "application/octet-stream";
    response.writeHead(body === undefined ? 404 : 200, { "content-type": type }).end(body);
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

/** Plays a little; what is legal at the start is listed in `legal`. */
export async function testInBrowser(folder, legal) {
  const server = await serve(folder);
  const browser = await launch();
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const { module } = JSON.parse(await readFile(join(folder, "engine.json"), "utf8"));
    await page.evaluate(begin, module);
    const isShared = await page.evaluate(() => crossOriginIsolated);
    assert(!isShared, "the page has no shared memory, as on GitHub Pages");
    const answers = await page.evaluate(async () => {
      const answers = [];
      for (const line of ["usi", "isready", "position startpos", "go btime 0 wtime 0 byoyomi 300"]) window.say({ line });
      for (const start of ["usiok", "readyok", "bestmove "]) answers.push((await window.hear(start)).line);
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
    });
    assert.deepEqual(problems, []);
    for (const line of answers.answers.slice(2)) assert(legal.includes(`"${line.split(" ")[1]}"`), line);
    assert.deepEqual(answers.after, []);
    console.log(`in ${browser.version()} of chromium; stop was answered after ${answers.delay.toFixed(0)} ms`);
  } finally {
    await browser.close();
    server.close();
  }
}
