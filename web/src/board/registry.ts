/**
 * The games the page can draw, found by their folders. A game that has no folder gets the generic
 * board, so that everything the server plays can be played here.
 */

import { fill, type Catalogue, type Language } from '../i18n/catalogue';
import type { GamePage, Say } from './contract';
import { generic } from './generic';

/** A game of whose scene nothing is known: what the page works with. */
export type AnyGamePage = GamePage<unknown>;

/** Forgets the type of the scene, which only the game itself needs. */
export function gamePage<Scene>(page: GamePage<Scene>): AnyGamePage {
  return page as unknown as AnyGamePage;
}

const pages = import.meta.glob<AnyGamePage>('../games/*/index.ts', { import: 'default' });
const catalogues = import.meta.glob<Catalogue>('../games/*/strings/*.json', { import: 'default' });
const translations = import.meta.glob<string>('../games/*/rules/*.md', {
  query: '?raw',
  import: 'default',
});

// The rules in English have their one home with the rules themselves.
const books = import.meta.glob<string>('../../../src/visavis/rules/*/rules.md', {
  query: '?raw',
  import: 'default',
});

// Small, and needed before any drawing: so that the cards of the games are in their places at once.
const orders = import.meta.glob<number>('../games/*/order.ts', { import: 'default', eager: true });

/** Orders games by how early a newcomer may begin with them, as each says itself. */
export function easiestFirst<Game extends { readonly slug: string }>(
  games: readonly Game[],
): readonly Game[] {
  const order = ({ slug }: Game): number => orders[`../games/${slug}/order.ts`] ?? Infinity;
  return games.toSorted((a, b) => order(a) - order(b) || 0);
}

/** Loads the drawing of a game. */
export async function loadPage(slug: string): Promise<AnyGamePage> {
  return (await pages[`../games/${slug}/index.ts`]?.()) ?? generic;
}

/** Loads what a game says, in a language. A key without a string is said as it is. */
export async function loadSay(slug: string, language: Language): Promise<Say> {
  const catalogue = (await catalogues[`../games/${slug}/strings/${language}.json`]?.()) ?? {};
  return (key, values = {}) => fill(catalogue[key] ?? key, values, language);
}

/** Loads the rules of a game, or null if nobody wrote them in this language. */
export async function loadRules(slug: string, language: string): Promise<string | null> {
  const load =
    language === 'en'
      ? books[`../../../src/visavis/rules/${slug}/rules.md`]
      : translations[`../games/${slug}/rules/${language}.md`];
  return (await load?.()) ?? null;
}
