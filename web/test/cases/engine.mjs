// What is known of moves: scores, arrows, lines, mates.

import assert from "node:assert/strict";

import { says, shows, square } from "../chromium.mjs";

/** The cases, for a page that the runner opens. */
export default ({ open, ask, status }) => ({
  async "scores are Sente's, on the bar as in the list, with arrows for the best moves"() {
    // Gote, to move, is a rook down, and the search does not end before it is stopped.
    const page = await open("?variant=minishogi&sfen=1bsgk/4p/5/P4/KGSBR_w_R_1");
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.locator("tr.judged").nth(2).waitFor();
    await page.locator('.evaluation[data-known="true"]').waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await says(page.locator(".moves-table th"), "Score for Sente");
    for (const score of await page.locator("td.score").allTextContents()) {
      assert(score === "" || /^[≤≥ ]*\+|^☗/.test(score), score);
    }
    assert.equal(await page.locator(".evaluation .text").textContent(), await page.locator("tr.judged td.score").first().textContent());
    const share = await page.locator(".evaluation").evaluate((bar) => Number(bar.style.getPropertyValue("--share")));
    assert(share > 0.5, `${share}`);
    const best = await page.locator("tr.judged .move").evaluateAll((all) => all.map((one) => one.dataset.move));
    const arrows = await page.locator("[data-arrow]").evaluateAll((all) => all.map((one) => one.dataset.arrow));
    assert.deepEqual(arrows.reverse(), best.slice(0, 3));
    return page;
  },

  async "lines are walked move by move, and extended"() {
    const page = await open("?variant=minishogi");
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.locator("tr.judged .walkable .more").first().waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByRole("button", { name: "Analyse" }).waitFor();
    const row = page.locator("tr.judged").filter({ has: page.locator(".more") }).first();
    const move = await row.locator(".move").getAttribute("data-move");
    await row.locator(".more").click();
    const line = page.locator(`tr.judged:has([data-move="${move}"]) .step`);
    await page.waitForFunction((move) => !document.querySelector(`tr.judged:has([data-move="${move}"]) .more`), move);
    const texts = await line.allTextContents();
    assert(texts.length > 4, `${texts}`);
    await line.nth(1).click();
    // The rest of the line stays, so that it is walked by steps.
    await says(status(page), `3. ${texts[1]}`);
    await page.waitForFunction((count) => document.querySelectorAll(".game-moves li").length === count, texts.length + 1);
    await page.locator("#forward").click();
    await says(status(page), `4. ${texts[2]}`);
    return page;
  },

  async "a mate is named by its length and walked"() {
    const sfen = "4k/5/3PP/5/K4 b G 1";
    assert.equal(ask("mate minishogi --shortest", sfen).mate, 1);
    const page = await open(`?variant=minishogi&sfen=${sfen.replaceAll(" ", "_")}`);
    await page.getByRole("button", { name: "Find a mate" }).click();
    await says(page.locator(".mate .badge"), "mate in 1 ply");
    await page.locator("#language").click();
    await page.locator("button", { hasText: "詰みを探す" }).click();
    await says(page.locator(".mate .badge"), "一手詰");
    const line = page.locator(".mate .step").first();
    assert.match(await line.textContent(), /^▲[１-５][一-五]金/);
    await line.click();
    await says(status(page), "先手の勝ち");
    return page;
  },

  async "a game that repeats itself ends on the board"() {
    const round = ["1e1d", "5a5b", "1d1e", "5b5a"];
    const moves = [...round, ...round, ...round].join(",");
    const page = await open(`?variant=minishogi&moves=${moves}`);
    const said = ask("moves minishogi", `position startpos moves ${moves.replaceAll(",", " ")}`);
    assert.notEqual(said.end, null);
    await says(status(page), said.why);
    await says(page.locator(".panel"), "The game is over.");
    await page.locator("#back").click();
    await says(status(page), "Gote to move");
    await square(page, "5b").waitFor();
    return page;
  },
});
