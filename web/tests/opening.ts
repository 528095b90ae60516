/** Matches made for a test: short where the options allow it, and opened as the page would. */

import { readdirSync, readFileSync } from 'node:fs';

import type { Browser, BrowserContext } from '@playwright/test';

import type { Made, NewMatch, SeatSpec, Snapshot } from '../src/net/types';
import { expect, watch, type Page } from './serving';

/** Every game that has a board. */
export const GAMES = readdirSync(new URL('../src/games', import.meta.url)).filter(
  (name) => !name.includes('.'),
);

type Options = Readonly<Record<string, string | number>>;

/** Options that make a match short, where the usual one is long; several, to have all modes. */
const SHORT = JSON.parse(readFileSync(new URL('short.json', import.meta.url), 'utf8')) as Readonly<
  Record<string, readonly Options[]>
>;

/** Returns options for a short match; another number may give others. */
export function shortOptions(game: string, number = 0): Options {
  const known = SHORT[game] ?? [{}];
  return known[number % known.length] ?? {};
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

export const ME: SeatSpec = { kind: 'me' };
export const FRIEND: SeatSpec = { kind: 'invited' };
export const COMPUTER: SeatSpec = { kind: 'computer', player: '1' };

/** Creates a match. */
export async function create(page: Page, match: NewMatch, server = ''): Promise<Made> {
  const answer = await page.request.post(`${server}/api/matches`, { data: match });
  expect(answer.status(), await answer.text()).toBe(201);
  return (await answer.json()) as Made;
}

/** Creates a match in which whoever has a seat is ready, if the clock waits for that. */
export async function make(page: Page, match: NewMatch, server = ''): Promise<Made> {
  const made = await create(page, match, server);
  const path = `${server}/api/matches/${made.match}`;
  const { position } = (await (await page.request.get(`${path}/snapshot`)).json()) as Snapshot;
  for (const seat of position?.unready ?? []) {
    const headers = { Authorization: `Bearer ${made.secrets[seat] ?? ''}` };
    const data = { client: 'maker', number: 1, command: { type: 'ready' } };
    expect((await page.request.post(`${path}/orders`, { headers, data })).ok()).toBe(true);
  }
  return made;
}

/** Opens a match in a browser that holds these seats. */
export async function sit(page: Page, game: string, made: Made, server = ''): Promise<void> {
  await page.goto(`${server}/icon.svg`);
  await page.evaluate(
    (entry) => {
      localStorage.setItem('visavis.matches', JSON.stringify([entry]));
    },
    { ...made, game, at: Date.now(), over: false },
  );
  await page.goto(`${server}/match/${made.match}`);
}

/** Creates a short match and opens it, as the page would have done. */
export async function open(
  page: Page,
  game: string,
  seats: [SeatSpec, SeatSpec],
  number = 0,
): Promise<Made> {
  const made = await make(page, { game, seats, options: shortOptions(game, number) });
  await sit(page, game, made);
  return made;
}

/** Opens a page in a browser of its own. */
export async function another(
  browser: Browser,
  settings: Parameters<Browser['newContext']>[0],
): Promise<{ page: Page; context: BrowserContext }> {
  const context = await browser.newContext(settings);
  await watch(context);
  return { page: await context.newPage(), context };
}

/** Lets a friend in by the link of an invitation. */
export async function befriend(friend: Page, made: Made): Promise<void> {
  const invitation = made.invitations.second ?? made.invitations.first ?? '';
  await friend.goto(`/match/${made.match}#${invitation}`);
  await friend.getByRole('button', { name: 'Take the seat' }).click();
  await expect(friend).toHaveURL(/\/match\/[^#]+$/);
}
