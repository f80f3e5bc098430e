// An engine of USI for the web version of ShogiHome, in one thread: the interface `shogihome-wasm-engine/1`.
//
// The search suspends itself where it reads the clock: `now` below answers the module, or has it return to the
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

/**
 * Makes an engine. `locateFile` says where a file of this folder is; without it, beside this one. A slice has so many
 * milliseconds; with 0 the search is suspended wherever it reads the clock.
 */
export default async function createEngine({ locateFile, slice = SLICE } = {}) {
  // This file and the module have one name, which changes with their content.
  const file = import.meta.url.split("/").at(-1).replace(/\.js$/, ".wasm");
  const url = locateFile ? locateFile(file) : new URL(file, import.meta.url).href;
  const engine = new Engine(slice);
  const { instance } = await WebAssembly.instantiate(await read(url), engine.imports);
  engine.start(instance.exports);
  return engine;
}
