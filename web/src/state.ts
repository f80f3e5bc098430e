// What is looked at: a game up to a move, and the page's own settings. The address holds the first, so that
// a link shows the same; the browser keeps the second.

import type { Notation, Side } from "./api";
import type { Language } from "./words";

export type Tab = "moves" | "play" | "proof" | "reach" | "count" | "record" | "problems";
export const TABS: Tab[] = ["moves", "play", "problems", "proof", "reach", "count", "record"];

/** How a game has ended where the rules do not see it, and by whose doing. */
export interface Ended {
  how: "resignation" | "time" | "declaration";
  by: Side;
}

const ENDS: Ended["how"][] = ["resignation", "time", "declaration"];

export interface View {
  variant: string;
  /** `startpos`, or a position in SFEN. */
  start: string;
  moves: string[];
  /** How many of the moves are played. */
  ply: number;
  tab: Tab;
  /** How the game ended after its last move, if it is not the rules that ended it. */
  end: Ended | undefined;
  /** The addresses of proofs and tablebases that a page without a server opens. */
  files: string[];
}

export interface Settings {
  language: Language;
  /** How moves and squares are written, once somebody has chosen it. */
  notation?: Notation;
  kanji: boolean;
  flipped: boolean;
  theme: "auto" | "light" | "dark";
}

/** The notation of moves and squares: that of the language unless another was chosen. */
export function notationOf({ notation, language }: Settings): Notation {
  return notation ?? (language === "ja" ? "japanese" : "western");
}

/** The text that the program takes for a position after moves from another. */
export function after(start: string, moves: string[]): string {
  // A position without moves stands alone, so that places in it count from its first character.
  if (moves.length === 0) return start;
  return `${start === "startpos" ? start : `sfen ${start}`} moves ${moves.join(" ")}`;
}

/** The text that the program takes for the position looked at. */
export function positionText({ start, moves, ply }: View): string {
  return after(start, moves.slice(0, ply));
}

/** Takes a position as people and programs write it apart: SFEN, or what USI puts after `position`. */
export function typedPosition(text: string): { start: string; moves: string[] } {
  const [before = "", played = ""] = text.trim().replace(/^position\s+/, "").split(/\s+moves(?:\s+|$)/);
  const start = before.replace(/^sfen\s+/, "").trim();
  return { start: start === "" ? "startpos" : start, moves: played.split(/\s+/).filter((move) => move !== "") };
}

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/%2F/g, "/").replace(/%2C/g, ",").replace(/%20/g, "_");

/** The query of an address that shows a view. */
export function toQuery(view: View): string {
  const parts = [`variant=${encodeURIComponent(view.variant)}`];
  if (view.start !== "startpos") parts.push(`sfen=${encode(view.start)}`);
  if (view.moves.length > 0) parts.push(`moves=${encode(view.moves.join(","))}`);
  if (view.ply < view.moves.length) parts.push(`ply=${view.ply}`);
  if (view.end) parts.push(`end=${view.end.how}-${view.end.by}`);
  if (view.tab !== "moves") parts.push(`tab=${view.tab}`);
  for (const file of view.files) parts.push(`file=${encodeURIComponent(file)}`);
  return `?${parts.join("&")}`;
}

/** Whether an address says which position is looked at, and not only of which variant. */
export function namesPosition(query: string): boolean {
  const parameters = new URLSearchParams(query);
  if (parameters.has("sfen") || parameters.has("moves")) return true;
  // The tab of proofs is about files.
  return parameters.has("variant") && parameters.get("tab") !== "proof";
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
  const [how, by] = (parameters.get("end") ?? "").split("-");
  const known = ENDS.find((one) => one === how);
  const end = known && (by === "sente" || by === "gote") ? { how: known, by: by as Side } : undefined;
  return { variant, start, moves, ply, tab, end, files: parameters.getAll("file") };
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
