// The legal moves with what is known of them: from a tablebase, from a proof, or from the engine.

import { ask, search, type Mated, type Moves, type Probed, type ProofFile, type ProofStep, type SearchEvent, type TableFile, type Value } from "../api";
import { askHere, Latest, reason, type App, type Panel } from "../app";
import { h } from "../dom";
import { knownHere, publishedNote } from "../known";
import { badge, button, choice, moveButton, note, walkableLine } from "../parts";
import { evaluated, known, points, scoreText } from "../scores";
import { positionText } from "../state";
import { counted, endText, mateIn, perSecond, word } from "../words";

/** What is known of a move for the player who makes it. */
interface Known {
  value: Value;
  plies: number | null;
  /** Whether the plies are those of best play. */
  exact?: boolean;
}

/** Milliseconds between two looks at what the engine says. */
const BETWEEN = 100;
/** The most arrows on the board. */
const ARROWS = 3;

const OPPOSITE: Record<Value, Value> = { win: "loss", loss: "win", draw: "draw" };

export class MovesPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly known = new Latest();
  private values = new Map<string, Known>();
  /** Where the values are from. */
  private source: "fromTable" | "fromProof" | "fromResults" | undefined;
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
  /** Moves whose lines are shown whole. */
  private readonly expanded = new Set<string>();
  private mate: Mated | undefined;
  private mateProblem: string | undefined;
  /** Set while a mate is searched for. */
  private mating: AbortController | undefined;
  /** The position that all this is about. */
  private about = "";
  private readonly counts = h("span", { class: "quiet counts", role: "status", "aria-live": "off" });
  private table: HTMLElement | undefined;
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
    if (await this.lookUpProofs(own, signal)) return;
    const { known: published } = await knownHere(app);
    if (signal.aborted || !published) return;
    this.here = published;
    this.source = "fromResults";
    this.draw();
  }

  /** Asks the proofs; whether one knows the position. */
  private async lookUpProofs(own: { file: ProofFile | TableFile; number: number }[], signal: AbortSignal): Promise<boolean> {
    const { app } = this;
    for (const { file, number } of own) {
      if (signal.aborted || file.kind !== "proof" || file.claim !== "win") continue;
      try {
        const line = positionText(app.view);
        const step = await ask<ProofStep>("look-up", { file: number, in: line }, signal);
        if (!this.app.diagram) return true;
        const proves = file.provers[0] === this.app.diagram.side;
        if (proves && step.move) this.values.set(step.move, { value: "win", plies: step.rank });
        // Where the opponent of the prover is to move, every reply loses.
        if (!proves) for (const { move, rank } of step.replies) {
          this.values.set(move, { value: OPPOSITE.win, plies: rank === null ? null : rank + 1 });
        }
        this.here = { value: proves ? "win" : "loss", plies: step.rank };
        this.source = "fromProof";
        this.draw();
        return true;
      } catch {
        // Another proof may know it.
      }
    }
    return false;
  }

  /** Whether the plies of the values are those of best play, and no bound. */
  private isExact(): boolean {
    return this.source !== "fromProof" && (this.here?.exact ?? true);
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
    this.expanded.clear();
    this.latest = undefined;
  }

  /** As many moves as are wanted, the best first: those of the deepest search, then of the one before. */
  private judged(): Map<string, SearchEvent> {
    const depth = (event: SearchEvent) => event.depth ?? 0;
    const all = [...this.found].sort(([, a], [, b]) => depth(b) - depth(a) || points(b) - points(a));
    const wanted = all.slice(0, Number(this.lines));
    return new Map(wanted.sort(([, a], [, b]) => points(b) - points(a)));
  }

  /** Shows on the board what is known best: values from files, else what the engine says. */
  private judge(judged: Map<string, SearchEvent>): void {
    const { app } = this;
    if (!app.diagram) return;
    const { side } = app.diagram;
    const [best] = judged.values();
    if (this.here) app.judge(known(this.here.value, this.here.plies, side, this.isExact()));
    else app.judge(best && evaluated(best, side));
    app.arrows(judged.size > 0 ? [...judged.keys()].slice(0, ARROWS) : []);
  }

  private heard(event: SearchEvent): void {
    this.waiting = event.waiting ?? false;
    if (this.waiting) this.draw();
    if (!event.pv || event.pv.length === 0) return;
    this.found.set(event.pv[0]!, event);
    this.latest = event;
    if (this.scheduled) return;
    this.scheduled = true;
    setTimeout(() => {
      this.scheduled = false;
      this.refresh();
    }, BETWEEN);
  }

  /** Shows what the engine has said since; the buttons that stop it stay what they are. */
  private refresh(): void {
    const [legal, table] = [this.app.legal, this.table];
    if (this.pressed || !legal || !table?.isConnected) return this.draw();
    this.counts.textContent = this.countsText();
    this.judge(this.judged());
    const focused = table.contains(document.activeElement) ? document.activeElement?.getAttribute("data-focus") : undefined;
    table.replaceWith(this.drawTable(legal));
    if (focused) this.element.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
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
      const { side } = app.diagram!;
      app.judge(known(app.legal.end, app.legal.end === "draw" ? null : 0, side));
      this.element.replaceChildren(note(`${word("gameOver")} ${endText(app.legal, side)}`));
      return;
    }
    this.judge(this.judged());
    const focused = document.activeElement?.getAttribute("data-focus");
    const published = this.source === "fromResults" ? [publishedNote(app)] : [];
    this.element.replaceChildren(this.drawHead(app.legal), this.drawEngine(), this.drawMate(), this.drawTable(app.legal), ...published);
    if (focused) this.element.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  private drawHead(legal: Moves): HTMLElement {
    const source = this.source ? word(this.source) : "";
    const head = h("div", { class: "summary" }, h("strong", {}, counted(legal.moves.length, "legalMove")));
    if (this.here) head.append(badge(this.here.value, this.here.plies, this.isExact()), h("span", { class: "quiet" }, source));
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
    this.counts.textContent = this.countsText();
    return h(
      "div",
      { class: "engine", "data-running": String(running) },
      toggle,
      h("label", { class: "inline" }, word("lines"), " ", lines),
      this.drawMateButton(),
      this.counts,
    );
  }

  /** How far the search has come. */
  private countsText(): string {
    if (this.failed) return word("searchFailed");
    const best = this.latest;
    if (!best) return this.waiting && this.end ? word("waiting") : "";
    return `${word("depth")} ${best.depth ?? 0} · ${counted(best.nodes ?? 0, "node")} · ${perSecond(best.nps ?? 0)}`;
  }

  private drawMateButton(): HTMLElement {
    const searching = this.mating !== undefined;
    const toggle = button(searching ? "stopMate" : "findMate", () => {
      if (!searching) return void this.findMate();
      this.stopMate();
      this.draw();
    });
    toggle.dataset.focus = "mate";
    return toggle;
  }

  /** What the search for a mate has found. */
  private drawMate(): HTMLElement {
    const { app, mate } = this;
    const found = h("div", { class: "mate", role: "status" });
    if (mate?.status === "mate") {
      const walk = (steps: number) => app.walk(mate.pv, steps);
      found.append(h("span", { class: "badge win" }, mateIn(mate.mate ?? mate.pv.length)), walkableLine(app, mate.pv, walk));
    } else if (mate) {
      found.append(h("span", { class: "quiet" }, word(mate.status === "nomate" ? "noMate" : "mateUnknown")));
    } else if (this.mateProblem !== undefined) {
      found.append(note(this.mateProblem, "bad"));
    }
    return found;
  }

  private drawTable(legal: Moves): HTMLElement {
    const judged = this.judged();
    const order = (move: string): number => {
      const known = [...this.values.keys()].indexOf(move);
      const searched = [...judged.keys()].indexOf(move);
      return known >= 0 ? known : searched >= 0 ? 1000 + searched : 2000 + legal.moves.indexOf(move);
    };
    const moves = [...legal.moves].sort((a, b) => order(a) - order(b));
    const { side } = this.app.diagram!;
    const columns = [
      word("move"),
      ...(this.values.size > 0 ? [`${word("valueFor")} ${word(side)}`] : []),
      ...(judged.size > 0 ? [`${word("scoreFor")} ${word("sente")}`, word("line")] : []),
    ];
    const plain = columns.length === 1;
    const row = (move: string): HTMLElement => {
      const [value, event] = [this.values.get(move), judged.get(move)];
      const play = moveButton(this.app, move, () => this.app.play(move));
      if (plain) return play;
      const cells = [h("td", {}, play)];
      if (this.values.size > 0) cells.push(h("td", {}, value && badge(value.value, value.plies, this.isExact())));
      if (judged.size > 0) {
        cells.push(h("td", { class: "score" }, event ? scoreText(event, side) : ""));
        cells.push(h("td", { class: "line" }, event?.pv && this.drawLine(move, event.pv)));
      }
      return h("tr", { class: event ? "judged" : "" }, ...cells);
    };
    this.table = plain ? h("div", { class: "moves" }, ...moves.map(row)) : h(
      "table",
      { class: "moves-table" },
      h("thead", {}, h("tr", {}, ...columns.map((name) => h("th", { scope: "col" }, name)))),
      h("tbody", {}, ...moves.map(row)),
    );
    return this.table;
  }

  /** The engine's line after a move, each move of which can be walked to. */
  private drawLine(move: string, line: string[]): HTMLElement {
    const expand = () => {
      this.expanded.add(move);
      this.draw();
    };
    return walkableLine(this.app, line, (steps) => this.app.walk(line, steps), { skip: 1, whole: this.expanded.has(move), expand });
  }
}
