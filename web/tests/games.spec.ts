import { readFileSync } from 'node:fs';

import { byClick, byTouch, dice, playOut } from './playing';
import { expect, test, type Page } from './serving';

/** Options that make a match short, where the usual one is long. */
const SHORT = JSON.parse(readFileSync(new URL('short.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, string | number>>>
>;

interface Seat {
  kind: string;
  player?: string;
}

/** Creates a match and opens it, as the page would have done. */
async function open(page: Page, game: string, seats: [Seat, Seat]): Promise<void> {
  const answer = await page.request.post('/api/matches', {
    data: { game, seats, options: SHORT[game] ?? {} },
  });
  expect(answer.status(), await answer.text()).toBe(201);
  const made = (await answer.json()) as { match: string; secrets: object; invitations: object };
  await page.goto('/settings');
  await page.evaluate(
    (entry) => {
      localStorage.setItem('visavis.matches', JSON.stringify([entry]));
    },
    { ...made, game, at: Date.now(), over: false },
  );
  await page.goto(`/match/${made.match}`);
  await expect(page.locator('.frame, [role=alertdialog]').first()).toBeVisible();
}

for (const game of Object.keys(SHORT)) {
  test(`${game} against the computer, by clicks`, async ({ page }) => {
    test.setTimeout(240_000);
    await open(page, game, [{ kind: 'me' }, { kind: 'computer', player: '1' }]);
    await page.screenshot({ path: `test-results/${game}-start.png` });
    await playOut([page], { press: byClick, roll: dice(4) }, 1500);
    await page.screenshot({ path: `test-results/${game}-end.png` });
  });

  test(`${game} by two on one phone, by touch`, async ({ browser, baseURL }) => {
    test.setTimeout(240_000);
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const context = await browser.newContext({ baseURL, ...phone });
    const page = await context.newPage();
    await open(page, game, [{ kind: 'me' }, { kind: 'me' }]);
    await playOut([page], { press: byTouch, roll: dice(9) }, 1500);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(
      390,
    );
    await page.screenshot({ path: `test-results/${game}-phone.png`, fullPage: true });
    await context.close();
  });
}
