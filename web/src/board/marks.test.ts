import { expect, it } from 'vitest';

import type { Seat } from './contract';
import { arrow, gone } from './marks';

function board(text: string): ReadonlyMap<string, { seat: Seat }> {
  return new Map(
    text
      .split(' ')
      .map((entry) => [entry.slice(1), { seat: entry.startsWith('f') ? 'first' : 'second' }]),
  );
}

it.each([
  ['fa sb', 'fc sb', []],
  ['fa sb', 'fb', ['b']],
  ['fa sb', 'sb', ['a']],
  ['fa sb fc', 'fc', ['a', 'b']],
  ['fa sb', 'fa sb fc', []],
  ['fa sb sc', 'fa sc', ['b']],
])('what is gone when %s becomes %s', (before, after, expected) => {
  expect(gone(board(before), board(after)).map(([key]) => key)).toEqual(expected);
});

it('points from here to there, and keeps away from both ends', () => {
  const path = arrow({ x: 0, y: 0 }, { x: 100, y: 0 }, 4, 20);
  const points = path
    .slice(1, -1)
    .split('L')
    .map((point) => point.split(' ').map(Number));
  expect(Math.min(...points.map(([x = NaN]) => x))).toBe(10);
  expect(Math.max(...points.map(([x = NaN]) => x))).toBe(80);
});

it('is no arrow where there is no room for one', () => {
  expect(arrow({ x: 0, y: 0 }, { x: 20, y: 0 }, 4, 20)).toBe('');
  expect(arrow({ x: 5, y: 5 }, { x: 5, y: 5 }, 4, 20)).toBe('');
});
