import { expect, it } from 'vitest';

import type { GameInfo } from '../net/types';
import { choicesOf, clocksOf, levelAfter, RULES, timing } from './choices';

const PLAIN: GameInfo = {
  slug: 'plain',
  title: 'Plain',
  summary: '',
  seat_names: ['first', 'second'],
  hidden: false,
  clock: null,
  untimed: {},
  options: [],
  computers: ['1', '2', '3'],
  puzzles: false,
  solvable: false,
};
const TIMED: GameInfo = { ...PLAIN, clock: '600/game+90/move', untimed: { clock: 'off' } };
const ALWAYS: GameInfo = { ...TIMED, untimed: {} };

it('begins with the lowest level, the first side and no clock against the computer', () => {
  for (const game of [PLAIN, TIMED]) {
    expect(choicesOf(game, 'computer')).toEqual({ level: '1', side: 'first', clock: 'none' });
  }
  expect(choicesOf(ALWAYS, 'computer').clock).toBe(RULES);
});

it('takes the clock of the rules between people', () => {
  expect(choicesOf(TIMED, 'friend').clock).toBe(RULES);
  expect(choicesOf(PLAIN, 'friend').clock).toBe('none');
});

it('takes what was chosen before, for each opponent its clock', () => {
  const kept = { level: '3', side: 'any', clocks: { friend: '300+3' } } as const;
  expect(choicesOf(TIMED, 'friend', kept)).toEqual({ level: '3', side: 'any', clock: '300+3' });
  expect(choicesOf(TIMED, 'computer', kept).clock).toBe('none');
});

it('forgets what the game no longer offers', () => {
  const kept = { level: 'perfect', clocks: { computer: RULES } };
  expect(choicesOf(PLAIN, 'computer', kept)).toEqual(choicesOf(PLAIN, 'computer'));
});

it('turns the clock of the rules off for any other', () => {
  expect(clocksOf(TIMED)).toContain('300+3');
  expect(timing(TIMED, '300+3')).toEqual({ clock: '300+3', options: { clock: 'off' } });
  expect(timing(TIMED, RULES)).toEqual({ clock: null, options: {} });
});

it('goes up a level after a win and down after a loss, as far as there are any', () => {
  expect(levelAfter(PLAIN, '2', true)).toBe('3');
  expect(levelAfter(PLAIN, '2', false)).toBe('1');
  expect(levelAfter(PLAIN, '3', true)).toBeNull();
  expect(levelAfter(PLAIN, '1', false)).toBeNull();
  expect(levelAfter(PLAIN, 'nobody', true)).toBeNull();
  const attached = { ...PLAIN, computers: [...PLAIN.computers, 'somebody'] };
  expect(levelAfter(attached, '3', true)).toBeNull();
});
