// The questions that are answered, by the same objects as those of the program's verbs: by the server, or by
// the libraries in the page itself.

import type { Piece } from "../../npm/src/index";
import type { Side, Value } from "../../npm/src/rules";
import { MOST_LINKED } from "./link";

export type { Face, Mate as Mated, Notation, Piece, Retraction, Step as ProofStep } from "../../npm/src/index";
export type { Moves, Side, Value } from "../../npm/src/rules";
export type { Probed } from "../../npm/src/tablebase";

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

/** An order that numbers positions, and how many. */
export interface OrderOf {
  order: string;
  positions: string;
}

/** The number of a position, or of the one that stands for it. */
export interface RankOf {
  rank: string;
  /** Whether it is that of the position with colours exchanged. */
  exchanged?: boolean;
  /** Whether it is that of the mirror image. */
  mirrored?: boolean;
}

/** Whether a proof holds. */
export type VerifiedProof = { ok: true; entries: number } | { ok: false; reason: string; position: string };

export interface Certificate {
  certificate: "game" | "closed";
  moves?: string[];
  plies?: number;
  predecessors?: string[][];
}

export interface Classified {
  /** Of this very position; null where it was not found out. */
  reachable: boolean | null;
  /** The stage at which it drops out of the positions that are counted, of two mirror images one at `flip`. */
  stage: "flip" | "pawn" | "king" | "unreachable" | "ok" | "unknown";
  plies?: number;
  certificate: Certificate | null;
}

export interface AboutVariant {
  /** What requests call it: its name, or of one that is not built in its text. */
  name: string;
  title: string;
  start: string;
  /** The position that is looked at first, where it is not the start. */
  first?: string;
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
  /** A position to look at first. */
  root: string | null;
}

export interface About {
  version: string;
  /** The highest level of the player; the lowest is 1. */
  levels: number;
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

/** What a search for the value of a position has found. */
export interface Solved {
  value: Value | "unknown";
  plies_at_most: number | null;
  nodes: number;
  /** What ended the search: the value, or a limit. */
  ended: "solved" | "nodes" | "time" | "stopped" | "memory" | "repetition";
}

/** How far the search for a value has come. */
export interface SolveEvent {
  nodes?: number;
  seconds?: number;
  proof?: number;
  disproof?: number;
  /** Other searches run, as many as may run at once. */
  waiting?: boolean;
}

/** How far a report is. */
export interface ReportEvent {
  things?: "games" | "samples" | "nodes" | "positions";
  done?: number;
  all?: number;
  /** Other searches run, as many as may run at once. */
  waiting?: boolean;
}

/** A report on a game, as a page in HTML. */
export interface Reported {
  page: string;
}

/** Why a question has no answer, in the program's words. */
export class Refusal extends Error {}

/** Takes an answer, or throws why there is none. */
export function taken<T>(status: number, body: { error?: string } | null): T {
  if (status !== 200) throw new Refusal(body?.error ?? String(status));
  return body as T;
}

export interface SearchRequest {
  variant: string;
  in: string;
  lines: number;
}

/** Who answers the page. */
export interface Answerer {
  about(): Promise<About>;
  ask<T>(question: string, request: object, signal?: AbortSignal): Promise<T>;
  /** Starts a search; the function returned ends it. */
  search(request: SearchRequest, heard: (event: SearchEvent) => void, ended: (failed: boolean) => void): () => void;
  /** Opens a proof or a tablebase. */
  open(name: string, content: ArrayBuffer): Promise<About>;
  /** Solves a position and opens the proof, where there is one and room for it. The signal stops it. */
  solve(request: SolveRequest, signal: AbortSignal, heard: (event: SolveEvent) => void): Promise<Solution>;
  /** Reports on a game that begins in this position. The signal stops it. */
  report(request: SolveRequest, signal: AbortSignal, heard: (event: ReportEvent) => void): Promise<Reported>;
  /** Opens a file by its address. A server has its files open from the start. */
  openAddress?(address: string): Promise<About>;
}

export interface SolveRequest {
  variant: string;
  in: string;
}

export interface Solution {
  solved: Solved;
  /** The file of the proof, where the page itself has it. */
  proof?: ArrayBuffer;
  /** All files, with that of the proof, and its place among them. */
  opened?: { about: About; file: number };
}

let answerer: Answerer;

/** Has all questions answered by this one. */
export function connect(chosen: Answerer): void {
  answerer = chosen;
}

/** Opens a file by its address; none where the page names no files. */
export function addressOpener(): ((address: string) => Promise<About>) | undefined {
  return answerer.openAddress?.bind(answerer);
}

/** The small files that the page itself has opened, by their places among all. */
const contents = new Map<number, ArrayBuffer>();

function keep({ files }: About, content: ArrayBuffer): void {
  if (content.byteLength <= MOST_LINKED) contents.set(files.length - 1, content);
}

/** The bytes of a file, where the page has them and an address can hold them. */
export const contentOf = (file: number): ArrayBuffer | undefined => contents.get(file);

export async function openFile(name: string, content: ArrayBuffer): Promise<About> {
  const about = await answerer.open(name, content);
  keep(about, content);
  return about;
}

export async function solve(request: SolveRequest, signal: AbortSignal, heard: (event: SolveEvent) => void): Promise<Solution> {
  const solution = await answerer.solve(request, signal, heard);
  if (solution.opened && solution.proof) keep(solution.opened.about, solution.proof);
  return solution;
}

export function report(request: SolveRequest, signal: AbortSignal, heard: (event: ReportEvent) => void): Promise<Reported> {
  return answerer.report(request, signal, heard);
}

export function about(): Promise<About> {
  return answerer.about();
}

export function ask<T>(question: string, request: object, signal?: AbortSignal): Promise<T> {
  return answerer.ask<T>(question, request, signal);
}

export function search(request: SearchRequest, heard: (event: SearchEvent) => void, ended: (failed: boolean) => void): () => void {
  return answerer.search(request, heard, ended);
}
