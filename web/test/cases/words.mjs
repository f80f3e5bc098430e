// Notations, languages, colours, and what a screen reader hears.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

import { build } from "esbuild";

import { says, shows, square } from "../chromium.mjs";

/** A part of the page, as the browser runs it. */
async function bundled(name) {
  const source = fileURLToPath(new URL(`../../src/${name}`, import.meta.url));
  const { outputFiles } = await build({ entryPoints: [source], bundle: true, format: "esm", write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString("base64")}`);
}

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The cases, for a page that the runner opens. */
export default ({ open, refused, proof, status, picture, PHONE }) => ({
  async "one notation is written everywhere"() {
    const page = await open("?variant=minishogi&tab=reach&moves=5d5c,2a3b");
    const edges = async () => [await page.locator(".files").innerText(), await page.locator(".ranks").innerText()].map((text) => text.replace(/\s/g, ""));
    const texts = { japanese: ["▲５三歩", "△３二金"], western: ["P-5c", "G-3b"], usi: ["5d5c", "2a3b"] };
    for (const [notation, [first, second]] of Object.entries(texts)) {
      await page.locator("#notation").selectOption(notation);
      await says(status(page), `2. ${second}`);
      assert.deepEqual(await page.locator(".game-moves button").allTextContents(), [`1. ${first}`, `2. ${second}`]);
      await says(page.locator(".game .step"), first);
      assert.deepEqual(await edges(), notation === "japanese" ? ["５４３２１", "一二三四五"] : ["54321", "abcde"]);
      const cell = notation === "japanese" ? "３二" : "3b";
      await page.getByRole("gridcell", { name: `${cell}, Gote gold` }).waitFor();
    }
    // The choice stays, in another language too.
    await page.locator("#language").click();
    await page.reload();
    await says(status(page), "2. 2a3b · 先手番");
    await page.locator("#tab-moves").click();
    await says(page.locator(".summary"), "合法手 16手");
    return page;
  },

  async "the language chooses the notation until somebody does"() {
    const page = await open("?variant=minishogi&moves=5d5c", { locale: "ja-JP" });
    await says(status(page), "1. ▲５三歩 · 後手番");
    await page.locator("#language").click();
    await says(status(page), "1. P-5c · Gote to move");
    return page;
  },

  async "reasons are in Japanese on a Japanese page"() {
    const page = await open("?variant=minishogi", { locale: "ja-JP" });
    const type = async (text, expected) => {
      await page.locator("#sfen").fill(text);
      await page.locator(".sfen-form button").click();
      await says(page.locator(".problem"), expected);
      assert.doesNotMatch((await page.locator(".problem").textContent()).replace(/「[^」]*」|[a-z]〜[a-z]|b か w|sfen|startpos/g, ""), /[a-z]{2}/i);
    };
    await type("KBR", "4文字目: 段には5升が必要です");
    await type("rbsgk/4x/5/P4/KGSBR b - 1", "8文字目: 「x」という文字の駒はありません");
    await type("rbsgk/4p/5/P4/KGSBR x - 1", "手番は b か w です");
    await type("rbsgk/4p/5/P4/KGSBR b - 0", "手数は 1 以上の整数です");
    await type("startpos moves 5d5b", "1手目「5d5b」: 不正な手: その駒はそこへ動けません");
    await type("startpos moves 9z", "1手目「9z」: 1文字目: 升は筋");
    await page.locator("#sfen").fill("4k/4R/5/5/4K b - 1");
    await page.locator(".sfen-form button").click();
    await says(page.locator(".panel .note.bad"), "不正な局面: 手番でない側の玉に王手がかかっています");
    await page.locator("#tab-count").click();
    await page.locator(".restart").click();
    await page.getByRole("textbox", { name: "番号" }).fill("99999999999999999999999");
    await page.locator(".panel form button").click();
    await says(page.locator(".panel .note.bad"), "範囲外です");
    await page.locator("#tab-record").click();
    await page.locator("textarea").fill("手合割：5五将棋\n   1 ５五歩(54)\n   2 ３二金(21)\n");
    await page.getByRole("button", { name: "読み込む" }).click();
    await says(page.locator(".note.bad"), "2行6文字目: 5d5e は不正な手です");
    return page;
  },

  async "what the program refuses has words in Japanese"() {
    const { japanese } = await bundled("errors.ts");
    const start = "rbsgk/4p/5/P4/KGSBR";
    const lines = {
      "moves minishogi": [
        "KBR", `${start}/5 b - 1`, "rbsgk/4p/5/P4/KGSBx b - 1", "rbsgk/4p/5/+G4/KGSBR b - 1", start, `${start} b`, `${start} x - 1`, `${start} b 0P 1`,
        `${start} b K 1`, `${start} b PP 1`, `${start} b - 0`, `${start} b - 1 x`, "startpos moves 9z", "startpos moves X*3c", "startpos moves 5d5c5",
        "startpos moves 5d5b", "startpos moves 3c3b", "startpos moves P*3c", "4k/5/4P/5/4K b P 1 moves P*1b", "4k/P4/5/5/4K b - 1 moves 5b5a",
        "4k/4r/5/5/4K b G 1 moves G*5a", "position 5d5c moves 5d5c", "4k/4R/5/5/4K b - 1", "4k/P4/P4/5/4K b - 1", "P3k/5/5/5/4K b - 1", "5/5/5/5/4K b - 1",
        "4k/5/5/5/KK3 b - 1", "RRR1k/5/5/5/4K b - 1",
      ],
      "rank minishogi": ["4k/5/5/5/4K b - 1", `${start} w - 1`],
      "rank minishogi --order king-legal": ["4k/4R/5/5/4K b - 1", "rbsgk/4p/5/P4/1GSBRK b - 1"],
      "unrank minishogi": ["x", "99999999999999999999999", "9".repeat(400)],
      "classify minishogi": ["4k/5/5/5/4K b - 1"],
      "mate minishogi": ["5/5/5/5/4K b - 1"],
      [`proof walk ${proof}`]: ["root 1a1b"],
    };
    const untranslated = [];
    let count = 0;
    for (const [verb, all] of Object.entries(lines)) for (const line of all) {
      const reason = refused(verb, line);
      if (reason === undefined) continue;
      count += 1;
      // What was typed, letters of pieces and words of SFEN are the same in both languages.
      const words = japanese(reason).replace(/「[^」]*」|[a-z]〜[a-z]|b か w|sfen|startpos|\b[A-Z]\b/g, "");
      if (/[a-z]{2}/i.test(words)) untranslated.push(`${verb}: ${line}: ${reason}`);
    }
    assert.deepEqual(untranslated, []);
    assert(count > 30, `${count} refusals`);
  },

  async "pieces have something on them whatever fonts there are"() {
    const page = await open("?variant=shogi&sfen=4k4/9/9/9/9/9/9/9/+P+L+N+SK+B+R2_b_-_1");
    await page.locator(".board .piece").first().waitFor();
    const texts = await page.locator(".board .piece text").evaluateAll((all) => {
      /** How a character looks, in the fonts of this text. */
      const picture = (text, family) => {
        const context = Object.assign(document.createElement("canvas"), { width: 40, height: 40 }).getContext("2d");
        context.font = `24px ${family}`;
        context.fillText(text, 4, 30);
        return context.getImageData(0, 0, 40, 40).data.join();
      };
      return all.map((one) => {
        const { fontFamily } = getComputedStyle(one);
        const absent = picture("\u{10FFFD}", fontFamily);
        const blank = picture(" ", fontFamily);
        const seen = [...one.textContent].every((character) => ![absent, blank].includes(picture(character, fontFamily)));
        return [one.textContent, seen];
      });
    });
    assert.equal(texts.length, 8);
    for (const [text, seen] of texts) assert(seen, `nobody sees ${text}`);
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
    await page.getByRole("gridcell", { name: "２四, 先手 獅" }).waitFor();
    await page.getByRole("tab", { name: "指し手" }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), "ja");
    return page;
  },

  async "axe-core finds nothing, in any tab, on a desktop and on a phone"() {
    for (const context of [{}, { colorScheme: "dark" }, { viewport: PHONE, hasTouch: true, isMobile: true }]) {
      // Letters on the pieces, some of them two, and several pieces in hand.
      const page = await open("?variant=minishogi&sfen=4k/4p/2+R2/5/4K_b_2GSr_1&tab=proof", context);
      if (context.colorScheme) await page.locator("#pieces").click();
      const check = async (what) => {
        await page.evaluate(AXE);
        const { violations } = await page.evaluate(() => window.axe.run());
        assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(" | ")}`), [], what);
      };
      for (const tab of ["moves", "play", "problems", "proof", "reach", "count", "record"]) {
        await page.locator(`#tab-${tab}`).click();
        await page.waitForTimeout(300);
        await check(`${tab} ${JSON.stringify(context)}`);
      }
      await page.goto(page.url().replace(/\?.*/, "?variant=minishogi&moves=5d5c,2a3b"));
      await page.locator(".engine .primary").click();
      await page.locator("tr.judged .more").first().waitFor();
      await page.locator(".engine .stop").click();
      await page.locator(".engine .primary").waitFor();
      await check(`engine ${JSON.stringify(context)}`);
      await page.goto(page.url().replace(/\?.*/, "?variant=minishogi&tab=play"));
      await page.getByRole("button", { name: "New game" }).click();
      await says(page.locator(".play-panel .note"), "It is your turn.");
      await check(`game ${JSON.stringify(context)}`);
      await page.getByRole("button", { name: "Resign" }).click();
      await says(page.locator(".result"), "Gote wins");
      await check(`end of a game ${JSON.stringify(context)}`);
      await page.goto(page.url().replace(/\?.*/, "?variant=minishogi&tab=problems"));
      await page.locator("[data-problem]").first().click();
      await page.locator('.verdict[data-stage="asked"]').waitFor();
      await check(`problem ${JSON.stringify(context)}`);
      await page.goto(page.url().replace(/\?.*/, `?variant=minishogi&tab=reach&sfen=${encodeURIComponent("1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1_b_-_1")}`));
      await page.locator("[data-stage]").waitFor();
      await check(`unreachable ${JSON.stringify(context)}`);
      await page.locator("#edit").click();
      await check(`editor ${JSON.stringify(context)}`);
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
    await page.locator(".problem").filter({ hasText: /\w/ }).waitFor();
    await page.locator(".restart").click();
    await shows(page, "rbsgk/4p/5/P4/KGSBR b - 1");
    // A position that breaks the rules is shown, and that it does.
    await page.locator("#sfen").fill("4k/4R/5/5/4K b - 1");
    await page.locator(".sfen-form button").click();
    await says(status(page), "no legal position");
    await square(page, "1b").waitFor();
    return page;
  },
});
