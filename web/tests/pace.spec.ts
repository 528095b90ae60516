/** A turn of the computer can be followed: one step after the other, each with its mark and words. */

import type { Locator } from '@playwright/test';

import { COMPUTER, GAMES, make, ME, shortOptions, sit } from './opening';
import { Party } from './party';
import { dice, seqOf } from './playing';
import { expect, test, type Page } from './serving';

test.use({ pace: 'normal' });

const STEP_MS = 800;
const OWN_MS = STEP_MS / 2;
/** Where clocks run. */
const CLOCKED_MS = 600;
const MOST_TURNS = 6;
/** Less than what the line to the server would take for silence. */
const SOON_MS = 5_000;

/** What was drawn, whenever that changed. */
interface Drawn {
  readonly seq: number;
  readonly at: number;
  readonly words: string;
  readonly marks: number;
}

/** Keeps what the page draws, with the time of the page, which a test lets pass. */
async function film(page: Page): Promise<void> {
  await page.evaluate(() => {
    const frames: Drawn[] = [];
    Object.assign(window, { frames });
    const note = (): void => {
      const seq = Number(document.querySelector<HTMLElement>('.table')?.dataset.seq);
      const marks = '[data-last], .mark.last, .last, [data-trail], [data-ghost]';
      const drawn = {
        seq,
        at: Math.round(performance.now()),
        words: document.querySelector('[data-last-step] li:last-child')?.textContent ?? '',
        marks: document.querySelectorAll(`.frame :is(${marks})`).length,
      };
      const same = frames.at(-1)?.seq === seq ? frames.pop() : undefined;
      frames.push({ ...drawn, at: same?.at ?? drawn.at });
    };
    note();
    const table = document.querySelector('.table');
    if (table) new MutationObserver(note).observe(table, { attributes: true, subtree: true });
  });
}

async function frames(page: Page): Promise<readonly Drawn[]> {
  return page.evaluate(() => (window as unknown as { frames: Drawn[] }).frames);
}

/** From now on time passes for the page only when a test lets it. */
async function stopTime(page: Page): Promise<void> {
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + SOON_MS);
}

/** A page whose clock stands still, with a match of first against the computer. */
async function opened(page: Page, game: string): Promise<Party> {
  await page.clock.install({ time: 0 });
  const options = shortOptions(game);
  const made = await make(page, { game, seats: [ME, COMPUTER], options });
  await sit(page, game, made);
  await expect(page.locator('.frame.active')).toBeVisible();
  await stopTime(page);
  await film(page);
  return new Party(page.request, made);
}

/** Waits until a page has heard everything, shown or not. */
async function heard(page: Page, seq: number): Promise<number> {
  const table: Locator = page.locator('.table');
  const unseen = async (): Promise<number> => Number(await table.getAttribute('data-unseen'));
  await expect.poll(async () => (await seqOf(page)) + (await unseen())).toBeGreaterThanOrEqual(seq);
  return unseen();
}

/** Lets first move, and the computer answer; returns the number of the last update. */
async function turn(party: Party, roll: (sides: number) => number): Promise<number> {
  const awaits = async (seat: string): Promise<boolean> => {
    const { position, info } = await party.seenBy('first');
    return info.status === 'over' || position?.awaited.includes(seat as 'first') === true;
  };
  do await party.playOn(1, roll);
  while (!(await awaits('second')) && !(await awaits('first')));
  await expect.poll(() => awaits('first')).toBe(true);
  return (await party.seenBy('first')).seq;
}

for (const game of GAMES) {
  test(`${game}: each step has its time, its mark and its words`, async ({ page }) => {
    const party = await opened(page, game);
    const roll = dice(2);
    for (let turns = 0; turns < MOST_TURNS; turns += 1) {
      const seq = await turn(party, roll);
      const waiting = await heard(page, seq);
      await page.clock.runFor(OWN_MS + waiting * STEP_MS);
      await expect(page.locator('.table')).toHaveAttribute('data-unseen', '0');
      if ((await page.locator('[data-ended]').count()) > 0) break;
    }
    const drawn = await frames(page);
    // Nothing is left out, and nothing comes before what was before it has been seen.
    const [{ seq: start = 0 } = {}] = drawn;
    expect(drawn.map(({ seq }) => seq)).toEqual(drawn.map((_, i) => start + i));
    const isTheirs = (one: Drawn | undefined): boolean =>
      one?.words.startsWith('Computer') === true;
    const gaps = drawn.flatMap((one, i) => {
      const before = drawn[i - 1];
      if (i < 2 || before === undefined || !isTheirs(one)) return [];
      return [{ gap: one.at - before.at, after: isTheirs(before) ? STEP_MS : OWN_MS }];
    });
    expect(gaps.length).toBeGreaterThan(0);
    for (const { gap, after } of gaps) expect(gap).toBe(after);
    expect(drawn.slice(1).map(({ words }) => words)).not.toContain('');
    expect(drawn.some(({ marks }) => marks > 0)).toBe(true);
  });
}

/** Plays so that second takes first's tuna with the last of these moves. */
const CAUGHT = [
  ['first', 'か↑C4C3'],
  ['second', 'い↓B2B3'],
  ['first', 'か↑C3C4'],
  ['second', 'い↓B3B4'],
] as const;

/** A match of first against a party that plays second; the page's clock stands still. */
async function between(page: Page, game: string, clock = 'none'): Promise<Party> {
  await page.clock.install({ time: 0 });
  const made = await make(page, { game, seats: [ME, ME], clock });
  const { first = '' } = made.secrets;
  await sit(page, game, { ...made, secrets: { first } });
  await expect(page.locator('.frame.active')).toBeVisible();
  await stopTime(page);
  return new Party(page.request, made);
}

test('the last move is seen before the result, the tuna being caught', async ({ page }) => {
  const party = await between(page, 'osakana');
  for (const [seat, move] of CAUGHT) await heard(page, await party.move(seat, move));
  // What waits is shown step by step: the catch, and only then the result.
  const words = page.locator('[data-last-step] li').last();
  await expect(page.locator('.table')).not.toHaveAttribute('data-unseen', '0');
  await page.clock.runFor(OWN_MS);
  await expect(words).toContainText('It catches: tuna');
  await expect(page.locator('[data-ghost]')).toBeVisible();
  await expect(page.locator('[data-ended]')).toHaveCount(0);
  await page.clock.runFor(STEP_MS);
  await expect(page.locator('[data-ended]')).toContainText('You lose');
  await expect(page.locator('[data-ghost]')).toBeVisible();
});

test('where clocks run a step takes a little less', async ({ page }) => {
  const party = await between(page, 'osakana', '30m');
  for (const [seat, move] of CAUGHT) await heard(page, await party.move(seat, move));
  await page.clock.runFor(CLOCKED_MS / 2);
  await expect(page.locator('[data-ghost]')).toBeVisible();
  await page.clock.runFor(CLOCKED_MS - 1);
  await expect(page.locator('[data-ended]')).toHaveCount(0);
  await page.clock.runFor(1);
  await expect(page.locator('[data-ended]')).toBeVisible();
});

test('who does not want to wait sees where it has led to', async ({ page }) => {
  const party = await between(page, 'osakana');
  for (const [seat, move] of CAUGHT) await party.move(seat, move);
  await page.getByRole('button', { name: 'Show all at once' }).click();
  await expect(page.locator('[data-ended]')).toBeVisible();
  await expect(page.locator('.table')).toHaveAttribute('data-unseen', '0');
});

test('for those who want no motion steps wait as well, but nothing moves', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const party = await between(page, 'osakana');
  for (const [seat, move] of CAUGHT.slice(0, 3)) await heard(page, await party.move(seat, move));
  const moving = (): Promise<number> => page.evaluate(() => document.getAnimations().length);
  for (const [seat, move] of CAUGHT.slice(3)) await heard(page, await party.move(seat, move));
  await expect(page.locator('.table')).not.toHaveAttribute('data-unseen', '0');
  await page.clock.runFor(OWN_MS);
  await expect(page.locator('[data-ghost]')).toBeVisible();
  expect(await moving()).toBe(0);
});

test('an old fight does not stay on show', async ({ page }) => {
  const party = await between(page, 'elements');
  await party.move('first', 'WFFAWWMAAEMMFEE');
  await party.move('second', 'MEWAFEAWMFEAMFW');
  const roll = dice(8);
  const fight = page.locator('.frame .card');
  for (let moves = 0; moves < 80 && (await fight.count()) === 0; moves += 1) {
    await heard(page, await party.playOn(1, roll));
    await page.clock.runFor(STEP_MS);
  }
  await expect(fight).toHaveCount(1);
  for (let moves = 0; moves < 80; moves += 1) {
    const { position } = await party.seenBy('first');
    const [seat = 'first'] = position?.awaited ?? [];
    const { legal } = (await party.seenBy(seat)).position?.asked ?? {};
    const quiet = legal?.find((move) => /^\w+-\w+$/.test(move));
    const seq = await (quiet ? party.move(seat, quiet) : party.playOn(1, roll));
    await heard(page, seq);
    await page.clock.runFor(STEP_MS);
    if (quiet) break;
  }
  await expect(fight).toHaveCount(0);
});
