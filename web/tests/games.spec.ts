/** Whole matches of every game, in each of the ways in which people play. */

import { another, befriend, COMPUTER, FRIEND, GAMES, ME, open, PHONE } from './opening';
import { byClick, byKeyboard, byTouch, dice, play, playOut } from './playing';
import { expect, test } from './serving';

test('every game of the server has a board', async ({ page }) => {
  const { games } = (await (await page.request.get('/api/games')).json()) as {
    games: { slug: string }[];
  };
  expect(GAMES.toSorted()).toEqual(games.map(({ slug }) => slug).toSorted());
});

for (const game of GAMES) {
  test(`${game}: one click from the first page to the first move`, async ({ page }) => {
    await page.goto('/');
    const card = page.locator('article', { has: page.locator(`a[href="/play/${game}"]`) });
    await card.getByRole('button', { name: 'Play the computer' }).click();
    await play(page, { press: byClick, roll: dice(1) }, (picks) => picks === 2);
  });

  test(`${game} in two browsers, by clicks`, async ({ page, browser, baseURL }) => {
    const made = await open(page, game, [ME, FRIEND]);
    const { page: friend, context } = await another(browser, { baseURL });
    await befriend(friend, made);
    await Promise.all([
      play(page, { press: byClick, roll: dice(3) }),
      play(friend, { press: byClick, roll: dice(4) }),
    ]);
    const moves = await page.locator('.moves li button').allInnerTexts();
    expect(await friend.locator('.moves li button').allInnerTexts()).toEqual(moves);
    await context.close();
  });

  test(`${game} against the computer, by clicks`, async ({ page }) => {
    await open(page, game, [ME, COMPUTER], 1);
    await playOut([page], { press: byClick, roll: dice(5) });
  });

  test(`${game} against the computer on a phone, by touch`, async ({ browser, baseURL }) => {
    const { page, context } = await another(browser, { baseURL, ...PHONE });
    await open(page, game, [ME, COMPUTER]);
    await playOut([page], { press: byTouch, roll: dice(6) });
    await expect(page.locator('[data-ended]')).toBeInViewport();
    await context.close();
  });

  test(`${game} by two on one phone, by touch`, async ({ browser, baseURL }) => {
    const { page, context } = await another(browser, { baseURL, ...PHONE });
    await open(page, game, [ME, ME], 2);
    await playOut([page], { press: byTouch, roll: dice(9) });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(PHONE.viewport.width);
    await context.close();
  });

  test(`${game} by keyboard only`, async ({ page }) => {
    await open(page, game, [ME, COMPUTER], 1);
    await playOut([page], { press: byKeyboard, roll: dice(7) });
  });
}
