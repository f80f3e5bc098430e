// Records of games: pasted or opened, stepped through with their variations, written and saved.

import { ask, type Side } from "../api";
import { reason, writeLine, type App, type Panel } from "../app";
import { h, save } from "../dom";
import { inLanguage } from "../errors";
import { isText } from "../own";
import { after } from "../state";
import { button, choice, field, note } from "../parts";
import { counted, recordEnd, word } from "../words";

interface End {
  how: string;
  word?: string;
  winner?: Side;
  /** The illegal move that the game ended by. */
  move?: string;
  comments?: string[];
}

/** A move of a record, with the lines that may be played in its place; without a move the end of a line alone. */
interface RecordMove {
  move?: string;
  comments?: string[];
  variations?: RecordMove[][];
  end?: End;
}

interface Json {
  start: string;
  moves: RecordMove[];
  /** Lines from the start, where no move comes before them. */
  variations?: RecordMove[][];
  comments?: string[];
  headers?: Record<string, string> | [string, string][];
  end?: End;
}

/** A record in another format, with what that cannot hold; several games are one text. */
interface Converted {
  /** The game that it is of, unless it is the preferred one. */
  variant?: string;
  from: string;
  record: string;
  games: number;
  left_out?: string;
  /** What contradicts the rules or the record itself. */
  notices?: string[];
}

const FORMATS = ["kif", "ki2", "csa", "usi", "json", "jkf"];
/** The encodings of records: all new ones are in UTF-8, old ones in Shift-JIS. */
const ENCODINGS = ["utf-8", "shift_jis"];

export class RecordPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly text = h("textarea", { rows: "9", spellcheck: "false" });
  private format = FORMATS[0]!;
  private message: { text: string; good: boolean } | undefined;
  /** What there is to say of the record that was read last. */
  private notices: string[] = [];
  /** The games that were read last, in JSON, and the one that is shown. */
  private games: string[] = [];
  private record: Json | undefined;
  private number = 0;

  constructor(private readonly app: App) {
    this.text.addEventListener("paste", () => setTimeout(() => void this.load(), 0));
  }

  show(): void {
    this.draw();
  }

  /** Reads the text as a record of the variant shown, or else of another one. */
  private async load(): Promise<void> {
    const record = this.text.value;
    if (record.trim() === "") return;
    try {
      const answer = await ask<Converted>("convert", { prefer: this.app.view.variant, in: record, to: "json" });
      // Several games stand one on a line.
      this.games = answer.games > 1 ? answer.record.trim().split("\n") : [answer.record];
      this.notices = answer.notices ?? [];
      const other = answer.variant === undefined ? "" : ` ${word("otherVariantRead")}`;
      const moves = played((JSON.parse(this.games[0]!) as Json).moves).length;
      this.message = { text: `${word("recordRead")} ${answer.from.toUpperCase()}, ${counted(moves, "move")}.${other}`, good: true };
      return this.look(0, answer.variant);
    } catch (error) {
      // Nothing stays of the record before.
      [this.games, this.record, this.notices] = [[], undefined, []];
      this.message = { text: reason(error), good: false };
      this.draw();
    }
  }

  /** Shows one of the games that were read. */
  private look(number: number, variant = this.app.view.variant): void {
    this.number = number;
    this.record = JSON.parse(this.games[number]!) as Json;
    const moves = played(this.record.moves);
    this.app.go({ variant, start: this.record.start, moves, ply: moves.length });
  }

  private async open(file: File): Promise<void> {
    const bytes = await file.arrayBuffer();
    for (const encoding of ENCODINGS) {
      try {
        this.text.value = new TextDecoder(encoding, { fatal: true }).decode(bytes);
        return await this.load();
      } catch {
        // The next encoding.
      }
    }
  }

  /** What is written: the record that was read, as long as the game is one of its lines, else the whole game. */
  private written(): { in: string; from: string } {
    const { view } = this.app;
    if (this.record && this.path(this.record, view.moves)) return { in: this.games[this.number]!, from: "json" };
    const game = after(view.start, view.moves);
    return { in: `position ${view.moves.length > 0 || view.start === "startpos" ? game : `sfen ${game}`}`, from: "usi" };
  }

  private async write(): Promise<string | undefined> {
    try {
      const request = { variant: this.app.view.variant, ...this.written(), to: this.format };
      const { record, left_out: leftOut } = await ask<Converted>("convert", request);
      this.text.value = record;
      this.message = leftOut === undefined ? undefined : { text: inLanguage(leftOut), good: true };
      this.draw();
      return record;
    } catch (error) {
      this.message = { text: reason(error), good: false };
      this.draw();
      return undefined;
    }
  }

  private draw(): void {
    const { view } = this.app;
    this.text.setAttribute("aria-label", word("recordText"));
    this.text.placeholder = word("recordText");
    const file = h("input", { type: "file", accept: ".kif,.kifu,.kifux,.ki2,.csa,.usi,.json,.jkf,.txt", hidden: true, "aria-label": word("openFile") });
    file.addEventListener("change", () => file.files?.[0] && void this.open(file.files[0]));
    const formats = choice(FORMATS, this.format, (chosen) => (this.format = chosen));
    formats.setAttribute("aria-label", word("format"));
    this.element.replaceChildren(
      field("recordText", this.text),
      h(
        "div",
        { class: "buttons" },
        button("loadRecord", () => void this.load(), "primary"),
        button("openFile", () => file.click()),
        file,
      ),
    );
    if (this.message) this.element.append(note(this.message.text, this.message.good ? "good" : "bad"));
    if (this.record) this.element.append(...this.notices.map((notice) => note(inLanguage(notice), "bad")));
    if (this.record) this.element.append(...this.drawRecord(this.record));
    this.element.append(
      h(
        "div",
        { class: "buttons" },
        h("label", { class: "inline" }, word("saveAs"), " ", formats),
        button("load", () => void this.write()),
        button("download", async () => {
          const record = await this.write();
          if (record !== undefined) save(`${isText(view.variant) ? "game" : view.variant}.${this.format}`, record);
        }),
      ),
    );
  }

  private drawRecord(record: Json): HTMLElement[] {
    const headers = Array.isArray(record.headers) ? record.headers : Object.entries(record.headers ?? {});
    const parts: HTMLElement[] = [];
    if (this.games.length > 1) {
      const numbers = this.games.map((_, i) => String(i + 1));
      const select = choice(numbers, String(this.number + 1), (chosen) => this.look(Number(chosen) - 1));
      parts.push(h("label", { class: "inline" }, word("game"), " ", select, ` / ${numbers.length}`));
    }
    if (headers.length > 0) {
      parts.push(h("dl", { class: "headers" }, ...headers.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)))));
    }
    const comments = this.commentsHere(record);
    if (comments.length > 0) parts.push(h("blockquote", { "aria-label": word("comment") }, comments.join("\n")));
    if (hasVariations(record)) {
      const others = (record.variations ?? []).map((line) => this.drawVariation(record.start, line, []));
      parts.push(h("h2", {}, word("branches")), this.drawBranch(record.start, record.moves, []), ...others);
    }
    if (record.end) parts.push(...this.drawEnd(record.end));
    return parts;
  }

  /** How the game ended, with the illegal move by which it did and what is said of it. */
  private drawEnd(end: End): HTMLElement[] {
    const winner = end.winner === undefined ? "" : `, ${word(end.winner === "sente" ? "senteWins" : "goteWins")}`;
    const parts: HTMLElement[] = [h("p", { class: "quiet" }, `${word("gameEnd")}: ${end.word ?? recordEnd(end.how)}${winner}`)];
    if (end.move !== undefined) parts.push(h("p", { class: "note bad" }, `${word("illegalMove")}: ${end.move}`));
    const comments = end.comments ?? [];
    if (comments.length > 0) parts.push(h("blockquote", { "aria-label": word("comment") }, comments.join("\n")));
    return parts;
  }

  /** The comments on the move that was played last, in the line that is looked at. */
  private commentsHere(record: Json): string[] {
    const { moves, ply } = this.app.view;
    const path = this.path(record, moves.slice(0, ply));
    if (!path) return [];
    return (path.length > 0 ? path[path.length - 1]!.comments : record.comments) ?? [];
  }

  /** The moves of a record that a game goes through; undefined where it is none of its lines. */
  private path(record: Json, moves: string[]): RecordMove[] | undefined {
    const { start } = this.app.view;
    const fromStart = start === record.start || (start === "startpos" && record.start === this.startSfen());
    if (!fromStart) return undefined;
    for (const line of [record.moves, ...(record.variations ?? [])]) {
      const path = pathIn(line, moves);
      if (path) return path;
    }
    return undefined;
  }

  private startSfen(): string | undefined {
    return this.app.about.variants.find(({ name }) => name === this.app.view.variant)?.start;
  }

  private drawVariation(start: string, line: RecordMove[], before: string[]): HTMLElement {
    return h("div", { class: "variation", role: "group", "aria-label": word("variation") }, this.drawBranch(start, line, before));
  }

  /** A line of the record as buttons; lines that leave it stand below the move in whose place they begin. */
  private drawBranch(start: string, line: RecordMove[], before: string[]): HTMLElement {
    const { view } = this.app;
    const whole = [...before, ...played(line)];
    const list = h("ol", { class: "branch", start: before.length + 1 });
    line.forEach(({ move, variations = [] }, i) => {
      if (move === undefined) return;
      const ply = before.length + i + 1;
      const here = view.ply === ply && view.moves.slice(0, ply).join() === whole.slice(0, ply).join();
      const text = h("span", { class: "move-text" });
      writeLine(this.app, whole, (texts) => (text.textContent = texts[ply - 1] ?? move), { position: start });
      const button = h("button", { type: "button", class: "step", "data-ply": ply, "data-move": move, "aria-current": here ? "step" : undefined, onclick: () => this.app.go({ start, moves: whole, ply }) }, `${ply}. `, text);
      const item = h("li", {}, button);
      item.append(...variations.map((variation) => this.drawVariation(start, variation, whole.slice(0, ply - 1))));
      list.append(item);
    });
    return list;
  }
}

/** The moves of a line in USI. */
function played(line: RecordMove[]): string[] {
  return line.flatMap(({ move }) => (move === undefined ? [] : [move]));
}

function pathIn(line: RecordMove[], moves: string[]): RecordMove[] | undefined {
  if (moves.length === 0) return [];
  const [first, ...rest] = line;
  if (first?.move === moves[0]) {
    const path = pathIn(rest, moves.slice(1));
    if (path) return [first!, ...path];
  }
  for (const variation of first?.variations ?? []) {
    const path = pathIn(variation, moves);
    if (path) return path;
  }
  return undefined;
}

function hasVariations({ moves, variations = [] }: Json): boolean {
  return variations.length > 0 || moves.some(({ variations = [] }) => variations.length > 0);
}
