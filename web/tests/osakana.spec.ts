import { another } from './opening';
import { byClick, dice, isOver, pick, playOut } from './playing';
import { expect, test } from './serving';

const GAME = 'osakana';

test('by dragging', async ({ page }) => {
  await page.goto(`/play/${GAME}`);
  await page.getByRole('radio', { name: 'Two on this screen' }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('[data-key="B3"]').dragTo(page.locator('[data-key="B2"]'));
  await expect(page.locator('.moves li')).toHaveCount(1);
  await expect(page.locator('.moves')).toContainText('B3–B2');
  await expect(page.locator('[data-key="first:I"]')).toHaveAccessibleName(/: 1$/);
});

test('a friend by link, and both see the end', async ({ page, browser, baseURL }) => {
  await page.goto(`/play/${GAME}`);
  await page.getByRole('radio', { name: 'A friend, by link' }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page).toHaveURL(/\/match\//);
  await expect(page.getByRole('textbox')).toHaveValue(/\/match\//);
  const link = await page.getByRole('textbox').inputValue();
  const { page: friend } = await another(browser, { baseURL });
  await friend.goto(link);
  await friend.getByRole('button', { name: 'Take the seat' }).click();
  await expect(friend).toHaveURL(/\/match\/[^#]+$/);
  await expect(page.locator('.frame.active')).toBeVisible();
  await playOut([page, friend], { press: byClick, roll: dice(3) });
  await page.getByRole('button', { name: 'Rematch' }).click();
  await friend.getByRole('button', { name: 'Rematch' }).click();
  await expect(friend.locator('.frame.active')).toBeVisible();
  await expect(page).toHaveURL(friend.url());
  await friend.context().close();
});

test('by typing, in either spelling', async ({ page }) => {
  await page.goto(`/play/${GAME}`);
  await page.getByRole('radio', { name: 'Two on this screen' }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('tab', { name: 'More' }).click();
  const box = page.getByRole('textbox', { name: 'Type a move' });
  await box.fill('KC4C2');
  await box.press('Enter');
  await expect(page.getByRole('alert')).toContainText('not a legal move');
  await box.fill('kc4c3');
  await box.press('Enter');
  await expect(page.locator('.moves')).toContainText('C4–C3');
  await box.fill('い↓B2B3');
  await box.press('Enter');
  await expect(page.locator('.moves')).toContainText('B2–B3');
});

/** Both flounders step out and back: nobody comes to harm. */
const FLOUNDERS = [
  ['C4', 'C3'],
  ['A1', 'A2'],
  ['C3', 'C4'],
  ['A2', 'A1'],
] as const;

test('earlier positions can be looked at by arrows', async ({ page }) => {
  await page.goto(`/play/${GAME}`);
  await page.getByRole('radio', { name: 'Two on this screen' }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  for (const [number, [from, to]] of FLOUNDERS.entries()) {
    await pick(page, from, to);
    await expect(page.locator('.moves li button')).toHaveCount(number + 1);
  }
  await page.reload();
  await expect(page.locator('.moves li button')).toHaveCount(4);
  await page.locator('h1').press('ArrowLeft');
  await expect(page.locator('.moves [aria-current]')).toHaveText(
    await page.locator('.moves li button').nth(2).innerText(),
  );
  await page.keyboard.press('Home');
  await expect(page.locator('[data-key="B3"]')).toHaveAccessibleName(/young yellowtail \(first\)/);
  await page.keyboard.press('End');
  await expect(page.locator('.moves [aria-current]')).toHaveText(
    await page.locator('.moves li button').nth(3).innerText(),
  );
  expect(await isOver(page)).toBe(false);
});
