// A walk through a proof: the prover's answer, every reply with the plies that are left.

import { ask, files, type Diagram, type ProofFile, type ProofStep } from "../api";
import { Latest, reason, textOf, variantOf, type App, type Panel } from "../app";
import { h } from "../dom";
import { inKanji, moveText } from "../notation";
import { positionText } from "../state";
import { badge, button, field, note } from "../parts";
import { grouped, word } from "../words";

export class ProofPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly latest = new Latest();
  private step: ProofStep | undefined;
  /** The position after the prover's answer. */
  private answered: Diagram | undefined;
  private problem: string | undefined;
  private verdict: { text: string; good: boolean } | undefined;
  /** Set while the page solves a position. */
  private solving: AbortController | undefined;
  /** What came of it. */
  private solved: string | undefined;
  /** The place of the proof among the files. */
  private file: number | undefined;

  constructor(private readonly app: App) {}

  show(): void {
    const { app } = this;
    const proofs = this.proofs();
    if (proofs.length === 0) {
      const command = h("pre", {}, "shogi solve shogi34 --start KBR --proof kbr.proof\nshogi explore kbr.proof");
      const here = files() ? [note(word("noProofsHere")), this.drawFiles()] : [note(word("noProofs")), command];
      this.element.replaceChildren(...here);
      return;
    }
    const chosen = proofs.find(({ number }) => number === this.file);
    const fitting = proofs.find(({ proof }) => proof.variant === app.view.variant);
    if (chosen?.proof.variant !== app.view.variant) this.file = (fitting ?? chosen ?? proofs[0]!).number;
    this.step = undefined;
    this.problem = undefined;
    const proof = this.proof();
    if (proof.variant !== app.view.variant) {
      this.draw();
      return;
    }
    this.latest.run(async (signal) => {
      try {
        const position = positionText(app.view);
        const step = await ask<ProofStep>("look-up", { file: this.file, in: position }, signal);
        if (step.move !== null) {
          const after = `${position}${position.includes(" moves ") ? "" : " moves"} ${step.move}`;
          this.answered = await ask("diagram", { variant: proof.variant, in: after }, signal);
        }
        this.step = step;
      } catch (error) {
        if (signal.aborted) return;
        this.problem = reason(error);
      }
      this.draw();
    });
  }

  private proofs(): { proof: ProofFile; number: number }[] {
    return this.app.about.files.flatMap((file, number) => (file.kind === "proof" ? [{ proof: file, number }] : []));
  }

  private proof(): ProofFile {
    return this.app.about.files[this.file!] as ProofFile;
  }

  private toRoot(): void {
    const { variant, root } = this.proof();
    this.app.go({ variant, start: root, moves: [], ply: 0 });
  }

  private async longest(): Promise<void> {
    const { variant, root } = this.proof();
    const { moves } = await ask<{ moves: string[] }>("line", { file: this.file });
    this.app.go({ variant, start: root, moves, ply: 0 });
  }

  private async check(): Promise<void> {
    try {
      const { entries } = await ask<{ entries: number }>("check", { file: this.file });
      this.verdict = { text: `${word("checked")} (${grouped(entries)} ${word("entries")})`, good: true };
    } catch (error) {
      this.verdict = { text: `${word("refuted")}: ${reason(error)}`, good: false };
    }
    this.draw();
  }

  /** What a page without a server does about proofs: opens files, and solves the position itself. */
  private drawFiles(): HTMLElement {
    const { app } = this;
    const file = h("input", { type: "file", accept: ".proof,.tablebase", multiple: true, hidden: true });
    file.addEventListener("change", async () => {
      for (const chosen of file.files ?? []) await app.openFile(chosen.name, () => chosen.arrayBuffer());
    });
    const searching = this.solving !== undefined;
    const solve = button(searching ? "stopSolving" : "solve", () => {
      if (!searching) return void this.solve();
      this.solving?.abort();
      this.solving = undefined;
      this.show();
    });
    const parts = h("div", { class: "buttons sources" }, button("openProof", () => file.click()), file, solve);
    const answer = this.solved && note(this.solved);
    return h("div", { role: "status" }, parts, answer);
  }

  private async solve(): Promise<void> {
    const { app } = this;
    const { variant } = app.view;
    const controller = new AbortController();
    this.solving = controller;
    this.solved = undefined;
    this.show();
    try {
      const found = await files()!.solve({ variant, in: positionText(app.view) }, controller.signal);
      const { value, plies_at_most: plies } = found.solved;
      this.solved = value === "unknown" ? word("notSolved") : plies === null ? word(value) : `${word(value)}: ${word("atMost")} ${plies} ${word("plies")}`;
      if (found.proof) {
        const about = await files()!.open(`${variant}-${app.about.files.length + 1}.proof`, found.proof);
        this.file = about.files.length - 1;
        this.verdict = undefined;
        app.opened(about);
      }
    } catch (error) {
      if (controller.signal.aborted) return;
      this.solved = reason(error);
    }
    this.solving = undefined;
    this.show();
  }

  private draw(): void {
    const proof = this.proof();
    const select = h("select", {}, ...this.proofs().map(({ proof, number }) =>
      h("option", { value: number, selected: number === this.file }, `${proof.name} (${proof.variant})`),
    ));
    select.addEventListener("change", () => {
      this.file = Number(select.value);
      this.verdict = undefined;
      this.toRoot();
    });
    const claim = h(
      "p",
      { class: "summary" },
      h("strong", {}, proof.provers.map((side) => word(side)).join(" + ")),
      badge(proof.claim === "draw" ? "draw" : "win"),
      h("span", { class: "quiet" }, `${grouped(proof.entries)} ${word("entries")}`),
    );
    this.element.replaceChildren(
      field("proofFile", select),
      claim,
      h(
        "div",
        { class: "buttons" },
        button("toRoot", () => this.toRoot(), "primary"),
        button("longest", () => void this.longest()),
        button("check", () => void this.check()),
      ),
    );
    if (this.verdict) this.element.append(note(this.verdict.text, this.verdict.good ? "good" : "bad"));
    this.element.append(this.drawStep(proof), this.drawSearch());
    if (files()) this.element.append(this.drawFiles());
  }

  private drawStep(proof: ProofFile): HTMLElement {
    const { app, step } = this;
    if (proof.variant !== app.view.variant) return note(word("otherVariant"));
    if (!step) return note(this.problem === undefined ? `${word("loading")} …` : this.problem, "quiet");
    if (step.end) return h("p", { class: "summary" }, badge(step.end), word("gameOver"));
    const walk = h("div", { class: "walk" });
    const answer = step.move;
    if (answer !== null) {
      const play = h(
        "button",
        {
          type: "button",
          class: "move answer",
          "data-move": answer,
          onclick: () => app.play(answer),
          onmouseenter: () => app.hint(answer),
          onmouseleave: () => app.hint(undefined),
        },
        textOf(app, answer),
      );
      const rank = step.rank === null ? "" : `${step.rank} ${word("plies")}`;
      walk.append(h("p", { class: "summary" }, word("answer"), " ", play, h("span", { class: "quiet" }, rank)));
    }
    if (step.replies.length === 0) {
      walk.append(note(word("noReplies")));
      return walk;
    }
    walk.append(h("h3", {}, word("replies")));
    const most = Math.max(1, ...step.replies.map(({ rank }) => rank ?? 0));
    const { pieces } = variantOf(app);
    const after = this.answered && inKanji(this.answered, pieces);
    const text = (move: string) =>
      answer !== null && after ? moveText(move, after, pieces, app.settings.kanji) : textOf(app, move);
    const rows = step.replies.map(({ move, rank, end }) => {
      // After the prover's answer a reply is two moves on.
      const onclick = () => {
        const { moves, ply } = app.view;
        const played = [...moves.slice(0, ply), ...(answer === null ? [] : [answer]), move];
        app.go({ moves: played, ply: played.length });
      };
      const bar = h("span", { class: "bar", "aria-hidden": "true" });
      bar.style.setProperty("--part", String((rank ?? 0) / most));
      const left = end ? badge(end) : h("span", {}, rank === null ? "" : String(rank));
      const play = h("button", { type: "button", class: "move", "data-move": move, onclick }, text(move));
      return h("tr", {}, h("td", {}, play), h("td", { class: "number" }, left), h("td", { class: "wide" }, bar));
    });
    walk.append(h("table", { class: "replies" }, h("tbody", {}, ...rows)));
    return walk;
  }

  private drawSearch(): HTMLElement {
    const input = h("input", { type: "text", spellcheck: "false", autocomplete: "off", placeholder: "SFEN" });
    const form = h("form", { class: "joined" }, input, h("button", { type: "submit" }, word("load")));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const { variant } = this.proof();
      if (input.value.trim() !== "") this.app.go({ variant, start: input.value.trim(), moves: [], ply: 0 });
    });
    return field("find", form);
  }
}
