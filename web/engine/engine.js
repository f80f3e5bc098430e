// An engine of USI for the web version of ShogiHome: the interface `shogihome-wasm-engine/1`. Where threads can share memory
// it is that of `threads.js`, elsewhere the one of this file, which has one thread.
//
// Its search suspends itself where it reads the clock: `now` below answers the module, or has it return to the
// host with all its frames kept (Asyncify), from where a timer resumes it. So nothing that was found is lost,
// and commands are heard between two slices.

/** Milliseconds that a search takes before it is suspended: about the longest that `stop` has to wait. */
const SLICE = 30;

/** How a call of the module stands to the search, as Asyncify numbers it. */
const RUNNING = 0;
const SUSPENDING = 1;
const RESUMING = 2;

class Engine {
  #listeners = new Set();
  #module;
  #frames;
  #state = RUNNING;
  /** Until when the search may run; endless where none runs, or one has to return. */
  #until = Infinity;
  /** Whether a search runs or is suspended. */
  #searching = false;
  #suspended = false;
  /** Commands that came in while the module was called, from a listener. */
  #waiting = [];
  #called = false;
  #ended = false;
  /** Whether the timer is set that continues the search. */
  #timed = false;
  #slice;

  constructor(slice) {
    this.#slice = slice;
  }

  /** The functions that the module calls. */
  get imports() {
    return { host: { now: () => this.#now(), heard: (place, length) => this.#heard(place, length) } };
  }

  start(module) {
    this.#module = module;
    module.use_clock();
    this.#frames = module.frames();
  }

  /** Takes a command of USI. */
  postMessage(command) {
    this.#waiting.push(...String(command).split(/\r?\n/));
    this.#call(() => {});
  }

  addMessageListener(listener) {
    this.#listeners.add(listener);
  }

  removeMessageListener(listener) {
    this.#listeners.delete(listener);
  }

  /** Ends the engine: it says nothing any more. */
  terminate() {
    this.#ended = true;
    this.#waiting = [];
    this.#listeners.clear();
  }

  /** Calls the module, which is never called twice at a time, and then answers the commands that wait. */
  #call(call) {
    if (this.#called || this.#ended) return;
    this.#called = true;
    try {
      call();
      while (this.#waiting.length > 0) this.#answer(this.#waiting.shift());
    } finally {
      this.#called = false;
    }
    this.#setTimer();
  }

  /** Continues the search after what the host has to do in between. */
  #setTimer() {
    if (!this.#searching || this.#timed || this.#ended) return;
    this.#timed = true;
    setTimeout(() => {
      this.#timed = false;
      this.#call(() => this.#goOn());
    }, 0);
  }

  #answer(line) {
    if (/^\s*quit\b/.test(line)) {
      this.terminate();
      return;
    }
    const bytes = new TextEncoder().encode(line);
    const place = this.#module.room(bytes.length);
    new Uint8Array(this.#module.memory.buffer, place, bytes.length).set(bytes);
    const begun = this.#module.line() !== 0;
    if (this.#searching && this.#module.is_stopped()) {
      this.#search(Infinity);
    } else if (begun) {
      this.#searching = true;
      this.#goOn();
    }
  }

  #goOn() {
    if (this.#searching) this.#search(performance.now() + this.#slice);
  }

  /** Runs the search until that time, or to its end. */
  #search(until) {
    this.#until = until;
    if (this.#suspended) {
      this.#module.asyncify_start_rewind(this.#frames);
      this.#state = RESUMING;
    }
    this.#module.search();
    this.#until = Infinity;
    this.#suspended = this.#state === SUSPENDING;
    if (this.#suspended) {
      this.#module.asyncify_stop_unwind();
      this.#state = RUNNING;
    } else {
      // A command that has waited for the answer may have begun another search.
      this.#searching = this.#module.end_search() !== 0;
      this.#goOn();
    }
  }

  #now() {
    const now = performance.now();
    if (this.#state === RESUMING) {
      this.#module.asyncify_stop_rewind();
      this.#state = RUNNING;
    } else if (now >= this.#until) {
      this.#module.asyncify_start_unwind(this.#frames);
      this.#state = SUSPENDING;
    }
    return now;
  }

  #heard(place, length) {
    const line = new TextDecoder().decode(new Uint8Array(this.#module.memory.buffer, place, length));
    for (const listener of [...this.#listeners]) if (!this.#ended) listener(line);
  }
}

/** The bytes of a file, in a browser or under Node.js. */
async function read(url) {
  if (url.startsWith("file:")) {
    const { readFile } = await import("node:fs/promises");
    return readFile(new URL(url));
  }
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.arrayBuffer();
}

/** Whether the folder has the engine with threads, too: `manifest.mjs` notes it here. */
const HAS_THREADS = false;

/** Whether threads can share memory: in a page that is isolated from other origins, and under Node.js. */
const canShare = () => globalThis.crossOriginIsolated ?? typeof SharedArrayBuffer !== "undefined";

/** The engine with threads; `place` says where a file is, from the end of its name. */
async function createThreaded(place, printErr) {
  const { default: createThreads } = await import(place("-threads.js"));
  const module = await WebAssembly.compile(await read(place("-threads.wasm")));
  return createThreads(module, place("-worker.js"), printErr);
}

/** The engine with one thread. */
async function createSingle(place, slice) {
  const engine = new Engine(slice);
  const { instance } = await WebAssembly.instantiate(await read(place(".wasm")), engine.imports);
  engine.start(instance.exports);
  return engine;
}

/**
 * Makes an engine. `locateFile` says where a file of this folder is; without it, beside this one. It has threads unless
 * `threads` is false; if that is true and there can be none, it is refused. The engine with one thread has slices of so
 * many milliseconds; with 0 its search is suspended wherever it reads the clock.
 */
export default async function createEngine({ locateFile, printErr = () => {}, slice = SLICE, threads } = {}) {
  // The files have one name, which changes with their content.
  const name = import.meta.url.split("/").at(-1).replace(/\.js$/, "");
  const place = (end) => {
    const file = `${name}${end}`;
    return locateFile ? locateFile(file) : new URL(file, import.meta.url).href;
  };
  if (threads ?? (HAS_THREADS && canShare())) {
    try {
      return await createThreaded(place, printErr);
    } catch (error) {
      if (threads) throw error;
      printErr(`one thread, since there can be no more: ${error}`);
    }
  }
  return createSingle(place, slice);
}
