#!/usr/bin/env node
// Builds the package into `dist`: the sources with their types, and the modules.
//
//     npm ci && npm run build
//
// Cargo compiles the modules, for which Rust needs the target wasm32-unknown-unknown; wasm-opt makes them smaller. What
// they weigh is checked by `test.mjs`.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..");
const dist = join(here, "dist");
const bin = (name) => join(here, "node_modules/.bin", name);
const run = (program, ...words) => execFileSync(program, words, { cwd: root, stdio: "inherit" });
const TARGET = "wasm32-unknown-unknown";

/** The modules, and what is compiled into them. */
const MODULES = [
  { name: "rules", features: [], level: "z" },
  { name: "tablebase", features: ["--no-default-features", "--features", "tablebase"], level: "z" },
  { name: "full", features: ["--features", "full"], level: "s" },
  { name: "report", features: ["--features", "report"], level: "s" },
  { name: "solve", features: ["--features", "solve"], level: "s" },
];

/** Says what is missing before anything is compiled; rustup installs the target if it can. */
function checkTarget() {
  const quietly = (program, ...words) => execFileSync(program, words, { cwd: root, stdio: ["ignore", "pipe", "ignore"] }).toString().trim();
  const isInstalled = () => {
    try {
      return existsSync(quietly("rustc", "--print", "target-libdir", "--target", TARGET));
    } catch (error) {
      if (error.code === "ENOENT") throw new Error("Rust is needed: https://rustup.rs installs it");
      return false;
    }
  };
  if (isInstalled()) return;
  console.log(`rustup target add ${TARGET}`);
  try {
    quietly("rustup", "target", "add", TARGET);
  } catch {
    // Without a network, or where Rust comes from elsewhere.
  }
  if (!isInstalled()) throw new Error(`Rust has no target ${TARGET}: run \`rustup target add ${TARGET}\`, or install it as the system's Rust needs it`);
}

/** Compiles a module, smaller than the workspace's profile does. */
function compile({ name, features, level }) {
  const setting = (key, value) => ["--config", `profile.wasm.${key}=${value}`];
  const settings = [...setting("lto", '"fat"'), ...setting("opt-level", `"${level}"`), ...setting("strip", false)];
  run("cargo", "build", "--quiet", "--package", "shogi-variants-npm", ...features, "--target", TARGET, "--profile", "wasm", ...settings);
  const compiled = join(process.env.CARGO_TARGET_DIR ?? join(root, "target"), TARGET, "wasm/shogi_variants_npm.wasm");
  const file = join(dist, `${name}.wasm`);
  run(bin("wasm-opt"), compiled, "-Oz", "--strip-debug", "--strip-producers", "--strip-target-features", "--output", file);
  const module = readFileSync(file);
  const [gzip, brotli] = [gzipSync(module, { level: 9 }), brotliCompressSync(module)].map((bytes) => bytes.length);
  console.log(`${name}.wasm: ${module.length} bytes, ${gzip} by gzip, ${brotli} by brotli`);
}

checkTarget();
rmSync(dist, { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
run(bin("tsc"), "--project", here);
for (const name of ["LICENSE-APACHE", "LICENSE-MIT"]) copyFileSync(join(root, name), join(here, name));
for (const module of MODULES) compile(module);
const engine = join(root, "target/engine");
execFileSync("tools/wasm_engine.sh", ["all", engine], { cwd: root, stdio: "inherit", env: { ...process.env, THREADS: "0" } });
const { module: host } = JSON.parse(readFileSync(join(engine, "engine.json"), "utf8"));
copyFileSync(join(engine, host), join(dist, "engine.js"));
copyFileSync(join(engine, host.replace(/\.js$/, ".wasm")), join(dist, "engine.wasm"));
