/** The set of pieces that is shown, and the reader's words, for whatever is drawn inside a frame. */

import { getContext, setContext } from 'svelte';

import type { Say } from './contract';

const PIECES = Symbol('pieces');
const WORDS = Symbol('words');

/** Tells the drawing which set to show. Call while the frame is made. */
export function showPieces(pieces: () => string): void {
  setContext(PIECES, pieces);
}

/** Which set is to be shown; outside a frame, the game's usual one, whose name is empty. */
export function shownPieces(): () => string {
  return getContext<(() => string) | undefined>(PIECES) ?? (() => '');
}

/** Gives the drawing the game's words. Call while the frame is made. */
export function showWords(say: () => Say): void {
  setContext(WORDS, say);
}

/** The game's words in the reader's language; outside a frame, their keys. */
export function shownWords(): () => Say {
  return getContext<(() => Say) | undefined>(WORDS) ?? (() => (key) => key);
}
