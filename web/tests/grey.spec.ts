/** No information by colour alone: in greys, what belongs to one player still looks different. */

import { looksOf, wear } from './looks';
import { GAMES, make, ME, sit } from './opening';
import { expect, test, type Page } from './serving';

interface Sample {
  readonly options?: Readonly<Record<string, string | number>>;
  /** Keys in pairs: alike but for whose they are, or for their colour. */
  readonly differ: readonly (readonly [string, string])[];
  /** Keys of one player that look alike: without them, a difference would prove nothing. */
  readonly same: readonly [string, string];
  /** What is looked at: the piece on the key, or the cell itself. */
  readonly part: 'piece' | 'key';
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  osakana: {
    differ: [
      ['C4', 'A1'],
      ['B4', 'B1'],
      ['A4', 'C1'],
      ['B3', 'B2'],
    ],
    same: ['B3', 'B3'],
    part: 'piece',
  },
  elements: {
    differ: [
      ['A1', 'B1'],
      ['A0', 'B0'],
    ],
    same: ['A1', 'A2'],
    part: 'piece',
  },
  dande: {
    options: { clock: 'off' },
    differ: [
      ['d1', 'e8'],
      ['e1', 'd8'],
      ['a2', 'a7'],
      ['d2', 'd7'],
    ],
    same: ['a2', 'b2'],
    part: 'piece',
  },
  fortress: {
    options: { scenario: 'young:9x8:18:B4:H5' },
    differ: [
      ['A4', 'G5'],
      ['A4', 'E4'],
      ['G5', 'E4'],
    ],
    same: ['E4', 'E5'],
    part: 'key',
  },
};

// Close up and then made small, so that half a pixel here or there counts for little.
test.use({ deviceScaleFactor: 3 });

/** How far apart two greys must be to be told apart, of 255, and on how much of the piece. */
const APART = 40;
const SHARE = 0.04;

/** Hides everything but what is looked at. */
async function alone(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '.frame svg * { visibility: hidden } ' +
        '.frame svg [data-shown], .frame svg [data-shown] * { visibility: visible !important }',
    );
    document.adoptedStyleSheets.push(sheet);
  });
}

/** A picture of one thing, in greys. */
async function greys(page: Page, wanted: string): Promise<number[]> {
  const box = await page.evaluate((query) => {
    const thing = document.querySelector(query);
    if (thing === null) throw new Error(`${query} is not there`);
    for (const old of document.querySelectorAll('[data-shown]')) old.removeAttribute('data-shown');
    thing.setAttribute('data-shown', '');
    thing.scrollIntoView({ block: 'center', behavior: 'instant' });
    const { x, y, width, height } = thing.getBoundingClientRect();
    return { x: x + width / 2, y: y + height / 2, side: Math.max(width, height) };
  }, wanted);
  const side = Math.round(box.side);
  const clip = { x: Math.round(box.x - side / 2), y: Math.round(box.y - side / 2) };
  const png = await page.screenshot({ clip: { ...clip, width: side, height: side } });
  return page.evaluate(async (bytes) => {
    const size = 20;
    const image = await createImageBitmap(new Blob([new Uint8Array(bytes)]));
    const canvas = new OffscreenCanvas(size, size);
    const context = canvas.getContext('2d');
    if (context !== null) context.imageSmoothingQuality = 'high';
    context?.drawImage(image, 0, 0, size, size);
    const { data } = context?.getImageData(0, 0, size, size) ?? { data: [] as number[] };
    return Array.from({ length: size * size }, (_, i) => {
      const [r = 0, g = 0, b = 0] = [data[4 * i], data[4 * i + 1], data[4 * i + 2]];
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    });
  }, Array.from(png));
}

/** On how much of two pictures the greys are apart. */
function difference(one: readonly number[], other: readonly number[]): number {
  return one.filter((grey, i) => Math.abs(grey - (other[i] ?? 0)) > APART).length / one.length;
}

for (const scheme of ['light', 'dark'] as const) {
  for (const game of GAMES) {
    test(`${game}, ${scheme}: told apart in greys, whatever it looks like`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
      const sample = SAMPLES[game];
      if (sample === undefined) return;
      const options = sample.options ?? {};
      // A spectator sees as little of one side as of the other.
      const made = await make(page, { game, seats: [ME, ME], options });
      await sit(page, game, { ...made, secrets: {} });
      for (const look of looksOf(game)) {
        // The board has no part in how pieces differ.
        if (sample.part === 'piece' && look.board !== 'own') continue;
        await wear(page, game, look);
        await expect(page.locator('.frame')).toBeVisible();
        if (sample.part === 'piece') await alone(page);
        const grey = (key: string): Promise<number[]> =>
          greys(page, `.frame [data-${sample.part}="${key}"]`);
        const [one, other] = sample.same;
        expect(difference(await grey(one), await grey(other))).toBeLessThan(SHARE);
        for (const [mine, yours] of sample.differ) {
          const apart = difference(await grey(mine), await grey(yours));
          expect(apart, `${mine} and ${yours}, ${look.board}, ${look.pieces}`).toBeGreaterThan(
            2 * SHARE,
          );
        }
      }
    });
  }
}

for (const scheme of ['light', 'dark'] as const) {
  test(`stones, ${scheme}: every colour has a shape of its own`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto('/learn/stones');
    await wear(page, 'stones', { board: 'own', pieces: 'shapes' });
    await expect(page.locator('.frame .stone.V').first()).toBeVisible();
    await page.locator('main').evaluate((main) => (main.style.filter = 'grayscale(1)'));
    await alone(page);
    // The first of each colour in one diagram, where all are drawn to one scale.
    const looks = new Map<string, number[]>();
    for (const colour of 'RYGBV') looks.set(colour, await greys(page, `.frame .stone.${colour}`));
    const all = [...looks];
    for (const [i, [one, seen]] of all.entries()) {
      expect(difference(seen, await greys(page, `.frame .stone.${one}`))).toBeLessThan(SHARE);
      for (const [other, different] of all.slice(i + 1)) {
        expect(difference(seen, different), `${one} and ${other}`).toBeGreaterThan(2 * SHARE);
      }
    }
  });
}
