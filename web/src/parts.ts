// Parts that several tabs are made of.

import type { Value } from "./api";
import { moveText, type App, type From } from "./app";
import { h } from "./dom";
import { counted, grouped, word, type Word } from "./words";

/** The value of a move or position, with the plies to the end where they are known; without `exact` they are a bound. */
export function badge(value: Value, plies?: number | null, exact = true): HTMLElement {
  const text = plies === null || plies === undefined ? word(value) : `${word(value)} ${exact ? "" : "≤ "}${counted(plies, "ply")}`;
  return h("span", { class: `badge ${value}` }, text);
}

export function button(name: Word, onclick: () => void, kind = ""): HTMLButtonElement {
  return h("button", { type: "button", class: kind, onclick }, word(name));
}

export function note(text: string, kind = ""): HTMLElement {
  return h("p", { class: `note ${kind}` }, text);
}

/** A field with its label above. */
export function field(name: Word, control: HTMLElement): HTMLElement {
  return h("label", { class: "field" }, h("span", {}, word(name)), control);
}

/** A choice between names. */
export function choice(names: string[], chosen: string, onchange: (name: string) => void): HTMLSelectElement {
  const options = names.map((name) => h("option", { value: name, selected: name === chosen }, name));
  const select = h("select", {}, ...options);
  select.addEventListener("change", () => onchange(select.value));
  return select;
}

/** A move as a button, which points at it on the board. */
export function moveButton(app: App, usi: string, onclick: () => void, kind = "", text?: HTMLElement): HTMLButtonElement {
  return h(
    "button",
    {
      type: "button",
      class: `move ${kind}`,
      "data-move": usi,
      "data-focus": `move ${usi}`,
      onclick,
      onmouseenter: () => app.hint(usi),
      onmouseleave: () => app.hint(undefined),
      onfocus: () => app.hint(usi),
      onblur: () => app.hint(undefined),
    },
    text ?? moveText(app, [usi]),
  );
}

/** How many moves of a line are shown before the rest is wanted. */
const SHOWN = 4;

/** A line as buttons, each of which walks to its move; `skip` moves at its beginning stand elsewhere. */
export function walkableLine(app: App, moves: string[], walk: (steps: number) => void, options: { skip?: number; whole?: boolean; from?: From; expand?: () => void } = {}): HTMLElement {
  const { skip = 0, whole = false, from = {}, expand } = options;
  const end = whole || !expand ? moves.length : Math.min(moves.length, skip + SHOWN);
  const line = h("span", { class: "walkable" });
  for (let i = skip; i < end; i++) {
    line.append(h("button", { type: "button", class: "step", "data-step": i + 1, onclick: () => walk(i + 1) }, moveText(app, moves, i, from)));
  }
  if (end < moves.length) {
    line.append(h("button", { type: "button", class: "step more", "aria-label": `+${moves.length - end}: ${word("showAll")} (${moves.length})`, onclick: expand }, `+${moves.length - end}`));
  }
  return line;
}

/** A list of which the first are shown, and the rest on demand. */
export function extensible(items: HTMLElement[], most = 60): HTMLElement {
  const list = h("ul", { class: "positions" }, ...items.slice(0, most));
  if (items.length <= most) return list;
  const cut = h("p", { class: "summary cut" }, h("span", { class: "quiet" }, `${most} / ${grouped(items.length)} ${word("shown")}`));
  const all = h("button", { type: "button", onclick: () => {
    list.append(...items.slice(most));
    cut.remove();
    (items[most]!.querySelector("button") ?? list).focus();
  } }, `${word("showAll")} (${grouped(items.length)})`);
  cut.append(all);
  return h("div", {}, list, cut);
}

/** Positions in SFEN as a list that can be looked through. */
export function positions(app: App, sfens: string[]): HTMLElement {
  const show = (sfen: string) => app.go({ start: sfen, moves: [], ply: 0 });
  return extensible(sfens.map((sfen) => h("li", {}, h("button", { type: "button", class: "sfen", onclick: () => show(sfen) }, sfen))));
}
