// The head of the page: the variant, and how everything is shown.

import type { About, Notation } from "./api";
import { h } from "./dom";
import { isDrawn } from "./glyphs";
import { icon } from "./icons";
import { notationOf, type Settings } from "./state";
import { variantTitle, word } from "./words";

const THEMES: Settings["theme"][] = ["auto", "light", "dark"];
const NOTATIONS: [Notation, string][] = [["japanese", "▲３二金"], ["western", "G-3b"], ["usi", "2a3b"]];

interface Header {
  about: About;
  variant: string;
  settings: Settings;
  /** Chooses another variant. */
  choose(variant: string): void;
  set(change: Partial<Settings>): void;
  share(): void;
}

/** Draws the head into an element; the focus stays where it was. */
export function drawHeader(element: HTMLElement, { about, variant, settings, choose, set, share }: Header): void {
  const focused = document.activeElement?.id;
  const isOpen = element.querySelector(".tools.open") !== null;
  const options = about.variants.map(({ name, title }) => h("option", { value: name, selected: name === variant }, variantTitle(name, title)));
  const select = h("select", { id: "variant", "aria-label": word("variant") }, ...options);
  select.addEventListener("change", () => choose(select.value));
  const tools = h("div", { class: isOpen ? "tools open" : "tools", id: "tools" }, ...drawTools(settings, set, share));
  const menu = h("button", { type: "button", id: "menu", class: "tool", "aria-label": word("menu"), title: word("menu"), "aria-expanded": String(isOpen), "aria-controls": "tools", onclick: () => {
    menu.setAttribute("aria-expanded", String(tools.classList.toggle("open")));
  } }, icon("menu"));
  tools.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !tools.classList.contains("open")) return;
    tools.classList.remove("open");
    menu.setAttribute("aria-expanded", "false");
    menu.focus();
  });
  element.replaceChildren(h("h1", {}, h("span", { class: "mark", "aria-hidden": "true" }, isDrawn("☗") ? "☗" : ""), word("title")), select, menu, tools);
  if (focused) document.getElementById(focused)?.focus();
}

function drawTools(settings: Settings, set: (change: Partial<Settings>) => void, share: () => void): HTMLElement[] {
  const tool = (id: string, label: string, sign: Node | string, onclick: () => void, pressed?: boolean) =>
    h("button", { type: "button", id, class: "tool", "aria-label": label, title: label, "aria-pressed": pressed === undefined ? undefined : String(pressed), onclick }, sign);
  const chosen = notationOf(settings);
  const hasFont = isDrawn("歩");
  const options = NOTATIONS.map(([name, sample]) => h("option", { value: name, selected: name === chosen }, sample));
  const notation = h("select", { id: "notation", "aria-label": word("notation"), title: word("notation") }, ...options);
  notation.addEventListener("change", () => set({ notation: notation.value as Notation }));
  const theme = THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length]!;
  const language = settings.language === "en" ? "ja" : "en";
  return [
    notation,
    tool("pieces", hasFont ? `${word("pieces")}: ${word(settings.kanji ? "letters" : "kanji")}` : word("noFont"), settings.kanji && hasFont ? "歩" : "P", () => set({ kanji: !settings.kanji })),
    tool("flip", word("flip"), icon("flip"), () => set({ flipped: !settings.flipped }), settings.flipped),
    tool("share", word("share"), icon("share"), share),
    tool("theme", `${word("theme")}: ${settings.theme}`, icon(settings.theme), () => set({ theme })),
    h("button", { type: "button", id: "language", class: "tool text", lang: language, onclick: () => set({ language }) }, hasFont ? word("language") : language.toUpperCase()),
  ];
}
