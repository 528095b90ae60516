/** Writing that must fit: SVG does not wrap words, and languages differ in length. */

/** About how wide a text is, in sizes of its font; rather too wide than too narrow. */
function width(text: string): number {
  return [...text].reduce((sum, letter) => sum + widthOf(letter), 0);
}

function widthOf(letter: string): number {
  if (letter >= '⺀') return 1;
  return letter >= 'Ͱ' ? 0.66 : 0.6;
}

/** The size of the font that makes lines fit into a space, the same for all. */
export function fit(lines: string | readonly string[], space: number, largest: number): number {
  const widest = Math.max(1, ...[lines].flat().map(width));
  return Math.min(largest, space / widest);
}

/** Breaks a text into lines that are at most so many sizes of the font wide, where it can. */
export function wrap(text: string, space: number): readonly string[] {
  const lines: string[] = [];
  // Words with the space behind them; between wide letters any place will do.
  for (const word of text.match(/[⺀-\uffff][、。」]?|[^\s⺀-\uffff]+\s*/gu) ?? []) {
    const line = lines.at(-1);
    if (line === undefined || width(line + word.trimEnd()) > space) lines.push(word);
    else lines[lines.length - 1] = line + word;
  }
  return lines.map((line) => line.trimEnd());
}
