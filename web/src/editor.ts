// The board editor: pieces are put on the board and into the hands, in any number; whether it is a position,
// the program says.

import type { Diagram, Face, Mark, Notation, Piece, Side } from "./api";
import { h } from "./dom";
import { fileLabel, rankLabel, squareLabel, squareName, type Square } from "./notation";
import { button } from "./parts";
import { pieceSvg } from "./pieces";
import { faceName, word } from "./words";

export interface EditorInput {
  diagram: Diagram;
  pieces: Piece[];
  kanji: boolean;
  flipped: boolean;
  notation: Notation;
}

/** What a click on a square does: puts a piece there or takes it away; else it picks a piece up or puts it down. */
type Chosen = Omit<Mark, "kanji"> | "erase" | undefined;

/** Kings and lions, which no hand holds, by their kanji. */
const ROYAL = "玉獅";
const SIDES: Side[] = ["sente", "gote"];

export class Editor {
  readonly element = h("div", { class: "editor" });
  private ranks: (Mark | null)[][];
  private hands: [Map<string, number>, Map<string, number>];
  private side: Side;
  private chosen: Chosen;
  private picked: Square | undefined;

  constructor(
    private input: EditorInput,
    private readonly done: (sfen: string | undefined) => void,
  ) {
    const { ranks, hands, side } = input.diagram;
    this.ranks = ranks.map((rank) => [...rank]);
    const counts = (held: Diagram["hands"][0]) => new Map(held.map(({ letter, count }) => [letter, count]));
    this.hands = [counts(hands[0]), counts(hands[1])];
    this.side = side;
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.done(undefined);
    });
    this.draw();
  }

  /** Shows the same in other letters, another language or turned round. */
  show(input: Omit<EditorInput, "diagram">): void {
    this.input = { ...this.input, ...input };
    this.draw();
  }

  /** The position in SFEN. */
  sfen(): string {
    const letters = (face: string, colour: Side) => (colour === "sente" ? face : face.toLowerCase());
    const rank = (squares: (Mark | null)[]) =>
      squares.map((mark) => (mark ? letters(mark.face, mark.colour) : "1")).join("").replace(/1+/g, (empty) => String(empty.length));
    const held = SIDES.flatMap((side, i) =>
      this.input.pieces.map(({ front }) => {
        const count = this.hands[i]!.get(front.letters) ?? 0;
        return count === 0 ? "" : `${count > 1 ? count : ""}${letters(front.letters, side)}`;
      }).reverse(),
    ).join("");
    return `${this.ranks.map(rank).join("/")} ${this.side === "sente" ? "b" : "w"} ${held || "-"} 1`;
  }

  private column({ file }: Square): number {
    return this.ranks[0]!.length - file;
  }

  private at(square: Square): Mark | null {
    return this.ranks[square.rank - 1]![this.column(square)]!;
  }

  private put(square: Square, mark: Mark | null): void {
    this.ranks[square.rank - 1]![this.column(square)] = mark;
  }

  private click(square: Square): void {
    const here = this.at(square);
    const { chosen, picked } = this;
    if (chosen === "erase") {
      this.put(square, null);
    } else if (chosen) {
      const again = here?.face === chosen.face && here.colour === chosen.colour;
      this.put(square, again ? null : { ...chosen, kanji: this.face(chosen.face).kanji });
    } else if (picked) {
      const moved = this.at(picked);
      this.put(picked, null);
      this.put(square, moved);
      this.picked = undefined;
    } else if (here) {
      this.picked = square;
    }
    this.draw();
  }

  private clickHand(place: number, letter: string): void {
    const hand = this.hands[place]!;
    const count = (hand.get(letter) ?? 0) + (this.chosen === "erase" ? -1 : 1);
    hand.set(letter, Math.max(count, 0));
    this.draw();
  }

  private face(letters: string): Face {
    const faces = this.input.pieces.flatMap(({ front, back }) => (back ? [front, back] : [front]));
    return faces.find((face) => face.letters === letters) ?? { letters, kanji: letters };
  }

  private draw(): void {
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.getAttribute("data-key") : undefined;
    const { flipped } = this.input;
    const [upper, lower] = flipped ? [0, 1] : [1, 0];
    this.element.replaceChildren(
      this.drawHand(upper),
      this.drawBoard(),
      this.drawHand(lower),
      h("div", { class: "palette", role: "group", "aria-label": word("editPalette") }, ...SIDES.map((side) => this.drawPalette(side))),
      this.drawControls(),
      h("p", { class: "quiet" }, word("editHelp")),
    );
    if (focused) this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(focused)}"]`)?.focus();
  }

  private drawBoard(): HTMLElement {
    const { flipped, notation } = this.input;
    const [width, height] = [this.ranks[0]!.length, this.ranks.length];
    const files = Array.from({ length: width }, (_, i) => (flipped ? i + 1 : width - i));
    const ranks = Array.from({ length: height }, (_, i) => (flipped ? height - i : i + 1));
    this.element.style.setProperty("--files", String(width));
    this.element.style.setProperty("--ranks", String(height));
    return h(
      "div",
      { class: "frame" },
      h("div", { class: "files", "aria-hidden": "true" }, ...files.map((file) => h("span", {}, fileLabel(file, notation)))),
      h("div", { class: "board", role: "group", "aria-label": word("board") }, ...ranks.map((rank) => h("div", { class: "row" }, ...files.map((file) => this.drawSquare({ file, rank }))))),
      h("div", { class: "ranks", "aria-hidden": "true" }, ...ranks.map((rank) => h("span", {}, rankLabel(rank, notation)))),
    );
  }

  private drawSquare(square: Square): HTMLElement {
    const mark = this.at(square);
    const picked = this.picked?.file === square.file && this.picked.rank === square.rank;
    const words = [squareLabel(square, this.input.notation), mark ? `${word(mark.colour)} ${faceName({ letters: mark.face, kanji: mark.kanji }, this.input.kanji)}` : word("empty")];
    return h(
      "button",
      { type: "button", class: picked ? "square picked" : "square", "data-key": `edit ${squareName(square)}`, "aria-label": words.join(", "), "aria-pressed": String(picked), onclick: () => this.click(square) },
      mark && this.drawPiece({ letters: mark.face, kanji: mark.kanji }, mark.colour),
    );
  }

  private drawPiece(face: Face, colour: Side): SVGElement {
    return pieceSvg(face, colour, (colour === "gote") !== this.input.flipped, this.input.kanji);
  }

  private drawHand(place: number): HTMLElement {
    const side = SIDES[place]!;
    const slots = this.input.pieces.filter(({ front }) => !ROYAL.includes(front.kanji)).map(({ front }) => {
      const count = this.hands[place]!.get(front.letters) ?? 0;
      const label = `${word("hand")}: ${word(side)}, ${faceName(front, this.input.kanji)}, ${count}`;
      return h(
        "button",
        { type: "button", class: count > 0 ? "held" : "held none", "data-count": count > 0 ? count : undefined, "data-key": `edit ${side}*${front.letters}`, "aria-label": label, onclick: () => this.clickHand(place, front.letters) },
        this.drawPiece(front, side),
      );
    });
    return h("div", { class: "hand", role: "group", "aria-label": `${word("hand")}: ${word(side)}` }, h("span", { class: "side" }, side === "sente" ? "☗ " : "☖ ", word(side)), ...slots);
  }

  private drawPalette(colour: Side): HTMLElement {
    const faces = this.input.pieces.flatMap(({ front, back }) => (back ? [front, back] : [front]));
    const draw = (face: Face) => {
      const { chosen } = this;
      const pressed = chosen !== undefined && chosen !== "erase" && chosen.face === face.letters && chosen.colour === colour;
      const choose = () => this.choose(pressed ? undefined : { face: face.letters, colour });
      return h(
        "button",
        { type: "button", class: "held", "data-key": `palette ${colour} ${face.letters}`, "aria-label": `${word(colour)} ${faceName(face, this.input.kanji)}`, "aria-pressed": String(pressed), onclick: choose },
        this.drawPiece(face, colour),
      );
    };
    return h("div", { class: "faces" }, ...faces.map(draw));
  }

  private choose(chosen: Chosen): void {
    this.chosen = chosen;
    this.picked = undefined;
    this.draw();
  }

  private drawControls(): HTMLElement {
    const erasing = this.chosen === "erase";
    const erase = button("editErase", () => this.choose(erasing ? undefined : "erase"));
    erase.setAttribute("aria-pressed", String(erasing));
    erase.dataset.key = "edit erase";
    const side = h("select", { "aria-label": word("editSide"), "data-key": "edit side" }, ...SIDES.map((one) => h("option", { value: one, selected: one === this.side }, word(one))));
    side.addEventListener("change", () => (this.side = side.value as Side));
    const clear = button("editClear", () => {
      this.ranks = this.ranks.map((rank) => rank.map(() => null));
      this.hands = [new Map(), new Map()];
      this.picked = undefined;
      this.draw();
    });
    clear.dataset.key = "edit clear";
    return h(
      "div",
      { class: "buttons" },
      h("label", { class: "inline" }, word("editSide"), " ", side),
      erase,
      clear,
      button("editDone", () => this.done(this.sfen()), "primary"),
      button("editCancel", () => this.done(undefined)),
    );
  }
}
