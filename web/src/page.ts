// The page: the board, the game, the settings and the tabs.

import { about as askAbout, connect, files, type About, type Answerer, type Diagram, type Moves } from "./api";
import { askHere, Latest, reason, variantOf, type App, type Panel } from "./app";
import { Board } from "./board";
import { h } from "./dom";
import { icon } from "./icons";
import { inKanji } from "./notation";
import { fromQuery, loadSettings, saveSettings, TABS, toQuery, type Settings, type Tab, type View } from "./state";
import { CountPanel } from "./tabs/count";
import { MovesPanel } from "./tabs/moves";
import { ProofPanel } from "./tabs/proof";
import { ReachPanel } from "./tabs/reach";
import { RecordPanel } from "./tabs/record";
import { setLanguage, variantTitle, word, type Word } from "./words";

const TAB_WORDS: Record<Tab, Word> = {
  moves: "tabMoves", proof: "tabProof", reach: "tabReach", count: "tabCount", record: "tabRecord",
};
const THEMES: Settings["theme"][] = ["auto", "light", "dark"];

class Page implements App {
  view: View;
  diagram: Diagram | undefined;
  legal: Moves | undefined;
  illegal: string | undefined;
  readonly settings = loadSettings();
  private readonly latest = new Latest();
  private readonly board = new Board((usi) => this.play(usi));
  private readonly panels: Record<Tab, Panel>;
  private hinted: string | undefined;
  private shownTab: Tab | undefined;

  private readonly header = h("header");
  private readonly status = h("p", { class: "status", role: "status", "aria-live": "polite" });
  private readonly steps = h("nav", { class: "steps" });
  private readonly game = h("ol", { class: "game-moves" });
  private readonly sfen = h("input", { type: "text", spellcheck: "false", autocomplete: "off", id: "sfen" });
  private readonly problem = h("p", { class: "note bad", role: "alert" });
  private readonly tabs = h("div", { class: "tabs", role: "tablist" });
  private readonly content = h("div", { class: "content", role: "tabpanel", id: "panel", tabindex: "-1" });
  private readonly sfenForm = h("form", { class: "joined sfen-form" });
  private readonly keys = h("p", { class: "quiet keys" });

  constructor(public about: About) {
    this.view = fromQuery(location.search, about.variants.map(({ name }) => name));
    this.panels = {
      moves: new MovesPanel(this),
      proof: new ProofPanel(this),
      reach: new ReachPanel(this),
      count: new CountPanel(this),
      record: new RecordPanel(this),
    };
    const main = h(
      "main",
      {},
      h("section", { class: "left" }, this.board.element, this.status, this.steps, this.game, this.sfenForm, this.problem, this.keys),
      h("section", { class: "right" }, this.tabs, this.content),
    );
    document.body.replaceChildren(this.header, main);
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("popstate", () => {
      this.view = fromQuery(location.search, about.variants.map(({ name }) => name));
      this.load();
    });
    this.sfenForm.addEventListener("submit", (event) => {
      event.preventDefault();
      const typed = this.sfen.value.trim();
      this.go({ start: typed === "" ? "startpos" : typed, moves: [], ply: 0 });
    });
    this.applySettings();
    this.load();
  }

  go(change: Partial<View>): void {
    const variantChanges = change.variant !== undefined && change.variant !== this.view.variant;
    this.view = { ...this.view, ...change };
    const address = toQuery(this.view);
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
    this.go({ moves: kept, ply: ply + 1 });
  }

  opened(about: About): void {
    this.about = about;
    this.panels.moves.reopened?.();
    this.draw();
  }

  async openFile(name: string, content: () => Promise<ArrayBuffer>): Promise<void> {
    try {
      const about = await files()?.open(name, await content());
      if (about) this.opened(about);
    } catch (error) {
      this.problem.textContent = `${name}: ${reason(error)}`;
    }
  }

  hint(usi: string | undefined): void {
    if (this.hinted === usi) return;
    this.hinted = usi;
    this.drawBoard();
  }

  /** Asks for the position looked at, and shows everything about it. */
  private load(): void {
    this.hinted = undefined;
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
        const gone = error instanceof TypeError;
        this.problem.textContent = gone ? word("unavailable") : reason(error);
        this.sfen.value = this.view.start;
        if (!this.diagram && this.view.start !== "startpos") this.go({ start: "startpos", moves: [], ply: 0 });
        return;
      }
      const { moves, error } = await legal;
      if (signal.aborted) return;
      this.board.busy = false;
      this.problem.textContent = "";
      this.diagram = inKanji(diagram, variantOf(this).pieces);
      [this.legal, this.illegal] = [moves, error];
      this.draw();
    });
  }

  private draw(): void {
    this.drawHeader();
    this.drawBoard();
    this.drawStatus();
    this.drawSteps();
    this.drawTabs();
    this.panels[this.view.tab].show();
  }

  private drawBoard(): void {
    const { diagram, legal, view, settings } = this;
    if (!diagram) return;
    this.board.show({
      diagram,
      legal: legal?.moves ?? [],
      last: view.ply > 0 ? view.moves[view.ply - 1] : undefined,
      hint: this.hinted,
      pieces: variantOf(this).pieces,
      kanji: settings.kanji,
      flipped: settings.flipped,
    });
  }

  private drawHeader(): void {
    const { settings, about } = this;
    const { name, title } = variantOf(this);
    document.title = `${variantTitle(name, title)} – ${word("title")}`;
    const focused = document.activeElement?.id;
    const variants = about.variants.map(({ name, title }) => h("option", { value: name, selected: name === this.view.variant }, variantTitle(name, title)));
    const variant = h("select", { id: "variant", "aria-label": word("variant") }, ...variants);
    variant.addEventListener("change", () => this.go({ variant: variant.value, start: "startpos", moves: [], ply: 0 }));
    const set = (change: Partial<Settings>) => {
      Object.assign(settings, change);
      saveSettings(settings);
      this.applySettings();
      this.draw();
    };
    const theme = THEMES[(THEMES.indexOf(settings.theme) + 1) % THEMES.length]!;
    const tool = (id: string, label: string, sign: Node | string, onclick: () => void, pressed?: boolean) =>
      h("button", { type: "button", id, class: "tool", "aria-label": label, title: label, "aria-pressed": pressed === undefined ? undefined : String(pressed), onclick }, sign);
    const share = tool("share", word("share"), icon("share"), () => void this.share());
    this.header.replaceChildren(
      h("h1", {}, h("span", { class: "mark", "aria-hidden": "true" }, "☗"), word("title")),
      variant,
      h(
        "div",
        { class: "tools" },
        tool("pieces", `${word("pieces")}: ${word(settings.kanji ? "letters" : "kanji")}`, settings.kanji ? "歩" : "P", () => set({ kanji: !settings.kanji })),
        tool("flip", word("flip"), icon("flip"), () => set({ flipped: !settings.flipped }), settings.flipped),
        share,
        tool("theme", `${word("theme")}: ${settings.theme}`, icon(settings.theme), () => set({ theme })),
        h("button", { type: "button", id: "language", class: "tool text", lang: settings.language === "en" ? "ja" : "en", onclick: () => set({ language: settings.language === "en" ? "ja" : "en" }) }, word("language")),
      ),
    );
    if (focused) document.getElementById(focused)?.focus();
  }

  private async share(): Promise<void> {
    const button = document.getElementById("share");
    try {
      await navigator.clipboard.writeText(location.href);
      button?.classList.add("done");
      this.status.textContent = word("copied");
      setTimeout(() => {
        button?.classList.remove("done");
        this.drawStatus();
      }, 1500);
    } catch {
      // Without a clipboard the address bar has the same.
    }
  }

  private drawStatus(): void {
    const { diagram, legal, view } = this;
    if (!diagram) return;
    const last = view.ply > 0 ? `${view.ply}. ${view.moves[view.ply - 1]} · ` : "";
    const other = diagram.side === "sente" ? "gote" : "sente";
    let text = word(diagram.side) + word("toMove");
    if (legal?.end === "draw") text = word("drawn");
    else if (legal?.end) text = word(legal.end === "win" ? diagram.side : other) + word("wins");
    else if (legal?.check) text += `, ${word("inCheck")}`;
    else if (this.illegal !== undefined) text = word("illegal");
    this.status.textContent = last + text;
    this.sfen.value = diagram.sfen;
    this.sfen.setAttribute("aria-label", word("position"));
    this.sfenForm.replaceChildren(this.sfen, h("button", { type: "submit" }, word("load")));
    this.keys.textContent = word("keys");
  }

  private drawSteps(): void {
    const { moves, ply } = this.view;
    const step = (name: "first" | "back" | "forward" | "last", to: number) =>
      h("button", { type: "button", "aria-label": word(name), title: word(name), id: name, disabled: to === ply || to < 0 || to > moves.length, onclick: () => this.go({ ply: to }) }, icon(name));
    const restart = h("button", { type: "button", class: "restart", onclick: () => this.go({ start: "startpos", moves: [], ply: 0 }) }, word("restart"));
    const focused = document.activeElement?.id;
    this.steps.replaceChildren(step("first", 0), step("back", ply - 1), step("forward", ply + 1), step("last", moves.length), restart);
    if (focused) this.steps.querySelector<HTMLElement>(`#${CSS.escape(focused)}`)?.focus();
    const item = (usi: string, i: number) =>
      h("li", {}, h("button", { type: "button", "aria-current": i + 1 === ply ? "step" : undefined, onclick: () => this.go({ ply: i + 1 }) }, `${i + 1}. ${usi}`));
    this.game.replaceChildren(...moves.map(item));
    this.game.hidden = moves.length === 0;
    const current = this.game.querySelector<HTMLElement>("[aria-current]");
    // Only the list is scrolled, never the page.
    if (current) this.game.scrollTop = current.offsetTop - this.game.clientHeight / 2;
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
      this.shownTab = tab;
      this.content.replaceChildren(this.panels[tab].element);
    }
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (target.matches("input, textarea, select") || event.ctrlKey || event.metaKey || event.altKey) return;
    const { ply, moves } = this.view;
    if (event.key === "[" && ply > 0) this.go({ ply: ply - 1 });
    else if (event.key === "]" && ply < moves.length) this.go({ ply: ply + 1 });
    else return;
    event.preventDefault();
  }

  private applySettings(): void {
    setLanguage(this.settings.language);
    document.documentElement.dataset.theme = this.settings.theme;
  }
}

/** The content of a file on the web. */
async function fetched(address: string): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return response.arrayBuffer();
}

/** Shows the page, with its questions answered by this one. */
export async function start(answerer: Answerer): Promise<void> {
  connect(answerer);
  const settings = loadSettings();
  setLanguage(settings.language);
  document.documentElement.dataset.theme = settings.theme;
  document.body.append(h("p", { class: "note" }, `${word("loading")} …`));
  let page: Page;
  try {
    page = new Page(await askAbout());
  } catch {
    document.body.replaceChildren(h("p", { class: "note bad" }, word("unavailable")));
    return;
  }
  // What the address names is opened in its order.
  if (files()) for (const address of page.view.files) await page.openFile(address, () => fetched(address));
}
