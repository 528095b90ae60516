/** What stands on the page can be read by who reads the language, and says whose it is. */

import { LANGUAGES } from '../src/i18n/catalogue';
import { another, GAMES, make, ME, open, PHONE, sit } from './opening';
import { Party } from './party';
import { dice, pick, shown } from './playing';
import { DESK, expectInPlace, LYING, SHORT } from './screen';
import { expect, test, type Page } from './serving';

/** Opens a match as first; the other one is played by the test. */
async function begin(page: Page, game: string): Promise<Party> {
  const made = await make(page, { game, seats: [ME, ME] });
  const { first = '' } = made.secrets;
  await sit(page, game, { ...made, secrets: { first } });
  await expect(page.locator('.frame.active')).toBeVisible();
  return new Party(page.request, made);
}

for (const game of GAMES) {
  test(`${game}: each side keeps its column, whatever chance does`, async ({ page }) => {
    const party = await begin(page, game);
    await shown(page, await party.playOn(9, dice(6)));
    await page.getByRole('tab', { name: 'Moves' }).click();
    await expect(page.locator('.moves [aria-current]')).toBeInViewport();
    await expect(page.locator('.moves .name')).toHaveText(['you', 'opponent']);
    const { position } = await party.seenBy('first');
    for (const seat of ['first', 'second'] as const) {
      const cells = page.locator(`.moves [data-column=${seat}]`);
      const lefts = await cells.evaluateAll((all) =>
        all.map((one) => one.getBoundingClientRect().x),
      );
      expect(new Set(lefts).size).toBe(1);
      const titles = await cells
        .locator('button')
        .evaluateAll((all) => all.map((one) => one.getAttribute('title')));
      const own = position?.moves.filter((move) => move.seat === seat) ?? [];
      expect(own.length).toBeGreaterThan(0);
      expect(titles).toEqual(expect.arrayContaining(own.map(({ text }) => text)));
      const others = position?.moves.filter((move) => move.seat !== null && move.seat !== seat);
      // A set-up that is hidden has the same text on both sides.
      for (const { text } of others ?? []) if (/\d/.test(text)) expect(titles).not.toContain(text);
    }
  });
}

test('moves are written in words, and as the author did for who wants that', async ({ page }) => {
  await open(page, 'osakana', [ME, ME]);
  await pick(page, 'C4', 'C3');
  await page.getByRole('tab', { name: 'Moves' }).click();
  const move = page.locator('.moves li button');
  await expect(move).toHaveText('flounder C4–C3');
  await expect(move).toHaveAttribute('title', 'か↑C4C3');
  await page.getByRole('tab', { name: 'More' }).click();
  await page.getByRole('checkbox', { name: /author’s notation/ }).check();
  await page.getByRole('tab', { name: 'Moves' }).click();
  await expect(move).toHaveText('か↑C4C3');
});

const LETTERS = { en: 'Wo', ru: 'Д', uk: 'Д', ja: '木' } as const;
const RED = { en: 'R', ru: 'К', uk: 'Ч', ja: '赤' } as const;
const LISTED = { en: 'flounder C4–C3', ru: 'камбала C4–C3', uk: 'камбала C4–C3', ja: 'か↑C4C3' };

for (const language of LANGUAGES) {
  test(`moves, elements and stones have the letters of ${language}`, async ({
    browser,
    baseURL,
  }) => {
    const { page, context } = await another(browser, { baseURL, locale: language, ...PHONE });
    const party = await begin(page, 'elements');
    // That the other one is ready takes room as well.
    await shown(page, await party.move('second', 'MEWAFEAWMFEAMFW'));
    await expect(page.locator('.frame .glyph.W text').first()).toHaveText(LETTERS[language]);
    // Each ready-made set-up says what it is for, and nothing is cut by that.
    const sizes = [PHONE.viewport, SHORT, LYING, DESK];
    const words = page.locator('.frame .legend');
    const said = new Set<string>();
    for (const i of [0, 1, 2]) {
      const formation = page.locator('.frame.active [role=button]:not([data-key])').nth(i);
      const label = (await formation.getAttribute('aria-label')) ?? '';
      await formation.click();
      const first = words.nth(2);
      await expect(first).toContainText(label);
      said.add((await first.textContent()) ?? '');
      await expectInPlace(page, sizes, label);
      await page.setViewportSize(SHORT);
      await expect(page.locator('.table > .words [role=status]')).toContainText(label);
      await page.setViewportSize(LYING);
      await expect(page.locator('.table > .words [role=status]')).toContainText(label);
      await page.setViewportSize(PHONE.viewport);
    }
    expect(said.size).toBe(3);
    await shown(page, await party.playOn(2, dice(1)));
    await context.close();
    const { page: desk, context: other } = await another(browser, { baseURL, locale: language });
    await open(desk, 'osakana', [ME, ME]);
    await pick(desk, 'C4', 'C3');
    await desk.getByRole('tab').first().click();
    await expect(desk.locator('.moves li button')).toHaveText(LISTED[language]);
    await desk.goto('/learn/stones');
    await expect(desk.locator('.stone.R .letter').first()).toHaveText(RED[language]);
    await other.close();
  });
}

test('rules have a table of contents that leads somewhere', async ({ page }) => {
  for (const game of GAMES) {
    await page.goto(`/learn/${game}`);
    const links = page.getByRole('navigation', { name: 'Contents' }).getByRole('link');
    await expect(links.first()).toBeVisible();
    expect(await links.count()).toBeGreaterThan(2);
    const last = links.last();
    await last.click();
    const heading = page.getByRole('heading', { name: await last.innerText(), exact: true });
    await expect(heading).toBeFocused();
    await expect(heading).toBeInViewport();
  }
});

test('what can’t be taken back does not look as if it could', async ({ page }) => {
  await open(page, 'stones', [ME, ME]);
  await expect(page.getByRole('button', { name: 'Take back' })).toHaveCSS('opacity', '0.5');
});
