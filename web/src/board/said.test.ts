/** What was done is said in the reader's language, remarks of the rules included. */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

import { fill, LANGUAGES, type Catalogue } from '../i18n/catalogue';
import type { Deed, DemoStep, Model, Say, Seat } from './contract';

const games = fileURLToPath(new URL('../games', import.meta.url));
const vectors = fileURLToPath(new URL('../../../vectors', import.meta.url));
const models = import.meta.glob<Model<unknown>>('../games/*/model.ts', { import: 'model' });
const demos = import.meta.glob<readonly DemoStep[]>('../games/*/demo.ts', { import: 'demo' });
const drawn = readdirSync(games).filter((game) => existsSync(`${games}/${game}/model.ts`));

/** Speaks a language of a game, and will not be asked for what it has no words for. */
function speaker(game: string, language: string): Say {
  const text = readFileSync(`${games}/${game}/strings/${language}.json`, 'utf8');
  const catalogue = JSON.parse(text) as Catalogue;
  return (key, values = {}) => {
    const entry = catalogue[key];
    if (entry === undefined) throw new Error(`${game} has no ${key} in ${language}`);
    return fill(entry, values, language);
  };
}

/** Every move and roll of the playthrough. */
function played(game: string): Deed[] {
  const text = readFileSync(`${vectors}/${game}/playthrough.txt`, 'utf8');
  return [...text.matchAll(/^(first|second|chance) (.*?)(?: {3}\[.*)?$/gm)].map(
    ([, by = 'first', move = '']): Deed => ({ by: by as Seat, text: move, remark: '' }),
  );
}

describe.each(drawn)('%s', (game) => {
  it.each(LANGUAGES)('is told and written down in %s', async (language) => {
    const model = await models[`../games/${game}/model.ts`]?.();
    const demo = (await demos[`../games/${game}/demo.ts`]?.()) ?? [];
    const [step] = demo;
    if (model === undefined || step === undefined) throw new Error('nothing to tell');
    const nothing = { legal: [], suggestions: {}, last: [] };
    const { view, options = {} } = step;
    const scene = model.read({ view, options, viewer: 'spectator', ...nothing });
    const say = speaker(game, language);
    const deeds = [...played(game), ...demo.flatMap(({ deed }) => deed ?? [])];
    expect(deeds.length).toBeGreaterThan(10);
    for (const deed of deeds) {
      expect(model.tell(deed, scene, say)).not.toBe('');
      const written = model.notation(deed, { pieces: '', animate: false }, say);
      expect(written).not.toBe('');
      if (language !== 'en') expect(written).not.toMatch(/[a-z]{3}/);
    }
  });
});
