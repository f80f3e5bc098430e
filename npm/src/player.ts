// The player of Minishogi, Kyoto shogi, Dobutsu shogi, 3x4 shogi and shogi, with its networks.

import createEngine, { type Engine } from "./engine.js";
import { ShogiError } from "./module.js";
import type { Game, Position } from "./rules.js";

/** When a search ends; without any limit when it is stopped. */
export interface Limits {
  depth?: number;
  nodes?: number;
  milliseconds?: number;
}

/** A line of play that a search reports. */
export interface Report {
  depth: number;
  /** The line's number among the best, from 1. */
  line: number;
  /** In hundredths of a pawn for the player to move, unless a mate was seen. */
  centipawns?: number;
  /** Plies to a mate: the opponent's where negative. */
  mate?: number;
  nodes: number;
  /** The moves in USI notation. */
  moves: string[];
}

/** What a search chooses. */
export interface Choice {
  /** A move in USI notation, `resign`, or `win` for a declaration. */
  move: string;
  /** The last report of the best line, if there was one. */
  best?: Report;
}

/** A player. It searches in slices on this thread, which stays awake; better in a worker. */
export class Player {
  private listener: (line: string) => void = () => {};
  private searching = false;

  /** @internal */
  constructor(private readonly engine: Engine) {
    engine.addMessageListener((line) => this.listener(line));
  }

  /** Sets an option of the engine, such as `USI_Hash` (megabytes) or `MultiPV` (lines). */
  set(option: string, value: string | number | boolean): void {
    this.command(`setoption name ${option} value ${value}`);
  }

  /** Forgets the last game. */
  newGame(): void {
    this.command("usinewgame");
  }

  /** Searches a position, or a game's, and chooses a move. `report` is called with every line that is found. */
  async think(at: Position | Game, limits: Limits, report: (report: Report) => void = () => {}): Promise<Choice> {
    if (this.searching) throw new ShogiError("a search is running");
    const [start, text] = "start" in at ? [at.start, at.text] : [at, `sfen ${at.sfen}`];
    this.set("USI_Variant", start.variant);
    this.command("isready");
    this.command(`position ${text}`);
    let best: Report | undefined;
    this.searching = true;
    try {
      const move = await new Promise<string>((answer) => {
        this.listener = (line) => {
          if (line.startsWith("bestmove ")) answer(line.split(" ")[1] ?? "none");
          const found = reported(line);
          if (found === undefined) return;
          if (found.line === 1) best = found;
          report(found);
        };
        this.engine.postMessage(goOf(limits));
      });
      return { move, ...(best && { best }) };
    } finally {
      this.searching = false;
      this.listener = () => {};
    }
  }

  /** Ends the search that runs: it chooses the best move so far. */
  stop(): void {
    this.engine.postMessage("stop");
  }

  /** Stops what runs, and ends the player: it is not to be used any more. */
  close(): void {
    this.stop();
    this.engine.terminate();
  }

  /** A command that is answered at once. */
  private command(line: string): void {
    if (this.searching) throw new ShogiError("a search is running");
    let error: string | undefined;
    this.listener = (said) => (error ??= /^info string error: (.*)/.exec(said)?.[1]);
    this.engine.postMessage(line);
    this.listener = () => {};
    if (error !== undefined) throw new ShogiError(error);
  }
}

function goOf({ depth, nodes, milliseconds }: Limits): string {
  const words = [["depth", depth], ["nodes", nodes], ["movetime", milliseconds]];
  const limits = words.flatMap(([word, value]) => (value === undefined ? [] : [`${word} ${value}`]));
  return limits.length === 0 ? "go infinite" : `go ${limits.join(" ")}`;
}

/** What a line of USI reports, if it reports a line of play. */
function reported(line: string): Report | undefined {
  const found = /^info depth (\d+) .*?(?:multipv (\d+) )?score (cp|mate) (-?\d+) nodes (\d+) .*? pv ?(.*)$/.exec(line);
  if (found === null) return undefined;
  const [, depth, number, unit, score, nodes, moves] = found;
  const value = unit === "cp" ? { centipawns: Number(score) } : { mate: Number(score) };
  return { depth: Number(depth), line: Number(number ?? 1), ...value, nodes: Number(nodes), moves: moves!.split(" ").filter(Boolean) };
}

/** Loads the player with its networks. `source` says where `engine.wasm` is; without it, beside this file. */
export async function load(source: string | URL = new URL("./engine.wasm", import.meta.url)): Promise<Player> {
  return new Player(await createEngine({ locateFile: () => new URL(source, import.meta.url).href }));
}
