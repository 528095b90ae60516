/** Who is at the board: shown at the table, and what one who has left can be claimed for. */

import type { Made } from '../src/net/types';
import { another, befriend, FRIEND, make, ME, PHONE, sit } from './opening';
import { pick } from './playing';
import { overflowing } from './reading';
import { expect, Server, test as base, type Page } from './serving';

const GAME = 'osakana';

/** A server that waits a second for who has left; nobody is away who comes back before. */
const test = base.extend<object, { server: Server }>({
  server: [
    // Playwright finds out what a fixture needs from the pattern, so it has to be there.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await Server.start('127.0.0.1', ['--claim-after', '1s']);
      await use(server);
      await server.remove();
    },
    { scope: 'worker' },
  ],
});

/** Makes a match by link and opens it for who made it. */
async function invite(page: Page): Promise<Made> {
  const made = await make(page, { game: GAME, seats: [ME, FRIEND], name: 'Mio' });
  await sit(page, GAME, made);
  return made;
}

const presence = (page: Page): ReturnType<Page['locator']> => page.locator('[data-presence]');

test('a closed tab is seen, and its match can be claimed', async ({ browser, baseURL, page }) => {
  const made = await invite(page);
  const { page: friend, context } = await another(browser, { baseURL });
  await befriend(friend, made);
  await expect(presence(page)).toHaveText('online');
  await expect(presence(friend)).toHaveText('online');
  await pick(page, 'B3', 'B2');
  await pick(friend, 'B1', 'B2');
  const { page: guest, context: outside } = await another(browser, { baseURL });
  await guest.goto(`/match/${made.match}`);
  await expect(presence(guest)).toHaveText(['online', 'online']);
  await expect(page.getByRole('button', { name: 'Claim the win' })).toBeHidden();

  await friend.close();
  await expect(presence(page)).toContainText('away since');
  await expect(presence(guest).filter({ hasText: 'away since' })).toHaveCount(1);
  await expect(guest.getByRole('button', { name: 'Claim the win' })).toBeHidden();
  await page.getByRole('button', { name: 'Claim the win' }).click();
  await expect(page.locator('[data-ended]')).toContainText('You win');
  await expect(page.locator('[data-ended]')).toContainText('a player left the game');
  await expect(presence(page)).toHaveCount(0);
  await context.close();
  await outside.close();
});

test('who comes back takes the claim with them', async ({ browser, baseURL, page }) => {
  const made = await invite(page);
  const { page: friend, context } = await another(browser, { baseURL, ...PHONE });
  await befriend(friend, made);
  await pick(page, 'B3', 'B2');
  await pick(friend, 'B1', 'B2');
  await page.goto('/');
  const claim = friend.getByRole('button', { name: 'Call it a draw' });
  await expect(claim).toBeInViewport({ ratio: 1 });
  expect(await overflowing(friend)).toEqual([]);
  await friend.screenshot({ path: 'test-results/claim-phone.png' });
  await page.goto(`/match/${made.match}`);
  await expect(presence(friend)).toHaveText('online');
  await expect(claim).toBeHidden();
  await page.screenshot({ path: 'test-results/presence-wide.png' });
  await page.goto('/');
  await friend.getByRole('button', { name: 'Wait', exact: true }).click();
  await claim.click();
  await expect(friend.locator('[data-ended]')).toContainText('A draw');
  await context.close();
});
