/** What a player has to see and reach, wherever the match stands: nothing here knows a game. */

import { expect, type Page } from './serving';

export const DESK = { width: 1366, height: 768 };
export const LYING = { width: 844, height: 390 };
/** What browsers leave of a phone of 390 × 844 while their own bars are shown. */
export const SHORT = { width: 390, height: 664 };

/** All that can be pressed and is needed at once. What a menu or another tab holds is not. */
const CONTROLS = [
  '.table .bar :is(button, a)',
  '.table .sheet :is(button, a)',
  '.table .words button',
  '.table .frame.active :is([data-lit], [data-done], button)',
].join(', ');

/** The texts that answer a player's questions. */
const ANSWERS = {
  'whose turn it is': '.table > .words [role=status]',
  'what the far player has': '.table > .far strong',
  'what the near player has': '.table > .near strong',
  'how it ends': '.table > .goal',
} as const;

/** Controls that are off the screen or covered, and texts that are missing, cut or covered. */
async function faults(page: Page): Promise<string[]> {
  return page.evaluate(
    ([controls, answers]) => {
      const found: string[] = [];
      const shown = (element: Element): boolean => element.checkVisibility();
      const name = (element: Element): string =>
        element.getAttribute('aria-label') ?? element.textContent.trim();
      const middle = (element: Element): readonly [number, number] => {
        const box = (element.querySelector('[data-middle]') ?? element).getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      const inside = (box: DOMRect): boolean =>
        box.left >= -1 &&
        box.top >= -1 &&
        box.right <= innerWidth + 1 &&
        box.bottom <= innerHeight + 1;
      for (const control of [...document.querySelectorAll(controls)].filter(shown)) {
        const [x, y] = middle(control);
        const top = document
          .elementFromPoint(x, y)
          ?.closest('[data-key], button, a, [role=button]');
        if (top === control) continue;
        const why = top === undefined ? 'off the screen' : `under ${top ? name(top) : 'something'}`;
        found.push(`${name(control)} is ${why}`);
      }
      for (const [question, place] of Object.entries(answers)) {
        const element = document.querySelector<HTMLElement>(place);
        if (!element || !shown(element) || element.innerText.trim() === '') {
          found.push(`nothing says ${question}`);
        } else if (!inside(element.getBoundingClientRect())) {
          found.push(`${question} is off the screen`);
        }
      }
      for (const box of document.querySelectorAll<HTMLElement>(
        '.table > :is(.words, .goal, .far, .near)',
      )) {
        const cut =
          box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1;
        if (cut) found.push(`cut: ${box.innerText.trim()}`);
      }
      const told = document.querySelector<HTMLElement>('[data-last-step]');
      const newest = told?.querySelector<HTMLElement>('li:last-child');
      if (newest && newest.offsetHeight > (told?.clientHeight ?? 0) + 1) {
        found.push(`cut: ${newest.innerText}`);
      }
      const { scrollWidth, scrollHeight } = document.documentElement;
      if (scrollWidth > innerWidth) found.push('the page is too wide');
      if (scrollHeight > innerHeight) found.push('the page is too high');
      return found;
    },
    [CONTROLS, ANSWERS] as const,
  );
}

/** Makes sure that all a player needs is on the screen, at each of these sizes. */
export async function expectInPlace(
  page: Page,
  sizes: readonly { readonly width: number; readonly height: number }[],
  when: string,
): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size);
    const at = `${when}, ${String(size.width)} × ${String(size.height)}`;
    await expect.poll(() => faults(page), at).toEqual([]);
  }
}

/** Where everything is that must not jump about. */
export async function places(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const all = '.table > :not(.sheet), .table > .bar > *, .table [role=tab], .table .frame';
    return [...document.querySelectorAll(all)]
      .filter((element) => element.checkVisibility())
      .map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        return [element.classList[0] ?? '', ...[x, y, width, height].map(Math.round)].join(' ');
      });
  });
}
