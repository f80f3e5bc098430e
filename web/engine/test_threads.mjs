// The engine with threads of a folder, under Node.js: that it finds what the engine with one thread finds, where it has one
// thread, and that more of them play, are stopped and leave nothing behind.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

import { optionOf } from "./manifest.mjs";

/** Milliseconds in which `stop` is answered, on a machine that does much else. */
const AT_ONCE = 2000;
const isAnswer = (line) => /^(bestmove|checkmate) /.test(line);
const sleep = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
/** What does not depend on the time that a search has taken. */
const timeless = (lines) => lines.filter((line) => /^(info depth|bestmove|checkmate)/.test(line))
  .map((line) => line.replace(/ nps \d+/, "").replace(/ time \d+/, ""));

const manifestOf = (folder) => JSON.parse(readFileSync(join(folder, "engine.json"), "utf8"));
const urlOf = (folder) => pathToFileURL(resolve(folder, manifestOf(folder).module)).href;

/** An engine with what it has said. */
class Client {
  lines = [];
  #awake = () => {};

  constructor(engine) {
    this.engine = engine;
    engine.addMessageListener((line) => {
      this.lines.push(line);
      this.#awake();
    });
  }

  static async start(folder, options = { threads: true }) {
    const { default: createEngine } = await import(urlOf(folder));
    return new Client(await createEngine({ printErr: assert.fail, ...options }));
  }

  say(...commands) {
    for (const command of commands) this.engine.postMessage(command);
  }

  /** Says a command and waits for a line; all lines up to it. */
  async hear(command, expected) {
    this.say(command);
    for (;;) {
      const at = this.lines.findIndex((line) => expected.test(line));
      if (at >= 0) return this.lines.splice(0, at + 1);
      await new Promise((done) => (this.#awake = done));
    }
  }

  answer(command) {
    return this.hear(command, /^(bestmove|checkmate) /);
  }

  ready() {
    return this.hear("isready", /^readyok$/);
  }
}

/** What an engine finds for these commands. */
async function found(client, commands) {
  const lines = [];
  for (const command of commands) {
    if (command.startsWith("go")) lines.push(...timeless(await client.answer(command)));
    else client.say(command);
  }
  client.engine.terminate();
  return lines;
}

const tests = {
  async "with threads: it introduces itself as its manifest does"({ folder }) {
    const client = await Client.start(folder);
    const lines = await client.hear("usi", /^usiok$/);
    assert.deepEqual(lines.filter((line) => line.startsWith("option ")).map(optionOf), manifestOf(folder).options);
    const threads = manifestOf(folder).options.find(({ name }) => name === "Threads");
    assert.equal(threads.default, 1);
    assert.equal(threads.max, 8);
    client.engine.terminate();
    // Without options it is this engine, too.
    const other = await Client.start(folder, {});
    assert((await other.hear("usi", /^usiok$/)).some((line) => /name Threads .*max 8/.test(line)));
    other.engine.terminate();
  },

  async "one thread finds what the engine without threads finds"({ folder }) {
    const { vars } = manifestOf(folder).options.find(({ name }) => name === "USI_Variant");
    for (const game of vars) {
      const commands = [
        `setoption name USI_Variant value ${game}`, "setoption name MultiPV value 2", "isready", "position startpos",
        "go nodes 3000", "go mate 1000", "setoption name MultiPV value 1", "isready", "go nodes 8000", "go depth 4",
      ];
      const one = await found(await Client.start(folder), commands);
      assert(one.length > 10, game);
      assert.deepEqual(one, await found(await Client.start(folder, { threads: false }), commands), game);
    }
  },

  async "several threads play legal moves, and count the nodes of all"({ folder, legal }) {
    const client = await Client.start(folder);
    for (const threads of [2, 8, 1, 3]) {
      client.say(`setoption name Threads value ${threads}`);
      await client.ready();
      client.say("usinewgame", "position startpos");
      for (const go of ["go nodes 20000", "go btime 0 wtime 0 byoyomi 200"]) {
        const lines = await client.answer(go);
        const move = lines.at(-1).split(" ")[1];
        assert(legal.includes(`"${move}"`), `${move} of ${legal}`);
        assert(lines.some((line) => line.startsWith("info depth") && line.includes(` pv ${move}`)));
      }
    }
    assert.match((await client.hear("setoption name Threads value 9", /error/)).at(-1), /Threads/);
    client.engine.terminate();
  },

  async "stop is answered at once, and commands are while a search runs"({ folder, legal }) {
    const client = await Client.start(folder);
    client.say("setoption name Threads value 2", "position startpos");
    await client.ready();
    for (const go of ["go infinite", "go btime 600000 wtime 600000 byoyomi 300000", "go ponder btime 1000 wtime 1000"]) {
      for (const wait of [0, 30, 200]) {
        client.say(go);
        await sleep(wait);
        assert(!client.lines.some(isAnswer), go);
        await client.ready();
        const before = performance.now();
        const answer = (await client.answer("stop")).at(-1);
        assert(performance.now() - before < AT_ONCE, `${go}: ${performance.now() - before} ms`);
        assert(legal.includes(`"${answer.split(" ")[1]}"`), answer);
      }
    }
    await client.ready();
    client.say("stop");
    assert.deepEqual(await client.ready(), ["readyok"]);
    client.engine.terminate();
  },

  async "a ponder hit sets the clock, and another search ends the one before it"({ folder }) {
    const client = await Client.start(folder);
    await client.ready();
    client.say("position startpos", "go ponder btime 0 wtime 0 byoyomi 50");
    await sleep(100);
    assert(!client.lines.some(isAnswer));
    await client.answer("ponderhit");
    client.say("go infinite");
    await sleep(50);
    await client.answer("position startpos");
    assert.equal((await client.answer("go mate 10000")).at(-1), "checkmate nomate");
    client.engine.terminate();
  },

  async "a line that is longer than what may wait is read"({ folder }) {
    const client = await Client.start(folder);
    client.say(`setoption name ${"x".repeat(200_000)}`, "position startpos");
    const lines = await client.ready();
    assert.equal(lines.length, 2);
    assert.match(lines[0], /^info string error: .*x{100}/);
    await client.answer("go nodes 100");
    client.engine.terminate();
  },

  async "threads that have ended leave no memory behind"({ folder }) {
    const { Memory } = WebAssembly;
    let memory;
    WebAssembly.Memory = function (pages) {
      memory = new Memory(pages);
      return memory;
    };
    const client = await Client.start(folder).finally(() => (WebAssembly.Memory = Memory));
    client.say("setoption name USI_Hash value 16", "setoption name Threads value 3", "position startpos");
    await client.ready();
    const sizes = [];
    for (let count = 0; count < 60; count++) {
      await client.answer("go nodes 30");
      sizes.push(memory.buffer.byteLength);
    }
    // Stacks of 4 MB each would be 480 MB.
    assert(sizes.at(-1) - sizes[19] < 32 << 20, String(sizes));
    client.engine.terminate();
  },

  async "nothing is said after quit and terminate"({ folder }) {
    for (const end of [(client) => client.say("quit"), (client) => client.engine.terminate()]) {
      for (const go of ["go btime 600000 wtime 600000 byoyomi 300000", "go mate infinite", ""]) {
        const client = await Client.start(folder);
        client.say("setoption name Threads value 2", "position startpos", go);
        await client.ready();
        end(client);
        client.lines.length = 0;
        client.engine.terminate();
        client.say("usi", "isready", "stop", "go nodes 100");
        await sleep(100);
        assert.deepEqual(client.lines, []);
      }
    }
  },

  "quit leaves no worker"({ folder }) {
    const program = `
      const { default: createEngine } = await import(${JSON.stringify(urlOf(folder))});
      const engine = await createEngine({ threads: true });
      engine.addMessageListener((line) => line.startsWith("info depth 3") && engine.postMessage("quit"));
      for (const line of ["setoption name Threads value 3", "position startpos", "go infinite"]) engine.postMessage(line);`;
    // A worker that is left would keep the program from its end.
    execFileSync(process.execPath, ["--input-type=module", "--eval", program], { timeout: 120_000 });
  },

  async "where there can be no threads, there is one"({ folder }) {
    const copy = mkdtempSync(join(tmpdir(), "engine-"));
    try {
      cpSync(folder, copy, { recursive: true });
      rmSync(join(copy, readdirSync(copy).find((name) => name.endsWith("-threads.wasm"))));
      const notices = [];
      const client = await Client.start(copy, { printErr: (line) => notices.push(line) });
      assert((await client.hear("usi", /^usiok$/)).some((line) => /name Threads .*max 1$/.test(line)));
      assert.equal(notices.length, 1);
      await assert.rejects(Client.start(copy, { threads: true }));
    } finally {
      rmSync(copy, { recursive: true });
    }
  },
};

/** Tests the engine with threads; what is legal at the start is listed in `legal`. */
export async function testThreads(folder, legal) {
  for (const [name, test] of Object.entries(tests)) {
    await test({ folder, legal });
    console.log(name);
  }
}
