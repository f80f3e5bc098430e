// The legal moves with what is known of them: from a tablebase, from a proof, or from the engine.

import { ask, search, type Mated, type Moves, type Probed, type ProofStep, type SearchEvent, type Value } from "../api";
import { askHere, Latest, reason, textOf, type App, type Panel } from "../app";
import { h } from "../dom";
import { positionText } from "../state";
import { badge, button, choice, note } from "../parts";
import { grouped, word } from "../words";

/** What is known of a move for the player who makes it. */
interface Known {
  value: Value;
  plies: number | null;
}

const OPPOSITE: Record<Value, Value> = { win: "loss", loss: "win", draw: "draw" };

export class MovesPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly known = new Latest();
  private values = new Map<string, Known>();
  /** Where the values are from. */
  private source: "fromTable" | "fromProof" | undefined;
  private here: Known | undefined;
  private lines = "5";
  /** Whether the engine is to run. */
  private analysing = false;
  private end: (() => void) | undefined;
  private failed = false;
  private waiting = false;
  /** The last that the engine has said of each move, and of the search. */
  private found = new Map<string, SearchEvent>();
  private latest: SearchEvent | undefined;
  private mate: Mated | undefined;
  private mateProblem: string | undefined;
  /** Set while a mate is searched for. */
  private mating: AbortController | undefined;
  /** The position that all this is about. */
  private about = "";
  private scheduled = false;
  private pressed = false;
  private postponed = false;

  constructor(private readonly app: App) {
    this.element.addEventListener("pointerdown", () => (this.pressed = true));
    for (const end of ["pointerup", "pointercancel"]) {
      addEventListener(end, () => {
        this.pressed = false;
        if (this.postponed) requestAnimationFrame(() => this.draw());
      });
    }
  }

  show(): void {
    const { app } = this;
    const position = `${app.view.variant} ${positionText(app.view)}`;
    if (position !== this.about) {
      this.about = position;
      this.values = new Map();
      this.source = undefined;
      this.here = undefined;
      this.forget();
      this.stopEngine();
      this.stopMate();
      this.known.run((signal) => this.lookUp(signal));
    }
    // A position that has not come yet has no moves to look at.
    if (this.analysing && !this.end && !this.failed && app.legal && app.legal.end === null) this.startEngine();
    this.draw();
  }

  hide(): void {
    this.analysing = false;
    this.stopEngine();
    this.stopMate();
  }

  reopened(): void {
    // Other files may know the position.
    this.about = "";
  }

  private stopMate(): void {
    this.mating?.abort();
    this.mating = undefined;
    this.mate = undefined;
    this.mateProblem = undefined;
  }

  private async findMate(): Promise<void> {
    const controller = new AbortController();
    this.stopMate();
    this.mating = controller;
    this.draw();
    try {
      this.mate = await askHere<Mated>(this.app, "mate", controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      this.mateProblem = reason(error);
    }
    this.mating = undefined;
    this.draw();
  }

  /** Asks the tablebases, then the proofs. */
  private async lookUp(signal: AbortSignal): Promise<void> {
    const { app } = this;
    const files = app.about.files.map((file, number) => ({ file, number }));
    const own = files.filter(({ file }) => file.variant === app.view.variant);
    try {
      if (own.some(({ file }) => file.kind === "tablebase")) {
        const probed = await askHere<Probed>(app, "probe", signal);
        for (const { move, value, plies } of probed.moves) this.values.set(move, { value, plies });
        this.here = probed;
        this.source = "fromTable";
        return this.draw();
      }
    } catch {
      // The tablebase is of other pieces: a proof may know the position.
    }
    for (const { file, number } of own) {
      if (signal.aborted || file.kind !== "proof" || file.claim !== "win") continue;
      try {
        const line = positionText(app.view);
        const step = await ask<ProofStep>("look-up", { file: number, in: line }, signal);
        if (!this.app.diagram) return;
        const proves = file.provers[0] === this.app.diagram.side;
        if (proves && step.move) this.values.set(step.move, { value: "win", plies: step.rank });
        // Where the opponent of the prover is to move, every reply loses.
        if (!proves) for (const { move, rank } of step.replies) {
          this.values.set(move, { value: OPPOSITE.win, plies: rank === null ? null : rank + 1 });
        }
        this.here = { value: proves ? "win" : "loss", plies: step.rank };
        this.source = "fromProof";
        return this.draw();
      } catch {
        // Another proof may know it.
      }
    }
  }

  private startEngine(): void {
    const { variant } = this.app.view;
    this.failed = false;
    this.end = search(
      { variant, in: positionText(this.app.view), lines: Number(this.lines) },
      (event) => this.heard(event),
      (failed) => {
        this.end = undefined;
        this.analysing = false;
        this.failed = failed;
        this.draw();
      },
    );
  }

  private stopEngine(): void {
    this.end?.();
    this.end = undefined;
    this.failed = false;
  }

  private forget(): void {
    this.found.clear();
    this.latest = undefined;
  }

  /** As many moves as are asked for, the best first: those of the deepest search, then of the one before. */
  private judged(): Map<string, SearchEvent> {
    const depth = (event: SearchEvent) => event.depth ?? 0;
    const all = [...this.found].sort(([, a], [, b]) => depth(b) - depth(a) || points(b) - points(a));
    const wanted = all.slice(0, Number(this.lines));
    return new Map(wanted.sort(([, a], [, b]) => points(b) - points(a)));
  }

  private heard(event: SearchEvent): void {
    this.waiting = event.waiting ?? false;
    if (this.waiting) this.draw();
    if (!event.pv || event.pv.length === 0) return;
    this.found.set(event.pv[0]!, event);
    this.latest = event;
    if (this.scheduled) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      this.draw();
    });
  }

  private draw(): void {
    const { app } = this;
    // What is replaced between press and release gets no click.
    this.postponed = this.pressed;
    if (this.pressed) return;
    if (app.illegal !== undefined) {
      this.element.replaceChildren(note(`${word("illegal")}: ${app.illegal}`, "bad"));
      return;
    }
    if (!app.legal) {
      this.element.replaceChildren(note(`${word("loading")} …`));
      return;
    }
    if (app.legal.end !== null) {
      this.element.replaceChildren(note(word("gameOver")));
      return;
    }
    const focused = document.activeElement?.getAttribute("data-focus");
    this.element.replaceChildren(this.drawHead(app.legal), this.drawEngine(), this.drawMate(), this.drawTable(app.legal));
    if (focused) this.element.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  private drawHead(legal: Moves): HTMLElement {
    const source = this.source ? word(this.source) : "";
    const head = h("div", { class: "summary" }, h("strong", {}, `${legal.moves.length} ${word("legalMoves")}`));
    if (this.here) head.append(badge(this.here.value, this.here.plies), h("span", { class: "quiet" }, source));
    return head;
  }

  private drawEngine(): HTMLElement {
    const running = this.end !== undefined;
    const toggle = button(running ? "stop" : "analyse", () => {
      this.analysing = !running;
      this.stopEngine();
      if (this.analysing) {
        this.forget();
        this.startEngine();
      }
      this.draw();
    }, running ? "stop" : "primary");
    toggle.dataset.focus = "analyse";
    const lines = choice(["1", "3", "5", "10", "600"], this.lines, (chosen) => {
      this.lines = chosen;
      this.forget();
      if (running) {
        this.stopEngine();
        this.startEngine();
      }
    });
    for (const option of lines.options) if (option.value === "600") option.textContent = "∞";
    lines.dataset.focus = "lines";
    const best = this.latest;
    const counts = best
      ? `${word("depth")} ${best.depth ?? 0} · ${grouped(best.nodes ?? 0)} ${word("nodes")} · ${grouped(best.nps ?? 0)} ${word("perSecond")}`
      : this.waiting && running ? word("waiting") : "";
    const bar = h(
      "div",
      { class: "engine", "data-running": String(running) },
      toggle,
      h("label", { class: "inline" }, word("lines"), " ", lines),
      h("span", { class: "quiet counts", role: "status", "aria-live": "off" }, this.failed ? word("searchFailed") : counts),
    );
    return bar;
  }

  private drawMate(): HTMLElement {
    const { app, mate } = this;
    const searching = this.mating !== undefined;
    const toggle = button(searching ? "stopMate" : "findMate", () => {
      if (!searching) return void this.findMate();
      this.stopMate();
      this.draw();
    });
    toggle.dataset.focus = "mate";
    const bar = h("div", { class: "engine mate", role: "status" }, toggle);
    if (mate?.status === "mate") {
      const { moves, ply } = app.view;
      const follow = () => app.go({ moves: [...moves.slice(0, ply), ...mate.pv], ply: ply + 1 });
      const line = h("button", { type: "button", class: "move line", onclick: follow }, mate.pv.join(" "));
      bar.append(badge("win", mate.mate), line);
    } else if (mate) {
      bar.append(h("span", { class: "quiet" }, word(mate.status === "nomate" ? "noMate" : "mateUnknown")));
    } else if (this.mateProblem !== undefined) {
      bar.append(note(this.mateProblem, "bad"));
    }
    return bar;
  }

  private drawTable(legal: Moves): HTMLElement {
    const judged = this.judged();
    const order = (move: string): number => {
      const known = [...this.values.keys()].indexOf(move);
      const searched = [...judged.keys()].indexOf(move);
      return known >= 0 ? known : searched >= 0 ? 1000 + searched : 2000 + legal.moves.indexOf(move);
    };
    const moves = [...legal.moves].sort((a, b) => order(a) - order(b));
    const columns = ["move", ...(this.values.size > 0 ? ["value"] : []), ...(judged.size > 0 ? ["engine", "line"] : [])] as const;
    const plain = columns.length === 1;
    const row = (move: string): HTMLElement => {
      const [known, event] = [this.values.get(move), judged.get(move)];
      const play = h(
        "button",
        {
          type: "button",
          class: "move",
          "data-move": move,
          "data-focus": `move ${move}`,
          title: move,
          onclick: () => this.app.play(move),
          onmouseenter: () => this.app.hint(move),
          onmouseleave: () => this.app.hint(undefined),
          onfocus: () => this.app.hint(move),
          onblur: () => this.app.hint(undefined),
        },
        textOf(this.app, move),
      );
      if (plain) return play;
      const cells = [h("td", {}, play)];
      if (this.values.size > 0) cells.push(h("td", {}, known && badge(known.value, known.plies)));
      if (judged.size > 0) {
        cells.push(h("td", { class: "score" }, event ? scoreText(event) : ""));
        cells.push(h("td", { class: "line" }, event?.pv?.slice(1, 9).join(" ") ?? ""));
      }
      return h("tr", { class: event ? "judged" : "" }, ...cells);
    };
    if (plain) return h("div", { class: "moves" }, ...moves.map(row));
    return h(
      "table",
      { class: "moves-table" },
      h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, word(name as "move"))))),
      h("tbody", {}, ...moves.map(row)),
    );
  }
}

/** A score as one number: mates above everything else, the sooner the better. */
function points({ score }: SearchEvent): number {
  if (score?.mate === undefined) return score?.cp ?? 0;
  const plies = Number(score.mate);
  const lost = plies < 0 || score.mate === "-";
  const far = Number.isNaN(plies) ? 0 : Math.abs(plies);
  return lost ? far - 1e6 : 1e6 - far;
}

function scoreText({ score, lowerbound, upperbound }: SearchEvent): string {
  const bound = lowerbound ? "≥ " : upperbound ? "≤ " : "";
  if (score?.mate !== undefined) {
    const plies = Number(score.mate);
    return `${word(plies < 0 || score.mate === "-" ? "loss" : "win")} ${Number.isNaN(plies) ? "" : Math.abs(plies)}`;
  }
  const points = score?.cp ?? 0;
  return `${bound}${points > 0 ? "+" : ""}${(points / 100).toFixed(2)}`;
}
