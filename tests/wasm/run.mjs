// Runs the libraries under Node.js and compares their answers with those of the program.
//
//     cargo build --release -p shogi-variants-wasm --target wasm32-unknown-unknown
//     node tests/wasm/run.mjs target/wasm32-unknown-unknown/release/shogi_variants_wasm.wasm target/release/shogi
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [module, shogi] = process.argv.slice(2);
if (!shogi) {
  console.error("usage: node run.mjs MODULE SHOGI");
  process.exit(2);
}

// The module needs nothing but a clock.
const host = { now: () => performance.now() };
const { instance } = await WebAssembly.instantiate(readFileSync(module), { host });
const { solve, reachable, think, use_clock } = instance.exports;

const check = (name, found, expected) => {
  assert.equal(found, expected, name);
  console.log(`${name}: ${found}`);
};

// Before it has a clock nothing takes any time, and limits of nodes hold.
check("nodes of the player without a clock", think(0, 20_000), 20_000);
check("KGR solved without a clock", solve(0, 0), 1);
use_clock();
check("nodes of the player", think(0, 20_000), 20_000);
check("KGR solved", solve(0, 0), 1);
// Without a limit of nodes only the clock ends these.
check("RKB in 300 ms", solve(1, 300), 0);
assert(think(300, 0) > 0);
console.log("the player stopped by the clock");
const estimate = execFileSync(shogi, ["estimate", "minishogi", "--samples", "5000", "--seed", "1", "--json"]);
check("reachable of 5000 samples", reachable(5000), JSON.parse(estimate).funnel.ok);
