/** Puzzles are offered where there are any; where there are none, one is told why. */

import type { Games } from '../src/net/types';
import { expect, test } from './serving';

test('without a solved table no puzzles are offered, and their page says how to have them', async ({
  page,
}) => {
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Play the computer' }).first()).toBeVisible();
  await expect(page.locator('a[href^="/puzzles"]')).toHaveCount(0);

  await page.goto('/puzzles/osakana');
  await expect(page.getByText('visavis solve osakana')).toBeVisible();
  await expect(page.locator('.frame, .bar')).toHaveCount(0);
  await page.getByRole('link', { name: /^Play / }).click();
  await expect(page).toHaveURL(/\/play\/osakana$/);
  await expect(page.getByText('perfect')).toHaveCount(0);

  await page.goto('/puzzles/stones');
  await expect(page.getByText('There are no puzzles of')).toBeVisible();
  await expect(page.getByText('visavis solve')).toHaveCount(0);
});

test('where a game is solved its card leads to the puzzles', async ({ page }) => {
  await page.route('**/api/games', async (route) => {
    const said = (await (await route.fetch()).json()) as Games;
    const games = said.games.map((game) => ({ ...game, puzzles: game.solvable }));
    await route.fulfill({ json: { ...said, games } });
  });
  await page.goto('/');
  const link = page.locator('article').getByRole('link', { name: 'Puzzles' });
  await expect(link).toHaveCount(1);
  await expect(link).toHaveAttribute('href', '/puzzles/osakana');
});
