// A game that is played on the page: who plays, the clocks, and its record.

import type { Moves, Side } from "./api";
import type { Ended } from "./state";
import { word } from "./words";

/** The sides that people play: one against the computer, or both. */
export type Players = Side | "both";

/** Seconds for the whole game, for each move beside it, and for each move once they are used up. */
export interface Control {
  main: number;
  increment: number;
  byoyomi: number;
}

/** The clocks to choose from; the first is none. */
export const CONTROLS: Control[] = [
  [0, 0, 0], [180, 2, 0], [300, 0, 0], [600, 5, 0], [600, 0, 30], [0, 0, 10],
].map(([main, increment, byoyomi]) => ({ main: main!, increment: increment!, byoyomi: byoyomi! }));

export const hasClock = ({ main, increment, byoyomi }: Control): boolean => main + increment + byoyomi > 0;

/** A clock in words: `10 min + 5 s`. */
export function controlText(control: Control): string {
  const { main, increment, byoyomi } = control;
  if (!hasClock(control)) return word("noClock");
  const parts = [];
  if (main > 0) parts.push(`${main / 60} ${word("minutes")}`);
  if (increment > 0) parts.push(`+ ${increment} ${word("seconds")}`);
  if (byoyomi > 0) parts.push(`${main > 0 ? "· " : ""}${byoyomi} ${word("secondsEach")}`);
  return parts.join(" ");
}

export const other = (side: Side): Side => (side === "sente" ? "gote" : "sente");

export interface Game {
  variant: string;
  start: string;
  players: Players;
  level: number;
  /** Draws the errors of low levels. */
  seed: number;
  control: Control;
  /** The moves on the board when the game began. */
  base: number;
  /** Who moved first in it. */
  first: Side;
  /** Milliseconds of each move since. */
  spent: number[];
}

/** The player of a move, counted from the first of the game. */
export const moverOf = ({ first }: Game, move: number): Side => (move % 2 === 0 ? first : other(first));

/** Milliseconds that are left to each player before the next move. */
export function left({ control, spent, ...game }: Game): Record<Side, number> {
  const { main, increment } = control;
  // Who has not moved yet has the first increment.
  const time = (main + increment) * 1000;
  const left: Record<Side, number> = { sente: time, gote: time };
  spent.forEach((milliseconds, i) => {
    const side = moverOf({ control, spent, ...game }, i);
    left[side] = Math.max(0, left[side] - milliseconds) + increment * 1000;
  });
  return left;
}

/** What the records' words for an end of the rules are, and whether they tell of the player who wins or who loses. */
const ENDS: Record<string, { how: string; word?: string; of?: "winner" | "loser" }> = {
  checkmate: { how: "checkmate", of: "loser" },
  stalemate: { how: "checkmate", of: "loser" },
  "lion captured": { how: "checkmate", of: "loser" },
  try: { how: "other", word: "トライ", of: "winner" },
  "both tries": { how: "draw" },
  repetition: { how: "repetition", of: "loser" },
  "perpetual check": { how: "foul", of: "loser" },
  impasse: { how: "draw", word: "持将棋" },
};

/** The end of a game as records in JSON have it; one that goes on was broken off. */
export function recordedEnd(ended: Ended | undefined, { end, why }: Moves, side: Side): object {
  if (ended) return ended;
  if (end === null) return { how: "interruption" };
  const { how, word: text, of } = ENDS[(why ?? "").replace(/[-_]/g, " ")] ?? { how: "draw" };
  const winner = end === "draw" ? undefined : end === "win" ? side : other(side);
  const by = winner && of && (of === "winner" ? winner : other(winner));
  return { how, word: text, by };
}

/** The names of the players in a record, as `shogi play` writes them, which resumes it. */
export function headers({ players, level }: Game): [string, string][] {
  const name = (side: Side): string => (players === "both" || players === side ? "You" : `shogi, level ${level}`);
  return [["先手", name("sente")], ["後手", name("gote")]];
}
