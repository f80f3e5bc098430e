// Positions and moves of all games, and of games of one's own.

import { Module, ShogiError, type Source } from "./module.js";

export { ShogiError, type Source };

/** A value for the player to move. */
export type Value = "win" | "loss" | "draw";
/** A player: Sente moves first. */
export type Side = "sente" | "gote";

/** A game by its name. */
export interface Variant {
  /** The name that tasks take, such as `minishogi`. */
  name: string;
  /** The name for people, with the size of the board. */
  title: string;
}

/** The legal moves of a position. */
export interface Moves {
  /** Whether the player to move is in check. */
  check: boolean;
  /** The result for the player to move where the game is over. */
  end: Value | null;
  /** The rule that ended the game. */
  why?: string;
  /** Who gave the checks of a perpetual check. */
  by?: Side;
  /** Whether a win may be declared. */
  declaration?: boolean;
  /** The moves in USI notation, sorted; none after the end. */
  moves: string[];
}

/** The rules of all games. */
export class Rules {
  /** @internal */
  constructor(readonly module: Module) {}

  /** The games that are built in. */
  variants(): Variant[] {
    return this.module.json("variants");
  }

  /**
   * Adds a game of one's own, from its text in TOML; its name can be used from then on. The guide of the libraries says
   * what such a text has (`docs/guide/own-variants.md`).
   */
  define(toml: string): Variant {
    return this.module.json("define", toml);
  }

  /**
   * A position: `startpos`, a text in SFEN, or what the USI command `position` has, moves included. It has to be legal.
   */
  position(variant: string, text = "startpos"): Position {
    return new Position(this.module, variant, this.module.text("position", variant, text));
  }

  /** A start by its name, in games that have several, such as `KGR` of `shogi34`. */
  start(variant: string, name: string): Position {
    return new Position(this.module, variant, this.module.text("start", variant, name));
  }

  /** A game from a position on, `startpos` unless another is given. */
  game(variant: string, text = "startpos"): Game {
    return new Game(this.position(variant, text));
  }
}

/** A legal position. It does not change: `play` returns another one. */
export class Position {
  /** @internal */
  constructor(
    /** @internal */ readonly module: Module,
    /** The name of the game. */
    readonly variant: string,
    /** The position in SFEN. */
    readonly sfen: string,
  ) {}

  /** The player to move. */
  get side(): Side {
    return this.sfen.split(" ")[1] === "b" ? "sente" : "gote";
  }

  /** The legal moves, and whether the game has ended on the board. Of repetitions knows a `Game`. */
  moves(): Moves {
    return this.module.json("moves", this.variant, this.sfen);
  }

  /** The position after moves in USI notation. */
  play(...moves: string[]): Position {
    const sfen = this.module.text("play", this.variant, `sfen ${this.sfen}`, moves.join(" "));
    return new Position(this.module, this.variant, sfen);
  }

  toString(): string {
    return this.sfen;
  }
}

/** A position with the moves since the start of the game, by which repetitions and perpetual checks are known. */
export class Game {
  private readonly played: string[] = [];
  private last: Position;

  /** @internal */
  constructor(readonly start: Position) {
    this.last = start;
  }

  /** The position now. */
  get position(): Position {
    return this.last;
  }

  /** The moves played so far. */
  get line(): readonly string[] {
    return this.played;
  }

  /** The game as the USI command `position` has it. */
  get text(): string {
    const moves = this.played.length === 0 ? "" : ` moves ${this.played.join(" ")}`;
    return `sfen ${this.start.sfen}${moves}`;
  }

  toString(): string {
    return this.text;
  }

  /** The legal moves, none where the game is over, and how it has ended. */
  moves(): Moves {
    return this.start.module.json("moves", this.start.variant, this.text);
  }

  /** Plays moves one after the other. The first that is not legal is an error, and those before it stay played. */
  play(...moves: string[]): void {
    for (const move of moves) {
      this.last = this.last.play(move);
      this.played.push(move);
    }
  }

  /** Takes the last move back, if there is one; it is returned. */
  undo(): string | undefined {
    const move = this.played.pop();
    this.last = this.played.length === 0 ? this.start : this.start.play(...this.played);
    return move;
  }
}

/** Loads the rules alone: 0.13 MB compressed. `source` says where the module is; without it, beside this file. */
export async function load(source: Source = new URL("./rules.wasm", import.meta.url)): Promise<Rules> {
  return new Rules(await Module.load(source));
}
