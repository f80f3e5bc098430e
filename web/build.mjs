#!/usr/bin/env node
// Builds the page into crates/shogi-explore/src/page, from where it is built into the program.
//
//     npm install && npm run build
//     node build.mjs --check      whether what is there was built from these sources; needs no package
//
// The first line of the script names the sources by a hash, so that the check needs Node.js alone.

import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../crates/shogi-explore/src/page");
/** What the page may weigh, in bytes: it is in every program. */
const MOST = 500_000;

function files(folder) {
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? files(path) : [path];
  });
}

function sources() {
  const hash = createHash("sha256");
  for (const path of files(join(here, "src")).sort()) {
    hash.update(`${relative(here, path)}\n`).update(readFileSync(path));
  }
  return hash.digest("hex");
}

const firstLine = `// Built by web/build.mjs from sources ${sources()}.`;
if (process.argv.includes("--check")) {
  const built = readFileSync(join(out, "explore.js"), "utf8").split("\n", 1)[0];
  if (built !== firstLine) {
    console.error("The page is older than web/src: run `npm install && npm run build` in web.");
    process.exit(1);
  }
} else {
  const { build } = await import("esbuild");
  mkdirSync(out, { recursive: true });
  const common = { bundle: true, minify: true, target: "es2022", charset: "utf8", legalComments: "none" };
  await build({
    ...common,
    entryPoints: [join(here, "src/main.ts")],
    outfile: join(out, "explore.js"),
    format: "esm",
    banner: { js: firstLine },
  });
  await build({ ...common, entryPoints: [join(here, "src/explore.css")], outfile: join(out, "explore.css") });
  for (const name of ["index.html", "icon.svg"]) {
    writeFileSync(join(out, name), readFileSync(join(here, "src", name)));
  }
  const bytes = files(out).map((path) => readFileSync(path).length).reduce((a, b) => a + b, 0);
  console.log(`${bytes} bytes`);
  if (bytes > MOST) {
    console.error(`The page has more than ${MOST} bytes.`);
    process.exit(1);
  }
}
