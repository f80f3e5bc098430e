// The pieces as SVG: a wedge that points at the opponent, with kanji or letters on it.

import type { Face, Side } from "./api";
import { svg } from "./dom";
import { isDrawn } from "./glyphs";
import { hasKanji } from "./words";

/** Sente's outline in a square of 100 by 100. */
const OUTLINE = "M50 7 L76 18.5 L88 93 L12 93 L24 18.5 Z";

/** Whether a face is drawn in red: a promoted one. */
const PROMOTED = /^\+|と|杏|圭|全|馬|龍|鶏/;

/** A picture of a piece, in letters where no font here has its kanji; it is decoration, so what it stands on has the name. */
export function pieceSvg({ letters, kanji }: Face, colour: Side, upsideDown: boolean, inKanji: boolean): SVGElement {
  const asKanji = inKanji && isDrawn(kanji);
  const text = asKanji && hasKanji(kanji) ? kanji : letters;
  const promoted = PROMOTED.test(letters) || PROMOTED.test(kanji);
  const classes = ["piece", colour, promoted ? "promoted" : "", asKanji ? "in-kanji" : "in-letters"];
  return svg(
    "svg",
    { viewBox: "0 0 100 100", class: classes.join(" ").trim(), "aria-hidden": "true", focusable: "false" },
    svg(
      "g",
      upsideDown ? { transform: "rotate(180 50 50)" } : {},
      svg("path", { d: OUTLINE, class: "shade", transform: upsideDown ? "translate(-1.5 -2.5)" : "translate(1.5 2.5)" }),
      svg("path", { d: OUTLINE, class: "wood" }),
      svg("text", { x: 50, y: asKanji ? 75 : 74, "text-anchor": "middle", class: text.length > 1 ? "long" : "" }, text),
    ),
  );
}
