/** Playing by hand: whatever is lit is picked, until nothing is or the match is over. */

import type { Locator } from '@playwright/test';

import { expect, type Page } from './serving';

/** Numbers that look random and are the same each time. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

export type Press = (target: Locator) => Promise<void>;

// What was lit may be gone by the time it is pressed: the opponent is quick.
export const byClick: Press = (target) =>
  target.click({ force: true, timeout: 2_000 }).catch(ignore);
export const byTouch: Press = (target) => target.tap({ force: true, timeout: 2_000 }).catch(ignore);

function ignore(): void {
  // The next pick will see.
}

/** Goes to a key by arrows, and picks it by Enter. */
export const byKeyboard: Press = async (target) => {
  const page = target.page();
  for (let step = 0; step < 40; step += 1) {
    const arrow = await target.evaluate((wanted) => {
      const here = document.activeElement;
      if (here === wanted) return null;
      const [from, to] = [here, wanted].map((element) => {
        const box = element?.getBoundingClientRect() ?? new DOMRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      });
      if (!from || !to || !here?.hasAttribute('data-key')) return 'Tab';
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      if (Math.abs(dx) > Math.abs(dy)) return dx > 0 ? 'ArrowRight' : 'ArrowLeft';
      return dy > 0 ? 'ArrowDown' : 'ArrowUp';
    });
    if (arrow === null) break;
    await page.keyboard.press(arrow);
  }
  await expect(target).toBeFocused();
  await page.keyboard.press('Enter');
};

export interface Manner {
  readonly press: Press;
  readonly roll: (sides: number) => number;
}

/** Whether the match is over for this page. */
export async function isOver(page: Page): Promise<boolean> {
  return (await page.locator('[data-ended]').count()) > 0;
}

/** Makes one pick if something can be picked, or settles a set-up; says whether it did. */
export async function pickOne(page: Page, { press, roll }: Manner): Promise<boolean> {
  const here = page.getByRole('button', { name: 'It’s me' });
  if ((await here.count()) > 0) {
    await press(here);
    return true;
  }
  const keys = await page
    .locator('.frame.active [data-lit]')
    .evaluateAll((lit) => lit.map((element) => element.getAttribute('data-key') ?? ''));
  const key = keys[roll(Math.max(1, keys.length))];
  const done = page.locator('.frame.active [data-done]');
  if (key !== undefined) await press(page.locator(`.frame [data-key="${key}"]`).first());
  else if ((await done.count()) > 0) await press(done);
  else return false;
  return true;
}

/** Plays on these pages until the match is over on all. */
export async function playOut(pages: readonly Page[], manner: Manner, most = 400): Promise<void> {
  for (let picks = 0; picks < most; picks += 1) {
    const over = await Promise.all(pages.map(isOver));
    if (over.every(Boolean)) return;
    const done = await Promise.all(pages.map((page) => pickOne(page, manner)));
    if (!done.some(Boolean)) await pages[0]?.waitForTimeout(100);
  }
  throw new Error(`the match was not over after ${String(most)} picks`);
}
