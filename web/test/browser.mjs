#!/usr/bin/env node
// Uses the page of `shogi explore` in a real browser: Debian's chromium, driven by playwright-core.
//
//     (cd web && npm ci)
//     node web/test/browser.mjs target/debug/shogi [--pictures docs/explore] [--only WORDS] [--page crates/shogi-explore/src/page]
//
// With --page the files of the page come from that folder, so that the program need not be built anew.
// The exit code is 0 if all holds, 1 at the first that does not, and 0 with a notice where chromium or
// playwright-core cannot be had.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DESKTOP, firstPaint, launch, says, shows, square, watch } from "./chromium.mjs";

const [shogi, ...options] = process.argv.slice(2);
const option = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
const pictures = option("--pictures");
const only = option("--only");
const built = option("--page");
if (!shogi) {
  console.error("usage: node browser.mjs SHOGI [--pictures FOLDER] [--only WORDS]");
  process.exit(2);
}

const browser = await launch();

const folder = mkdtempSync(join(tmpdir(), "explore-"));
const [proof, table] = [join(folder, "kbr.proof"), join(folder, "E1G2L2.tablebase")];
execFileSync(shogi, ["solve", "shogi34", "--start", "KBR", "--proof", proof], { stdio: "ignore" });
execFileSync(shogi, ["tablebase", "build", "dobutsu", "--class", "E1G2L2", "--out", table], { stdio: "ignore" });

/** Asks the program what a batch verb says of a line. */
function ask(verb, line) {
  return JSON.parse(execFileSync(shogi, verb.split(" "), { input: `${line}\n` }));
}

const server = spawn(shogi, ["explore", proof, table, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
const url = await new Promise((found, lost) => {
  server.stdout.once("data", (line) => found(line.toString().trim()));
  server.once("exit", (code) => lost(new Error(`the program ended with ${code}`)));
});
assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/$/);

/** The searches that the program is running. */
function searches() {
  const threads = `/proc/${server.pid}/task`;
  const names = readdirSync(threads).map((thread) => {
    try {
      return readFileSync(`${threads}/${thread}/comm`, "utf8").trim();
    } catch {
      return "";
    }
  });
  return names.filter((name) => name === "search").length;
}

const PHONE = { width: 390, height: 844 };
const problems = [];

/** Opens the page with a query, in a browser of its own. */
async function open(query, context = {}) {
  const opened = await browser.newContext({ viewport: DESKTOP, locale: "en-GB", ...context });
  await opened.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await opened.newPage();
  page.setDefaultTimeout(20_000);
  if (built) {
    const types = { "": "text/html", "explore.js": "text/javascript", "explore.css": "text/css" };
    await page.route(/\/(\?.*|explore\.\w+)?$/, (route) => {
      const name = new URL(route.request().url()).pathname.slice(1);
      return route.fulfill({ body: readFileSync(join(built, name || "index.html")), contentType: types[name] });
    });
  }
  watch(page, url, problems);
  await page.goto(`${url}${query}`);
  await page.locator(".board").waitFor();
  return page;
}

const status = (page) => page.locator(".status");

const tests = {
  async "a game is played by clicks"() {
    const page = await open("?variant=minishogi");
    for (const [from, to] of [["5d", "5c"], ["2a", "3b"], ["1e", "1d"]]) {
      await square(page, from).click();
      await says(page.locator(`[data-key="${to}"].target`), "");
      await square(page, to).click();
      await page.locator(`[data-key="${to}"].last`).waitFor();
    }
    const sfen = "rbs1k/2g1p/P4/4R/KGSB1 w - 1";
    await shows(page, sfen);
    await says(status(page), "Gote to move");
    // What is not legal is not played.
    await square(page, "5c").click();
    await square(page, "1a").click();
    assert.equal(await page.locator("#sfen").inputValue(), sfen);
    await page.locator("#back").click();
    await says(status(page), "2. 2a3b");
    await page.locator("#forward").click();
    await shows(page, sfen);
    return page;
  },

  async "a piece is dragged to its square"() {
    const page = await open("?variant=dobutsu");
    await square(page, "2c").dragTo(square(page, "2b"));
    await says(status(page), "1. 2c2b");
    return page;
  },

  async "a promotion is chosen by its picture"() {
    const page = await open("?variant=minishogi&sfen=4k/S4/5/5/4K_b_-_1");
    await square(page, "5b").click();
    await square(page, "5a").click();
    await page.getByRole("dialog").waitFor();
    await page.getByRole("button", { name: "promoted silver, promoted" }).click();
    await shows(page, "+S3k/5/5/5/4K w - 1");
    // Clicks wait for the position before, also where the answer is slow.
    await page.route(/api\/diagram/, (route) => setTimeout(() => route.continue(), 300));
    await page.locator("#back").click();
    await square(page, "5b").click();
    await square(page, "5a").click();
    await page.getByRole("button", { name: "silver, not promoted" }).click();
    await shows(page, "S3k/5/5/5/4K w - 1");
    return page;
  },

  async "pieces are dropped, in Kyoto shogi with either face"() {
    const page = await open("?variant=minishogi&sfen=4k/5/5/5/4K_b_G_1");
    await page.locator('[data-held="G"]').click();
    await square(page, "3c").click();
    await shows(page, "4k/5/2G2/5/4K w - 1");
    await page.goto(`${url}?variant=kyotoshogi&sfen=2k2/5/5/5/2K2_b_P_1`);
    await page.locator('[data-held="P"]').dragTo(square(page, "5c"));
    await page.locator('.choice [data-move="R*5c"]').click();
    await shows(page, "2k2/5/R4/5/2K2 w - 1");
    return page;
  },

  async "a shared link shows the same after a reload"() {
    const page = await open("?variant=kyotoshogi");
    await square(page, "5e").click();
    await square(page, "5d").click();
    await says(status(page), "1. 5e5d+");
    const [address, sfen] = [page.url(), await page.locator("#sfen").inputValue()];
    // A plus in an address that was written by hand is a promoted piece.
    const promoted = await open("?variant=minishogi&sfen=+P3k/5/5/5/4K_b_-_1");
    await shows(promoted, "+P3k/5/5/5/4K b - 1");
    await promoted.context().close();
    await page.locator("#share").click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    await page.reload();
    await shows(page, sfen);
    await says(status(page), "1. 5e5d+");
    await page.locator("#back").click();
    await says(status(page), "Sente to move");
    return page;
  },

  async "a search streams, follows the board and stops"() {
    const page = await open("?variant=minishogi");
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.locator("tr.judged").nth(4).waitFor();
    await says(page.locator(".counts"), "Depth");
    assert(searches() > 0);
    await page.locator("tr.judged .move").first().click();
    await says(status(page), "Gote to move");
    await page.locator("tr.judged").first().waitFor();
    if (pictures) {
      await page.waitForTimeout(1500);
      await picture(page, "moves-engine");
    }
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Analyse" }).waitFor();
    await ended();
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.locator("tr.judged").first().waitFor();
    // The browser goes away in the middle of a search.
    await page.context().close();
    await ended();
  },

  async "a tablebase is probed"() {
    const sfen = "1k1/3/1R1/1K1 b Rb 1";
    const page = await open(`?variant=dobutsu&sfen=${sfen.replaceAll(" ", "_")}`);
    const { moves, value, plies } = ask(`tablebase probe ${table}`, sfen);
    await says(page.locator(".summary"), "Values from a tablebase");
    await says(page.locator(".summary .badge"), plies === null ? value : `${value} ${plies}`);
    const shown = await page.locator("td .move").evaluateAll((all) => all.map((one) => one.dataset.move));
    assert.deepEqual(shown, moves.map(({ move }) => move));
    const badges = await page.locator("td .badge").allTextContents();
    assert.deepEqual(badges, moves.map(({ value, plies }) => (plies === null ? value : `${value} ${plies}`)));
    await picture(page, "moves-tablebase");
    return page;
  },

  async "the proof of KBR is walked"() {
    const page = await open("?variant=shogi34&tab=proof");
    await page.getByRole("button", { name: "Root" }).click();
    const root = ask(`proof walk ${proof}`, "root");
    await shows(page, root.sfen);
    await page.locator(`.answer[data-move="${root.move}"]`).waitFor();
    await says(page.locator(".walk"), `${root.rank} plies`);
    const replies = await page.locator(".replies .move").evaluateAll((all) => all.map((one) => one.dataset.move));
    assert.deepEqual(replies, root.replies.map(({ move }) => move));
    await picture(page, "proof");
    const played = [];
    for (;;) {
      const step = ask(`proof walk ${proof}`, ["root", ...played].join(" "));
      await page.locator(`.answer[data-move="${step.move}"]`).waitFor();
      const longest = [...step.replies].sort((a, b) => b.rank - a.rank)[0];
      if (!longest) break;
      await page.locator(`.replies [data-move="${longest.move}"]`).click();
      played.push(step.move, longest.move);
      await page.waitForFunction((ply) => document.querySelectorAll(".game-moves li").length === ply, played.length);
    }
    assert.equal(played.length, root.rank - 1);
    await page.locator(".answer").click();
    await says(status(page), "Sente wins");
    await page.getByRole("button", { name: "Check it" }).click();
    await says(page.locator(".note.good"), "it holds");
    await page.locator(".panel input").fill(root.sfen);
    await page.locator(".panel form button").click();
    await shows(page, root.sfen);
    // The tab of moves knows it too.
    await page.getByRole("tab", { name: "Moves" }).click();
    await says(page.locator(".summary"), "Values from the proof");
    return page;
  },

  async "a certificate is followed"() {
    const page = await open("?variant=minishogi&tab=reach&sfen=rb1gk/2s1p/P4/4R/KGSB1_b_-_1");
    await page.locator('[data-stage="ok"]').waitFor();
    const sfen = await page.locator("#sfen").inputValue();
    await picture(page, "reach");
    await page.getByRole("button", { name: "Follow the game" }).click();
    await shows(page, "rbsgk/4p/5/P4/KGSBR b - 1");
    await page.locator("#last").click();
    await shows(page, sfen);
    const closed = "1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1";
    await page.goto(`${url}?variant=minishogi&tab=reach&sfen=${encodeURIComponent(closed.replaceAll(" ", "_"))}`);
    await says(page.locator('[data-stage="unreachable"]'), "8 plies");
    const { certificate } = ask("classify minishogi --certificate", closed);
    await page.locator(".positions .sfen").first().click();
    await shows(page, certificate.predecessors[0][0]);
    return page;
  },

  async "positions are numbered, found by number and drawn"() {
    const page = await open("?variant=minishogi&tab=count");
    const { rank } = ask("rank minishogi", "startpos");
    await page.locator(`[data-rank="${rank}"]`).waitFor();
    await page.getByRole("textbox", { name: "Number" }).fill("1234567890");
    await page.locator(".panel form button").click();
    await shows(page, ask("unrank minishogi", "1234567890").sfen);
    await page.getByRole("button", { name: "Draw a reachable position" }).click();
    await page.waitForFunction(() => document.querySelector(".rank")?.dataset.rank !== "1234567890");
    assert.equal(ask("classify minishogi", await page.locator("#sfen").inputValue()).stage, "ok");
    await picture(page, "count");
    return page;
  },

  async "a record is pasted, stepped through and written"() {
    const page = await open("?variant=minishogi&tab=record");
    const kif = "手合割：5五将棋\n先手：あや\n手数----指手---------消費時間--\n   1 ５三歩(54)\n*よい手\n   2 ３二金(21)\n   3 １四飛(15)\n";
    await page.evaluate((text) => navigator.clipboard.writeText(text), kif);
    await page.locator("textarea").focus();
    await page.keyboard.press("Control+V");
    await says(page.locator(".note.good"), "Read KIF, 3 moves");
    await says(status(page), "3. 1e1d");
    await page.locator("#first").click();
    await page.locator("#forward").click();
    await says(page.locator("blockquote"), "よい手");
    await picture(page, "record");
    await page.getByLabel("Format").selectOption("usi");
    await page.locator(".panel .buttons").last().getByRole("button", { name: "Show" }).click();
    await page.waitForFunction(() => document.querySelector("textarea").value.includes("5d5c 2a3b 1e1d"));
    await page.locator("textarea").fill("   1 ５五歩(54)\n");
    await page.getByRole("button", { name: "Read" }).click();
    await says(page.locator(".note.bad"), "line 1");
    return page;
  },

  async "everything is done by the keyboard alone"() {
    const page = await open("?variant=minishogi");
    const focused = () => page.evaluate(() => document.activeElement.dataset.key ?? document.activeElement.id);
    for (let i = 0; i < 30 && (await focused()) !== "1a"; i++) await page.keyboard.press("Tab");
    assert.equal(await focused(), "1a");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "Enter"]) {
      await page.keyboard.press(key);
    }
    assert.equal(await focused(), "5d");
    assert.equal(await square(page, "5d").getAttribute("aria-selected"), "true");
    await page.keyboard.press("Escape");
    assert.equal(await square(page, "5d").getAttribute("aria-selected"), "false");
    for (const key of ["Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
    await says(status(page), "1. 5d5c");
    await page.keyboard.press("[");
    await says(status(page), "Sente to move");
    await page.keyboard.press("]");
    await says(status(page), "1. 5d5c");
    for (let i = 0; i < 40 && (await focused()) !== "tab-moves"; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(), "tab-proof");
    await page.locator('#tab-proof[aria-selected="true"]').waitFor();
    return page;
  },

  async "a screen reader hears what is where"() {
    const page = await open("?variant=dobutsu");
    assert.equal(await page.getByRole("gridcell").count(), 12);
    await page.getByRole("gridcell", { name: "2d, Sente lion" }).click();
    await page.getByRole("gridcell", { name: "1c, empty, can move here" }).waitFor();
    await page.getByRole("tab", { name: "Moves", selected: true }).waitFor();
    const nameless = await page.locator("button:visible, input:visible, select:visible, textarea:visible").evaluateAll((all) =>
      all.filter((one) => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length)).map((one) => one.outerHTML),
    );
    assert.deepEqual(nameless, []);
    await page.locator("#language").click();
    await page.getByRole("gridcell", { name: "2d, 先手 獅" }).waitFor();
    await page.getByRole("tab", { name: "指し手" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "ja");
    return page;
  },

  async "a phone shows everything without scrolling sideways"() {
    for (const variant of ["shogi", "dobutsu"]) {
      const page = await open(`?variant=${variant}`, { viewport: PHONE, hasTouch: true, isMobile: true });
      for (const tab of ["moves", "proof", "reach", "count", "record"]) {
        await page.locator(`#tab-${tab}`).tap();
        await page.locator(`#tab-${tab}[aria-selected="true"]`).waitFor();
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        assert(width <= PHONE.width, `${variant} ${tab}: ${width}`);
      }
      await page.locator("#tab-moves").tap();
      const [from, to] = variant === "shogi" ? ["7g", "7f"] : ["2c", "2b"];
      await square(page, from).tap();
      await square(page, to).tap();
      await says(status(page), `1. ${from}${to}`);
      await page.locator("body").evaluate(() => scrollTo(0, 0));
      if (variant === "shogi") await picture(page, "phone");
      await page.context().close();
    }
  },

  async "colours follow the system and the reader"() {
    const page = await open("?variant=shogi&moves=7g7f,3c3d,8h2b%2B&ply=2", { colorScheme: "dark" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await picture(page, "dark");
    await page.locator("#theme").click();
    await page.waitForFunction((dark) => getComputedStyle(document.body).backgroundColor !== dark, dark);
    return page;
  },

  async "what is wrong is said"() {
    const page = await open("?variant=minishogi");
    await page.locator("#sfen").fill("nonsense");
    await page.locator(".sfen-form button").click();
    await page.locator(".left .note.bad").filter({ hasText: /\w/ }).waitFor();
    await page.locator(".restart").click();
    await shows(page, "rbsgk/4p/5/P4/KGSBR b - 1");
    // A position that breaks the rules is shown, and that it does.
    await page.locator("#sfen").fill("4k/4R/5/5/4K b - 1");
    await page.locator(".sfen-form button").click();
    await says(status(page), "no legal position");
    return page;
  },
};

/** Waits until the program runs no search. */
async function ended() {
  for (let i = 0; i < 400 && searches() > 0; i++) await new Promise((done) => setTimeout(done, 25));
  assert.equal(searches(), 0, "a search goes on without its browser");
}

async function picture(page, name) {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

let failed = false;
try {
  const started = await open("");
  console.log(`first paint after ${await firstPaint(started)} ms`);
  await started.context().close();
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const begun = performance.now();
    const page = await test();
    await page?.context().close();
    assert.deepEqual(problems, [], name);
    console.log(`ok: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  }
} catch (error) {
  failed = true;
  console.error(error);
  for (const [i, context] of browser.contexts().entries()) {
    const page = context.pages()[0];
    if (page) await page.screenshot({ path: join(tmpdir(), `explore-failed-${i}.png`) }).catch(() => {});
  }
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true });
}
process.exit(failed ? 1 : 0);
