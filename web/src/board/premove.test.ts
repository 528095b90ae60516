import { expect, it } from 'vitest';

import { longest, plan, ripen } from './premove';
import type { Way } from './chooser';

const WAYS: readonly Way[] = [
  { move: 'a-b', path: ['a', 'b'] },
  { move: 'a-b-c', path: ['a', 'd', 'c'] },
  { move: 'build e', path: ['e', 'e'] },
];

it('adds keys until a move is whole, and then begins another', () => {
  expect(plan([], 'a', 2)).toEqual(['a']);
  expect(plan(['a'], 'b', 2)).toEqual(['a', 'b']);
  expect(plan(['a', 'b'], 'c', 2)).toEqual(['c']);
  expect(plan(['a', 'b'], 'c', 3)).toEqual(['a', 'b', 'c']);
  expect(plan(['e', 'e'], 'a', 3)).toEqual(['a']);
});

it('lets a whole move go when it would begin with the same key again', () => {
  expect(plan(['a', 'b'], 'a', 2)).toEqual([]);
  expect(plan(['e', 'e'], 'e', 3)).toEqual([]);
});

it('takes moves to be as long as those that were seen', () => {
  expect(longest(WAYS)).toBe(3);
  expect(longest([])).toBe(2);
});

it('plays what turned out to be legal, and forgets what did not', () => {
  expect(ripen(WAYS, ['a', 'b'])).toEqual({ move: 'a-b' });
  expect(ripen(WAYS, ['e', 'e'])).toEqual({ move: 'build e' });
  expect(ripen(WAYS, ['b', 'a'])).toEqual({ picked: [] });
  expect(ripen(WAYS, [])).toEqual({ picked: [] });
});

it('keeps the beginning of a move picked', () => {
  expect(ripen(WAYS, ['a'])).toEqual({ picked: ['a'] });
  expect(ripen(WAYS, ['a', 'd'])).toEqual({ picked: ['a', 'd'] });
});
