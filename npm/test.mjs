#!/usr/bin/env node
// Installs the package into a fresh project, from what `npm pack` packs, and uses it there.
//
//     npm run build
//     node npm/test.mjs target/debug/shogi
//
// The examples of the README print what stands beside them, the types are those of a strict project, and what is found of
// positions of random games is what the program finds.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";

const [program] = process.argv.slice(2);
if (!program) {
  console.error("usage: node test.mjs SHOGI");
  process.exit(2);
}
const shogiProgram = resolve(program);
const here = dirname(fileURLToPath(import.meta.url));
const project = mkdtempSync(join(tmpdir(), "npm-"));
process.on("exit", () => rmSync(project, { recursive: true, force: true }));
const npm = (...words) => execFileSync("npm", words, { cwd: project, stdio: ["ignore", "pipe", "inherit"] }).toString();

/** What a batch verb answers to lines. */
function ask(words, lines) {
  const output = execFileSync(shogiProgram, words, { input: `${lines.join("\n")}\n` }).toString();
  return output.trim().split("\n").map((line) => {
    const { in: _, seconds: __, ...answer } = JSON.parse(line);
    return answer;
  });
}

/** A random number generator of 32 bits (mulberry32), so that a seed names the games. */
function randomFrom(seed) {
  return (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}

writeFileSync(join(project, "package.json"), JSON.stringify({ name: "fresh", private: true, type: "module" }));
const [{ filename, files }] = JSON.parse(npm("pack", here, "--json", "--ignore-scripts"));
const modules = ["rules", "full", "report", "solve", "tablebase", "engine"].map((name) => `dist/${name}.wasm`);
for (const name of [...modules, "dist/index.js", "dist/index.d.ts", "dist/report.d.ts", "dist/solve.d.ts", "dist/tablebase.d.ts", "LICENSE-MIT", "README.md"]) {
  assert(files.some(({ path }) => path === name), `the package lacks ${name}`);
}
npm("install", "--no-audit", "--no-fund", "--offline", `./${filename}`);
const installed = (name) => import(pathToFileURL(join(project, "node_modules/shogi-variants/dist", name)));
const { load, ShogiError } = await installed("index.js");
const { load: loadRules } = await installed("rules.js");
const { load: loadPlayer } = await installed("player.js");
const { load: loadReports } = await installed("report.js");
const { load: loadSolver } = await installed("solve.js");
const { openTablebase } = await installed("tablebase.js");
const [shogi, rules] = [await load(), await loadRules()];

/** Builds a tablebase of Dobutsu shogi in the project. */
function buildTablebase(pieces) {
  const file = join(project, `dobutsu-${pieces}.tablebase`);
  execFileSync(shogiProgram, ["tablebase", "build", "dobutsu", "--class", pieces, "--out", file], { stdio: "ignore" });
  return file;
}
// For the README, and one that is a hundred times as long as what a probe reads of it.
buildTablebase("E1G2L2");
const table = buildTablebase("C1E1G2L2");

/** A server of one file, as `change` has it. It answers range requests, and notes how many bytes it has sent. */
async function serveFile(bytes, change = {}) {
  const sent = { bytes: 0, requests: 0, most: 0, running: 0 };
  const server = createServer(async ({ method, headers }, response) => {
    sent.requests++;
    sent.most = Math.max(sent.most, ++sent.running);
    await new Promise((done) => setTimeout(done, 2));
    sent.running--;
    const refused = change.refuse?.(sent.requests);
    if (refused) return response.writeHead(refused, { "retry-after": "0" }).end();
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const whole = first === undefined || change.ranges === false;
    const [start, end] = whole ? [0, bytes.length] : [Number(first), Math.min(Number(last) + 1, bytes.length)];
    const range = whole || change.hidden ? {} : { "content-range": `bytes ${start}-${end - 1}/${bytes.length}` };
    response.writeHead(whole ? 200 : 206, { ...range, "content-length": end - start, "access-control-allow-origin": "*" });
    if (method === "HEAD") return response.end();
    sent.bytes += end - start;
    response.end(bytes.subarray(start, end));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${server.address().port}/c1e1g2l2.tablebase`;
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url, sent, close };
}

/** A running `shogi serve`, and the address of a file that it serves. */
async function serveTables() {
  const child = spawn(shogiProgram, ["serve", table, "--rate", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  process.on("exit", () => child.kill());
  const url = await new Promise((done, failed) => {
    child.stdout.once("data", (line) => done(line.toString().trim()));
    child.once("exit", (code) => failed(new Error(`shogi serve ended with ${code}`)));
  });
  return { url: `${url}files/dobutsu-C1E1G2L2.tablebase`, child };
}

/** What the modules may weigh, compressed by brotli: pages load them. */
const MOST = { rules: 140_000, tablebase: 115_000, full: 620_000, report: 2_300_000, solve: 280_000, engine: 2_300_000 };

const tests = {
  "the modules are small"() {
    for (const [name, most] of Object.entries(MOST)) {
      const bytes = readFileSync(join(project, `node_modules/shogi-variants/dist/${name}.wasm`));
      const compressed = brotliCompressSync(bytes).length;
      console.log(`  ${name}.wasm: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} by gzip, ${compressed} by brotli`);
      assert(compressed <= most, `${name}.wasm has ${compressed} bytes once compressed, more than ${most}`);
    }
  },

  "the examples of the README print what stands beside them"() {
    const blocks = [...readFileSync(join(here, "README.md"), "utf8").matchAll(/```js\n(.*?)```/gs)];
    assert(blocks.length >= 4);
    for (const [, code] of blocks) {
      const file = join(project, "example.js");
      writeFileSync(file, code);
      const printed = execFileSync(process.execPath, [file], { cwd: project }).toString();
      const expected = [...code.matchAll(/^console\.log\(.*\); \/\/ (.*)$/gm)].map(([, text]) => `${text}\n`);
      assert.equal(printed, expected.join(""));
      assert.equal(expected.length, code.split("console.log").length - 1, "what each prints stands beside it");
    }
  },

  async "a strict project compiles with its types"() {
    const solver = await loadSolver();
    const rkr = solver.start("shogi34", "RKR");
    const solved = [rkr, solver.position("minishogi")].map((at) => solver.solve(at, { nodes: 1000 }));
    writeFileSync(join(project, "use.ts"), `
import { load, type Mate, type Moves, type Proof, type Shogi } from "shogi-variants";
import { load as loadPlayer, type Choice } from "shogi-variants/player";
import { load as loadReports, type Report } from "shogi-variants/report";
import { load as loadRules, ShogiError } from "shogi-variants/rules";
import { load as loadSolver, type Solution, type Solver } from "shogi-variants/solve";
import { openTablebase, type Probed, type Tablebase } from "shogi-variants/tablebase";
const table: Tablebase = await openTablebase("https://example.org/dobutsu.tablebase");
const probed: Probed = await table.probe("startpos");
const best: string | undefined = probed.moves[0]?.move;
const shogi: Shogi = await load(new URL("https://example.org/full.wasm"));
const moves: Moves = shogi.position("shogi").moves();
const mate: Mate = shogi.mate(shogi.position("shogi"), { nodes: 10 });
const proof: Proof = shogi.openProof(new Uint8Array());
const nodes: bigint = shogi.perft((await loadRules()).position("shogi"), 1);
const { winner }: Report = (await loadReports()).report("micro", { games: 10 });
const solver: Solver = await loadSolver();
const solution: Solution = solver.solve(solver.start("shogi34", "RKR"), { leaf: "mobility", time: 1 });
// The answers have no field that the types lack, and the other way round.
const solved: Solution[] = ${JSON.stringify(solved)};
const choice: Choice = await (await loadPlayer()).think(shogi.game("shogi"), { nodes: 1 });
// @ts-expect-error
shogi.convert("shogi", "", "pgn");
// @ts-expect-error
solver.solve(solver.position("shogi34"), { algorithm: "mcts" });
export { best, choice, mate, moves, nodes, proof, ShogiError, solution, solved, winner };
`);
    const words = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom", "use.ts"];
    execFileSync(join(here, "node_modules/.bin/tsc"), words, { cwd: project, stdio: "inherit" });
  },

  "positions of random games are what the program finds"() {
    const random = randomFrom(1);
    for (const { name } of shogi.variants()) {
      const [positions, games] = [[], []];
      for (let number = 0; number < 3; number++) {
        const game = rules.game(name);
        for (let ply = 0; ply < 60; ply++) {
          const { moves } = game.moves();
          if (moves.length === 0) break;
          game.play(moves[random(moves.length)]);
          positions.push(game.position.sfen);
        }
        games.push(game);
      }
      const lines = positions.filter((_, place) => place % 7 === 0);
      const at = (sfen) => shogi.position(name, sfen);
      assert.deepEqual(lines.map((sfen) => at(sfen).moves()), ask(["moves", name], lines));
      assert.deepEqual(lines.map((sfen) => rules.position(name, sfen).moves()), ask(["moves", name], lines));
      const texts = games.map((game) => game.text);
      assert.deepEqual(games.map(String), texts);
      assert.deepEqual(games.map((game) => game.moves()), ask(["moves", name], texts));
      const unmoves = ask(["unmoves", name], lines).map(({ predecessors }) => predecessors);
      assert.deepEqual(lines.map((sfen) => shogi.unmoves(at(sfen)).map((before) => before.sfen)), unmoves);
      const perft = execFileSync(shogiProgram, ["perft", name, "2", "--json"]).toString();
      assert.equal(shogi.perft(shogi.position(name), 2), BigInt(JSON.parse(perft).nodes));
      for (const game of games) {
        // There and back; Western notation and the Japanese one have a word for every move.
        const kif = shogi.convert(name, `position ${game.text}`, "kif").record;
        const usi = shogi.convert(name, kif, "usi", "kif").record;
        assert.equal(shogi.convert(undefined, kif, "usi").record, usi);
        assert.deepEqual(game.line, usi.trim().split(" moves ")[1].split(" "));
        for (const notation of ["japanese", "western", "usi"]) {
          assert.equal(shogi.notate(game.start, [...game.line], notation).length, game.line.length);
        }
        while (game.line.length > 0) game.undo();
        assert.equal(game.position, game.start);
      }
    }
  },

  "numbers of positions are what the program finds"() {
    for (const name of ["minishogi", "kyotoshogi", "dobutsu", "shogi", "gorogoro"]) {
      const start = shogi.position(name);
      const [{ rank }] = ask(["rank", name], [start.sfen]);
      assert.equal(shogi.rank(start), BigInt(rank));
      assert.equal(shogi.unrank(name, BigInt(rank)), start.sfen.replace(/ \d+$/, " 1"));
      assert(shogi.rank(start) < shogi.size(name));
      assert.throws(() => shogi.unrank(name, shogi.size(name)), ShogiError);
    }
    // No start of 3x4 shogi has all of the pieces that its numbers are of, and pieces of tori shogi move in ways of their own.
    for (const start of [shogi.start("shogi34", "KGR"), shogi.position("torishogi")]) {
      assert.throws(() => shogi.rank(start), ShogiError);
    }
  },

  "a position with Gote to move, or in a mirror, has the number of the one that stands for it"() {
    const start = shogi.position("minishogi");
    const lines = ["rbsgk/4p/P4/5/KGSBR w - 1", "kgsbr/p4/5/4P/RBSGK b - 1", "kgsbr/p4/4P/5/RBSGK w - 1", start.sfen];
    const ranked = lines.map((sfen) => shogi.ranked({ variant: "minishogi", sfen }));
    assert.deepEqual(ranked.map(({ exchanged, mirrored }) => [exchanged, mirrored]), [[true, false], [false, true], [true, true], [false, false]]);
    assert.deepEqual(ranked.map(({ rank }) => String(rank)), ask(["rank", "minishogi"], lines).map(({ rank }) => rank));
    assert.equal(ranked[1].rank, shogi.rank(start));
  },

  "what can be reached is what the program finds"() {
    const lines = ["5/5/2k2/5/4K b RBGSPrbgsp 1", "rbsgk/4p/P4/5/KGSBR w - 1", "K+p+ps1/s3+r/4+b/3r+b/2g1k b G 1", "1k+s+pK/r3+s/+b4/+br3/k1g2 b G 1"];
    const places = lines.slice(0, 3).map((sfen) => ({ variant: "minishogi", sfen }));
    assert.deepEqual(places.map((place) => shogi.classify(place).reachable), [true, true, false]);
    assert.deepEqual(
      places.map((place) => shogi.classify(place, { certificate: true })),
      ask(["classify", "minishogi", "--certificate"], lines.slice(0, 3)),
    );
    assert.throws(() => shogi.classify({ variant: "minishogi", sfen: lines[3] }), ShogiError);
    assert.throws(() => shogi.classify(shogi.position("dobutsu")), ShogiError);
  },

  "mates are what the program finds"() {
    const problems = ["4k4/9/4P4/9/9/9/9/9/9 b G 1", "3sks3/9/4S4/9/9/9/9/9/9 b S 1", "4k4/9/9/9/9/9/9/9/9 b P 1"];
    const found = problems.map((sfen) => shogi.mate({ variant: "shogi", sfen }, { shortest: true }));
    assert.deepEqual(found, ask(["mate", "shogi", "--shortest"], problems));
    assert.equal(found[0].mate, 1);
    const book = problems.map((sfen) => shogi.mate({ variant: "shogi", sfen }, { all: true, tsume: true }));
    assert.deepEqual(book, ask(["mate", "shogi", "--all", "--tsume"], problems));
    assert.throws(() => shogi.mate({ variant: "shogi", sfen: problems[0] }, { longest: true }), ShogiError);
  },

  "proofs are walked and checked, and damage is found"() {
    const file = join(project, "kgr.proof");
    execFileSync(shogiProgram, ["solve", "shogi34", "--start", "KGR", "--proof", file], { stdio: "ignore" });
    const bytes = readFileSync(file);
    const proof = shogi.openProof(bytes);
    const claim = proof.claim();
    assert.deepEqual([claim.variant, claim.value, proof.check().ok], ["shogi34", "win", true]);
    const { moves, plies } = proof.line();
    assert.equal(moves.length, plies);
    const step = proof.walk(...moves.slice(0, 2));
    // The steps of a proof are positions of no game, so that their moves are not numbered.
    const played = shogi.position("shogi34", claim.root).play(...moves.slice(0, 2));
    assert.equal(step.sfen, played.sfen.replace(/ \d+$/, " 1"));
    assert.deepEqual(proof.lookUp(step.sfen), step);
    assert.throws(() => proof.walk("1a1b"), ShogiError);
    proof.close();
    assert.throws(() => proof.claim(), /closed/);
    for (const damaged of [bytes.subarray(0, bytes.length - 3), new Uint8Array(), bytes.toReversed()]) {
      assert.throws(() => shogi.openProof(damaged), ShogiError);
    }
  },

  "what is wrong has a reason"() {
    for (const [wrong, reason] of [
      [() => rules.position("chess"), /^"chess" is no variant/],
      [() => rules.position(), /^position: a text is needed, not undefined/],
      [() => rules.position("shogi").play(7), /./],
      [() => rules.game({ variant: "shogi" }), /a text is needed/],
      [() => rules.position("shogi", "x"), /./],
      [() => rules.position("minishogi").play("5d5b"), /5d5b/],
      [() => rules.position("shogi", "4k4/9/9/9/9/9/9/9/4K\0"), /zero/],
      [() => rules.define("name = 1"), /./],
      [() => rules.start("shogi", "KGR"), /./],
      [() => shogi.perft(shogi.position("shogi"), 13), /12/],
      [() => shogi.perft(shogi.position("shogi"), -1), /-1/],
      [() => shogi.convert("shogi", "nonsense", "kif"), /recognised/],
      [() => shogi.unrank("dobutsu", -1), /./],
      [() => shogi.mate({ variant: "shogi", sfen: "9/9" }), /./],
      [() => new rules.constructor(rules.module).module.text("nothing"), /no task/],
    ]) {
      assert.throws(wrong, (error) => error instanceof ShogiError && reason.test(error.message), String(wrong));
    }
  },

  async "a report is what the program reports"() {
    const reports = await loadReports();
    const options = { games: 3, move_nodes: 20, nodes: 1000, samples: 100, positions: 500, seed: 5 };
    const words = Object.entries(options).flatMap(([name, value]) => [`--${name.replace("_", "-")}`, String(value)]);
    const own = join(project, "kings.toml");
    writeFileSync(own, 'name = "kings"\nstart = "k/1/1/K b - 1"\n[pieces]\nK = { front = "king", royal = true }\n');
    reports.define(readFileSync(own, "utf8"));
    for (const [name, game] of [["minishogi", "minishogi"], ["dobutsu", "dobutsu"], ["kings", own]]) {
      const printed = execFileSync(shogiProgram, ["variant", "report", game, ...words, "--json"]).toString();
      // Commands that go on name the game as it was called.
      assert.deepEqual(reports.report(name, options), JSON.parse(printed.replaceAll(own, "kings")), name);
    }
    assert.equal(reports.report("kings", options).winner, "sente");
    assert.equal(reports.report("kings", options, "k/1/1/K w - 1").winner, "gote");
    assert.throws(() => reports.report("micro", { plies: 1 }), ShogiError);
    assert.throws(() => reports.report("micro", {}, "x"), ShogiError);
  },

  async "a value is what the program proves"() {
    const solver = await loadSolver();
    const rkr = solver.start("shogi34", "RKR");
    const program = (...words) => {
      const { seconds, ...solution } = JSON.parse(execFileSync(shogiProgram, ["solve", ...words, "--json"]).toString());
      return solution;
    };
    const won = solver.solve(rkr);
    assert.deepEqual(won, program("shogi34", "--start", "RKR", "--hash", "64"));
    assert.deepEqual([won.value, won.certified, won.ended, won.open], ["win", true, "solved", []]);
    assert(won.pv.length > 0 && won.pv.length <= won.plies_at_most);
    assert.equal(won.proof.claim, "win");
    // The line is one of legal moves.
    rkr.play(...won.pv);
    const limited = solver.solve(solver.position("minishogi"), { nodes: 1000 });
    assert.deepEqual(limited, program("minishogi", "--nodes", "1000", "--hash", "64"));
    assert.deepEqual([limited.value, limited.ended, limited.pv], ["unknown", "nodes", []]);
    assert(limited.open.length > 0);
    assert.equal(solver.solve(solver.position("minishogi"), { time: 0 }).ended, "time");
    const settings = { algorithm: "pds", leaf: "mobility", hash: 16, small_game: 0 };
    const words = Object.entries(settings).flatMap(([name, value]) => [`--${name.replace("_", "-")}`, String(value)]);
    assert.deepEqual(solver.solve(rkr, settings), program("shogi34", "--start", "RKR", ...words));
    solver.define('name = "kings"\nstart = "k/1/1/K b - 1"\n[pieces]\nK = { front = "king", royal = true }\n');
    const { value, plies_at_most, method } = solver.solve(solver.position("kings"));
    assert.deepEqual([value, plies_at_most, method], ["win", 1, "whole"]);
    for (const [position, wrong, reason] of [
      [rkr, { algorithm: "mcts" }, /mcts/],
      [rkr, { depth: 3 }, /depth/],
      [rkr, { time: -1 }, /seconds/],
      [{ variant: "shogi34", sfen: "rkr/3" }, {}, /^at character 6: the board must have 4 ranks/],
      [{ variant: "chess", sfen: "startpos" }, {}, /^"chess" is no variant/],
    ]) {
      assert.throws(() => solver.solve(position, wrong), (error) => error instanceof ShogiError && reason.test(error.message), String(reason));
    }
  },

  async "the player plays what the program plays, and stops at once"() {
    const player = await loadPlayer();
    const start = rules.position("shogi");
    const reports = [];
    const { move, best } = await player.think(start, { nodes: 3_000 }, (report) => reports.push(report));
    const input = "isready\nposition startpos\ngo nodes 3000\n";
    const lines = execFileSync(shogiProgram, ["usi"], { input }).toString().trim().split("\n");
    assert.equal(move, lines.at(-1).split(" ")[1]);
    assert.deepEqual(best.moves, lines.at(-2).split(" pv ")[1].split(" "));
    assert.equal(lines.filter((line) => line.startsWith("info depth")).length, reports.length);
    assert(lines.at(-2).includes(` score cp ${best.centipawns} nodes ${best.nodes} `));
    player.set("MultiPV", 2);
    const two = [];
    const game = rules.game("shogi");
    game.play("7g7f");
    const thinking = player.think(game, {}, (report) => two.push(report));
    await assert.rejects(player.think(game, { nodes: 1 }), /running/);
    assert.throws(() => player.set("MultiPV", 1), /running/);
    while (!two.some(({ line }) => line === 2)) await new Promise((done) => setTimeout(done, 5));
    player.stop();
    assert(game.moves().moves.includes((await thinking).move));
    assert.throws(() => player.set("MultiPV", 0), ShogiError);
    for (const { name } of rules.variants()) {
      const at = rules.position(name);
      assert(at.moves().moves.includes((await player.think(at, { nodes: 100 })).move), name);
    }
    rules.define('name = "unknown"\nstart = "1k1/1p1/1K1 b - 1"\n[pieces]\nP = { front = "pawn" }\nK = { front = "king", royal = true }');
    await assert.rejects(player.think(rules.position("unknown"), { nodes: 1 }), ShogiError);
    const closed = player.think(start, {});
    player.close();
    assert(start.moves().moves.includes((await closed).move));
  },

  async "a tablebase is probed by ranges, from any server of files and from ours"() {
    const length = readFileSync(table).length;
    const [plain, served] = [await serveFile(readFileSync(table)), await serveTables()];
    const random = randomFrom(2);
    const positions = [];
    const start = "e1l/1c1/3/LG1 b g 1";
    let game = rules.game("dobutsu", start);
    while (positions.length < 40) {
      positions.push(game.position);
      const { moves } = game.moves();
      if (moves.length === 0) game = rules.game("dobutsu", start);
      else game.play(moves[random(moves.length)]);
    }
    const expected = ask(["tablebase", "probe", table], positions.map(String));
    for (const url of [plain.url, served.url, pathToFileURL(table)]) {
      const opened = await openTablebase(url);
      assert.deepEqual(opened.about.variant, "dobutsu");
      assert.equal(opened.about.positions, 2_073_034);
      const begun = plain.sent.bytes;
      assert.deepEqual(await opened.probe(positions[0]), expected[0]);
      if (url === plain.url) {
        // The blocks of a position and its moves, none of them longer than 16 KB with what zstd adds.
        const most = (expected[0].moves.length + 1) * 16_800;
        assert(plain.sent.bytes - begun <= most, `${plain.sent.bytes - begun} bytes for a probe, of ${length}`);
      }
      // All at once, and by their texts.
      assert.deepEqual(await Promise.all(positions.map((position) => opened.probe(position))), expected);
      const before = plain.sent.requests;
      assert.deepEqual(await opened.probe(`sfen ${positions[3]}`), expected[3]);
      assert.equal(plain.sent.requests, before, "what was read is kept");
      opened.close();
      await assert.rejects(opened.probe(positions[0]), /closed/);
    }
    assert(plain.sent.most <= 6, `${plain.sent.most} requests at once`);
    plain.close();
    served.child.kill();
  },

  async "what is wrong with a tablebase elsewhere has a reason"() {
    const bytes = readFileSync(table);
    const head = Number(bytes.readBigUInt64LE(10));
    const damaged = (place) => Buffer.from(bytes).fill(bytes[place] ^ 1, place, place + 1);
    const position = "e1l/1c1/3/LG1 b g 1";
    for (const [file, change, reason] of [
      [bytes, { ranges: false }, /does not answer range requests/],
      [bytes, { refuse: () => 404 }, /404/],
      [bytes, { refuse: () => 429 }, /429/],
      [damaged(0), {}, /no tablebase/],
      [damaged(head - 1), {}, /checksum/],
      [bytes.subarray(0, bytes.length - 1), {}, /ends here/],
      [Buffer.from("short"), {}, /no tablebase/],
    ]) {
      const { url, close } = await serveFile(file, change);
      await assert.rejects(openTablebase(url), (error) => error instanceof ShogiError && reason.test(error.message), String(reason));
      close();
    }
    // A file that changes while it is open, and a block that is damaged: no false value is answered.
    const changing = Buffer.from(bytes);
    const { url, close } = await serveFile(changing);
    const opened = await openTablebase(url);
    changing.fill(0, head);
    await assert.rejects(opened.probe(position), /checksum/);
    bytes.copy(changing);
    assert.equal((await opened.probe(position)).moves.length > 0, true);
    await assert.rejects(opened.probe("startpos"), /pieces/);
    await assert.rejects(opened.probe("x"), ShogiError);
    await assert.rejects(opened.probe(rules.position("shogi34")), /shogi34/);
    close();
    // A server that has too many requests now and then, and one that hides the length from pages.
    for (const change of [{ refuse: (number) => number % 3 === 0 && 503 }, { hidden: true }]) {
      const { url, close } = await serveFile(bytes, change);
      assert.equal((await (await openTablebase(url)).probe(position)).moves.length > 0, true);
      close();
    }
    await assert.rejects(openTablebase(pathToFileURL(join(project, "absent"))), /ENOENT/);
  },

  async "a module comes from its bytes or compiled"() {
    const bytes = readFileSync(join(project, "node_modules/shogi-variants/dist/rules.wasm"));
    for (const source of [bytes, new WebAssembly.Module(bytes)]) {
      assert.equal((await loadRules(source)).position("dobutsu").moves().moves.length, 4);
    }
  },
};

for (const [name, test] of Object.entries(tests)) {
  await test();
  console.log(name);
}
await testInBrowser();

/** In Debian's chromium: a page compiles the module, and a worker uses it. */
async function testInBrowser() {
  const { launch } = await import("../web/test/chromium.mjs");
  const dist = join(project, "node_modules/shogi-variants/dist");
  writeFileSync(join(dist, "worker.js"), `
import { load } from "./index.js";
onmessage = async ({ data }) => postMessage((await load(data)).position("minishogi").play("5d5c").sfen);
`);
  const server = createServer(({ url }, response) => {
    const type = { "/": "text/html", js: "text/javascript", wasm: "application/wasm" }[url === "/" ? url : url.split(".").at(-1)];
    const body = url === "/" ? "<!doctype html><title>package</title>" : existsSync(join(dist, url)) && readFileSync(join(dist, url));
    response.writeHead(body ? 200 : 404, { "content-type": type ?? "text/plain" }).end(body || "");
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  // On another site, which hides the length from pages.
  const elsewhere = await serveFile(readFileSync(table), { hidden: true });
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const found = await page.evaluate(async (table) => {
      const { load } = await import("/index.js");
      const moves = (await load()).position("dobutsu").moves().moves;
      const module = await WebAssembly.compileStreaming(fetch("/full.wasm"));
      const worker = new Worker("/worker.js", { type: "module" });
      const answer = new Promise((done) => (worker.onmessage = ({ data }) => done(data)));
      worker.postMessage(module);
      const { openTablebase } = await import("/tablebase.js");
      const { moves: probed } = await (await openTablebase(table)).probe("e1l/1c1/3/LG1 b g 1");
      return { moves, sfen: await answer, probed: probed.map(({ move }) => move).sort() };
    }, elsewhere.url);
    assert.deepEqual(found.moves, ["1d1c", "2c2b", "2d1c", "2d3c"]);
    assert.equal(found.sfen, "rbsgk/4p/P4/5/KGSBR w - 2");
    assert.deepEqual(found.probed, rules.position("dobutsu", "e1l/1c1/3/LG1 b g 1").moves().moves);
    console.log("a page and a worker of chromium use the package");
  } finally {
    await browser.close();
    server.close();
    elsewhere.close();
  }
}
