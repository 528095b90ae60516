/** The move list as rows of two columns: a side keeps its column, whatever chance does. */

import type { Seat } from '../board/contract';
import type { Written } from '../net/types';

/** A move or a roll, and its place in the record. */
export interface Entry {
  readonly move: Written;
  readonly index: number;
}

export interface Row {
  /** Null for what comes before the first turn. */
  readonly number: number | null;
  readonly first: readonly Entry[];
  readonly second: readonly Entry[];
  /** Rolls that belong to nobody's turn, such as a deal. */
  readonly both: readonly Entry[];
}

interface Open extends Record<Seat | 'both', Entry[]> {
  turn: number;
}

/**
 * Lays moves out in rows that are read from left to right. What somebody does in a row stands in
 * one cell, with what chance did in their turn; `awaited` is in whose turn the last rolls came.
 * Choices that both make at once stand side by side.
 */
export function rowsOf(moves: readonly Written[], awaited: Seat | null = null): readonly Row[] {
  const movers = new Map<number, Seat>();
  for (const { turn, seat } of moves) if (seat && !movers.has(turn)) movers.set(turn, seat);
  const last = moves.at(-1);
  if (last && last.turn > 0 && awaited && !movers.has(last.turn)) movers.set(last.turn, awaited);

  const rows: Open[] = [];
  moves.forEach((move, index) => {
    const column = move.seat ?? movers.get(move.turn) ?? 'both';
    let row = rows.at(-1);
    if (row === undefined || !fits(row, column, move.turn)) {
      row = { turn: move.turn, first: [], second: [], both: [] };
      rows.push(row);
    }
    row[column].push({ move, index });
  });

  let number = 0;
  return rows.map(({ first, second, both }) => {
    const counts = [...first, ...second].some(({ move }) => move.turn > 0);
    return { number: counts ? (number += 1) : null, first, second, both };
  });
}

function fits(row: Open, column: Seat | 'both', turn: number): boolean {
  if (column === 'both') return row.first.length + row.second.length === 0;
  if (row.both.length > 0) return false;
  const atOnce = row.turn === turn && row[column].length === 0;
  return column === 'second' || row.second.length === 0 || atOnce;
}
