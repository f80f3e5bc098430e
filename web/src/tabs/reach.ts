// Whether a game leads to the position, with the certificate: a game to step through, or the closed set.

import type { Classified, Retraction } from "../api";
import { askHere, Latest, moveText, reason, variantOf, type App, type Panel } from "../app";
import { h } from "../dom";
import { button, extensible, note, positions, walkableLine } from "../parts";
import { after } from "../state";
import { counted, word, type Word } from "../words";

type Verdict = [Word, Word, string];

const UNREACHABLE: Verdict = ["stageUnreachable", "stageUnreachableText", "loss"];

/** What is wrong with an illegal position that is counted; of one whose mirror image is counted the stage does not say it. */
const ILLEGAL: Partial<Record<Classified["stage"], Verdict>> = {
  flip: ["stageIllegal", "stageIllegalText", "loss"],
  pawn: ["stagePawn", "stagePawnText", "loss"],
  king: ["stageKing", "stageKingText", "loss"],
};

/** What is said of a position, whichever of two mirror images it is. */
function verdict({ reachable, stage, plies }: Classified): Verdict {
  if (reachable === null) return ["stageUnknown", "stageUnknownText", "draw"];
  if (reachable) return ["stageOk", "stageOkText", "win"];
  return (plies === undefined && ILLEGAL[stage]) || UNREACHABLE;
}

export class ReachPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly latest = new Latest();

  constructor(private readonly app: App) {}

  show(): void {
    this.latest.run(async (signal) => {
      const question = h("h2", {}, word("reachQuestion"));
      const verdict = this.isShown() && !variantOf(this.app).reach ? this.shown() : await this.classify(signal);
      const before = await this.predecessors(signal);
      if (!signal.aborted) this.element.replaceChildren(question, ...verdict, ...before);
    });
  }

  /** Whether the game on the board comes from the start, so that it shows by itself that it leads here. */
  private isShown(): boolean {
    const { start } = this.app.view;
    return (start === "startpos" || start === variantOf(this.app).start) && this.app.illegal === undefined;
  }

  /** That a game leads here, where the one on the board does. */
  private shown(): HTMLElement[] {
    return [this.answer("ok", true, ["stageOk", "stageOkText", "win"]), ...this.ownGame()];
  }

  /** The answer in words. */
  private answer(stage: Classified["stage"], reachable: boolean | null, [title, text, kind]: Verdict, count = ""): HTMLElement {
    return h("p", { class: "summary stage", "data-stage": stage, "data-reachable": String(reachable) }, h("span", { class: `badge large ${kind}` }, word(title) + count), h("span", {}, word(text)));
  }

  /** The game on the board, if it comes from the start: nothing shows better that it leads here. */
  private ownGame(): HTMLElement[] {
    const { moves, ply } = this.app.view;
    if (!this.isShown() || ply === 0) return [];
    return this.game("ownGame", moves.slice(0, ply));
  }

  /** A game from the start as a certificate, each move of which can be looked at. */
  private game(title: "ownGame" | "foundGame", moves: string[]): HTMLElement[] {
    const look = (ply: number) => this.app.go({ start: "startpos", moves, ply });
    const follow = button("follow", () => look(0), title === "foundGame" ? "primary" : "");
    const parts = [h("p", { class: "summary certificate", "data-certificate": title, "data-moves": moves.length }, h("span", {}, `${word(title)} (${counted(moves.length, "move")})`))];
    if (title === "foundGame") parts[0]!.append(follow);
    parts.push(h("p", { class: "game" }, walkableLine(this.app, moves, look, { from: { position: "startpos" } })));
    return parts;
  }

  private async classify(signal: AbortSignal): Promise<HTMLElement[]> {
    let classified: Classified;
    try {
      classified = await askHere(this.app, "classify", signal);
    } catch (error) {
      const why = reason(error);
      return variantOf(this.app).reach ? [...this.ownGame(), note(why, "bad")] : [note(word("noReach"), "quiet"), note(why, "quiet")];
    }
    const { reachable, stage, plies, certificate } = classified;
    const count = plies === undefined ? "" : ` (${counted(plies, "ply")})`;
    const parts: HTMLElement[] = [this.answer(stage, reachable, verdict(classified), count)];
    if (stage === "flip") parts.push(h("p", { class: "quiet" }, word("stageFlipText")));
    const own = this.ownGame();
    if (own.length > 0) parts.push(...own);
    else if (certificate?.certificate === "game") parts.push(...this.game("foundGame", certificate.moves ?? []));
    if (certificate?.certificate === "closed") {
      (certificate.predecessors ?? []).forEach((layer, i) => {
        parts.push(h("h2", {}, `${counted(i + 1, "plyBack")}: ${counted(layer.length, "position")}`), positions(this.app, layer));
      });
    }
    return parts;
  }

  private async predecessors(signal: AbortSignal): Promise<HTMLElement[]> {
    if (this.app.illegal !== undefined) return [];
    try {
      const { predecessors } = await askHere<{ predecessors: Retraction[] }>(this.app, "retract", signal);
      const title = h("h2", {}, `${word("predecessors")}: ${predecessors.length}`);
      const items = predecessors.flatMap(({ sfen, moves }) => moves.map((move) => this.predecessor(sfen, move)));
      return [title, extensible(items)];
    } catch (error) {
      return [note(reason(error), "bad")];
    }
  }

  /** A position before with the move that leads here: to go there keeps the line, which begins a move earlier. */
  private predecessor(sfen: string, move: string): HTMLElement {
    const { app } = this;
    const { moves, ply } = app.view;
    const back = () => app.go({ start: sfen, moves: [move, ...moves.slice(ply)], ply: 0 });
    const text = moveText(app, [move], 0, { position: after(sfen, []) });
    return h("li", {}, h("button", { type: "button", class: "sfen", title: word("backBy"), "data-move": move, onclick: back }, h("strong", {}, text), " ", h("span", { class: "quiet" }, sfen)));
  }
}
