import { beforeEach, describe, expect, it, vi } from 'vitest';

import type { Seat } from '../board/contract';
import { Line, type Wire } from './line';
import { MatchClient } from './match.svelte';
import { ManualTimers } from './manual';
import type { Snapshot, Update } from './types';

const page = { visibilityState: 'visible', listeners: new Set<() => void>() };
let time = new ManualTimers();

beforeEach(() => {
  time = new ManualTimers();
  page.visibilityState = 'visible';
  page.listeners.clear();
  const shelf = { getItem: () => null, setItem: () => undefined };
  vi.stubGlobal('sessionStorage', shelf);
  vi.stubGlobal('document', {
    get visibilityState() {
      return page.visibilityState;
    },
    addEventListener: (_kind: string, run: () => void) => page.listeners.add(run),
    removeEventListener: (_kind: string, run: () => void) => page.listeners.delete(run),
  });
});

function snapshot(seat: Seat, seq: number): Snapshot {
  return {
    type: 'snapshot',
    match: 'm',
    seat,
    seq,
    now: 0,
    info: {
      match: 'm',
      game: 'heap',
      options: {},
      clock: 'none',
      private: false,
      created: 0,
      status: 'running',
      players: [null, null],
      turn: 1,
      ending: null,
      rematch: null,
      previous: null,
    },
    spectators: 0,
    position: {
      view: `v${String(seq)}`,
      turn: 1,
      awaited: ['first'],
      clock: clockAt(0),
      draw_offer: null,
      takeback: null,
      no_takeback: null,
      commitment: '',
      moves: [],
      asked: null,
    },
  };
}

function clockAt(left: number): { spec: string; hands: []; game: { left: number; since: null } } {
  return { spec: 'x', hands: [], game: { left, since: null } };
}

function moved(seq: number, by: Seat, more: Update['notices'] = []): Update {
  return {
    type: 'update',
    match: 'm',
    seat: 'first',
    seq,
    at: 0,
    notices: [
      { type: 'moved', seat: by, turn: 1, text: String(seq), remark: '', seal: null },
      { type: 'stands', view: `v${String(seq)}`, turn: 1, awaited: [], clock: clockAt(seq) },
      ...more,
    ],
  };
}

const ENDED: Update['notices'][number] = {
  type: 'ended',
  result: '0-1',
  winner: 'second',
  reason: 'resigned',
  scores: null,
  seed: '',
  position: '',
};

/** A client of first that has heard how the match begins. */
function client(secrets: Partial<Record<Seat, string>> = { first: 's' }): MatchClient {
  const wire: Wire = {
    onopen: null,
    onclose: null,
    onmessage: null,
    send: () => undefined,
    close: () => undefined,
  };
  const world = { connect: () => wire, later: () => 0, never: () => undefined };
  const line = new Line({ ...world, now: () => 0, random: () => 0 });
  const made = new MatchClient('m', secrets, line, () => 800, time);
  made.start();
  made.hear(snapshot('first', 1));
  return made;
}

describe('a match is shown', () => {
  it('one step after the other, the own one at once', () => {
    const match = client();
    const seen: (number | undefined)[] = [];
    for (const update of [moved(2, 'first'), moved(3, 'second'), moved(4, 'second')]) {
      match.hear(update);
      seen.push(match.states.first?.seq);
    }
    expect(seen).toEqual([2, 2, 2]);
    expect(match.unseen).toBe(2);
    time.pass(400);
    expect(match.states.first?.seq).toBe(3);
    time.pass(799);
    expect(match.states.first?.position?.view).toBe('v3');
    time.pass(1);
    expect(match.states.first?.position?.view).toBe('v4');
    expect(match.unseen).toBe(0);
  });

  it('with clocks that are right, however far behind the board is', () => {
    const match = client();
    for (const update of [moved(2, 'second'), moved(3, 'second')]) match.hear(update);
    expect(match.states.first?.position?.view).toBe('v2');
    expect(match.states.first?.position?.clock).toEqual(clockAt(3));
  });

  it('with the last move before the result', () => {
    const match = client();
    match.hear(moved(2, 'second', [ENDED]));
    expect(match.states.first?.position?.view).toBe('v2');
    expect(match.states.first?.info).toMatchObject({ status: 'running', ending: null });
    time.pass(800);
    expect(match.states.first?.info).toMatchObject({
      status: 'over',
      ending: { winner: 'second' },
    });
  });

  it('with what is said as soon as the steps before it', () => {
    const match = client();
    const said = { type: 'said', seat: 'second', phrase: 'hello' } as const;
    match.hear(moved(2, 'second'));
    match.hear({ ...moved(3, 'second'), notices: [said] });
    expect(match.states.first?.phrases.length).toBe(1);
  });
});

describe('a match is shown as it stands', () => {
  it('to who comes back after the line was down', () => {
    const match = client();
    match.hello();
    for (const update of [moved(2, 'second'), moved(3, 'second')]) match.hear(update);
    expect(match.states.first?.seq).toBe(3);
    match.hear({ type: 'watching', match: 'm', seat: 'first', seq: 3, now: 0 });
    for (const update of [moved(4, 'second'), moved(5, 'second')]) match.hear(update);
    expect(match.states.first?.seq).toBe(4);
  });

  it('to who did not look', () => {
    const match = client();
    for (const update of [moved(2, 'second'), moved(3, 'second')]) match.hear(update);
    page.visibilityState = 'hidden';
    for (const run of page.listeners) run();
    expect(match.states.first?.seq).toBe(3);
    match.hear(moved(4, 'second'));
    match.hear(moved(5, 'second'));
    expect(match.states.first?.seq).toBe(5);
  });

  it('to two who share a screen', () => {
    const match = client({ first: 's', second: 's' });
    match.hear(snapshot('second', 1));
    match.hear({ type: 'watching', match: 'm', seat: 'first', seq: 1, now: 0 });
    for (const update of [moved(2, 'first'), moved(3, 'second')]) match.hear(update);
    expect(match.states.first?.seq).toBe(3);
  });

  it('to who asks for it, and by a new snapshot', () => {
    const match = client();
    for (const seq of [2, 3, 4]) match.hear(moved(seq, 'second'));
    match.skip();
    expect([match.states.first?.seq, match.unseen]).toEqual([4, 0]);
    match.hear(moved(5, 'second'));
    match.hear(snapshot('first', 9));
    time.pass(10_000);
    expect([match.states.first?.seq, match.unseen]).toEqual([9, 0]);
  });
});
