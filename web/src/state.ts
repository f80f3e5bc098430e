// What is looked at: a game up to a move, and the page's own settings. The address holds the first, so that
// a link shows the same; the browser keeps the second.

import type { Language } from "./words";

export type Tab = "moves" | "proof" | "reach" | "count" | "record";
export const TABS: Tab[] = ["moves", "proof", "reach", "count", "record"];

export interface View {
  variant: string;
  /** `startpos`, or a position in SFEN. */
  start: string;
  moves: string[];
  /** How many of the moves are played. */
  ply: number;
  tab: Tab;
  /** The addresses of proofs and tablebases that a page without a server opens. */
  files: string[];
}

export interface Settings {
  language: Language;
  kanji: boolean;
  flipped: boolean;
  theme: "auto" | "light" | "dark";
}

/** The text that the program takes for the position looked at. */
export function positionText({ start, moves, ply }: View): string {
  const played = moves.slice(0, ply).join(" ");
  const from = start === "startpos" ? start : `sfen ${start}`;
  return played === "" ? from : `${from} moves ${played}`;
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%2F/g, "/").replace(/%2C/g, ",").replace(/%20/g, "_");

/** The query of an address that shows a view. */
export function toQuery(view: View): string {
  const parts = [`variant=${view.variant}`];
  if (view.start !== "startpos") parts.push(`sfen=${encode(view.start)}`);
  if (view.moves.length > 0) parts.push(`moves=${encode(view.moves.join(","))}`);
  if (view.ply < view.moves.length) parts.push(`ply=${view.ply}`);
  if (view.tab !== "moves") parts.push(`tab=${view.tab}`);
  for (const file of view.files) parts.push(`file=${encodeURIComponent(file)}`);
  return `?${parts.join("&")}`;
}

/** The view of an address; what it does not say is as at the start of the first variant. */
export function fromQuery(query: string, variants: string[]): View {
  // A plus is a promoted piece, also where somebody has written the address by hand.
  const parameters = new URLSearchParams(query.replace(/\+/g, "%2B"));
  const named = parameters.get("variant") ?? "";
  const variant = variants.includes(named) ? named : (variants[0] ?? "");
  const start = parameters.get("sfen")?.replace(/_/g, " ") || "startpos";
  const moves = (parameters.get("moves") ?? "").split(",").filter((move) => move !== "");
  const asked = Number(parameters.get("ply") ?? moves.length);
  const ply = Number.isInteger(asked) ? Math.min(Math.max(asked, 0), moves.length) : moves.length;
  const tab = TABS.find((tab) => tab === parameters.get("tab")) ?? "moves";
  return { variant, start, moves, ply, tab, files: parameters.getAll("file") };
}

const KEY = "shogi-explore";

export function loadSettings(): Settings {
  const language = navigator.language.startsWith("ja") ? "ja" : "en";
  const settings: Settings = { language, kanji: true, flipped: false, theme: "auto" };
  try {
    return { ...settings, ...JSON.parse(localStorage.getItem(KEY) ?? "{}") };
  } catch {
    return settings;
  }
}

export function saveSettings(settings: Settings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing still shows everything.
  }
}
