// The libraries as a WebAssembly module (web/wasm): texts and files go in and out through one buffer.

/** What the module calls. */
interface Exports {
  memory: WebAssembly.Memory;
  use_clock(): void;
  room(length: number): number;
  place(): number;
  about(): number;
  ask(name: number): number;
  open(name: number): number;
  add_remote(length: number): number;
  supply(remote: number, place: number): void;
  open_remote(remote: number): number;
  run_search(): number;
  run_report(): number;
  run_solve(): number;
  take_proof(): number;
}

/** An answer as the server would give it, or the bytes of files elsewhere that it needs. */
export type Answer = { status: number; body: never } | { missing: RemoteRange[] };

/** The number of a file elsewhere, and a range of its bytes. */
export type RemoteRange = [remote: number, start: number, end: number];

/** Bytes of a file elsewhere from a place on. */
export interface RemotePart {
  remote: number;
  place: number;
  bytes: Uint8Array;
}

export class Module {
  private readonly exports: Exports;
  /** Called with the events of the search, the report or the solver that runs. */
  private heard: (event: object) => void = () => {};

  constructor(module: WebAssembly.Module) {
    const host = {
      now: () => performance.now(),
      heard: (place: number, length: number) => this.heard(JSON.parse(this.text(place, length))),
    };
    this.exports = new WebAssembly.Instance(module, { host }).exports as unknown as Exports;
    this.exports.use_clock();
  }

  about(): Answer {
    return this.answer(this.exports.about());
  }

  ask(question: string, request: object): Answer {
    const name = this.write(question, encode(JSON.stringify(request)));
    return this.answer(this.exports.ask(name));
  }

  open(name: string, content: ArrayBuffer): Answer {
    const length = this.write(name, new Uint8Array(content));
    return this.answer(this.exports.open(length));
  }

  /** Adds a file elsewhere of so many bytes; its number. */
  addRemote(length: number): number {
    return this.exports.add_remote(length);
  }

  /** Supplies bytes for the next call. */
  supply({ remote, place, bytes }: RemotePart): void {
    this.write("", bytes);
    this.exports.supply(remote, place);
  }

  openRemote(remote: number, name: string): Answer {
    this.write("", encode(name));
    return this.answer(this.exports.open_remote(remote));
  }

  /** Returns when the search has ended: nothing but its own limits ends it. */
  search(request: object, heard: (event: object) => void): Answer {
    this.heard = heard;
    this.write("", encode(JSON.stringify(request)));
    return this.answer(this.exports.run_search());
  }

  /** Returns when the report is made; `heard` is called with how far it is. */
  report(request: object, heard: (event: object) => void): Answer {
    this.heard = heard;
    this.write("", encode(JSON.stringify(request)));
    return this.answer(this.exports.run_report());
  }

  /** Returns when the position is solved or a limit is reached; `heard` is called with how far the search has come. */
  solve(request: object, heard: (event: object) => void = () => {}): { answer: Answer; proof: ArrayBuffer | undefined } {
    this.heard = heard;
    this.write("", encode(JSON.stringify(request)));
    const answer = this.answer(this.exports.run_solve());
    const length = this.exports.take_proof();
    const proof = length === 0 ? undefined : this.bytes(this.exports.place(), length).slice().buffer;
    return { answer, proof };
  }

  /** Writes a name and what follows it; returns the length of the name. */
  private write(name: string, content: Uint8Array): number {
    const first = encode(name);
    const length = first.length + content.length;
    const place = this.exports.room(length);
    const room = this.bytes(place, length);
    room.set(first);
    room.set(content, first.length);
    return first.length;
  }

  private answer(length: number): Answer {
    return JSON.parse(this.text(this.exports.place(), length));
  }

  private text(place: number, length: number): string {
    return new TextDecoder().decode(this.bytes(place, length));
  }

  /** A part of the memory, until the module is called again. */
  private bytes(place: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.exports.memory.buffer as ArrayBuffer, place, length);
  }
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
