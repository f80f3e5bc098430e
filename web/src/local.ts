// Answers from the libraries in the page itself, as WebAssembly in workers.

import { requestFirst, servedFile, withParts, type Missing, type RemoteFile } from "../../npm/src/remote";
import { taken, type About, type Answerer, type Reported, type ReportEvent, type SearchEvent, type SearchRequest, type Solution, type Solved, type SolveEvent, type SolveRequest } from "./api";
import type { RemotePart, RemoteRange } from "./module";
import type { Answered, Call, CallWithParts, Reply } from "./worker";

/** An answer for which nothing is missing. */
type Complete = { status: number; body: never };

/** A worker, and who waits for its answers. */
class Helper {
  private readonly worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  private readonly waiting: { resolve(answered: Answered): void; reject(error: Error): void }[] = [];

  constructor(module: WebAssembly.Module, heard: (event: never) => void = () => {}) {
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if ("event" in data) heard(data.event as never);
      else this.waiting.shift()?.resolve(data);
    };
    this.worker.onerror = (event) => {
      for (const { reject } of this.waiting.splice(0)) reject(new Error(event.message));
    };
    this.worker.postMessage({ call: "start", module } satisfies Call);
  }

  call(call: CallWithParts): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker.postMessage(call);
    });
  }

  end(): void {
    this.worker.terminate();
  }
}

/** The content of a file on the web. */
async function whole(url: URL): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Whether a file begins as tablebases do. */
function isTablebase(first: Uint8Array): boolean {
  return String.fromCharCode(...first.subarray(0, 8)) === "\x89TABLE\r\n";
}

/** Questions that may take seconds: each gets a worker of its own, which ends with it. */
const LONG = ["mate", "choose", "hint"];

export class Local implements Answerer {
  private readonly module: Promise<WebAssembly.Module>;
  /** Has the files, and answers one question after the other. */
  private readonly helper: Promise<Helper>;
  /** The tablebases that are elsewhere, by their numbers. */
  private readonly remotes = new Map<number, RemoteFile>();

  constructor(address: string | URL) {
    // Compiled whole, since not every server declares the type that compiling on the way needs.
    this.module = fetch(address)
      .then((response) => response.arrayBuffer())
      .then((bytes) => WebAssembly.compile(bytes));
    this.helper = this.module.then((module) => new Helper(module));
  }

  about(): Promise<About> {
    return this.answered({ call: "about" });
  }

  async ask<T>(question: string, request: object, signal?: AbortSignal): Promise<T> {
    const call: Call = { call: "ask", question, request };
    if (!LONG.includes(question)) {
      const answer = await this.answered<T>(call);
      signal?.throwIfAborted();
      return answer;
    }
    const { status, body } = await this.alone(call, signal);
    return taken(status, body);
  }

  /** The answer of the helper that has the files, with the parts of those elsewhere that it needs. */
  private async answered<T>(call: Call, parts: RemotePart[] = []): Promise<T> {
    const helper = await this.helper;
    const task = async (parts: RemotePart[]): Promise<Complete | Missing<RemoteRange>> => (await helper.call({ ...call, parts })).answer;
    const read = async ([remote, start, end]: RemoteRange): Promise<RemotePart> => ({
      remote,
      place: start,
      bytes: await this.remotes.get(remote)!.part([start, end]),
    });
    const { status, body } = await withParts(task, read, parts);
    return taken(status, body);
  }

  search(request: SearchRequest, heard: (event: SearchEvent) => void, ended: (failed: boolean) => void): () => void {
    const controller = new AbortController();
    this.alone({ call: "search", request }, controller.signal, (event: SearchEvent) => event.bestmove === undefined && heard(event)).then(
      ({ status }) => ended(status !== 200),
      () => controller.signal.aborted || ended(true),
    );
    return () => controller.abort();
  }

  open(name: string, content: ArrayBuffer): Promise<About> {
    return this.answered({ call: "open", name, content });
  }

  /** If the server answers range requests, only the parts of a tablebase that are needed are fetched. */
  async openAddress(address: string): Promise<About> {
    const url = new URL(address, location.href);
    // A server that refuses a range may send all of it.
    const response = await requestFirst(url).catch(() => undefined);
    if (response?.status !== 206) return this.open(address, response ? await response.arrayBuffer() : await whole(url));
    const file = await servedFile(url, response);
    if (!isTablebase(file.first)) return this.open(address, file.first.length < file.length ? await whole(url) : file.first.slice().buffer);
    const remote = await this.answered<number>({ call: "addRemote", length: file.length });
    this.remotes.set(remote, file);
    return this.answered({ call: "openRemote", remote, name: address }, [{ remote, place: 0, bytes: file.first }]);
  }

  async solve(request: SolveRequest, signal: AbortSignal, heard: (event: SolveEvent) => void): Promise<Solution> {
    const { status, body, proof } = await this.alone({ call: "solve", request }, signal, heard);
    const solved = taken<Solved>(status, body);
    if (proof === undefined) return { solved };
    const number = (await this.about()).files.length;
    const about = await this.open(`solved-${number + 1}.proof`, proof);
    return { solved, proof, opened: { about, file: about.files.length - 1 } };
  }

  async report(request: SolveRequest, signal: AbortSignal, heard: (event: ReportEvent) => void): Promise<Reported> {
    const { status, body } = await this.alone({ call: "report", request }, signal, heard);
    return taken(status, body);
  }

  /** Has a worker of its own do something, which ends when the signal says so. */
  private async alone(call: Call, signal?: AbortSignal, heard?: (event: never) => void): Promise<Complete & Omit<Answered, "answer">> {
    const module = await this.module;
    signal?.throwIfAborted();
    const helper = new Helper(module, heard);
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    });
    try {
      const { answer, proof } = await Promise.race([helper.call(call), aborted]);
      // Only the helper with the files needs parts of them.
      return { ...(answer as Complete), proof };
    } finally {
      helper.end();
    }
  }
}
