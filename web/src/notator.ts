// Moves as people read them: the program writes them, in the notation that is chosen.

import { ask, type Notation } from "./api";

/** A line of moves from a position, both as the program takes them. */
export interface Line {
  variant: string;
  in: string;
  moves: string[];
}

/** How many lines are kept. */
const KEPT = 4000;

const written = new Map<string, string[] | null>();
/** Lines that are requested together, with who waits for them. */
let wanted = new Map<string, { line: Line; notation: Notation; hear: ((texts: string[] | null) => void)[] }>();

/** Has a line written; `hear` is called at once where it is known, and with the USI where it cannot be played. */
export function write(line: Line, notation: Notation, hear: (texts: string[]) => void): void {
  if (notation === "usi" || line.moves.length === 0) return hear(line.moves);
  const key = [notation, line.variant, line.in, ...line.moves].join("|");
  const known = written.get(key);
  if (known !== undefined) return hear(known ?? line.moves);
  if (wanted.size === 0) queueMicrotask(() => void send());
  const entry = wanted.get(key) ?? { line, notation, hear: [] };
  entry.hear.push((texts) => hear(texts ?? line.moves));
  wanted.set(key, entry);
}

/** The most characters of positions and moves in one question: a request has at most a megabyte. */
const LONGEST = 300_000;

type Wanted = [string, { line: Line; notation: Notation; hear: ((texts: string[] | null) => void)[] }];

async function send(): Promise<void> {
  const all = [...wanted];
  wanted = new Map();
  let part: Wanted[] = [];
  let length = 0;
  for (const entry of all) {
    const [first] = part;
    const { line, notation } = entry[1];
    const fits = !first || (first[1].line.variant === line.variant && first[1].notation === notation && length < LONGEST);
    if (!fits) {
      void sendPart(part);
      [part, length] = [[], 0];
    }
    part.push(entry);
    length += entry[0].length;
  }
  await sendPart(part);
}

/** Asks for lines of one variant in one notation. */
async function sendPart(part: Wanted[]): Promise<void> {
  const { line: { variant }, notation } = part[0]![1];
  const lines = part.map(([, { line }]) => ({ in: line.in, moves: line.moves }));
  let texts: (string[] | null)[] = [];
  try {
    texts = (await ask<{ lines: (string[] | null)[] }>("notate", { variant, notation, lines })).lines;
  } catch {
    // Without an answer they stay as they are.
  }
  part.forEach(([key, { hear }], i) => {
    if (texts[i] !== undefined) keep(key, texts[i]);
    for (const one of hear) one(texts[i] ?? null);
  });
}

function keep(key: string, texts: string[] | null): void {
  if (written.size >= KEPT) for (const old of [...written.keys()].slice(0, KEPT / 2)) written.delete(old);
  written.set(key, texts);
}
