/** Small screens: what matters is in sight, and nothing stands out over the edge. */

import { another, GAMES, make, ME, PHONE, sit } from './opening';
import { Party } from './party';
import { byTouch, dice } from './playing';
import { expect, test, type Page } from './serving';

const LYING = { ...PHONE, viewport: { width: 844, height: 390 } };

async function expectNoOverhang(page: Page): Promise<void> {
  const [wanted, given] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  expect(wanted).toBeLessThanOrEqual(given);
}

test('a phone on its side gives the board its height, and keeps it in sight', async ({
  browser,
  baseURL,
  page,
}) => {
  const { page: phone, context } = await another(browser, { baseURL, locale: 'ru', ...LYING });
  for (const game of GAMES) {
    const made = await make(page, { game, seats: [ME, { kind: 'computer', player: '1' }] });
    await sit(phone, game, made);
    const board = phone.locator('.frame');
    await expect(board).toBeVisible();
    await expectNoOverhang(phone);
    await phone.evaluate(() => {
      scrollTo(0, 300);
    });
    const box = await board.boundingBox();
    expect(box?.y, game).toBeGreaterThanOrEqual(0);
    expect(box?.width, game).toBeGreaterThan(390);
  }
  await context.close();
});

test('on a phone nobody misses what the other asks, nor a move to confirm', async ({
  browser,
  baseURL,
  page,
}) => {
  const name = 'W'.repeat(40);
  const made = await make(page, { game: 'elements', seats: [ME, ME], clock: '1d/move', name });
  const party = new Party(page.request, made);
  await party.playOn(4, dice(1));
  const { page: phone, context } = await another(browser, { baseURL, ...PHONE });
  const { first = '' } = made.secrets;
  await sit(phone, 'elements', { ...made, secrets: { first } });
  await expect(phone.locator('.frame.active')).toBeVisible();
  await expectNoOverhang(phone);
  await party.order('second', { type: 'offer_draw' });
  const offer = phone.getByRole('alertdialog', { name: /offers a draw/ });
  await expect(offer.getByRole('button', { name: 'Decline' })).toBeInViewport();
  await offer.getByRole('button', { name: 'Decline' }).tap();
  await expect(offer).toHaveCount(0);
  const asked = (await party.seenBy('first')).position?.asked?.legal ?? [];
  const [from = '', to = ''] = asked.find((move) => /^\w+-\w+$/.test(move))?.split('-') ?? [];
  for (const key of [from, to]) await byTouch(phone, { key });
  await expect(phone.getByRole('button', { name: 'Confirm' })).toBeInViewport();
  await context.close();
});

test('names of one long word stay within the lobby', async ({ browser, baseURL, page }) => {
  const name = 'M'.repeat(40);
  await make(page, { game: 'osakana', seats: [ME, { kind: 'open' }], name });
  const { page: phone, context } = await another(browser, { baseURL, ...PHONE });
  await phone.goto('/lobby');
  await expect(phone.getByText(name)).toBeVisible();
  await expectNoOverhang(phone);
  await context.close();
});
