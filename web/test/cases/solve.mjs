// Solving: what it shows while it runs, how it stops, and what is known without it.

import assert from "node:assert/strict";

import { says, shows } from "../chromium.mjs";

/** The cases, for a page that the runner opens. */
export default ({ open, ask, table, ended }) => ({
  async "solving shows nodes, time and proof numbers, stops, and says what would help"() {
    const page = await open("?variant=minishogi&sfen=startpos&tab=proof");
    await page.getByRole("button", { name: "Solve this position" }).click();
    const progress = page.locator(".solving");
    await page.waitForFunction(() => /^Solving: [1-9][\d,]* nodes · [\d,]+ nodes\/s · \d:\d\d · proof numbers [\d,]+ \/ [\d,]+$/.test(document.querySelector(".solving")?.textContent ?? ""));
    const nodes = async () => Number(/([\d,]+) nodes ·/.exec(await progress.textContent())[1].replaceAll(",", ""));
    const before = await nodes();
    await page.waitForFunction((before) => Number(/([\d,]+) nodes ·/.exec(document.querySelector(".solving").textContent)[1].replaceAll(",", "")) > before, before);
    // By the keyboard alone.
    await page.getByRole("button", { name: "Stop solving" }).press("Enter");
    await says(page.locator(".solve .note"), "Stopped");
    await says(page.locator(".help code"), "shogi solve minishogi --sfen");
    assert.equal(await progress.count(), 0);
    await ended();
    return page;
  },

  async "3x4 shogi opens at a start that is solved within seconds"() {
    const page = await open("?variant=shogi34");
    await shows(page, "rbk/2p/P2/KBR b - 1");
    await page.locator("#tab-proof").click();
    await says(page.locator(".published"), "Sente: win in 13 plies");
    const begun = performance.now();
    await page.getByRole("button", { name: "Solve this position" }).click();
    await says(page.locator(".solve .note"), "Sente: win in at most");
    assert(performance.now() - begun < 15_000);
    await page.locator("#named-start").selectOption("RKB");
    await shows(page, "bkr/1p1/1P1/RKB b - 1");
    await page.locator(".restart").click();
    await shows(page, "rbk/2p/P2/KBR b - 1");
    return page;
  },

  async "what is published of a position is said, with the command that makes its proof"() {
    const cases = [
      ["minishogi&moves=5d5c", "Gote: win in at most 59 plies", "☖ win in at most 59 plies", "shogi proof expand docs/results/minishogi/5d5c.skeleton"],
      ["kyotoshogi", "Sente: win in at most 57 plies", "☗ win in at most 57 plies", "shogi proof expand docs/results/kyoto/start.skeleton"],
      ["dobutsu", "Gote: win in 78 plies", "☖ win in 78 plies", "shogi tablebase build dobutsu"],
    ];
    for (const [query, value, bar, command] of cases) {
      for (const tab of ["moves", "proof"]) {
        const page = await open(`?variant=${query}${query.includes("&") ? "" : "&sfen=startpos"}&tab=${tab}`);
        await says(page.locator(".published"), value);
        await says(page.locator(".published code"), command);
        if (tab === "moves") await says(page.locator(".evaluation .text"), bar);
        await page.context().close();
      }
    }
    const none = await open("?variant=minishogi");
    await none.locator(".engine").waitFor();
    assert.equal(await none.locator(".published").textContent().catch(() => ""), "");
    return none;
  },

  async "an open tablebase answers in the place of a search"() {
    const page = await open("");
    await page.locator(".files-list button").filter({ hasText: "E1G2L2.tablebase" }).click();
    await says(page.locator(".summary"), "Values from a tablebase");
    const sfen = await page.locator("#sfen").inputValue();
    const { value, plies } = ask(`tablebase probe ${table}`, sfen);
    await page.locator("#tab-proof").click();
    await page.getByRole("button", { name: "Solve this position" }).click();
    await says(page.locator(".solve .note"), "by the tablebase");
    if (value !== "draw") await says(page.locator(".solve .note"), `win in ${plies} pl`);
    return page;
  },

  async "what was not solved names the tablebase that has the value"() {
    const page = await open("?variant=dobutsu&tab=proof&moves=2c2b", { locale: "ja-JP" });
    await page.getByRole("button", { name: "この局面を解く" }).click();
    await says(page.locator(".solving"), "証明数");
    await page.getByRole("button", { name: "中止" }).click();
    await says(page.locator(".solve .note"), "中止しました");
    await says(page.locator(".help code"), "shogi tablebase build dobutsu --out dobutsu.tablebase");
    await ended();
    return page;
  },
});
