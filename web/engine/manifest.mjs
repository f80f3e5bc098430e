#!/usr/bin/env node
// Writes `engine.json` beside an engine: what the engine says of itself, in the form that ShogiHome reads. The files of the
// engine get a name that changes with their content, since browsers keep what they have loaded.
//
//     node web/engine/manifest.mjs VARIANT FOLDER

import { createHash } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What the games are called. */
const TITLES = {
  shogi: "Shogi",
  minishogi: "Minishogi",
  kyotoshogi: "Kyoto shogi",
  shogi34: "3x4 shogi",
  dobutsu: "Dobutsu shogi",
  gorogoro: "Goro-goro shogi",
  gorogoroplus: "Goro-goro plus",
  judkins: "Judkins shogi",
  micro: "Micro shogi",
  torishogi: "Tori shogi",
  all: "all games",
};

/** The option that a line of USI describes; its words are names of fields but in the name itself. */
export function optionOf(line) {
  const [, name, type, rest] = /^option name (.+?) type (\S+)(.*)$/.exec(line);
  const option = { name, type };
  const words = rest.trim().split(/\s+/);
  for (let at = 0; at + 1 < words.length; at += 2) {
    const [field, value] = [words[at], words[at + 1]];
    if (field === "var") (option.vars ??= []).push(value);
    else option[field] = type === "spin" ? Number(value) : value;
  }
  return option;
}

/** The presets of a game: their ids are addresses of players in people's settings, and never change. */
function presetsOf(variant) {
  const id = `shogi-variants-${variant}`;
  const displayName = variant === "shogi" ? "shogi-variants" : `shogi-variants (${TITLES[variant]})`;
  const tags = ["game", "research", "mate"];
  const mobileGame = { label: "shogi-variants" };
  return [
    { id: `${id}-v1`, displayName, tags },
    {
      id: `${id}-varied-v1`,
      displayName: `${displayName}, varied openings`,
      values: { OpeningPlies: 16 },
      tags: ["game"],
      mobileGame,
    },
    { id: `${id}-mate-v1`, displayName: `${displayName}, mates`, tags: ["mate"] },
  ];
}

/** The files of an engine after its name, and those of the engine with threads. */
const ENDS = [".js", ".wasm"];
const THREADED = ["-threads.js", "-threads.wasm", "-worker.js"];
const NO_THREADS = "const HAS_THREADS = false;";

/**
 * Gives the files of an engine a name with the hash of their content; that name. In the first file it is noted whether
 * there is the engine with threads.
 */
function nameByContent(folder) {
  const file = (name, end) => join(folder, `${name}${end}`);
  const hasThreads = existsSync(file("engine", THREADED[0]));
  const ends = hasThreads ? [...ENDS, ...THREADED] : ENDS;
  const host = readFileSync(file("engine", ".js"), "utf8");
  if (!host.includes(NO_THREADS)) throw new Error(`engine.js does not say ${NO_THREADS}`);
  writeFileSync(file("engine", ".js"), host.replace(NO_THREADS, NO_THREADS.replace("false", hasThreads)));
  const hash = createHash("sha256");
  for (const end of ends) hash.update(readFileSync(file("engine", end)));
  const name = `engine-${hash.digest("hex").slice(0, 12)}`;
  for (const end of ends) renameSync(file("engine", end), file(name, end));
  return name;
}

/** What an engine says to a command, up to a last line. */
function answers(engine, command, last) {
  return new Promise((done) => {
    const lines = [];
    engine.addMessageListener((line) => {
      lines.push(line);
      if (line === last) done(lines);
    });
    engine.postMessage(command);
  });
}

async function write(variant, folder) {
  const name = nameByContent(folder);
  const { default: createEngine } = await import(pathToFileURL(resolve(folder, `${name}.js`)));
  const engine = await createEngine();
  const lines = await answers(engine, "usi", "usiok");
  engine.terminate();
  const said = (start) => lines.find((line) => line.startsWith(start)).slice(start.length);
  const manifest = {
    abi: "shogihome-wasm-engine/1",
    module: `${name}.js`,
    moduleFormat: "esm",
    name: said("id name "),
    author: said("id author "),
    licenses: [{ spdx: "MIT OR Apache-2.0", file: "LICENSE.txt", source: "https://github.com/shogi-variants/shogi-variants" }],
    options: lines.filter((line) => line.startsWith("option ")).map(optionOf),
    presets: presetsOf(variant),
  };
  writeFileSync(join(folder, "engine.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

if (process.argv[1] === import.meta.filename) {
  const [variant, folder] = process.argv.slice(2);
  if (!folder || !(variant in TITLES)) {
    console.error(`usage: node manifest.mjs ${Object.keys(TITLES).join("|")} FOLDER`);
    process.exit(2);
  }
  await write(variant, folder);
}
