// Records of games: pasted or opened, stepped through, written in another format and saved.

import { ask } from "../api";
import { reason, type App, type Panel } from "../app";
import { h, save } from "../dom";
import { positionText } from "../state";
import { button, choice, field, note } from "../parts";
import { word } from "../words";

interface Json {
  start: string;
  moves: { move: string; comments?: string[] }[];
  headers?: Record<string, string> | [string, string][];
}

const FORMATS = ["kif", "ki2", "csa", "usi", "json"];
/** The encodings of records: all new ones are in UTF-8, old ones in Shift-JIS. */
const ENCODINGS = ["utf-8", "shift_jis"];

export class RecordPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly text = h("textarea", { rows: "9", spellcheck: "false" });
  private format = FORMATS[0]!;
  private message: { text: string; good: boolean } | undefined;
  private headers: [string, string][] = [];
  private comments: string[][] = [];

  constructor(private readonly app: App) {
    this.text.addEventListener("paste", () => setTimeout(() => void this.load(), 0));
  }

  show(): void {
    this.draw();
  }

  private async load(): Promise<void> {
    const record = this.text.value;
    if (record.trim() === "") return;
    try {
      const request = { variant: this.app.view.variant, in: record, to: "json" };
      const answer = await ask<{ from: string; record: string }>("convert", request);
      const { start, moves, headers } = JSON.parse(answer.record) as Json;
      this.headers = Array.isArray(headers) ? headers : Object.entries(headers ?? {});
      this.comments = moves.map(({ comments }) => comments ?? []);
      this.message = { text: `${word("recordRead")} ${answer.from.toUpperCase()}, ${moves.length} ${word("moves")}`, good: true };
      this.app.go({ start, moves: moves.map(({ move }) => move), ply: moves.length });
    } catch (error) {
      this.message = { text: reason(error), good: false };
      this.draw();
    }
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

  /** The whole game, also the moves that are taken back. */
  private whole(): string {
    const { view } = this.app;
    return positionText({ ...view, ply: view.moves.length });
  }

  private async write(): Promise<string | undefined> {
    try {
      const request = { variant: this.app.view.variant, in: `position ${this.whole()}`, from: "usi", to: this.format };
      const { record } = await ask<{ record: string }>("convert", request);
      this.text.value = record;
      this.message = undefined;
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
    const file = h("input", { type: "file", accept: ".kif,.kifu,.ki2,.csa,.usi,.json,.txt", hidden: true });
    file.addEventListener("change", () => file.files?.[0] && void this.open(file.files[0]));
    const formats = choice(FORMATS, this.format, (chosen) => (this.format = chosen));
    formats.setAttribute("aria-label", word("format"));
    const comment = this.comments[view.ply - 1] ?? [];
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
    if (this.headers.length > 0) {
      const rows = this.headers.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value)));
      this.element.append(h("dl", { class: "headers" }, ...rows));
    }
    if (comment.length > 0) this.element.append(h("blockquote", { "aria-label": word("comment") }, comment.join("\n")));
    this.element.append(
      h(
        "div",
        { class: "buttons" },
        h("label", { class: "inline" }, word("saveAs"), " ", formats),
        button("load", () => void this.write()),
        button("download", async () => {
          const record = await this.write();
          if (record !== undefined) save(`${view.variant}.${this.format}`, record);
        }),
      ),
    );
  }
}
