/** A clock that waits until both are ready, with those who say so at the board. */

import type { Made } from '../src/net/types';
import { another, befriend, COMPUTER, create, FRIEND, ME, PHONE, sit } from './opening';
import { Party } from './party';
import { expectReadable } from './reading';
import { expect, test, type Page } from './serving';

const GAME = 'dande';
const READY = { name: 'I’m ready' };

/** The clocks of both seats and of the game stand at their full time, and nothing can be moved. */
async function expectWaiting(page: Page): Promise<void> {
  await expect(page.locator('.frame')).toBeVisible();
  const timers = page.getByRole('timer');
  await expect(timers.filter({ hasText: /^1:30$/ })).toHaveCount(2);
  await expect(timers.filter({ hasText: /^10:00$/ })).toHaveCount(1);
  await expect(page.locator('.clock.runs')).toHaveCount(0);
  await expect(page.locator('.frame.active')).toHaveCount(0);
  await page.locator('[data-key="a2"]').click();
  await expect(page.locator('[data-lit], [data-picked]')).toHaveCount(0);
}

/** The clock of whoever is to move and that of the game run. */
async function expectStarted(page: Page): Promise<void> {
  await expect(page.locator('.clock.runs')).toHaveCount(2);
  await expect(page.getByRole('button', READY)).toHaveCount(0);
}

test('two people say that they are ready, and then the clock starts', async ({
  browser,
  baseURL,
  page,
}) => {
  const made = await create(page, { game: GAME, seats: [ME, FRIEND], name: 'Mio' });
  await sit(page, GAME, made);
  const { page: friend, context } = await another(browser, { baseURL });
  await befriend(friend, made);
  const { page: guest, context: outside } = await another(browser, { baseURL });
  await guest.goto(`/match/${made.match}`);
  for (const reader of [page, friend, guest]) await expectWaiting(reader);
  await expect(guest.getByRole('button', READY)).toHaveCount(0);
  await expect(page.getByText('Waiting for opponent to be ready')).toBeVisible();

  await friend.getByRole('button', READY).click();
  await expect(page.getByText('opponent is ready')).toBeVisible();
  await expect(friend.getByText('Waiting for Mio to be ready')).toBeVisible();
  await expect(guest.getByText('Waiting for Mio to be ready')).toBeVisible();
  for (const reader of [page, friend, guest]) await expectWaiting(reader);

  await page.getByRole('button', READY).click();
  for (const reader of [page, friend, guest]) await expectStarted(reader);
  for (const key of ['a2', 'a3']) await page.locator(`.frame.active [data-key="${key}"]`).click();
  await expect(friend.locator('.frame.active')).toBeVisible();
  await context.close();
  await outside.close();
});

test('the computer is ready; the keyboard says so too', async ({ page }) => {
  await sit(page, GAME, await create(page, { game: GAME, seats: [ME, COMPUTER] }));
  await expectWaiting(page);
  await expect(page.getByText('is ready', { exact: false }).first()).toBeVisible();
  const button = page.getByRole('button', READY);
  for (let presses = 0; presses < 60; presses += 1) {
    if (await button.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press('Tab');
  }
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expectStarted(page);
  await expect(page.locator('.frame.active')).toBeVisible();
});

test('on one screen one click is for both', async ({ browser, baseURL }) => {
  const { page, context } = await another(browser, { baseURL, ...PHONE });
  await sit(page, GAME, await create(page, { game: GAME, seats: [ME, ME] }));
  await expectWaiting(page);
  await page.getByRole('button', { name: 'We’re ready' }).tap();
  await expectStarted(page);
  await context.close();
});

test('who comes back is still ready', async ({ page }) => {
  const made = await create(page, { game: GAME, seats: [ME, ME] });
  const party = new Party(page.request, made);
  const { first = '' } = made.secrets;
  const alone: Made = { ...made, secrets: { first } };
  await sit(page, GAME, alone);
  await page.getByRole('button', READY).click();
  await expect(page.getByText('Waiting for opponent to be ready')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Waiting for opponent to be ready')).toBeVisible();
  await expect(page.getByRole('button', READY)).toHaveCount(0);
  await party.order('second', { type: 'ready' });
  await expectStarted(page);
});

for (const [locale, colorScheme] of [
  ['en', 'light'],
  ['ru', 'dark'],
  ['uk', 'light'],
  ['ja', 'dark'],
] as const) {
  test(`everybody can read what is asked: ${locale}`, async ({ browser, baseURL, page }) => {
    const made = await create(page, { game: GAME, seats: [ME, COMPUTER] });
    const look = {
      baseURL,
      locale,
      colorScheme,
      reducedMotion: 'reduce',
      bypassCSP: true,
    } as const;
    const { page: reader, context } = await another(browser, look);
    await sit(reader, GAME, made);
    await expect(reader.getByRole('alertdialog')).toBeVisible();
    await expectReadable(reader, locale, 'before the clock starts');
    await context.close();
  });
}
