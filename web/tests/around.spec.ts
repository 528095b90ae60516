/** What there is around the board: offers, phrases, the lobby, rematches, pictures and records. */

import { readFileSync } from 'node:fs';

import type { Download } from '@playwright/test';

import { another, befriend, FRIEND, GAMES, make, ME, open, sit } from './opening';
import { Party } from './party';
import { byClick, dice, pick, play } from './playing';
import { expect, test, type Page } from './serving';

const GAME = 'osakana';

/** Both flounders step out: nobody comes to harm. */
async function stepOut(first: Page, second: Page): Promise<void> {
  for (const [page, from, to] of [
    [first, 'C4', 'C3'],
    [second, 'A1', 'A2'],
  ] as const) {
    await pick(page, from, to);
    await expect(first.locator('.moves')).toContainText(`${from}–${to}`);
  }
}

test('draws, takebacks, phrases and resigning, between two browsers', async ({
  page,
  browser,
  baseURL,
}) => {
  const made = await open(page, GAME, [ME, FRIEND]);
  const { page: friend, context } = await another(browser, { baseURL });
  await befriend(friend, made);
  await stepOut(page, friend);

  await page.getByRole('button', { name: 'Draw', exact: true }).click();
  const offered = friend.getByRole('alertdialog', { name: /offers a draw/ });
  await offered.getByRole('button', { name: 'Decline' }).click();
  await expect(page.getByRole('button', { name: 'Draw', exact: true })).toBeEnabled();

  await friend.getByRole('button', { name: 'Take back' }).click();
  const asked = page.getByRole('alertdialog', { name: /take a move back/ });
  await asked.getByRole('button', { name: 'Accept' }).click();
  await expect(friend.locator('.moves li button')).toHaveCount(1);
  await expect(page.locator('.moves li button')).toHaveCount(1);
  await pick(friend, 'A1', 'A2');
  await expect(page.locator('.moves li button')).toHaveCount(2);

  await page.getByRole('tab', { name: 'More' }).click();
  await page.getByRole('button', { name: 'Good luck!' }).click();
  await expect(friend.getByRole('status').filter({ hasText: 'Good luck!' })).toBeVisible();

  await friend.getByRole('button', { name: 'Resign' }).click();
  await friend.getByRole('button', { name: 'Resign' }).click();
  await expect(page.locator('[data-ended]')).toContainText('You win');
  await expect(friend.locator('[data-ended]')).toContainText('You lose');

  await friend.getByRole('button', { name: 'Rematch' }).click();
  await page.getByRole('button', { name: 'Rematch' }).click();
  await expect(friend.locator('.frame.active')).toBeVisible();
  await expect(page).toHaveURL(friend.url());
  await context.close();
});

test('a challenge in the lobby is taken by somebody, and watched by a third', async ({
  page,
  browser,
  baseURL,
}) => {
  const made = await open(page, GAME, [ME, { kind: 'open' }]);
  const { page: guest, context } = await another(browser, { baseURL });
  await guest.goto('/lobby');
  await guest.locator(`a[href="/match/${made.match}"]`).click();
  await guest.getByRole('button', { name: 'Take the seat' }).click();
  await stepOut(page, guest);
  const { page: third, context: outside } = await another(browser, { baseURL });
  await third.goto('/lobby');
  await third.locator(`a[href="/match/${made.match}"]`).click();
  await expect(third.locator('.moves')).toContainText('A1–A2');
  await expect(third.locator('.frame.active')).toHaveCount(0);
  await context.close();
  await outside.close();
});

test('two may agree on a draw', async ({ page, browser, baseURL }) => {
  const made = await open(page, GAME, [ME, FRIEND]);
  const { page: friend, context } = await another(browser, { baseURL });
  await befriend(friend, made);
  await stepOut(page, friend);
  await friend.getByRole('button', { name: 'Draw', exact: true }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Accept' }).click();
  await expect(page.locator('[data-ended]')).toContainText('A draw');
  await expect(friend.locator('[data-ended]')).toContainText('A draw');
  await context.close();
});

async function saved(page: Page, name: string): Promise<Download> {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name, exact: true }).click(),
  ]);
  return file;
}

for (const game of GAMES) {
  test(`${game}: a position can be kept as a record and as a picture`, async ({ page }) => {
    const made = await make(page, { game, seats: [ME, ME] });
    await new Party(page.request, made).playOn(5, dice(2));
    const { first = '' } = made.secrets;
    await sit(page, game, { ...made, secrets: { first } });
    await page.getByRole('tab', { name: 'More' }).click();

    const record = readFileSync(await (await saved(page, 'Record')).path(), 'utf8');
    expect(record).toContain(`[Game "${game}"]`);
    expect(record).not.toContain('[Seed');
    const svg = readFileSync(await (await saved(page, 'SVG')).path(), 'utf8');
    expect(svg).toMatch(/^<svg[^>]* xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    // Other programs know neither variables nor the newer kinds of colours.
    expect(svg).not.toMatch(/var\(|oklch|color\(/);
    const drawn = await page
      .locator('.frame svg [data-key]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-key')));
    const kept = [...svg.matchAll(/data-key="([^"]*)"/g)].map(([, key]) => key);
    expect(kept.toSorted()).toEqual(drawn.toSorted());
    const png = await saved(page, 'PNG');
    await png.saveAs(`test-results/${game}-export.png`);
    const bytes = readFileSync(await png.path());
    expect(bytes.subarray(1, 4).toString()).toBe('PNG');
    expect(bytes.readUInt32BE(16)).toBeGreaterThanOrEqual(1200);
  });

  test(`${game}: back and reload lose nothing`, async ({ page }) => {
    await page.goto('/');
    await open(page, game, [ME, { kind: 'computer', player: '1' }]);
    await play(page, { press: byClick, roll: dice(4) }, (picks) => picks === 3);
    await expect(page.locator('.frame.active')).toBeVisible();
    const names = (): Promise<string[]> =>
      page
        .locator('.frame [data-key][aria-label]')
        .evaluateAll((all) => all.map((one) => one.ariaLabel ?? '').sort());
    const address = page.url();
    await page.reload();
    await expect(page.locator('.frame.active')).toBeVisible();
    const before = await names();
    await page.getByRole('link', { name: 'Rules' }).first().click();
    await expect(page).toHaveURL(/\/learn/);
    await page.goBack();
    await expect(page).toHaveURL(address);
    await expect(page.locator('.frame.active')).toBeVisible();
    await expect.poll(names).toEqual(before);
  });
}
