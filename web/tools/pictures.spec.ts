/**
 * Pictures to be looked at: every game in mid-play and at its end, on a desk and on a phone, light
 * and dark, in every language. They lie in `test-results/pictures/`, with a sheet for each game.
 */

import { mkdirSync, readFileSync } from 'node:fs';

import { another, GAMES, make, ME, PHONE, sit } from '../tests/opening';
import { Party } from '../tests/party';
import { dice, shown } from '../tests/playing';
import { DESK } from '../tests/screen';
import { expect, test, type Page } from '../tests/serving';

const FOLDER = new URL('../test-results/pictures/', import.meta.url).pathname;
const LANGUAGES = ['en', 'ru', 'uk', 'ja'];
const SCHEMES = ['light', 'dark'] as const;
const SIZES = [
  ['desk', DESK],
  ['phone', PHONE.viewport],
] as const;
/** Enough for captures, battles and groups; and what a match takes that ends by itself. */
const MIDDLE = 11;
const LONGEST = 260;
/** How wide four pictures are together, in pixels. */
const SHEET = 1480;

type Shot = readonly [size: string, path: string];

async function shoot(page: Page, name: string): Promise<Shot[]> {
  const shots: Shot[] = [];
  for (const [size, viewport] of SIZES) {
    await page.setViewportSize(viewport);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      const path = `${FOLDER}${name}-${size}-${colorScheme}.png`;
      await page.screenshot({ path });
      shots.push([size, path]);
    }
  }
  return shots;
}

/** Puts pictures of one size together. */
async function lay(page: Page, shots: readonly Shot[], size: string, name: string): Promise<void> {
  const found = shots.filter(([of]) => of === size);
  const width = Math.floor(SHEET / (size === 'desk' ? 2 : 4));
  const images = found.map(([, path]) => {
    const data = readFileSync(path).toString('base64');
    return `<img width="${String(width - 4)}" style="margin:2px" src="data:image/png;base64,${data}">`;
  });
  await page.setViewportSize({ width: SHEET, height: 100 });
  await page.setContent(`<body style="margin:0;background:#777;font-size:0">${images.join('')}`);
  await page.screenshot({ path: `${FOLDER}sheet-${name}-${size}.png`, fullPage: true });
}

for (const game of GAMES) {
  for (const language of LANGUAGES) {
    test(`${game} in ${language}`, async ({ browser, baseURL }) => {
      test.setTimeout(300_000);
      mkdirSync(FOLDER, { recursive: true });
      const { page, context } = await another(browser, {
        baseURL,
        locale: language,
        reducedMotion: 'reduce',
      });
      const made = await make(page, { game, seats: [ME, ME] });
      const party = new Party(page.request, made);
      const { first = '' } = made.secrets;
      await sit(page, game, { ...made, secrets: { first } });
      await expect(page.locator('.frame.active')).toBeVisible();
      await shown(page, await party.playOn(MIDDLE, dice(8)));
      expect((await party.seenBy('first')).info.status).toBe('running');
      const middle = await shoot(page, `${game}-${language}-middle`);
      await shown(page, await party.playOn(LONGEST, dice(8)));
      if ((await party.seenBy('first')).info.status === 'running') {
        await party.order('second', { type: 'resign' });
      }
      await expect(page.locator('[data-ended]')).toBeVisible();
      const end = await shoot(page, `${game}-${language}-end`);
      const desk = await context.newPage();
      for (const [size] of SIZES) await lay(desk, [...middle, ...end], size, `${game}-${language}`);
      await context.close();
    });
  }
}
