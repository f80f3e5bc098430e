// Answers from the libraries in the page itself, as WebAssembly in workers.

import { taken, type About, type Answerer, type SearchEvent, type SearchRequest, type Solution, type Solved } from "./api";
import type { Answer } from "./module";
import type { Call, Reply } from "./worker";

type Answered = { answer: Answer; proof?: ArrayBuffer | undefined };

/** A worker, and who waits for its answers. */
class Helper {
  private readonly worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  private readonly waiting: { resolve(answered: Answered): void; reject(error: Error): void }[] = [];

  constructor(module: WebAssembly.Module, heard: (event: SearchEvent) => void = () => {}) {
    this.worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      if ("event" in data) heard(data.event);
      else this.waiting.shift()?.resolve(data);
    };
    this.worker.onerror = (event) => {
      for (const { reject } of this.waiting.splice(0)) reject(new Error(event.message));
    };
    this.worker.postMessage({ call: "start", module } satisfies Call);
  }

  call(call: Call): Promise<Answered> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      this.worker.postMessage(call);
    });
  }

  end(): void {
    this.worker.terminate();
  }
}

/** Questions that may take seconds: each gets a worker of its own, which ends with it. */
const LONG = ["mate"];

export class Local implements Answerer {
  private readonly module: Promise<WebAssembly.Module>;
  /** Has the files, and answers one question after the other. */
  private readonly helper: Promise<Helper>;

  constructor(address: string | URL) {
    // Compiled whole, since not every server declares the type that compiling on the way needs.
    this.module = fetch(address)
      .then((response) => response.arrayBuffer())
      .then((bytes) => WebAssembly.compile(bytes));
    this.helper = this.module.then((module) => new Helper(module));
  }

  async about(): Promise<About> {
    const { answer } = await (await this.helper).call({ call: "about" });
    return taken(answer.status, answer.body);
  }

  async ask<T>(question: string, request: object, signal?: AbortSignal): Promise<T> {
    const call: Call = { call: "ask", question, request };
    const { answer } = LONG.includes(question) ? await this.alone(call, signal) : await (await this.helper).call(call);
    signal?.throwIfAborted();
    return taken(answer.status, answer.body);
  }

  search(request: SearchRequest, heard: (event: SearchEvent) => void, ended: (failed: boolean) => void): () => void {
    const controller = new AbortController();
    this.alone({ call: "search", request }, controller.signal, (event) => event.bestmove === undefined && heard(event)).then(
      ({ answer }) => ended(answer.status !== 200),
      () => controller.signal.aborted || ended(true),
    );
    return () => controller.abort();
  }

  async open(name: string, content: ArrayBuffer): Promise<About> {
    const { answer } = await (await this.helper).call({ call: "open", name, content });
    return taken<About>(answer.status, answer.body);
  }

  async solve(request: { variant: string; in: string }, signal: AbortSignal): Promise<Solution> {
    const { answer, proof } = await this.alone({ call: "solve", request }, signal);
    const solved = taken<Solved>(answer.status, answer.body);
    if (proof === undefined) return { solved };
    const number = (await this.about()).files.length;
    const about = await this.open(`solved-${number + 1}.proof`, proof);
    return { solved, opened: { about, file: about.files.length - 1 } };
  }

  readonly fetchesFiles = true;

  /** Has a worker of its own do something, which ends when the signal says so. */
  private async alone(call: Call, signal?: AbortSignal, heard?: (event: SearchEvent) => void): Promise<Answered> {
    const module = await this.module;
    signal?.throwIfAborted();
    const helper = new Helper(module, heard);
    const aborted = new Promise<never>((_, reject) => {
      signal?.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
    });
    try {
      return await Promise.race([helper.call(call), aborted]);
    } finally {
      helper.end();
    }
  }
}
