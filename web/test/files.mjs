// A server of files that answers range requests, as most do.

import { existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join } from "node:path";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

/** Serves a folder; `sent` is how many bytes of a file were sent. */
export async function serveFiles(folder) {
  const bytes = new Map();
  const server = createServer(({ url, headers }, response) => {
    const { pathname } = new URL(url, "http://127.0.0.1");
    const name = pathname === "/" ? "index.html" : pathname.slice(1);
    const path = join(folder, name);
    if (!existsSync(path) || !statSync(path).isFile()) return response.writeHead(404).end();
    const file = readFileSync(path);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? "") ?? [];
    const [start, end] = first === undefined ? [0, file.length] : [Number(first), Math.min(Number(last) + 1, file.length)];
    const range = first === undefined ? {} : { "content-range": `bytes ${start}-${end - 1}/${file.length}` };
    response.writeHead(first === undefined ? 200 : 206, { "content-type": TYPES[extname(name)] ?? "application/octet-stream", ...range });
    response.end(file.subarray(start, end));
    bytes.set(name, (bytes.get(name) ?? 0) + end - start);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    sent: (name) => bytes.get(name) ?? 0,
    close: () => server.close(),
  };
}
