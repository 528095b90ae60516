/** Writing that must fit: SVG does not wrap words, and languages differ in length. */

/** About how wide a text is, in sizes of its font. */
function width(text: string): number {
  return [...text].reduce(
    (sum, letter) => sum + (letter > '⺀' ? 1 : letter > '\u0370' ? 0.66 : 0.6),
    0,
  );
}

/** The size of the font that makes lines fit into a space, the same for all. */
export function fit(lines: string | readonly string[], space: number, largest: number): number {
  const widest = Math.max(1, ...[lines].flat().map(width));
  return Math.min(largest, space / widest);
}
