/** What players are called. */

import type { Player } from '../net/types';
import { t } from '../words/words.svelte';

/** What a level of the computer, or an engine, is called. */
export function levelName(player: string): string {
  return player === 'perfect' ? t('play.level.perfect') : player;
}

/** The name of who sits there; a free seat has one too. */
export function playerName(player: Player | null): string {
  if (player === null) return t('match.empty_seat');
  if (player.player === 'perfect') return t('match.perfect');
  if (player.kind === 'computer') return t('match.level', { n: player.player ?? '' });
  return player.name === '' ? t('match.person') : player.name;
}
