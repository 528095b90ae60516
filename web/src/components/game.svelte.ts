/** A game ready to be shown: its drawing and its words, in the user's language. */

import type { Look, Say } from '../board/contract';
import { loadPage, loadSay, type AnyGamePage } from '../board/registry';
import { animates, settings } from '../app/settings.svelte';
import { words } from '../i18n/words.svelte';

export interface ShownGame {
  readonly page: AnyGamePage;
  readonly say: Say;
}

const dumb: Say = (key) => key;

/** Loads a game, and its words again whenever the language changes. Call where effects may run. */
export function showGame(slug: () => string | null): { readonly current: ShownGame | null } {
  let page = $state.raw<AnyGamePage | null>(null);
  let say = $state.raw<Say>(dumb);
  $effect(() => {
    const wanted = slug();
    const language = words.language;
    let stale = false;
    if (wanted !== null) {
      void Promise.all([loadPage(wanted), loadSay(wanted, language)]).then(([drawing, speech]) => {
        if (!stale) [page, say] = [drawing, speech];
      });
    }
    return () => (stale = true);
  });
  return {
    get current() {
      return page === null ? null : { page, say };
    },
  };
}

/** Lets the whole page take on the hue of a game while it is shown. Call where effects may run. */
export function tint(hue: () => number | undefined): void {
  $effect(() => {
    const root = document.documentElement.style;
    const degrees = hue();
    if (degrees !== undefined) root.setProperty('--hue', String(degrees));
    return () => root.removeProperty('--hue');
  });
}

/** How the user wants a game to look. */
export function lookOf(slug: string, page: AnyGamePage): Look {
  const chosen = settings.pieces[slug];
  const pieces = chosen !== undefined && page.pieces.includes(chosen) ? chosen : page.pieces[0];
  return { pieces: pieces ?? '', animate: animates() };
}

export { sayOr } from '../i18n/catalogue';
