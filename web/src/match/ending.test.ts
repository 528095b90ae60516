/** Results in words: every reason of every game, won and drawn, in every language. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

import type { Say, Seat } from '../board/contract';
import type { Ending } from '../net/types';
import { fill, LANGUAGES, type Catalogue } from '../i18n/catalogue';
import { words } from '../i18n/words.svelte';
import { headlineOf, reasonOf, scoreOf } from './ending';

const source = fileURLToPath(new URL('..', import.meta.url));
const vectors = fileURLToPath(new URL('../../../vectors/reasons.json', import.meta.url));

type Way = 'won' | 'drawn';
const games = JSON.parse(readFileSync(vectors, 'utf8')) as Record<string, Record<string, Way[]>>;
/** What any match may end by. */
const COMMON: Readonly<Record<string, readonly Way[]>> = {
  resigned: ['won'],
  agreed: ['drawn'],
  timeout: ['won', 'drawn'],
};
/** What tells of a winner, in four languages. */
const DECIDED = /more|decide|больше|решают|більше|вирішують|多|決着/i;

function speaker(game: string, language: string): Say {
  const text = readFileSync(`${source}/games/${game}/strings/${language}.json`, 'utf8');
  const catalogue = JSON.parse(text) as Catalogue;
  return (key, values = {}) => fill(catalogue[key] ?? key, values, language);
}

function ended(reason: string, way: Way, scores: [number, number] | null = null): Ending {
  const winner = way === 'won' ? 'second' : null;
  return { result: way === 'won' ? '0-1' : '1/2-1/2', winner, reason, scores };
}

const names: Readonly<Record<Seat, string>> = { first: 'you', second: 'Computer' };
const nameOf = (seat: Seat): string => names[seat];

beforeAll(() => vi.stubGlobal('document', { documentElement: {} }));
afterAll(() => words.speak('en').then(() => vi.unstubAllGlobals()));

describe.each(LANGUAGES)('in %s', (language) => {
  beforeAll(() => words.speak(language));

  it.each(Object.keys(games))('%s has words for every end, and none for the other', (game) => {
    const say = speaker(game, language);
    for (const [reason, ways] of Object.entries({ ...COMMON, ...games[game] })) {
      const said = ways.map((way) => reasonOf(ended(reason, way), say));
      for (const text of said) {
        expect(text, reason).not.toBe(reason);
        expect(text, reason).not.toMatch(/^reason|^$/);
      }
      expect(new Set(said).size, reason).toBe(ways.length);
      if (ways.includes('drawn')) {
        expect(reasonOf(ended(reason, 'drawn'), say), reason).not.toMatch(DECIDED);
      }
    }
  });
});

it('says what happened to who looks, and whose points are whose', async () => {
  await words.speak('en');
  const won = ended('territory', 'won', [18, 21]);
  expect(headlineOf(won, ['first'], nameOf)).toBe('You lose');
  expect(headlineOf(won, ['second'], nameOf)).toBe('You win');
  expect(headlineOf(won, [], nameOf)).toBe('Computer wins');
  expect(scoreOf(won, ['first'], nameOf)).toBe('you 18 : 21 Computer');
  expect(scoreOf(won, ['second'], nameOf)).toBe('Computer 21 : 18 you');
  const drawn = ended('territory', 'drawn', [21, 21]);
  const say = speaker('fortress', 'en');
  expect(headlineOf(drawn, ['first'], nameOf)).toBe('A draw');
  expect(reasonOf(drawn, say)).toBe('equal ground held');
  expect(reasonOf(ended('moonrise', 'won'), say)).toBe('moonrise');
});
