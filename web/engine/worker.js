// A thread of the engine: a worker with an instance of the module, and what the module asks of a system (WASI, preview 1).
//
// The program reads commands from its standard input, which waits for the host, and writes lines to its standard output.
// It has a clock, random numbers and threads, and no files.

/** Numbers of errors and kinds in WASI. */
const [SUCCESS, BAD_FILE, NO_SUCH_FILE, UNKNOWN, NO_SEEK] = [0, 8, 44, 52, 70];
const TERMINAL = 2;
/** Room for the deepest search on the stack of a thread. */
const ENVIRONMENT = ["RUST_MIN_STACK=4194304"];

/** What a program that ends throws. */
class Exit {}

/** The functions of WASI that the module imports. The board is that of the host, `threads.js`. */
function system({ memory, board, origin }, post) {
  const { counters, places, input } = board;
  const encoder = new TextEncoder();
  /** What was written to each output since the last end of a line. */
  const written = [[], [], []];
  // The memory grows, and its buffer with it.
  const view = () => new DataView(memory.buffer);
  const bytes = (place, length) => new Uint8Array(memory.buffer, place, length);
  const put = (place, number) => view().setUint32(place, number, true);
  const parts = (vectors, count) =>
    Array.from({ length: count }, (_, at) => {
      const [place, length] = [0, 4].map((field) => view().getUint32(vectors + 8 * at + field, true));
      return bytes(place, length);
    });

  /** The bytes that are there, once there are any. */
  function take(room) {
    const taken = Atomics.load(counters, places.taken);
    let written = Atomics.load(counters, places.written);
    while (written === taken) {
      Atomics.wait(counters, places.written, written);
      written = Atomics.load(counters, places.written);
    }
    // The counters begin again below zero.
    const length = Math.min(room.length, (written - taken) | 0);
    for (let at = 0; at < length; at++) room[at] = input[(taken + at) & (input.length - 1)];
    Atomics.store(counters, places.taken, taken + length);
    return length;
  }

  /** Passes lines on. Only one thread at a time writes to an output, so that the number says when. */
  function say(file, byte) {
    if (byte !== 10) {
      written[file].push(byte);
      return;
    }
    const line = new TextDecoder().decode(Uint8Array.from(written[file]));
    written[file].length = 0;
    post(file === 1 ? { line, number: Atomics.add(counters, places.lines, 1) } : { error: line });
  }

  const listed = ENVIRONMENT.map((variable) => encoder.encode(`${variable}\0`));
  return {
    environ_sizes_get(count, size) {
      put(count, listed.length);
      put(size, listed.reduce((sum, { length }) => sum + length, 0));
      return SUCCESS;
    },
    environ_get(places, place) {
      for (const [number, variable] of listed.entries()) {
        put(places + 4 * number, place);
        bytes(place, variable.length).set(variable);
        place += variable.length;
      }
      return SUCCESS;
    },
    clock_time_get(_clock, _precision, place) {
      // All threads count from the same moment.
      const milliseconds = performance.timeOrigin - origin + performance.now();
      view().setBigUint64(place, BigInt(Math.max(0, Math.round(milliseconds * 1e6))), true);
      return SUCCESS;
    },
    random_get(place, length) {
      bytes(place, length).set(globalThis.crypto.getRandomValues(new Uint8Array(length)));
      return SUCCESS;
    },
    fd_read(file, vectors, count, place) {
      if (file !== 0) return BAD_FILE;
      const room = parts(vectors, count).find(({ length }) => length > 0);
      put(place, room ? take(room) : 0);
      return SUCCESS;
    },
    fd_write(file, vectors, count, place) {
      if (file !== 1 && file !== 2) return BAD_FILE;
      const texts = parts(vectors, count);
      for (const text of texts) for (const byte of text) say(file, byte);
      put(place, texts.reduce((sum, { length }) => sum + length, 0));
      return SUCCESS;
    },
    fd_fdstat_get(file, place) {
      if (file > 2) return BAD_FILE;
      bytes(place, 24).fill(0);
      view().setUint8(place, TERMINAL);
      return SUCCESS;
    },
    fd_close: () => SUCCESS,
    fd_seek: () => NO_SEEK,
    fd_filestat_get: () => UNKNOWN,
    // No folder is open from the start, so that no file is found.
    fd_prestat_get: () => BAD_FILE,
    fd_prestat_dir_name: () => BAD_FILE,
    path_open: () => NO_SUCH_FILE,
    sched_yield: () => SUCCESS,
    proc_exit() {
      throw new Exit();
    },
    "thread-spawn"(argument) {
      const thread = 1 + Atomics.add(counters, places.threads, 1);
      post({ thread, argument });
      return thread;
    },
  };
}

/** Runs a thread of the program to its end; the first one is the program. */
function run({ thread, argument }, common, post) {
  const functions = system(common, post);
  const imports = { env: { memory: common.memory }, wasi_snapshot_preview1: functions, wasi: functions };
  const { exports } = new WebAssembly.Instance(common.module, imports);
  try {
    if (thread > 0) {
      exports.wasi_thread_start(thread, argument);
      post({ idle: true });
    } else {
      post({ begun: true });
      exports._start();
      post({ ended: true });
    }
  } catch (error) {
    if (!(error instanceof Exit)) throw error;
    post({ ended: true });
  }
}

let common;

/** Takes what all threads begin with, and then a thread whenever the one before it has ended. */
function hear(message, post) {
  if (common) run(message, common, post);
  else common = message;
}

if (typeof WorkerGlobalScope === "undefined") {
  const { parentPort } = await import("node:worker_threads");
  parentPort.on("message", (message) => hear(message, (answer) => parentPort.postMessage(answer)));
} else {
  // At once: messages do not wait for what is awaited.
  onmessage = ({ data }) => hear(data, (answer) => postMessage(answer));
}
