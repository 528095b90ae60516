import { expect, it } from 'vitest';

import { askedOf, begin, go, withHistory, type Told } from './told';
import type { Position, Snapshot, Update } from './types';

const clock = { spec: 'none', hands: [], game: null };
const info: Snapshot['info'] = {
  match: 'm',
  game: 'heap',
  options: {},
  clock: 'none',
  private: false,
  created: 0,
  status: 'running',
  players: [{ kind: 'person', name: 'Ada' }, null],
  turn: 1,
  ending: null,
  rematch: null,
  previous: null,
};
const asked = { prompt: '', legal: ['1', '2'], count: 2, suggestions: {} };

function snapshot(seq: number, change: Partial<Position> = {}): Snapshot {
  const position: Position = {
    view: `v${String(seq)}`,
    turn: 1,
    awaited: ['first'],
    clock,
    draw_offer: null,
    takeback: null,
    commitment: '',
    moves: [],
    asked,
    ...change,
  };
  return {
    type: 'snapshot',
    match: 'm',
    seat: 'first',
    seq,
    now: 0,
    info,
    spectators: 0,
    position,
  };
}

function update(seq: number, notices: Update['notices']): Update {
  return { type: 'update', match: 'm', seat: 'first', seq, at: 0, notices };
}

function moved(seq: number, text: string): Update {
  return update(seq, [
    { type: 'moved', seat: 'first', turn: 1, text, remark: '', seal: null },
    { type: 'stands', view: `v${String(seq)}`, turn: 2, awaited: ['second'], clock },
  ]);
}

function all(updates: readonly Update[], start = begin(snapshot(1))): Told {
  return updates.reduce<Told>((told, next) => go(told, next) ?? told, start);
}

it('goes on from a snapshot, move by move', () => {
  const told = all([moved(2, 'a'), moved(3, 'b')]);
  expect(told.position?.view).toBe('v3');
  expect(told.position?.moves.map(({ text }) => text)).toEqual(['a', 'b']);
  expect(told.steps.map(({ view }) => view)).toEqual(['v1', 'v2', 'v3']);
  expect(askedOf(told)).toBeNull();
});

it('takes an update once and sees a gap', () => {
  const told = all([moved(2, 'a')]);
  expect(go(told, moved(2, 'a'))).toBe(told);
  expect(go(told, moved(4, 'c'))).toBeNull();
});

it('keeps what is asked when somebody only speaks', () => {
  const told = all([update(2, [{ type: 'said', seat: 'second', phrase: 'hello' }])]);
  expect(askedOf(told)).toEqual(asked);
  expect(told.phrases).toEqual([{ seq: 2, seat: 'second', phrase: 'hello' }]);
});

it('takes back', () => {
  const stands = { type: 'stands', view: 'v2', turn: 2, awaited: ['second'], clock } as const;
  const told = all([
    moved(2, 'a'),
    moved(3, 'b'),
    update(4, [
      { type: 'took_back', seat: 'first', decisions: 1 },
      { ...stands, awaited: ['second'] },
    ]),
  ]);
  expect(told.position?.moves.map(({ text }) => text)).toEqual(['a']);
  expect(told.steps.map(({ view }) => view)).toEqual(['v1', 'v2']);
});

it('ends, and asks nothing any more', () => {
  const end = { result: '1-0', winner: 'first', reason: 'resigned', scores: null } as const;
  const told = all([update(2, [{ type: 'ended', ...end, seed: '', position: '' }])]);
  expect(told.info.ending).toEqual(end);
  expect(askedOf(told)).toBeNull();
});

it('learns the way here from the history', () => {
  const late = begin(snapshot(3, { moves: [{ turn: 1, seat: 'first', text: 'b' }] }));
  const start = update(1, [
    { type: 'began', commitment: '' },
    { type: 'stands', view: 'v1', turn: 1, awaited: ['first'], clock },
  ]);
  const told = withHistory(late, [start, moved(2, 'a'), moved(3, 'b')]);
  expect(told.steps.map(({ view }) => view)).toEqual(['v1', 'v2', 'v3']);
  expect(told.position).toEqual(late.position);
});
