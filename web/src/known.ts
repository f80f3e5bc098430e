// What is known of a position without any search: published values, and the tablebase that would have it.

import { ask, type Value } from "./api";
import { titleOf, type App } from "./app";
import { h } from "./dom";
import { isText } from "./own";
import { positionText } from "./state";
import { grouped, word, wonIn } from "./words";

/** A value that is published with the project. */
export interface Published {
  value: Value;
  plies: number | null;
  exact: boolean;
  /** The page of results that shows how it was found. */
  page: string;
  /** The command that makes the file behind it. */
  command: string;
}

/** How a tablebase is made, and what that takes. */
interface Making {
  command: string;
  seconds: number;
  megabytes: number;
  memory_megabytes: number;
}

export interface KnownHere {
  known: Published | null;
  tablebase: Making | null;
}

const NOTHING: KnownHere = { known: null, tablebase: null };
const answers = new Map<string, Promise<KnownHere>>();

/** What is known of the position looked at; nothing of one that is not legal. */
export function knownHere(app: App): Promise<KnownHere> {
  const { variant } = app.view;
  const position = positionText(app.view);
  const key = `${variant} ${position}`;
  let answer = answers.get(key);
  if (!answer) {
    answer = ask<KnownHere>("known", { variant, in: position }).catch(() => NOTHING);
    answers.set(key, answer);
  }
  return answer;
}

/** Who wins in how many plies, where the position is of this value for the player to move. */
export function resultText(app: App, value: Value, plies: number | null, exact: boolean): string {
  if (value === "draw") return word("drawn");
  const side = app.diagram?.side ?? "sente";
  const winner = (value === "win") === (side === "sente") ? "sente" : "gote";
  return `${word(winner)}: ${wonIn(plies, exact)}`;
}

/** What is published of the position looked at, once it has come; nothing where nothing is. */
export function publishedNote(app: App): HTMLElement {
  const note = h("div", { class: "published", "aria-live": "polite" });
  void knownHere(app).then(({ known }) => {
    if (!known || !app.diagram) return;
    const isTable = known.command.includes(" tablebase ");
    note.append(
      h("p", { class: "note good" }, `${word("published")}: ${resultText(app, known.value, known.plies, known.exact)} (docs/results/${known.page})`),
      command(word(isTable ? "publishedTable" : "publishedProof"), known.command),
    );
  });
  return note;
}

/** What would solve a position that was not solved here. */
export function helpNote(app: App): HTMLElement {
  const note = h("div", { class: "help" });
  void knownHere(app).then(({ tablebase }) => {
    if (tablebase) {
      const { seconds, megabytes, memory_megabytes: memory } = tablebase;
      const takes = word("making").replace("{s}", grouped(seconds)).replace("{m}", grouped(megabytes)).replace("{r}", grouped(memory));
      note.append(command(`${word("tableHelps")}`, tablebase.command, takes));
    }
    const { variant } = app.view;
    const game = isText(variant) ? `${titleOf(app, variant).split(",")[0]}.toml` : variant;
    const solving = `shogi solve ${game} --sfen "${app.diagram?.sfen ?? app.view.start}" --hash 4096 --proof solved.proof`;
    note.append(command(word("programHelps"), solving));
  });
  return note;
}

function command(text: string, line: string, takes = ""): HTMLElement {
  return h("p", { class: "command quiet" }, `${text} `, h("code", {}, line), takes && ` (${takes})`);
}
