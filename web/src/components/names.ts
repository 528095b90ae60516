/** What players are called. */

import type { Say, Seat } from '../board/contract';
import type { Player } from '../net/types';
import { t } from '../i18n/words.svelte';

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

/** Those who play, and what is known of who looks. */
export interface Cast {
  readonly players: readonly (Player | null)[];
  /** The seats of who looks: both on a screen that two share, none for a spectator. */
  readonly mine: readonly Seat[];
  /** What the game calls a side. */
  readonly side: (seat: Seat) => string;
}

/**
 * What a player is called by who looks: you, the computer, a name. Where two share a screen or
 * nobody looks on from a seat, who has no name of their own goes by the side.
 */
export function nameIn(cast: Cast, seat: Seat): string {
  const { mine, side } = cast;
  const player = cast.players[seat === 'first' ? 0 : 1] ?? null;
  if (mine.length === 1) {
    if (mine.includes(seat)) return t('match.you');
    if (player?.kind === 'computer') return t('play.computer');
    return player?.name ? player.name : t('match.opponent');
  }
  const nameless = player === null || (player.kind !== 'computer' && player.name === '');
  if (nameless) return side(seat);
  const names = cast.players.map(playerName);
  return names[0] === names[1] ? `${playerName(player)} (${side(seat)})` : playerName(player);
}

/** The game's words, with names for its sides. */
export function withNames(say: Say, nameOf: (seat: Seat) => string): Say {
  return (key, values) => {
    const seat = (['first', 'second'] as const).find((one) => key === `side.${one}`);
    return seat === undefined ? say(key, values) : nameOf(seat);
  };
}
