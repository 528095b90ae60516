import { expect, test } from 'vitest';

import type { Seat } from '../board/contract';
import type { Written } from '../net/types';
import { rowsOf } from './columns';

/** Reads `1a: x; *y` into moves: a is first, b second, a star is chance's. */
function record(text: string): Written[] {
  return text.split(' ').map((word) => {
    const [, turn = '', who = '', move = ''] = /^(\d+)([ab*])(.*)$/.exec(word) ?? [];
    const seats: Record<string, Seat> = { a: 'first', b: 'second' };
    return { turn: Number(turn), seat: seats[who] ?? null, text: move };
  });
}

function table(text: string, awaited: Seat | null = null): string[] {
  return rowsOf(record(text), awaited).map(({ number, first, second, both }) => {
    const cells = [first, second, both].map((entries) =>
      entries.map(({ move }) => move.text).join('+'),
    );
    return `${String(number ?? '-')}|${cells.join('|')}`;
  });
}

test('each side has its column', () => {
  expect(table('1ax 2by 3az')).toEqual(['1|x|y|', '2|z||']);
});

test('chance and turns of several moves shift nothing', () => {
  expect(table('1ax 1*r 2by 2*s 3az 4bw')).toEqual(['1|x+r|y+s|', '2|z|w|']);
  expect(table('1ax 1ay 2bz 3aw')).toEqual(['1|x+y|z|', '2|w||']);
});

test('a roll before a move is in the cell of the move', () => {
  const deal = '0*d 0*e 1*r 1ax';
  expect(table(deal)).toEqual(['-|||d+e', '1|r+x||']);
  expect(table(`${deal} 2*s`, 'second')).toEqual(['-|||d+e', '1|r+x|s|']);
  expect(table(`${deal} 2*s 2by`)).toEqual(['-|||d+e', '1|r+x|s+y|']);
});

test('an answer stands in the column of who gives it', () => {
  expect(table('1ax 1b=F 2by 2a=M 3az')).toEqual(['1|x|=F+y|', '2|=M+z||']);
});

test('choices made at once stand side by side, whoever was first', () => {
  expect(table('0ax 0by 1az')).toEqual(['-|x|y|', '1|z||']);
  expect(table('0by 0ax 1az')).toEqual(['-|x|y|', '1|z||']);
});

test('a match may begin with second', () => {
  expect(table('2by 3ax 4bz')).toEqual(['1||y|', '2|x|z|']);
});

test('every move is there once, in its own column', () => {
  // All six moves in a row by either side or by chance.
  for (let code = 0; code < 3 ** 6; code += 1) {
    let turn = 1;
    const moves = Array.from({ length: 6 }, (_, i): Written => {
      const seat = [null, 'first', 'second'][Math.floor(code / 3 ** i) % 3] as Seat | null;
      return { turn: turn++, seat, text: String(i) };
    });
    const rows = rowsOf(moves);
    for (const seat of ['first', 'second'] as const) {
      const cells = rows.flatMap((row) => row[seat]);
      expect(cells.every(({ move }) => move.seat === seat || move.seat === null)).toBe(true);
    }
    const all = rows.flatMap(({ first, second, both }) => [...first, ...second, ...both]);
    expect(all.map(({ index }) => index).sort()).toEqual([0, 1, 2, 3, 4, 5]);
  }
});
