#!/usr/bin/env node
// Writes `engine.json` beside an engine: what the engine says of itself, in the form that ShogiHome reads.
//
//     node web/engine/manifest.mjs VARIANT FOLDER

import { writeFileSync } from "node:fs";
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
  return [
    { id: `${id}-v1`, displayName },
    { id: `${id}-varied-v1`, displayName: `${displayName}, varied openings`, values: { OpeningPlies: 16 } },
  ];
}

async function write(variant, folder) {
  const { default: createEngine } = await import(pathToFileURL(resolve(folder, "engine.js")));
  const engine = await createEngine();
  const lines = [];
  engine.addMessageListener((line) => lines.push(line));
  engine.postMessage("usi");
  engine.terminate();
  const said = (start) => lines.find((line) => line.startsWith(start)).slice(start.length);
  const manifest = {
    abi: "shogihome-wasm-engine/2",
    module: "engine.js",
    moduleFormat: "esm",
    name: said("id name "),
    author: said("id author "),
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
