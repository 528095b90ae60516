import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { contents, inline, parse, type Block } from './markdown';

it('reads lines', () => {
  expect(inline('a **b** *c* `d` [e](f)')).toEqual([
    { kind: 'text', text: 'a ' },
    { kind: 'strong', text: 'b' },
    { kind: 'text', text: ' ' },
    { kind: 'emphasis', text: 'c' },
    { kind: 'text', text: ' ' },
    { kind: 'code', text: 'd' },
    { kind: 'text', text: ' ' },
    { kind: 'link', text: 'e', href: 'f' },
  ]);
  expect(inline('*(ruling)* *(option `x`)*')).toEqual([
    { kind: 'ruling' },
    { kind: 'text', text: ' ' },
    { kind: 'option', text: 'x' },
  ]);
});

it('reads clauses with what is inside them', () => {
  const [list] = parse(
    '- **O1** One\n  goes on:\n\n  ```board field=ring\n  abc\n  Caption\n  ```\n\n- **O2** *(ruling)* Two\n',
  );
  expect(list).toEqual({
    kind: 'list',
    ordered: false,
    items: [
      {
        clause: 'O1',
        blocks: [
          { kind: 'paragraph', line: [{ kind: 'text', text: 'One goes on:' }] },
          { kind: 'board', view: 'abc', options: { field: 'ring' }, caption: 'Caption' },
        ],
      },
      {
        clause: 'O2',
        blocks: [{ kind: 'paragraph', line: [{ kind: 'ruling' }, { kind: 'text', text: ' Two' }] }],
      },
    ],
  });
});

it('reads tables, code and headings', () => {
  const text = '# A\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n```\n x\n```\n\nend';
  expect(parse(text).map(({ kind }) => kind)).toEqual(['heading', 'table', 'code', 'paragraph']);
});

describe('the rule books', () => {
  const rules = new URL('../../../src/visavis/rules/', import.meta.url);
  const books = readdirSync(rules, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('_'))
    .map(({ name }) => name);

  it.each(books)('of %s has all its clauses', (book) => {
    const text = readFileSync(new URL(`${book}/rules.md`, rules), 'utf8');
    const clauses = (blocks: readonly Block[]): string[] =>
      blocks.flatMap((block) =>
        block.kind === 'list'
          ? block.items.flatMap((one) => [
              ...(one.clause ? [one.clause] : []),
              ...clauses(one.blocks),
            ])
          : [],
      );
    const found = clauses(parse(text));
    const written = [...text.matchAll(/^- \*\*([A-Z]\d+)\*\*/gm)].map((match) => match[1]);
    expect(found).toEqual(written);
    expect(found.length).toBeGreaterThan(5);
  });
});

it('knows what a page holds', () => {
  const page = parse('# Title\n\nText\n\n## One *(ruling)*\n\n### In `it`\n\n## Two\n');
  expect(contents(page)).toEqual([
    { id: 'part-2', level: 2, text: 'One' },
    { id: 'part-3', level: 3, text: 'In it' },
    { id: 'part-4', level: 2, text: 'Two' },
  ]);
});
