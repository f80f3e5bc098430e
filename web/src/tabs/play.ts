// Playing: against the computer at a level, or two people on one board, to the end by every rule.

import { ask, type SearchEvent, type Side } from "../api";
import { askHere, Latest, moveText, reason, variantOf, type App, type Panel } from "../app";
import { h, save } from "../dom";
import { CONTROLS, controlText, hasClock, headers, left, moverOf, other, recordedEnd, type Game, type Players } from "../game";
import { isText } from "../own";
import { button, choice, field, note } from "../parts";
import { scoreText } from "../scores";
import { positionText, type Ended } from "../state";
import { clockText, endedText, endText, word } from "../words";

/** What the computer does. */
interface Chosen {
  does: "move" | "declare" | "resign";
  move: string | null;
}

interface Hinted {
  pv: string[];
  declares: boolean;
  score: { cp: number } | { mate: number };
}

const PLAYERS: Players[] = ["sente", "gote", "both"];
const FORMATS = ["kif", "ki2", "csa", "usi", "json", "jkf"];
/** Milliseconds between two looks at the clock. */
const TICK = 200;

export class PlayPanel implements Panel {
  readonly element = h("div", { class: "panel play-panel" });
  private readonly thinking = new Latest();
  /** The position that the computer thinks about. */
  private thought: string | undefined;
  private game: Game | undefined;
  private players: Players = "sente";
  private level = 3;
  private control = 0;
  private format = FORMATS[0]!;
  /** When the turn began; none while the game is not looked at. */
  private began: number | undefined;
  private ticking: ReturnType<typeof setInterval> | undefined;
  private hint: HTMLElement | undefined;
  private hinting = false;
  private problem: string | undefined;
  private readonly clocks: Record<Side, HTMLElement> = { sente: h("span", { class: "clock" }), gote: h("span", { class: "clock" }) };

  constructor(private readonly app: App) {}

  show(): void {
    this.follow();
    this.draw();
    this.turn();
  }

  /** While another tab is shown the game waits, clocks included. */
  hide(): void {
    this.pause();
    this.app.block(false);
  }

  private pause(): void {
    this.thinking.cancel();
    this.thought = undefined;
    clearInterval(this.ticking);
    if (this.game && this.began !== undefined) this.carried = performance.now() - this.began;
    this.began = undefined;
  }

  /** Milliseconds of this turn before the game was looked away from. */
  private carried = 0;

  /** Notes the time of moves that were made, and forgets that of moves that were taken back. */
  private follow(): void {
    const { app, game } = this;
    if (!game || !app.diagram) return;
    if (app.view.variant !== game.variant || app.view.start !== game.start || app.view.moves.length < game.base) {
      this.pause();
      this.game = undefined;
      return;
    }
    const made = app.view.moves.length - game.base;
    if (made === game.spent.length) return;
    this.forgetHint();
    if (made < game.spent.length) game.spent.length = made;
    else game.spent.push(this.elapsed(), ...Array<number>(made - game.spent.length - 1).fill(0));
    this.carried = 0;
    if (this.began !== undefined) this.began = performance.now();
  }

  /** Milliseconds of this turn so far. */
  private elapsed(): number {
    return this.began === undefined ? this.carried : performance.now() - this.began;
  }

  private forgetHint(): void {
    this.hint = undefined;
    this.problem = undefined;
    this.app.hint(undefined);
  }

  private isOver(): boolean {
    return this.app.view.end !== undefined || (this.app.legal?.end ?? null) !== null;
  }

  /** Whether the last position of the game is looked at. */
  private isLast(): boolean {
    return this.app.view.ply === this.app.view.moves.length;
  }

  private isPerson(side: Side): boolean {
    return this.game?.players === "both" || this.game?.players === side;
  }

  /** Lets whoever is to move do so. */
  private turn(): void {
    const { app, game } = this;
    if (!game || !app.diagram || !app.legal) return app.block(false);
    const goesOn = this.isLast() && !this.isOver();
    app.block(!goesOn || !this.isPerson(app.diagram.side));
    if (!goesOn) return this.pause();
    if (this.began === undefined) {
      this.began = performance.now() - this.carried;
      clearInterval(this.ticking);
      if (hasClock(game.control)) this.ticking = setInterval(() => this.tick(), TICK);
    }
    if (!this.isPerson(app.diagram.side)) this.think(game, app.diagram.side);
  }

  private think(game: Game, side: Side): void {
    const position = positionText(this.app.view);
    if (this.thought === position) return;
    this.thought = position;
    this.thinking.run(async (signal) => {
      const { variant, level, seed, control } = game;
      const [remaining, increment, byoyomi] = [left(game)[side], control.increment * 1000, control.byoyomi * 1000];
      const clock = hasClock(control) ? { remaining_ms: Math.round(remaining), increment_ms: increment, byoyomi_ms: byoyomi } : null;
      try {
        const { does, move } = await ask<Chosen>("choose", { variant, in: position, level, seed, clock }, signal);
        if (signal.aborted || this.thought !== position) return;
        this.thought = undefined;
        if (move !== null) this.app.play(move);
        else this.end(does === "declare" ? "declaration" : "resignation", side);
      } catch (error) {
        if (signal.aborted) return;
        this.thought = undefined;
        this.problem = reason(error);
        this.draw();
      }
    });
  }

  private tick(): void {
    const { game, app } = this;
    if (!game || !app.diagram || this.began === undefined) return;
    const times = left(game);
    const side = app.diagram.side;
    const rest = times[side] - this.elapsed();
    times[side] = rest < 0 ? rest + game.control.byoyomi * 1000 : rest;
    for (const one of ["sente", "gote"] as const) {
      const text = clockText(Math.ceil(times[one] / 1000));
      if (this.clocks[one].textContent !== text) this.clocks[one].textContent = text;
    }
    if (rest + game.control.byoyomi * 1000 < 0) this.end("time", side);
  }

  private end(how: Ended["how"], by: Side): void {
    this.pause();
    this.app.go({ end: { how, by } });
  }

  /** Begins a game: at the start, or in the position that is looked at. */
  private begin(here: boolean): void {
    const { app } = this;
    const { variant, start, moves, ply } = app.view;
    const line = here ? moves.slice(0, ply) : [];
    const from = here ? start : app.firstOf(variant);
    const diagram = app.diagram;
    if (!diagram) return;
    const sfen = from === "startpos" ? variantOf(app).start : from;
    const first: Side = here ? diagram.side : sfen.split(" ")[1] === "w" ? "gote" : "sente";
    this.game = {
      variant, start: from, players: this.players, level: this.level, seed: 1 + Math.floor(Math.random() * 1e9),
      control: CONTROLS[this.control]!, base: line.length, first, spent: [],
    };
    this.carried = 0;
    this.began = undefined;
    this.thought = undefined;
    this.forgetHint();
    app.flip(this.players === "gote");
    app.go({ start: from, moves: line, ply: line.length });
  }

  /** Takes an end back, else moves until the person is to move again. */
  private takeBack(): void {
    const { app, game } = this;
    if (!game || !app.diagram) return;
    this.thinking.cancel();
    this.thought = undefined;
    const { moves, end } = app.view;
    let count = moves.length - game.base;
    const mine = (made: number) => this.isPerson(moverOf(game, made));
    if (!(end && mine(count))) {
      do count -= 1;
      while (count > 0 && !mine(count));
    }
    if (count < 0 || !mine(count)) return;
    const kept = moves.slice(0, game.base + count);
    app.go({ moves: kept, ply: kept.length, end: undefined });
  }

  private async showHint(): Promise<void> {
    const { app } = this;
    const position = positionText(app.view);
    this.hinting = true;
    this.draw();
    try {
      const { pv, declares, score } = await askHere<Hinted>(app, "hint");
      if (positionText(app.view) !== position || !app.diagram) return;
      const event: SearchEvent = { score };
      const value = h("span", { class: "quiet" }, `${word("evaluation")}: ${scoreText(event, app.diagram.side)}`);
      const what = pv.length > 0 ? moveText(app, pv) : h("span", {}, word(declares ? "hintDeclare" : "hintResign"));
      this.hint = h("p", { class: "summary hint-text", "data-move": pv[0] }, h("strong", {}, what), value);
      app.hint(pv[0]);
    } catch (error) {
      this.problem = reason(error);
    } finally {
      this.hinting = false;
    }
    this.draw();
  }

  private draw(): void {
    const focused = document.activeElement?.getAttribute("data-focus");
    this.element.replaceChildren(...(this.game ? this.drawGame(this.game) : this.drawChoice()));
    if (this.problem) this.element.append(note(this.problem, "bad"));
    if (!focused) return;
    const all = [...this.element.querySelectorAll<HTMLButtonElement>("[data-focus]")];
    (all.find((one) => one.dataset.focus === focused && !one.disabled) ?? all.find((one) => !one.disabled))?.focus();
  }

  /** Who plays, how strong the computer is, and with which clock. */
  private drawChoice(): HTMLElement[] {
    const { app } = this;
    const named = (names: string[], chosen: number, texts: string[], id: string, choose: (place: number) => void) => {
      const select = choice(names, names[chosen]!, (name) => choose(names.indexOf(name)));
      select.id = id;
      [...select.options].forEach((option, i) => (option.textContent = texts[i]!));
      return select;
    };
    const numbers = Array.from({ length: app.about.levels }, (_, i) => String(i + 1));
    const levels = numbers.map((number) => (number === "1" ? `1 · ${word("weakest")}` : number === String(app.about.levels) ? `${number} · ${word("strongest")}` : number));
    const players = named(PLAYERS, PLAYERS.indexOf(this.players), [word("playSente"), word("playGote"), word("playBoth")], "players", (i) => {
      this.players = PLAYERS[i]!;
      this.draw();
      document.getElementById("players")?.focus();
    });
    const level = named(numbers, this.level - 1, levels, "level", (i) => (this.level = i + 1));
    level.disabled = this.players === "both";
    const keys = CONTROLS.map((_, i) => String(i));
    const clock = named(keys, this.control, CONTROLS.map(controlText), "clock", (i) => (this.control = i));
    const canPlay = app.legal !== undefined && app.legal.end === null;
    const begin = button("newGame", () => this.begin(false), "primary");
    begin.dataset.focus = "begin";
    const here = button("playHere", () => this.begin(true));
    here.disabled = !canPlay;
    here.dataset.focus = "here";
    return [
      h("div", { class: "choices" }, field("youPlay", players), field("level", level), field("clock", clock)),
      h("div", { class: "buttons" }, begin, here),
      ...(app.view.end && app.diagram ? [this.drawResult(), ...this.drawSaving()] : []),
    ];
  }

  private drawGame(game: Game): HTMLElement[] {
    const { app } = this;
    if (!app.diagram || !app.legal) return [note(`${word("loading")} …`)];
    const over = this.isOver();
    const mine = this.isPerson(app.diagram.side);
    const parts = [this.drawPlayers(game)];
    if (over) parts.push(this.drawResult());
    else if (!this.isLast()) parts.push(note(word("lookingBack"), "quiet"));
    else if (!mine) parts.push(h("p", { class: "note quiet", role: "status" }, `${word("thinking")} …`));
    else if (game.players === "both") parts.push(note(word(app.diagram.side) + word("toMove"), "quiet"));
    else parts.push(note(word("yourTurn"), "quiet"));
    const act = (name: Parameters<typeof button>[0], enabled: boolean, onclick: () => void) => {
      const made = button(name, onclick);
      made.dataset.focus = name;
      made.disabled = !enabled;
      return made;
    };
    const turn = !over && mine && this.isLast();
    const resigning = game.players === "both" ? app.diagram.side : game.players;
    const declare = app.legal.declaration ? [act("declare", turn, () => this.end("declaration", app.diagram!.side))] : [];
    parts.push(h(
      "div",
      { class: "buttons" },
      act("takeBack", app.view.moves.length > game.base || app.view.end !== undefined, () => this.takeBack()),
      act("hint", turn && !this.hinting, () => void this.showHint()),
      act("resign", !over, () => this.end("resignation", resigning)),
      ...declare,
      act("leaveGame", true, () => {
        this.pause();
        this.game = undefined;
        this.forgetHint();
        app.block(false);
        this.draw();
      }),
    ));
    if (this.hinting) parts.push(note(`${word("thinking")} …`, "quiet"));
    if (this.hint) parts.push(this.hint);
    return [...parts, ...this.drawSaving()];
  }

  private drawPlayers(game: Game): HTMLElement {
    const times = left(game);
    const line = (side: Side) => {
      const name = this.isPerson(side) ? word("person") : `${word("computer")}, ${word("level")} ${game.level}`;
      if (this.began === undefined || this.app.diagram?.side !== side) this.clocks[side].textContent = clockText(Math.ceil(times[side] / 1000));
      const mark = side === "sente" ? "☗" : "☖";
      return h("p", { class: "player", "data-side": side }, h("span", {}, `${mark} ${word(side)}: ${name}`), hasClock(game.control) && this.clocks[side]);
    };
    return h("div", { class: "players" }, line("gote"), line("sente"));
  }

  /** Who has won, and by which rule. */
  private drawResult(): HTMLElement {
    const { end } = this.app.view;
    const { legal, diagram } = this.app;
    const text = end ? endedText(end) : endText(legal!, diagram!.side);
    return h("p", { class: "note good result", role: "status" }, text);
  }

  /** Saves the record and copies the address that shows the game. */
  private drawSaving(): HTMLElement[] {
    const formats = choice(FORMATS, this.format, (chosen) => (this.format = chosen));
    formats.setAttribute("aria-label", word("format"));
    const download = button("download", () => void this.saveRecord());
    download.dataset.focus = "download";
    const link = button("share", () => this.app.share());
    link.dataset.focus = "link";
    return [h("div", { class: "buttons saving" }, h("label", { class: "inline" }, word("saveAs"), " ", formats), download, link)];
  }

  private async saveRecord(): Promise<void> {
    const { app, game } = this;
    const { variant, start, moves, end } = app.view;
    try {
      const last = app.view.ply === moves.length ? app.legal : undefined;
      const legal = last ?? (await ask<NonNullable<typeof last>>("moves", { variant, in: positionText({ ...app.view, ply: moves.length }) }));
      const side = (moves.length - app.view.ply) % 2 === 0 ? app.diagram!.side : other(app.diagram!.side);
      const timed = game && hasClock(game.control);
      const seconds = (i: number) => (timed && i >= game.base ? Math.floor((game.spent[i - game.base] ?? 0) / 1000) : undefined);
      const record = JSON.stringify({
        start: start === "startpos" ? variantOf(app).start : start,
        headers: game ? headers(game) : [],
        moves: moves.map((move, i) => ({ move, seconds: seconds(i) })),
        end: recordedEnd(end, legal, side),
      });
      const written = await ask<{ record: string }>("convert", { variant, in: record, from: "json", to: this.format });
      save(`${isText(variant) ? "game" : variant}.${this.format}`, written.record);
    } catch (error) {
      this.problem = reason(error);
      this.draw();
    }
  }
}
