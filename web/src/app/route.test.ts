import { beforeAll, expect, it, vi } from 'vitest';

import type { Route } from './route.svelte';

let read: (path: string, fragment: string) => Route;

beforeAll(async () => {
  vi.stubGlobal('location', { pathname: '/', hash: '' });
  vi.stubGlobal('addEventListener', () => undefined);
  ({ read } = await import('./route.svelte'));
});

it('knows its addresses', () => {
  expect(read('/', '')).toEqual({ page: 'home' });
  expect(read('/learn', '')).toEqual({ page: 'learn', game: null });
  expect(read('/learn/heap/', '')).toEqual({ page: 'learn', game: 'heap' });
  expect(read('/match/x1', '')).toEqual({ page: 'match', match: 'x1', invitation: null });
  expect(read('/match/x1', '#s3')).toEqual({ page: 'match', match: 'x1', invitation: 's3' });
  const seen = { page: 'replay', match: 'x1' };
  expect(read('/replay/x1', '')).toEqual({ ...seen, viewer: 'open', at: null });
  expect(read('/replay/x1/second', '#12')).toEqual({ ...seen, viewer: 'second', at: 12 });
  expect(read('/replay/x1/third', '')).toEqual({ page: 'missing' });
  expect(read('/puzzles/heap', '')).toEqual({ page: 'puzzles', game: 'heap' });
  expect(read('/nowhere', '')).toEqual({ page: 'missing' });
  expect(read('/lobby/x', '')).toEqual({ page: 'missing' });
});
