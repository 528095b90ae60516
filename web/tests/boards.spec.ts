/** Every board in every language, on a desk and on a phone: all is there, and can be read. */

import { another, GAMES, make, ME, PHONE, sit } from './opening';
import { Party } from './party';
import { dice, shown } from './playing';
import { expectReadable, overflowing } from './reading';
import { DESK, expectInPlace, LYING, SHORT } from './screen';
import { expect, test } from './serving';

const SIZES = [DESK, PHONE.viewport, LYING, SHORT];
/** Enough for captures, battles and groups. */
const MOVES = 36;

/** Each language in one scheme is read; pictures are taken in both. */
const LOOKS = [
  ['en', 'light'],
  ['ru', 'dark'],
  ['uk', 'light'],
  ['ja', 'dark'],
] as const;
const SCHEMES = ['light', 'dark'] as const;

for (const game of GAMES) {
  for (const [language, scheme] of LOOKS) {
    test(`${game} in ${language}, ${scheme}: readable from start to end`, async ({
      browser,
      baseURL,
    }) => {
      const { page, context } = await another(browser, {
        baseURL,
        locale: language,
        colorScheme: scheme,
        reducedMotion: 'reduce',
        bypassCSP: true,
      });
      const made = await make(page, { game, seats: [ME, ME] });
      const party = new Party(page.request, made);
      const { first = '' } = made.secrets;
      await sit(page, game, { ...made, secrets: { first } });
      await expect(page.locator('.frame.active')).toBeVisible();
      await expectReadable(page, language, 'at the start');
      await expectInPlace(page, SIZES, 'at the start');

      await shown(page, await party.playOn(MOVES, dice(8)));
      await expectInPlace(page, SIZES, 'after some moves');
      for (const [name, viewport] of [
        ['desk', DESK],
        ['phone', PHONE.viewport],
      ] as const) {
        await page.setViewportSize(viewport);
        await expect.poll(() => overflowing(page), name).toEqual([]);
        for (const colorScheme of SCHEMES) {
          await page.emulateMedia({ colorScheme });
          const path = `test-results/${game}-${name}-${language}-${colorScheme}.png`;
          await page.screenshot({ path });
        }
      }
      await page.emulateMedia({ colorScheme: scheme });

      if ((await page.locator('[data-ended]').count()) === 0) {
        await party.order('second', { type: 'offer_draw' });
        await expect(page.getByRole('alertdialog')).toBeVisible();
        await expectReadable(page, language, 'when asked for a draw');
        await expectInPlace(page, SIZES, 'when asked for a draw');
        await party.order('second', { type: 'resign' });
      }
      await expect(page.locator('[data-ended]')).toBeVisible();
      await expectInPlace(page, [...SIZES, DESK], 'after the end');
      await page.locator('details').evaluateAll((all) => {
        for (const one of all as HTMLDetailsElement[]) one.open = true;
      });
      for (const tab of await page.getByRole('tab').all()) {
        await tab.click();
        await expectReadable(page, language, 'after the end');
      }
      await context.close();
    });
  }
}
