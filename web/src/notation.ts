// Squares and moves as the board knows them. What is legal, what a move leads to and how it is written, only
// the program says.

import type { Diagram, Face, Notation, Piece } from "./api";

const WIDE = "０１２３４５６７８９";
const NUMBERS = ["〇", "一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "十二", "十三", "十四", "十五"];

/** A square of a board: file and rank from 1. */
export interface Square {
  file: number;
  rank: number;
}

export interface Move {
  usi: string;
  /** None for drops. */
  from?: Square;
  /** The face of a drop in SFEN. */
  dropped?: string;
  to: Square;
  turns: boolean;
}

/** Takes a square and what follows it apart. */
function square(text: string): { square: Square; rest: string } {
  const [all = "", file, rank = "a"] = /^(\d+)([a-z])/.exec(text) ?? [];
  return { square: { file: Number(file), rank: rank.charCodeAt(0) - 96 }, rest: text.slice(all.length) };
}

/** The square with a name in USI. */
export const squareOf = (name: string): Square => square(name).square;

/** The name of a square in USI. */
export const squareName = ({ file, rank }: Square): string => file + String.fromCharCode(96 + rank);

/** A file as it stands at the edge of the board. */
export const fileLabel = (file: number, notation: Notation): string => (notation === "japanese" ? String(file).replace(/\d/g, (digit) => WIDE[Number(digit)]!) : String(file));

/** A rank as it stands at the edge of the board. */
export const rankLabel = (rank: number, notation: Notation): string => (notation === "japanese" ? NUMBERS[rank]! : String.fromCharCode(96 + rank));

/** A square as people read it: 5c, ５三. */
export const squareLabel = ({ file, rank }: Square, notation: Notation): string => fileLabel(file, notation) + rankLabel(rank, notation);

export const same = (one?: Square, other?: Square): boolean =>
  one?.file === other?.file && one?.rank === other?.rank;

/** Takes a move in USI notation apart: `5d5c`, `5d5c+`, `5d5c-`, `P*5c`, `+P*5c`. */
export function parseMove(usi: string): Move {
  const star = usi.indexOf("*");
  if (star >= 0) {
    return { usi, dropped: usi.slice(0, star), to: square(usi.slice(star + 1)).square, turns: false };
  }
  const { square: from, rest } = square(usi);
  const { square: to, rest: turn } = square(rest);
  return { usi, from, to, turns: turn !== "" };
}

export function at(diagram: Diagram, { file, rank }: Square) {
  const row = diagram.ranks[rank - 1] ?? [];
  return row[row.length - file] ?? null;
}

/** The face that letters stand for. */
export function faceOf(letters: string, pieces: Piece[]): Face | undefined {
  return pieces.flatMap(({ front, back }) => (back ? [front, back] : [front])).find((face) => face.letters === letters);
}

/** The diagram with the kanji of its faces, also where its dialect has letters that have none. */
export function inKanji(diagram: Diagram, pieces: Piece[]): Diagram {
  const kanji = (letters: string, otherwise: string) => faceOf(letters, pieces)?.kanji ?? otherwise;
  const ranks = diagram.ranks.map((rank) => rank.map((mark) => mark && { ...mark, kanji: kanji(mark.face, mark.kanji) }));
  const [sente, gote] = diagram.hands.map((hand) => hand.map((held) => ({ ...held, kanji: kanji(held.letter, held.kanji) })));
  return { ...diagram, ranks, hands: [sente ?? [], gote ?? []] };
}
