/** A real server with a real SQLite file, for each worker of the tests its own. */

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import { test as base, expect, type BrowserContext } from '@playwright/test';

const VISAVIS = new URL('../../.venv/bin/visavis', import.meta.url).pathname;
const PATIENCE_MS = 60_000;

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

export class Server {
  readonly folder = mkdtempSync(join(tmpdir(), 'visavis-page-'));
  private process: ChildProcess | null = null;

  private constructor(readonly port: number) {}

  static async start(): Promise<Server> {
    const server = new Server(await freePort());
    await server.up();
    return server;
  }

  get address(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  async up(): Promise<void> {
    const settings = ['--port', String(this.port), '--database', join(this.folder, 'play.db')];
    const unlimited = ['--requests', '0', '--new-matches', '0', '--messages', '0'];
    this.process = spawn(VISAVIS, ['serve', ...settings, ...unlimited], { stdio: 'ignore' });
    const until = Date.now() + PATIENCE_MS;
    while (Date.now() < until) {
      if (this.process.exitCode !== null) throw new Error('the server would not start');
      const ready = await fetch(`${this.address}/readyz`).catch(() => null);
      if (ready?.ok) return;
      await pause(200);
    }
    throw new Error('the server did not come up');
  }

  /** Kills the server, as a crash would. */
  async kill(): Promise<void> {
    const dying = this.process;
    if (dying === null) return;
    const gone = new Promise((resolve) => dying.once('exit', resolve));
    dying.kill('SIGKILL');
    await gone;
    this.process = null;
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true });
  }
}

/** What pages have thrown and nobody caught, in the test that is running. */
const mishaps: string[] = [];

/** Notes what the pages of a context throw: the test fails by it. */
export function watch(context: BrowserContext): void {
  context.on('weberror', (mishap) => mishaps.push(String(mishap.error().stack)));
}

/** Tests with a server; the page is found at its address. */
export const test = base.extend<{ baseURL: string; unharmed: undefined }, { server: Server }>({
  server: [
    // Playwright finds out what a fixture needs from the pattern, so it has to be there.
    // eslint-disable-next-line no-empty-pattern
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.remove();
    },
    { scope: 'worker', timeout: PATIENCE_MS },
  ],
  baseURL: async ({ server }, use) => {
    await use(server.address);
  },
  unharmed: [
    async ({ context }, use) => {
      mishaps.length = 0;
      watch(context);
      await use(undefined);
      expect(mishaps).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
export type { Page } from '@playwright/test';
