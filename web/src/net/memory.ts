/** Which matches this browser has seats in, and their secrets. They stay in the browser. */

import type { Seat } from '../board/contract';
import { randomText } from './random';

export interface Remembered {
  readonly match: string;
  readonly game: string;
  /** The secrets of the seats that are ours: one, or both on one screen. */
  readonly secrets: Readonly<Partial<Record<Seat, string>>>;
  /** Invitations that are still to be given to somebody. */
  readonly invitations: Readonly<Partial<Record<Seat, string>>>;
  readonly at: number;
  readonly over: boolean;
}

const KEY = 'visavis.matches';
const MOST = 60;

export function all(): readonly Remembered[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as readonly Remembered[];
  } catch {
    return [];
  }
}

export function recall(match: string): Remembered | null {
  return all().find((entry) => entry.match === match) ?? null;
}

export function remember(entry: Remembered): void {
  const others = all().filter(({ match }) => match !== entry.match);
  localStorage.setItem(KEY, JSON.stringify([entry, ...others].slice(0, MOST)));
}

/** Notes that a match is over, so that it is no longer offered to go on with. */
export function settle(match: string): void {
  const entry = recall(match);
  if (entry !== null && !entry.over) remember({ ...entry, over: true });
}

export function forget(match: string): void {
  localStorage.setItem(KEY, JSON.stringify(all().filter((entry) => entry.match !== match)));
}

/** The secret with which this tab takes a seat of a match: the same whenever it asks. */
export function pledge(match: string): string {
  const key = `visavis.pledge.${match}`;
  const kept = sessionStorage.getItem(key);
  if (kept !== null) return kept;
  const secret = randomText(24);
  sessionStorage.setItem(key, secret);
  return secret;
}
