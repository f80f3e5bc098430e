// Answers from the server of `shogi explore`.

import { Refusal, taken, type About, type Answerer, type Reported, type ReportEvent, type SearchEvent, type SearchRequest, type Solution, type Solved, type SolveEvent, type SolveRequest } from "./api";

export class Server implements Answerer {
  async about(): Promise<About> {
    const response = await fetch("api/about");
    return taken(response.status, await response.json());
  }

  async ask<T>(question: string, request: object, signal?: AbortSignal): Promise<T> {
    const response = await fetch(`api/${question}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(request),
      signal,
    });
    return taken(response.status, await response.json());
  }

  async open(name: string, content: ArrayBuffer): Promise<About> {
    const response = await fetch(`api/open?${new URLSearchParams({ name })}`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: content,
    });
    return taken(response.status, await response.json());
  }

  async solve(request: SolveRequest, signal: AbortSignal, heard: (event: SolveEvent) => void): Promise<Solution> {
    const { file, ...solved } = await watched<Solved & { file: number | null }>("solve", "solved", request, signal, heard);
    return file === null ? { solved } : { solved, opened: { about: await this.about(), file } };
  }

  report(request: SolveRequest, signal: AbortSignal, heard: (event: ReportEvent) => void): Promise<Reported> {
    return watched("report", "reported", request, signal, heard);
  }

  search(request: SearchRequest, heard: (event: SearchEvent) => void, ended: (failed: boolean) => void): () => void {
    const { variant, in: position, lines } = request;
    const query = new URLSearchParams({ variant, in: position, lines: String(lines) });
    const source = new EventSource(`api/search?${query}`);
    source.onmessage = (message) => {
      const event = JSON.parse(message.data) as SearchEvent;
      if (event.bestmove !== undefined) {
        source.close();
        ended(false);
      } else {
        heard(event);
      }
    };
    // A browser would connect again when a stream ends.
    source.onerror = () => {
      source.close();
      ended(true);
    };
    return () => source.close();
  }
}

/** The answer of work that is watched, which the last event has under a key; the signal ends it. */
async function watched<T>(what: string, key: string, { variant, in: position }: SolveRequest, signal: AbortSignal, heard: (event: object) => void): Promise<T> {
  signal.throwIfAborted();
  const source = new EventSource(`api/${what}?${new URLSearchParams({ variant, in: position })}`);
  try {
    return await new Promise<T>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
      source.onmessage = (message) => {
        const event = JSON.parse(message.data);
        if (event[key]) resolve(event[key]);
        else if (event.failed) reject(new Refusal(event.failed.error));
        else heard(event);
      };
      source.onerror = () => reject(new Error("the search has ended early"));
    });
  } finally {
    source.close();
  }
}
