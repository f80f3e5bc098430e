// The board: moves, keys, the wheel, links.

import assert from "node:assert/strict";

import { says, shows, square } from "../chromium.mjs";

/** The cases, for a page that the runner opens. */
export default ({ open, url, status, pictures, picture, searches, ended }) => ({
  async "a game is played by clicks"() {
    const page = await open("?variant=minishogi");
    for (const [from, to] of [["5d", "5c"], ["2a", "3b"], ["1e", "1d"]]) {
      await square(page, from).click();
      await says(page.locator(`[data-key="${to}"].target`), "");
      await square(page, to).click();
      await page.locator(`[data-key="${to}"].last`).waitFor();
    }
    const sfen = "rbs1k/2g1p/P4/4R/KGSB1 w - 4";
    await shows(page, sfen);
    await says(status(page), "Gote to move");
    // What is not legal is not played.
    await square(page, "5c").click();
    await square(page, "1a").click();
    assert.equal(await page.locator("#sfen").inputValue(), sfen);
    await page.locator("#back").click();
    await says(status(page), "2. G-3b");
    await page.locator("#forward").click();
    await shows(page, sfen);
    return page;
  },

  async "a piece is dragged to its square"() {
    const page = await open("?variant=dobutsu");
    await square(page, "2c").dragTo(square(page, "2b"));
    await says(status(page), "1. Px2b");
    return page;
  },

  async "a promotion is chosen by its picture"() {
    const page = await open("?variant=minishogi&sfen=4k/S4/5/5/4K_b_-_1");
    await square(page, "5b").click();
    await square(page, "5a").click();
    await page.getByRole("dialog").waitFor();
    await page.getByRole("button", { name: /^promoted silver( \+S)?, promoted$/ }).click();
    await shows(page, "+S3k/5/5/5/4K w - 2");
    // Clicks wait for the position before, also where the answer is slow.
    await page.route(/api\/diagram/, (route) => setTimeout(() => route.continue(), 300));
    await page.locator("#back").click();
    await square(page, "5b").click();
    await square(page, "5a").click();
    await page.getByRole("button", { name: "silver, not promoted" }).click();
    await shows(page, "S3k/5/5/5/4K w - 2");
    return page;
  },

  async "pieces are dropped, in Kyoto shogi with either face"() {
    const page = await open("?variant=minishogi&sfen=4k/5/5/5/4K_b_G_1");
    await page.locator('[data-held="G"]').click();
    await square(page, "3c").click();
    await shows(page, "4k/5/2G2/5/4K w - 2");
    await page.goto(`${url}?variant=kyotoshogi&sfen=2k2/5/5/5/2K2_b_P_1`);
    await page.locator('[data-held="P"]').dragTo(square(page, "5c"));
    await page.locator('.choice [data-move="R*5c"]').click();
    await shows(page, "2k2/5/R4/5/2K2 w - 2");
    return page;
  },

  async "a shared link shows the same after a reload"() {
    const page = await open("?variant=kyotoshogi");
    await square(page, "5e").click();
    await square(page, "5d").click();
    await says(status(page), "1. T-5d");
    const [address, sfen] = [page.url(), await page.locator("#sfen").inputValue()];
    // A plus in an address that was written by hand is a promoted piece.
    const promoted = await open("?variant=minishogi&sfen=+P3k/5/5/5/4K_b_-_1");
    await shows(promoted, "+P3k/5/5/5/4K b - 1");
    await promoted.context().close();
    await page.locator("#share").click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), address);
    await page.reload();
    await shows(page, sfen);
    await says(status(page), "1. T-5d");
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
    await says(status(page), "1. P-5c");
    await page.keyboard.press("[");
    await says(status(page), "Sente to move");
    await page.keyboard.press("]");
    await says(status(page), "1. P-5c");
    for (let i = 0; i < 40 && (await focused()) !== "tab-moves"; i++) await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(), "tab-play");
    await page.locator('#tab-play[aria-selected="true"]').waitFor();
    return page;
  },

  async "arrow keys and the wheel step through the game"() {
    const page = await open("?variant=minishogi&moves=5d5c,2a3b,1e1d");
    await says(status(page), "3. R-1d");
    await page.locator("body").press("ArrowLeft");
    await says(status(page), "2. G-3b");
    await page.locator("body").press("ArrowRight");
    await says(status(page), "3. R-1d");
    await square(page, "3c").hover();
    await page.mouse.wheel(0, -100);
    await says(status(page), "2. G-3b");
    await page.mouse.wheel(0, 100);
    await says(status(page), "3. R-1d");
    // At the end the wheel scrolls the page as it does elsewhere.
    await page.mouse.wheel(0, 100);
    await says(status(page), "3. R-1d");
    // In a field and on the board the arrow keys do what they do there.
    await page.locator("#sfen").press("ArrowLeft");
    await square(page, "3c").press("ArrowLeft");
    await says(status(page), "3. R-1d");
    return page;
  },

  async "a position is edited and used"() {
    const page = await open("?variant=minishogi");
    await page.getByRole("button", { name: "Edit the position" }).click();
    const edit = (key) => page.locator(`[data-key="edit ${key}"]`);
    await page.getByRole("button", { name: "Clear the board" }).click();
    const palette = page.getByRole("group", { name: "Pieces to put on the board" });
    const put = async (name, ...places) => {
      const piece = palette.getByRole("button", { name });
      await piece.click();
      for (const place of places) await edit(place).click();
      await piece.click();
    };
    await put("Sente king", "1e");
    await put("Gote king", "5a");
    // Its letters stand behind the name where they are what is drawn.
    await put(/^Sente tokin( \+P)?$/, "3c", "4c");
    // Picked up and put down; taken away; into the hands, and out again.
    await edit("3c").click();
    await edit("3b").click();
    await page.getByRole("button", { name: "Erase" }).click();
    await edit("4c").click();
    await page.getByRole("button", { name: "Erase" }).click();
    for (let i = 0; i < 2; i++) await edit("sente*G").click();
    await edit("gote*P").click();
    await page.getByRole("combobox", { name: "To move" }).selectOption("gote");
    if (pictures) await picture(page, "editor");
    await page.getByRole("button", { name: "Use this position" }).click();
    await shows(page, "k4/2+P2/5/5/4K w 2Gp 1");
    // What is left undone changes nothing.
    await page.getByRole("button", { name: "Edit the position" }).click();
    await page.getByRole("button", { name: "Clear the board" }).click();
    await page.keyboard.press("Escape");
    await shows(page, "k4/2+P2/5/5/4K w 2Gp 1");
    await page.getByRole("gridcell", { name: /^3b, Sente tokin( \+P)?$/ }).waitFor();
    // A variant with letters of its own, and a piece that no hand holds.
    const animals = await open("?variant=dobutsu");
    await animals.getByRole("button", { name: "Edit the position" }).click();
    assert.equal(await animals.locator('.hand [data-key^="edit sente*"]').count(), 3);
    await animals.locator('[data-key="edit gote*G"]').click();
    await animals.getByRole("button", { name: "Use this position" }).click();
    await shows(animals, "gle/1c1/1C1/ELG b g 1");
    await animals.context().close();
    return page;
  },

  async "a position is typed in any form, and places in it count from its first character"() {
    const page = await open("?variant=minishogi");
    const type = async (text) => {
      await page.locator("#sfen").fill(text);
      await page.locator(".sfen-form button").click();
    };
    const wrong = page.locator(".problem");
    await type("KBR");
    await says(wrong, "at character 4:");
    await type("position sfen rbsgk/4x/5/P4/KGSBR b - 1");
    await says(wrong, "at character 22: no piece has the letter 'x'");
    await type("startpos moves 5d5c 5d5c");
    await says(wrong, "move 2");
    await type("startpos moves 5d5c 2a3b");
    await says(status(page), "2. G-3b");
    await page.locator("#back").click();
    await type("sfen rbsgk/4p/5/P4/KGSBR b - 1 moves 1e1d");
    await says(status(page), "1. R-1d");
    await type("4k/5/5/5/4K b G 1");
    await shows(page, "4k/5/5/5/4K b G 1");
    return page;
  },

  async "starts of 3x4 shogi are chosen by name"() {
    const page = await open("?variant=shogi34");
    await page.locator("#named-start").selectOption("KBR");
    await shows(page, "rbk/2p/P2/KBR b - 1");
    await page.waitForFunction(() => document.querySelector("#named-start").value === "KBR");
    await page.locator("#named-start").selectOption("GKS");
    await shows(page, "skg/1p1/1P1/GKS b - 1");
    const other = await open("?variant=minishogi");
    assert.equal(await other.locator("#named-start").count(), 0);
    await other.context().close();
    return page;
  },
});
