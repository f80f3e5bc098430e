// The page: the board, the game, the settings and the tabs.

import { about as askAbout, addressOpener, ask, connect, openFile, type About, type AboutVariant, type Answerer, type Diagram, type Moves, type ProofFile, type TableFile } from "./api";
import { askHere, Latest, moveText, reason, variantOf, type App, type Panel } from "./app";
import { Board } from "./board";
import { h } from "./dom";
import { Editor } from "./editor";
import { drawHeader } from "./header";
import { icon } from "./icons";
import { holdsProof, linkedProof, proofFragment } from "./link";
import { inKanji } from "./notation";
import { describe, editVariant, isText } from "./own";
import { button } from "./parts";
import type { Evaluation } from "./scores";
import { fromQuery, loadSettings, namesPosition, notationOf, saveSettings, TABS, toQuery, typedPosition, type Tab, type View } from "./state";
import { namedStarts } from "./starts";
import { CountPanel } from "./tabs/count";
import { MovesPanel } from "./tabs/moves";
import { PlayPanel } from "./tabs/play";
import { ProblemsPanel } from "./tabs/problems";
import { ProofPanel } from "./tabs/proof";
import { ReachPanel } from "./tabs/reach";
import { RecordPanel } from "./tabs/record";
import { endedText, endText, setLanguage, variantTitle, word, type Word } from "./words";

const TAB_WORDS: Record<Tab, Word> = {
  moves: "tabMoves", play: "tabPlay", problems: "tabProblems", proof: "tabProof", reach: "tabReach", count: "tabCount", record: "tabRecord",
};

class Page implements App {
  view: View;
  diagram: Diagram | undefined;
  legal: Moves | undefined;
  illegal: string | undefined;
  readonly settings = loadSettings();
  private readonly latest = new Latest();
  private readonly board = new Board((usi) => this.play(usi), (by) => this.step(by));
  private editor: Editor | undefined;
  private readonly panels: Record<Tab, Panel>;
  private hinted: string | undefined;
  private arrowed: string[] = [];
  private evaluation: Evaluation | undefined;
  /** Whether a tab lets nobody move. */
  private blocked = false;
  private shownTab: Tab | undefined;
  /** The part of the address that holds a proof, if it holds one. */
  private fragment = "";

  private readonly proof = new ProofPanel(this);
  private readonly header = h("header");
  private readonly table = h("div", { class: "place" }, this.board.element);
  private readonly bar = h("div", { class: "evaluation", role: "img" });
  private readonly status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  private readonly steps = h("nav", { class: "steps" });
  private readonly problem = h("p", { class: "note bad problem", role: "alert" });
  private readonly game = h("ol", { class: "game-moves" });
  private readonly sfen = h("input", { type: "text", spellcheck: "false", autocomplete: "off", id: "sfen" });
  private readonly starts = h("div", { class: "buttons starts" });
  private readonly tabs = h("div", { class: "tabs", role: "tablist" });
  private readonly content = h("div", { class: "content", role: "tabpanel", id: "panel", tabindex: "-1" });
  private readonly sfenForm = h("form", { class: "joined sfen-form" });
  private readonly keys = h("p", { class: "quiet keys" });

  /** `problem` is what is wrong with the variant of the address. */
  constructor(public about: About, private problemAtFirst?: string) {
    this.view = this.fromAddress();
    this.panels = {
      moves: new MovesPanel(this),
      play: new PlayPanel(this),
      problems: new ProblemsPanel(this),
      proof: this.proof,
      reach: new ReachPanel(this),
      count: new CountPanel(this),
      record: new RecordPanel(this),
    };
    const main = h(
      "main",
      {},
      h("section", { class: "play" }, this.table, this.bar, h("div", { class: "control" }, this.status, this.steps), this.problem),
      h("section", { class: "right" }, this.tabs, this.content),
      h("section", { class: "below" }, this.game, this.starts, this.sfenForm, this.keys),
    );
    document.body.replaceChildren(this.header, main);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("popstate", () => {
      this.view = this.fromAddress();
      if (holdsProof(location.hash) && location.hash !== this.fragment) void this.openLinked(location.hash, undefined);
      else this.load();
    });
    this.sfenForm.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.typed(this.sfen.value);
    });
    this.applySettings();
    const [first] = about.files;
    if (first && !namesPosition(location.search)) this.showFile(first);
    else this.load();
  }

  /** What the address says is looked at; where it says no position, that which is looked at first. */
  private fromAddress(): View {
    const view = fromQuery(location.search, this.about.variants.map(({ name }) => name));
    const isFirst = view.start === "startpos" && view.moves.length === 0;
    return isFirst ? { ...view, start: this.firstOf(view.variant) } : view;
  }

  firstOf(variant: string): string {
    return this.about.variants.find(({ name }) => name === variant)?.first ?? "startpos";
  }

  go(change: Partial<View>): void {
    const variantChanges = change.variant !== undefined && change.variant !== this.view.variant;
    // An end is one of the game as it stood.
    const isOther = change.variant !== undefined || change.start !== undefined || change.moves !== undefined;
    this.view = { ...this.view, ...(isOther ? { end: undefined } : {}), ...change };
    if (variantChanges) this.fragment = "";
    const address = toQuery(this.view) + this.fragment;
    if (variantChanges || change.start !== undefined) history.pushState(null, "", address);
    else history.replaceState(null, "", address);
    // Another tab shows the same position.
    const onlyTab = Object.keys(change).join() === "tab";
    if (onlyTab && this.diagram) this.draw();
    else this.load();
  }

  play(usi: string): void {
    const { moves, ply } = this.view;
    // A move that is there already is stepped to, so that the rest of the game stays.
    const kept = moves[ply] === usi ? moves : [...moves.slice(0, ply), usi];
    this.go({ moves: kept, ply: ply + 1, end: kept === moves ? this.view.end : undefined });
  }

  walk(line: string[], steps: number): void {
    const { moves, ply } = this.view;
    this.go({ moves: [...moves.slice(0, ply), ...line], ply: ply + steps });
  }

  opened(about: About): void {
    const known = new Set(about.variants.map(({ name }) => name));
    const own = this.about.variants.filter(({ name }) => !known.has(name));
    this.about = { ...about, variants: [...about.variants, ...own] };
    this.panels.moves.reopened?.();
    this.draw();
  }

  async openVariant(text: string): Promise<void> {
    const described = await describe(text);
    this.opened(withVariant(this.about, described));
    this.go({ variant: described.name, start: "startpos", moves: [], ply: 0 });
  }

  openFile(name: string, content: () => Promise<ArrayBuffer>): Promise<void> {
    return this.openBy(name, async () => openFile(name, await content()));
  }

  /** Shows a file that `open` opens, or says why it does not. */
  async openBy(name: string, open: () => Promise<About>): Promise<void> {
    try {
      const about = await open();
      this.opened(about);
      this.showFile(about.files[about.files.length - 1]!);
    } catch (error) {
      this.problem.textContent = `${name}: ${reason(error)}`;
    }
  }

  showFile(file: ProofFile | TableFile): void {
    const tab = file.kind === "proof" ? "proof" : "moves";
    this.go({ variant: file.variant, start: file.root ?? "startpos", moves: [], ply: 0, tab });
  }

  hint(usi: string | undefined): void {
    if (this.hinted === usi) return;
    this.hinted = usi;
    this.drawBoard();
  }

  arrows(moves: string[]): void {
    if (this.arrowed.join() === moves.join()) return;
    this.arrowed = moves;
    this.drawBoard();
  }

  judge(evaluation: Evaluation | undefined): void {
    this.evaluation = evaluation;
    this.drawBar();
  }

  private step(by: 1 | -1): boolean {
    const ply = this.view.ply + by;
    if (this.editor || ply < 0 || ply > this.view.moves.length) return false;
    this.go({ ply });
    return true;
  }

  /** Looks at a position that was typed, as people and programs write it. */
  private async typed(text: string): Promise<void> {
    const { variant } = this.view;
    // The program sees what was typed, so that places in it count from its first character.
    const asked = text.trim() === "" ? "startpos" : text;
    try {
      await ask("diagram", { variant, in: asked });
    } catch (error) {
      this.problem.textContent = this.explain(error);
      return;
    }
    const { start, moves } = typedPosition(asked);
    this.go({ start, moves, ply: moves.length });
  }

  private explain(error: unknown): string {
    return error instanceof TypeError ? word("unavailable") : reason(error);
  }

  /** Asks for the position looked at, and shows everything about it. */
  private load(): void {
    this.hinted = undefined;
    this.arrowed = [];
    this.evaluation = undefined;
    this.editor = undefined;
    this.board.busy = true;
    this.latest.run(async (signal) => {
      const legal = askHere<Moves>(this, "moves", signal).then(
        (moves) => ({ moves, error: undefined }),
        (error: unknown) => ({ moves: undefined, error: reason(error) }),
      );
      let diagram: Diagram;
      try {
        diagram = await askHere(this, "diagram", signal);
      } catch (error) {
        if (signal.aborted) return;
        this.board.busy = false;
        this.problem.textContent = this.explain(error);
        this.sfen.value = this.view.start;
        if (!this.diagram && this.view.start !== "startpos") this.go({ start: "startpos", moves: [], ply: 0 });
        return;
      }
      const { moves, error } = await legal;
      if (signal.aborted) return;
      this.board.busy = false;
      this.problem.textContent = this.problemAtFirst ?? "";
      this.problemAtFirst = undefined;
      this.diagram = inKanji(diagram, variantOf(this).pieces);
      [this.legal, this.illegal] = [moves, error];
      this.draw();
    });
  }

  private draw(): void {
    this.drawHeader();
    this.drawBoard();
    this.drawBar();
    this.drawStatus();
    this.drawSteps();
    this.drawBelow();
    this.drawTabs();
    this.panels[this.view.tab].show();
  }

  private drawBoard(): void {
    const { diagram, legal, view, settings } = this;
    if (!diagram) return;
    const looks = { pieces: variantOf(this).pieces, kanji: settings.kanji, flipped: settings.flipped, notation: notationOf(settings) };
    this.table.replaceChildren(this.editor?.element ?? this.board.element);
    this.editor?.show(looks);
    this.board.show({
      ...looks,
      diagram,
      legal: this.blocked ? [] : (legal?.moves ?? []),
      last: view.ply > 0 ? view.moves[view.ply - 1] : undefined,
      hint: this.hinted,
      arrows: this.arrowed,
    });
  }

  private drawBar(): void {
    const { evaluation } = this;
    this.bar.setAttribute("aria-label", `${word("evaluation")}: ${evaluation?.text ?? word("noEvaluation")}`);
    this.bar.title = word("evaluation");
    this.bar.dataset.known = String(evaluation !== undefined);
    this.bar.style.setProperty("--share", String(evaluation?.share ?? 0.5));
    this.bar.replaceChildren(h("span", { class: "sente", "aria-hidden": "true" }, "☗"), h("span", { class: "text" }, evaluation?.text ?? ""), h("span", { class: "gote", "aria-hidden": "true" }, "☖"));
  }

  private drawHeader(): void {
    const { name, title } = variantOf(this);
    document.title = `${variantTitle(name, title)} – ${word("title")}`;
    drawHeader(this.header, {
      about: this.about,
      variant: this.view.variant,
      settings: this.settings,
      choose: (variant) => this.go({ variant, start: this.firstOf(variant), moves: [], ply: 0 }),
      set: (change) => {
        Object.assign(this.settings, change);
        saveSettings(this.settings);
        this.applySettings();
        this.draw();
      },
      share: () => this.share(),
    });
  }

  block(blocked: boolean): void {
    if (this.blocked === blocked) return;
    this.blocked = blocked;
    this.drawBoard();
  }

  flip(flipped: boolean): void {
    this.settings.flipped = flipped;
  }

  share(): void {
    void this.copyAddress();
  }

  shareProof(content: ArrayBuffer): void {
    this.fragment = proofFragment(content);
    this.go({});
    void this.copyAddress();
  }

  /** Opens the proof that an address holds, checks it, and shows its root, unless the address names a position. */
  async openLinked(hash: string, named: View | undefined): Promise<void> {
    const before = this.about.files.length;
    await this.openBy(word("linkedProof"), async () => openFile("link.proof", linkedProof(hash)));
    if (this.about.files.length === before) return;
    this.fragment = hash;
    this.go(named ?? {});
    await this.proof.checkFile(before);
  }

  private async copyAddress(): Promise<void> {
    const shared = document.getElementById("share");
    try {
      await navigator.clipboard.writeText(location.href);
      shared?.classList.add("done");
      this.status.textContent = word("copied");
      setTimeout(() => {
        shared?.classList.remove("done");
        this.drawStatus();
      }, 1500);
    } catch {
      // Without a clipboard the address bar has the same.
    }
  }

  private drawStatus(): void {
    const { diagram, legal, view } = this;
    if (!diagram) return;
    let text = word(diagram.side) + word("toMove");
    if (view.end && view.ply === view.moves.length) text = endedText(view.end);
    else if (legal?.end) text = endText(legal, diagram.side);
    else if (legal?.check) text += `, ${word("inCheck")}`;
    else if (this.illegal !== undefined) text = word("illegal");
    if (legal?.declaration) text += ` · ${word("declarationPossible")}`;
    const last = view.ply > 0 && [`${view.ply}. `, moveText(this, view.moves, view.ply - 1, { position: view.start }), " · "];
    this.status.replaceChildren(...(last || []), text);
  }

  private drawSteps(): void {
    const { moves, ply } = this.view;
    const step = (name: "first" | "back" | "forward" | "last", to: number) =>
      h("button", { type: "button", "aria-label": word(name), title: word(name), id: name, disabled: to === ply || to < 0 || to > moves.length, onclick: () => this.go({ ply: to }) }, icon(name));
    const focused = document.activeElement?.id;
    this.steps.replaceChildren(step("first", 0), step("back", ply - 1), step("forward", ply + 1), step("last", moves.length));
    if (focused) this.steps.querySelector<HTMLElement>(`#${CSS.escape(focused)}`)?.focus();
  }

  /** The game, and the ways to other positions. */
  private drawBelow(): void {
    const { moves, ply, start } = this.view;
    const item = (_: string, i: number) =>
      h("li", {}, h("button", { type: "button", "aria-current": i + 1 === ply ? "step" : undefined, onclick: () => this.go({ ply: i + 1 }) }, `${i + 1}. `, moveText(this, moves, i, { position: start })));
    this.game.replaceChildren(...moves.map(item));
    this.game.hidden = moves.length === 0;
    const current = this.game.querySelector<HTMLElement>("[aria-current]");
    // Only the list is scrolled, never the page.
    if (current) this.game.scrollTop = current.offsetTop - this.game.clientHeight / 2;
    const restart = button("restart", () => this.go({ start: this.firstOf(this.view.variant), moves: [], ply: 0 }), "restart");
    const edit = h("button", { type: "button", id: "edit", onclick: () => this.edit() }, icon("edit"), word("edit"));
    const own = h("button", { type: "button", id: "own", onclick: () => void editVariant(this) }, word("own"));
    this.starts.replaceChildren(restart, ...namedStarts(this), edit, own);
    this.sfen.value = this.diagram?.sfen ?? start;
    this.sfen.setAttribute("aria-label", word("position"));
    this.sfenForm.replaceChildren(this.sfen, h("button", { type: "submit" }, word("load")));
    this.keys.textContent = word("keys");
  }

  private edit(): void {
    const { diagram, settings } = this;
    if (!diagram) return;
    const looks = { pieces: variantOf(this).pieces, kanji: settings.kanji, flipped: settings.flipped, notation: notationOf(settings) };
    this.editor = new Editor({ diagram, ...looks }, (sfen) => {
      this.editor = undefined;
      if (sfen !== undefined) this.go({ start: sfen, moves: [], ply: 0 });
      else this.drawBoard();
      document.getElementById("edit")?.focus();
    });
    this.drawBoard();
    this.editor.element.querySelector<HTMLElement>("button")?.focus();
    this.editor.element.scrollIntoView({ block: "nearest" });
  }

  private drawTabs(): void {
    const { tab } = this.view;
    const focused = document.activeElement?.id;
    const select = (name: Tab) => this.go({ tab: name });
    const buttons = TABS.map((name) =>
      h("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === tab), "aria-controls": "panel", tabindex: name === tab ? "0" : "-1", onclick: () => select(name) }, word(TAB_WORDS[name])),
    );
    this.tabs.replaceChildren(...buttons);
    this.tabs.onkeydown = (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next = TABS[(TABS.indexOf(this.view.tab) + step + TABS.length) % TABS.length]!;
      document.getElementById(`tab-${next}`)?.focus();
      select(next);
    };
    if (focused?.startsWith("tab-")) document.getElementById(focused)?.focus();
    this.content.setAttribute("aria-labelledby", `tab-${tab}`);
    if (this.shownTab !== tab) {
      if (this.shownTab) this.panels[this.shownTab].hide?.();
      this.arrows([]);
      this.shownTab = tab;
      this.content.replaceChildren(this.panels[tab].element);
    }
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const by = { "[": -1, "]": 1, ArrowLeft: -1, ArrowRight: 1 }[event.key] as 1 | -1 | undefined;
    // On the board and among the tabs the arrow keys walk.
    const walks = event.key.startsWith("Arrow") && target.matches("[role=gridcell], [role=tab]");
    if (by !== undefined && !walks && this.step(by)) event.preventDefault();
  }

  private applySettings(): void {
    setLanguage(this.settings.language);
    document.documentElement.dataset.theme = this.settings.theme;
  }
}

/** Opens the files that the address names, in its order, and shows the first unless a position is named. */
async function openNamed(page: Page, open: (address: string) => Promise<About>): Promise<void> {
  const show = !namesPosition(location.search);
  const named = { ...page.view };
  for (const [i, address] of named.files.entries()) {
    await page.openBy(address, () => open(address));
    const [first] = page.about.files;
    if (!show) page.go(named);
    else if (i > 0 && first) page.showFile(first);
  }
}

/** The variants with one more, unless it is there. */
function withVariant(about: About, variant: AboutVariant): About {
  if (about.variants.some(({ name }) => name === variant.name)) return about;
  return { ...about, variants: [...about.variants, variant] };
}

/** What there is, with the variant whose text the address has. */
async function aboutAddress(): Promise<{ about: About; problem: string | undefined }> {
  const about = await askAbout();
  const named = new URLSearchParams(location.search).get("variant") ?? "";
  if (!isText(named)) return { about, problem: undefined };
  try {
    const described = await describe(named);
    // From now on it is called as the program writes it.
    history.replaceState(null, "", toQuery({ ...fromQuery(location.search, [named]), variant: described.name }) + location.hash);
    return { about: withVariant(about, described), problem: undefined };
  } catch (error) {
    return { about, problem: reason(error) };
  }
}

/** Shows the page, with its questions answered by this one. */
export async function start(answerer: Answerer): Promise<void> {
  connect(answerer);
  const { hash, search } = location;
  const settings = loadSettings();
  setLanguage(settings.language);
  document.documentElement.dataset.theme = settings.theme;
  document.body.append(h("p", { class: "note" }, `${word("loading")} …`));
  let page: Page;
  try {
    const { about, problem } = await aboutAddress();
    page = new Page(about, problem);
  } catch {
    document.body.replaceChildren(h("p", { class: "note bad" }, word("unavailable")));
    return;
  }
  const open = addressOpener();
  if (open) await openNamed(page, open);
  if (!holdsProof(hash)) return;
  const named = namesPosition(search) ? { ...page.view } : undefined;
  await page.openLinked(hash, named);
}
