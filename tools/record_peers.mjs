#!/usr/bin/env node
// Compares `shogi convert` with two other programs that read and write records: tsshogi (KIF, KI2, CSA and
// JKF of standard shogi, with variations) and shogiops, lishogi's library (KIF of Minishogi and Kyoto
// shogi too).
//
//     cargo build --release
//     node tools/record_peers.mjs target/release/shogi [GAMES] [SEED]
//
// shogiops plays random games. Each program must read what the other writes as the same moves, and
// tsshogi must distinguish pieces in KI2 by the same words; with variations added, both must read the
// same tree in what either writes. The packages are installed in a
// temporary folder; they run as they are and no part of them is kept here. The exit code is 0 if
// all agree, 1 at the first that does not (which is printed), and 0 with a notice where npm cannot
// be reached.

import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const PACKAGES = ["tsshogi@2", "shogiops@0.18"];
const LONGEST_GAME = 200;
const RULES = { shogi: "standard", minishogi: "minishogi", kyotoshogi: "kyotoshogi" };

/** A random number generator of 32 bits (mulberry32), so that a seed names the games. */
function randomFrom(seed) {
  return (bound) => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % bound;
  };
}

/** The packages, or nothing where they cannot be had. */
async function install(folder) {
  writeFileSync(join(folder, "package.json"), "{}");
  const npm = spawnSync("npm", ["install", "--no-audit", "--no-fund", ...PACKAGES], { cwd: folder });
  if (npm.status !== 0) return undefined;
  const load = (path) => import(pathToFileURL(join(folder, "node_modules", path)));
  return {
    tsshogi: await load("tsshogi/dist/esm/index.mjs"),
    ...(await load("shogiops/dist/index.js")),
  };
}

/** All legal moves of a position of shogiops. */
function legalMoves(position, peers) {
  const { pieceCanPromote, pieceForcePromote, promote } = peers.variantUtil;
  const rules = position.rules;
  const moves = [];
  for (const [from, targets] of position.allMoveDests()) {
    const piece = position.board.get(from);
    for (const to of targets) {
      const may = pieceCanPromote(rules)(piece, from, to, position.board.get(to));
      const must = pieceForcePromote(rules)(piece, to);
      if (may) moves.push({ from, to, promotion: true });
      if (!must) moves.push({ from, to, promotion: false });
    }
  }
  for (const [name, targets] of position.allDropDests()) {
    const role = name.split(" ")[1];
    const faces = rules === "kyotoshogi" ? [role, promote(rules)(role)] : [role];
    for (const to of targets) for (const face of faces) moves.push({ role: face, to });
  }
  return moves.filter((move) => position.isLegal(move));
}

/** A random game: the moves in USI notation, in their KIF and in their KI2. */
function play(variant, random, peers) {
  const position = peers.variant.defaultPosition(RULES[variant]);
  const { makeKifHeader, makeKifMoveOrDrop } = peers.kif;
  const kif = [makeKifHeader(position), "手数----指手---------消費時間--"];
  const ki2 = [makeKifHeader(position)];
  const usi = [];
  let last;
  while (usi.length < LONGEST_GAME) {
    const moves = legalMoves(position, peers);
    if (moves.length === 0) break;
    const captures = moves.filter((move) => position.board.has(move.to));
    const choice = captures.length > 0 && random(2) === 0 ? captures : moves;
    const move = choice[random(choice.length)];
    usi.push(peers.makeUsi(move));
    kif.push(`${usi.length} ${makeKifMoveOrDrop(position, move, last)}`);
    const mark = position.turn === "sente" ? "▲" : "△";
    ki2.push(mark + peers.japanese.makeJapaneseMoveOrDrop(position, move, last));
    last = move.to;
    position.play(move);
  }
  return { usi, kif: kif.join("\n"), ki2: ki2.join("\n") };
}

/** What `shogi convert` makes of a text. */
function convert(program, variant, from, to, text) {
  const run = spawnSync(program, ["convert", variant, "--from", from, "--to", to, "-"], {
    input: text,
    encoding: "utf8",
    maxBuffer: 1 << 26,
  });
  if (run.status !== 0) throw new Error(`${run.stderr}${text}`);
  return run.stdout.trimEnd();
}

function same(what, ours, theirs, text) {
  if (ours !== theirs) throw new Error(`${what}\nours   ${ours}\ntheirs ${theirs}\n${text}`);
}

function compareWithShogiops(program, variant, game, peers) {
  const usi = `position startpos moves ${game.usi.join(" ")}`;
  same(`${variant}: their KIF`, convert(program, variant, "kif", "usi", game.kif), usi, game.kif);
  same(`${variant}: their KI2`, convert(program, variant, "ki2", "usi", game.ki2), usi, game.ki2);
  const text = convert(program, variant, "usi", "kif", usi);
  const start = peers.kif.parseKifHeader(text).unwrap();
  same(`${variant}: rules`, start.rules, RULES[variant], text);
  const lines = text.split("\n").filter((line) => /^ *\d/.test(line));
  const moves = peers.kif.parseKifMovesOrDrops(lines.map((line) => line.trim()));
  // It writes drops of tokins in Kyoto shogi but stops reading at the first.
  const tokin = game.usi.findIndex((move) => move.startsWith("T*"));
  const readable = tokin < 0 ? game.usi : game.usi.slice(0, tokin);
  same(`${variant}: our KIF`, moves.map(peers.makeUsi).join(" "), readable.join(" "), text);
}

function compareWithTsshogi(program, game, { tsshogi }) {
  const usi = `position startpos moves ${game.usi.join(" ")}`;
  const theirs = tsshogi.Record.newByUSI(usi);
  const formats = {
    kif: [tsshogi.importKIF, tsshogi.exportKIF],
    ki2: [tsshogi.importKI2, tsshogi.exportKI2],
    csa: [tsshogi.importCSA, tsshogi.exportCSA],
    jkf: [tsshogi.importJKFString, tsshogi.exportJKFString],
  };
  for (const [format, [read, write]] of Object.entries(formats)) {
    const ours = convert(program, "shogi", "usi", format, usi);
    const record = read(ours);
    if (record instanceof Error) throw new Error(`our ${format}: ${record}\n${ours}`);
    same(`our ${format}`, record.getUSI({ allMoves: true }), usi, ours);
    const text = write(theirs, {});
    same(`their ${format}`, convert(program, "shogi", format, "usi", text), usi, text);
    if (format === "ki2") {
      const words = (text) => text.replaceAll(/[^]*?(?=▲)/gu, "").replaceAll(/\s/gu, "");
      same("KI2", words(ours), words(text), text);
    }
  }
}

const LONGEST_VARIATION = 4;
const MOST_VARIATIONS = 6;

/** A game of tsshogi with random variations, of each other too. */
function varied(game, random, peers) {
  const { tsshogi } = peers;
  const record = tsshogi.Record.newByUSI(`position startpos moves ${game.usi.join(" ")}`);
  for (let i = 0; i < 1 + random(MOST_VARIATIONS); i++) {
    record.goto(random(game.usi.length));
    for (let j = 0; j < 1 + random(LONGEST_VARIATION); j++) {
      const position = peers.sfen.parseSfen("standard", record.position.sfen).unwrap();
      const moves = legalMoves(position, peers);
      if (moves.length === 0) break;
      const usi = peers.makeUsi(moves[random(moves.length)]);
      const move = record.position.createMoveByUSI(usi);
      if (!move || !record.append(move)) throw new Error(`tsshogi refuses ${usi}`);
    }
  }
  return record;
}

/** The moves from the start to each place of a record of tsshogi, sorted. */
function placesOf(record) {
  const path = [];
  const places = new Set();
  record.forEach((node) => {
    if (!node.move.usi) return;
    path.length = node.ply - 1;
    path.push(node.move.usi);
    places.add(path.join(" "));
  });
  return [...places].sort();
}

/** The places in our JSON. */
function placesOfJson(text) {
  const places = new Set();
  const walk = (before, moves) => {
    const path = [...before];
    for (const { move, variations = [] } of moves) {
      for (const variation of variations) walk(path, variation);
      if (!move) continue;
      path.push(move);
      places.add(path.join(" "));
    }
  };
  walk([], JSON.parse(text).moves);
  return [...places].sort();
}

function compareVariations(program, record, { tsshogi }) {
  const places = placesOf(record).join("\n");
  const formats = {
    kif: [tsshogi.importKIF, tsshogi.exportKIF],
    ki2: [tsshogi.importKI2, tsshogi.exportKI2],
    jkf: [tsshogi.importJKFString, tsshogi.exportJKFString],
  };
  for (const [format, [read, write]] of Object.entries(formats)) {
    const text = write(record, {});
    const json = convert(program, "shogi", format, "json", text);
    same(`their variations in ${format}`, placesOfJson(json).join("\n"), places, text);
    const ours = convert(program, "shogi", "json", format, json);
    const again = read(ours);
    if (again instanceof Error) throw new Error(`our variations in ${format}: ${again}\n${ours}`);
    same(`our variations in ${format}`, places, placesOf(again).join("\n"), ours);
  }
}

const [program, games = "100", seed = "1"] = process.argv.slice(2);
if (!program) {
  console.error("usage: node tools/record_peers.mjs PROGRAM [GAMES] [SEED]");
  process.exit(2);
}
execFileSync(program, ["--version"]);
const folder = mkdtempSync(join(tmpdir(), "record-peers-"));
try {
  const peers = await install(folder);
  if (!peers) {
    console.log("SKIPPED: npm could not install tsshogi and shogiops");
  } else {
    const random = randomFrom(Number(seed));
    let moves = 0;
    let variations = 0;
    for (let i = 0; i < Number(games); i++) {
      for (const variant of Object.keys(RULES)) {
        const game = play(variant, random, peers);
        moves += game.usi.length;
        compareWithShogiops(program, variant, game, peers);
        if (variant !== "shogi") continue;
        compareWithTsshogi(program, game, peers);
        const record = varied(game, random, peers);
        variations += placesOf(record).length - game.usi.length;
        compareVariations(program, record, peers);
      }
    }
    console.log(`${games} games of each variant, ${moves} moves, ${variations} in variations: all records agree`);
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}
