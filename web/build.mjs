#!/usr/bin/env node
// Builds the page into crates/shogi-explore/src/page, from where it is built into the program.
//
//     npm install && npm run build
//     node build.mjs --check      whether what is there was built from these sources; needs no package
//     node build.mjs --static FOLDER [--module FILE]
//                                 the page without a server, with the libraries as WebAssembly: any server
//                                 of files shows it. Cargo compiles the module unless it is named.
//
// The first line of the script names the sources by a hash, so that the check needs Node.js alone.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
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
} else if (process.argv.includes("--static")) {
  const place = process.argv.indexOf("--static");
  await buildStatic(process.argv[place + 1]);
} else {
  await buildPage(out, { "explore.js": "main.ts" }, { js: firstLine });
  for (const name of ["index.html", "icon.svg"]) write(join(out, name), readFileSync(join(here, "src", name)));
  const bytes = files(out).map((path) => readFileSync(path).length).reduce((a, b) => a + b, 0);
  console.log(`${bytes} bytes`);
  if (bytes > MOST) {
    console.error(`The page has more than ${MOST} bytes.`);
    process.exit(1);
  }
}

/** Bundles scripts, by their names, and the style. */
async function buildPage(folder, scripts, banner = {}) {
  const { build } = await import("esbuild");
  mkdirSync(folder, { recursive: true });
  const common = { bundle: true, minify: true, target: "es2022", charset: "utf8", legalComments: "none", write: false };
  const bundle = async (name, source, options) => {
    const entryPoints = [join(here, "src", source)];
    const { outputFiles } = await build({ ...common, ...options, entryPoints, outfile: join(folder, name) });
    for (const { path, contents } of outputFiles) write(path, contents);
  };
  for (const [name, source] of Object.entries(scripts)) await bundle(name, source, { format: "esm", banner });
  await bundle("explore.css", "explore.css");
}

/** Writes a file unless it is there already: the program includes some, and would be compiled anew. */
function write(path, contents) {
  if (!existsSync(path) || Buffer.compare(readFileSync(path), contents) !== 0) writeFileSync(path, contents);
}

async function buildStatic(folder) {
  if (!folder) throw new Error("--static needs a folder");
  const named = process.argv.indexOf("--module");
  const module = named < 0 ? compileModule() : process.argv[named + 1];
  await buildPage(folder, { "explore.js": "static.ts", "worker.js": "worker.ts" });
  copyFileSync(module, join(folder, "explore.wasm"));
  copyFileSync(join(here, "src/icon.svg"), join(folder, "icon.svg"));
  // What the server says in a header of its own. Files may be fetched from anywhere.
  const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; " +
    "img-src 'self' data: blob:; connect-src 'self' https:; base-uri 'none'; form-action 'none'";
  const page = readFileSync(join(here, "src/index.html"), "utf8");
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  writeFileSync(join(folder, "index.html"), page.replace('<meta charset="utf-8">', `$&\n${meta}`));
  for (const path of files(folder)) console.log(`${String(readFileSync(path).length).padStart(9)} ${relative(folder, path)}`);
}

function compileModule() {
  const target = "wasm32-unknown-unknown";
  const cargo = ["build", "--package", "shogi-explore-wasm", "--target", target, "--profile", "wasm"];
  execFileSync("cargo", cargo, { cwd: join(here, ".."), stdio: "inherit" });
  const folder = process.env.CARGO_TARGET_DIR ?? join(here, "../target");
  return join(folder, target, "wasm/shogi_explore_wasm.wasm");
}
