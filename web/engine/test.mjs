#!/usr/bin/env node
// Whether an engine for the web version of ShogiHome keeps to its interface: a test written from the specification
// (specs/wasm-engine-abi.md of sunfish-shogi/shogihome), under Node.js and in Debian's chromium.
//
//     tools/wasm_engine.sh shogi OUT
//     node web/engine/test.mjs OUT target/debug/shogi
//
// What the engine finds in slices is compared with what it finds in one go and with what the program finds; the engine
// with threads, where the folder has it, is tested in test_threads.mjs. The exit code is 0 if all holds, 1 at the first
// that does not.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { optionOf } from "./manifest.mjs";
import { testInBrowser } from "./browser.mjs";
import { testPlayer } from "./test_player.mjs";
import { testThreads } from "./test_threads.mjs";

const [folder, shogi] = process.argv.slice(2);
if (!shogi) {
  console.error("usage: node test.mjs FOLDER SHOGI");
  process.exit(2);
}
const MEGABYTE = 1 << 20;
const file = (name) => join(folder, name);
const manifest = JSON.parse(readFileSync(file("engine.json"), "utf8"));
const wasm = manifest.module.replace(/\.js$/, ".wasm");
const { default: createEngine } = await import(pathToFileURL(resolve(file(manifest.module))));
const variant = manifest.options.find((option) => option.name === "USI_Variant").default;
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
const isAnswer = (line) => /^(bestmove|checkmate) /.test(line);

/** The engine with one thread, with what it has said, driven as ShogiHome drives it. */
class Client {
  lines = [];
  constructor(engine) {
    this.engine = engine;
    engine.addMessageListener((line) => this.lines.push(line));
  }

  static async start(options) {
    const locateFile = (path) => pathToFileURL(resolve(file(path))).href;
    return new Client(await createEngine({ printErr: assert.fail, locateFile, threads: false, ...options }));
  }

  say(...commands) {
    for (const command of commands) this.engine.postMessage(command);
  }

  take() {
    return this.lines.splice(0);
  }

  /** What is said at once. */
  hear(command) {
    this.say(command);
    return this.take();
  }

  /** Waits, so many times, as long as the search takes for a slice or less: the engine drives itself. */
  async wait(times) {
    for (let count = 0; count < times; count++) await sleep(10);
  }

  /** All that is said up to the answer of a search. */
  async answer(command) {
    if (command) this.say(command);
    for (let count = 0; !this.lines.some(isAnswer); count++) {
      assert(count < 6000, `no answer to ${command}`);
      await this.wait(1);
    }
    return this.take();
  }
}

/** What does not depend on the time that a search has taken. */
const timeless = (lines) => lines.filter((line) => /^(info depth|bestmove|checkmate)/.test(line))
  .map((line) => line.replace(/ nps \d+/, "").replace(/ time \d+/, ""));
const moveOf = (answer) => answer.at(-1).split(" ")[1];
const program = (...commands) =>
  execFileSync(shogi, ["usi", "--variant", variant], { input: `${commands.join("\n")}\n` }).toString().split("\n");
/** The moves that are legal where the variant begins, as the program lists them. */
const legal = execFileSync(shogi, ["moves", variant], { input: "startpos\n" }).toString();

const tests = {
  "the folder has what its manifest names, and is small"() {
    assert.equal(manifest.abi, "shogihome-wasm-engine/1");
    assert.equal(manifest.moduleFormat, "esm");
    for (const text of [manifest.name, manifest.author]) assert(text.length > 0);
    assert(existsSync(file(manifest.module)) && existsSync(file(wasm)));
    assert(manifest.presets.length > 0);
    const ids = manifest.presets.map((preset) => preset.id);
    assert.equal(new Set(ids).size, ids.length);
    for (const { id, displayName, tags } of manifest.presets) {
      assert(/^[A-Za-z0-9._-]+$/.test(id) && displayName);
      assert(tags.every((tag) => ["game", "research", "mate"].includes(tag)));
    }
    assert(manifest.licenses.length > 0);
    for (const { spdx, file: name, source } of manifest.licenses) {
      assert(spdx && source.startsWith("https://"));
      assert(readFileSync(file(name), "utf8").includes("MIT License"));
    }
    assert(/^[A-Za-z0-9._-]+$/.test(basename(resolve(folder))));
    const bytes = readdirSync(folder).map((name) => statSync(file(name)).size).reduce((a, b) => a + b);
    assert(bytes < 8 * MEGABYTE, `${bytes} bytes`);
  },

  async "it has the methods of the interface, and neither threads nor shared memory"() {
    const { engine } = await Client.start();
    for (const name of ["postMessage", "addMessageListener", "removeMessageListener", "terminate"]) {
      assert.equal(typeof engine[name], "function");
    }
    const module = new WebAssembly.Module(readFileSync(file(wasm)));
    assert(WebAssembly.Module.imports(module).every(({ kind }) => kind === "function"));
    assert.equal(typeof (await createEngine({ threads: false })).postMessage, "function", "without locateFile");
  },

  async "it introduces itself as its manifest does"() {
    const lines = (await Client.start()).hear("usi");
    assert.equal(lines[0], `id name ${manifest.name}`);
    assert.equal(lines[1], `id author ${manifest.author}`);
    assert.equal(lines.at(-1), "usiok");
    const options = lines.filter((line) => line.startsWith("option ")).map(optionOf);
    // The manifest describes the engine with threads, if there is one.
    const described = manifest.options.map((option) => (option.name === "Threads" ? { ...option, max: 1 } : option));
    assert.deepEqual(options, described);
    const hash = options.find(({ name }) => name === "USI_Hash");
    assert(hash.max <= 256);
    assert.equal(options.find(({ name }) => name === "Threads").max, 1);
    assert.equal(options.find(({ name }) => name === "USI_Ponder").default, "false");
  },

  async "every preset is taken"() {
    for (const { values = {} } of manifest.presets) {
      const client = await Client.start();
      for (const [name, value] of Object.entries(values)) {
        assert.deepEqual(client.hear(`setoption name ${name} value ${value}`), []);
      }
      assert.deepEqual(client.hear("isready"), ["readyok"]);
    }
  },

  async "every game that is listed is played, and none where the name is unknown"() {
    const { vars } = manifest.options.find(({ name }) => name === "USI_Variant");
    const client = await Client.start();
    for (const game of [...vars, ...vars.toReversed()]) {
      assert.deepEqual(client.hear(`setoption name USI_Variant value ${game}`), []);
      client.say("usinewgame", "position startpos");
      assert.deepEqual(client.take(), [], game);
      const moves = JSON.parse(execFileSync(shogi, ["moves", game], { input: "startpos\n" }).toString()).moves;
      const move = moveOf(await client.answer("go nodes 300"));
      assert(moves.includes(move), `${move} of ${game}`);
    }
    assert.match(client.hear("setoption name USI_Variant value chess")[0], /^info string error: .*chess/);
    client.say("position startpos");
    client.take();
    assert.equal((await client.answer("go nodes 100")).at(-1), "bestmove resign");
    assert.equal((await client.answer("go mate 100")).at(-1), "checkmate timeout");
  },

  async "the table has a bound"() {
    const client = await Client.start();
    assert.match(client.hear("setoption name USI_Hash value 257")[0], /^info string error: .*USI_Hash/);
    assert.deepEqual(client.hear("setoption name USI_Hash value 256"), []);
    assert.deepEqual(client.hear("isready"), ["readyok"]);
  },

  async "go is answered by a legal move, with a line before it that begins so"() {
    const client = await Client.start();
    client.say("isready", "usinewgame", "position startpos");
    client.take();
    const lines = await client.answer("go btime 10000 wtime 10000 byoyomi 100");
    const move = moveOf(lines);
    assert(legal.includes(`"${move}"`), `${move} of ${legal}`);
    assert(lines.some((line) => line.startsWith("info depth") && line.includes(` pv ${move}`)));
  },

  async "stop is answered at once"() {
    for (const go of ["go infinite", "go btime 600000 wtime 600000 byoyomi 300000", "go ponder btime 1000 wtime 1000"]) {
      for (const times of [0, 1, 20]) {
        const client = await Client.start();
        client.say("isready", "position startpos", go);
        await client.wait(times);
        assert(!client.take().some(isAnswer), go);
        const answers = client.hear("stop").filter(isAnswer);
        assert.equal(answers.length, 1, go);
        assert(legal.includes(`"${moveOf(answers)}"`));
        await client.wait(3);
        assert.deepEqual(client.hear("stop"), []);
      }
    }
  },

  async "nothing is said after quit and terminate"() {
    for (const end of [(client) => client.say("quit"), (client) => client.engine.terminate()]) {
      for (const go of ["go btime 600000 wtime 600000 byoyomi 300000", "go infinite", "go mate infinite", ""]) {
        const client = await Client.start();
        client.say("isready", "position startpos", go);
        await client.wait(2);
        client.take();
        end(client);
        client.engine.terminate();
        client.say("usi", "isready", "stop", "go nodes 100");
        await client.wait(10);
        assert.deepEqual(client.lines, []);
      }
    }
  },

  async "a listener that was removed hears nothing, and one may give commands"() {
    const client = await Client.start();
    const heard = [];
    const listener = (line) => {
      heard.push(line);
      if (line === "readyok") client.say("position startpos", "go nodes 1000");
    };
    client.engine.addMessageListener(listener);
    client.say("isready");
    await client.answer();
    assert(isAnswer(heard.at(-1)));
    client.engine.removeMessageListener(listener);
    const before = heard.length;
    client.say("usi");
    assert.equal(heard.length, before);
    // One that ends the engine hears no more.
    client.engine.addMessageListener(() => client.engine.terminate());
    client.take();
    client.say("usi");
    assert.equal(client.lines.length, 1);
  },

  async "an endless search is answered by stop only, and a ponder hit sets the clock"() {
    const client = await Client.start();
    client.say("isready", "position startpos");
    client.take();
    client.say("go infinite");
    await client.wait(5);
    assert(!client.take().some(isAnswer));
    assert(isAnswer(client.hear("stop").at(-1)));
    // Its search is over long before.
    client.say("go ponder depth 1");
    await client.wait(5);
    assert(!client.take().some(isAnswer));
    assert.equal(client.hear("stop").filter(isAnswer).length, 1);
    client.say("go ponder btime 0 wtime 0 byoyomi 50");
    await client.wait(20);
    assert(!client.take().some(isAnswer));
    client.say("ponderhit");
    assert((await client.answer()).some(isAnswer));
  },

  async "commands are answered while a search is suspended"() {
    const client = await Client.start();
    client.say("isready", "position startpos", "go infinite");
    await client.wait(3);
    client.take();
    assert.deepEqual(client.hear("isready").filter((line) => !line.startsWith("info")), ["readyok"]);
    assert(client.hear("usi").includes("usiok"));
    assert.match(client.hear("nonsense").at(-1), /^info string error: /);
    // Another search ends the one before it, which has its answer first.
    assert.equal(client.hear("position startpos").filter(isAnswer).length, 1);
    client.say("go infinite");
    await client.wait(2);
    client.say("go nodes 2000");
    const answers = (await client.answer()).filter(isAnswer);
    assert(answers.length >= 1);
    if (answers.length === 1) await client.answer();
  },

  async "go mate is answered, and stopped at once"() {
    const client = await Client.start();
    client.say("isready", "position startpos");
    client.take();
    assert.equal((await client.answer("go mate 10000")).at(-1), "checkmate nomate");
    if (variant === "shogi") {
      client.say("position sfen 4k4/9/4P4/9/9/9/9/9/9 b G 1");
      assert.equal((await client.answer("go mate infinite")).at(-1), "checkmate G*5b");
      // Checks by every piece: with slices of no time the search is suspended after some thousand nodes, before it is over.
      const slow = await Client.start({ slice: 0 });
      slow.say("isready", "position sfen 9/9/9/9/4k4/9/9/9/9 b 2R2B4G4S4N4L9P 1", "go mate infinite");
      assert(!slow.take().some(isAnswer));
      assert.deepEqual(slow.hear("stop").filter(isAnswer), ["checkmate timeout"]);
    }
  },

  async "a line that is no command, and a position that is none, change nothing"() {
    const client = await Client.start();
    client.say("isready");
    client.take();
    for (const line of ["", " ", "\u0000\uffff将棋", "go go go", "position sfen x", "setoption", "position startpos moves 9z9z"]) {
      client.say(line);
      if (line.startsWith("go")) await client.answer();
    }
    client.say("position startpos");
    client.take();
    assert(legal.includes(`"${moveOf(await client.answer("go nodes 500"))}"`));
  },

  async "a search in slices finds what it finds in one go, and what the program finds"() {
    const commands = [
      "setoption name MultiPV value 2", "isready", "position startpos", "go nodes 3000", "go mate 100000",
      "setoption name MultiPV value 1", "isready", "go nodes 20000", "go depth 6",
    ];
    const found = [];
    for (const slice of [0, 1, 30, Infinity]) {
      const client = await Client.start({ slice });
      found.push([]);
      for (const command of commands) {
        if (command.startsWith("go")) found.at(-1).push(...timeless(await client.answer(command)));
        else client.say(command);
      }
    }
    assert(found[0].length > 20);
    for (const other of found.slice(1)) assert.deepEqual(other, found[0]);
    // The program reads the next line only when the last search has ended.
    const answers = program("usi", ...commands.slice(0, 4));
    assert.deepEqual(timeless(answers), found[0].slice(0, timeless(answers).length));
  },

  async "so it is in each of its games"() {
    for (const game of manifest.options.find((option) => option.name === "USI_Variant").vars) {
      const found = [];
      for (const slice of [0, Infinity]) {
        const client = await Client.start({ slice });
        client.say(`setoption name USI_Variant value ${game}`, "isready", "position startpos");
        found.push(timeless(await client.answer("go nodes 4000")), timeless(await client.answer("go mate 1000")));
      }
      assert(found[0].length > 4, game);
      assert.deepEqual(found.slice(2), found.slice(0, 2), game);
    }
  },

  async "engines do not disturb each other"() {
    const clients = [await Client.start(), await Client.start()];
    for (const client of clients) client.say("isready", "position startpos", "go nodes 5000");
    const [first, second] = await Promise.all(clients.map((client) => client.answer()));
    assert.deepEqual(timeless(first), timeless(second));
  },
};

for (const [name, test] of Object.entries(tests)) {
  await test();
  console.log(name);
}
await testPlayer();
if (readdirSync(folder).some((name) => name.endsWith("-threads.wasm"))) {
  await testThreads(folder, legal);
} else {
  console.log("NOTICE: the folder has no engine with threads (no target wasm32-wasip1-threads): SKIPPED");
}
await testInBrowser(folder, legal);
