// Values of positions, proved: the rules with the solver.

import { Module, type Source } from "./module.js";
import { type Position, Rules, type Side, type Value } from "./rules.js";

export { Game, Position, ShogiError } from "./rules.js";
export type { Side, Source, Value } from "./rules.js";

/** How a value is looked for: the settings of the program's verb `solve`. */
export interface SolveOptions {
  /** The search. `dfpn` unless it is given. */
  algorithm?: "dfpn" | "pds";
  /** The numbers that a position starts with before it is searched. `unit` unless it is given. */
  leaf?: "unit" | "mobility";
  /** Limit of the moves played; beyond it the value is unknown. 20 million unless it is given. */
  nodes?: number;
  /** Limit of time in seconds; beyond it the value is unknown. */
  time?: number;
  /** Megabytes for the tables of the searches; plans and proofs come on top. 64 unless it is given. */
  hash?: number;
  /** Positions of a small game: one of at most so many is looked at as a whole, position by position, beside the search; 0 leaves all to the search. 4 million unless it is given. */
  small_game?: number;
}

/** What was found of a position. */
export interface Solution {
  /** The value for the player to move, if it is proved. */
  value: Value | "unknown";
  /** For a win or a loss that needs no repetition: plies to the end at most. */
  plies_at_most: number | null;
  /** Moves played in all searches together. */
  nodes: number;
  /** The moves that the proof plans from the position on. */
  pv: string[];
  /** Positions entered in all searches together. */
  expansions: number;
  /** The cause of the end. */
  ended: "solved" | "nodes" | "time" | "interrupted" | "memory" | "nomoves" | "repetition" | "stuck";
  /** Whether the value was found by searches, or by looking at the whole of a small game. */
  method: "search" | "whole";
  /** Whether the value was checked by the rules alone. */
  certified: boolean;
  /** The proof, checked: its claim, the players whose moves it has, and for how many positions. Without a value, of what one player has at least, if that is known. */
  proof: { claim: "win" | "not-lose" | "draw"; provers: Side[]; entries: number } | null;
  /** The answer that was proved by the search but not by the rules, if there is one: why, and in which position. */
  refuted: { reason: string; position: string } | null;
  /** The questions that are left, with their numbers at the position where the search came to no end. */
  open: { prover: Side; goal: "win" | "not-lose"; found: "open"; proof: number | null; disproof: number | null }[];
}

/** The rules with the solver. */
export class Solver extends Rules {
  /**
   * Proves the value of a position, as though the game began there. It may take minutes, and blocks its thread: better in a
   * worker.
   */
  solve(position: Position | { variant: string; sfen: string }, options: SolveOptions = {}): Solution {
    const { nodes = 20_000_000, hash = 64, ...settings } = options;
    return this.module.json("solve", position.variant, position.sfen, JSON.stringify({ nodes, hash, ...settings }));
  }
}

/** Loads the rules with the solver. `source` says where the module is; without it, beside this file. */
export async function load(source: Source = new URL("./solve.wasm", import.meta.url)): Promise<Solver> {
  return new Solver(await Module.load(source));
}
