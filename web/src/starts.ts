// The starts of 3x4 shogi, which are called by the pieces of the last rank.

import { ask } from "./api";
import { reason, variantOf, type App } from "./app";
import { h } from "./dom";
import { faceOf } from "./notation";
import { currentLanguage, word } from "./words";

const OTHERS = [..."RBGSNLP"];

/** All names, those with the king in the same place together. */
function names(): string[][] {
  const pairs = OTHERS.flatMap((one) => OTHERS.map((other) => [one, other] as const));
  return [
    pairs.map(([one, other]) => `K${one}${other}`),
    pairs.map(([one, other]) => `${one}K${other}`),
    pairs.map(([one, other]) => `${one}${other}K`),
  ];
}

/** The position of a start. */
async function positionOf(app: App, name: string): Promise<string> {
  return (await ask<{ sfen: string }>("start", { variant: app.view.variant, in: name })).sfen;
}

/** A choice of starts for a variant that names them; nothing for all others. */
export function namedStarts(app: App): HTMLElement[] {
  if (app.view.variant !== "shogi34") return [];
  const { pieces } = variantOf(app);
  const text = (name: string) =>
    currentLanguage() === "ja" ? [...name].map((letter) => faceOf(letter, pieces)?.kanji ?? letter).join("") : name;
  const groups = names().map((group) =>
    h("optgroup", { label: text(group[0]!.replace(/[^K]/g, "–")) }, ...group.map((name) => h("option", { value: name }, text(name)))),
  );
  const select = h("select", { id: "named-start" }, h("option", { value: "", disabled: true, selected: true }, "…"), ...groups);
  select.addEventListener("change", async () => {
    try {
      app.go({ start: await positionOf(app, select.value), moves: [], ply: 0 });
    } catch (error) {
      select.setCustomValidity(reason(error));
      select.reportValidity();
    }
  });
  // A game that begins at one of them says at which.
  const start = app.view.start === "startpos" ? variantOf(app).start : app.view.start;
  const name = /([A-Z]{3}) /.exec(start)?.[1];
  if (name && [...select.options].some(({ value }) => value === name)) {
    positionOf(app, name).then((sfen) => sfen === start && (select.value = name), () => {});
  }
  return [h("label", { class: "inline" }, word("namedStart"), " ", select)];
}
