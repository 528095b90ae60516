/** The looks of boards and pieces, found by their names in the catalogues. */

import { readFileSync } from 'node:fs';

import { expect, type Page } from './serving';

export interface Wear {
  readonly board: string;
  readonly pieces: string;
}

function namesIn(path: string, start: string): string[] {
  const text = readFileSync(new URL(`../src/${path}`, import.meta.url), 'utf8');
  const keys = Object.keys(JSON.parse(text) as Record<string, unknown>);
  return keys.filter((key) => key.startsWith(start)).map((key) => key.slice(start.length));
}

export const BOARDS = namesIn('i18n/en.json', 'settings.board.');

export function piecesOf(game: string): string[] {
  return namesIn(`games/${game}/strings/en.json`, 'pieces.');
}

/** Each board with the usual pieces, and all other pieces on the usual board. */
export function looksOf(game: string): Wear[] {
  const [usual = '', ...others] = piecesOf(game);
  return [
    ...BOARDS.map((board) => ({ board, pieces: usual })),
    ...others.map((pieces) => ({ board: BOARDS[0] ?? '', pieces })),
  ];
}

/** Opens the page again in a look, as the settings would keep it. */
export async function wear(page: Page, game: string, { board, pieces }: Wear): Promise<void> {
  await page.evaluate(
    (chosen) => {
      const key = 'visavis.settings';
      const kept = JSON.parse(localStorage.getItem(key) ?? '{}') as object;
      localStorage.setItem(key, JSON.stringify({ ...kept, ...chosen }));
    },
    { board, pieces: { [game]: pieces } },
  );
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-board', board);
  await expect(page.locator('.frame svg').first()).toBeVisible();
}
