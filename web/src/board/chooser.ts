/**
 * Choosing a legal move by picking keys: every move is a path of keys, and what was picked so far
 * is a beginning of some of them. Click-click, drag, touch and keyboard are all just picks.
 */

import type { Key } from './contract';

/** A move and the keys that spell it. */
export interface Way {
  readonly move: string;
  readonly path: readonly Key[];
}

/** What a pick leads to: more to pick, or a move. */
export type Picked = { readonly picked: readonly Key[] } | { readonly move: string };

/** Returns the ways that begin with what was picked. */
export function open(ways: readonly Way[], picked: readonly Key[]): readonly Way[] {
  return ways.filter((way) => picked.every((key, i) => way.path[i] === key));
}

/** Returns the keys that can be picked next. */
export function lit(ways: readonly Way[], picked: readonly Key[]): ReadonlySet<Key> {
  const next = new Set<Key>();
  for (const way of open(ways, picked)) {
    const key = way.path[picked.length];
    if (key !== undefined) next.add(key);
  }
  return next;
}

/**
 * Picks a key. One that leads on is added, and one that completes a path is the move. One that was
 * picked already is let go, with all behind it; another that could have been picked in place of an
 * earlier one takes that one's place, the latest such; any other lets everything go.
 */
export function pick(ways: readonly Way[], picked: readonly Key[], key: Key): Picked {
  if (lit(ways, picked).has(key)) return reach(ways, [...picked, key]);
  const again = picked.indexOf(key);
  if (again >= 0) return { picked: picked.slice(0, again) };
  const kept = instead(ways, picked, key);
  return kept === null ? { picked: [] } : reach(ways, [...kept, key]);
}

function reach(ways: readonly Way[], now: readonly Key[]): Picked {
  const done = open(ways, now).find((way) => way.path.length === now.length);
  return done === undefined ? { picked: now } : { move: done.move };
}

/** What stays picked when a key takes the place of an earlier one; null if it can't. */
function instead(ways: readonly Way[], picked: readonly Key[], key: Key): readonly Key[] | null {
  for (let n = picked.length - 1; n >= 0; n--) {
    if (lit(ways, picked.slice(0, n)).has(key)) return picked.slice(0, n);
  }
  return null;
}

/** Whether a key goes on with what was picked, or takes the place of all but the first of it. */
export function follows(ways: readonly Way[], picked: readonly Key[], key: Key): boolean {
  return lit(ways, picked).has(key) || (instead(ways, picked, key)?.length ?? 0) > 0;
}

/** Lets go of the last key that was picked. */
export function unpick(picked: readonly Key[]): readonly Key[] {
  return picked.slice(0, -1);
}

/** Reads a typed move: canonical or in another spelling, regardless of case if that is clear. */
export function typed(
  text: string,
  legal: readonly string[],
  spellings: (move: string) => readonly string[],
): string | null {
  const wanted = text.trim().replace(/\s+/g, ' ');
  const exact = legal.filter((move) => [move, ...spellings(move)].includes(wanted));
  if (exact.length === 1) return exact[0] ?? null;
  const folded = wanted.toLowerCase();
  const near = legal.filter((move) =>
    [move, ...spellings(move)].some((spelling) => spelling.toLowerCase() === folded),
  );
  return near.length === 1 ? (near[0] ?? null) : null;
}
