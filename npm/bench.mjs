#!/usr/bin/env node
// Compares the speed of the package with that of tsshogi, shogiops and ffish (Fairy-Stockfish), on positions of random games of shogi.
//
//     npm run build
//     node bench.mjs
//
// The packages are installed in a temporary folder; they run as they are and no part of them is kept here. Each figure is
// how often a task is done in a second of processor time.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

import { load } from "./dist/index.js";

const folder = mkdtempSync(join(tmpdir(), "bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "package.json"), "{}");
execFileSync("npm", ["install", "--no-audit", "--no-fund", "tsshogi@2", "shogiops@0.18", "ffish-es6@0.7.10"], { cwd: folder, stdio: "ignore" });
const peer = (path) => import(pathToFileURL(join(folder, "node_modules", path)));
const tsshogi = await peer("tsshogi/dist/esm/index.mjs");
const [{ parseSfen, makeSfen }, { perft }, { parseUsi, makeUsi }, util] = await Promise.all(
  ["sfen", "debug", "util", "variant/util"].map((name) => peer(`shogiops/dist/${name}.js`)),
);
const { default: makeFfish } = await peer("ffish-es6/ffish.js");
const wasmBinary = readFileSync(join(folder, "node_modules/ffish-es6/ffish.wasm"));
const ffish = await makeFfish({ wasmBinary, print: () => {}, printErr: () => {} });
const shogi = await load();

/** Positions of random games, with a legal move each. */
function sample(count) {
  const positions = [];
  let seed = 1;
  const random = (bound) => (seed = (seed * 48271) % 2147483647) % bound;
  while (positions.length < count) {
    const game = shogi.game("shogi");
    for (let ply = 0; ply < 100; ply++) {
      const { moves } = game.moves();
      if (moves.length === 0) break;
      const move = moves[random(moves.length)];
      if (ply % 10 === 9) positions.push({ position: game.position, sfen: game.position.sfen, move });
      game.play(move);
    }
  }
  return positions;
}

/** How often a second of processor time suffices for a task on each of these. */
function speed(items, task) {
  for (const item of items) task(item);
  const started = process.cpuUsage();
  let done = 0;
  let spent;
  do {
    for (const item of items) task(item);
    done += items.length;
    spent = process.cpuUsage(started).user / 1e6;
  } while (spent < 1);
  return Math.round(done / spent);
}

/** All legal moves of a position of shogiops, in USI. */
function legalMoves(position) {
  const moves = [];
  for (const [from, targets] of position.allMoveDests()) {
    const piece = position.board.get(from);
    for (const to of targets) {
      if (util.pieceCanPromote("standard")(piece, from, to, position.board.get(to))) moves.push(makeUsi({ from, to, promotion: true }));
      if (!util.pieceForcePromote("standard")(piece, to)) moves.push(makeUsi({ from, to, promotion: false }));
    }
  }
  for (const [name, targets] of position.allDropDests()) {
    for (const to of targets) moves.push(makeUsi({ role: name.split(" ")[1], to }));
  }
  return moves;
}

const fenOf = (sfen) => {
  const [board, side, hand] = sfen.split(" ");
  return `${board}[${hand}] ${side === "b" ? "w" : "b"} 0 1`;
};
/** A move in the notation of Fairy-Stockfish: ranks are numbers from Gote's side, the same as our files and letters. */
const uciOf = (usi) => {
  const square = (text) => text[0] + (10 - (text.charCodeAt(1) - 96));
  const file = (text) => String.fromCharCode(106 - Number(text[0])) + square(text).slice(1);
  if (usi[1] === "*") return `${usi[0]}@${file(usi.slice(2))}`;
  return file(usi.slice(0, 2)) + file(usi.slice(2, 4)) + usi.slice(4);
};

const positions = sample(200);
for (const one of positions) {
  one.ops = parseSfen("standard", one.sfen, false).unwrap();
  one.ts = tsshogi.Position.newBySFEN(one.sfen);
  one.fairy = new ffish.Board("shogi", fenOf(one.sfen));
  one.uci = uciOf(one.move);
  // All are about the same thing.
  const { moves } = one.position.moves();
  assert.deepEqual(legalMoves(one.ops).sort(), moves);
  assert.equal(one.fairy.numberLegalMoves(), moves.length, one.sfen);
  assert(one.fairy.legalMoves().split(" ").includes(one.uci), `${one.sfen} ${one.move} ${one.uci}`);
}

function countFairy(board, depth) {
  if (depth === 1) return board.numberLegalMoves();
  let count = 0;
  for (const move of board.legalMoves().split(" ")) {
    board.push(move);
    count += countFairy(board, depth - 1);
    board.pop();
  }
  return count;
}

const other = new ffish.Board("shogi");
const tasks = {
  "legal moves, as texts": {
    ours: (one) => one.position.moves(),
    shogiops: (one) => legalMoves(one.ops),
    ffish: (one) => one.fairy.legalMoves(),
  },
  "a move from its text, checked and played": {
    ours: (one) => one.position.play(one.move),
    tsshogi: (one) => {
      const move = one.ts.createMoveByUSI(one.move);
      assert(one.ts.doMove(move));
      one.ts.undoMove(move);
    },
    shogiops: (one) => {
      const [move, next] = [parseUsi(one.move), one.ops.clone()];
      assert(next.isLegal(move));
      next.play(move);
    },
    ffish: (one) => {
      assert(one.fairy.push(one.uci));
      one.fairy.pop();
    },
  },
  "SFEN read and written": {
    ours: (one) => shogi.position("shogi", one.sfen).sfen,
    tsshogi: (one) => tsshogi.Position.newBySFEN(one.sfen).sfen,
    shogiops: (one) => makeSfen(parseSfen("standard", one.sfen, true).unwrap()),
    ffish: (one) => {
      other.setFen(fenOf(one.sfen));
      return other.fen();
    },
  },
};
for (const [name, programs] of Object.entries(tasks)) {
  for (const [program, task] of Object.entries(programs)) console.log(`${name}: ${program} ${speed(positions, task)}`);
}

const start = shogi.position("shogi");
const [ops, fairy] = [parseSfen("standard", start.sfen).unwrap(), new ffish.Board("shogi")];
const counts = {
  ours: () => Number(shogi.perft(start, 3)),
  shogiops: () => perft(ops, 3),
  ffish: () => countFairy(fairy, 3),
};
for (const [program, count] of Object.entries(counts)) {
  const NODES = 25_470;
  assert.equal(count(), NODES);
  console.log(`perft, nodes: ${program} ${speed([0], count) * NODES}`);
}
