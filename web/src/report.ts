// A report on a game: what it is like, on one page, which the program makes in English.

import { report, type ReportEvent, type SolveRequest } from "./api";
import { h, save } from "./dom";
import { button } from "./parts";
import { grouped, word } from "./words";

const THINGS = { games: "reportGames", samples: "reportSamples", nodes: "reportNodes", positions: "reportPositions" } as const;

/** How far a report is, in words. */
function progressText({ things, done = 0, all, waiting }: ReportEvent): string {
  if (waiting) return word("waiting");
  const counts = things && `: ${grouped(done)} / ${grouped(all ?? 0)} ${word(THINGS[things])}`;
  return `${word("reporting")}${counts ?? ""} …`;
}

/** The content of a page without its style, which this page has for it. */
function shown(page: string): HTMLElement {
  const { body } = new DOMParser().parseFromString(page.slice(page.indexOf("<body>")), "text/html");
  // What is wider than the screen is moved by keys, too.
  for (const pre of body.querySelectorAll("pre")) pre.tabIndex = 0;
  return h("div", { class: "report", lang: "en" }, ...body.children);
}

/** A button that reports on a game, which it asks for, and where the report is shown; `fail` is called with what is wrong. */
export function reporter(game: () => Promise<SolveRequest & { name: string }>, fail: (error: unknown) => void): { toggle: HTMLButtonElement; place: HTMLElement; stop(): void } {
  let running: AbortController | undefined;
  const place = h("div", { class: "reported" });
  const draw = (...content: HTMLElement[]): void => {
    toggle.textContent = word(running ? "stopReport" : "report");
    toggle.classList.toggle("stop", running !== undefined);
    place.replaceChildren(...content);
  };
  const stop = (): void => {
    running?.abort();
    running = undefined;
    draw();
  };
  const start = async (): Promise<void> => {
    const { signal } = (running = new AbortController());
    const progress = h("p", { class: "note quiet", role: "status", "aria-live": "off" }, progressText({}));
    draw(progress);
    try {
      const { name, ...request } = await game();
      let event: ReportEvent = {};
      const { page } = await report(request, signal, (news) => {
        event = { ...event, waiting: false, ...news };
        progress.textContent = progressText(event);
      });
      running = undefined;
      draw(h("div", { class: "buttons" }, button("saveReport", () => save(`${name}.html`, page))), shown(page));
    } catch (error) {
      if (signal.aborted) return;
      stop();
      fail(error);
    }
  };
  const toggle = button("report", () => (running ? stop() : void start()));
  return { toggle, place, stop };
}
