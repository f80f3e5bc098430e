// The libraries as a WebAssembly module: tasks and answers cross the border in one buffer.

/** Where a module comes from: its address, its bytes, or the compiled module itself, which may be posted to workers. */
export type Source = string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** What is wrong with a request: a name that is none, a position or a move that breaks the rules, with place and reason. */
export class ShogiError extends Error {
  override name = "ShogiError";
}

/** What the module exports. */
interface Exports {
  memory: WebAssembly.Memory;
  use_clock?(): void;
  room(length: number): number;
  place(): number;
  answer(): number;
  open_proof?(): number;
  supply?(table: number, place: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A module that answers tasks. */
export class Module {
  private constructor(private readonly exports: Exports) {}

  static async load(source: Source): Promise<Module> {
    const host = { now: () => performance.now() };
    const code = typeof source === "string" || source instanceof URL ? await read(source) : source;
    const module = code instanceof WebAssembly.Module ? code : await WebAssembly.compile(code as BufferSource);
    const instance = await WebAssembly.instantiate(module, { host });
    const exports = instance.exports as unknown as Exports;
    exports.use_clock?.();
    return new Module(exports);
  }

  /** The answer to a task as a text. */
  text(task: string, ...words: string[]): string {
    for (const word of words) {
      // Callers in JavaScript have no compiler that finds what they leave out.
      if (typeof word !== "string") throw new ShogiError(`${task}: a text is needed, not ${word}`);
      if (word.includes("\0")) throw new ShogiError("a text has a character of the number zero");
    }
    this.write(encoder.encode([task, ...words].join("\0")));
    return this.read(this.exports.answer());
  }

  /** The answer to a task that is an object. */
  json<T>(task: string, ...words: string[]): T {
    return JSON.parse(this.text(task, ...words));
  }

  /** Opens a proof file; its number. */
  openProof(file: Uint8Array): string {
    this.write(file);
    return this.read(this.exports.open_proof!());
  }

  /** Supplies bytes of a tablebase's file from a place on, for the next task. */
  supply(table: number, place: number, bytes: Uint8Array): void {
    this.write(bytes);
    this.exports.supply!(table, place);
  }

  private write(bytes: Uint8Array): void {
    const place = this.exports.room(bytes.length);
    new Uint8Array(this.exports.memory.buffer, place, bytes.length).set(bytes);
  }

  private read(length: number): string {
    const answer = decoder.decode(new Uint8Array(this.exports.memory.buffer, this.exports.place(), length));
    if (answer[0] === "-") throw new ShogiError(answer.slice(1));
    return answer.slice(1);
  }
}

/** The bytes of a file, in a browser or under Node.js. */
async function read(source: string | URL): Promise<Uint8Array | ArrayBuffer> {
  const url = new URL(source, import.meta.url);
  if (url.protocol === "file:") {
    // Not for a bundler to look for.
    const name = "node:fs/promises";
    const { readFile } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) throw new ShogiError(`${url}: ${response.status}`);
  return response.arrayBuffer();
}
