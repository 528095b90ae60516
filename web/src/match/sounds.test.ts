import { expect, it, vi } from 'vitest';

import type { Deed, Model } from '../board/contract';
import type { Step, MatchState } from '../net/match_state';

vi.mock('../app/settings.svelte', () => ({ settings: { sound: true } }));
const { soundOf } = await import('./sounds.svelte');

const read: Model<unknown>['read'] = ({ view }) => view;
const takes: Model<unknown>['takes'] = ({ text }) => text.includes('x');
const model = { read, takes } as unknown as Model<unknown>;

function state(
  seq: number,
  deeds: readonly Deed[],
  winner?: 'first' | 'second' | null,
): MatchState {
  const step: Step = { seq, view: 'v', turn: 1, awaited: [], deeds };
  const ending = winner === undefined ? null : { result: '*', winner, reason: 'x', scores: null };
  return {
    seat: 'first',
    seq,
    info: { options: {}, ending },
    steps: [step],
  } as unknown as MatchState;
}

const start = state(1, []);
const move: Deed = { by: 'second', text: 'a-b', remark: '' };
const take: Deed = { by: 'second', text: 'axb', remark: '' };
const roll: Deed = { by: 'chance', text: '6', remark: '' };

it.each([
  ['a move', state(2, [move, roll]), 'move'],
  ['a capture', state(2, [take]), 'take'],
  ['chance alone', state(2, [roll]), 'roll'],
  ['a word', { ...start, seq: 2 }, null],
  ['a win', state(2, [move], 'first'), 'win'],
  ['a loss', state(2, [move], 'second'), 'loss'],
  ['a draw', state(2, [move], null), 'draw'],
])('%s sounds as it should', (_what, now, expected) => {
  expect(soundOf(start, now, model, ['first'])).toBe(expected);
});
