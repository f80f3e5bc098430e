#!/usr/bin/env node
// Uses the page without a server, from a server of files, in Debian's chromium.
//
//     node web/build.mjs --static FOLDER
//     node web/test/static.mjs FOLDER target/debug/shogi [--picture FILE] [--only WORDS]
//
// The exit code is 0 if all holds, 1 at the first that does not, and 0 with a notice where there is no
// chromium.

import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DESKTOP, firstPaint, launch, says, shows, square, watch } from "./chromium.mjs";
import { serveFiles } from "./files.mjs";
import { move, playToTheEnd } from "./games.mjs";

const [folder, shogi, ...options] = process.argv.slice(2);
const option = (name) => (options.includes(name) ? options[options.indexOf(name) + 1] : undefined);
const [picture, only] = [option("--picture"), option("--only")];
if (!shogi) {
  console.error("usage: node static.mjs FOLDER SHOGI [--picture FILE] [--only WORDS]");
  process.exit(2);
}
const browser = await launch();

// A copy with files beside the page.
const served = mkdtempSync(join(tmpdir(), "static-"));
cpSync(folder, served, { recursive: true });
const [proof, table] = ["kbr.proof", "E1G2L2.tablebase"].map((name) => join(served, name));
execFileSync(shogi, ["solve", "shogi34", "--start", "KBR", "--proof", proof], { stdio: "ignore" });
execFileSync(shogi, ["tablebase", "build", "dobutsu", "--class", "E1G2L2", "--out", table], { stdio: "ignore" });

/** Asks the program what a batch verb says of a line. */
function ask(verb, line) {
  return JSON.parse(execFileSync(shogi, verb.split(" "), { input: `${line}\n` }));
}

const server = spawn("python3", ["-u", "-m", "http.server", "--bind", "127.0.0.1", "--directory", served, "0"], { stdio: ["ignore", "pipe", "ignore"] });
const port = await new Promise((found, lost) => {
  server.stdout.on("data", (line) => /port (\d+)/.test(line) && found(/port (\d+)/.exec(line)[1]));
  server.once("exit", (code) => lost(new Error(`python3 ended with ${code}`)));
});
const url = `http://127.0.0.1:${port}/`;
const problems = [];

const ranges = await serveFiles(served);

async function open(query, base = url) {
  const context = await browser.newContext({ viewport: DESKTOP, locale: "en-GB" });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  watch(page, base, problems);
  await page.goto(`${base}${query}`);
  await page.locator(".board").waitFor();
  return page;
}

const plural = (plies) => (plies === 1 ? "1 ply" : `${plies} plies`);
const valued = (value, plies) => (plies === null ? value : `${value} ${plural(plies)}`);
const button = (page, name) => page.getByRole("button", { name });

const tests = {
  async "a game is played"() {
    const page = await open("?variant=minishogi");
    await square(page, "5d").click();
    await square(page, "5c").click();
    await says(page.locator(".status"), "1. P-5c");
    return page;
  },

  async "positions are numbered, drawn and classified"() {
    const page = await open("?variant=minishogi&tab=count");
    await page.locator(`[data-rank="${ask("rank minishogi", "startpos").rank}"]`).waitFor();
    const start = await page.locator("#sfen").inputValue();
    await button(page, "Draw a reachable position").click();
    await page.waitForFunction((start) => document.querySelector("#sfen").value !== start, start);
    const drawn = await page.locator("#sfen").inputValue();
    await page.getByRole("tab", { name: "Reach" }).click();
    await page.locator('[data-stage="ok"]').waitFor();
    assert.equal(ask("classify minishogi", drawn).stage, "ok");
    await button(page, "Follow the game").click();
    await page.locator("#last").click();
    // The same position, numbered by the moves of the game.
    await page.waitForFunction((board) => document.querySelector("#sfen").value.startsWith(board), drawn.replace(/1$/, ""));
    return page;
  },

  async "a record is read"() {
    const page = await open("?variant=minishogi&tab=record");
    await page.locator("textarea").fill("手合割：5五将棋\n   1 ５三歩(54)\n   2 ３二金(21)\n");
    await button(page, "Read").click();
    await says(page.locator(".note.good"), "Read KIF, 2 moves");
    return page;
  },

  async "a mate is found and stepped through"() {
    const sfen = "1k3/5/2P2/5/2K2 b RG 1";
    const found = ask("mate minishogi --hash 74", sfen);
    assert.equal(found.status, "mate");
    const page = await open(`?variant=minishogi&sfen=${sfen.replaceAll(" ", "_")}`);
    await button(page, "Find a mate").click();
    await says(page.locator(".mate .badge"), `mate in ${plural(found.mate)}`);
    await page.locator(".mate .step").first().click();
    await page.locator("#last").click();
    await says(page.locator(".status"), "Sente wins");
    return page;
  },

  async "a search streams while the page is used, and stops"() {
    const page = await open("?variant=minishogi");
    await button(page, "Analyse").click();
    await page.locator("tr.judged").nth(4).waitFor();
    // One move by the list, which the search follows, and one on the board.
    await page.locator("tr.judged .move").first().click();
    await says(page.locator(".status"), "Gote to move");
    await page.locator("tr.judged").first().waitFor();
    await button(page, "Stop").click();
    await button(page, "Analyse").waitFor();
    return page;
  },

  async "a small position is solved, its proof walked and checked"() {
    const { sfen, rank, move } = ask(`proof walk ${proof}`, "root");
    const page = await open(`?variant=shogi34&tab=proof&sfen=${sfen.replaceAll(" ", "_")}`);
    await button(page, "Solve this position").click();
    await page.locator(`.answer[data-move="${move}"]`).waitFor();
    await says(page.locator(".sources"), "Solve");
    await says(page.locator(".note"), `at most ${plural(rank)}`);
    await says(page.locator(".files-list"), "solved-1.proof");
    await button(page, "Check it").click();
    await says(page.locator(".note.good"), "it holds");
    return page;
  },

  async "solving shows how far it has come and stops, in the page itself"() {
    const page = await open("?variant=minishogi&tab=proof");
    await button(page, "Solve this position").click();
    await page.waitForFunction(() => /[1-9][\d,]* nodes · .* · proof numbers /.test(document.querySelector(".solving")?.textContent ?? ""));
    await button(page, "Stop solving").click();
    await says(page.locator(".solve .note"), "Stopped");
    await says(page.locator(".help code"), "shogi solve minishogi");
    return page;
  },

  async "a game is played to its end against the computer, without a server"() {
    let page;
    for (const variant of ["dobutsu", "minishogi"]) {
      await page?.context().close();
      page = await open(`?variant=${variant}&tab=play`);
      await playToTheEnd(page, variant, ask);
    }
    return page;
  },

  async "a mate is asked and judged without a server"() {
    const page = await open("?variant=minishogi&tab=problems");
    await page.locator('[data-plies="1"]').first().click();
    await page.locator('.verdict[data-stage="asked"]').waitFor();
    const { pv } = ask("mate minishogi --tsume", await page.locator("#sfen").inputValue());
    await move(page, pv[0]);
    await says(page.locator(".verdict"), "Solved");
    return page;
  },

  async "a proof named in the address is walked"() {
    const page = await open("?variant=shogi34&tab=proof&file=kbr.proof");
    const root = ask(`proof walk ${proof}`, "root");
    // The root is shown at once.
    await shows(page, root.sfen);
    const played = [];
    for (let step = root; step.replies.length > 0; step = ask(`proof walk ${proof}`, ["root", ...played].join(" "))) {
      await page.locator(`.answer[data-move="${step.move}"]`).waitFor();
      const longest = [...step.replies].sort((a, b) => b.rank - a.rank)[0];
      await page.locator(`.replies [data-move="${longest.move}"]`).click();
      played.push(step.move, longest.move);
      await page.waitForFunction((ply) => document.querySelectorAll(".game-moves li").length === ply, played.length);
    }
    assert.equal(played.length, root.rank - 1);
    if (picture) await page.screenshot({ path: picture });
    assert(page.url().includes("file=kbr.proof"), "the link names the file");
    return page;
  },

  async "a proof in the address is checked by the reader's own browser"() {
    const link = execFileSync(shogi, ["proof", "link", proof, "--page", ""], { encoding: "utf8" }).trim();
    const page = await open(link);
    await says(page.locator(".note.good"), "it holds");
    await says(page.locator(".summary"), "link.proof");
    const root = ask(`proof walk ${proof}`, "root");
    await shows(page, root.sfen);
    // The address goes on to hold the proof, with the position that is looked at.
    await page.locator(`.answer[data-move="${root.move}"]`).click();
    await page.waitForFunction(() => location.search.includes("moves=") && location.hash.startsWith("#proof="));
    const again = await open(page.url().slice(url.length));
    await says(again.locator(".note.good"), "it holds");
    assert.equal(await again.locator("#sfen").inputValue(), await page.locator("#sfen").inputValue());
    await again.context().close();
    // One changed byte is noticed.
    const at = link.indexOf("#proof=") + 500;
    const damaged = link.slice(0, at) + (link[at] === "A" ? "B" : "A") + link.slice(at + 1);
    const refused = await open(damaged);
    await refused.waitForFunction(() => /the proof in the link|refuted/i.test(document.querySelector(".problem")?.textContent + (document.querySelector(".note.bad:not(.problem)")?.textContent ?? "")));
    await refused.context().close();
    return page;
  },

  async "a proof that was found here is put into the address"() {
    const { sfen } = ask(`proof walk ${proof}`, "root");
    const page = await open(`?variant=shogi34&tab=proof&sfen=${sfen.replaceAll(" ", "_")}`);
    await button(page, "Solve this position").click();
    await button(page, "Copy a link with this proof").click();
    await page.waitForFunction(() => location.hash.startsWith("#proof="));
    const reader = await open(page.url().slice(url.length));
    await says(reader.locator(".note.good"), "it holds");
    await reader.context().close();
    return page;
  },

  async "a tablebase is opened and probed"() {
    const sfen = "1k1/3/1R1/1K1 b Rb 1";
    const page = await open(`?variant=dobutsu&tab=proof&sfen=${sfen.replaceAll(" ", "_")}`);
    await page.locator('input[type="file"]').setInputFiles(table);
    // One of its positions is shown at once, then the one before.
    await says(page.locator(".summary"), "Values from a tablebase");
    await page.goBack();
    await shows(page, "1l1/3/1G1/1L1 b Ge 1");
    await page.getByRole("tab", { name: "Moves" }).click();
    const { moves, value, plies } = ask(`tablebase probe ${table}`, sfen);
    await says(page.locator(".summary .badge"), valued(value, plies));
    const badges = await page.locator("td .badge").allTextContents();
    assert.deepEqual(badges, moves.map(({ value, plies }) => valued(value, plies)));
    return page;
  },

  async "of a tablebase named in the address the parts are fetched that a probe needs"() {
    const [name, sfen] = ["C1E1G2L2.tablebase", "e1l/1c1/3/LG1 b g 1"];
    const large = join(served, name);
    execFileSync(shogi, ["tablebase", "build", "dobutsu", "--class", "C1E1G2L2", "--out", large], { stdio: "ignore" });
    const query = `?variant=dobutsu&sfen=${sfen.replaceAll(" ", "_")}&file=${name}`;
    const { moves, value, plies } = ask(`tablebase probe ${large}`, sfen);
    const probed = async (page) => {
      await says(page.locator(".summary .badge"), valued(value, plies));
      const badges = await page.locator("td .badge").allTextContents();
      assert.deepEqual(badges, moves.map(({ value, plies }) => valued(value, plies)));
    };
    // This server sends all of it.
    const whole = await open(query);
    await probed(whole);
    await whole.context().close();
    const page = await open(query, ranges.url);
    await probed(page);
    await page.locator("td .move").first().click();
    await says(page.locator(".summary .badge"), valued(value === "win" ? "loss" : "win", plies - 1));
    const sent = ranges.sent(name);
    assert(sent > 0 && sent < statSync(large).size / 2, `${sent} bytes`);
    return page;
  },

  async "a game of one's own is analysed and solved in the page itself"() {
    const text = 'name = "nine"\nstart = "1k1/1p1/1K1 b - 1"\n[pieces]\nP = { front = "pawn", back = "gold" }\nK = { front = "king", royal = true }\n';
    const page = await open(`?variant=${encodeURIComponent(text)}`);
    await shows(page, "1k1/1p1/1K1 b - 1");
    await button(page, "Analyse").click();
    await says(page.locator("td.score"), "win in");
    await page.getByRole("tab", { name: "Proof" }).click();
    await button(page, "Solve this position").click();
    await says(page.locator(".files-list button"), "nine, 3x3");
    return page;
  },

  async "a game is reported on in the page itself, and the report stops"() {
    const text = 'name = "kings"\nstart = "k/1/1/K b - 1"\n[pieces]\nK = { front = "king", royal = true }\n';
    const page = await open("?variant=minishogi");
    await page.locator("#own").click();
    await button(page, "Report on the game").click();
    await page.waitForFunction(() => /: [1-9][\d,]* \/ [\d,]+ (samples|games)/.test(document.querySelector(".reported")?.textContent ?? ""));
    await button(page, "Stop the report").click();
    await page.locator("#own-text").fill(text);
    await button(page, "Report on the game").click();
    await says(page.locator(".report .winner"), "Sente wins in at most 1 ply: this is proved.");
    assert.equal(await page.locator(".report svg").count(), 3);
    return page;
  },

  async "a file that cannot be opened is named"() {
    const page = await open("?variant=dobutsu&tab=proof&file=index.html");
    await says(page.locator(".problem"), "index.html: ");
    return page;
  },
};

let failed = false;
try {
  const size = statSync(join(folder, "explore.wasm")).size;
  const started = await open("?variant=minishogi");
  const board = await started.evaluate(() => Math.round(performance.now()));
  console.log(`a module of ${size} bytes, first paint after ${await firstPaint(started)} ms, the board within ${board} ms`);
  await started.context().close();
  for (const [name, test] of Object.entries(tests)) {
    if (only && !name.includes(only)) continue;
    const begun = performance.now();
    const page = await test();
    await page.context().close();
    assert.deepEqual(problems, [], name);
    console.log(`ok: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  }
} catch (error) {
  failed = true;
  console.error(error);
  console.error(problems.join("\n"));
} finally {
  await browser.close();
  server.kill();
  ranges.close();
  rmSync(served, { recursive: true });
}
process.exit(failed ? 1 : 0);
