/** The little of Markdown that rules pages need, read into plain data. */

export type Inline =
  | { readonly kind: 'text' | 'strong' | 'emphasis' | 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly text: string; readonly href: string }
  | { readonly kind: 'ruling' }
  | { readonly kind: 'option'; readonly text: string };

export type Line = readonly Inline[];

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly line: Line }
  | { readonly kind: 'paragraph'; readonly line: Line }
  | { readonly kind: 'code'; readonly text: string }
  | {
      readonly kind: 'board';
      readonly view: string;
      readonly options: Readonly<Record<string, string>>;
      readonly caption: string;
    }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly Item[] }
  | { readonly kind: 'table'; readonly head: readonly Line[]; readonly rows: readonly (readonly Line[])[] }; // prettier-ignore

/** An item of a list; a clause has an id, such as O5. */
export interface Item {
  readonly clause: string | null;
  readonly blocks: readonly Block[];
}

const INLINE =
  /\*\((ruling|option)(?: `?([^`)*]*)`?)?\)\*|\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Reads a line of text. */
export function inline(text: string): Line {
  const parts: Inline[] = [];
  let at = 0;
  for (const found of text.matchAll(INLINE)) {
    if (found.index > at) parts.push({ kind: 'text', text: text.slice(at, found.index) });
    at = found.index + found[0].length;
    const [, mark, option, strong, emphasis, code, label, href] = found;
    if (mark === 'ruling') parts.push({ kind: 'ruling' });
    else if (mark === 'option') parts.push({ kind: 'option', text: option ?? '' });
    else if (strong !== undefined) parts.push({ kind: 'strong', text: strong });
    else if (emphasis !== undefined) parts.push({ kind: 'emphasis', text: emphasis });
    else if (code !== undefined) parts.push({ kind: 'code', text: code });
    else if (label !== undefined) parts.push({ kind: 'link', text: label, href: href ?? '' });
  }
  if (at < text.length) parts.push({ kind: 'text', text: text.slice(at) });
  return parts;
}

const ITEM = /^(-|\d+\.) +(.*)$/;
const CLAUSE = /^\*\*([A-Z]\d+[a-z]?)\*\* ?/;

/** Reads a page. */
export function parse(text: string): readonly Block[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  const blocks: Block[] = [];
  let at = 0;

  const take = (belongs: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && belongs(lines[at] ?? '')) at += 1;
    return lines.slice(from, at);
  };

  while (at < lines.length) {
    const line = lines[at] ?? '';
    const heading = /^(#{1,4}) +(.*)$/.exec(line);
    if (line.trim() === '') at += 1;
    else if (heading) {
      blocks.push({
        kind: 'heading',
        level: heading[1]?.length ?? 1,
        line: inline(heading[2] ?? ''),
      });
      at += 1;
    } else if (line.startsWith('```')) {
      at += 1;
      const body = take((one) => !one.startsWith('```'));
      at += 1;
      blocks.push(fenced(line.slice(3).trim(), body));
    } else if (line.startsWith('|')) blocks.push(table(take((one) => one.startsWith('|'))));
    else if (ITEM.test(line)) blocks.push(list(takeList()));
    else {
      const body = take((one) => one.trim() !== '' && !/^(#|```|\||- |\d+\. )/.test(one));
      blocks.push({ kind: 'paragraph', line: inline(body.map((one) => one.trim()).join(' ')) });
    }
  }
  return blocks;

  /** A list goes on over blank lines as long as what follows is indented or another item. */
  function takeList(): string[] {
    const body: string[] = [];
    while (at < lines.length) {
      const line = lines[at] ?? '';
      const next = lines.slice(at).find((one) => one.trim() !== '') ?? '';
      const goesOn = line.trim() === '' ? /^\s/.test(next) || ITEM.test(next) : true;
      const inside = ITEM.test(line) || /^\s/.test(line) || line.trim() === '';
      const lazy = !inside && body.at(-1)?.trim() !== '' && !/^(#|```|\|)/.test(line);
      if (!goesOn || !(inside || lazy)) break;
      body.push(line);
      at += 1;
    }
    return body;
  }
}

/** A heading of a page, for its table of contents. */
export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly text: string;
}

/** The words of a line, without their marks. */
function plain(line: Line): string {
  return line.map((part) => ('text' in part && part.kind !== 'option' ? part.text : '')).join('').trim(); // prettier-ignore
}

/** What the place of the block at an index is called in an address. */
export function anchor(index: number): string {
  return `part-${String(index)}`;
}

/** The headings of a page below its title. */
export function contents(blocks: readonly Block[]): readonly Heading[] {
  return blocks.flatMap((block, i) =>
    block.kind === 'heading' && (block.level === 2 || block.level === 3)
      ? [{ id: anchor(i), level: block.level, text: plain(block.line) }]
      : [],
  );
}

function fenced(info: string, body: readonly string[]): Block {
  const [language, ...words] = info.split(/\s+/);
  if (language !== 'board') return { kind: 'code', text: body.join('\n') };
  const [view = '', ...caption] = body;
  return {
    kind: 'board',
    view: view.trim(),
    options: diagramOptions(words),
    caption: caption.join(' ').trim(),
  };
}

/** Reads what stands behind the word `board`: `NAME=VALUE`, for views that need options. */
export function diagramOptions(words: readonly string[]): Record<string, string> {
  const pairs = words.filter((word) => word.includes('=')).map((word) => word.split('='));
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]));
}

function cells(row: string): Line[] {
  return row.replace(/^\||\|\s*$/g, '').split('|').map((cell) => inline(cell.trim())); // prettier-ignore
}

function table(rows: readonly string[]): Block {
  const [head = '', , ...body] = rows;
  return { kind: 'table', head: cells(head), rows: body.map(cells) };
}

function list(lines: readonly string[]): Block {
  const items: string[][] = [];
  for (const line of lines) {
    const start = ITEM.exec(line);
    if (start) items.push([start[2] ?? '']);
    else items.at(-1)?.push(line);
  }
  return { kind: 'list', ordered: /^\d/.test(lines[0] ?? ''), items: items.map(item) };
}

function item(lines: readonly string[]): Item {
  const [first = '', ...rest] = lines;
  const indent = Math.min(
    ...rest.filter((line) => line.trim() !== '').map((line) => line.search(/\S/)),
    4,
  );
  const clause = CLAUSE.exec(first)?.[1] ?? null;
  const text = [first.replace(CLAUSE, ''), ...rest.map((line) => line.slice(indent))].join('\n');
  return { clause, blocks: parse(text) };
}
