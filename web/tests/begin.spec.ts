/** The first game: the easiest first, at the lowest level, without a clock; then as it was chosen. */

import { GAMES } from './opening';
import { expect, test, type Page } from './serving';

async function order(game: string): Promise<number> {
  return ((await import(`../src/games/${game}/order.ts`)) as { default: number }).default;
}

function card(page: Page, game: string): ReturnType<Page['locator']> {
  return page.locator('article', { has: page.locator(`a[href="/play/${game}"]`) });
}

test('the cards stand in the order in which the games are easy to begin with', async ({ page }) => {
  const orders = await Promise.all(GAMES.map(order));
  expect(new Set(orders).size).toBe(GAMES.length);
  const easiest = GAMES.toSorted(
    (a, b) => (orders[GAMES.indexOf(a)] ?? 0) - (orders[GAMES.indexOf(b)] ?? 0),
  );
  await page.goto('/');
  const links = page.locator('article > a.picture[href^="/play/"]');
  await expect(links).toHaveCount(GAMES.length);
  const shown = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(shown).toEqual(easiest.map((game) => `/play/${game}`));
});

for (const game of GAMES) {
  test(`${game}: the first game is at level 1, and no clock runs`, async ({ page }) => {
    await page.goto('/');
    await card(page, game).getByRole('button', { name: 'Play the computer' }).click();
    await expect(page.locator('.table')).toContainText('Computer, level 1');
    await expect(page.locator('.frame.active')).toBeVisible();
    await expect(page.getByRole('timer')).toHaveCount(0);
  });
}

test('level, side and clock are remembered, for each game and opponent', async ({ page }) => {
  const clock = page.getByRole('combobox', { name: 'Clock', exact: true });
  await page.goto('/play/dande');
  await expect(clock).toHaveValue('none');
  await page.getByRole('radio', { name: 'A friend, by link' }).check();
  await expect(clock).toHaveValue('rules');
  await page.getByRole('radio', { name: 'Computer' }).check();
  await page.getByRole('radio', { name: '3', exact: true }).check();
  await page.getByRole('radio', { name: 'second' }).check();
  await clock.selectOption('600+5');

  await page.reload();
  await expect(page.getByRole('radio', { name: '3', exact: true })).toBeChecked();
  await expect(page.getByRole('radio', { name: 'second' })).toBeChecked();
  await expect(clock).toHaveValue('600+5');
  await page.goto('/play/osakana');
  await expect(page.getByRole('radio', { name: '1', exact: true })).toBeChecked();
  await expect(clock).toHaveValue('none');

  await page.goto('/');
  await card(page, 'dande').getByRole('button', { name: 'Play the computer' }).click();
  await expect(page.locator('.table')).toContainText('Computer, level 3');
  await expect(page.getByRole('timer')).toHaveCount(2);
});
