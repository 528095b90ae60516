import { afterEach, expect, it, vi } from 'vitest';

import { join } from './api';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('asks for a seat again, with the same secret, if no answer comes', async () => {
  vi.useFakeTimers();
  const asked: string[] = [];
  vi.stubGlobal('fetch', (_: string, request: RequestInit) => {
    asked.push(request.body as string);
    if (asked.length === 1) return Promise.reject(new TypeError('the line broke'));
    return Promise.resolve(Response.json({ match: 'm', seat: 'second', secret: 's' }));
  });
  const joining = join('m', { invitation: 'i', secret: 's' });
  await vi.runAllTimersAsync();
  expect(await joining).toMatchObject({ seat: 'second', secret: 's' });
  expect(asked).toEqual([asked[0], asked[0]]);
});

it('does not insist where it is refused', async () => {
  const refused = () =>
    Promise.resolve(Response.json({ code: 'seat_taken', message: '' }, { status: 409 }));
  vi.stubGlobal('fetch', vi.fn(refused));
  await expect(join('m', { secret: 's' })).rejects.toMatchObject({ code: 'seat_taken' });
  expect(fetch).toHaveBeenCalledOnce();
});
