// Answers from the server of `shogi explore`.

import { taken, type About, type Answerer, type SearchEvent, type SearchRequest, type Solution, type Solved } from "./api";

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

  async solve(request: { variant: string; in: string }, signal: AbortSignal): Promise<Solution> {
    const { file, ...solved } = await this.ask<Solved & { file: number | null }>("solve", request, signal);
    return file === null ? { solved } : { solved, opened: { about: await this.about(), file } };
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
