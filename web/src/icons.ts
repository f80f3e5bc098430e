// The signs on buttons, as SVG: fonts do not all have them.

import { svg } from "./dom";

const PATHS = {
  first: "M6 5v14M19 5 9 12l10 7Z",
  back: "M17 5 7 12l10 7Z",
  forward: "M7 5l10 7-10 7Z",
  last: "M18 5v14M5 5l10 7-10 7Z",
  flip: "M8 20V5M4 9l4-4 4 4M16 4v15M12 15l4 4 4-4",
  share: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  menu: "M4 7h16M4 12h16M4 17h16",
  edit: "M4 20h4L19 9l-4-4L4 16ZM13 7l4 4",
  auto: "M12 4a8 8 0 1 0 0 16ZM12 4a8 8 0 0 1 0 16",
  light: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.4 1.4M17.6 17.6 19 19M5 19l1.4-1.4M17.6 6.4 19 5",
  dark: "M20 14.5A8.5 8.5 0 1 1 9.5 4a6.6 6.6 0 0 0 10.5 10.5Z",
};

/** The signs that are filled; all others are lines. */
const FILLED = ["first", "back", "forward", "last"];

export function icon(name: keyof typeof PATHS): SVGElement {
  const classes = FILLED.includes(name) ? "icon filled" : "icon";
  return svg("svg", { viewBox: "0 0 24 24", class: classes, "aria-hidden": "true", focusable: "false" }, svg("path", { d: PATHS[name] }));
}
