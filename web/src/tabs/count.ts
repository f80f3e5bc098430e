// The number of the position among all placements, the position with a number, a random reachable one.

import { ask, type OrderOf, type RankOf } from "../api";
import { Latest, reason, variantOf, type App, type Panel } from "../app";
import { h } from "../dom";
import { positionText } from "../state";
import { button, choice, field, note } from "../parts";
import { grouped, word } from "../words";

export class CountPanel implements Panel {
  readonly element = h("div", { class: "panel" });
  private readonly latest = new Latest();
  /** The orders of each variant, as they were requested. */
  private readonly orders = new Map<string, OrderOf[]>();
  private order = "native";
  private typed = "";

  constructor(private readonly app: App) {}

  show(): void {
    const { app } = this;
    const { variant } = app.view;
    this.latest.run(async (signal) => {
      let orders = this.orders.get(variant);
      if (!orders) {
        orders = (await ask<{ orders: OrderOf[] }>("orders", { variant }, signal)).orders;
        this.orders.set(variant, orders);
      }
      const order = orders.find((one) => one.order === this.order) ?? orders[0];
      if (!order) return this.element.replaceChildren(note(word("noOrder")));
      let shown: HTMLElement;
      try {
        const request = { variant, in: positionText(app.view), order: order.order };
        const { rank, exchanged, mirrored } = await ask<RankOf>("rank", request, signal);
        const copy = h("button", { type: "button", onclick: () => void navigator.clipboard?.writeText(rank) }, word("copy"));
        shown = h("p", { class: "summary" }, h("output", { class: "rank", "data-rank": rank }, grouped(rank)), copy);
        const other = exchanged && mirrored ? "rankBoth" : exchanged ? "rankExchanged" : mirrored ? "rankMirrored" : undefined;
        if (other) shown.append(h("span", { class: "quiet", "data-image": other }, word(other)));
      } catch (error) {
        if (signal.aborted) return;
        shown = note(reason(error), "bad");
      }
      this.draw(shown, orders, order);
    });
  }

  private draw(rank: HTMLElement, all: OrderOf[], { order, positions }: OrderOf): void {
    const { app } = this;
    const orders = choice(all.map((one) => one.order), order, (chosen) => {
      this.order = chosen;
      this.show();
    });
    const size = h("p", { class: "quiet size" }, `${word("of")} ${grouped(positions)}`);
    const number = h("input", { type: "text", inputmode: "numeric", autocomplete: "off", "aria-label": word("number"), value: this.typed });
    const problem = h("p", { class: "note bad", role: "alert" });
    const form = h("form", { class: "joined" }, number, h("button", { type: "submit" }, word("load")));
    const look = async (question: string, request: object): Promise<void> => {
      try {
        const { sfen } = await ask<{ sfen: string }>(question, { variant: app.view.variant, ...request });
        app.go({ start: sfen, moves: [], ply: 0 });
      } catch (error) {
        problem.textContent = reason(error);
      }
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.typed = number.value;
      void look("unrank", { in: number.value.replace(/[\s,_]/g, ""), order });
    });
    this.element.replaceChildren(field("order", orders), h("h2", {}, word("rank")), rank, size, h("h2", {}, word("unrank")), form, problem);
    if (variantOf(app).reach) {
      const draw = () => void look("draw", { seed: crypto.getRandomValues(new Uint32Array(1))[0] });
      this.element.append(h("div", { class: "buttons" }, button("draw1", draw, "primary")), note(word("drawText")));
    }
  }
}
