// Parts of a file on a server that answers range requests, or of a file under Node.js.

import { ShogiError } from "./module.js";

/** The bytes that are read first: in most tablebases all that comes before the blocks. */
const FIRST = 65_536;
/** How many requests run at once. */
const MOST = 6;
/** How many times a request is sent where the server has too many requests. */
const TRIES = 6;

/** A range of bytes: the first, and the one after the last. */
export type Range = [start: number, end: number];

/** A file of which parts are read. */
export interface RemoteFile {
  readonly length: number;
  /** Its first bytes. */
  readonly first: Uint8Array;
  part(range: Range): Promise<Uint8Array>;
}

/** Requests a part of a file; where the server has too many requests, it is repeated a little later. */
async function request(url: URL, [start, end]: Range): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, { headers: { range: `bytes=${start}-${end - 1}` } });
    const seconds = Number(response.headers.get("retry-after") ?? 1);
    if ((response.status !== 429 && response.status !== 503) || tries === TRIES) return response;
    await response.body?.cancel();
    await new Promise((done) => setTimeout(done, 1_000 * (seconds >= 0 && seconds <= 10 ? seconds : 1)));
  }
}

/** Requests the beginning of a file. The status is 206, or 200 where the server sends all of it. */
export async function requestFirst(url: URL): Promise<Response> {
  const response = await request(url, [0, FIRST]);
  if (response.status === 206 || response.status === 200) return response;
  await response.body?.cancel();
  throw new ShogiError(`${url}: ${response.status} ${response.statusText}`.trimEnd());
}

/** A file on a server. */
class ServedFile implements RemoteFile {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  /** The parts that are being read. */
  private readonly coming = new Map<string, Promise<Uint8Array>>();

  constructor(
    private readonly url: URL,
    readonly length: number,
    readonly first: Uint8Array,
  ) {}

  part(range: Range): Promise<Uint8Array> {
    const key = range.join("-");
    const known = this.coming.get(key);
    if (known) return known;
    const part = this.requested(range).finally(() => this.coming.delete(key));
    this.coming.set(key, part);
    return part;
  }

  /** Requests a part when it is its turn. */
  private async requested(range: Range): Promise<Uint8Array> {
    if (this.running >= MOST) await new Promise<void>((done) => this.waiting.push(done));
    else this.running++;
    try {
      const response = await request(this.url, range);
      if (response.status !== 206) {
        await response.body?.cancel();
        throw new ShogiError(`${this.url}: status ${response.status} for a range`);
      }
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (bytes.length !== range[1] - range[0]) throw new ShogiError(`${this.url}: ${bytes.length} bytes for a range of ${range[1] - range[0]}`);
      return bytes;
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}

/** The file of which a server has sent the beginning, with the status 206. */
export async function servedFile(url: URL, response: Response): Promise<RemoteFile> {
  const first = new Uint8Array(await response.arrayBuffer());
  const named = /\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
  // Another site may hide this header from pages, but not the length of the whole.
  const length = named ?? (await fetch(url, { method: "HEAD" })).headers.get("content-length");
  if (length === null) throw new ShogiError(`${url}: the server does not say how long the file is`);
  return new ServedFile(url, Number(length), first);
}

/** A file under Node.js. */
async function localFile(url: URL): Promise<RemoteFile> {
  // Not for a bundler to look for.
  const name = "node:fs/promises";
  const { open } = await import(/* @vite-ignore */ /* webpackIgnore: true */ name);
  const part = async ([start, end]: Range): Promise<Uint8Array> => {
    const file = await open(url);
    try {
      const bytes = new Uint8Array(end - start);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, start);
      return bytes.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  };
  const file = await open(url);
  const { size } = await file.stat().finally(() => file.close());
  return { length: size, first: await part([0, Math.min(FIRST, size)]), part };
}

/** Opens a file of which parts are read; an error if its server does not send parts. */
export async function openRemote(url: URL): Promise<RemoteFile> {
  if (url.protocol === "file:") return localFile(url);
  const response = await requestFirst(url);
  if (response.status === 206) return servedFile(url, response);
  await response.body?.cancel();
  throw new ShogiError(`${url}: the server does not answer range requests`);
}

/** The answer of a task that needs parts of files. */
export interface Missing<Needed> {
  missing: Needed[];
}

/** Calls a task with all parts that it has needed so far, until it needs no more. */
export async function withParts<Answer extends object, Needed, Part>(
  task: (parts: Part[]) => Answer | Missing<Needed> | Promise<Answer | Missing<Needed>>,
  read: (needed: Needed) => Promise<Part>,
  parts: Part[] = [],
): Promise<Answer> {
  for (;;) {
    const answer = await task(parts);
    if (!("missing" in answer)) return answer;
    parts.push(...(await Promise.all(answer.missing.map(read))));
  }
}
