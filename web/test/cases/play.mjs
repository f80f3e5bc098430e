// Playing and solving problems on the page.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { spawnSync } from "node:child_process";

import { says, square } from "../chromium.mjs";
import { move, playToTheEnd } from "../games.mjs";

const button = (page, name) => page.getByRole("button", { name, exact: true });
const made = (page, count) => page.waitForFunction((count) => document.querySelectorAll(".game-moves li").length === count, count);

/** The cases, for a page that the runner opens. */
export default ({ open, ask, status, shogi, variants, picture, PHONE }) => ({
  async "a game against the computer is played by the keyboard alone, with a hint, and taken back"() {
    const page = await open("?variant=minishogi&tab=play");
    await page.locator("#players").focus();
    await page.locator("#level").selectOption("2");
    await button(page, "New game").press("Enter");
    await says(page.locator(".play-panel .note"), "It is your turn.");
    await button(page, "Hint").press("Enter");
    const hinted = await page.locator(".hint-text").getAttribute("data-move");
    assert(ask("moves minishogi", "startpos").moves.includes(hinted), hinted);
    await says(page.locator(".hint-text"), "Evaluation");
    // The focus walks from the hint's button to the board by Shift and Tab; the board is walked by arrows.
    await square(page, "5d").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await made(page, 2);
    await says(page.locator(".play-panel .note"), "It is your turn.");
    await says(status(page), "2. ");
    await button(page, "Take back").press("Enter");
    await made(page, 0);
    await says(page.locator(".play-panel .note"), "It is your turn.");
    return page;
  },

  async "the computer begins where the person plays Gote, whose side of the board is turned"() {
    const page = await open("?variant=dobutsu&tab=play");
    await page.locator("#players").selectOption("gote");
    await button(page, "New game").click();
    await made(page, 1);
    assert.equal(await page.locator("#flip").getAttribute("aria-pressed"), "true");
    await says(page.locator(".player").last(), "level 3");
    await page.locator("#back").click();
    await says(page.locator(".play-panel .note"), "An earlier position is shown");
    await page.locator("#last").click();
    await says(page.locator(".play-panel .note"), "It is your turn.");
    return page;
  },

  async "a game that is resigned says so, is shared as an address and saved as a record"() {
    const page = await open("?variant=minishogi&tab=play");
    await page.locator("#level").selectOption("1");
    await button(page, "New game").click();
    await square(page, "5d").click();
    await square(page, "5c").click();
    await made(page, 2);
    await button(page, "Resign").click();
    await says(page.locator(".result"), "Gote wins (resignation: Sente)");
    await says(status(page), "Gote wins (resignation: Sente)");
    await page.locator(".saving").getByRole("button", { name: "Copy link" }).click();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(address, /end=resignation-sente/);
    const coming = page.waitForEvent("download");
    await button(page, "Save").click();
    const kif = readFileSync(await (await coming).path(), "utf8");
    assert.match(kif, /^手合割：5五将棋\n/);
    assert.match(kif, /先手：You\n後手：shogi, level 1\n/);
    assert.match(kif, /\n +3 投了/);
    const { stdout } = spawnSync(shogi, ["convert", "minishogi", "-", "--to", "json"], { input: kif });
    const read = JSON.parse(stdout.toString());
    assert.equal(read.moves[0].move, "5d5c");
    assert.equal(read.end.how, "resignation");
    assert.equal(read.end.winner, "gote");
    // The game goes on where the end is taken back.
    await button(page, "Take back").click();
    await says(page.locator(".play-panel .note"), "It is your turn.");
    const shared = await open(`?${address.split("?")[1]}`);
    await says(status(shared), "Gote wins (resignation: Sente)");
    await says(shared.locator(".result"), "Gote wins");
    await shared.locator("#first").click();
    await says(status(shared), "Sente to move");
    await shared.context().close();
    return page;
  },

  async "two people play on one board, and a clock that runs down ends the game"() {
    const page = await open("?variant=minishogi&tab=moves", { locale: "ja-JP" });
    await page.clock.install();
    await page.locator("#tab-play").click();
    await page.locator("#players").selectOption("both");
    assert(await page.locator("#level").isDisabled());
    await page.locator("#clock").selectOption({ label: "10 秒 (一手)" });
    await page.getByRole("button", { name: "対局開始" }).click();
    for (const [from, to] of [["5d", "5c"], ["2a", "3b"]]) {
      await square(page, from).click();
      await square(page, to).click();
      await page.clock.runFor(2_000);
    }
    await made(page, 2);
    await page.clock.runFor(12_000);
    await says(page.locator(".result"), "後手の勝ち (時間切れ: 先手)");
    assert.match(page.url(), /end=time-sente/);
    return page;
  },

  async "a game of every variant is played to its end, by the rule that the program names"() {
    for (const variant of variants) {
      const page = await open(`?variant=${variant}&tab=play`, variant === "kyotoshogi" ? { viewport: PHONE, hasTouch: true, isMobile: true } : {});
      const said = await playToTheEnd(page, variant, ask);
      if (variant === "minishogi") await picture(page, "play");
      console.log(`    ${variant}: ${said}`);
      await page.context().close();
    }
  },

  async "a mate is solved on the board, each move judged at once"() {
    const page = await open("?variant=minishogi&tab=problems");
    const first = page.locator('[data-plies="3"]').first();
    await first.press("Enter");
    // The problem has to be on the board before its text is read.
    await page.locator('.verdict[data-stage="asked"]').waitFor();
    const sfen = await page.locator("#sfen").inputValue();
    const { mate, pv } = ask("mate minishogi --tsume", sfen);
    assert.equal(mate, 3);
    await says(page.locator(".panel strong"), "mate in 3 plies");
    // A move that is no check, or a check that does not mate, is wrong.
    const { moves } = ask("moves minishogi", sfen);
    const wrong = moves.find((move) => move !== pv[0] && !move.includes("*") && !move.endsWith("+") && moves.filter((one) => one.startsWith(move)).length === 1);
    if (wrong) {
      await square(page, wrong.slice(0, 2)).click();
      await square(page, wrong.slice(2, 4)).click();
      await says(page.locator(".verdict .note"), "Wrong");
      await button(page, "Try again").click();
      await page.locator('.verdict[data-stage="asked"]').waitFor();
    }
    for (const known of [pv[0], undefined]) {
      // The defender answers by itself.
      await page.locator('.verdict[data-stage="asked"]').waitFor();
      const line = await page.locator(".game-moves li").count();
      const usi = known ?? ask("mate minishogi --tsume", await page.locator("#sfen").inputValue()).pv[0];
      await move(page, usi);
      await made(page, line === 0 ? 2 : 3);
    }
    await says(page.locator(".verdict .note"), "Solved: checkmate.");
    assert.equal(await page.locator("[data-solved]").count(), 1);
    await button(page, "Next problem").click();
    await page.locator('.verdict[data-stage="asked"]').waitFor();
    await button(page, "Show the solution").click();
    await page.locator("#last").click();
    await says(status(page), "Sente wins (checkmate)");
    await picture(page, "problems");
    return page;
  },

  async "every game of mates has problems, and one without says so"() {
    for (const variant of variants) {
      if (variant === "dobutsu") {
        const page = await open("?variant=dobutsu&tab=problems");
        await says(page.locator(".panel"), "There are no problems for this game");
        await page.context().close();
        continue;
      }
      const page = await open(`?variant=${variant}&tab=problems`, { locale: "ja-JP" });
      await page.locator('[data-plies="1"]').first().click();
      await says(page.locator(".panel strong"), "一手詰");
      await says(page.locator(".verdict"), "詰ませてください");
      await page.context().close();
    }
  },
});
