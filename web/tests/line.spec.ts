import { byClick, dice, playOut } from './playing';
import { expect, Server, test } from './serving';

test('a killed server costs no move: what was played meanwhile is played then', async ({
  page,
}) => {
  const server = await Server.start();
  await page.goto(`${server.address}/play/osakana`);
  await page.getByRole('radio', { name: 'Two on this screen' }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator('[data-key="B3"]').click();
  await page.locator('[data-key="B2"]').click();
  await expect(page.locator('.moves')).toContainText('B3B2');

  await server.kill();
  await expect(page.getByText('No connection')).toBeVisible();
  await page.locator('[data-key="B1"]').click();
  await page.locator('[data-key="B2"]').click();
  await server.up();
  await expect(page.locator('.moves')).toContainText('B1B2');
  await expect(page.getByText('No connection')).toBeHidden();

  await playOut([page], { press: byClick, roll: dice(1) });
  await server.remove();
});

test('two tabs of one seat agree', async ({ page, context, baseURL }) => {
  await page.goto(`${baseURL}/play/osakana`);
  await page.getByRole('radio', { name: 'Two on this screen' }).check();
  await page.getByRole('button', { name: 'Start' }).click();
  await expect(page.locator('.frame.active')).toBeVisible();
  const twin = await context.newPage();
  await twin.goto(page.url());
  await twin.locator('[data-key="C4"]').click();
  await twin.locator('[data-key="C3"]').click();
  await expect(page.locator('.moves')).toContainText('C4C3');
  await expect(twin.locator('.moves')).toContainText('C4C3');
});
