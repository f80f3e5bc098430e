// Answers from the server of `shogi explore`.

import { Refusal, taken, type About, type Answerer, type SearchEvent, type SearchRequest, type Solution, type Solved, type SolveEvent, type SolveRequest } from "./api";

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

  async solve({ variant, in: position }: SolveRequest, signal: AbortSignal, heard: (event: SolveEvent) => void): Promise<Solution> {
    const source = new EventSource(`api/solve?${new URLSearchParams({ variant, in: position })}`);
    const answer = new Promise<Solved & { file: number | null }>((resolve, reject) => {
      signal.addEventListener("abort", () => reject(new DOMException("stopped", "AbortError")));
      source.onmessage = (message) => {
        const event = JSON.parse(message.data) as SolveEvent & { solved?: Solved & { file: number | null }; failed?: { error: string } };
        if (event.solved) resolve(event.solved);
        else if (event.failed) reject(new Refusal(event.failed.error));
        else heard(event);
      };
      source.onerror = () => reject(new Error("the search has ended early"));
    });
    try {
      const { file, ...solved } = await answer;
      return file === null ? { solved } : { solved, opened: { about: await this.about(), file } };
    } finally {
      source.close();
    }
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
