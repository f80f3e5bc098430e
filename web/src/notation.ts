// Squares and moves as people read them. What is legal and what a move leads to, only the program says.

import type { Diagram, Face, Piece } from "./api";

const WIDE = "０１２３４５６７８９";
const NUMBERS = "〇一二三四五六七八九";

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

const square = (text: string): Square => ({ file: Number(text[0]), rank: text.charCodeAt(1) - 96 });

export const squareName = ({ file, rank }: Square): string => file + String.fromCharCode(96 + rank);

export const same = (one?: Square, other?: Square): boolean =>
  one?.file === other?.file && one?.rank === other?.rank;

/** Takes a move in USI notation apart: `5d5c`, `5d5c+`, `5d5c-`, `P*5c`, `+P*5c`. */
export function parseMove(usi: string): Move {
  const star = usi.indexOf("*");
  if (star >= 0) {
    return { usi, dropped: usi.slice(0, star), to: square(usi.slice(star + 1)), turns: false };
  }
  return { usi, from: square(usi), to: square(usi.slice(2)), turns: usi.length > 4 };
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

/** A move for people: `P5d-5c+` or ５三歩成(54). */
export function moveText(usi: string, diagram: Diagram, pieces: Piece[], kanji: boolean): string {
  if (!/^(\+?[A-Z]\*)?[1-9][a-i]/.test(usi)) return usi;
  const { from, dropped, to, turns } = parseMove(usi);
  const target = kanji ? WIDE[to.file] + NUMBERS[to.rank] : squareName(to);
  if (!from) {
    const face = faceOf(dropped ?? "", pieces);
    return kanji ? `${target}${face?.kanji ?? dropped}打` : `${dropped}*${target}`;
  }
  const mark = at(diagram, from);
  const sign = usi[4] ?? "";
  if (kanji) return `${target}${mark?.kanji ?? ""}${turns ? "成" : ""}(${from.file}${from.rank})`;
  const takes = at(diagram, to) ? "x" : "-";
  return `${mark?.face ?? ""}${squareName(from)}${takes}${target}${sign}`;
}
