/** Cells of a square grid, tokens of four cells, and groups of stones. */

import type { Key } from '../../board/contract';
import { COLOURS, type Colour, type Side } from './tokens';

/** A place on the grid, from 0. */
export interface Place {
  readonly column: number;
  readonly row: number;
}

export function keyOf({ column, row }: Place): Key {
  return `${String.fromCharCode(65 + column)}${String(row + 1)}`;
}

export function placeOf(key: Key): Place | null {
  const found = /^([A-P])(1[0-6]|[1-9])$/.exec(key);
  if (found === null) return null;
  return { column: (found[1] ?? 'A').charCodeAt(0) - 65, row: Number(found[2]) - 1 };
}

function shifted(key: Key, columns: number, rows: number): Key {
  const { column, row } = placeOf(key) ?? { column: 0, row: 0 };
  return keyOf({ column: column + columns, row: row + rows });
}

/** The four cells of a token, clockwise from the upper left one. */
export function square(key: Key): readonly Key[] {
  return [key, shifted(key, 1, 0), shifted(key, 1, 1), shifted(key, 0, 1)];
}

/** The cells side by side with one: above, right, below, left. */
export function beside(key: Key): readonly Key[] {
  return [shifted(key, 0, -1), shifted(key, 1, 0), shifted(key, 0, 1), shifted(key, -1, 0)];
}

/** A stone on the field, and the token it belongs to. */
export interface Stone {
  readonly colour: Colour;
  readonly token: number;
}

/** The stones of a side that lies on a cell. */
export function stonesAt(cell: Key, side: Side, token: number): readonly (readonly [Key, Stone])[] {
  return square(cell).map((key, i) => {
    const colour = COLOURS.find((each) => each === side[i]) ?? 'R';
    return [key, { colour, token }];
  });
}

/** Stones of one colour joined side by side, three or more. */
export interface Group {
  readonly colour: Colour;
  /** In reading order. */
  readonly cells: readonly Key[];
  readonly tokens: readonly number[];
  /** How it is settled by its size: as three, four, or five and more. */
  readonly level: 3 | 4 | 5;
}

function reading(a: Key, b: Key): number {
  const [one, other] = [placeOf(a), placeOf(b)];
  if (one === null || other === null) return 0;
  return one.row - other.row || one.column - other.column;
}

/** All groups, in reading order of their first cells. */
export function groups(stones: ReadonlyMap<Key, Stone>): readonly Group[] {
  const left = new Set([...stones.keys()].sort(reading));
  const found: Group[] = [];
  for (const start of left) {
    const colour = stones.get(start)?.colour;
    if (colour === undefined) continue;
    left.delete(start);
    const cells = [start];
    for (const cell of cells) {
      for (const near of beside(cell)) {
        if (left.has(near) && stones.get(near)?.colour === colour) {
          left.delete(near);
          cells.push(near);
        }
      }
    }
    if (cells.length < 3) continue;
    const tokens = new Set(cells.map((cell) => stones.get(cell)?.token ?? 0));
    found.push({
      colour,
      cells: cells.sort(reading),
      tokens: [...tokens].sort((a, b) => a - b),
      level: cells.length >= 5 ? 5 : cells.length === 4 ? 4 : 3,
    });
  }
  return found;
}

/** The groups of the largest size: one of them is settled first. */
export function largest(all: readonly Group[]): readonly Group[] {
  const size = Math.max(0, ...all.map((group) => group.cells.length));
  return all.filter((group) => group.cells.length === size);
}
