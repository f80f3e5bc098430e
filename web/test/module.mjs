#!/usr/bin/env node
// Asks the libraries as WebAssembly and the program the same questions: the answers are the same objects.
//
//     node web/build.mjs --static FOLDER
//     node web/test/module.mjs FOLDER/explore.wasm target/debug/shogi

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

import { build } from "esbuild";

const [wasm, shogi] = process.argv.slice(2);
if (!shogi) {
  console.error("usage: node module.mjs MODULE SHOGI");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "module-"));
const [script, proof, table] = ["module.mjs", "kbr.proof", "E1G2L2.tablebase"].map((name) => join(folder, name));
const source = join(dirname(fileURLToPath(import.meta.url)), "../src/module.ts");
await build({ entryPoints: [source], bundle: true, format: "esm", outfile: script });
const { Module } = await import(pathToFileURL(script));
const compiled = await WebAssembly.compile(readFileSync(wasm));
const module = new Module(compiled);

execFileSync(shogi, ["solve", "shogi34", "--start", "KBR", "--proof", proof], { stdio: "ignore" });
execFileSync(shogi, ["tablebase", "build", "dobutsu", "--class", "E1G2L2", "--out", table], { stdio: "ignore" });

let asked = 0;
/** Asserts that the module says of each line what the verb says, times aside. */
function agree(verb, question, request, lines) {
  // The verb ends with 1 where one of the lines has no answer.
  const { stdout } = spawnSync(shogi, verb.split(" "), { input: `${lines.join("\n")}\n` });
  const said = stdout.toString().trim().split("\n").map((line) => JSON.parse(line));
  assert.equal(said.length, lines.length);
  lines.forEach((line, place) => {
    const { seconds, ...expected } = said[place];
    const { status, body } = module.ask(question, { ...request, in: line });
    assert.equal(status, "error" in expected ? 422 : 200, `${verb}: ${line}`);
    assert.deepEqual(body, expected, `${verb}: ${line}`);
    asked += 1;
  });
}

/** Positions of random games, each by its moves from the start. */
function positions(variant, start, count) {
  const found = [];
  let [random, line] = [1, start];
  while (found.length < count) {
    found.push(line);
    const { moves } = module.ask("moves", { variant, in: line }).body;
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    const next = moves[(random >>> 16) % moves.length];
    line = next === undefined ? start : `${line}${line.includes(" moves ") ? "" : " moves"} ${next}`;
  }
  return found;
}

for (const { name: variant, reach } of module.about().body.variants) {
  const lines = positions(variant, "startpos", 30);
  for (const verb of ["moves", "unmoves"]) agree(`${verb} ${variant}`, verb, { variant }, lines);
  agree(`moves ${variant} --dialect fairy`, "moves", { variant, dialect: "fairy" }, lines.slice(0, 10));
  // Where positions have no numbers, the verbs refuse the variant before any line.
  if (!/ is not available for /.test(module.ask("rank", { variant, in: "startpos" }).body.error)) {
    agree(`rank ${variant}`, "rank", { variant }, lines);
    agree(`unrank ${variant}`, "unrank", { variant }, lines.map((_, i) => String(i * i * 7_919_399)));
  }
  agree(`mate ${variant} --hash 74 --nodes 20000`, "mate", { variant, nodes: 20_000 }, lines.slice(0, 10));
  if (variant === "minishogi" || variant === "kyotoshogi") agree(`classify ${variant} --certificate`, "classify", { variant }, lines);
  assert.equal(reach, module.ask("draw", { variant, seed: 1 }).status === 200);
}
// A variant of one's own is called by its text.
const own = join(dirname(fileURLToPath(import.meta.url)), "../../variants/yarishogi.toml");
const { name, title, pieces } = module.ask("variant", { variant: readFileSync(own, "utf8") }).body;
assert.deepEqual([title, pieces.length], ["Yari shogi, 7x9", 5]);
for (const verb of ["moves", "unmoves"]) agree(`${verb} ${own}`, verb, { variant: name }, positions(name, "startpos", 30));
agree(`mate ${own} --hash 74 --nodes 20000`, "mate", { variant: name, nodes: 20_000 }, positions(name, "startpos", 10));
assert.deepEqual(module.ask("variant", { variant: 'name = "x"\nzone = 1\n' }).status, 422);

agree("mate minishogi --hash 74", "mate", { variant: "minishogi" }, ["1k3/5/2P2/5/2K2 b RG 1"]);

for (const [place, path] of [proof, table].entries()) {
  const bytes = readFileSync(path);
  const { status, body } = module.open(`file ${place}`, bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
  assert.deepEqual([status, body.files?.length], [200, place + 1]);
}
agree(`tablebase probe ${table}`, "probe", { variant: "dobutsu" }, positions("dobutsu", "sfen 1k1/3/1R1/1K1 b Rb 1", 30));
const walks = ["root"];
for (let i = 0; i < walks.length && walks.length < 30; i++) {
  const { move, replies } = module.ask("walk", { file: 0, in: walks[i] }).body;
  walks.push(...replies.slice(0, 2).map((reply) => `${walks[i]} ${move} ${reply.move}`));
}
agree(`proof walk ${proof}`, "walk", { file: 0 }, walks);
assert.equal(module.ask("check", { file: 0 }).body.ok, true);

// The value of a start, with its proof.
const solved = JSON.parse(execFileSync(shogi, ["solve", "shogi34", "--start", "KBR", "--hash", "64", "--json"]));
const { answer, proof: found } = module.solve({ variant: "shogi34", in: module.ask("walk", { file: 0, in: "root" }).body.sfen });
for (const name of ["value", "plies_at_most", "nodes", "expansions", "pv", "proof"]) assert.deepEqual(answer.body[name], solved[name], name);
assert.deepEqual(Buffer.from(found), readFileSync(proof));

// A report plays its games on the one thread that there is.
const kings = join(folder, "kings.toml");
writeFileSync(kings, 'name = "kings"\nstart = "k/1/1/K b - 1"\n[pieces]\nK = { front = "king", royal = true }\n');
const news = [];
const { report, page } = module.report({ variant: readFileSync(kings, "utf8"), in: "startpos" }, (event) => news.push(event)).body;
assert.deepEqual(report, JSON.parse(execFileSync(shogi, ["variant", "report", kings, "--json"])));
assert(page.includes("this is proved") && news.some(({ things, done }) => things === "games" && done === 100));

// The engine stops by the clock, and what it says can be read.
const events = [];
const ended = module.search({ variant: "dobutsu", in: "startpos", lines: 2, seconds: 1 }, (event) => events.push(event));
assert.equal(ended.status, 200);
assert.match(events.at(-1).bestmove, /^\d\w\d\w$/);
assert.deepEqual([module.ask("moves", { variant: "chess", in: "" }).status, module.ask("perft", {}).status], [400, 404]);
rmSync(folder, { recursive: true });
console.log(`${asked} answers of the module are those of the program`);
