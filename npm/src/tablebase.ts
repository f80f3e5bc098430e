// Values of positions from tablebases, of which only the parts are read that a probe needs.

import { Module, ShogiError, type Source } from "./module.js";
import { openRemote, withParts, type Missing, type Range, type RemoteFile } from "./remote.js";
import type { Position, Value } from "./rules.js";

export { ShogiError, type Source } from "./module.js";
export type { Value } from "./rules.js";

/** What a tablebase has. */
export interface AboutTablebase {
  /** The game. */
  variant: string;
  /** The pieces of all its positions. */
  pieces: string;
  /** How many positions it has, mirror images folded. */
  positions: number;
  /** Whether the plies to the end are stored, and not only who wins. */
  plies: boolean;
}

/** A move with the value that it leads to. */
export interface ProbedMove {
  /** The move in USI notation. */
  move: string;
  /** The value for the player who makes it. */
  value: Value;
  /** The plies to the end, the move included. */
  plies: number | null;
}

/** The value of a position. */
export interface Probed {
  /** The value for the player to move. */
  value: Value;
  /** The plies to the end; null for draws and where plies are not stored. */
  plies: number | null;
  /** The moves, the best first; none at an end. */
  moves: ProbedMove[];
}

/** An open tablebase. The blocks read last are kept in memory, 4 MB once decompressed. */
export class Tablebase {
  private constructor(
    private readonly module: Module,
    private readonly file: RemoteFile,
    private readonly number: string,
    /** What it has. */
    readonly about: AboutTablebase,
  ) {}

  /** @internal */
  static async open(module: Module, file: RemoteFile): Promise<Tablebase> {
    const number = module.text("table", String(file.length));
    try {
      const about = await read<AboutTablebase>(module, file, number, ["about-table", number], [[0, file.first]]);
      return new Tablebase(module, file, number, about);
    } catch (error) {
      module.text("close-table", number);
      throw error;
    }
  }

  /** The value of a position, or of its text in SFEN, and of its moves. The blocks that are not kept are read at once. */
  async probe(position: Position | string): Promise<Probed> {
    const { variant } = this.about;
    if (typeof position !== "string" && position.variant !== variant) {
      throw new ShogiError(`a position of ${position.variant}, but the tablebase is of ${variant}`);
    }
    return read(this.module, this.file, this.number, ["probe", this.number, String(position)]);
  }

  /** Frees its memory. */
  close(): void {
    this.module.text("close-table", this.number);
  }
}

/** A part of a file: the place of its first byte, and its bytes. */
type Part = [place: number, bytes: Uint8Array];

/** Has the module answer a task, with the parts of the file that it needs. */
function read<T extends object>(module: Module, file: RemoteFile, number: string, words: [string, ...string[]], parts: Part[] = []): Promise<T> {
  const task = (parts: Part[]): T | Missing<Range> => {
    for (const [place, bytes] of parts) module.supply(Number(number), place, bytes);
    return module.json(...words);
  };
  const needed = async (range: Range): Promise<Part> => [range[0], await file.part(range)];
  return withParts(task, needed, parts);
}

/** The module beside this file. */
let standard: Promise<Module> | undefined;

/**
 * Opens a tablebase: the address of its file on a server that answers range requests, such as `shogi serve` or any server
 * of files; under Node.js also that of a file. `source` says where the module is; without it, beside this file.
 */
export async function openTablebase(url: string | URL, source?: Source): Promise<Tablebase> {
  const load = (): Promise<Module> => {
    standard ??= Module.load(new URL("./tablebase.wasm", import.meta.url));
    standard.catch(() => (standard = undefined));
    return standard;
  };
  const [module, file] = await Promise.all([source === undefined ? load() : Module.load(source), openRemote(new URL(url, globalThis.location?.href))]);
  return Tablebase.open(module, file);
}
