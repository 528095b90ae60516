/** The rules pages: every clause of the rule book in every language, and diagrams that can be drawn. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { diagramOptions } from '../learn/markdown';
import { LANGUAGES } from '../words/catalogue';
import type { Model } from './contract';

const games = fileURLToPath(new URL('../games', import.meta.url));
const books = fileURLToPath(new URL('../../../src/visavis/rules', import.meta.url));
const models = import.meta.glob<Model<unknown>>('../games/*/model.ts', { import: 'model' });
const written = readdirSync(games).filter((game) => existsSync(`${games}/${game}/rules`));

function clauses(text: string): string[] {
  return [...text.matchAll(/^- \*\*([A-Z]\d+[a-z]?)\*\*/gm)].map((found) => found[1] ?? '');
}

function rulings(text: string): number {
  return text.split('*(ruling)*').length;
}

function diagrams(text: string): { view: string; options: Record<string, string> }[] {
  return [...text.matchAll(/^ *```board(.*)\n *(.*)\n/gm)].map(([, info = '', view = '']) => ({
    view,
    options: diagramOptions(info.split(/\s+/)),
  }));
}

describe.each(written)('%s', (game) => {
  const book = readFileSync(`${books}/${game}/rules.md`, 'utf8');

  it.each(LANGUAGES)('has all clauses and rulings in %s', (language) => {
    const page = readFileSync(`${games}/${game}/rules/${language}.md`, 'utf8');
    expect(clauses(page)).toEqual(clauses(book));
    expect(rulings(page)).toBe(rulings(book));
  });

  it.each(LANGUAGES)('has diagrams that can be drawn in %s', async (language) => {
    const model = await models[`../games/${game}/model.ts`]?.();
    const page = readFileSync(`${games}/${game}/rules/${language}.md`, 'utf8');
    for (const { view, options } of diagrams(page)) {
      const nothing = { legal: [], suggestions: {}, last: [] };
      expect(model?.read({ view, options, viewer: 'spectator', ...nothing }), view).toBeDefined();
    }
  });
});
