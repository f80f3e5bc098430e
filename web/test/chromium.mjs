// Debian's chromium, driven by playwright-core.

import { existsSync } from "node:fs";

const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync);
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

export const DESKTOP = { width: 1280, height: 900 };

function skip(reason) {
  console.log(`NOTICE: ${reason}: SKIPPED`);
  process.exit(0);
}

/** Starts the browser; without one the program ends with a notice. */
export async function launch() {
  if (!CHROMIUM) skip("no chromium here (Debian: apt-get install chromium): the page in a browser");
  const playwright = await import("playwright-core").catch(() => skip("no playwright-core here (npm ci in web): the page in a browser"));
  return playwright.chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

/** When a page was first painted, in milliseconds. */
export async function firstPaint(page) {
  const entry = await page.waitForFunction(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  return Math.round(await entry.jsonValue());
}

/** Notes errors of a page, and what it asks elsewhere than under `url`, in `problems`. */
export function watch(page, url, problems) {
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("request", (request) => {
    const address = request.url();
    if (!address.startsWith(url) && !/^(data|blob):/.test(address)) problems.push(`a request to ${address}`);
  });
}

export const square = (page, name) => page.locator(`[data-key="${name}"]`);
/** Waits until the position of the page is this one. */
export const shows = (page, sfen) =>
  page.waitForFunction((sfen) => document.querySelector("#sfen")?.value === sfen, sfen).catch(async (error) => {
    throw new Error(`the page shows ${await page.locator("#sfen").inputValue()} instead of ${sfen}`, { cause: error });
  });
export const says = (locator, text) => locator.filter({ hasText: text }).first().waitFor();
