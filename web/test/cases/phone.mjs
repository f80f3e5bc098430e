// A phone of 390 by 844 pixels.

import assert from "node:assert/strict";

import { says, square } from "../chromium.mjs";

/** The cases, for a page that the runner opens. */
export default ({ open, status, picture, PHONE }) => {
  const phone = { viewport: PHONE, hasTouch: true, isMobile: true };
  return {
    async "a phone shows everything without scrolling sideways"() {
      for (const variant of ["shogi", "dobutsu"]) {
        const page = await open(`?variant=${variant}`, phone);
        for (const tab of ["moves", "play", "problems", "proof", "reach", "count", "record"]) {
          await page.locator(`#tab-${tab}`).tap();
          await page.locator(`#tab-${tab}[aria-selected="true"]`).waitFor();
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          assert(width <= PHONE.width, `${variant} ${tab}: ${width}`);
        }
        await page.locator("#tab-moves").tap();
        const [from, to] = variant === "shogi" ? ["7g", "7f"] : ["2c", "2b"];
        await square(page, from).tap();
        await square(page, to).tap();
        await says(status(page), variant === "shogi" ? "1. P-7f" : "1. Px2b");
        await page.locator("#edit").tap();
        assert(await page.evaluate(() => document.documentElement.scrollWidth) <= PHONE.width, `${variant} editor`);
        await page.context().close();
      }
    },

    async "the first screen of a phone has the board and the engine"() {
      for (const [variant, locale] of [["shogi", "en-GB"], ["shogi", "ja-JP"], ["minishogi", "en-GB"], ["shogi34", "en-GB"]]) {
        const page = await open(`?variant=${variant}`, { ...phone, locale });
        await page.locator(".engine .primary").tap();
        await page.locator("tr.judged").first().waitFor();
        await page.locator(".counts").filter({ hasText: /\d/ }).waitFor();
        await page.locator(".engine .stop").tap();
        await page.locator(".engine .primary").waitFor();
        await page.evaluate(() => scrollTo(0, 0));
        const bottom = async (selector) => {
          const box = await page.locator(selector).first().boundingBox();
          return box.y + box.height;
        };
        for (const part of [".board", ".evaluation", ".tabs", ".engine", "tr.judged .move"]) {
          assert(await bottom(part) <= PHONE.height, `${variant} ${locale} ${part}: ${await bottom(part)}`);
        }
        if (variant === "shogi" && locale === "en-GB") await picture(page, "phone");
        await page.context().close();
      }
    },

    async "what is touched has at least 44 pixels each way"() {
      for (const [variant, context] of [["minishogi", phone], ["minishogi", {}]]) {
        const page = await open(`?variant=${variant}&moves=5d5c,2a3b&tab=moves`, context);
        const small = async (what) => {
          const all = await page.locator("button:visible, select:visible, input:visible, textarea:visible").evaluateAll((all) =>
            all.map((one) => ({ box: one.getBoundingClientRect(), html: one.outerHTML.slice(0, 120), line: one.matches(".step, .game-moves button") })),
          );
          // Moves in a line are as high, and as wide as their text.
          const wrong = all.filter(({ box, line }) => box.height < 43.9 || (!line && box.width < 43.9));
          assert.deepEqual(wrong.map(({ html, box }) => `${what}: ${box.width} x ${box.height} ${html}`), []);
        };
        if (context === phone) await page.locator("#menu").tap();
        for (const tab of ["moves", "play", "problems", "proof", "reach", "count", "record"]) {
          await page.locator(`#tab-${tab}`).click();
          await page.waitForTimeout(300);
          await small(tab);
        }
        await page.context().close();
      }
    },

    async "nine files have the whole width of a phone"() {
      const page = await open("?variant=shogi", phone);
      const boxes = await page.locator(".square").evaluateAll((all) => all.map((one) => one.getBoundingClientRect()));
      assert.equal(boxes.length, 81);
      // A finger needs 44 pixels, and a ninth of the width is two thirds of a pixel less.
      for (const { width, height } of boxes) assert(width > 43.2 && height > 43.2, `${width} x ${height}`);
      return page;
    },

    async "the settings of a phone are in its menu"() {
      const page = await open("?variant=minishogi&moves=5d5c", phone);
      assert.equal(await page.locator("#theme").isVisible(), false);
      await page.locator("#menu").tap();
      await page.locator("#notation").selectOption("japanese");
      await says(status(page), "1. ▲５三歩");
      // It stays open until it is closed, by the keyboard too.
      assert.equal(await page.locator("#theme").isVisible(), true);
      await page.locator("#theme").press("Escape");
      assert.equal(await page.locator("#theme").isVisible(), false);
      return page;
    },
  };
};
