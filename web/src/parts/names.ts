/** What players are called. */

import type { Player } from '../net/types';
import { t } from '../words/words.svelte';

/** The name of who sits there; a free seat has one too. */
export function playerName(player: Player | null): string {
  if (player === null) return t('match.empty_seat');
  if (player.kind === 'computer') return t('match.level', { n: player.player ?? '' });
  return player.name === '' ? t('match.person') : player.name;
}
