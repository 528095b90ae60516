/** Wherever the page asks for something, everybody can read what, and axe is content. */

import type { Made } from '../src/net/types';
import { another, make, ME, PHONE, sit } from './opening';
import { Party } from './party';
import { dice, pick } from './playing';
import { expectReadable } from './reading';
import { DESK, expectInPlace, LYING, SHORT } from './screen';
import { expect, test, type Page } from './serving';

const LOOKS = [
  ['en', 'light'],
  ['ru', 'dark'],
  ['ja', 'light'],
] as const;

/** Shows the same match to readers of several languages, by day and by night. */
async function read(
  browser: Parameters<typeof another>[0],
  baseURL: string,
  show: (page: Page) => Promise<void>,
): Promise<void> {
  for (const [locale, colorScheme] of LOOKS) {
    const look = {
      baseURL,
      locale,
      colorScheme,
      reducedMotion: 'reduce',
      bypassCSP: true,
    } as const;
    const { page, context } = await another(browser, look);
    await show(page);
    await expectReadable(page, locale, 'when asked');
    await expectInPlace(page, [PHONE.viewport, SHORT, LYING, DESK], 'when asked');
    await context.close();
  }
}

function firstOnly(made: Made): Made {
  const { first = '' } = made.secrets;
  return { ...made, secrets: { first } };
}

/** The games where a shared screen must be handed over. */
for (const game of ['elements', 'stones']) {
  test(`${game}: to hand the screen over`, async ({ browser, baseURL, page }) => {
    const made = await make(page, { game, seats: [ME, ME] });
    await read(browser, baseURL, async (reader) => {
      await sit(reader, game, made);
      await expect(reader.getByRole('alertdialog')).toBeVisible();
      await expect(reader.locator('.frame')).toHaveCount(0);
    });
  });
}

test('to confirm a move, to resign, to let the other take back', async ({
  browser,
  baseURL,
  page,
}) => {
  const made = await make(page, { game: 'osakana', seats: [ME, ME], clock: '1d/move' });
  const party = new Party(page.request, made);
  await party.move('first', 'か↑C4C3');
  await party.move('second', 'か↓A1A2');
  await party.order('second', { type: 'ask_takeback' });
  await read(browser, baseURL, async (reader) => {
    await sit(reader, 'osakana', firstOnly(made));
    await expect(reader.getByRole('alertdialog')).toHaveCount(1);
    await pick(reader, 'C3', 'C4');
    await expect(reader.getByRole('alertdialog')).toHaveCount(2);
    await reader.locator('[data-resign]').click();
    await expect(reader.getByRole('alertdialog')).toHaveCount(3);
  });
});

/** Moves that are chosen beside the board, and what leads to them there. */
const CHOICES = [
  { game: 'elements', move: /^=/, open: [], shown: '[data-key^="="]' },
  { game: 'stones', options: { field: 'square6' }, move: /^take/, open: [], shown: '.cards' },
  {
    game: 'fortress',
    options: { scenario: 'plenty:6x5:3:B2:E4' },
    move: /^B2-C2\+/,
    open: ['B2', 'C2'],
    shown: '[data-key="build"]',
  },
] as const;
const MOST_MOVES = 150;
const MOST_MATCHES = 8;

/** Plays a match until first can choose such a move; null if it comes to an end before. */
async function until(
  page: Page,
  choice: (typeof CHOICES)[number],
  seed: number,
): Promise<Made | null> {
  const options = 'options' in choice ? choice.options : {};
  const made = await make(page, { game: choice.game, seats: [ME, ME], options });
  const party = new Party(page.request, made);
  const roll = dice(seed);
  for (let moves = 0; moves < MOST_MOVES; moves += 1) {
    const { position, info } = await party.seenBy('first');
    if (info.status === 'over') return null;
    if (position?.asked?.legal?.some((move) => choice.move.test(move))) return made;
    await party.playOn(1, roll);
  }
  return null;
}

for (const choice of CHOICES) {
  test(`${choice.game}: to choose beside the board`, async ({ browser, baseURL, page }) => {
    let made: Made | null = null;
    for (let seed = 1; seed <= MOST_MATCHES && made === null; seed += 1) {
      made = await until(page, choice, seed);
    }
    if (made === null) throw new Error('nothing to choose came up');
    const found = firstOnly(made);
    await read(browser, baseURL, async (reader) => {
      await sit(reader, choice.game, found);
      await pick(reader, ...choice.open);
      await expect(reader.locator(`.frame.active ${choice.shown}`).first()).toBeVisible();
    });
  });
}
