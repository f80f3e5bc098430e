// Parts that several tabs are made of.

import type { Value } from "./api";
import type { App } from "./app";
import { h } from "./dom";
import { word, type Word } from "./words";

/** The value of a move or position, with the plies to the end where they are known. */
export function badge(value: Value, plies?: number | null): HTMLElement {
  const text = plies === null || plies === undefined ? word(value) : `${word(value)} ${plies}`;
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

/** Positions in SFEN as a list that can be looked through. */
export function positions(app: App, sfens: string[], most = 60): HTMLElement {
  const show = (sfen: string) => app.go({ start: sfen, moves: [], ply: 0 });
  const items = sfens.slice(0, most).map((sfen) =>
    h("li", {}, h("button", { type: "button", class: "sfen", onclick: () => show(sfen) }, sfen)),
  );
  const list = h("ul", { class: "positions" }, ...items);
  if (sfens.length <= most) return list;
  return h("div", {}, list, note(`${most} ${word("shownOf")} ${sfens.length}`));
}
