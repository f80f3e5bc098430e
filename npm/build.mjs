#!/usr/bin/env node
// Builds the package into `dist`: the sources with their types, and the modules.
//
//     npm ci && npm run build
//     node build.mjs --module FILE --engine FOLDER
//                       with a module that has been compiled with all features, not made smaller, and with an
//                       engine that tools/wasm_engine.sh has built
//
// Cargo compiles the modules, unless one is named; wasm-opt makes them smaller.

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const dist = join(here, "dist");
const bin = (name) => join(here, "node_modules/.bin", name);
const run = (program, ...words) => execFileSync(program, words, { cwd: root, stdio: "inherit" });
const TARGET = "wasm32-unknown-unknown";

/** The modules, what is compiled into them, and what they may weigh once compressed. */
const MODULES = [
  { name: "rules", features: [], level: "z", most: 130_000 },
  { name: "tablebase", features: ["--no-default-features", "--features", "tablebase"], level: "z", most: 105_000 },
  { name: "full", features: ["--features", "full"], level: "s", most: 1_000_000 },
];

/** Compiles a module, smaller than the workspace's profile does. */
function compile({ name, features, level, most }) {
  const setting = (key, value) => ["--config", `profile.wasm.${key}=${value}`];
  const settings = [...setting("lto", '"fat"'), ...setting("opt-level", `"${level}"`), ...setting("strip", false)];
  run("cargo", "build", "--quiet", "--package", "shogi-variants-npm", ...features, "--target", TARGET, "--profile", "wasm", ...settings);
  const compiled = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), TARGET, "wasm/shogi_variants_npm.wasm");
  const file = join(dist, `${name}.wasm`);
  run(bin("wasm-opt"), compiled, "-Oz", "--strip-debug", "--strip-producers", "--strip-target-features", "--output", file);
  const module = readFileSync(file);
  const [gzip, brotli] = [gzipSync(module, { level: 9 }), brotliCompressSync(module)].map((bytes) => bytes.length);
  console.log(`${name}.wasm: ${module.length} bytes, ${gzip} by gzip, ${brotli} by brotli`);
  if (brotli > most) throw new Error(`${name}.wasm has more than ${most} bytes once compressed`);
}

rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
run(bin("tsc"), "--project", here);
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, name), join(here, name));
const argument = (name) => process.argv[process.argv.indexOf(name) + 1 || process.argv.length];
const named = argument("--module");
for (const module of MODULES) {
  if (named === undefined) compile(module);
  else copyFileSync(named, join(dist, `${module.name}.wasm`));
}
const engine = argument("--engine") ?? join(root, "target/engine");
if (argument("--engine") === undefined) run("tools/wasm_engine.sh", "all", engine);
const { module: host } = JSON.parse(readFileSync(join(engine, "engine.json"), "utf8"));
copyFileSync(join(engine, host), join(dist, "engine.js"));
copyFileSync(join(engine, host.replace(/\.js$/, ".wasm")), join(dist, "engine.wasm"));
