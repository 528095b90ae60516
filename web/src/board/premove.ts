/**
 * Choosing ahead: keys that a player picks while the other is still to move. Nobody knows yet what
 * will be legal, so every key can be picked; when the turn comes the picks are held against the
 * legal moves, and what spells one is played.
 */

import { lit, type Picked, type Way } from './chooser';
import type { Key } from './contract';

/** How many keys a move takes where none was seen yet: from here to there. */
const USUAL = 2;

/** The most keys that any of these moves takes. */
export function longest(ways: readonly Way[]): number {
  return ways.length === 0 ? USUAL : Math.max(...ways.map((way) => way.path.length));
}

/**
 * Picks a key ahead. Behind a whole move, of `most` keys or ending with one key twice, another
 * begins. The key with which it began lets it go.
 */
export function plan(planned: readonly Key[], key: Key, most: number): readonly Key[] {
  const whole = planned.length >= most || (planned.length > 1 && planned.at(-1) === planned.at(-2));
  if (!whole) return [...planned, key];
  return planned[0] === key ? [] : [key];
}

/** What becomes of a plan when the turn has come: a move, the beginning of one, or nothing. */
export function ripen(ways: readonly Way[], planned: readonly Key[]): Picked {
  if (planned.length === 0) return { picked: [] };
  const exact = ways.find(
    ({ path }) => path.length === planned.length && path.every((key, i) => key === planned[i]),
  );
  if (exact !== undefined) return { move: exact.move };
  return { picked: lit(ways, planned).size > 0 ? planned : [] };
}
