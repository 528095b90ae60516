/** Reading drawings as those do who see little: what is written, and what stands on what. */

import type { Page } from './serving';

/** The least contrast of texts, of large ones, and of pieces on their ground: WCAG 2, AA. */
const LEAST = { text: 4.5, large: 3, piece: 3 };

/** What is too faint to be read or seen in the drawings of a frame, with its contrast; a picture is kept. */
export async function faint(page: Page, path: string): Promise<string[]> {
  const frame = page.locator('.frame').first();
  const box = await frame.boundingBox();
  const png = (await frame.screenshot({ path })).toString('base64');
  return page.evaluate(
    async ([data, least, left, top]) => {
      type Colour = readonly number[];
      const image = new Image();
      image.src = `data:image/png;base64,${data}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      if (context === null) throw new Error('no canvas');
      context.drawImage(image, 0, 0);

      const parse = (text: string): Colour | null => {
        const [r, g, b, alpha = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
        return text.startsWith('rgb') && alpha > 0 ? [r ?? 0, g ?? 0, b ?? 0, alpha] : null;
      };
      const linear = (part = 0): number =>
        part <= 10 ? part / 3294 : ((part / 255 + 0.055) / 1.055) ** 2.4;
      const light = ([r, g, b]: Colour): number =>
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
      const contrast = (one: Colour, other: Colour): number => {
        const [dark = 0, bright = 0] = [light(one), light(other)].sort((a, b) => a - b);
        return (bright + 0.05) / (dark + 0.05);
      };
      const near = (one: Colour, other: Colour): boolean =>
        [0, 1, 2].every((i) => Math.abs((one[i] ?? 0) - (other[i] ?? 0)) < 12);

      /** The colour that is there most, but for those that don't count. */
      const ground = (area: DOMRect, but: Colour): Colour | null => {
        const x = Math.max(0, Math.floor((area.x - left) * devicePixelRatio));
        const y = Math.max(0, Math.floor((area.y - top) * devicePixelRatio));
        const [width, height] = [area.width, area.height].map((side) =>
          Math.max(1, Math.round(side * devicePixelRatio)),
        ) as [number, number];
        const pixels = context.getImageData(x, y, width, height).data;
        const counts = new Map<string, number>();
        for (let i = 0; i < pixels.length; i += 4) {
          const colour = [...pixels.slice(i, i + 3)];
          if (pixels[i + 3] === 0 || near(colour, but)) continue;
          const key = colour.join();
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
        const [most] = [...counts].sort(([, a], [, b]) => b - a);
        return most === undefined ? null : most[0].split(',').map(Number);
      };

      const found: string[] = [];
      for (const text of document.querySelectorAll<SVGTextElement>('.frame svg text')) {
        const area = text.getBoundingClientRect();
        const style = getComputedStyle(text);
        const ink = parse(style.fill);
        if (area.width === 0 || ink === null || !text.checkVisibility()) continue;
        let opacity = ink[3] ?? 1;
        for (let one: Element | null = text; one; one = one.parentElement) {
          opacity *= Number(getComputedStyle(one).opacity);
        }
        const under = ground(area, ink);
        // What is greyed out on purpose, or covered, is not to be read.
        if (under === null || opacity < 0.5) continue;
        const mixed = ink.slice(0, 3).map((part, i) => part * opacity + (under[i] ?? 0) * (1 - opacity)); // prettier-ignore
        const size = parseFloat(style.fontSize) * (text.getScreenCTM()?.a ?? 1);
        const large = size >= 24 || (size >= 18.5 && Number(style.fontWeight) >= 700);
        const ratio = contrast(mixed, under);
        if (ratio >= (large ? least.large : least.text)) continue;
        found.push(`“${text.textContent}” ${ratio.toFixed(2)}`);
      }

      for (const piece of document.querySelectorAll<SVGElement>('.frame [data-piece]')) {
        const cell = document.querySelector(`.frame [data-key="${piece.dataset.piece ?? ''}"]`);
        const shapes = 'path, rect, circle';
        const body = [...piece.querySelectorAll(shapes)].map((shape) => getComputedStyle(shape));
        const under = cell?.querySelector(shapes);
        const floor = under ? parse(getComputedStyle(under).fill) : null;
        if (floor === null || floor[3] !== 1) continue;
        const seen = body
          .slice(0, 2)
          .flatMap(({ fill, stroke }) =>
            [parse(fill), parse(stroke)].flatMap((colour) =>
              colour === null ? [] : [contrast(colour, floor)],
            ),
          );
        const best = Math.max(...seen);
        if (best < least.piece) found.push(`${piece.dataset.piece ?? ''} ${best.toFixed(2)}`);
      }
      return [...new Set(found)];
    },
    [png, LEAST, box?.x ?? 0, box?.y ?? 0] as const,
  );
}
