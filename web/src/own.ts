// Games of one's own: the text that describes one is pasted, opened from a file or changed here.

import { ask, type AboutVariant } from "./api";
import { reason, type App } from "./app";
import { h } from "./dom";
import { field } from "./parts";
import { reporter } from "./report";
import { word } from "./words";

/** A variant that requests call by its text, as the program describes it. */
export interface Described extends AboutVariant {
  /** It as a text, if one can say it. */
  text: string | null;
}

/** What the program knows of a variant: of its name, or of a text of several lines. */
export function describe(variant: string): Promise<Described> {
  return ask<Described>("variant", { variant });
}

/** Whether requests call a variant by its text, and not by a name. */
export const isText = (variant: string): boolean => variant.includes("\n");

/** Shows the text of the variant looked at, to be changed or replaced; the page shows what it describes. */
export async function editVariant(app: App): Promise<void> {
  const { text } = await describe(app.view.variant);
  const area = h("textarea", { rows: "18", cols: "72", spellcheck: "false", id: "own-text" });
  // A text that no game has is not shown as one.
  area.value = text ?? "";
  const problems = h("ul", { class: "note bad problems", role: "alert", hidden: true });
  const fail = (error: unknown): void => {
    problems.hidden = false;
    problems.replaceChildren(...reason(error).split("\n").map((line) => h("li", {}, line)));
  };
  // A text of one line would be the name of a variant.
  const written = (): string => `${area.value}\n`;
  const use = async (): Promise<void> => {
    try {
      await app.openVariant(written());
      dialog.close();
    } catch (error) {
      fail(error);
    }
  };
  // The text of a game that is built in is not called by it: the player's networks are for the game of the name.
  const report = reporter(async () => {
    problems.hidden = true;
    const { variant, start } = app.view;
    const isChanged = area.value !== (text ?? "");
    const game = isChanged ? (await describe(written())).name : variant;
    const name = /^name = "([\w-]+)"/m.exec(game)?.[1] ?? game;
    return { name, variant: game, in: isChanged ? "startpos" : start };
  }, fail);
  const input = h("input", { type: "file", accept: ".toml", hidden: true, "aria-label": word("openFile") });
  input.addEventListener("change", async () => {
    const [chosen] = input.files ?? [];
    if (chosen) area.value = await chosen.text();
  });
  const buttons = h(
    "div",
    { class: "buttons" },
    h("button", { type: "button", class: "primary", id: "own-use", onclick: () => void use() }, word("ownUse")),
    report.toggle,
    h("button", { type: "button", onclick: () => input.click() }, word("openFile")),
    input,
    h("button", { type: "button", onclick: () => dialog.close() }, word("cancel")),
  );
  const dialog = h("dialog", { class: "own", "aria-labelledby": "own-title" }, h("h2", { id: "own-title" }, word("own")), field("ownText", area), problems, buttons, report.place);
  dialog.addEventListener("close", () => {
    report.stop();
    dialog.remove();
    document.getElementById("own")?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
