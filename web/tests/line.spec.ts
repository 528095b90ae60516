/** The line to the server breaks, sleeps and comes back; nothing is lost, and two tabs agree. */

import type { WebSocketRoute } from '@playwright/test';

import type { HandFace } from '../src/net/types';
import { another, GAMES, make, ME, open, PHONE, sit } from './opening';
import { Party } from './party';
import { byClick, dice, pick, playOut, seqOf, shown } from './playing';
import { DESK, expectInPlace, LYING, SHORT } from './screen';
import { expect, Server, test, type Page } from './serving';

test('a killed server costs no move: what was played meanwhile is played then', async ({
  page,
}) => {
  const server = await Server.start();
  await page.goto(`${server.address}/play/osakana`);
  await page.getByRole('radio', { name: 'Two on this screen' }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await pick(page, 'B3', 'B2');
  await expect(page.locator('.moves')).toContainText('B3–B2');

  await server.kill();
  await expect(page.getByText('No connection')).toBeVisible();
  await pick(page, 'B1', 'B2');
  await expect(page.getByText('waits for the connection')).toContainText('B1B2');
  await server.up();
  await expect(page.locator('.moves')).toContainText('B1–B2');
  await expect(page.getByText('waits for the connection')).toBeHidden();
  await expect(page.getByText('No connection')).toBeHidden();

  await playOut([page], { press: byClick, roll: dice(1) });
  await server.remove();
});

test('the line is back at once when asked for, or when the network is back', async ({ page }) => {
  const server = await Server.start();
  await page.clock.install();
  const made = await make(page, { game: 'osakana', seats: [ME, ME] }, server.address);
  await sit(page, 'osakana', made, server.address);
  await expect(page.locator('.frame.active')).toBeVisible();
  const lost = page.getByText('No connection');
  // From here on time stands still, so that no attempt comes by itself.
  await page.clock.pauseAt(Date.now() + 3_600_000);
  await expect(lost).toBeHidden();

  await server.kill();
  await expect(lost).toBeVisible();
  await server.up();
  await page.getByRole('button', { name: 'Retry now' }).click();
  await expect(lost).toBeHidden();

  await server.kill();
  await expect(lost).toBeVisible();
  await server.up();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect(lost).toBeHidden();
  await server.remove();
});

test('without a line everything keeps its place, and trying again is at hand', async ({
  browser,
}) => {
  const server = await Server.start();
  // The language with the longest words.
  const { page: first, context } = await another(browser, { locale: 'ru' });
  const pages: Page[] = [];
  for (const game of GAMES) {
    const page = pages.length === 0 ? first : await context.newPage();
    const made = await make(page, { game, seats: [ME, ME] }, server.address);
    const party = new Party(page.request, made, server.address);
    const { first: secret = '' } = made.secrets;
    await sit(page, game, { ...made, secrets: { first: secret } }, server.address);
    await shown(page, await party.playOn(6, dice(3)));
    pages.push(page);
  }
  await server.kill();
  for (const page of pages) {
    await expect(page.getByRole('button', { name: 'Повторить сейчас' })).toBeVisible();
    await expectInPlace(page, [PHONE.viewport, SHORT, LYING, DESK], 'without a line');
  }
  await server.remove();
  await context.close();
});

const [OURS, THEIRS] = ['WFFAWWMAAEMMFEE', 'MEWAFEAWMFEAMFW'];

/** What the cells of the other's side are called. */
async function theirs(page: Page): Promise<string[]> {
  return page
    .locator('.frame [data-key^="B"]')
    .evaluateAll((cells) => cells.map((cell) => cell.ariaLabel ?? ''));
}

test('where things are hidden they stay hidden when the server comes back', async ({ page }) => {
  const server = await Server.start();
  const made = await make(page, { game: 'elements', seats: [ME, ME] }, server.address);
  const party = new Party(page.request, made, server.address);
  const { first = '' } = made.secrets;
  await sit(page, 'elements', { ...made, secrets: { first } }, server.address);
  await party.move('second', THEIRS);
  await party.move('first', OURS);
  await expect(page.locator('.frame.active [data-lit]')).not.toHaveCount(0);
  const before = await theirs(page);

  await server.kill();
  await expect(page.getByText('No connection')).toBeVisible();
  await pick(page, 'A5', 'N3');
  await server.up();
  await expect(page.locator('.moves')).toContainText('A5-N3');
  await expect(page.getByText('No connection')).toBeHidden();
  expect(await theirs(page)).toEqual(before);
  expect(before.filter((name) => /hidden piece/.test(name))).toHaveLength(15);
  await party.playOn(1, dice(1));
  await expect(page.locator('.frame.active')).toBeVisible();
  await server.remove();
});

test('two tabs of one seat agree', async ({ page, context, baseURL }) => {
  await page.goto(`${baseURL}/play/osakana`);
  await page.getByRole('radio', { name: 'Two on this screen' }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.locator('.frame.active')).toBeVisible();
  const twin = await context.newPage();
  await twin.goto(page.url());
  await pick(twin, 'C4', 'C3');
  await expect(page.locator('.moves')).toContainText('C4–C3');
  await expect(twin.locator('.moves')).toContainText('C4–C3');
});

test('two tabs of one seat agree where things are hidden', async ({ page, context }) => {
  const made = await open(page, 'elements', [ME, { kind: 'computer', player: '1' }]);
  const twin = await context.newPage();
  await twin.goto(`/match/${made.match}`);
  const names = (tab: Page): Promise<string[]> =>
    tab
      .locator('.frame [data-key][aria-label]')
      .evaluateAll((all) => all.map((one) => one.ariaLabel ?? ''));
  await page.getByRole('button', { name: 'Random' }).click();
  await page.getByRole('button', { name: 'Done' }).click();
  // Both are asked for a move: the computer has had its turn, and nothing more comes.
  await expect(twin.locator('.frame.active [data-lit]')).not.toHaveCount(0);
  await shown(page, await seqOf(twin));
  expect(await names(twin)).toEqual(await names(page));
  await pick(twin, 'A5', 'N3');
  await expect(twin.locator('.frame.active [data-lit]')).not.toHaveCount(0);
  await shown(page, await seqOf(twin));
  await expect(page.locator('.moves')).toContainText('A5-N3');
  expect(await names(twin)).toEqual(await names(page));
});

/** Lets a page sleep: it is hidden, hours go by, and its socket dies without a word. */
class Sleep {
  private deaf = false;

  /** Must come before the page is opened. */
  async prepare(page: Page): Promise<void> {
    await page.clock.install();
    await page.routeWebSocket('**/api/live', (socket: WebSocketRoute) => {
      const line = socket.connectToServer();
      const slept = (): boolean => this.deaf;
      let dead = false;
      const alive = (): boolean => !(dead ||= slept());
      socket.onMessage((message) => {
        if (alive()) line.send(message);
      });
      line.onMessage((message) => {
        if (alive()) socket.send(message);
      });
    });
  }

  async begin(page: Page): Promise<void> {
    await this.show(page, 'hidden');
    this.deaf = true;
  }

  async end(page: Page): Promise<void> {
    await page.clock.fastForward('05:00:00');
    this.deaf = false;
    await this.show(page, 'visible');
  }

  private async show(page: Page, state: DocumentVisibilityState): Promise<void> {
    await page.evaluate((now) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: now });
      document.dispatchEvent(new Event('visibilitychange'));
    }, state);
  }
}

function minutes(face: string): number {
  const [m = 0, s = 0] = face.split(':').map(Number);
  return m + s / 60;
}

function left(hand: HandFace | undefined): number {
  return (hand?.left ?? NaN) / 60_000;
}

test('after hours in the background position and clocks are right', async ({ page }) => {
  const sleep = new Sleep();
  await sleep.prepare(page);
  const made = await make(page, { game: 'osakana', seats: [ME, ME], clock: '1800+0' });
  const party = new Party(page.request, made);
  const { first = '' } = made.secrets;
  await sit(page, 'osakana', { ...made, secrets: { first } });
  await pick(page, 'C4', 'C3');
  await expect(page.locator('.moves')).toContainText('C4–C3');

  await sleep.begin(page);
  await party.move('second', 'か↓A1A2');
  await sleep.end(page);
  await expect(page.locator('.moves')).toContainText('A1–A2');
  await expect(page.locator('.frame.active')).toBeVisible();
  const { position } = await party.seenBy('first');
  const faces = await page.getByRole('timer').allInnerTexts();
  // The other's clock is above, ours below; a minute covers whatever the machine needs.
  const [ours, others] = position?.clock.hands ?? [];
  expect(Math.abs(minutes(faces[0] ?? '') - left(others))).toBeLessThan(1);
  expect(Math.abs(minutes(faces[1] ?? '') - left(ours))).toBeLessThan(1);
  await pick(page, 'C3', 'C2');
  await expect(page.locator('.moves')).toContainText('C3–C2');
});
