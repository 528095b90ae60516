import { expect, it } from 'vitest';

import {
  askedOf,
  begin,
  go,
  stages,
  stepsOfTurn,
  turnOf,
  unreadyOf,
  withHistory,
  type MatchState,
} from './match_state';
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
    no_takeback: null,
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

function all(updates: readonly Update[], start = begin(snapshot(1))): MatchState {
  return updates.reduce<MatchState>((state, next) => go(state, next) ?? state, start);
}

it('goes on from a snapshot, move by move', () => {
  const state = all([moved(2, 'a'), moved(3, 'b')]);
  expect(state.position?.view).toBe('v3');
  expect(state.position?.moves.map(({ text }) => text)).toEqual(['a', 'b']);
  expect(state.steps.map(({ view }) => view)).toEqual(['v1', 'v2', 'v3']);
  expect(askedOf(state)).toBeNull();
});

it('takes an update once and sees a gap', () => {
  const state = all([moved(2, 'a')]);
  expect(go(state, moved(2, 'a'))).toBe(state);
  expect(go(state, moved(4, 'c'))).toBeNull();
});

it('keeps what is asked when somebody only speaks', () => {
  const state = all([update(2, [{ type: 'said', seat: 'second', phrase: 'hello' }])]);
  expect(askedOf(state)).toEqual(asked);
  expect(state.phrases).toEqual([{ seq: 2, seat: 'second', phrase: 'hello' }]);
});

it('knows for whom the clock waits', () => {
  const stands = { type: 'stands', view: 'v', turn: 1, awaited: [], clock } as const;
  const began = { type: 'began', commitment: '', unready: ['first', 'second'] } as const;
  const start = update(2, [
    { ...began, unready: [...began.unready] },
    { ...stands, awaited: [] },
  ]);
  const unready = (state: MatchState) => state.position && unreadyOf(state.position);
  expect(unready(begin(snapshot(1)))).toEqual([]);
  const state = all([start]);
  expect(unready(state)).toEqual(['first', 'second']);
  const ready = update(3, [
    { type: 'got_ready', seat: 'second' },
    { ...stands, awaited: [] },
  ]);
  expect(unready(all([start, ready]))).toEqual(['first']);
  expect(all([start, ready]).steps).toEqual(state.steps);
});

it('takes back', () => {
  const stands = { type: 'stands', view: 'v2', turn: 2, awaited: ['second'], clock } as const;
  const state = all([
    moved(2, 'a'),
    moved(3, 'b'),
    update(4, [
      { type: 'took_back', seat: 'first', decisions: 1 },
      { ...stands, awaited: ['second'] },
    ]),
  ]);
  expect(state.position?.moves.map(({ text }) => text)).toEqual(['a']);
  expect(state.steps.map(({ view }) => view)).toEqual(['v1', 'v2']);
});

it('ends, and asks nothing any more', () => {
  const end = { result: '1-0', winner: 'first', reason: 'resigned', scores: null } as const;
  const state = all([update(2, [{ type: 'ended', ...end, seed: '', position: '' }])]);
  expect(state.info.ending).toEqual(end);
  expect(askedOf(state)).toBeNull();
});

it('learns the way here from the history', () => {
  const late = begin(snapshot(3, { moves: [{ turn: 1, seat: 'first', text: 'b' }] }));
  const start = update(1, [
    { type: 'began', commitment: '' },
    { type: 'stands', view: 'v1', turn: 1, awaited: ['first'], clock },
  ]);
  const state = withHistory(late, [start, moved(2, 'a'), moved(3, 'b')]);
  expect(state.steps.map(({ view }) => view)).toEqual(['v1', 'v2', 'v3']);
  expect(state.position).toEqual(late.position);
});

it('knows whose turn it is on a shared screen while only one of two has heard', () => {
  const first = begin(snapshot(1));
  const second = begin({ ...snapshot(1, { asked: null }), seat: 'second' });
  expect(turnOf({ first, second })).toBe('first');
  const heard = go(second, { ...moved(2, 'a'), seat: 'second', asked }) ?? second;
  expect(turnOf({ first, second: heard })).toBe('second');
  const other = go(first, moved(2, 'a')) ?? first;
  expect(turnOf({ first: other, second })).toBe('second');
  expect(turnOf({ first: other, second: heard })).toBe('second');
  expect(turnOf({})).toBeNull();
});

it('finds the steps of a turn', () => {
  const by = (seq: number, seat: 'first' | 'second'): Update =>
    update(seq, [
      { type: 'moved', seat, turn: 1, text: String(seq), remark: '', seal: null },
      { type: 'stands', view: `v${String(seq)}`, turn: 1, awaited: [], clock },
    ]);
  const { steps } = all([by(2, 'first'), by(3, 'second'), by(4, 'second'), by(5, 'first')]);
  const seqs = (at: number): number[] => stepsOfTurn(steps, at).map(({ seq }) => seq);
  expect([0, 1, 2, 3, 4].map(seqs)).toEqual([[], [2], [3], [3, 4], [5]]);
});

it('shows the last move before the result', () => {
  const end = { result: '1-0', winner: 'first', reason: 'x', scores: null } as const;
  const state = all([
    update(2, [...moved(2, 'a').notices, { type: 'ended', ...end, seed: '', position: '' }]),
  ]);
  const [move, result] = stages(state);
  expect(move?.position?.view).toBe('v2');
  expect(move?.info).toMatchObject({ status: 'running', ending: null });
  expect(result).toBe(state);
  expect(stages(all([moved(2, 'a')]))).toHaveLength(1);
});
