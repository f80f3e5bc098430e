// Whether the fonts of this machine have a character: where none has it, browsers draw a box, or nothing at all.

/** The fonts of pieces, as explore.css names them. */
const FONTS = '"Hiragino Mincho ProN", "Yu Mincho", "Noto Serif CJK JP", "Noto Serif JP", "Noto Sans CJK JP", serif';
/** Pixels of the square that a character is tried in. */
const SIZE = 32;
/** A character for private use, for which no font has a picture. */
const ABSENT = "\u{10FFFD}";

const known = new Map<string, boolean>();

/** The pixels of a character; none where the browser keeps them to itself. */
function pixels(character: string): string | undefined {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = SIZE;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return undefined;
  context.font = `${SIZE - 8}px ${FONTS}`;
  context.textBaseline = "middle";
  context.fillText(character, 4, SIZE / 2);
  return context.getImageData(0, 0, SIZE, SIZE).data.join();
}

/** Whether all characters of a text are drawn. */
export function isDrawn(text: string): boolean {
  return [...text].every((character) => {
    let drawn = known.get(character);
    if (drawn === undefined) {
      const found = pixels(character);
      drawn = found === undefined || (found !== pixels(ABSENT) && found !== pixels(" "));
      known.set(character, drawn);
    }
    return drawn;
  });
}
