import { expect, it, vi } from 'vitest';

import type { Deed, Model } from '../board/contract';
import type { Step, Told } from '../net/told';

vi.mock('../app/settings.svelte', () => ({ settings: { sound: true } }));
const { soundOf } = await import('./sounds.svelte');

const read: Model<unknown>['read'] = ({ view }) => view;
const takes: Model<unknown>['takes'] = ({ text }) => text.includes('x');
const model = { read, takes } as unknown as Model<unknown>;

function told(seq: number, deeds: readonly Deed[], winner?: 'first' | 'second' | null): Told {
  const step: Step = { seq, view: 'v', turn: 1, awaited: [], deeds };
  const ending = winner === undefined ? null : { result: '*', winner, reason: 'x', scores: null };
  return { seat: 'first', seq, info: { options: {}, ending }, steps: [step] } as unknown as Told;
}

const start = told(1, []);
const move: Deed = { by: 'second', text: 'a-b', remark: '' };
const take: Deed = { by: 'second', text: 'axb', remark: '' };
const roll: Deed = { by: 'chance', text: '6', remark: '' };

it.each([
  ['a move', told(2, [move, roll]), 'move'],
  ['a capture', told(2, [take]), 'take'],
  ['chance alone', told(2, [roll]), 'roll'],
  ['a word', { ...start, seq: 2 }, null],
  ['a win', told(2, [move], 'first'), 'win'],
  ['a loss', told(2, [move], 'second'), 'loss'],
  ['a draw', told(2, [move], null), 'draw'],
])('%s sounds as it should', (_what, now, expected) => {
  expect(soundOf(start, now, model, ['first'])).toBe(expected);
});
