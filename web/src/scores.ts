// How positions and moves are judged, always as Sente sees it.

import type { SearchEvent, Side, Value } from "./api";
import { currentLanguage, word, wonIn } from "./words";

/** How a position is judged. */
export interface Evaluation {
  /** Sente's share of the bar, 0 to 1. */
  share: number;
  text: string;
}

/** A score of the player to move as one number: mates above everything else, the sooner the better. */
export function points({ score }: SearchEvent): number {
  if (score?.mate === undefined) return score?.cp ?? 0;
  const plies = Number(score.mate);
  const lost = plies < 0 || score.mate === "-";
  const far = Number.isNaN(plies) ? 0 : Math.abs(plies);
  return lost ? far - 1e6 : 1e6 - far;
}

const other = (side: Side): Side => (side === "sente" ? "gote" : "sente");
const mark = (side: Side): string => (side === "sente" ? "☗" : "☖");

/** A score of the player to move for people: a number for Sente, or who wins. */
export function scoreText(event: SearchEvent, side: Side): string {
  const { score, lowerbound, upperbound } = event;
  if (score?.mate !== undefined) {
    const plies = Number(score.mate);
    const winner = points(event) > 0 ? side : other(side);
    // The win need not be a mate: other rules end games, too.
    return `${mark(winner)} ${wonIn(Number.isNaN(plies) ? null : Math.abs(plies), true)}`;
  }
  const own = score?.cp ?? 0;
  const forSente = side === "sente" ? own : -own;
  // A bound for the other player is one from the other side.
  const atLeast = side === "sente" ? lowerbound : upperbound;
  const bound = lowerbound || upperbound ? (atLeast ? "≥ " : "≤ ") : "";
  const sign = forSente > 0 ? "+" : "";
  // Japanese programs count in hundredths of a pawn.
  return `${bound}${sign}${currentLanguage() === "ja" ? forSente : (forSente / 100).toFixed(2)}`;
}

/** How the engine judges a position. */
export function evaluated(event: SearchEvent, side: Side): Evaluation {
  const own = points(event);
  const forSente = side === "sente" ? own : -own;
  return { share: 1 / (1 + 10 ** (-forSente / 800)), text: scoreText(event, side) };
}

/** A known value of a position for the player to move; without `exact` the plies are a bound. */
export function known(value: Value, plies: number | null, side: Side, exact = true): Evaluation {
  if (value === "draw") return { share: 0.5, text: word("draw") };
  const winner = value === "win" ? side : other(side);
  return { share: winner === "sente" ? 1 : 0, text: `${mark(winner)} ${wonIn(plies, exact)}` };
}
