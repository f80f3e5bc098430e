// Composed mates: the board is the answer sheet, and every move is judged at once.

import { ask, type Mated } from "../api";
import { Latest, moveText, type App, type Panel } from "../app";
import { h } from "../dom";
import { button, note } from "../parts";
import { after } from "../state";
import { mateIn, word } from "../words";

/** A composed mate with its solution. */
interface Problem {
  sfen: string;
  plies: number;
  pv: string[];
  /** The other last moves that mate. */
  last: string[];
}

/** Where somebody stands in a problem. */
type Stage = "asked" | "reply" | "solved" | "noCheck" | "wrong" | "off";

const KEY = "shogi-explore-solved";
/** Milliseconds before the defender answers, so that one's own move is seen. */
const PAUSE = 350;
/** Moves played to see that a reply leaves no mate. */
const NODES = 100_000;

function loadSolved(): Set<string> {
  try {
    return new Set(JSON.parse(localStorage.getItem(KEY) ?? "[]") as string[]);
  } catch {
    return new Set();
  }
}

export class ProblemsPanel implements Panel {
  readonly element = h("div", { class: "panel problems-panel" });
  private readonly latest = new Latest();
  private readonly loaded = new Map<string, Problem[]>();
  private readonly solved = loadSolved();
  /** The problem whose solution is shown. */
  private given: Problem | undefined;
  private replying: ReturnType<typeof setTimeout> | undefined;
  /** A wrong move that was looked into, and the reply after which there is no mate. */
  private refuted: { position: string; reply: string | undefined } | undefined;

  constructor(private readonly app: App) {}

  show(): void {
    clearTimeout(this.replying);
    const { variant } = this.app.view;
    const problems = this.loaded.get(variant);
    if (problems) return this.draw(problems);
    this.element.replaceChildren(note(`${word("loading")} …`));
    void ask<{ problems: Problem[] }>("problems", { variant }).then(({ problems }) => {
      this.loaded.set(variant, problems);
      if (variant === this.app.view.variant) this.draw(problems);
    });
  }

  hide(): void {
    clearTimeout(this.replying);
    this.latest.cancel();
    this.app.block(false);
  }

  private played(): string[] {
    return this.app.view.moves.slice(0, this.app.view.ply);
  }

  private stage({ pv, last }: Problem): Stage {
    const { legal } = this.app;
    const played = this.played();
    const differs = played.findIndex((move, i) => move !== pv[i]);
    if (differs < 0) return played.length === pv.length ? "solved" : played.length % 2 === 0 ? "asked" : "reply";
    // Only the last move of a solution may be another one that mates.
    if (differs % 2 === 1 || played.length !== differs + 1) return "off";
    if (played.length === pv.length && last.includes(played[differs]!)) return "solved";
    return legal?.check ? "wrong" : "noCheck";
  }

  private draw(problems: Problem[]): void {
    const { app } = this;
    const focused = document.activeElement?.getAttribute("data-focus");
    const current = problems.find(({ sfen }) => sfen === app.view.start);
    if (problems.length === 0) {
      this.element.replaceChildren(note(word("noProblems")));
    } else if (!current || !app.legal) {
      app.block(false);
      this.element.replaceChildren(note(word("problemsText"), "quiet"), this.drawList(problems, current));
    } else {
      const next = problems[problems.indexOf(current) + 1];
      this.element.replaceChildren(...this.drawProblem(current, next), this.drawList(problems, current));
    }
    if (focused) this.element.querySelector<HTMLElement>(`[data-focus="${CSS.escape(focused)}"]`)?.focus();
  }

  private open(problem: Problem): void {
    this.given = undefined;
    this.app.go({ start: problem.sfen, moves: [], ply: 0 });
  }

  private drawList(problems: Problem[], current: Problem | undefined): HTMLElement {
    const lengths = [...new Set(problems.map(({ plies }) => plies))];
    const item = (problem: Problem) => {
      const number = problems.indexOf(problem) + 1;
      const done = this.solved.has(problem.sfen);
      return h("button", {
        type: "button", "data-problem": number, "data-plies": problem.plies, "data-focus": `problem ${number}`, "data-solved": done || undefined,
        "aria-current": problem === current ? "true" : undefined, "aria-label": `${word("problem")} ${number}, ${mateIn(problem.plies)}${done ? ` ✓` : ""}`, onclick: () => this.open(problem),
      }, `${number}${done ? " ✓" : ""}`);
    };
    const group = (plies: number) => h("div", { role: "group", "aria-label": mateIn(plies) }, h("h2", {}, mateIn(plies)), h("div", { class: "buttons" }, ...problems.filter((one) => one.plies === plies).map(item)));
    return h("div", { class: "problem-list" }, ...lengths.map(group));
  }

  private drawProblem(problem: Problem, next: Problem | undefined): HTMLElement[] {
    const { app } = this;
    const stage = this.stage(problem);
    const isLast = app.view.ply === app.view.moves.length;
    const isGiven = this.given === problem;
    app.block(isGiven || stage !== "asked");
    if (stage === "solved" && !isGiven) this.store(problem);
    const title = h("p", { class: "summary" }, h("strong", {}, mateIn(problem.plies)), h("span", { class: "quiet" }, `${word("problem")} ${this.loaded.get(app.view.variant)!.indexOf(problem) + 1}`));
    const verdict = h("div", { role: "status", class: "verdict", "data-stage": isGiven ? "given" : stage });
    const played = this.played();
    if (isGiven) verdict.append(note(word("solution"), "quiet"));
    else if (stage === "solved") verdict.append(note(word("solvedProblem"), "good"));
    else if (stage === "off") verdict.append(note(word("offProblem"), "quiet"));
    else if (stage === "noCheck") verdict.append(note(word("noCheck"), "bad"));
    else if (stage === "wrong") verdict.append(note(word("wrongMove"), "bad"), this.drawRefutation());
    else if (played.length > 0) verdict.append(note(word("rightMove"), "good"));
    else verdict.append(note(`${word(app.diagram?.side ?? "sente")}: ${word("yourMove")}`, "quiet"));
    if (stage === "reply" && isLast && !isGiven) {
      this.replying = setTimeout(() => app.play(problem.pv[played.length]!), PAUSE);
    }
    const act = (name: "tryAgain" | "showSolution" | "nextProblem", onclick: () => void, kind = "") => {
      const made = button(name, onclick, kind);
      made.dataset.focus = name;
      return made;
    };
    const wrong = stage === "wrong" || stage === "noCheck" || stage === "off";
    const kept = wrong && stage !== "off" ? played.slice(0, -1) : [];
    const buttons = h("div", { class: "buttons" });
    if (wrong || isGiven || stage === "solved") {
      buttons.append(act("tryAgain", () => {
        this.given = undefined;
        app.go({ moves: kept, ply: kept.length });
      }, wrong ? "primary" : ""));
    }
    if (stage !== "solved" && !isGiven) buttons.append(act("showSolution", () => {
      this.given = problem;
      app.go({ moves: problem.pv, ply: 0 });
    }));
    if (next) buttons.append(act("nextProblem", () => this.open(next), stage === "solved" ? "primary" : ""));
    return [title, verdict, buttons];
  }

  private store({ sfen }: Problem): void {
    if (this.solved.has(sfen)) return;
    this.solved.add(sfen);
    try {
      localStorage.setItem(KEY, JSON.stringify([...this.solved]));
    } catch {
      // A browser that keeps nothing shows what was solved until the page is left.
    }
  }

  /** A reply to a wrong check after which there is no mate, once it is found. */
  private drawRefutation(): HTMLElement {
    const { app } = this;
    const shown = h("p", { class: "refutation quiet" });
    const position = after(app.view.start, this.played());
    const fill = (reply: string | undefined): void => {
      if (reply !== undefined) shown.replaceChildren(`${word("escapesBy")} `, moveText(app, [reply]));
    };
    if (this.refuted?.position === position) {
      fill(this.refuted.reply);
      return shown;
    }
    const { variant } = app.view;
    const replies = app.legal?.moves ?? [];
    this.latest.run(async (signal) => {
      for (const reply of replies) {
        const line = after(app.view.start, [...this.played(), reply]);
        const { status } = await ask<Mated>("mate", { variant, in: line, nodes: NODES }, signal);
        if (signal.aborted) return;
        if (status !== "nomate") continue;
        this.refuted = { position, reply };
        return fill(reply);
      }
    });
    return shown;
  }
}
