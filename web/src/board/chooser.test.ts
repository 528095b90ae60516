import { describe, expect, it } from 'vitest';

import { neighbour } from './neighbours';
import { follows, lit, pick, typed, unpick, type Way } from './chooser';

const ways: Way[] = [
  { move: 'a1-a2', path: ['a1', 'a2'] },
  { move: 'a1-b2', path: ['a1', 'b2'] },
  { move: 'b1-b2', path: ['b1', 'b2'] },
  { move: 'build c3', path: ['c3', 'c3'] },
];

describe('picking', () => {
  it('lights what can begin a move, then what can go on', () => {
    expect([...lit(ways, [])]).toEqual(['a1', 'b1', 'c3']);
    expect([...lit(ways, ['a1'])]).toEqual(['a2', 'b2']);
  });

  it('makes the move when its path is complete', () => {
    expect(pick(ways, [], 'a1')).toEqual({ picked: ['a1'] });
    expect(pick(ways, ['a1'], 'b2')).toEqual({ move: 'a1-b2' });
  });

  it('takes a second look where a path has a key twice', () => {
    expect(pick(ways, [], 'c3')).toEqual({ picked: ['c3'] });
    expect(pick(ways, ['c3'], 'c3')).toEqual({ move: 'build c3' });
  });

  it('lets go of a key picked again, begins anew with another, and else lets all go', () => {
    expect(pick(ways, ['a1'], 'a1')).toEqual({ picked: [] });
    expect(pick(ways, ['a1'], 'b1')).toEqual({ picked: ['b1'] });
    expect(pick(ways, ['a1'], 'd4')).toEqual({ picked: [] });
    expect(unpick(['a1', 'b2'])).toEqual(['a1']);
  });
});

describe('picking in three steps', () => {
  const turns: Way[] = ['r0', 'r1'].flatMap((turn) =>
    ['t1', 't2'].flatMap((token) =>
      ['C4', 'D4'].map((cell) => ({ move: token + cell + turn, path: [token, cell, turn] })),
    ),
  );

  it('lets another cell take the place of the last, and another token begin anew', () => {
    expect(pick(turns, ['t1', 'C4'], 'D4')).toEqual({ picked: ['t1', 'D4'] });
    expect(pick(turns, ['t1', 'C4'], 't2')).toEqual({ picked: ['t2'] });
    expect(pick(turns, ['t1', 'C4'], 'r1')).toEqual({ move: 't1C4r1' });
    expect(pick(turns, ['t1', 'C4'], 'C4')).toEqual({ picked: ['t1'] });
  });

  it('drops only on what keeps the piece that is held', () => {
    expect(follows(turns, ['t1', 'C4'], 'D4')).toBe(true);
    expect(follows(turns, ['t1'], 'D4')).toBe(true);
    expect(follows(turns, ['t1'], 't2')).toBe(false);
  });
});

describe('typing', () => {
  const short = (move: string): string[] => [move.replace('-', '')];

  it('reads any spelling, and case only where it matters', () => {
    const legal = ['a1-a2', 'a1-b2', 'A1-B2'];
    expect(typed(' a1-a2 ', legal, short)).toBe('a1-a2');
    expect(typed('A1A2', legal, short)).toBe('a1-a2');
    expect(typed('A1B2', legal, short)).toBe('A1-B2');
    expect(typed('a1-B2', legal, short)).toBeNull();
    expect(typed('z9', legal, short)).toBeNull();
  });
});

describe('arrow keys', () => {
  const spots = [0, 1, 2].flatMap((y) =>
    [0, 1, 2].map((x) => ({ key: `${String(x)}${String(y)}`, x: x * 10 + y * 5, y: y * 9 })),
  );

  it('lead to the neighbour, also where rows are shifted', () => {
    expect(neighbour(spots, '11', 'right')).toBe('21');
    expect(neighbour(spots, '11', 'left')).toBe('01');
    expect(neighbour(spots, '00', 'left')).toBeNull();
    expect(['10', '20']).toContain(neighbour(spots, '11', 'up'));
  });
});
