/** The lobby, and one's own matches: who plays, how it stands, and what can be done about it. */

import { another, befriend, COMPUTER, FRIEND, make, ME, PHONE, sit } from './opening';
import { Party } from './party';
import { pick } from './playing';
import { overflowing } from './reading';
import { expect, test } from './serving';

test('the lobby shows what others may see, with boards and filters', async ({
  page,
  browser,
  baseURL,
}) => {
  const alone = await make(page, { game: 'osakana', seats: [ME, COMPUTER] });
  const shared = await make(page, { game: 'osakana', seats: [ME, ME] });
  const made = await make(page, { game: 'osakana', seats: [ME, FRIEND], name: 'Mio' });
  await sit(page, 'osakana', made);
  const { page: friend, context } = await another(browser, { baseURL, ...PHONE });
  await befriend(friend, made);
  await friend.goto('/lobby');
  const row = friend.locator('li', { has: friend.locator(`a[href$="${made.match}"]`) });
  await expect(row.getByRole('link', { name: 'Watch' })).toBeVisible();
  await expect(row.locator('svg').first()).toBeVisible();
  for (const { match } of [alone, shared]) {
    await expect(friend.locator(`a[href$="${match}"]`)).toHaveCount(0);
  }
  expect(await overflowing(friend)).toEqual([]);
  await friend.screenshot({ path: 'test-results/lobby-phone.png' });
  await friend.getByLabel('Game').selectOption('stones');
  await expect(row).toHaveCount(0);
  await friend.getByLabel('Game').selectOption('osakana');
  await friend.getByLabel('Clock').selectOption('No clock');
  await expect(row).toHaveCount(1);
  await friend.getByLabel('Clock').selectOption('live');
  await expect(row).toHaveCount(0);
  await friend.getByLabel('Clock').selectOption('any');

  await new Party(page.request, made).order('first', { type: 'resign' });
  await expect(row.getByRole('link', { name: 'Watch' })).toHaveCount(0);
  await row.getByRole('link', { name: 'Replay' }).click();
  await expect(friend).toHaveURL(/\/replay\//);
  await context.close();
});

test('private matches on one screen show whose turn it is, and no secrets', async ({ page }) => {
  for (const [game, boards] of [
    ['osakana', 1],
    ['elements', 0],
  ] as const) {
    const made = await make(page, { game, seats: [ME, ME], private: true });
    await sit(page, game, made);
    await page.goto('/');
    const row = page.locator(`[data-own-match="${made.match}"]`);
    await expect(row).toContainText('to move');
    await expect(row.locator('.frame')).toHaveCount(boards);
  }
});

test('own matches: opponent, turn and board in one row; finished ones stay', async ({
  page,
  browser,
  baseURL,
}) => {
  const made = await make(page, { game: 'osakana', seats: [ME, FRIEND], name: 'Mio' });
  await sit(page, 'osakana', made);
  const { page: friend, context } = await another(browser, { baseURL, ...PHONE });
  await befriend(friend, made);
  await friend.goto('/');
  const row = friend.locator(`[data-own-match="${made.match}"]`);
  await expect(row).toContainText('Mio to move');
  await expect(row.locator('svg').first()).toBeVisible();
  await pick(page, 'B3', 'B2');
  await friend.reload();
  await expect(row).toContainText('Your turn');
  expect(await overflowing(friend)).toEqual([]);
  await friend.screenshot({ path: 'test-results/own-phone.png' });
  const [words, link] = await Promise.all([
    row.getByText('Your turn').boundingBox(),
    row.getByRole('link', { name: 'Go on' }).boundingBox(),
  ]);
  expect(link?.x).toBeGreaterThan((words?.x ?? 0) + (words?.width ?? 0) - 1);

  await new Party(page.request, made).order('first', { type: 'resign' });
  await friend.reload();
  await friend.getByText('Finished matches (1)').click();
  await expect(row).toContainText('You win');
  await row.getByRole('link', { name: 'Replay' }).click();
  await expect(friend).toHaveURL(new RegExp(`/replay/${made.match}`));
  await context.close();
});
