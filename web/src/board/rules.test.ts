/** The rules pages: every clause of the rule book in every language, and diagrams that can be drawn. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { parse, type Block } from '../learn/markdown';
import { LANGUAGES } from '../i18n/catalogue';
import type { Model } from './contract';
import { loadRules } from './registry';

const games = fileURLToPath(new URL('../games', import.meta.url));
const books = fileURLToPath(new URL('../../../src/visavis/rules', import.meta.url));
const models = import.meta.glob<Model<unknown>>('../games/*/model.ts', { import: 'model' });
const written = readdirSync(games).filter((game) => existsSync(`${games}/${game}/rules`));

type Diagram = Extract<Block, { kind: 'board' }>;

/** The ids of the clauses, each with its number of rulings. */
function clauses(blocks: readonly Block[]): [string, number][] {
  return blocks.flatMap((block) =>
    block.kind !== 'list'
      ? []
      : block.items.flatMap(({ clause, blocks }): [string, number][] =>
          clause === null ? [] : [[clause, rulings(blocks)]],
        ),
  );
}

function rulings(blocks: readonly Block[]): number {
  return blocks
    .flatMap((block) => (block.kind === 'paragraph' ? block.line : []))
    .filter(({ kind }) => kind === 'ruling').length;
}

function diagrams(blocks: readonly Block[]): Diagram[] {
  return blocks.flatMap((block) => {
    if (block.kind === 'list') return block.items.flatMap(({ blocks }) => diagrams(blocks));
    return block.kind === 'board' ? [block] : [];
  });
}

describe.each(written)('%s', (game) => {
  const book = parse(readFileSync(`${books}/${game}/rules.md`, 'utf8'));
  const load = async (language: string): Promise<readonly Block[]> =>
    parse((await loadRules(game, language)) ?? '');

  it('has one text in English', () => {
    expect(existsSync(`${games}/${game}/rules/en.md`)).toBe(false);
  });

  it.each(LANGUAGES)('has all clauses and rulings in %s', async (language) => {
    const page = await load(language);
    expect(clauses(page)).toEqual(clauses(book));
    expect(clauses(page).length).toBeGreaterThan(5);
  });

  it.each(LANGUAGES)('has the same diagrams in %s, which can be drawn', async (language) => {
    const model = await models[`../games/${game}/model.ts`]?.();
    const page = diagrams(await load(language));
    const drawn = ({ view, options }: Diagram): unknown => ({ view, options });
    expect(page.map(drawn)).toEqual(diagrams(book).map(drawn));
    for (const { view, options, caption } of page) {
      expect(caption).not.toBe('');
      const nothing = { legal: [], suggestions: {}, last: [] };
      expect(model?.read({ view, options, viewer: 'spectator', ...nothing }), view).toBeDefined();
    }
  });
});
