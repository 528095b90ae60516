import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { expect, test, type Page } from './serving';

const LANGUAGES = ['en', 'ru', 'uk', 'ja'];
const PAGES = ['/', '/lobby', '/learn', '/settings'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe: engine } = window as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await engine.run();
    return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`);
  });
}

/** Keys of a catalogue that stand on the page because nobody has put them into words. */
function isKey(word: string): boolean {
  return /^(nav|home|play|match|learn|settings|line|lobby|reason|tell|name|option|pieces|side)\.[a-z_.]+$/.test(word); // prettier-ignore
}

for (const language of LANGUAGES) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`every page in ${language}, ${scheme}: words for everything, and axe is content`, async ({
      browser,
      baseURL,
    }) => {
      const context = await browser.newContext({
        baseURL,
        locale: language,
        colorScheme: scheme,
        reducedMotion: 'reduce',
        bypassCSP: true,
      });
      const page = await context.newPage();
      const { games } = (await (await page.request.get('/api/games')).json()) as {
        games: { slug: string }[];
      };
      const more = games.flatMap(({ slug }) => [`/learn/${slug}`, `/play/${slug}`]);
      for (const path of [...PAGES, ...more]) {
        await page.goto(path);
        await page.waitForLoadState('networkidle');
        await expect(page.locator('html')).toHaveAttribute('lang', language);
        const words = (await page.locator('body').innerText()).split(/\s+/);
        expect(words.filter(isKey), path).toEqual([]);
        expect(await violations(page), path).toEqual([]);
      }
      await context.close();
    });
  }
}

test('the first load is light, and nobody else is asked for anything', async ({
  page,
  baseURL,
}) => {
  let bytes = 0;
  const elsewhere: string[] = [];
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  page.on('request', (request) => {
    if (!request.url().startsWith(baseURL)) elsewhere.push(request.url());
  });
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  expect(elsewhere).toEqual([]);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(200_000);
});

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
