/** A real server with a real SQLite file, for each worker of the tests its own. */

import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { test as base, expect, type BrowserContext } from '@playwright/test';

const VISAVIS = new URL('../../.venv/bin/visavis', import.meta.url).pathname;
const PATIENCE_MS = 60_000;
/** How much of the server's log is kept, in characters. */
const LONGEST_LOG = 4_000;

/** What the server's log says once it listens. */
const LISTENS = /"listening", "address": "http:\/\/[^:]+:(\d+)\/"/;

export class Server {
  readonly folder = mkdtempSync(join(tmpdir(), 'visavis-page-'));
  private process: ChildProcess | null = null;
  /** The server takes a free port, and has it again when it comes back. */
  private port = 0;

  private constructor(
    private readonly host: string,
    private readonly more: readonly string[],
  ) {}

  /** Starts one, with some settings of `visavis serve` if need be. */
  static async start(host = '127.0.0.1', more: readonly string[] = []): Promise<Server> {
    const server = new Server(host, more);
    await server.up();
    return server;
  }

  /** Where the page is, asked for at one of the addresses the server listens on. */
  get address(): string {
    return this.at('127.0.0.1');
  }

  at(host: string): string {
    return `http://${host}:${String(this.port)}`;
  }

  async up(): Promise<void> {
    const where = ['--host', this.host, '--port', String(this.port)];
    const settings = [...where, '--database', join(this.folder, 'play.db')];
    const unlimited = ['--requests', '0', '--new-matches', '0', '--messages', '0', '--work', '0'];
    const server = spawn(VISAVIS, ['serve', ...settings, ...unlimited, ...this.more], {
      // What the machine has solved is not known here.
      env: { ...process.env, VISAVIS_DATA: this.folder },
    });
    this.process = server;
    this.port = await new Promise((resolve, reject) => {
      let log = '';
      const read = (chunk: Buffer): void => {
        log = (log + chunk.toString()).slice(-LONGEST_LOG);
        const [, port] = LISTENS.exec(log) ?? [];
        if (port !== undefined) resolve(Number(port));
      };
      server.stdout.on('data', read);
      server.stderr.on('data', read);
      server.once('exit', () => {
        reject(new Error(`the server would not start: ${log}`));
      });
    });
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

/**
 * Notes what the pages of a context throw: the test fails by it. Nobody there waits for steps, or is
 * asked about sounds.
 */
export async function watch(context: BrowserContext, pace = 'off'): Promise<void> {
  context.on('weberror', (mishap) => mishaps.push(String(mishap.error().stack)));
  await context.addInitScript((wanted) => {
    const key = 'visavis.settings';
    if (location.protocol !== 'http:' || localStorage.getItem(key) !== null) return;
    localStorage.setItem(key, JSON.stringify({ pace: wanted, sound: false }));
  }, pace);
}

/** Tests with a server; the page is found at its address. */
export const test = base.extend<
  { baseURL: string; pace: string; unharmed: undefined },
  { server: Server }
>({
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
  pace: ['off', { option: true }],
  unharmed: [
    async ({ context, pace }, use) => {
      mishaps.length = 0;
      await watch(context, pace);
      await use(undefined);
      expect(mishaps).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
export type { Page } from '@playwright/test';
