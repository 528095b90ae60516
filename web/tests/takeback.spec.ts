/** Taking back: at once against the computer and on one screen; where it can't be, it is said why. */

import { LANGUAGES } from '../src/i18n/catalogue';
import { another, COMPUTER, ME, open, PHONE } from './opening';
import { pick } from './playing';
import { DESK, expectInPlace, LYING, SHORT } from './screen';
import { expect, test } from './serving';

test('the computer lets one take back at once', async ({ page }) => {
  await open(page, 'osakana', [ME, COMPUTER]);
  const back = page.getByRole('button', { name: 'Take back' });
  await expect(back).toBeDisabled();
  await pick(page, 'C4', 'C3');
  await expect(page.locator('.moves li button')).toHaveCount(2);
  await back.click();
  await expect(page.locator('.moves li button')).toHaveCount(0);
  await expect(page.locator('.frame.active')).toBeVisible();
  await expect(back).toBeDisabled();
});

test('on one screen a move is taken back with one click', async ({ page }) => {
  await open(page, 'osakana', [ME, ME]);
  await pick(page, 'C4', 'C3');
  await expect(page.locator('.moves li button')).toHaveCount(1);
  await page.getByRole('button', { name: 'Take back' }).click();
  await expect(page.locator('.moves li button')).toHaveCount(0);
  await pick(page, 'C4', 'C3');
  await expect(page.locator('.moves li button')).toHaveCount(1);
});

test('what chance has shown is not taken back, and that is said', async ({ page }) => {
  await open(page, 'stones', [ME, COMPUTER]);
  const back = page.getByRole('button', { name: 'Take back' });
  await expect(back).toHaveAttribute('aria-disabled', 'true');
  await back.click({ force: true }); // whoever tries all the same is told
  await expect(page.getByRole('alert')).toContainText("A roll can't be taken back");
});

for (const language of LANGUAGES) {
  test(`a finger that can’t take back is told why in ${language}`, async ({ browser, baseURL }) => {
    const { page, context } = await another(browser, { baseURL, locale: language, ...PHONE });
    const said = new Set<string>();
    for (const game of ['osakana', 'stones']) {
      await open(page, game, [ME, COMPUTER]);
      await expect(page.locator('.frame.active')).toBeVisible();
      // Playwright waits for buttons that say they can't be used; fingers don't.
      await page.locator('.bar button[aria-disabled=true]').tap({ force: true });
      const why = page.getByRole('alert');
      await expect(why).toBeVisible();
      said.add((await why.textContent()) ?? '');
      await expectInPlace(page, [PHONE.viewport, SHORT, LYING, DESK], `told why in ${game}`);
      await expect(why).toBeInViewport({ ratio: 1 });
      await page.setViewportSize(PHONE.viewport);
    }
    expect(said.size).toBe(2);
    await context.close();
  });
}
