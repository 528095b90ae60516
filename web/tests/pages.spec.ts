import { another, GAMES } from './opening';
import { expectReadable, overflowing } from './reading';
import { expect, test } from './serving';

/** Every language; what is drawn is the same in all, so both schemes in one will do. */
const LOOKS = [
  ['en', 'light'],
  ['en', 'dark'],
  ['ru', 'dark'],
  ['uk', 'light'],
  ['ja', 'dark'],
] as const;
const PAGES = [
  ...['/', '/lobby', '/learn', '/settings', '/nowhere'],
  ...GAMES.flatMap((game) => [`/learn/${game}`, `/play/${game}`]),
];

for (const [language, scheme] of LOOKS) {
  test(`every page in ${language}, ${scheme}: words for everything, and axe is content`, async ({
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
    for (const path of PAGES) {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      await expectReadable(page, language, path);
      expect(await overflowing(page), path).toEqual([]);
    }
    await context.close();
  });
}

test('the page can be left and come back to', async ({ page }) => {
  await page.goto('/');
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await page.getByLabel('Theme').selectOption('dark');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Two players, one board' })).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
});
