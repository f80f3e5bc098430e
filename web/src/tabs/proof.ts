// The files that are open, and a walk through a proof: the prover's answer, every reply with the plies left.

import { ask, contentOf, solve, type Diagram, type Probed, type ProofFile, type ProofStep, type Solved, type SolveEvent, type Value, type VerifiedProof } from "../api";
import { askHere, Latest, moveText, reason, titleOf, type App, type Panel } from "../app";
import { h } from "../dom";
import { inLanguage } from "../errors";
import { helpNote, publishedNote, resultText } from "../known";
import { positionText, typedPosition } from "../state";
import { badge, button, field, moveButton, note } from "../parts";
import { known, type Evaluation } from "../scores";
import { clockText, counted, grouped, perSecond, word, wonIn } from "../words";

/** What is said of a search that has ended without a value. */
const UNSOLVED: Partial<Record<Solved["ended"], "notSolvedTime" | "notSolvedMemory" | "notSolvedRepetition">> = {
  time: "notSolvedTime", memory: "notSolvedMemory", repetition: "notSolvedRepetition",
};

export class ProofPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly latest = new Latest();
  private step: ProofStep | undefined;
  private problem: string | undefined;
  private verdict: { text: string; good: boolean } | undefined;
  /** Set while a position is solved. */
  private solving: AbortController | undefined;
  /** How far it has come. */
  private readonly progress = h("p", { class: "note quiet solving", role: "status", "aria-live": "off" });
  private event: SolveEvent = {};
  /** What came of it, and whether the position looked at is solved. */
  private solved: { text: string; good: boolean; position: string } | undefined;
  private solvedPosition = "";
  private ticking: ReturnType<typeof setInterval> | undefined;
  /** The place of the proof among the files. */
  private file: number | undefined;

  constructor(private readonly app: App) {}

  show(): void {
    const { app } = this;
    const proofs = this.proofs();
    const own = proofs.filter(({ proof }) => proof.variant === app.view.variant);
    if (!own.some(({ number }) => number === this.file)) {
      // A proof that begins where the game does is meant, if there is one.
      this.file = (own.find(({ proof }) => proof.root === app.view.start) ?? own[0])?.number;
      this.verdict = undefined;
    }
    this.step = undefined;
    this.problem = undefined;
    if (this.file === undefined) {
      this.latest.cancel();
      this.draw();
      return;
    }
    this.latest.run(async (signal) => {
      try {
        this.step = await ask<ProofStep>("look-up", { file: this.file, in: positionText(app.view) }, signal);
      } catch (error) {
        if (signal.aborted) return;
        this.problem = reason(error);
      }
      this.draw();
    });
  }

  hide(): void {
    this.latest.cancel();
  }

  private proofs(): { proof: ProofFile; number: number }[] {
    return this.app.about.files.flatMap((file, number) => (file.kind === "proof" ? [{ proof: file, number }] : []));
  }

  private proof(): ProofFile | undefined {
    const file = this.file === undefined ? undefined : this.app.about.files[this.file];
    return file?.kind === "proof" ? file : undefined;
  }

  private async longest({ variant, root }: ProofFile): Promise<void> {
    const { moves } = await ask<{ moves: string[] }>("line", { file: this.file });
    this.app.go({ variant, start: root, moves, ply: 0 });
  }

  /** Chooses a proof among the files, and checks it. */
  async checkFile(file: number): Promise<void> {
    this.file = file;
    await this.check();
  }

  private async check(): Promise<void> {
    try {
      const found = await ask<VerifiedProof>("check", { file: this.file });
      this.verdict = found.ok
        ? { text: `${word("checked")} (${counted(found.entries, "position")})`, good: true }
        : { text: `${word("refuted")}: ${inLanguage(found.reason)} (${found.position})`, good: false };
    } catch (error) {
      this.verdict = { text: `${word("refuted")}: ${reason(error)}`, good: false };
    }
    this.draw();
  }

  private draw(): void {
    const proof = this.proof();
    const parts: HTMLElement[] = [];
    if (proof) {
      const claim = h(
        "p",
        { class: "summary" },
        h("strong", {}, proof.provers.map((side) => word(side)).join(" + ")),
        badge(proof.claim === "draw" ? "draw" : "win"),
        h("span", { class: "quiet" }, `${proof.name} · ${counted(proof.entries, "position")}`),
      );
      const buttons = h(
        "div",
        { class: "buttons" },
        button("toRoot", () => this.app.showFile(proof), "primary"),
        button("longest", () => void this.longest(proof)),
        button("check", () => void this.check()),
      );
      const content = contentOf(this.file!);
      if (content) buttons.append(button("linkProof", () => this.app.shareProof(content)));
      parts.push(claim, buttons);
      if (this.verdict) parts.push(note(this.verdict.text, this.verdict.good ? "good" : "bad"));
      parts.push(this.drawStep(), this.drawSearch(proof));
    }
    this.element.replaceChildren(publishedNote(this.app), ...parts, ...this.drawFiles());
    this.app.arrows(this.step?.move ? [this.step.move] : []);
    this.app.judge(proof && this.evaluation(proof));
  }

  /** What a proof of a win says of the position. */
  private evaluation({ claim, provers }: ProofFile): Evaluation | undefined {
    const side = this.app.diagram?.side;
    if (!this.step || this.step.end || claim !== "win" || !side) return undefined;
    return known(provers[0] === side ? "win" : "loss", this.step.rank, side, false);
  }

  /** All open files, with the ways to open more and to make one. */
  private drawFiles(): HTMLElement[] {
    const { app } = this;
    const item = (number: number) => {
      const file = app.about.files[number]!;
      const about = file.kind === "proof" ? `${word("proofWord")}, ${counted(file.entries, "position")}` : `${word("tablebase")} ${file.pieces}, ${counted(file.positions, "position")}`;
      const show = h("button", { type: "button", "aria-current": number === this.file ? "true" : undefined, onclick: () => {
        this.file = file.kind === "proof" ? number : this.file;
        this.verdict = undefined;
        app.showFile(file);
      } }, h("strong", {}, file.name), " ", h("span", { class: "quiet" }, `${titleOf(app, file.variant)} · ${about}`));
      return h("li", {}, show);
    };
    const list = app.about.files.length === 0 ? note(word("noFiles")) : h("ul", { class: "files-list" }, ...app.about.files.map((_, number) => item(number)));
    return [h("h2", {}, word("files")), list, this.drawSources()];
  }

  private drawSources(): HTMLElement {
    const { app } = this;
    const input = h("input", { type: "file", accept: ".proof,.tablebase", multiple: true, hidden: true, "aria-label": word("openProof") });
    input.addEventListener("change", async () => {
      for (const chosen of input.files ?? []) await app.openFile(chosen.name, () => chosen.arrayBuffer());
    });
    const searching = this.solving !== undefined;
    const toggle = button(searching ? "stopSolving" : "solve", () => {
      if (!searching) return void this.solve();
      this.solving?.abort();
      this.ended(`${word("stopped")}: ${this.counts()}`, false);
    }, searching ? "stop" : "");
    toggle.dataset.focus = "solve";
    const parts = h("div", { class: "buttons sources" }, button("openProof", () => input.click()), input, toggle);
    const sources = h("div", { class: "solve" }, parts);
    if (searching) sources.append(this.progress);
    const { solved } = this;
    if (solved?.position !== this.position()) return sources;
    sources.append(h("div", { role: "status" }, note(solved.text, solved.good ? "good" : "")));
    if (!solved.good) sources.append(helpNote(app));
    return sources;
  }

  private position(): string {
    return `${this.app.view.variant} ${positionText(this.app.view)}`;
  }

  /** How far the search has come, in words. */
  private counts(): string {
    const { nodes = 0, seconds = 0, proof, disproof } = this.event;
    const parts = [counted(nodes, "node"), clockText(seconds)];
    if (seconds > 0) parts.splice(1, 0, perSecond(Math.round(nodes / seconds)));
    if (proof !== undefined && disproof !== undefined) parts.push(`${word("proofNumbers")} ${grouped(proof)} / ${grouped(disproof)}`);
    return parts.join(" · ");
  }

  /** Shows what has come of the search that runs. */
  private ended(text: string, good: boolean): void {
    clearInterval(this.ticking);
    this.solving = undefined;
    this.solved = { text, good, position: this.solvedPosition };
    this.show();
  }

  /** The value from the first tablebase that has the position. */
  private async probed(signal: AbortSignal): Promise<string | undefined> {
    const { app } = this;
    if (!app.about.files.some((file) => file.kind === "tablebase" && file.variant === app.view.variant)) return undefined;
    try {
      const { value, plies } = await askHere<Probed>(app, "probe", signal);
      return `${resultText(app, value, plies, true)}, ${word("byTable")}`;
    } catch {
      // It is of other pieces.
      return undefined;
    }
  }

  private async solve(): Promise<void> {
    const { app } = this;
    const { variant } = app.view;
    const controller = new AbortController();
    const { signal } = controller;
    this.solving = controller;
    this.solved = undefined;
    this.event = {};
    this.solvedPosition = this.position();
    const request = { variant, in: positionText(app.view) };
    const text = (value: Value, plies: number | null, exact: boolean) => resultText(app, value, plies, exact);
    const begun = performance.now();
    const tick = (): void => {
      const seconds = Math.max(this.event.seconds ?? 0, (performance.now() - begun) / 1000);
      this.event = { ...this.event, seconds };
      this.progress.textContent = this.event.waiting ? word("waiting") : `${word("solvingNow")}: ${this.counts()}`;
    };
    tick();
    this.ticking = setInterval(tick, 500);
    this.draw();
    try {
      const probed = await this.probed(signal);
      if (signal.aborted) return;
      if (probed !== undefined) return this.ended(probed, true);
      const { solved, opened } = await solve(request, signal, (event) => {
        this.event = event;
        tick();
      });
      if (signal.aborted) return;
      this.event = { ...this.event, nodes: solved.nodes };
      tick();
      const { value, plies_at_most: plies } = solved;
      if (value === "unknown") return this.ended(`${word(UNSOLVED[solved.ended] ?? "notSolvedOther")}: ${this.counts()}`, false);
      if (opened) {
        this.file = opened.file;
        this.verdict = undefined;
        app.opened(opened.about);
      }
      this.ended([text(value, plies, false), this.counts(), ...(opened ? [] : [word("proofTooLarge")])].join(" · "), true);
    } catch (error) {
      if (!signal.aborted) this.ended(reason(error), false);
    }
  }

  private drawStep(): HTMLElement {
    const { app, step } = this;
    if (!step) return note(this.problem === undefined ? `${word("loading")} …` : this.problem, "quiet");
    if (step.end) return h("p", { class: "summary" }, badge(step.end), word("gameOver"));
    const walk = h("div", { class: "walk" });
    const answer = step.move;
    if (answer !== null) {
      const play = moveButton(app, answer, () => app.play(answer), "answer");
      const rank = step.rank === null ? "" : wonIn(step.rank, false);
      walk.append(h("p", { class: "summary" }, word("answer"), " ", play, h("span", { class: "quiet" }, rank)));
    }
    if (step.replies.length === 0) {
      walk.append(note(word("noReplies")));
      return walk;
    }
    walk.append(h("h2", {}, word("replies")));
    const most = Math.max(1, ...step.replies.map(({ rank }) => rank ?? 0));
    const rows = step.replies.map(({ move, rank, end }) => {
      // After the prover's answer a reply is two moves on.
      const line = answer === null ? [move] : [answer, move];
      const bar = h("span", { class: "bar", "aria-hidden": "true" });
      bar.style.setProperty("--part", String((rank ?? 0) / most));
      const left = end ? badge(end) : h("span", {}, rank === null ? "" : counted(rank, "ply"));
      const play = h("button", { type: "button", class: "move", "data-move": move, onclick: () => app.walk(line, line.length) }, moveText(app, line, line.length - 1));
      return h("tr", {}, h("td", {}, play), h("td", { class: "number" }, left), h("td", { class: "wide" }, bar));
    });
    walk.append(h("table", { class: "replies" }, h("tbody", {}, ...rows)));
    return walk;
  }

  private drawSearch({ variant }: ProofFile): HTMLElement {
    const input = h("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: "SFEN" });
    const form = h("form", { class: "joined" }, input, h("button", { type: "submit" }, word("load")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      if (input.value.trim() === "") return;
      try {
        await ask<Diagram>("diagram", { variant, in: input.value });
        const { start, moves } = typedPosition(input.value);
        this.app.go({ variant, start, moves, ply: moves.length });
      } catch (error) {
        input.setCustomValidity(reason(error));
        input.reportValidity();
        input.oninput = () => input.setCustomValidity("");
      }
    });
    return field("find", form);
  }
}
