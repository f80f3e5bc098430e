#!/usr/bin/env node
// An engine for the web version of ShogiHome as a program that speaks USI, as for a match:
//
//     node web/engine/usi.mjs FOLDER [--byoyomi PERCENT]
//
// With --byoyomi a fixed time for the move is sent as byoyomi of so many per cent of it, for engines that read nothing
// else: ShogiHome's own one uses four fifths of it.

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, option, percent] = process.argv.slice(2);
if (!folder || (option !== undefined && !(option === "--byoyomi" && Number(percent) > 0))) {
  console.error("usage: node usi.mjs FOLDER [--byoyomi PERCENT]");
  process.exit(2);
}
const place = (file) => pathToFileURL(resolve(folder, file)).href;
const { module } = JSON.parse(readFileSync(resolve(folder, "engine.json"), "utf8"));
const { default: createEngine } = await import(place(module));
const engine = await createEngine({ printErr: console.error, locateFile: place });

let timer;
engine.addMessageListener((line) => {
  if (/^(bestmove|checkmate) /.test(line)) clearInterval(timer);
  console.log(line);
});
const timed = (line) => line.replace(/\bmovetime (\d+)/, (_, time) => `btime 0 wtime 0 byoyomi ${Math.round((time * percent) / 100)}`);
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  if (/^(go|ponderhit)\b/.test(line)) {
    clearInterval(timer);
    timer = setInterval(() => engine.poll?.(), 10);
  }
  engine.postMessage(percent === undefined ? line : timed(line));
  if (line === "quit") process.exit();
});
lines.on("close", () => process.exit());
