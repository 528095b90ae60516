/** Marks that a step leaves on a board until the next one: whence and whither, and what was taken. */

import type { Key, Seat } from './contract';

export interface Point {
  readonly x: number;
  readonly y: number;
}

function spot(x: number, y: number): string {
  return `${String(Math.round(x * 100) / 100)} ${String(Math.round(y * 100) / 100)}`;
}

/**
 * An arrow between the middles of two places as a path. It keeps `gap` away from the end, so that
 * the piece there is seen, and half of that from the start. Empty if there is no room for it.
 */
export function arrow(from: Point, to: Point, width: number, gap: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  const head = width * 2.2;
  const [start, end] = [gap / 2, length - gap];
  if (end - start < head / 2) return '';
  const [ux, uy] = [dx / length, dy / length];
  const neck = Math.max(start, end - head);
  const at = (along: number, aside: number): string =>
    spot(from.x + ux * along - uy * aside, from.y + uy * along + ux * aside);
  const side = width / 2;
  const barb = width * 1.4;
  const points = [
    at(start, -side),
    at(neck, -side),
    at(neck, -barb),
    at(end, 0),
    at(neck, barb),
    at(neck, side),
    at(start, side),
  ];
  return `M${points.join('L')}Z`;
}

/**
 * The pieces that a step took off the board, by where they stood. A piece that left a cell while
 * another of its side came to one has only moved.
 */
export function gone<P extends { readonly seat: Seat }>(
  before: ReadonlyMap<Key, P>,
  after: ReadonlyMap<Key, P>,
): readonly (readonly [Key, P])[] {
  const changed = (one: ReadonlyMap<Key, P>, other: ReadonlyMap<Key, P>): [Key, P][] =>
    [...one].filter(([key, { seat }]) => other.get(key)?.seat !== seat);
  const come = changed(after, before).map(([, { seat }]) => seat);
  return changed(before, after).filter(([, { seat }]) => {
    const moved = come.indexOf(seat);
    if (moved >= 0) come.splice(moved, 1);
    return moved < 0;
  });
}
