/** Everything has a place on the screen and keeps it; fingers find what they look for. */

import type { Made } from '../src/net/types';
import { another, befriend, COMPUTER, FRIEND, GAMES, make, ME, open, PHONE, sit } from './opening';
import { Party } from './party';
import { byClick, byTouch, dice, play, shown } from './playing';
import { DESK, expectInPlace, LYING, places, SHORT } from './screen';
import { expect, test, type Page } from './serving';

/** The least that a finger finds, in pixels; and the least that an eye tells apart on a piece. */
const FINGER = 40;
const EYE = 36;

/** Opens a new match as first; the other one is played by the test. */
async function begin(page: Page, game: string, made?: Made): Promise<Party> {
  const match = made ?? (await make(page, { game, seats: [ME, ME] }));
  const { first = '' } = match.secrets;
  await sit(page, game, { ...match, secrets: { first } });
  await expect(page.locator('.frame.active')).toBeVisible();
  return new Party(page.request, match);
}

for (const game of GAMES) {
  test(`${game}: nothing jumps from move to move`, async ({ page }) => {
    const party = await begin(page, game);
    const roll = dice(3);
    await shown(page, await party.playOn(4, roll));
    await page.getByRole('tab', { name: 'Moves' }).click();
    for (const size of [DESK, PHONE.viewport, LYING]) {
      await page.setViewportSize(size);
      await expectInPlace(page, [size], 'before a move');
      const before = await places(page);
      for (let moves = 0; moves < 3; moves += 1) {
        await shown(page, await party.playOn(1, roll));
        if ((await page.locator('[data-ended]').count()) > 0) return;
        expect(await places(page)).toEqual(before);
      }
    }
  });

  test(`${game}: how to play leaves everything in its place`, async ({ page }) => {
    await begin(page, game);
    await page.getByRole('tab', { name: 'Moves' }).click();
    const before = await places(page);
    await page.getByRole('tab', { name: 'How to play' }).click();
    await expect(page.getByRole('link', { name: 'All the rules' })).toBeVisible();
    await expectInPlace(page, [DESK], 'with the rules open');
    expect(await places(page)).toEqual(before);
  });

  test(`${game}: on a phone fingers find every key`, async ({ browser, baseURL }) => {
    const { page, context } = await another(browser, { baseURL, ...PHONE });
    const party = await begin(page, game);
    await shown(page, await party.playOn(game === 'stones' ? 0 : 4, dice(2)));
    for (const size of [PHONE.viewport, LYING]) {
      await page.setViewportSize(size);
      await expectInPlace(page, [size], 'for fingers');
      const small = await page.evaluate((least) => {
        const keys = '.frame.active :is([data-lit], [data-done], button), .bar :is(button, a)';
        return [...document.querySelectorAll(keys)].flatMap((element) => {
          const { width, height } = element.getBoundingClientRect();
          if (Math.min(width, height) >= least - 0.5) return [];
          const name = element.getAttribute('aria-label') ?? element.textContent;
          return [`${name}: ${width.toFixed(1)} × ${height.toFixed(1)}`];
        });
      }, FINGER);
      expect(small, `${String(size.width)} × ${String(size.height)}`).toEqual([]);
    }
    await context.close();
  });
}

test('pieces of all games can be told apart on a phone', async ({ browser, baseURL }) => {
  const { page, context } = await another(browser, { baseURL, ...PHONE });
  for (const game of GAMES) {
    await begin(page, game);
    const sizes = await page.locator('.frame [data-piece]').evaluateAll((pieces) =>
      pieces.map((piece) => {
        // Boxes leave out the border that is drawn around a shape.
        const shapes = [...piece.querySelectorAll<SVGGraphicsElement>('path, circle, rect')];
        return Math.max(
          ...shapes.map((shape) => {
            const { width, height } = shape.getBoundingClientRect();
            const unit = shape.getScreenCTM()?.a ?? 1;
            return Math.min(width, height) + unit * parseFloat(getComputedStyle(shape).strokeWidth);
          }),
        );
      }),
    );
    // The other's tokens that lie before them are looked at, not played with.
    const own = game === 'stones' ? sizes.slice(sizes.length / 2) : sizes;
    for (const size of own) expect(size, game).toBeGreaterThanOrEqual(EYE);
  }
  await context.close();
});

test('on a phone requests and results come as a sheet over the buttons', async ({
  browser,
  baseURL,
  page,
}) => {
  const name = 'W'.repeat(40);
  const made = await make(page, { game: 'elements', seats: [ME, ME], clock: '1d/move', name });
  const { page: phone, context } = await another(browser, { baseURL, ...PHONE });
  const party = await begin(phone, 'elements', made);
  const sizes = [PHONE.viewport, SHORT, LYING, PHONE.viewport];
  await shown(phone, await party.playOn(4, dice(1)));

  await party.order('second', { type: 'offer_draw' });
  const offer = phone.getByRole('alertdialog', { name: /offers a draw/ });
  await expect(offer.getByRole('button', { name: 'Accept' })).toBeVisible();
  await expectInPlace(phone, sizes, 'with a draw offered');
  await offer.getByRole('button', { name: 'Decline' }).tap();
  await expect(offer).toHaveCount(0);

  const asked = (await party.seenBy('first')).position?.asked?.legal ?? [];
  const [from = '', to = ''] = asked.find((move) => /^\w+-\w+$/.test(move))?.split('-') ?? [];
  for (const key of [from, to]) await byTouch(phone, { key });
  const confirm = phone.getByRole('button', { name: 'Confirm' });
  await expect(confirm).toBeVisible();
  await expectInPlace(phone, sizes, 'with a move to confirm');
  await phone.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).tap();

  await phone.locator('[data-resign]').tap();
  await expect(phone.getByRole('alertdialog', { name: 'Resign the match?' })).toBeVisible();
  await expectInPlace(phone, sizes, 'when asked whether to resign');
  await phone.getByRole('button', { name: 'Cancel' }).tap();
  await expect(phone.getByRole('alertdialog')).toHaveCount(0);

  await party.order('second', { type: 'resign' });
  await expect(phone.locator('.sheet [data-ended]')).toBeInViewport({ ratio: 1 });
  await expectInPlace(phone, sizes, 'with the result');
  await phone.locator('.sheet').getByRole('button', { name: 'Close' }).tap();
  await expect(phone.locator('[data-ended]')).toHaveCount(0);
  await context.close();
});

test('the menu of a phone has the moves, the rules and the way out', async ({
  browser,
  baseURL,
}) => {
  const { page, context } = await another(browser, { baseURL, ...PHONE });
  await open(page, 'osakana', [ME, COMPUTER]);
  await play(page, { press: byTouch, roll: dice(4) }, (picks) => picks === 2);
  await page.getByRole('button', { name: 'How to play' }).tap();
  await expect(page.getByRole('link', { name: 'All the rules' })).toBeInViewport();
  await page.getByRole('tab', { name: 'Moves' }).tap();
  await expect(page.locator('.moves li button').first()).toBeInViewport();
  await expect(page.getByRole('link', { name: 'Settings' })).toBeInViewport();
  await page.getByRole('button', { name: 'Close' }).tap();
  await expect(page.getByRole('tab')).toHaveCount(0);
  await page.getByRole('button', { name: 'Back', exact: true }).tap();
  await expect(page.getByText('An earlier position')).toBeInViewport();
  await page.getByRole('button', { name: 'Back to the game' }).tap();
  await expect(page.getByText('An earlier position')).toHaveCount(0);
  await context.close();
});

test('a replay and a puzzle keep their buttons in sight as well', async ({
  browser,
  baseURL,
  page,
}) => {
  const made = await make(page, { game: 'stones', seats: [ME, ME] });
  const party = new Party(page.request, made);
  await party.playOn(6, dice(1));
  await party.order('first', { type: 'resign' });
  const { page: phone, context } = await another(browser, { baseURL, ...PHONE });
  await phone.goto(`/replay/${made.match}`);
  for (const size of [PHONE.viewport, LYING, SHORT, DESK]) {
    await phone.setViewportSize(size);
    for (const name of ['To the end', 'Back', 'On', 'To the start']) {
      const button = phone.getByRole('button', { name, exact: true });
      await expect(button).toBeInViewport({ ratio: 1 });
      await button.click();
      await expect(phone.locator('[data-last-step]')).not.toHaveText(
        name === 'To the start' ? /./ : '',
      );
      await expectInPlace(phone, [size], name);
      if (name !== 'To the end') continue;
      const status = phone.locator('.table > .words [role=status]');
      await expect(status).toContainText('second wins');
      await expect(status).toContainText('resignation');
    }
    const width = await phone.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(size.width);
  }
  await context.close();
});

test('a match is asked for once, however much happens in it', async ({
  page,
  browser,
  baseURL,
}) => {
  const made = await open(page, 'osakana', [ME, FRIEND]);
  const { page: friend, context } = await another(browser, { baseURL });
  const said: string[] = [];
  friend.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => said.push(String(payload)));
  });
  // By way of another page the line is up before the match is followed.
  await friend.goto('/lobby');
  await befriend(friend, made);
  const asked = (): number => said.filter((text) => text.includes('"type":"watch"')).length;
  await play(page, { press: byClick, roll: dice(2) }, (picks) => picks === 2);
  await expect(friend.locator('.frame.active')).toBeVisible();
  const before = asked();
  await play(friend, { press: byClick, roll: dice(2) }, (picks) => picks === 2);
  await expect(page.locator('.frame.active')).toBeVisible();
  expect(asked()).toBe(before);
  await context.close();
});
