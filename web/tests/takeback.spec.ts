/** Taking back: at once against the computer and on one screen; where it can't be, it is said why. */

import { COMPUTER, ME, open } from './opening';
import { pick } from './playing';
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
