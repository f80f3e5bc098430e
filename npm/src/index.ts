// Everything: the rules, records, mates, proofs, numbers of positions, reachability, and moves back.

import { Module, type Source } from "./module.js";
import { Position, Rules, type Side, type Value } from "./rules.js";

export { Game, Position, Rules, ShogiError } from "./rules.js";
export type { Moves, Side, Source, Value, Variant } from "./rules.js";

/** A format of records. */
export type Format = "kif" | "ki2" | "csa" | "usi" | "json" | "jkf";
/** How moves are written for people. */
export type Notation = "japanese" | "western" | "usi";
/** An order that numbers positions. */
export type Order = "native" | "ishii-tanaka" | "king-legal";

/** A position from which a move leads to another. */
export interface Retraction {
  sfen: string;
  /** The moves that lead from it, nearly always one. */
  moves: string[];
}

/** A record in another format. */
export interface Converted {
  from: Format;
  to: Format;
  /** The text; several games as one text. */
  record: string;
  /** How many games it has. */
  games: number;
  /** What the format cannot hold, in a sentence, if anything is lost. */
  left_out?: string;
  /** What contradicts the rules or the record itself and was read all the same, each in a sentence with its place. */
  notices?: string[];
}

/** A face of a piece. */
export interface Face {
  /** Its letter in SFEN, with the plus of a turned piece. */
  letters: string;
  kanji: string;
}

/** A kind of piece. */
export interface Piece {
  front: Face;
  back: Face | null;
}

/** What was found of a mate by checks. */
export interface Mate {
  /** In how many plies at most, if there is one. */
  mate: number | null;
  /** Whether no shorter mate exists. */
  exact: boolean;
  /** Whether there is a mate. */
  status: "mate" | "nomate" | "unknown";
  /** A line of that many plies. */
  pv: string[];
  /** Moves played in the search. */
  nodes: number;
  /** Positions entered. */
  expansions: number;
  /** With `all`: the first moves that mate in the least length. */
  first?: string[];
  /** With `all`: other moves beside the line that mate, each as move `number` of the line, in `mate` plies at most. */
  cooks?: { number: number; move: string; mate: number }[];
  /** With `all` and `tsume`: other last moves, which are no cooks. */
  last?: string[];
  /** With `all`: whether all other moves are known not to mate. */
  complete?: boolean;
  /** With `defend`: the moves after which the opponent does not mate by checks. */
  defences?: string[];
  /** With `defend`: the moves after which the opponent does, in `mate` plies at most and by the line `pv`, both after the move. */
  refuted?: { move: string; mate: number; exact: boolean; pv: string[] }[];
  /** With `defend`: the moves of which neither is known. */
  undecided?: string[];
}

/** How a mate is looked for: the settings of the program's verb `mate`. */
export interface MateOptions {
  /** Limit of the moves played for a position; beyond it the answer is unknown. A million unless it is given. */
  nodes?: number;
  /** Limit of the time spent on a position in seconds; beyond it the answer is unknown. */
  time?: number;
  /** Look for a shortest mate. */
  shortest?: boolean;
  /** Look for a shortest mate, then list all first moves that mate in as few plies, and all other moves beside the line that mate (cooks). */
  all?: boolean;
  /** Look for a shortest mate as problem books count it: useless interpositions are no moves, and the line is the book's. With `all`, other last moves are no cooks. */
  tsume?: boolean;
  /** Look for a brinkmate (hisshi): mate by checks and one quiet move, at whatever place, against every defence. */
  brink?: boolean;
  /** Look for what the player to move can do against mate by the opponent's checks: the moves after which there is no mate, and for each other one the mate that refutes it; with `shortest`, a shortest one. */
  defend?: boolean;
  /** Threads that search a position together, for any mate and with one table. Whether there is a mate is the same each time; which mate is found, its length and the nodes of all threads are not. A module has but one, whatever is given. */
  together?: number;
  /** A line of play to a mate that is known, by the author or from an earlier answer, as moves in USI notation: the search goes along it from its end to its start, and finds such a mate far sooner. It is a guide alone; where it is no mate, the answer is no less true. It has to be legal, with checks by the attacker. */
  line?: string;
  /** Megabytes of memory for a position. 64 unless it is given. */
  hash?: number;
}

/** The number of a position, or of the one that stands for it. */
export interface Ranked {
  rank: bigint;
  /** Whether it is that of the position with colours exchanged: in numbered positions Sente is to move. */
  exchanged: boolean;
  /** Whether it is that of the mirror image: of two only one is numbered. */
  mirrored: boolean;
}

/** A proof that a position can or cannot arise in a game. */
export interface Certificate {
  certificate: "game" | "closed";
  version: number;
  variant: string;
  sfen: string;
  /** A game from the start to the position. */
  moves?: string[];
  /** The most plies that it can be traced back. */
  plies?: number;
  /** All positions that it can be traced back to, by plies. */
  predecessors?: string[][];
}

/** Whether a game leads to a position. */
export interface Classified {
  /** Of this very position; null where it was not found out. */
  reachable: boolean | null;
  /** The stage at which it drops out of the positions that are counted, of two mirror images one at `flip`. */
  stage: "flip" | "pawn" | "king" | "unreachable" | "ok" | "unknown";
  /** How far an unreachable position can be traced back. */
  plies?: number;
  /** If it is wanted: null where the position is illegal or not decided. */
  certificate?: Certificate | null;
}

/** What a proof claims. */
export interface Claim {
  variant: string;
  /** The position that the claim is about. */
  root: string;
  claim: string;
  /** The players whose moves are stored. */
  provers: Side[];
  /** The value for the player to move at the root, if the claim decides it. */
  value: Value | null;
}

/** What the check of a proof has found. */
export interface Checked extends Partial<Claim> {
  /** Whether the proof holds. */
  ok: boolean;
  /** Where it does: the positions that are stored. */
  entries?: number;
  /** The opponent's replies that were looked at. */
  replies?: number;
  /** Of them, those that end the game. */
  ends?: number;
  /** The most plies to the end, unless the strategy may run in cycles. */
  plies?: number | null;
  /** Where it does not: why. */
  reason?: string;
  /** And in which position. */
  position?: string | null;
}

/** A position of a proof. */
export interface Step {
  sfen: string;
  /** How the game has ended for the player to move. */
  end?: Value;
  /** The move stored for the player to move. */
  move: string | null;
  /** The most plies to the end, unless the strategy may run in cycles. */
  rank: number | null;
  /** The opponent's replies, after the stored move if there is one. */
  replies: { move: string; end?: Value; rank: number | null }[];
}

/** The longest line of a proof. */
export interface Line extends Claim {
  moves: string[];
  plies: number;
  /** The result for the player to move at its end. */
  end: Value | null;
}

/** Everything. */
export class Shogi extends Rules {
  /** Every legal position from which one legal move leads to a position. */
  unmoves(position: Position): Retraction[] {
    return this.module.json<{ predecessors: Retraction[] }>("retract", position.variant, position.sfen, "{}").predecessors;
  }

  /** The number of sequences of so many legal moves, at most 12. */
  perft(position: Position, depth: number): bigint {
    return BigInt(this.module.text("perft", position.variant, position.sfen, String(depth)));
  }

  /** The kinds of pieces of a game. */
  pieces(variant: string): Piece[] {
    return this.module.json("pieces", variant);
  }

  /** A line of moves from a position as people write them. */
  notate(position: Position, moves: string[], notation: Notation = "japanese"): string[] {
    return this.module.json("notate", position.variant, position.sfen, moves.join(" "), notation);
  }

  /** Writes a record in another format. Its own format and its game are found out unless they are named. */
  convert(variant: string | undefined, record: string, to: Format, from?: Format): Converted {
    return this.module.json("convert", variant ?? "", record, JSON.stringify({ from, to }));
  }

  /**
   * Looks for a mate by checks: in a position, or in the text of one, in which the king of the player to move may be missing.
   */
  mate(position: Position | { variant: string; sfen: string }, options: MateOptions = {}): Mate {
    const { nodes = 1_000_000, hash = 64, ...settings } = options;
    return this.module.json("mate", position.variant, position.sfen, JSON.stringify({ nodes, hash, ...settings }));
  }

  /** How many numbers an order has. */
  size(variant: string, order: Order = "native"): bigint {
    return BigInt(this.module.text("size", variant, order));
  }

  /**
   * The number of a placement, which need not be legal: with Gote to move that of the one with colours exchanged, and of two
   * mirror images that of the one that is counted. `ranked` says whether it is one of these.
   */
  rank(position: Position | { variant: string; sfen: string }, order: Order = "native"): bigint {
    return this.ranked(position, order).rank;
  }

  /** The number of a placement, and whose it is. */
  ranked(position: Position | { variant: string; sfen: string }, order: Order = "native"): Ranked {
    type Printed = { rank: string; exchanged?: boolean; mirrored?: boolean };
    const { rank, exchanged = false, mirrored = false } = this.module.json<Printed>("rank", position.variant, position.sfen, JSON.stringify({ order }));
    return { rank: BigInt(rank), exchanged, mirrored };
  }

  /**
   * Whether a game leads to a position. `certificate` adds a proof, and `nodes` bounds the positions that are kept in one
   * backward search, a million unless it is given.
   */
  classify(position: Position | { variant: string; sfen: string }, options: { nodes?: number; certificate?: boolean } = {}): Classified {
    return this.module.json("classify", position.variant, position.sfen, JSON.stringify(options));
  }

  /** The placement with a number, in SFEN. */
  unrank(variant: string, rank: bigint | number, order: Order = "native"): string {
    return this.module.json<{ sfen: string }>("unrank", variant, String(rank), JSON.stringify({ order })).sfen;
  }

  /** Opens a proof file. */
  openProof(file: Uint8Array | ArrayBuffer): Proof {
    const bytes = file instanceof Uint8Array ? file : new Uint8Array(file);
    return new Proof(this.module, this.module.openProof(bytes));
  }
}

/** An open proof file. It keeps its memory until it is closed. */
export class Proof {
  /** @internal */
  constructor(
    private readonly module: Module,
    private readonly number: string,
  ) {}

  /** What it claims. */
  claim(): Claim {
    return this.module.json("claimed", this.number, "");
  }

  /** Checks it by the rules alone. */
  check(): Checked {
    return this.module.json("check", this.number, "");
  }

  /** The longest line. */
  line(): Line {
    return this.module.json("line", this.number, "");
  }

  /** The position that moves lead to from the root. */
  walk(...moves: string[]): Step {
    return this.module.json("walk", this.number, moves.join(" "));
  }

  /** What the proof has of a position, however it was reached. */
  lookUp(position: Position | string): Step {
    return this.module.json("look-up", this.number, String(position));
  }

  /** Frees its memory. */
  close(): void {
    this.module.text("close", this.number);
  }
}

/** Loads everything. `source` says where the module is; without it, beside this file. */
export async function load(source: Source = new URL("./full.wasm", import.meta.url)): Promise<Shogi> {
  return new Shogi(await Module.load(source));
}
