// The questions that the server answers: the same objects as those of the program's verbs.

export type Side = "sente" | "gote";
export type Value = "win" | "loss" | "draw";

export interface Mark {
  /** The letters in SFEN, upper case, with the plus of a turned piece. */
  face: string;
  kanji: string;
  colour: Side;
}

export interface Held {
  letter: string;
  kanji: string;
  count: number;
}

export interface Diagram {
  sfen: string;
  ranks: (Mark | null)[][];
  hands: [Held[], Held[]];
  side: Side;
}

export interface Moves {
  check: boolean;
  end: Value | null;
  moves: string[];
}

export interface ProbedMove {
  move: string;
  value: Value;
  plies: number | null;
}

export interface Probed {
  value: Value;
  plies: number | null;
  moves: ProbedMove[];
}

export interface ProofReply {
  move: string;
  end?: Value;
  rank: number | null;
}

export interface ProofStep {
  sfen: string;
  end?: Value;
  move: string | null;
  rank: number | null;
  replies: ProofReply[];
}

export interface Certificate {
  certificate: "game" | "closed";
  moves?: string[];
  plies?: number;
  predecessors?: string[][];
}

export interface Classified {
  stage: "flip" | "pawn" | "king" | "unreachable" | "ok" | "unknown";
  plies?: number;
  certificate: Certificate | null;
}

export interface Face {
  letters: string;
  kanji: string;
}

export interface Piece {
  front: Face;
  back: Face | null;
}

export interface AboutVariant {
  name: string;
  title: string;
  start: string;
  pieces: Piece[];
  reach: boolean;
  tablebases: boolean;
}

export interface ProofFile {
  kind: "proof";
  name: string;
  variant: string;
  root: string;
  claim: string;
  provers: Side[];
  value: Value | null;
  entries: number;
}

export interface TableFile {
  kind: "tablebase";
  name: string;
  variant: string;
  pieces: string;
  positions: number;
  start: string | null;
}

export interface About {
  version: string;
  variants: AboutVariant[];
  files: (ProofFile | TableFile)[];
}

/** What the engine says while it searches. */
export interface SearchEvent {
  depth?: number;
  multipv?: number;
  score?: { cp?: number; mate?: number | string };
  lowerbound?: boolean;
  upperbound?: boolean;
  nodes?: number;
  nps?: number;
  pv?: string[];
  bestmove?: string;
  /** Other searches run, as many as may run at once. */
  waiting?: boolean;
}

/** Why a question has no answer, in the program's words. */
export class Refusal extends Error {}

async function read<T>(response: Response): Promise<T> {
  const answer = await response.json();
  if (!response.ok) throw new Refusal(answer.error ?? response.statusText);
  return answer as T;
}

export async function about(): Promise<About> {
  return read(await fetch("api/about"));
}

export async function ask<T>(question: string, request: object, signal?: AbortSignal): Promise<T> {
  const response = await fetch(`api/${question}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request),
    signal,
  });
  return read(response);
}

/** Starts a search; the function returned ends it. */
export function search(
  variant: string,
  position: string,
  lines: number,
  heard: (event: SearchEvent) => void,
  ended: (failed: boolean) => void,
): () => void {
  const query = new URLSearchParams({ variant, in: position, lines: String(lines) });
  const source = new EventSource(`api/search?${query}`);
  source.onmessage = (message) => {
    const event = JSON.parse(message.data) as SearchEvent;
    if (event.bestmove !== undefined) {
      source.close();
      ended(false);
    } else {
      heard(event);
    }
  };
  // A browser would ask again when a stream ends.
  source.onerror = () => {
    source.close();
    ended(true);
  };
  return () => source.close();
}
