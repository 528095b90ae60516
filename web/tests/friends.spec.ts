/** Friends on other machines of the house: plain HTTP, from an address that is not loopback. */

import { networkInterfaces } from 'node:os';

import { another, FRIEND, make, ME, sit } from './opening';
import { pick } from './playing';
import { expect, Server, test } from './serving';

/** The address of this machine in its network; a machine without one can't be asked from there. */
const LAN = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

test.describe('from another machine', () => {
  test.skip(LAN === undefined, 'this machine has no address but loopback');

  let server: Server;
  test.beforeAll(async () => {
    server = await Server.start('0.0.0.0');
  });
  test.afterAll(async () => {
    await server.remove();
  });

  test('the page plays over plain HTTP', async ({ page }) => {
    await page.goto(`${server.at(LAN ?? '')}/play/osakana`);
    expect(await page.evaluate(() => [isSecureContext, 'randomUUID' in crypto])).toEqual([
      false,
      false,
    ]);
    await page.getByRole('radio', { name: 'Two on this screen' }).check();
    await page.getByRole('button', { name: 'Start' }).click();
    await pick(page, 'B3', 'B2');
    await expect(page.locator('.moves')).toContainText('B3–B2');
  });

  test('an invitation made on this machine leads here from others', async ({ page, browser }) => {
    await page.goto(`${server.address}/play/dande`);
    await page.getByRole('radio', { name: 'A friend, by link' }).check();
    await page.getByRole('radio', { name: 'second' }).check();
    await page.getByLabel('Your name').fill('Mio');
    await page.getByRole('button', { name: 'Start' }).click();
    await expect(page.getByText('works on every device in your local network')).toBeVisible();
    const link = await page.getByLabel('Send this link to your friend').inputValue();
    expect(link).toContain(`${server.at(LAN ?? '')}/match/`);

    const { page: friend, context } = await another(browser, {});
    await friend.goto(link);
    await expect(friend.getByRole('heading', { name: 'Mio invites you to a match' })).toBeVisible();
    await expect(friend.getByText('Your side: blue')).toBeVisible();
    await friend.getByRole('button', { name: 'Take the seat' }).click();
    await expect(page.locator('.frame')).toBeVisible();
    await expect(friend.locator('.frame')).toBeVisible();
    await context.close();
  });

  test('two play who both came from other machines', async ({ page, browser }) => {
    const far = server.at(LAN ?? '');
    await page.goto(`${far}/play/osakana`);
    await page.getByRole('radio', { name: 'A friend, by link' }).check();
    await page.getByRole('radio', { name: 'first' }).check();
    await page.getByRole('button', { name: 'Start' }).click();
    const link = await page.getByLabel('Send this link to your friend').inputValue();
    expect(link).toContain(`${far}/match/`);
    await expect(page.getByText('this machine only')).toHaveCount(0);
    const { page: friend, context } = await another(browser, {});
    await friend.goto(link);
    await friend.getByRole('button', { name: 'Take the seat' }).click();
    await pick(page, 'B3', 'B2');
    await pick(friend, 'B1', 'B2');
    await pick(page, 'C4', 'C3');
    await expect(friend.locator('.moves li button')).toHaveCount(3);
    await context.close();
  });
});

test('an invitation of a server that listens here alone says so', async ({ page }) => {
  await sit(page, 'osakana', await make(page, { game: 'osakana', seats: [ME, FRIEND] }));
  const words = page.getByText('This link works on this machine only');
  await expect(words).toContainText('make play LAN=1');
});
