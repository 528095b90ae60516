/** Small screens: what matters is in sight, and nothing stands out over the edge. */

import { another, make, ME, PHONE } from './opening';
import { expect, test, type Page } from './serving';

async function expectNoOverhang(page: Page): Promise<void> {
  const [wanted, given] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    return [scrollWidth, clientWidth] as const;
  });
  expect(wanted).toBeLessThanOrEqual(given);
}

test('names of one long word stay within the lobby', async ({ browser, baseURL, page }) => {
  const name = 'M'.repeat(40);
  await make(page, { game: 'osakana', seats: [ME, { kind: 'open' }], name });
  const { page: phone, context } = await another(browser, { baseURL, ...PHONE });
  await phone.goto('/lobby');
  await expect(phone.getByText(name)).toBeVisible();
  await expectNoOverhang(phone);
  await context.close();
});
