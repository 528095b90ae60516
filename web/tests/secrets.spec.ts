/** What a player may not know is not in the page: not on the wire, not drawn, not in memory. */

import type { Made, SeatSpec } from '../src/net/types';
import { GAMES, make, ME, shortOptions, sit } from './opening';
import { Party } from './party';
import { dice, shown, type Roll } from './playing';
import { expect, test, type Page } from './serving';

/** Keeps all that a page is sent from now on. */
function listen(page: Page): string[] {
  const heard: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => heard.push(String(payload)));
  });
  page.on('response', (response) => {
    const { pathname } = new URL(response.url());
    if (pathname.startsWith('/api/')) void response.text().then((text) => heard.push(text), ignore);
  });
  return heard;
}

function ignore(): void {
  // A socket has no text of its own.
}

/** Everything that can be reached in the page's memory, as text. */
async function memory(page: Page): Promise<string> {
  const client = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  client.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await client.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await client.detach();
  return chunks.join('');
}

/** The browser holds the first seat only. */
async function sitFirst(page: Page, game: string, made: Made): Promise<void> {
  const { first = '' } = made.secrets;
  await sit(page, game, { ...made, secrets: { first } });
  await expect(page.locator('.frame')).toBeVisible();
}

const OWN = 'WFFAWWMAAEMMFEE';
const SECRET = 'MEWAFEAWMFEAMFW';

test('elements: the opponent’s set-up is nowhere', async ({ page }) => {
  const heard = listen(page);
  const made = await make(page, { game: 'elements', seats: [ME, ME] });
  const party = new Party(page.request, made);
  await sitFirst(page, 'elements', made);
  await party.move('second', SECRET);
  await party.move('first', OWN);
  await expect(page.locator('.moves li button')).toHaveCount(2);

  const known = [...heard, await memory(page), await page.content()].join('\n');
  expect(known).toContain(OWN);
  expect(known).not.toContain(SECRET);
  const { position } = await party.seenBy('first');
  const theirs = position?.view.split(' ').at(-1) ?? '';
  expect(theirs).toMatch(/^B0:FMWEA(,B\d+:\?){15}$/);
  const hidden = page.locator('[data-key^="B"]').filter({ visible: true });
  for (const name of await hidden.evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''))) {
    expect(name.includes('hidden piece') || name.includes('king') || name.includes('empty'), name).toBe(true); // prettier-ignore
  }
});

/** The improved sides that a text names. */
function sides(text: string): Set<string> {
  const all = text.match(/(?<![A-Z])[RYGBV]{4}(?![A-Z])/g) ?? [];
  return new Set(all.filter((side) => new Set(side).size < 4));
}

/** Who looks under tokens wins, so the computer does; that it never comes to that is rare. */
const MOST_MATCHES = 8;

/** Plays until the opponent has seen a side that first has not: such tokens have a `?` in the view. */
async function untilSecret(page: Page, heard: string[], roll: Roll): Promise<Party> {
  for (let matches = 0; matches < MOST_MATCHES; matches += 1) {
    const seats: [SeatSpec, SeatSpec] = [ME, { kind: 'computer', player: '3' }];
    const made = await make(page, { game: 'stones', seats });
    const party = new Party(page.request, made);
    heard.length = 0;
    await sitFirst(page, 'stones', made);
    for (;;) {
      await expect(page.locator('.frame.active, [data-ended]')).toBeVisible();
      const { position, info } = await party.seenBy('first');
      if (info.status === 'over') break;
      if (position?.view.includes('?')) return party;
      await shown(page, await party.playOn(1, roll));
    }
  }
  throw new Error('nobody has looked under a token');
}

test('stones: what the opponent saw under a token stays with the opponent', async ({ page }) => {
  const heard = listen(page);
  const party = await untilSecret(page, heard, dice(12));
  expect(heard.join('\n')).toMatch(/"type":"rolled"[^}]*"text":"\?"/);
  const told = sides([...heard, await page.content()].join('\n'));
  const known = sides(await party.record('first'));
  await party.order('first', { type: 'resign' });
  const secret = [...sides(await party.record('first'))].filter((side) => !known.has(side));
  expect(secret).not.toEqual([]);
  expect(secret.filter((side) => told.has(side))).toEqual([]);
});

test('dande: nobody is told what a bad cell does before it does it', async ({ page }) => {
  const heard = listen(page);
  const options = { clock: 'off', bad_cells: 6 };
  const made = await make(page, { game: 'dande', seats: [ME, ME], options });
  const party = new Party(page.request, made);
  const roll = dice(3);
  await sitFirst(page, 'dande', made);
  for (let moves = 0; moves < 40; moves += 1) {
    const { position } = await party.seenBy('first');
    const drawn = new Set(position?.view.match(/\b(?:pit|mire|crown|spur|gate|mirror)\b/g));
    const live = heard.filter((text) => text.includes('"view"')).join('\n');
    const told = new Set(live.match(/\b(?:pit|mire|crown|spur|gate|mirror)\b/g));
    expect([...told].filter((effect) => !drawn.has(effect))).toEqual([]);
    await party.playOn(1, roll);
  }
});

for (const game of GAMES) {
  test(`${game}: the seed of chance is not known before the end`, async ({ page }) => {
    const heard = listen(page);
    const options = shortOptions(game);
    const made = await make(page, { game, seats: [ME, ME], options });
    const party = new Party(page.request, made);
    await sitFirst(page, game, made);
    await party.playOn(3, dice(5));
    const known = [...heard, await memory(page), await page.content()].join('\n');
    await party.order('first', { type: 'resign' });
    const record = await party.record('first');
    const [, seed = ''] = /seed\W+([0-9a-f]{64})/i.exec(record) ?? [];
    expect(seed).toHaveLength(64);
    expect(known).not.toContain(seed);
  });
}
