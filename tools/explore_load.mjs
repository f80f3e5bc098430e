#!/usr/bin/env node
// Loads the server of `shogi explore`: probes of a tablebase at a steady rate beside open streams of searches.
//
//     cargo build --release -p shogi-cli
//     node tools/explore_load.mjs target/release/shogi [--rate 500] [--seconds 20] [--streams 50]
//
// Prints one JSON object: answers, errors, latencies in milliseconds, and the server's memory in MiB before, after
// a fifth of the time and at the end. The exit code is 1 if an answer is missing or wrong, if a stream ends
// before it is closed, if searches go on without their streams, or if memory has grown by more than 10 % in the
// last four fifths.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { Agent, get, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

const [shogi, ...options] = process.argv.slice(2);
if (!shogi) {
  console.error("usage: node explore_load.mjs SHOGI [--rate N] [--seconds N] [--streams N]");
  process.exit(2);
}
const option = (name, otherwise) => (options.includes(name) ? Number(options[options.indexOf(name) + 1]) : otherwise);
const [rate, seconds, streams] = [option("--rate", 500), option("--seconds", 20), option("--streams", 50)];
const POSITION = "1k1/3/1R1/1K1 b Rb 1";
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

const folder = mkdtempSync(join(tmpdir(), "explore-load-"));
const table = join(folder, "E1G2L2.tablebase");
execFileSync(shogi, ["tablebase", "build", "dobutsu", "--class", "E1G2L2", "--out", table], { stdio: "ignore" });
const expected = execFileSync(shogi, ["tablebase", "probe", table], { input: `${POSITION}\n` }).toString().trim();
const server = spawn(shogi, ["explore", table], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((found) => server.stdout.once("data", (line) => found(line.toString().trim())));
const { port } = new URL(url);

const status = (name) => Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(readFileSync(`/proc/${server.pid}/status`, "utf8"))[1]);
const memory = () => Math.round(status("VmRSS") / 1024);
const searches = () => readdirSync(`/proc/${server.pid}/task`).filter((thread) => {
  try {
    return readFileSync(`/proc/${server.pid}/task/${thread}/comm`, "utf8").startsWith("search");
  } catch {
    return false;
  }
}).length;

const agent = new Agent({ keepAlive: true, maxSockets: 32 });
const body = JSON.stringify({ variant: "dobutsu", in: POSITION });
const latencies = [];
let [good, bad] = [0, 0];
function probe() {
  const begun = performance.now();
  const headers = { "content-type": "application/json", "content-length": body.length };
  const asked = request({ agent, port, host: "127.0.0.1", method: "POST", path: "/api/probe", headers }, (response) => {
    let text = "";
    response.on("data", (part) => (text += part));
    response.on("end", () => {
      latencies.push(performance.now() - begun);
      if (text === expected) good++;
      else bad++;
    });
  });
  asked.on("error", () => bad++);
  asked.end(body);
}

const before = memory();
let events = 0;
let ended = 0;
let closing = false;
const opened = Array.from({ length: streams }, () =>
  get(`${url}api/search?variant=minishogi&in=startpos&lines=3`, (response) => {
    if (response.statusCode !== 200) ended++;
    response.on("data", () => events++);
    response.on("close", () => closing || ended++);
  }).on("error", () => closing || ended++),
);

const begun = performance.now();
let [asked, early] = [0, undefined];
while (performance.now() - begun < seconds * 1000) {
  const due = Math.floor(((performance.now() - begun) / 1000) * rate);
  for (; asked < due; asked++) probe();
  if (early === undefined && performance.now() - begun > seconds * 200) early = memory();
  await sleep(2);
}
while (good + bad < asked && performance.now() - begun < seconds * 2000) await sleep(10);
const [late, running] = [memory(), searches()];
closing = true;
for (const stream of opened) stream.destroy();
for (let i = 0; i < 400 && searches() > 0; i++) await sleep(25);
const left = searches();
server.kill();
rmSync(folder, { recursive: true });

latencies.sort((a, b) => a - b);
const quantile = (part) => Number((latencies[Math.floor((latencies.length - 1) * part)] ?? 0).toFixed(2));
const flat = late <= early * 1.1;
const ok = bad === 0 && good === asked && ended === 0 && left === 0 && flat && (streams === 0 || running > 0);
const report = {
  ok, asked, good, bad, probes_per_second: rate, seconds,
  milliseconds: { median: quantile(0.5), p99: quantile(0.99), most: quantile(1) },
  streams, ended_early: ended, events, searches_left: left,
  memory_mib: { before, early, late },
};
console.log(JSON.stringify(report, null, 1));
process.exit(ok ? 0 : 1);
