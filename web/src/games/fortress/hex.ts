/** Geometry of the field: pointy-top hexagons in rows, every second row half a cell to the right. */

import type { Key } from '../../board/contract';

/** From the middle of a cell to its corners. */
export const RADIUS = 20;
export const CELL_WIDTH = Math.sqrt(3) * RADIUS;
export const ROW_HEIGHT = 1.5 * RADIUS;

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A place on the grid, from 0. */
export interface Place {
  readonly column: number;
  readonly row: number;
}

/** The size of a drawing of so many cells. */
export function extent(width: number, height: number): { width: number; height: number } {
  return {
    width: CELL_WIDTH * (width + (height > 1 ? 0.5 : 0)),
    height: ROW_HEIGHT * (height - 1) + 2 * RADIUS,
  };
}

/** The letters of a column: A … Z, AA, AB, … */
export function columnName(column: number): string {
  const letter = String.fromCharCode(65 + (column % 26));
  return column < 26 ? letter : String.fromCharCode(64 + Math.floor(column / 26)) + letter;
}

export function keyOf({ column, row }: Place): Key {
  return `${columnName(column)}${String(row + 1)}`;
}

export function placeOf(key: Key): Place | null {
  const found = /^([A-Z]?)([A-Z])([1-9]\d?)$/.exec(key);
  if (found === null) return null;
  const [, tens = '', letter = '', row] = found;
  const column = letter.charCodeAt(0) - 65 + (tens === '' ? 0 : 26 * (tens.charCodeAt(0) - 64));
  return { column, row: Number(row) - 1 };
}

/** The middle of a cell, with first's side up as the field is written. */
export function middle({ column, row }: Place): Point {
  return { x: CELL_WIDTH * (column + 0.5 + (row % 2) / 2), y: RADIUS + ROW_HEIGHT * row };
}

/** The places around one, on the field or not: over the edge between its corners i and i + 1. */
export function around({ column, row }: Place): readonly Place[] {
  const right = column + (row % 2);
  return [
    { column: right, row: row - 1 },
    { column: column + 1, row },
    { column: right, row: row + 1 },
    { column: right - 1, row: row + 1 },
    { column: column - 1, row },
    { column: right - 1, row: row - 1 },
  ];
}

/** Corner i of a cell, clockwise from the top one, some way from the middle. */
export function corner(center: Point, i: number, radius = RADIUS): Point {
  const angle = (Math.PI / 3) * i;
  return { x: center.x + radius * Math.sin(angle), y: center.y - radius * Math.cos(angle) };
}

function spot({ x, y }: Point): string {
  return `${String(Math.round(x * 100) / 100)} ${String(Math.round(y * 100) / 100)}`;
}

/** The outline of one cell as a path. */
export function hexagon(center: Point, radius = RADIUS): string {
  return `M${[0, 1, 2, 3, 4, 5].map((i) => spot(corner(center, i, radius))).join('L')}Z`;
}

/** The border around a set of cells as a path: the edges behind which there is no cell of it. */
export function border(keys: ReadonlySet<Key>, at: (key: Key) => Point, turned = false): string {
  let path = '';
  for (const key of keys) {
    const place = placeOf(key);
    if (place === null) continue;
    around(place).forEach((beyond, i) => {
      if (keys.has(keyOf(beyond))) return;
      const from = turned ? i + 3 : i;
      path += `M${spot(corner(at(key), from))}L${spot(corner(at(key), from + 1))}`;
    });
  }
  return path;
}

/** A line through points. */
export function line(points: readonly Point[]): string {
  return `M${points.map(spot).join('L')}`;
}
