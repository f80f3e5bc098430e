// Reports on games. The module has the player with its networks, so that it is larger than the others.

import { Module, type Source } from "./module.js";
import { Rules, type Side, type Value } from "./rules.js";

export { ShogiError } from "./rules.js";
export type { Side, Source, Value } from "./rules.js";

/** The limits of a report: the settings of the program's verb `variant report`. */
export interface ReportOptions {
  /** Games of the player against itself. 100 unless it is given. */
  games?: number;
  /** Nodes for each move of these games. 200 unless it is given. */
  move_nodes?: number;
  /** Random moves that such a game begins with; half of the games have one less. 4 unless it is given. */
  opening?: number;
  /** Limit of the moves played in the search for the value. 2 million unless it is given. */
  nodes?: number;
  /** Samples for the share of reachable positions; where there are at most a million candidates, all of them are looked at instead. 20,000 unless it is given. */
  samples?: number;
  /** Positions of a small game: if games from the start reach at most so many, all are listed with their values; 0 lists none. 300,000 unless it is given. */
  positions?: number;
  /** Seed of the games and the samples: the same seed always gives the same report. 1 unless it is given. */
  seed?: number;
}

/** A part that the report lacks. */
export interface Missing {
  /** Why, in one line. */
  missing: string;
  /** A command of the program that answers the question or goes on, if one does. */
  command: string | null;
}

/** What a game is like. */
export interface Report {
  variant: string;
  title: string;
  /** The hash of its rules. */
  hash: string;
  /** Where games begin, in SFEN. */
  start: string;
  settings: Required<ReportOptions>;
  /** Whether it was not broken off. */
  complete: boolean;
  /** Who wins from the start, if that is proved. */
  winner: Side | "nobody" | null;
  /** All placements of the pieces, in decimal digits like all numbers of positions. */
  placements: string;
  /** The candidates among them by stage, exactly. */
  candidates: { candidates: string; flip: string; pawn: string; king: string | null } | Missing;
  /** The share of reachable positions, with its 95 % interval where it was sampled. */
  reachable: { method: string; candidates: string; p: number; p_interval?: [number, number]; estimate: number } | Missing;
  /** Games of the player against itself. */
  play:
    | {
        games: number;
        distinct: number;
        sente_wins: number;
        gote_wins: number;
        draws: number;
        /** Of the games that somebody won, if there are any. */
        sente_share: number | null;
        sente_share_interval: [number, number];
        /** Legal moves in a position. */
        moves_mean: number;
        moves_most: number;
        plies_mean: number;
        plies: number[];
        /** The games by how they ended. */
        ends: Record<string, number>;
      }
    | Missing;
  /** The value of the start. */
  value: { value: Value | "unknown"; plies_at_most: number | null; nodes: number; pv: string[]; certified?: boolean } | Missing;
  /** All positions that games reach, where they are few, with the longest forced win. */
  listed: { positions: number; wins: number; losses: number; others: number; longest: { plies: number; winner: Side; sfen: string } | null } | Missing;
}

/** The rules with reports. */
export class Reports extends Rules {
  /** Says what a game is like. It takes seconds to minutes, and blocks its thread: better in a worker. */
  report(variant: string, options: ReportOptions = {}, start = "startpos"): Report {
    return this.module.json("report", variant, start, JSON.stringify(options));
  }
}

/** Loads the rules with reports. `source` says where the module is; without it, beside this file. */
export async function load(source: Source = new URL("./report.wasm", import.meta.url)): Promise<Reports> {
  return new Reports(await Module.load(source));
}
