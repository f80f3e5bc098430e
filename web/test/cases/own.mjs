// Games of one's own: texts that are pasted, opened and linked to.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { says, shows, square } from "../chromium.mjs";

/** Two kings on one file. */
const KINGS = 'name = "kings"\nstart = "k/1/1/K b - 1"\n[pieces]\nK = { front = "king", royal = true }\n';
const YARI = fileURLToPath(new URL("../../../variants/yarishogi.toml", import.meta.url));

/** Waits until the variant is called so. */
const called = (page, title) => page.waitForFunction((title) => document.querySelector("#variant")?.selectedOptions[0]?.text.includes(title), title);

/** The cases, for a page that the runner opens. */
export default ({ open, status, ended }) => ({
  async "a game that is built in as a text is played"() {
    const page = await open("?variant=torishogi");
    await called(page, "Tori shogi, 7x7");
    await page.getByRole("gridcell", { name: "5e, Sente 燕" }).waitFor();
    await square(page, "5e").click();
    await square(page, "5d").click();
    await says(status(page), "Gote to move");
    await page.getByRole("button", { name: "Analyse" }).click();
    await page.locator("td.score").first().waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    return page;
  },

  async "a text is pasted, mended and played, and a link shows it"() {
    const page = await open("?variant=minishogi");
    await page.locator("#own").click();
    // The text of the game looked at is there to be changed.
    const text = await page.locator("#own-text").inputValue();
    assert.match(text, /^name = "minishogi"\n/);
    await page.locator("#own-text").fill(`${readFileSync(YARI, "utf8").replace("zone", "zonne")}[moves]\ndead_end = "maybe"\n`);
    await page.locator("#own-use").click();
    await says(page.locator(".problems li").nth(0), 'line 6, promotion.zonne: there is no such key; did you mean "zone"?');
    await says(page.locator(".problems li").nth(1), "moves.dead_end: ");
    await page.locator("#own-text").fill(readFileSync(YARI, "utf8"));
    await page.locator("#own-use").click();
    await called(page, "Yari shogi, 7x9");
    assert.equal(await page.locator("dialog").count(), 0);
    await shows(page, "rnnkbbr/7/ppppppp/7/7/7/PPPPPPP/7/RBBKNNR b - 1");
    await square(page, "7g").click();
    await square(page, "7f").click();
    await shows(page, "rnnkbbr/7/ppppppp/7/7/P6/1PPPPPP/7/RBBKNNR w - 2");
    // Its pieces have letters, for there are no kanji in the file.
    assert.equal(await square(page, "5i").locator("text").textContent(), "B");
    const again = await open(new URL(page.url()).search);
    await called(again, "Yari shogi, 7x9");
    await shows(again, "rnnkbbr/7/ppppppp/7/7/P6/1PPPPPP/7/RBBKNNR w - 2");
    await again.context().close();
    await page.locator("#variant").selectOption("judkins");
    await called(page, "Judkins shogi");
    await page.goBack();
    await called(page, "Yari shogi, 7x9");
    return page;
  },

  async "a board of more than nine files is played on"() {
    const page = await open("?variant=minishogi");
    await page.locator("#own").click();
    await page.locator("#own-text").fill(`name = "wide"
title = "Wide shogi"
start = "k11/12/11K b G 1"
promotion.zone = 1
pieces = { G = { front = "gold" }, K = { front = "king", royal = true } }`);
    await page.locator("#own-use").click();
    await called(page, "Wide shogi");
    await page.locator('[data-key="sente*G"]').click();
    await square(page, "10b").click();
    await square(page, "12a").click();
    await square(page, "12b").click();
    await shows(page, "12/k1G9/11K b - 3");
    await square(page, "10b").click();
    await square(page, "11a").click();
    await shows(page, "1G10/k11/11K w - 4");
    return page;
  },

  async "a file is opened, and kanji that it names are drawn"() {
    const page = await open("?variant=dobutsu");
    await page.locator("#own").click();
    assert.match(await page.locator("#own-text").inputValue(), /^name = "dobutsu"\n[^]*into_check = "legal"/);
    const text = readFileSync(YARI, "utf8").replace('R = { front = "slide F L R"', 'R = { kanji = "槍", front = "slide F L R"');
    await page.locator('dialog input[type="file"]').setInputFiles({ name: "yari.toml", mimeType: "text/plain", buffer: Buffer.from(text) });
    await page.waitForFunction(() => document.querySelector("#own-text").value.includes("槍"));
    await page.locator("#own-use").click();
    await page.getByRole("gridcell", { name: "7i, Sente 槍" }).waitFor();
    // In letters where no font here has the kanji.
    const inKanji = (await square(page, "7i").locator("svg").getAttribute("class")).includes("in-kanji");
    assert.equal(await square(page, "7i").locator("text").textContent(), inKanji ? "槍" : "R");
    await page.locator("#pieces").click();
    assert.equal(await square(page, "7i").locator("text").textContent(), "R");
    await page.getByRole("tab", { name: "Proof" }).click();
    await page.locator("#own").click();
    // The dialog opens when the text has come.
    await page.locator("#own-text").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("dialog").waitFor({ state: "detached" });
    return page;
  },

  async "a game is reported on, and the report stops and is saved"() {
    const page = await open("?variant=minishogi");
    await page.locator("#own").click();
    // By the keyboard alone.
    await page.getByRole("button", { name: "Report on the game" }).press("Enter");
    await page.waitForFunction(() => /: [1-9][\d,]* \/ [\d,]+ (samples|games)/.test(document.querySelector(".reported")?.textContent ?? ""));
    await page.getByRole("button", { name: "Stop the report" }).press("Enter");
    assert.equal(await page.locator(".reported > *").count(), 0);
    await ended();
    await page.locator("#own-text").fill("name = 7\n");
    await page.getByRole("button", { name: "Report on the game" }).click();
    await says(page.locator(".problems li").first(), "line 1");
    await page.locator("#own-text").fill(KINGS);
    await page.getByRole("button", { name: "Report on the game" }).click();
    await says(page.locator(".report .winner"), "Sente wins in at most 1 ply: this is proved.");
    assert.deepEqual([await page.locator(".report svg").count(), await page.locator(".problems").isVisible()], [3, false]);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the report" }).click();
    assert.equal((await saved).suggestedFilename(), "kings.html");
    return page;
  },

  async "a link to a text that is none says so"() {
    const page = await open(`?variant=${encodeURIComponent('name = "broken"\nstart = "9/9 b - 1"\n')}`);
    await says(page.locator(".problem"), "line ");
    await called(page, "Minishogi");
    return page;
  },
});
