// Whether usi.mjs plays a folder that it was not written with: a script in the older form, with a file of data that the
// engine reads, and one that has to be driven.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PLAYER = join(import.meta.dirname, "usi.mjs");

/** An engine whose move is in its data; it moves when it has been driven twice. */
const ENGINE = `
var Made = async ({ locateFile }) => {
  const files = new Map(), folders = new Set(["/"]), listeners = new Set();
  let driven = -1;
  const say = (line) => listeners.forEach((listener) => listener(line));
  return {
    FS: {
      mkdirTree: (path) => folders.add(path),
      writeFile: (path, data) => folders.has(path.replace(/\\/[^/]*$/, "")) && files.set(path, data),
    },
    postMessage(line) {
      if (line === "isready") say("readyok " + locateFile("made.wasm").startsWith("file:"));
      if (line.startsWith("go")) { say("info string " + line); driven = 0; }
    },
    poll() { if (driven >= 0 && ++driven === 2) say("bestmove " + new TextDecoder().decode(files.get("/eval/move.bin"))); },
    addMessageListener: (listener) => listeners.add(listener),
    removeMessageListener: (listener) => listeners.delete(listener),
    terminate() { say("ended"); },
  };
};`;

export async function testPlayer() {
  const folder = mkdtempSync(join(tmpdir(), "engine-"));
  try {
    const dataFiles = [{ url: "eval/move-1.bin", path: "/eval/move.bin" }];
    const manifest = { abi: "shogihome-wasm-engine/1", module: "made.js", moduleFormat: "umd", exportName: "Made", dataFiles };
    writeFileSync(join(folder, "engine.json"), JSON.stringify(manifest));
    writeFileSync(join(folder, "made.js"), ENGINE);
    mkdirSync(join(folder, "eval"));
    writeFileSync(join(folder, "eval/move-1.bin"), "7g7f");
    const shell = `(printf 'isready\\ngo movetime 400\\n'; sleep 2; echo quit) | "$0" "$@"`;
    const output = execFileSync("sh", ["-c", shell, process.execPath, PLAYER, folder, "--byoyomi", "125"]).toString();
    assert.deepEqual(output.trim().split("\n"), [
      "readyok true", "info string go btime 0 wtime 0 byoyomi 500", "bestmove 7g7f", "ended",
    ]);
    console.log("usi.mjs plays any folder of the interface");
  } finally {
    rmSync(folder, { recursive: true });
  }
}
