// Arrows over the board for moves: from square to square, a ring where a piece is dropped.

import { svg } from "./dom";
import { parseMove, type Square } from "./notation";

/** Half the width of an arrow's head, in hundredths of a square. */
const HEAD = 17;

interface Board {
  width: number;
  height: number;
  flipped: boolean;
  /** The best first. */
  moves: string[];
}

/** Arrows for moves, as a picture that lies over the squares; a screen reader hears of moves elsewhere. */
export function drawArrows({ width, height, flipped, moves }: Board): SVGElement {
  const centre = ({ file, rank }: Square): [number, number] => {
    const [column, row] = [width - file, rank - 1];
    return flipped ? [100 * (width - 1 - column) + 50, 100 * (height - 1 - row) + 50] : [100 * column + 50, 100 * row + 50];
  };
  // The best lies over the others.
  const shapes = moves.map((usi, i) => drawMove(usi, i, centre)).reverse();
  return svg("svg", { class: "arrows", viewBox: `0 0 ${100 * width} ${100 * height}`, "aria-hidden": "true", focusable: "false" }, ...shapes);
}

function drawMove(usi: string, place: number, centre: (square: Square) => [number, number]): SVGElement {
  const { from, to } = parseMove(usi);
  const [x, y] = centre(to);
  const attributes = { class: `arrow rank-${Math.min(place, 3)}`, "data-arrow": usi };
  if (!from) return svg("g", attributes, svg("circle", { cx: x, cy: y, r: 40, class: "ring" }));
  const [fromX, fromY] = centre(from);
  const length = Math.hypot(x - fromX, y - fromY);
  const [alongX, alongY] = [(x - fromX) / length, (y - fromY) / length];
  // The head ends in the middle of the square, the shaft where the head begins.
  const [neckX, neckY] = [x - alongX * 2 * HEAD, y - alongY * 2 * HEAD];
  const head = [[x, y], [neckX - alongY * HEAD, neckY + alongX * HEAD], [neckX + alongY * HEAD, neckY - alongX * HEAD]];
  return svg(
    "g",
    attributes,
    svg("line", { x1: fromX + alongX * 20, y1: fromY + alongY * 20, x2: neckX, y2: neckY }),
    svg("polygon", { points: head.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ") }),
  );
}
