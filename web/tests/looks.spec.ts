/** Boards and pieces can be had in several looks: chosen once, kept, and all of them readable. */

import { faint } from './contrast';
import { BOARDS, looksOf, piecesOf, wear } from './looks';
import { GAMES, make, ME, sit } from './opening';
import { Party } from './party';
import { dice, shown } from './playing';
import { expect, test } from './serving';

// Close up, so that small letters have some pixels of their own colour.
test.use({ deviceScaleFactor: 3 });

for (const game of GAMES) {
  test(`${game}: every look has contrast, light and dark`, async ({ page }) => {
    expect(BOARDS.length).toBeGreaterThanOrEqual(3);
    expect(piecesOf(game).length).toBeGreaterThanOrEqual(3);
    const made = await make(page, { game, seats: [ME, ME] });
    const { first = '' } = made.secrets;
    await sit(page, game, { ...made, secrets: { first } });
    await shown(page, await new Party(page.request, made).playOn(17, dice(8)));
    for (const look of looksOf(game)) {
      await wear(page, game, look);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await expect(page.locator('html')).toHaveAttribute('data-theme', colorScheme);
        const name = [game, look.board, look.pieces, colorScheme].join('-');
        const path = `test-results/look-${name}.png`;
        expect.soft(await faint(page, path), name).toEqual([]);
      }
    }
  });
}

test('looks are chosen in the settings and kept', async ({ page }) => {
  await page.goto('/settings');
  await page.getByLabel('Boards').selectOption('wood');
  await page.getByLabel('Pieces: Stones').selectOption('gems');
  await page.reload();
  await expect(page.getByLabel('Boards')).toHaveValue('wood');
  await expect(page.getByLabel('Pieces: Stones')).toHaveValue('gems');
  await page.goto('/learn/stones');
  await expect(page.locator('html')).toHaveAttribute('data-board', 'wood');
  await expect(page.locator('.frame .stone .lit').first()).toBeVisible();
});
