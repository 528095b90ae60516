/** The page is light: what the first load brings, and what the processor has to do for it. */

import type { Browser, CDPSession, Page } from '@playwright/test';

import { another, COMPUTER, GAMES, make, ME, PHONE, sit } from './opening';
import { byTouch, dice, play } from './playing';
import { Party } from './party';
import { expect, test } from './serving';

const MOST_BYTES = 200_000;
const MOST_REQUESTS = 60;
/** How much slower a phone is than this machine. */
const SLOWER = 4;
/** What the main thread may do before the first page can be used, in milliseconds on a phone. */
const MOST_WORK_MS = 4_000;
/** What a screen gives for a frame, of which there are sixty a second. */
const FRAME_MS = 1000 / 60;
const FRAMES = 60;
/** A task that takes longer is felt: it holds up three frames and more. */
const LONG_MS = 50;

/** How long the main thread has worked, in milliseconds of its own time: waiting is not counted. */
async function work(client: CDPSession): Promise<number> {
  const { metrics } = await client.send('Performance.getMetrics');
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1000;
}

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Time of the thread's own, in microseconds: what other programs take does not count. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/** What each task on the main thread of a page took while something went on, in milliseconds. */
async function tasks(browser: Browser, page: Page, during: () => Promise<void>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['disabled-by-default-devtools.timeline'] });
  await during();
  const trace = (await browser.stopTracing()).toString();
  const { traceEvents } = JSON.parse(trace) as { traceEvents: readonly TraceEvent[] };
  const main = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${String(pid)} ${String(tid)}`),
  );
  return traceEvents
    .filter(({ name, pid, tid }) => name === 'RunTask' && main.has(`${String(pid)} ${String(tid)}`))
    .map(({ tdur = 0 }) => tdur / 1000);
}

async function meter(client: CDPSession): Promise<void> {
  await client.send('Performance.enable', { timeDomain: 'threadTicks' });
}

test('the first load is small, and nobody else is asked for anything', async ({
  page,
  baseURL,
}) => {
  let bytes = 0;
  const asked: string[] = [];
  const client = await page.context().newCDPSession(page);
  await client.send('Network.enable');
  client.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  expect(asked.filter((url) => !url.startsWith(baseURL))).toEqual([]);
  expect(asked.length).toBeLessThan(MOST_REQUESTS);
  expect(bytes).toBeGreaterThan(10_000);
  expect(bytes).toBeLessThan(MOST_BYTES);
  console.log(`first load: ${String(bytes)} bytes in ${String(asked.length)} requests`);
});

for (const game of GAMES) {
  test(`${game}: a match asks nobody else either`, async ({ page, baseURL }) => {
    const elsewhere: string[] = [];
    const here = [baseURL, baseURL.replace('http', 'ws'), 'data:', 'blob:'];
    const note = (url: string): void => {
      if (!here.some((start) => url.startsWith(start))) elsewhere.push(url);
    };
    page.on('request', (request) => note(request.url()));
    page.on('websocket', (socket) => note(socket.url()));
    await sit(page, game, await make(page, { game, seats: [ME, COMPUTER] }));
    await expect(page.locator('.frame.active')).toBeVisible();
    expect(elsewhere).toEqual([]);
  });
}

test('on a slow phone the first page can soon be used', async ({ browser, baseURL }) => {
  const { page, context } = await another(browser, { baseURL, ...PHONE });
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await meter(client);
  await page.goto('/');
  const button = page.getByRole('button', { name: 'Play the computer' }).first();
  await expect(button).toBeEnabled();
  const until = await work(client);
  await button.tap();
  await play(page, { press: byTouch, roll: dice(2) }, (picks) => picks === 1);
  console.log(`main thread, ${String(SLOWER)} times slower: ${until.toFixed(0)} ms until usable`);
  expect(until).toBeLessThan(MOST_WORK_MS);
  await context.close();
});

for (const game of GAMES) {
  test(`${game} is redrawn fast enough for sixty frames a second`, async ({ page, browser }) => {
    const made = await make(page, { game, seats: [ME, ME] });
    const party = new Party(page.request, made);
    const roll = dice(6);
    const { first = '' } = made.secrets;
    await sit(page, game, { ...made, secrets: { first } });
    await party.playOn(4, roll);
    await expect(page.locator('.frame')).toBeVisible();
    const frames = (): Promise<number> =>
      page.evaluate(
        (count) =>
          new Promise<number>((resolve) => {
            let seen = 0;
            const next = (): void => {
              seen += 1;
              if (seen < count) requestAnimationFrame(next);
              else resolve(seen);
            };
            requestAnimationFrame(next);
          }),
        FRAMES,
      );
    const took = await tasks(browser, page, async () => {
      // Moves come in and pieces glide while the frames are counted.
      const [seen] = await Promise.all([frames(), party.playOn(3, roll)]);
      expect(seen).toBe(FRAMES);
    });
    const each = took.reduce((sum, ms) => sum + ms, 0) / FRAMES;
    console.log(
      `${game}: ${each.toFixed(1)} ms of work a frame, the longest task ${Math.max(...took).toFixed(1)} ms`,
    );
    expect(each).toBeGreaterThan(0);
    expect(each).toBeLessThan(FRAME_MS);
    expect(took.filter((ms) => ms > LONG_MS)).toEqual([]);
  });
}
