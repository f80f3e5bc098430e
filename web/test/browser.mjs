#!/usr/bin/env node
// Uses the page of `shogi explore` in a real browser: Debian's chromium, driven by playwright-core.
//
//     (cd web && npm ci)
//     node web/test/browser.mjs target/debug/shogi [--pictures docs/explore] [--only WORDS] [--page crates/shogi-explore/src/page]
//
// With --page the files of the page come from that folder, so that the program need not be built anew.
// The exit code is 0 if all holds, 1 if something does not, and 0 with a notice where chromium or
// playwright-core cannot be had.

import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import board from "./cases/board.mjs";
import engine from "./cases/engine.mjs";
import own from "./cases/own.mjs";
import phone from "./cases/phone.mjs";
import play from "./cases/play.mjs";
import solve from "./cases/solve.mjs";
import tabs from "./cases/tabs.mjs";
import words from "./cases/words.mjs";
import { DESKTOP, firstPaint, launch, watch } from "./chromium.mjs";

const [shogi, ...options] = process.argv.slice(2);
const option = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
const pictures = option("--pictures");
const only = option("--only");
const built = option("--page");
if (!shogi) {
  console.error("usage: node browser.mjs SHOGI [--pictures FOLDER] [--only WORDS]");
  process.exit(2);
}

const browser = await launch();

const folder = mkdtempSync(join(tmpdir(), "explore-"));
const [proof, table] = [join(folder, "kbr.proof"), join(folder, "E1G2L2.tablebase")];
execFileSync(shogi, ["solve", "shogi34", "--start", "KBR", "--proof", proof], { stdio: "ignore" });
execFileSync(shogi, ["tablebase", "build", "dobutsu", "--class", "E1G2L2", "--out", table], { stdio: "ignore" });

/** Asks the program what a batch verb says of a line. */
function ask(verb, line) {
  return JSON.parse(execFileSync(shogi, verb.split(" "), { input: `${line}\n` }));
}

/** Why the program refuses a line, in its words. */
function refused(verb, line) {
  const { stdout } = spawnSync(shogi, verb.split(" "), { input: `${line}\n` });
  return JSON.parse(stdout.toString()).error;
}

// Threads have the name of the one that starts them: with --threads those of samples are started before any search is.
const server = spawn(shogi, ["explore", proof, table, "--port", "0", "--threads", "2"], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((found, lost) => {
  server.stdout.once("data", (line) => found(line.toString().trim()));
  server.once("exit", (code) => lost(new Error(`the program ended with ${code}`)));
});
assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);

/** The searches that the program is running. */
function searches() {
  const threads = `/proc/${server.pid}/task`;
  const names = readdirSync(threads).map((thread) => {
    try {
      return readFileSync(`${threads}/${thread}/comm`, "utf8").trim();
    } catch {
      return "";
    }
  });
  return names.filter((name) => name === "search").length;
}

const PHONE = { width: 390, height: 844 };
const problems = [];

/** Opens the page with a query, in a browser of its own. */
async function open(query, context = {}) {
  const opened = await browser.newContext({ viewport: DESKTOP, locale: "en-GB", ...context });
  await opened.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await opened.newPage();
  page.setDefaultTimeout(20_000);
  if (built) {
    const types = { "": "text/html", "explore.js": "text/javascript", "explore.css": "text/css" };
    await page.route(/\/(\?.*|explore\.\w+)?$/, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      return route.fulfill({ body: readFileSync(join(built, name || "index.html")), contentType: types[name] });
    });
  }
  watch(page, url, problems);
  await page.goto(`${url}${query}`);
  await page.locator(".board").waitFor();
  return page;
}

const status = (page) => page.locator(".status");

/** Waits until the program runs no search. */
async function ended() {
  for (let i = 0; i < 400 && searches() > 0; i++) await new Promise((done) => setTimeout(done, 25));
  assert.equal(searches(), 0, "a search goes on without its browser");
}

async function picture(page, name) {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** All games that are built in. */
const variants = execFileSync(shogi, ["variant", "list"]).toString().trim().split("\n").map((line) => line.split(/\s/)[0]);
const context = { open, url, shogi, variants, ask, refused, proof, table, status, pictures, picture, searches, ended, PHONE };
const tests = Object.assign({}, ...[board, engine, tabs, own, words, phone, solve, play].map((cases) => cases(context)));

/** The names of the cases that failed. */
const failed = [];

/** Runs a case; one that fails leaves a picture of its page, and the others are run all the same. */
async function run(name, test) {
  const begun = performance.now();
  problems.length = 0;
  try {
    const page = await test();
    await page?.context().close();
    assert.deepEqual(problems, [], name);
    console.log(`ok: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed.push(name);
    console.error(`FAILED: ${name}`, error);
    for (const [i, context] of browser.contexts().entries()) {
      const path = join(tmpdir(), `explore-failed-${failed.length}-${i}.png`);
      await context.pages()[0]?.screenshot({ path }).catch(() => {});
      await context.close();
    }
  }
}

try {
  const started = await open("");
  console.log(`first paint after ${await firstPaint(started)} ms`);
  await started.context().close();
  for (const [name, test] of Object.entries(tests)) if (!only || name.includes(only)) await run(name, test);
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true });
}
if (failed.length > 0) console.error(`${failed.length} failed: ${failed.join("; ")}`);
process.exit(failed.length > 0 ? 1 : 0);
