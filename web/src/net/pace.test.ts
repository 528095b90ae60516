import { beforeEach, describe, expect, it } from 'vitest';

import { ManualTimers } from './manual';
import { MOST_WAITING, Pace } from './pace';

let time = new ManualTimers();
let shown: [number, string][] = [];
let pace = new Pace<string>(() => undefined, time);

beforeEach(() => {
  const clock = new ManualTimers();
  const seen: [number, string][] = [];
  [time, shown] = [clock, seen];
  pace = new Pace((value: string) => seen.push([clock.now(), value]), clock);
});

describe('steps', () => {
  it('are shown one after the other, each for its time', () => {
    for (const step of ['a', 'b', 'c']) pace.step(step, 800);
    expect(shown).toEqual([[0, 'a']]);
    expect(pace.waiting).toBe(2);
    time.pass(5_000);
    expect(shown).toEqual([
      [0, 'a'],
      [800, 'b'],
      [1_600, 'c'],
    ]);
    expect(pace.waiting).toBe(0);
  });

  it('wait for no more than what is left', () => {
    pace.step('a', 800);
    time.pass(500);
    pace.step('b', 800);
    time.pass(299);
    expect(shown.length).toBe(1);
    time.pass(1);
    expect(shown).toContainEqual([800, 'b']);
    time.pass(1_000);
    pace.step('c', 800);
    expect(shown).toContainEqual([1_800, 'c']);
  });

  it('are all shown at once where a step takes no time', () => {
    for (const step of ['a', 'b', 'c']) pace.step(step, 0);
    expect(shown.map(([at]) => at)).toEqual([0, 0, 0]);
  });

  it('of the player’s own wait for nothing', () => {
    pace.step('theirs', 800);
    time.pass(100);
    pace.now('mine', 400);
    pace.step('answer', 800);
    time.pass(5_000);
    expect(shown).toEqual([
      [0, 'theirs'],
      [100, 'mine'],
      [500, 'answer'],
    ]);
  });
});

describe('what takes no time of its own', () => {
  it('is shown at once where nothing waits', () => {
    pace.step('a', 800);
    time.pass(10);
    pace.add('a, and a word');
    expect(shown.at(-1)).toEqual([10, 'a, and a word']);
    pace.step('b', 800);
    time.pass(5_000);
    expect(shown.at(-1)).toEqual([800, 'b']);
  });

  it('comes with the step before it', () => {
    pace.step('a', 800);
    pace.step('b', 800);
    pace.add('b, and a word');
    time.pass(5_000);
    expect(shown.map(([, value]) => value)).toEqual(['a', 'b, and a word']);
  });
});

describe('who does not look', () => {
  it('is shown where it has led to', () => {
    for (const step of ['a', 'b', 'c']) pace.step(step, 800);
    pace.skip();
    expect(shown.map(([, value]) => value)).toEqual(['a', 'c']);
    time.pass(5_000);
    expect(shown.length).toBe(2);
    pace.skip();
    expect(shown.length).toBe(2);
  });

  it('is never far behind', () => {
    const steps = [...Array(MOST_WAITING + 2).keys()].map(String);
    for (const step of steps) pace.step(step, 800);
    expect(pace.waiting).toBe(0);
    expect(shown.at(-1)?.[1]).toBe(steps.at(-1));
  });

  it('hears no more of it once it is stopped', () => {
    pace.step('a', 800);
    pace.step('b', 800);
    pace.stop();
    time.pass(5_000);
    expect(shown.map(([, value]) => value)).toEqual(['a']);
    expect(pace.waiting).toBe(0);
  });
});
