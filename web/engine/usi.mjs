#!/usr/bin/env node
// An engine for the web version of ShogiHome as a program that speaks USI, as for a match: any folder with the interface
// `shogihome-wasm-engine/1`, with threads or without.
//
//     node web/engine/usi.mjs FOLDER [--byoyomi PERCENT]
//
// With --byoyomi a fixed time for the move is sent as byoyomi of so many per cent of it, for engines that read nothing
// else: ShogiHome's own one uses four fifths of it.

import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [folder, option, percent] = process.argv.slice(2);
if (!folder || (option !== undefined && !(option === "--byoyomi" && Number(percent) > 0))) {
  console.error("usage: node usi.mjs FOLDER [--byoyomi PERCENT]");
  process.exit(2);
}
const place = (file) => pathToFileURL(resolve(folder, file)).href;
const manifest = JSON.parse(readFileSync(resolve(folder, "engine.json"), "utf8"));

/** The function that makes the engine; a script of the older form leaves it in a variable. */
async function factory({ module, moduleFormat, exportName }) {
  if (moduleFormat !== "umd") return (await import(place(module))).default;
  const source = `${readFileSync(resolve(folder, module), "utf8")}\n;export default ${exportName};\n`;
  return (await import(`data:text/javascript;base64,${Buffer.from(source).toString("base64")}`)).default;
}

const createEngine = await factory(manifest);
// What an engine writes to its error output is no line of USI.
const engine = await createEngine({ printErr: console.error, locateFile: place });
for (const { url, path } of manifest.dataFiles ?? []) {
  engine.FS.mkdirTree(dirname(path));
  engine.FS.writeFile(path, new Uint8Array(readFileSync(resolve(folder, url))));
}

let timer;
engine.addMessageListener((line) => {
  if (/^(bestmove|checkmate) /.test(line)) clearInterval(timer);
  console.log(line);
});
const timed = (line) => line.replace(/\bmovetime (\d+)/, (_, time) => `btime 0 wtime 0 byoyomi ${Math.round((time * percent) / 100)}`);
/** Ends the engine with its threads, and the program. */
function end() {
  engine.terminate();
  process.exit();
}
const lines = createInterface({ input: process.stdin });
lines.on("line", (line) => {
  // Engines before 2026-08-20 wait to be driven.
  if (engine.poll && /^(go|ponderhit)\b/.test(line)) {
    clearInterval(timer);
    timer = setInterval(() => engine.poll(), 10);
  }
  if (line === "quit") end();
  engine.postMessage(percent === undefined ? line : timed(line));
});
lines.on("close", end);
