// Whether a game leads to the position, with the certificate: a game to step through, or the closed set.

import type { Classified } from "../api";
import { askHere, Latest, reason, variantOf, type App, type Panel } from "../app";
import { h } from "../dom";
import { button, note, positions } from "../parts";
import { word, type Word } from "../words";

const STAGES: Record<Classified["stage"], [Word, Word, string]> = {
  ok: ["stageOk", "stageOkText", "win"],
  flip: ["stageFlip", "stageFlipText", "draw"],
  pawn: ["stagePawn", "stagePawnText", "loss"],
  king: ["stageKing", "stageKingText", "loss"],
  unreachable: ["stageUnreachable", "stageUnreachableText", "loss"],
  unknown: ["stageUnknown", "stageUnknownText", "draw"],
};

export class ReachPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly latest = new Latest();

  constructor(private readonly app: App) {}

  show(): void {
    this.latest.run(async (signal) => {
      const verdict = variantOf(this.app).reach ? await this.classify(signal) : [note(word("noReach"))];
      const before = await this.predecessors(signal);
      if (!signal.aborted) this.element.replaceChildren(...verdict, ...before);
    });
  }

  private async classify(signal: AbortSignal): Promise<HTMLElement[]> {
    let classified: Classified;
    try {
      classified = await askHere(this.app, "classify", signal);
    } catch (error) {
      return [note(reason(error), "bad")];
    }
    const { stage, plies, certificate } = classified;
    const [title, text, kind] = STAGES[stage];
    const count = plies === undefined ? "" : ` (${plies} ${word("plies")})`;
    const parts: HTMLElement[] = [
      h("p", { class: "summary stage", "data-stage": stage }, h("span", { class: `badge large ${kind}` }, word(title) + count), h("span", {}, word(text))),
    ];
    if (certificate?.certificate === "game") {
      const moves = certificate.moves ?? [];
      const follow = button("follow", () => this.app.go({ start: "startpos", moves, ply: 0, tab: "record" }), "primary");
      parts.push(
        h("p", { class: "summary" }, `${word("gameOf")} ${moves.length} ${word("moves")}`, follow),
        h("p", { class: "game quiet" }, moves.join(" ")),
      );
    }
    if (certificate?.certificate === "closed") {
      (certificate.predecessors ?? []).forEach((layer, i) => {
        parts.push(h("h3", {}, `${i + 1} ${word("layer")}: ${layer.length}`), positions(this.app, layer));
      });
    }
    return parts;
  }

  private async predecessors(signal: AbortSignal): Promise<HTMLElement[]> {
    if (this.app.illegal !== undefined) return [];
    try {
      const { predecessors } = await askHere<{ predecessors: string[] }>(this.app, "unmoves", signal);
      const title = h("h3", {}, `${word("predecessors")}: ${predecessors.length}`);
      return [title, positions(this.app, predecessors)];
    } catch (error) {
      return [note(reason(error), "bad")];
    }
  }
}
