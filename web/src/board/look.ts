/** The set of pieces that is shown, for whatever is drawn inside a frame. */

import { getContext, setContext } from 'svelte';

const PIECES = Symbol('pieces');

/** Tells the drawing which set to show. Call while the frame is made. */
export function showPieces(pieces: () => string): void {
  setContext(PIECES, pieces);
}

/** Which set is to be shown; outside a frame, the game's usual one, whose name is empty. */
export function shownPieces(): () => string {
  return getContext<(() => string) | undefined>(PIECES) ?? (() => '');
}
