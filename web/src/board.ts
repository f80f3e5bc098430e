// The board with both hands: click, drag, touch and keyboard. It plays only moves that it was given as legal.

import type { Diagram, Face, Held, Mark, Notation, Piece, Side } from "./api";
import { drawArrows } from "./arrows";
import { h } from "./dom";
import { at, faceOf, fileLabel, parseMove, rankLabel, same, squareLabel, squareName, squareOf, type Move, type Square } from "./notation";
import { pieceSvg } from "./pieces";
import { faceName, word } from "./words";

/** What is picked up: a piece on the board or one in the hand of the player to move. */
type Picked = { square: Square } | { held: string };

export interface BoardInput {
  diagram: Diagram;
  legal: string[];
  /** The last move, to be marked. */
  last: string | undefined;
  /** A move to be pointed at. */
  hint: string | undefined;
  /** Moves to be drawn as arrows, the best first. */
  arrows: string[];
  notation: Notation;
  pieces: Piece[];
  kanji: boolean;
  flipped: boolean;
}

/** How far a pointer moves before it drags, in pixels. */
const DRAG = 6;
/** How far the wheel turns for a step, in pixels. */
const WHEEL = 50;

export class Board {
  readonly element = h("div", { class: "table" });
  private input: BoardInput | undefined;
  private legal: Move[] = [];
  private picked: Picked | undefined;
  /** The square that the keyboard is on. */
  private focus: Square = { file: 1, rank: 1 };
  private choice: HTMLElement | undefined;
  private drag: { x: number; y: number; ghost?: HTMLElement; picked: Picked } | undefined;
  private draggedAway = false;

  /** Moves of the wheel that have not made a step yet, in pixels. */
  private wheeled = 0;

  constructor(
    private readonly play: (usi: string) => void,
    /** Steps through the game; returns whether there is a step to make. */
    private readonly step: (by: 1 | -1) => boolean,
  ) {
    this.element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.element.addEventListener("pointerdown", (event) => this.pointerDown(event));
    window.addEventListener("pointermove", (event) => this.pointerMove(event));
    window.addEventListener("pointerup", (event) => this.pointerUp(event));
    window.addEventListener("pointercancel", () => this.endDrag());
  }

  /** Whether another position is on its way: until it is shown, nothing is picked up or played. */
  set busy(busy: boolean) {
    this.element.setAttribute("aria-busy", String(busy));
    if (busy) this.closeChoice();
  }

  get busy(): boolean {
    return this.element.getAttribute("aria-busy") === "true";
  }

  show(input: BoardInput): void {
    const sameBoard = this.input?.diagram.sfen === input.diagram.sfen;
    this.input = input;
    this.legal = input.legal.map(parseMove);
    if (!sameBoard) {
      this.picked = undefined;
      this.closeChoice();
    }
    const width = input.diagram.ranks[0]?.length ?? 0;
    if (this.focus.file > width || this.focus.rank > input.diagram.ranks.length) {
      this.focus = { file: 1, rank: input.diagram.ranks.length };
    }
    this.draw();
  }

  private wheel(event: WheelEvent): void {
    if (event.ctrlKey || !(event.target as Element).closest(".board")) return;
    this.wheeled = Math.sign(event.deltaY) === Math.sign(this.wheeled) ? this.wheeled + event.deltaY : event.deltaY;
    if (Math.abs(this.wheeled) < WHEEL) return event.preventDefault();
    this.wheeled = 0;
    // At the ends of the game the wheel scrolls the page.
    if (this.step(event.deltaY > 0 ? 1 : -1)) event.preventDefault();
  }

  private draw(): void {
    const input = this.input;
    if (!input) return;
    const hadFocus = this.element.contains(document.activeElement);
    const focused = document.activeElement?.getAttribute("data-key");
    const { diagram, flipped, notation } = input;
    const [width, height] = [diagram.ranks[0]?.length ?? 0, diagram.ranks.length];
    this.element.style.setProperty("--files", String(width));
    this.element.style.setProperty("--ranks", String(height));
    const [upper, lower]: [Side, Side] = flipped ? ["sente", "gote"] : ["gote", "sente"];
    const files = Array.from({ length: width }, (_, i) => (flipped ? i + 1 : width - i));
    const ranks = Array.from({ length: height }, (_, i) => (flipped ? height - i : i + 1));
    const grid = h("div", { class: "board", role: "grid", "aria-label": word("board") });
    for (const rank of ranks) {
      const row = h("div", { class: "row", role: "row" });
      for (const file of files) row.append(this.drawSquare({ file, rank }));
      grid.append(row);
    }
    const hinted = input.hint === undefined ? [] : [input.hint];
    this.element.replaceChildren(
      this.drawHand(upper),
      h(
        "div",
        { class: "frame" },
        h("div", { class: "files", "aria-hidden": "true" }, ...files.map((file) => h("span", {}, fileLabel(file, notation)))),
        grid,
        drawArrows({ width, height, flipped, moves: hinted.length > 0 ? hinted : input.arrows }),
        h(
          "div",
          { class: "ranks", "aria-hidden": "true" },
          ...ranks.map((rank) => h("span", {}, rankLabel(rank, notation))),
        ),
      ),
      this.drawHand(lower),
    );
    if (hadFocus && focused) this.focusOn(focused);
    if (this.choice) this.element.append(this.choice);
  }

  private focusOn(key: string): void {
    this.element.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus();
  }

  private drawSquare(square: Square): HTMLElement {
    const { diagram, last, hint, kanji } = this.input!;
    const mark = at(diagram, square);
    const picked = this.picked !== undefined && "square" in this.picked && same(this.picked.square, square);
    const target = this.targets().some((move) => same(move.to, square));
    const [before, hinted] = [last, hint].map((usi) => (usi === undefined ? undefined : parseMove(usi)));
    const classes = ["square"];
    if (picked) classes.push("picked");
    if (target) classes.push(mark ? "takes" : "target");
    if (before && (same(before.to, square) || same(before.from, square))) classes.push("last");
    if (hinted && (same(hinted.to, square) || same(hinted.from, square))) classes.push("hint");
    const words = [squareLabel(square, this.input!.notation), mark ? `${word(mark.colour)} ${faceName({ letters: mark.face, kanji: mark.kanji }, this.input!.kanji)}` : word("empty")];
    if (picked) words.push(word("chosen"));
    if (target) words.push(word("target"));
    return h(
      "button",
      {
        class: classes.join(" "),
        role: "gridcell",
        type: "button",
        "data-key": squareName(square),
        "aria-label": words.join(", "),
        "aria-selected": String(picked),
        tabindex: same(square, this.focus) ? "0" : "-1",
        onclick: () => this.clickSquare(square),
        onfocus: () => (this.focus = square),
      },
      mark && this.drawMark(mark, kanji),
    );
  }

  private drawMark({ face, kanji, colour }: Mark, inKanji: boolean): SVGElement {
    return pieceSvg({ letters: face, kanji }, colour, this.isUpsideDown(colour), inKanji);
  }

  private isUpsideDown(colour: Side): boolean {
    return (colour === "gote") !== this.input!.flipped;
  }

  private drawHand(side: Side): HTMLElement {
    const { diagram, kanji } = this.input!;
    const held = diagram.hands[side === "sente" ? 0 : 1];
    const toMove = diagram.side === side;
    const label = `${word("hand")}: ${word(side)}`;
    const draw = (piece: Held): HTMLElement => {
      const picked = toMove && this.picked !== undefined && "held" in this.picked && this.picked.held === piece.letter;
      return h(
        "button",
        {
          class: picked ? "held picked" : "held",
          type: "button",
          "data-key": `${side}*${piece.letter}`,
          "data-count": piece.count > 1 ? piece.count : undefined,
          "data-held": toMove ? piece.letter : undefined,
          "aria-label": `${label}, ${faceName({ letters: piece.letter, kanji: piece.kanji }, this.input!.kanji)}, ${piece.count}`,
          "aria-pressed": String(picked),
          disabled: !toMove,
          onclick: () => this.clickHeld(piece.letter),
        },
        pieceSvg({ letters: piece.letter, kanji: piece.kanji }, side, this.isUpsideDown(side), kanji),
      );
    };
    const name = h("span", { class: "side" }, side === "sente" ? "☗ " : "☖ ", word(side));
    const classes = `hand ${toMove ? "to-move" : ""}`;
    return h("div", { class: classes, role: "group", "aria-label": label }, name, ...held.map(draw));
  }

  /** The moves of what is picked up. */
  private targets(): Move[] {
    return this.picked ? this.movesOf(this.picked) : [];
  }

  private movesOf(picked: Picked): Move[] {
    if ("square" in picked) return this.legal.filter((move) => move.from && same(move.from, picked.square));
    const faces = this.facesOf(picked.held);
    return this.legal.filter((move) => move.dropped !== undefined && faces.includes(move.dropped));
  }

  /** The faces that a piece in a hand may be dropped with, if the rules let it. */
  private facesOf(held: string): string[] {
    const kind = this.input!.pieces.find(({ front }) => front.letters === held);
    return kind?.back ? [held, kind.back.letters] : [held];
  }

  private clickSquare(square: Square): void {
    if (this.draggedAway || this.busy) return;
    const moves = this.targets().filter((move) => same(move.to, square));
    if (moves.length > 0) {
      this.choose(moves, square);
      return;
    }
    const again = this.picked && "square" in this.picked && same(this.picked.square, square);
    const movable = this.legal.some((move) => move.from && same(move.from, square));
    this.pick(movable && !again ? { square } : undefined);
  }

  private clickHeld(held: string): void {
    if (this.draggedAway || this.busy) return;
    const again = this.picked && "held" in this.picked && this.picked.held === held;
    this.pick(again ? undefined : { held });
  }

  private pick(picked: Picked | undefined): void {
    this.picked = picked;
    this.closeChoice();
    this.draw();
  }

  /** Plays the only move, or asks which face the piece is to show. */
  private choose(moves: Move[], square: Square): void {
    if (moves.length === 1) {
      this.picked = undefined;
      this.play(moves[0]!.usi);
      return;
    }
    const { diagram, kanji } = this.input!;
    const buttons = moves.map((move) => {
      const face = this.faceAfter(move);
      const label = `${faceName(face, this.input!.kanji)}${move.dropped ? "" : `, ${word(move.turns ? "promote" : "keep")}`}`;
      return h(
        "button",
        {
          type: "button",
          class: "face",
          "data-move": move.usi,
          "aria-label": label,
          onclick: () => {
            this.closeChoice();
            this.picked = undefined;
            this.play(move.usi);
          },
        },
        pieceSvg(face, diagram.side, this.isUpsideDown(diagram.side), kanji),
      );
    });
    // The promoted face first: it is nearly always the better one.
    buttons.sort((a, b) => Number(b.dataset.move!.endsWith("+")) - Number(a.dataset.move!.endsWith("+")));
    const cancel = h("button", { type: "button", class: "cancel", "aria-label": word("cancel"), onclick: () => this.pick(undefined) }, "×");
    this.closeChoice();
    this.choice = h("div", { class: "choice", role: "dialog", "aria-modal": "true", "aria-label": word("choose") }, ...buttons, cancel);
    const target = this.element.querySelector<HTMLElement>(`[data-key="${squareName(square)}"]`);
    const [outer, inner] = [this.element.getBoundingClientRect(), target?.getBoundingClientRect()];
    if (inner) {
      this.choice.style.setProperty("--x", `${inner.left + inner.width / 2 - outer.left}px`);
      this.choice.style.setProperty("--y", `${inner.top + inner.height / 2 - outer.top}px`);
    }
    this.element.append(this.choice);
    buttons[0]?.focus();
  }

  /** The face that a move leaves on its target. */
  private faceAfter(move: Move): Face {
    const { diagram, pieces } = this.input!;
    if (move.dropped !== undefined) {
      return faceOf(move.dropped, pieces) ?? { letters: move.dropped, kanji: move.dropped };
    }
    const mark = at(diagram, move.from!)!;
    const now = { letters: mark.face, kanji: mark.kanji };
    if (!move.turns) return now;
    const kind = pieces.find(({ front, back }) => front.letters === mark.face || back?.letters === mark.face);
    return (kind?.front.letters === mark.face ? kind.back : kind?.front) ?? now;
  }

  private closeChoice(): void {
    this.choice?.remove();
    this.choice = undefined;
  }

  private key(event: KeyboardEvent): void {
    if (event.key === "Escape" && (this.picked || this.choice)) {
      const back = squareName(this.focus);
      this.pick(undefined);
      this.focusOn(back);
      event.preventDefault();
      return;
    }
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    const onSquare = (event.target as HTMLElement).getAttribute("role") === "gridcell";
    if (!step || !onSquare || !this.input) return;
    event.preventDefault();
    const sign = this.input.flipped ? -1 : 1;
    const { ranks } = this.input.diagram;
    const within = (value: number, most: number) => Math.min(Math.max(value, 1), most);
    this.focus = {
      file: within(this.focus.file + sign * step[0], ranks[0]?.length ?? 1),
      rank: within(this.focus.rank + sign * step[1], ranks.length),
    };
    for (const cell of this.element.querySelectorAll("[role=gridcell]")) cell.setAttribute("tabindex", "-1");
    const cell = this.element.querySelector<HTMLElement>(`[data-key="${squareName(this.focus)}"]`);
    cell?.setAttribute("tabindex", "0");
    cell?.focus();
  }

  private pickedAt(target: EventTarget | null): Picked | undefined {
    const element = (target as Element | null)?.closest?.<HTMLElement>("[data-key]");
    if (!element || !this.element.contains(element)) return undefined;
    if (element.dataset.held !== undefined) return { held: element.dataset.held };
    if (element.getAttribute("role") !== "gridcell") return undefined;
    const name = element.dataset.key!;
    const square = squareOf(name);
    return this.legal.some((move) => move.from && same(move.from, square)) ? { square } : undefined;
  }

  private pointerDown(event: PointerEvent): void {
    this.draggedAway = false;
    if (event.button !== 0 || this.choice?.contains(event.target as Node)) return;
    const picked = this.pickedAt(event.target);
    if (picked) this.drag = { x: event.clientX, y: event.clientY, picked };
  }

  private pointerMove(event: PointerEvent): void {
    const drag = this.drag;
    if (!drag) return;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG) return;
      const key = "square" in drag.picked ? squareName(drag.picked.square) : `${this.input!.diagram.side}*${drag.picked.held}`;
      const source = this.element.querySelector(`[data-key="${CSS.escape(key)}"] svg`);
      if (!source) return this.endDrag();
      drag.ghost = h("div", { class: "ghost" }, source.cloneNode(true));
      drag.ghost.style.setProperty("--size", `${source.getBoundingClientRect().width}px`);
      document.body.append(drag.ghost);
      this.pick(drag.picked);
      this.element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.classList.add("lifted");
    }
    drag.ghost.style.setProperty("--x", `${event.clientX}px`);
    drag.ghost.style.setProperty("--y", `${event.clientY}px`);
    event.preventDefault();
  }

  private pointerUp(event: PointerEvent): void {
    const drag = this.drag;
    this.endDrag();
    if (!drag?.ghost) return;
    // The click that follows belongs to the drag.
    this.draggedAway = true;
    setTimeout(() => (this.draggedAway = false), 0);
    const under = document.elementFromPoint(event.clientX, event.clientY);
    const name = under?.closest<HTMLElement>("[role=gridcell]")?.dataset.key;
    const square = name ? squareOf(name) : undefined;
    const moves = square ? this.movesOf(drag.picked).filter((move) => same(move.to, square)) : [];
    if (square && moves.length > 0) {
      this.choose(moves, square);
    } else {
      this.pick(undefined);
    }
  }

  private endDrag(): void {
    this.drag?.ghost?.remove();
    this.drag = undefined;
  }
}
