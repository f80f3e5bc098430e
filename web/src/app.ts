// What the tabs know of the page.

import { ask, type About, type AboutVariant, type Diagram, type Moves } from "./api";
import { moveText } from "./notation";
import { positionText, type Settings, type View } from "./state";

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
  /** Shows what has been opened. */
  opened(about: About): void;
  /** Opens a proof or a tablebase, where the page can, and says why if it is none. */
  openFile(name: string, content: () => Promise<ArrayBuffer>): Promise<void>;
  /** Points at a move on the board. */
  hint(usi: string | undefined): void;
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

/** A move in the position looked at, as people read it. */
export function textOf(app: App, usi: string): string {
  if (!app.diagram) return usi;
  return moveText(usi, app.diagram, variantOf(app).pieces, app.settings.kanji);
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

/** The text of an error. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
