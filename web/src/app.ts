// What the tabs know of the page.

import { ask, type About, type AboutVariant, type Diagram, type Moves, type ProofFile, type TableFile } from "./api";
import { h } from "./dom";
import { inLanguage } from "./errors";
import { write } from "./notator";
import type { Evaluation } from "./scores";
import { notationOf, positionText, type Settings, type View } from "./state";
import { variantTitle } from "./words";

export interface App {
  readonly about: About;
  readonly view: View;
  readonly settings: Settings;
  /** The position looked at; undefined until the program has answered. */
  readonly diagram: Diagram | undefined;
  /** Its moves; undefined where the position is not legal. */
  readonly legal: Moves | undefined;
  /** Why the position is not legal. */
  readonly illegal: string | undefined;
  /** Looks at something else. */
  go(change: Partial<View>): void;
  /** Plays a move; a move on is taken back first. */
  play(usi: string): void;
  /** Plays a line from the position looked at and looks at it after so many of its moves. */
  walk(line: string[], steps: number): void;
  /** Shows what has been opened. */
  opened(about: About): void;
  /** Shows the variant that a text describes; throws all that is wrong with it, one a line. */
  openVariant(text: string): Promise<void>;
  /** Opens a proof or a tablebase and shows it, or says why it is none. */
  openFile(name: string, content: () => Promise<ArrayBuffer>): Promise<void>;
  /** Looks at the root of a proof, or at a position of a tablebase. */
  showFile(file: ProofFile | TableFile): void;
  /** Whether the board takes moves; it does unless a tab blocks it. */
  block(blocked: boolean): void;
  /** Turns the board so that Gote sits below, or back. */
  flip(flipped: boolean): void;
  /** Copies the address of what is looked at. */
  share(): void;
  /** Has the address hold a proof, and copies it. */
  shareProof(content: ArrayBuffer): void;
  /** The position of a variant that is looked at first. */
  firstOf(variant: string): string;
  /** Points at a move on the board. */
  hint(usi: string | undefined): void;
  /** Draws arrows for moves, the best first. */
  arrows(moves: string[]): void;
  /** Shows how the position is judged. */
  judge(evaluation: Evaluation | undefined): void;
}

/** The content of a tab. */
export interface Panel {
  readonly element: HTMLElement;
  /** Called whenever the position, the language or the pieces have changed while the tab is shown. */
  show(): void;
  /** Called when another tab is shown. */
  hide?(): void;
  /** Called when other files are open than before. */
  reopened?(): void;
}

export function variantOf(app: App): AboutVariant {
  return app.about.variants.find(({ name }) => name === app.view.variant) ?? app.about.variants[0]!;
}

/** What a variant is called. */
export function titleOf(app: App, variant: string): string {
  const known = app.about.variants.find(({ name }) => name === variant);
  return variantTitle(variant, known?.title ?? variant);
}

/** Where a line of moves begins: at the position looked at, unless another one is named. */
export interface From {
  variant?: string;
  position?: string;
}

/** Has a line written as people read it. */
export function writeLine(app: App, moves: string[], hear: (texts: string[]) => void, from: From = {}): void {
  const { variant = app.view.variant, position = positionText(app.view) } = from;
  write({ variant, in: position, moves }, notationOf(app.settings), hear);
}

/** A move of a line as people read it; its text comes with the program's answer. */
export function moveText(app: App, moves: string[], index = 0, from: From = {}): HTMLElement {
  const text = h("span", { class: "move-text" });
  writeLine(app, moves, (texts) => (text.textContent = texts[index] ?? moves[index] ?? ""), from);
  return text;
}

/** Asks about the position looked at. */
export function askHere<T>(app: App, question: string, signal?: AbortSignal): Promise<T> {
  return ask(question, { variant: app.view.variant, in: positionText(app.view) }, signal);
}

/** Runs one task at a time: a new one breaks off the one before. */
export class Latest {
  private controller: AbortController | undefined;

  run(task: (signal: AbortSignal) => Promise<void>): void {
    this.cancel();
    const controller = new AbortController();
    this.controller = controller;
    task(controller.signal).catch((error: unknown) => {
      if (!controller.signal.aborted) console.error(error);
    });
  }

  cancel(): void {
    this.controller?.abort();
  }
}

/** The text of an error, in the language of the page. */
export function reason(error: unknown): string {
  return inLanguage(error instanceof Error ? error.message : String(error));
}
