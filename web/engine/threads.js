// The engine with threads, for pages with shared memory: the host of a program that reads commands and writes answers.
//
// Each thread of the program is a worker, `worker.js`. They share the memory of the module, and a board by which the host
// sends commands and the threads number what they say. Where a thread starts another one, the host gives it a worker.

/** The memory of the module, in pages of 64 KiB, as `build.rs` has it linked. */
const PAGES = { initial: 512, maximum: 16384, shared: true };
/** Bytes of commands that may wait for the program: a power of two. */
const ROOM = 1 << 16;
/** The counters on the board: bytes of commands written and taken, lines said, threads started. */
const PLACES = { written: 0, taken: 1, lines: 2, threads: 3 };
/** Workers that are made at once: those of the program, of its input and of a search. */
const AT_ONCE = 3;
/** Milliseconds after which the host looks whether there is room for more commands. */
const LATER = 5;

/** Makes a worker of a module of JavaScript, in a page or under Node.js. */
async function workers(url) {
  if (typeof Worker === "undefined") {
    const { Worker } = await import("node:worker_threads");
    return (hear, fail) => {
      // Flags of the program may not be for workers.
      const worker = new Worker(new URL(url), { execArgv: [] });
      worker.on("message", hear);
      worker.on("error", fail);
      return worker;
    };
  }
  // A worker of a file would need headers of its own in a page that is isolated; one of a blob has those of the page.
  const source = URL.createObjectURL(new Blob([`import ${JSON.stringify(url)};`], { type: "text/javascript" }));
  return (hear, fail) => {
    const worker = new Worker(source, { type: "module" });
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => fail(new Error(event.message ?? `${url} was not loaded`));
    return worker;
  };
}

class Engine {
  #listeners = new Set();
  #workers = new Set();
  /** Workers whose thread has ended. */
  #idle = [];
  #make;
  /** What every worker begins with. */
  #common;
  #counters;
  #input;
  /** Bytes of commands for which there was no room. */
  #waiting = [];
  /** Lines by their number that were heard before earlier ones, and the number of the next. */
  #early = new Map();
  #next = 0;
  #ended = false;
  #printErr;
  /** Called once the program runs, or cannot. */
  #begun;
  #runs = false;

  constructor(module, make, printErr) {
    this.#counters = new Int32Array(new SharedArrayBuffer(4 * Object.keys(PLACES).length));
    this.#input = new Uint8Array(new SharedArrayBuffer(ROOM));
    const board = { counters: this.#counters, places: PLACES, input: this.#input };
    this.#common = { module, memory: new WebAssembly.Memory(PAGES), board, origin: performance.timeOrigin };
    this.#make = make;
    this.#printErr = printErr;
  }

  /** Starts the program. */
  start() {
    return new Promise((resolve, reject) => {
      this.#begun = { resolve, reject };
      for (let count = 0; count < AT_ONCE; count++) this.#idle.push(this.#worker());
      this.#run({ thread: 0 });
    });
  }

  /** Takes a command of USI. */
  postMessage(command) {
    for (const line of String(command).split(/\r?\n/)) {
      if (/^\s*quit\b/.test(line)) this.terminate();
      if (this.#ended) return;
      this.#waiting.push(new TextEncoder().encode(`${line}\n`));
    }
    this.#send();
  }

  addMessageListener(listener) {
    this.#listeners.add(listener);
  }

  removeMessageListener(listener) {
    this.#listeners.delete(listener);
  }

  /** Ends the engine and its workers: it says nothing any more. */
  terminate() {
    this.#ended = true;
    this.#waiting = [];
    this.#listeners.clear();
    for (const worker of this.#workers) worker.terminate();
    this.#workers.clear();
    this.#idle = [];
  }

  #worker() {
    const worker = this.#make((message) => this.#heard(worker, message), (error) => this.#failed(error));
    worker.postMessage(this.#common);
    this.#workers.add(worker);
    return worker;
  }

  #run(thread) {
    (this.#idle.pop() ?? this.#worker()).postMessage(thread);
  }

  /** Takes a message of a worker; those that were under way when the engine was ended are lost. */
  #heard(worker, message) {
    if (this.#ended) return;
    if (message.begun) this.#begin();
    else if (message.thread !== undefined) this.#run(message);
    else if (message.idle) this.#idle.push(worker);
    else if (message.line !== undefined) this.#say(message);
    else if (message.error !== undefined) this.#printErr(message.error);
    else this.terminate();
  }

  #begin() {
    this.#runs = true;
    this.#begun.resolve();
  }

  /** An engine that fails later than at its start does not stay silent. */
  #failed(error) {
    if (this.#ended) return;
    this.terminate();
    if (this.#runs) throw error;
    this.#begun.reject(error);
  }

  /** Passes the lines on in the order in which they were written: messages of different workers may overtake each other. */
  #say({ line, number }) {
    this.#early.set(number, line);
    for (; this.#early.has(this.#next); this.#next++) {
      const next = this.#early.get(this.#next);
      this.#early.delete(this.#next);
      for (const listener of [...this.#listeners]) if (!this.#ended) listener(next);
    }
  }

  /** Writes commands where the program reads them, as far as there is room. */
  #send() {
    while (this.#waiting.length > 0 && !this.#ended) {
      const written = Atomics.load(this.#counters, PLACES.written);
      const room = ROOM - ((written - Atomics.load(this.#counters, PLACES.taken)) | 0);
      const [bytes] = this.#waiting;
      const part = bytes.subarray(0, room);
      part.forEach((byte, at) => (this.#input[(written + at) & (ROOM - 1)] = byte));
      Atomics.store(this.#counters, PLACES.written, written + part.length);
      Atomics.notify(this.#counters, PLACES.written);
      if (part.length < bytes.length) {
        this.#waiting[0] = bytes.subarray(part.length);
        setTimeout(() => this.#send(), LATER);
        return;
      }
      this.#waiting.shift();
    }
  }
}

/** Makes an engine of the module and the worker at these places; refused where the page has no shared memory. */
export default async function createThreads(module, worker, printErr = () => {}) {
  const engine = new Engine(module, await workers(worker), printErr);
  await engine.start();
  return engine;
}
