import { expect, it } from 'vitest';

import { fit, wrap } from './fit';

it('makes the font smaller if it must, for all lines alike', () => {
  expect(fit('ab', 100, 12)).toBe(12);
  expect(fit('a'.repeat(50), 60, 12)).toBeCloseTo(2);
  expect(fit(['a', 'a'.repeat(50)], 60, 12)).toBeCloseTo(2);
  expect(fit('漢'.repeat(10), 60, 12)).toBe(6);
});

it('breaks lines between words, and anywhere in Japanese', () => {
  expect(wrap('the piece is lost', 6)).toEqual(['the piece', 'is lost']);
  expect(wrap('unbreakable', 3)).toEqual(['unbreakable']);
  expect(wrap('駒は失われる。', 4)).toEqual(['駒は失わ', 'れる。']);
  expect(wrap('', 4)).toEqual([]);
});
