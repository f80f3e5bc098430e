// The tabs: files, proofs, reachability, numbers, records.

import assert from "node:assert/strict";

import { says, shows, square } from "../chromium.mjs";

const plural = (plies) => (plies === 1 ? "1 ply" : `${plies} plies`);
const valued = (value, plies) => (plies === null ? value : `${value} ${plural(plies)}`);

/** The cases, for a page that the runner opens. */
export default ({ open, url, ask, proof, table, status, picture }) => ({
  async "a tablebase is probed"() {
    const sfen = "1k1/3/1R1/1K1 b Rb 1";
    const page = await open(`?variant=dobutsu&sfen=${sfen.replaceAll(" ", "_")}`);
    const { moves, value, plies } = ask(`tablebase probe ${table}`, sfen);
    await says(page.locator(".summary"), "Values from a tablebase");
    await says(page.locator(".summary .badge"), valued(value, plies));
    const shown = await page.locator("td .move").evaluateAll((all) => all.map((one) => one.dataset.move));
    assert.deepEqual(shown, moves.map(({ move }) => move));
    const badges = await page.locator("td .badge").allTextContents();
    assert.deepEqual(badges, moves.map(({ value, plies }) => (valued(value, plies))));
    await picture(page, "moves-tablebase");
    return page;
  },

  async "the proof of KBR is walked"() {
    const page = await open("?variant=shogi34&tab=proof");
    const root = ask(`proof walk ${proof}`, "root");
    await shows(page, root.sfen);
    await page.locator(`.answer[data-move="${root.move}"]`).waitFor();
    await says(page.locator(".walk"), `${plural(root.rank)}`);
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
    await page.locator(".panel input[type=text]").fill(root.sfen);
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
    // The same position, numbered by the 34 moves of the game.
    await shows(page, sfen.replace(/1$/, "35"));
    const closed = "1gp2/+r+b+s2/1+rk2/+p1+b2/K1Sg1 b - 1";
    await page.goto(`${url}?variant=minishogi&tab=reach&sfen=${encodeURIComponent(closed.replaceAll(" ", "_"))}`);
    await says(page.locator('[data-stage="unreachable"]'), "8 plies");
    const { certificate } = ask("classify minishogi --certificate", closed);
    await page.locator(".positions .sfen").first().click();
    await shows(page, certificate.predecessors[0][0]);
    return page;
  },

  async "a position is reachable whichever mirror image it is and whoever is to move"() {
    const positions = [
      ["kgsbr/p4/5/4P/RBSGK b - 1", "flip", true, "Yes, reachable"],
      ["kgsbr/p4/4P/5/RBSGK w - 1", "flip", true, "Yes, reachable"],
      ["rbsgk/4p/P4/5/KGSBR w - 1", "ok", true, "Reachable"],
      ["k4/R4/5/5/K4 b R2B2S2G2P 1", "king", false, "King in danger"],
    ];
    for (const [sfen, stage, reachable, title] of positions) {
      const page = await open(`?variant=minishogi&tab=reach&sfen=${encodeURIComponent(sfen.replaceAll(" ", "_"))}`);
      const verdict = page.locator(`[data-stage="${stage}"][data-reachable="${reachable}"]`);
      await says(verdict, title);
      await says(page.locator(".panel h2"), "Can a game reach this position?");
      if (reachable) {
        // The game leads to this very position, whichever of two mirror images it is and whoever is to move.
        await page.getByRole("button", { name: "Follow the game" }).click();
        await page.locator("#last").click();
        await page.waitForFunction((board) => document.querySelector("#sfen").value.startsWith(board), sfen.replace(/\d+$/, ""));
      }
      await page.context().close();
    }
  },

  async "a position with Gote to move has the number of the exchanged one, and a mirror image that of the other"() {
    for (const [sfen, image] of [["rbsgk/4p/P4/5/KGSBR w - 1", "rankExchanged"], ["kgsbr/p4/5/4P/RBSGK b - 1", "rankMirrored"], ["kgsbr/p4/5/4P/RBSGK w - 1", "rankBoth"]]) {
      const page = await open(`?variant=minishogi&tab=count&sfen=${encodeURIComponent(sfen.replaceAll(" ", "_"))}`);
      await page.locator(`[data-rank="${ask("rank minishogi", sfen).rank}"]`).waitFor();
      await page.locator(`[data-image="${image}"]`).waitFor();
      assert.equal(await page.locator(".panel .note.bad:not([role=alert])").count(), 0);
      await page.context().close();
    }
  },

  async "positions are numbered, found by number and drawn"() {
    const page = await open("?variant=minishogi&tab=count");
    const { rank } = ask("rank minishogi", "startpos");
    await page.locator(`[data-rank="${rank}"]`).waitFor();
    await says(page.locator(".size"), "of 16,014,219,505,238,849,250");
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
    await says(status(page), "3. R-1d");
    await page.locator("#first").click();
    await page.locator("#forward").click();
    await says(page.locator("blockquote"), "よい手");
    await picture(page, "record");
    await page.getByLabel("Format").selectOption("usi");
    await page.locator(".panel .buttons").last().getByRole("button", { name: "Show" }).click();
    await page.waitForFunction(() => document.querySelector("textarea").value.includes("5d5c 2a3b 1e1d"));
    await page.locator("textarea").fill("   1 ５五歩(54)\n   2 ３二金(21)\n");
    await page.getByRole("button", { name: "Read" }).click();
    await says(page.locator(".note.bad"), "line 1");
    return page;
  },

  async "files show their root at once, are listed, and more are opened and made"() {
    // Without an address of its own the page shows the first file.
    const page = await open("");
    await shows(page, ask(`proof walk ${proof}`, "root").sfen);
    await page.locator('#tab-proof[aria-selected="true"]').waitFor();
    const names = () => page.locator(".files-list strong").allTextContents();
    assert.deepEqual(await names(), ["kbr.proof", "E1G2L2.tablebase"]);
    // A tablebase shows a position that it has.
    await page.locator(".files-list button").last().click();
    await says(page.locator(".summary"), "Values from a tablebase");
    assert.equal(await page.locator("#variant").inputValue(), "dobutsu");
    await page.locator("#tab-proof").click();
    await page.locator('input[type="file"]').setInputFiles(proof);
    await page.locator(".answer").waitFor();
    assert.deepEqual(await names(), ["kbr.proof", "E1G2L2.tablebase", "kbr.proof"]);
    const small = await open("?variant=shogi34&tab=proof&sfen=rkr/1p1/1P1/RKR_b_-_1");
    await small.getByRole("button", { name: "Solve this position" }).click();
    await says(small.locator(".note"), "Sente: win in at most");
    await small.locator(".answer").waitFor();
    await small.getByRole("button", { name: "Check it" }).click();
    await says(small.locator(".note.good"), "it holds");
    await small.context().close();
    return page;
  },

  async "a game just played is its own certificate, and predecessors are walked"() {
    const page = await open("?variant=minishogi&tab=reach&moves=5d5c,2a3b");
    await page.locator('[data-certificate="ownGame"][data-moves="2"]').waitFor();
    await page.locator('.game [data-step="1"]').click();
    await says(status(page), "1. P-5c");
    await page.locator('[data-certificate="ownGame"][data-moves="1"]').waitFor();
    await page.locator("#last").click();
    await page.locator('[data-certificate="ownGame"][data-moves="2"]').waitFor();
    const sfen = await page.locator("#sfen").inputValue();
    const shown = page.locator(".positions [data-move]");
    assert.equal(await shown.count(), ask("unmoves minishogi", sfen).predecessors.length);
    // Two steps back: the line grows at its beginning and leads back here.
    for (let i = 1; i <= 2; i++) {
      const before = await page.locator("#sfen").inputValue();
      await shown.first().click();
      await page.waitForFunction((before) => document.querySelector("#sfen").value !== before, before);
      await page.waitForFunction((i) => document.querySelectorAll(".game-moves li").length === i, i);
    }
    await page.locator("#last").click();
    await shows(page, sfen);
    return page;
  },

  async "long lists are whole once they are asked for"() {
    const sfen = "4k/5/2G2/5/K4 w RBSPrbsgp 1";
    const { predecessors } = ask("unmoves minishogi", sfen);
    assert(predecessors.length > 60, `${predecessors.length}`);
    const page = await open(`?variant=minishogi&tab=reach&sfen=${sfen.replaceAll(" ", "_")}`);
    await says(page.locator(".cut"), `60 / ${predecessors.length} shown`);
    await page.getByRole("button", { name: `Show all (${predecessors.length})` }).click();
    await page.waitForFunction((count) => new Set([...document.querySelectorAll(".positions .quiet")].map((one) => one.textContent)).size === count, predecessors.length);
    assert.equal(await page.locator(".cut").count(), 0);
    return page;
  },

  async "only orders that a variant has are offered"() {
    for (const [variant, count] of [["minishogi", 3], ["dobutsu", 2]]) {
      const page = await open(`?variant=${variant}&tab=count`);
      await page.locator("[data-rank]").waitFor();
      const orders = page.locator(".panel select option");
      assert.equal(await orders.count(), count, variant);
      for (const order of await orders.allTextContents()) {
        await page.locator(".panel select").selectOption(order);
        await page.locator("[data-rank]").waitFor();
      }
      await page.context().close();
    }
  },

  async "a record is shown in its variant, and one that cannot be read leaves nothing of the last"() {
    const page = await open("?variant=shogi&tab=record");
    const read = async (text) => {
      await page.locator("textarea").fill(text);
      await page.getByRole("button", { name: "Read" }).click();
    };
    await read("手合割：5五将棋\n先手：あや\n   1 ５三歩(54)\n");
    await says(page.locator(".note.good"), "another variant");
    assert.equal(await page.locator("#variant").inputValue(), "minishogi");
    await says(page.locator(".headers"), "あや");
    await read("手合割：5五将棋\n   1 ５五歩(54)\n   2 ３二金(21)\n");
    await says(page.locator(".note.bad"), "line 2");
    assert.equal(await page.locator(".headers").count(), 0);
    return page;
  },

  async "an illegal move at the end of a record is shown"() {
    const page = await open("?variant=shogi&tab=record");
    await page.locator("textarea").fill("手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 ４五飛打\n4 投了\n");
    await page.getByRole("button", { name: "Read" }).click();
    await says(page.locator(".note.good"), "Read KIF, 2 moves");
    await says(page.locator(".note.bad"), "line 4, column 3: the game ends with a move against the rules");
    await says(page.locator(".note.bad"), "Illegal move: R*4e");
    return page;
  },

  async "variations of a record are walked, and stay when it is written"() {
    const page = await open("?variant=minishogi&tab=record");
    const kif = "手合割：5五将棋\n   1 ５三歩(54)\n   2 ３二金(21)\n*本譜\n   3 １四飛(15)\n\n変化：2手\n   2 ２二金(21)\n*別の手\n   3 ３四金(45)\n";
    await page.locator("textarea").fill(kif);
    await page.getByRole("button", { name: "Read" }).click();
    await says(page.locator(".note.good"), "Read KIF, 3 moves");
    const branch = page.getByRole("group", { name: "Variation" });
    assert.deepEqual(await branch.locator(".step").allTextContents(), ["2. G-2b", "3. G-3d"]);
    await branch.locator('[data-ply="2"]').click();
    await says(status(page), "2. G-2b");
    await says(page.locator("blockquote"), "別の手");
    await page.locator("#forward").click();
    await says(status(page), "3. G-3d");
    await branch.locator('[data-ply="3"][aria-current="step"]').waitFor();
    await page.locator(".branch").first().locator('> li > [data-ply="2"]').click();
    await says(status(page), "2. G-3b");
    await says(page.locator("blockquote"), "本譜");
    await picture(page, "record-variations");
    await page.getByLabel("Format").selectOption("kif");
    await page.locator(".panel .buttons").last().getByRole("button", { name: "Show" }).click();
    await page.waitForFunction(() => document.querySelector("textarea").value.includes("変化：2手"));
    // A move of one's own is no line of the record: the game alone is written.
    await page.locator("#first").click();
    await square(page, "1e").click();
    await square(page, "1d").click();
    await says(status(page), "1. R-1d");
    await page.locator(".panel .buttons").last().getByRole("button", { name: "Show" }).click();
    await page.waitForFunction(() => !document.querySelector("textarea").value.includes("変化"));
    return page;
  },

  async "several games are read, and what a format cannot hold is said"() {
    const page = await open("?variant=shogi&tab=record");
    await page.locator("textarea").fill("V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n/\nV2.2\nPI\n+\n+2726FU\nT5\n%TORYO\n");
    await page.getByRole("button", { name: "Read" }).click();
    await says(page.locator(".panel .inline"), "/ 2");
    await page.waitForFunction(() => document.querySelectorAll(".game-moves li").length === 2);
    await page.getByLabel("Game", { exact: false }).first().selectOption("2");
    await page.waitForFunction(() => document.querySelectorAll(".game-moves li").length === 1);
    await page.getByLabel("Format").selectOption("usi");
    await page.locator(".panel .buttons").last().getByRole("button", { name: "Show" }).click();
    await page.waitForFunction(() => document.querySelector("textarea").value.includes("2g2f"));
    await says(page.locator(".note.good"), "not written: USI has none");
    return page;
  },
});
