/** The end of a match, and what is heard on the way there. */

import { LANGUAGES } from '../src/i18n/catalogue';
import { another, GAMES, make, ME, PHONE, shortOptions, sit } from './opening';
import { Party } from './party';
import { dice, pick } from './playing';
import { DESK, expectInPlace, LYING, SHORT } from './screen';
import { expect, test, type Page } from './serving';

/** More moves than a short match takes. */
const MOST_MOVES = 400;

for (const game of GAMES) {
  test(`${game}: how it ended fits on every screen, in every language`, async ({
    page,
    browser,
    baseURL,
  }) => {
    const made = await make(page, { game, seats: [ME, ME], options: shortOptions(game) });
    const party = new Party(page.request, made);
    await party.playOn(MOST_MOVES, dice(5));
    const { first = '' } = made.secrets;
    expect((await party.seenBy('first')).info.status).toBe('over');
    for (const locale of LANGUAGES) {
      const { page: one, context } = await another(browser, { baseURL, locale });
      await sit(one, game, { ...made, secrets: { first } });
      await expect(one.locator('[data-ended]')).toBeVisible();
      await expectInPlace(one, [DESK, PHONE.viewport, SHORT, LYING], `the end in ${locale}`);
      await context.close();
    }
  });
}

test('after a lost game: once more, an easier level, or how it went', async ({ page }) => {
  const made = await make(page, {
    game: 'osakana',
    seats: [ME, { kind: 'computer', player: '2' }],
  });
  await sit(page, 'osakana', made);
  await pick(page, 'C4', 'C3');
  await expect(page.locator('.frame.active')).toBeVisible();
  await new Party(page.request, made).order('first', { type: 'resign' });
  const result = page.locator('[data-ended]');
  await expect(result).toContainText('You lose');
  await expect(result.getByRole('link', { name: 'Replay' })).toBeVisible();
  await result.getByRole('button', { name: 'Easier: level 1' }).click();
  await expect(page).not.toHaveURL(new RegExp(made.match));
  await expect(page.getByText('Computer, level 1', { exact: true })).toBeVisible();

  await page.goto(`/match/${made.match}`);
  await page.getByRole('button', { name: 'Close' }).click();
  await expect(result).toHaveCount(0);
  // What can be done next is still there.
  await page.getByRole('button', { name: 'Play again' }).click();
  await expect(page).not.toHaveURL(new RegExp(made.match));
  await expect(page.getByText('Computer, level 2', { exact: true })).toBeVisible();
});

/** Counts what is heard instead of playing it. */
async function deafen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const heard: number[] = [];
    Object.assign(window, { heard });
    class Quiet extends AudioContext {
      override createOscillator(): OscillatorNode {
        const voice = super.createOscillator();
        heard.push(performance.now());
        return voice;
      }
    }
    window.AudioContext = Quiet;
    // Nobody has said yet whether they want sounds.
    if (location.protocol === 'http:' && sessionStorage.getItem('asked') === null) {
      localStorage.setItem('visavis.settings', JSON.stringify({ pace: 'off' }));
      sessionStorage.setItem('asked', 'yes');
    }
  });
}

async function heard(page: Page): Promise<number> {
  return page.evaluate(() => (window as unknown as { heard: number[] }).heard.length);
}

test('sounds are offered with the first game, and heard by who wants them', async ({ page }) => {
  await deafen(page);
  const made = await make(page, { game: 'osakana', seats: [ME, ME] });
  await sit(page, 'osakana', made);
  const offer = page.locator('[data-sound-offer]');
  await expect(offer).toBeVisible();
  await pick(page, 'C4', 'C3');
  await expect(page.locator('.moves li button')).toHaveCount(1);
  expect(await heard(page)).toBe(0);
  await expect(offer).toHaveCount(0);

  const next = await make(page, { game: 'osakana', seats: [ME, ME] });
  await sit(page, 'osakana', next);
  await offer.getByRole('button', { name: 'on' }).click();
  await expect(offer).toHaveCount(0);
  const sample = await heard(page);
  expect(sample).toBeGreaterThan(0);
  await pick(page, 'B3', 'B2');
  await expect.poll(() => heard(page)).toBeGreaterThan(sample);
  await page.reload();
  await expect(page.locator('.frame.active')).toBeVisible();
  await expect(offer).toHaveCount(0);
});
