/** Takes the pictures of the boards for the README: `npm run pictures -- readme`. */

import { writeFileSync } from 'node:fs';

import { make } from '../tests/opening';
import { expect, test, type Page } from '../tests/serving';

const FOLDER = new URL('../../docs/pictures/', import.meta.url);
/** The most that a picture may weigh, in bytes. */
const HEAVY = 120_000;

/** Matches between computers: of which game, how, and after how many moves the picture is taken. */
const PICTURES = [
  { game: 'osakana', eyes: 'open', at: 11 },
  { game: 'elements', eyes: 'first', at: 34, options: { quiet_limit: 12 } },
  { game: 'fortress', eyes: 'open', at: 19, options: { scenario: 'two-lakes' } },
  { game: 'dande', eyes: 'open', at: 24, options: { clock: 'off', ply_limit: 60 } },
  { game: 'stones', eyes: 'first', at: 40 },
];

/** The page as WebP, which Chromium writes but Playwright doesn't. */
async function photograph(page: Page): Promise<Buffer> {
  const png = (await page.screenshot({ animations: 'disabled' })).toString('base64');
  const webp = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.85);
  }, png);
  return Buffer.from(webp.replace(/^.*,/, ''), 'base64');
}

for (const { game, eyes, at, options = {} } of PICTURES) {
  test(game, async ({ page, request }) => {
    test.setTimeout(170_000);
    const player = { kind: 'computer', player: '3' } as const;
    const { match } = await make(page, { game, seats: [player, player], options });
    await expect
      .poll(
        async () => {
          const answer = await request.get(`/api/matches/${match}`);
          return ((await answer.json()) as { status: string }).status;
        },
        { timeout: 160_000 },
      )
      .toBe('over');
    await page.setViewportSize({ width: 1280, height: 720 });
    await page.goto(`/replay/${match}/${eyes}#${String(at)}`);
    await expect(page.locator('.frame svg').first()).toBeVisible();
    await page.waitForLoadState('networkidle');
    const picture = await photograph(page);
    expect(picture.length).toBeLessThan(HEAVY);
    writeFileSync(new URL(`${game}.webp`, FOLDER), picture);
  });
}
