// Games that a script plays through the page, against the computer.

import assert from "node:assert/strict";

import { says, square } from "./chromium.mjs";

/** How the page calls a rule that ends games, where it is not the program's own word. */
const RULES = { stalemate: "no legal move" };
/** The most moves of a game. */
const LONGEST = 300;

/** Plays a game as Sente with moves drawn at random, against the level that makes no errors, until a rule ends it. */
export async function playToTheEnd(page, variant, ask) {
  await page.locator("#level").selectOption("7");
  await page.getByRole("button", { name: "New game" }).click();
  await page.locator(".players").waitFor();
  let random = 7;
  for (;;) {
    await page.waitForFunction(() => document.querySelector(".result") || document.querySelector(".play-panel .note")?.textContent === "It is your turn.");
    const query = new URL(page.url()).searchParams;
    const moves = (query.get("moves") ?? "").replaceAll(" ", "+").split(",").filter((move) => move !== "");
    const start = query.get("sfen")?.replaceAll("_", " ");
    const line = `position ${start ? `sfen ${start}` : "startpos"}${moves.length > 0 ? ` moves ${moves.join(" ")}` : ""}`;
    const said = ask(`moves ${variant}`, line);
    if (said.end !== null) {
      const side = moves.length % 2 === 0 ? "Sente" : "Gote";
      const winner = said.end === "win" ? side : side === "Sente" ? "Gote" : "Sente";
      await says(page.locator(".result"), said.end === "draw" ? "The game is drawn" : `${winner} wins`);
      await says(page.locator(".result"), RULES[said.why] ?? said.why.replaceAll(/[-_]/g, " "));
      return `${moves.length} moves, ${await page.locator(".result").textContent()}`;
    }
    assert(moves.length < LONGEST, `${variant}: the game does not end`);
    random = (Math.imul(random, 1_664_525) + 1_013_904_223) >>> 0;
    await move(page, said.moves[(random >>> 8) % said.moves.length]);
    await page.waitForFunction((count) => document.querySelectorAll(".game-moves li").length > count, moves.length);
  }
}

/** Makes a move on the board by clicks, with the face that it wants. */
export async function move(page, usi) {
  const [dropped, target] = usi.includes("*") ? usi.split("*") : [undefined, usi.slice(2)];
  if (dropped === undefined) {
    await square(page, usi.slice(0, 2)).click();
  } else {
    // A piece that may be dropped with either face lies in hand with its front.
    const held = page.locator(`[data-held="${dropped}"]`);
    const either = (await held.count()) > 0 ? held : page.locator("[data-held]");
    for (let i = 0; i < (await either.count()); i++) {
      await either.nth(i).click();
      if ((await page.locator(`[data-key="${target.slice(0, 2)}"]:is(.target, .takes)`).count()) > 0) break;
    }
  }
  await square(page, target.slice(0, 2)).click();
  await page.waitForTimeout(30);
  const face = page.locator(`.choice [data-move="${usi}"]`);
  const asked = page.locator(".choice .face");
  if ((await face.count()) > 0) await face.click();
  else if ((await asked.count()) > 0) await asked.first().click();
}
