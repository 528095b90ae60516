/**
 * Playing by hand, whatever the game: what the page lights is picked, at the place where a person
 * would click, until the match is over. Nothing here knows a game, so every board gets it for free.
 */

import type { Locator } from '@playwright/test';

import { neighbour, type Direction, type Spot } from '../src/board/neighbours';
import { expect, type Page } from './serving';

export type Roll = (sides: number) => number;

/** Numbers that look random and are the same each time. */
export function dice(seed: number): Roll {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

/** What can be pressed: one of the keys, or a button that is no key. */
export type Target = { readonly key: string } | { readonly button: string };
export type Press = (page: Page, target: Target) => Promise<void>;

export interface Manner {
  readonly press: Press;
  readonly roll: Roll;
}

/** Buttons that want an answer before anything else: hand the screen over, confirm the move. */
const ANSWER = '.table [role=alertdialog] button.main';
/** Ends a set-up, where moves are too many to be lit. */
const DONE = '.frame.active [data-done]';
const LIT = '.frame.active [data-lit]';
const ENDED = '[data-ended]';

function selector(target: Target): string {
  return 'key' in target ? `.frame [data-key="${target.key}"]` : target.button;
}

/** Picks keys, each as soon as it can be picked: what is not asked for now is waited for. */
export async function pick(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.locator(`${LIT}[data-key="${key}"]`).click();
}

/** Waits until a page shows what came with an update, or something later. */
export async function shown(page: Page, seq: number): Promise<void> {
  await expect.poll(() => seqOf(page)).toBeGreaterThanOrEqual(seq);
}

/** The number of the last update that a page shows. */
export async function seqOf(page: Page): Promise<number> {
  return Number(await page.locator('.table').getAttribute('data-seq'));
}

// -- By pointer --------------------------------------------------------------------------------------

/** Where a person would aim: the middle of what stands for a target, which nothing may cover. */
async function aim(page: Page, target: Target): Promise<{ x: number; y: number }> {
  const found = await page.evaluate((wanted) => {
    const element = document.querySelector(wanted);
    if (element === null) return { error: `${wanted} is not there` };
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const box = (element.querySelector('[data-middle]') ?? element).getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const top = document
      .elementsFromPoint(x, y)
      .map((hit) => hit.closest('[data-key], button, [role=button]'))
      .find((hit) => hit !== null);
    if (top === element) return { x, y };
    return { error: `${wanted} is covered by ${top?.outerHTML.slice(0, 160) ?? 'nothing'}` };
  }, selector(target));
  if (found.error !== undefined) throw new Error(found.error);
  return found;
}

export const byClick: Press = async (page, target) => {
  const { x, y } = await aim(page, target);
  await page.mouse.click(x, y);
};

export const byTouch: Press = async (page, target) => {
  const { x, y } = await aim(page, target);
  await page.touchscreen.tap(x, y);
};

// -- By keyboard -------------------------------------------------------------------------------------

const MOST_TABS = 80;
const ARROWS: Readonly<Record<Direction, string>> = {
  left: 'ArrowLeft',
  right: 'ArrowRight',
  up: 'ArrowUp',
  down: 'ArrowDown',
};

/** Goes on with Tab until something is reached. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < MOST_TABS; tabs += 1) {
    if (await target.evaluateAll((found) => found.includes(document.activeElement as never)))
      return;
    await page.keyboard.press('Tab');
  }
  await expect(target).toBeFocused();
}

/** Where the keys of the board are, and which has the focus. */
function survey(): { spots: Spot[]; here: string | null } {
  const spots = [...document.querySelectorAll<SVGElement>('.frame [data-key]')].map((element) => {
    const box = (element.querySelector('[data-middle]') ?? element).getBoundingClientRect();
    const key = element.dataset.key ?? '';
    return { key, x: box.x + box.width / 2, y: box.y + box.height / 2 };
  });
  return { spots, here: document.activeElement?.getAttribute('data-key') ?? null };
}

/** The arrow keys that lead from one key to another, as few as possible. */
function route(spots: readonly Spot[], from: string, to: string): readonly Direction[] | null {
  const ways = new Map<string, readonly Direction[]>([[from, []]]);
  for (const [key, way] of ways) {
    if (key === to) return way;
    for (const towards of ['left', 'right', 'up', 'down'] as const) {
      const next = neighbour(spots, key, towards);
      if (next !== null && !ways.has(next)) ways.set(next, [...way, towards]);
    }
  }
  return null;
}

export const byKeyboard: Press = async (page, target) => {
  if ('button' in target) {
    await tabTo(page, page.locator(target.button));
  } else {
    await tabTo(page, page.locator('.frame [data-key]'));
    const { spots, here } = await page.evaluate(survey);
    const way = route(spots, here ?? '', target.key);
    if (way === null) throw new Error(`no arrows lead from ${here ?? ''} to ${target.key}`);
    for (const arrow of way) await page.keyboard.press(ARROWS[arrow]);
    await expect(page.locator(selector(target)).first()).toBeFocused();
  }
  await page.keyboard.press('Enter');
};

// -- Matches -----------------------------------------------------------------------------------------

/** Whether the match is over for this page. */
export async function isOver(page: Page): Promise<boolean> {
  return (await page.locator(ENDED).count()) > 0;
}

interface Asked {
  /** How things look; another look means that the last pick was taken. */
  readonly look: string;
  readonly keys: readonly string[];
  readonly button: string | null;
  readonly over: boolean;
}

/** Waits until something can be picked, and things look other than they did, or it is over. */
async function asked(page: Page, before: string): Promise<Asked> {
  const found = await page.waitForFunction(
    ([known, lit, over, ...buttons]) => {
      const keysOf = (query: string): string[] =>
        [...document.querySelectorAll<SVGElement>(query)].map(({ dataset }) => dataset.key ?? '');
      const keys = keysOf(lit);
      const button = buttons.find((one) => document.querySelector(one)) ?? null;
      const ended = document.querySelector(over) !== null;
      const moves = document.querySelectorAll('.moves li button').length;
      const look = JSON.stringify([moves, keys, keysOf('.frame [data-picked]'), button]);
      const news = ended || (look !== known && (button !== null || keys.length > 0));
      return news ? { look, keys, button, over: ended } : null;
    },
    [before, LIT, ENDED, ANSWER, DONE] as const,
  );
  return (await found.jsonValue()) as Asked;
}

/** Plays on one page, until it was enough or the match is over. */
export async function play(
  page: Page,
  { press, roll }: Manner,
  enough: (picks: number) => boolean = () => false,
): Promise<void> {
  let look = '';
  for (let picks = 0; !enough(picks); picks += 1) {
    const now = await asked(page, look);
    if (now.over) return;
    look = now.look;
    const key = now.keys[roll(now.keys.length)];
    const target = now.button === null ? { key: key ?? '' } : { button: now.button };
    await press(page, target);
  }
}

/** Plays on these pages until the match is over on all. */
export async function playOut(pages: readonly Page[], manner: Manner): Promise<void> {
  await Promise.all(pages.map((page) => play(page, manner)));
  for (const page of pages) await expect(page.locator(ENDED)).toBeVisible();
}
