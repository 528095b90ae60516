import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { fill, LANGUAGES, prefer, type Catalogue } from './catalogue';

const source = fileURLToPath(new URL('..', import.meta.url));
const games = readdirSync(`${source}/games`).filter((name) => !name.includes('.'));
const folders = ['i18n', ...games.map((game) => `games/${game}/strings`)];

function read(folder: string, language: string): Catalogue {
  return JSON.parse(readFileSync(`${source}/${folder}/${language}.json`, 'utf8')) as Catalogue;
}

/** The names in braces, which must be the same in every language. */
function slots(texts: readonly string[]): string[] {
  const found = texts.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map((m) => m[1] ?? ''));
  return [...new Set(found)].sort();
}

describe.each(folders)('%s', (folder) => {
  const english = read(folder, 'en');

  it.each(LANGUAGES)('has every string in %s, and no other', (language) => {
    const catalogue = read(folder, language);
    expect(Object.keys(catalogue)).toEqual(Object.keys(english));
    const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
    for (const [key, entry] of Object.entries(catalogue)) {
      const texts = typeof entry === 'string' ? [entry] : Object.values(entry);
      if (typeof entry !== 'string') {
        expect(Object.keys(entry).sort(), key).toEqual([...plurals].sort());
      }
      expect(
        texts.every((text) => text.trim() === text && text !== ''),
        key,
      ).toBe(true);
      const original = english[key] ?? '';
      const models = typeof original === 'string' ? [original] : Object.values(original);
      expect(slots(texts), key).toEqual(slots(models));
    }
  });
});

it('fills in values and plurals', () => {
  expect(fill('{who} plays {n}', { who: 'Ada', n: 1200 }, 'en')).toBe('Ada plays 1,200');
  const turns = { one: '{n} ход', few: '{n} хода', many: '{n} ходов', other: '{n} хода' };
  expect([1, 3, 11].map((n) => fill(turns, { n }, 'ru'))).toEqual(['1 ход', '3 хода', '11 ходов']);
});

it('speaks the first language it knows', () => {
  expect(prefer(['fr-FR', 'uk-UA', 'en'])).toBe('uk');
  expect(prefer(['fr'])).toBe('en');
});
