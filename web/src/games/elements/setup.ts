/** Making up a set-up: fifteen letters that change places, and one that is kept for another day. */

import { ELEMENTS, type Element } from './model';

/** Where the browser keeps a set-up. */
export const SHELF = 'visavis.elements.setup';

/** What a set-up consists of: each element as often as any other. */
export const PLAIN = ELEMENTS.flatMap((element) => [element, element, element]).join('');

/** Lets two pieces change places. */
export function swap(letters: string, i: number, j: number): string {
  const changed = [...letters];
  [changed[i], changed[j]] = [changed[j] ?? '', changed[i] ?? ''];
  return changed.join('');
}

/** A number from 0 up to 1 that nobody can work out from others, as those of `Math.random` can be. */
function secretly(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** Shuffles; `random` gives numbers from 0 up to 1. */
export function shuffle(letters: string, random: () => number = secretly): string {
  return [...letters].reduceRight(
    (mixed, _, i) => swap(mixed, i, Math.floor(random() * (i + 1))),
    letters,
  );
}

/** Whether a text has the letters of a set-up, in whatever order. */
export function isSetUp(text: string): boolean {
  return [...text].sort().join('') === [...PLAIN].sort().join('');
}

/** The letter at a place. */
export function letterAt(letters: string, i: number): Element | null {
  return ELEMENTS.find((element) => element === letters[i]) ?? null;
}

/** Finds something that keeps texts by name: the browser's storage, which it may refuse to show. */
export type Shelf = () => Pick<Storage, 'getItem' | 'setItem'>;

const browser: Shelf = () => localStorage;

/** Keeps a set-up and returns whether it could: if the browser refuses, nothing else happens. */
export function keep(letters: string, shelf: Shelf = browser): boolean {
  try {
    shelf().setItem(SHELF, letters);
    return true;
  } catch (error) {
    if (error instanceof DOMException) return false;
    throw error;
  }
}

/** Finds what was kept, or null. */
export function kept(shelf: Shelf = browser): string | null {
  try {
    const letters = shelf().getItem(SHELF);
    return letters !== null && isSetUp(letters) ? letters : null;
  } catch (error) {
    if (error instanceof DOMException) return null;
    throw error;
  }
}
