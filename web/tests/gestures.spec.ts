/** Pieces are dragged on every board, and tokens turned with two fingers. */

import { another, COMPUTER, GAMES, make, ME, PHONE, sit } from './opening';
import { expect, test, type Page } from './serving';

/** Options with pieces to drag, where the usual game has none. */
const OPTIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  fortress: { scenario: 'river' },
  dande: { clock: 'off' },
};

/** Where the pointer takes a key: the middle of what stands for it. */
async function middle(page: Page, key: string): Promise<{ x: number; y: number }> {
  const element = page.locator(`.frame [data-key="${key}"]`).first();
  const marked = element.locator('[data-middle]');
  const target = (await marked.count()) > 0 ? marked.first() : element;
  const { x, y, width, height } = (await target.boundingBox()) ?? new DOMRect();
  return { x: x + width / 2, y: y + height / 2 };
}

type Spot = Awaited<ReturnType<typeof middle>>;

async function drag(page: Page, start: Spot, end: Spot): Promise<void> {
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move((start.x + end.x) / 2, (start.y + end.y) / 2);
  await page.mouse.move(end.x, end.y);
  await page.mouse.up();
}

test('a dragged piece is above all others, wherever it goes', async ({ page }) => {
  await sit(page, 'dande', await make(page, { game: 'dande', seats: [ME, ME], options: { clock: 'off' } })); // prettier-ignore
  await expect(page.locator('.frame.active')).toBeVisible();
  const [start, end] = [await middle(page, 'a2'), await middle(page, 'e8')];
  await page.mouse.move(start.x, start.y);
  await page.mouse.down();
  await page.mouse.move(end.x, end.y, { steps: 3 });
  const lifted = page.locator('.frame [data-lifted]');
  const box = (await lifted.boundingBox()) ?? new DOMRect();
  expect(Math.hypot(box.x + box.width / 2 - end.x, box.y + box.height / 2 - end.y)).toBeLessThan(9);
  // What is drawn later is drawn above.
  const later = await lifted.evaluate(
    (piece) =>
      [...document.querySelectorAll('.frame [data-piece], .frame [data-key]')].filter(
        (one) => one.compareDocumentPosition(piece) & Node.DOCUMENT_POSITION_PRECEDING,
      ).length,
  );
  expect(later).toBe(0);
  await page.mouse.up();
  await expect(lifted).toHaveCount(0);
  await expect(page.locator('.frame [data-away]')).toHaveCount(0);
});

for (const game of GAMES) {
  test(`${game}: a piece is dragged to where it can go`, async ({ page }) => {
    const options = OPTIONS[game] ?? {};
    await sit(page, game, await make(page, { game, seats: [ME, COMPUTER], options }));
    await expect(page.locator('.frame.active')).toBeVisible();
    const done = page.locator('[data-done]');
    if ((await done.count()) > 0) await done.click();
    const lit = page.locator('.frame.active [data-lit]');
    await expect(lit).not.toHaveCount(0);
    const from = await lit.evaluateAll(
      (all) =>
        (all as SVGElement[])
          .map(({ dataset }) => dataset.key ?? '')
          .find((key) => document.querySelector(`[data-piece="${key}"]`) !== null) ?? '',
    );
    const start = await middle(page, from);
    await page.mouse.click(start.x, start.y);
    const end = await middle(page, (await lit.last().getAttribute('data-key')) ?? '');
    await page.keyboard.press('Escape');
    await expect(page.locator('.frame [data-picked]')).toHaveCount(0);

    const moves = page.locator('.moves li button');
    const before = await moves.count();
    await drag(page, start, end);
    // A move, or one that waits for a word more; a drag that led nowhere leaves nothing picked.
    const picked = page.locator('.frame [data-picked]');
    await expect
      .poll(async () => (await moves.count()) - before + (await picked.count()))
      .toBeGreaterThan(0);
    await expect(page.locator('.frame [data-lifted]')).toHaveCount(0);
  });
}

test('stones: two fingers turn a token', async ({ browser, baseURL }) => {
  const { page, context } = await another(browser, { baseURL, ...PHONE });
  await sit(page, 'stones', await make(page, { game: 'stones', seats: [ME, COMPUTER] }));
  const lit = page.locator('.frame.active [data-lit]');
  await lit.first().tap();
  await page.locator('.frame.active [data-cell="C3"]').tap();
  await expect(lit).toHaveAttribute('data-key', 'r0');
  const client = await context.newCDPSession(page);
  const { x, y } = await middle(page, 'r0');
  const fingers = (turn: number): { x: number; y: number; id: number }[] =>
    [0, Math.PI].map((side, id) => ({
      x: x + 50 * Math.cos(turn + side),
      y: y + 50 * Math.sin(turn + side),
      id,
    }));
  await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: fingers(0) });
  for (const turn of [0.3, 0.6, 0.9, 1.2]) {
    await client.send('Input.dispatchTouchEvent', {
      type: 'touchMove',
      touchPoints: fingers(turn),
    });
  }
  await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect(lit).toHaveAttribute('data-key', 'r1');
  await context.close();
});
