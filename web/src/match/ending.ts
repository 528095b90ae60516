/** How a match ended, in words that never contradict each other. */

import type { Say, Seat } from '../board/contract';
import type { Ending } from '../net/types';
import { sayOr } from '../i18n/catalogue';
import { isWord, t } from '../i18n/words.svelte';

/** Who has won, as who looks sees it. */
export function headlineOf(
  ending: Ending | null,
  mine: readonly Seat[],
  nameOf: (seat: Seat) => string,
): string {
  if (!ending) return t('match.over');
  if (ending.reason === 'aborted') return t('match.aborted');
  if (ending.winner === null) return t('match.drawn');
  if (mine.length !== 1) return t('match.won', { who: nameOf(ending.winner) });
  return t(mine.includes(ending.winner) ? 'match.you_won' : 'match.you_lost');
}

/** Why: a draw has words of its own where the same could have brought a win. */
export function reasonOf({ reason, winner }: Ending, say: Say): string {
  if (reason === 'aborted') return '';
  const key = `reason.${reason}`;
  for (const one of winner === null ? [`${key}.draw`, key] : [key]) {
    const said = sayOr(say, one, isWord(one) ? t(one) : '');
    if (said !== '') return said;
  }
  return reason;
}

/** The score and whose it is, one's own first; empty where the game keeps none. */
export function scoreOf(
  { scores }: Ending,
  mine: readonly Seat[],
  nameOf: (seat: Seat) => string,
): string {
  if (scores === null) return '';
  const seats = (['first', 'second'] as const).map((seat, i) => ({ seat, n: scores[i] ?? 0 }));
  const [left, right] = mine[0] === 'second' ? seats.toReversed() : seats;
  if (left === undefined || right === undefined) return '';
  return t('match.score', {
    first: `${nameOf(left.seat)} ${String(left.n)}`,
    second: `${String(right.n)} ${nameOf(right.seat)}`,
  });
}
