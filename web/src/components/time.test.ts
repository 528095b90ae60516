/** Clocks: how long a step may be looked at while one runs. */

import { describe, expect, it } from 'vitest';

import type { ClockFace } from '../net/types';
import { hurried } from './time';

function clock(spec: string, first: number, second: number): ClockFace {
  const hands = [first, second].map((left) => ({ left, since: null }));
  return { spec, hands: spec === 'none' ? [] : hands, game: null };
}

describe('a step', () => {
  it('takes its time where no clock runs, or a slow one', () => {
    expect(hurried(1_200, clock('none', 0, 0), 'first')).toBe(1_200);
    expect(hurried(1_200, clock('1d/move', 86_400_000, 86_400_000), 'first')).toBe(1_200);
  });

  it('takes 0.6 s at most where a clock runs', () => {
    expect(hurried(1_200, clock('5m+3', 300_000, 300_000), 'first')).toBe(600);
    expect(hurried(450, clock('5m+3', 300_000, 300_000), 'second')).toBe(450);
    expect(hurried(1_200, clock('5m+3', 9_000, 9_000), null)).toBe(600);
  });

  it('costs nothing who has little time left', () => {
    expect(hurried(1_200, clock('5m+3', 14_999, 300_000), 'first')).toBe(0);
    expect(hurried(1_200, clock('5m+3', 14_999, 300_000), 'second')).toBe(600);
  });
});
