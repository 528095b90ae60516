/** What is chosen for a new match of a game: as it was the last time, else what is easiest. */

import type { GameInfo } from '../net/types';
import type { Opponent, Side } from './start';

/** The clock that the rules set. */
export const RULES = 'rules';
const CLOCKS = ['none', '180+2', '300+3', '600+5', '1800+20', '1d/move', '3d/move'];

/** What the user chose for a game before, as far as anything. */
export interface Kept {
  readonly level?: string;
  readonly side?: Side;
  /** By opponent: one is in no hurry with a computer. */
  readonly clocks?: Readonly<Partial<Record<Opponent, string>>>;
}

export interface Choices {
  readonly level: string;
  readonly side: Side;
  readonly clock: string;
}

/** Whether the rules set a clock and no option turns it off. */
function isAlwaysTimed(game: GameInfo): boolean {
  return game.clock !== null && Object.keys(game.untimed).length === 0;
}

/** The clocks that a game can be played with. */
export function clocksOf(game: GameInfo): readonly string[] {
  if (game.clock === null) return CLOCKS;
  return isAlwaysTimed(game) ? [RULES] : [RULES, ...CLOCKS];
}

/** What is chosen for a game unless the user says otherwise. No clock runs against a computer. */
export function choicesOf(game: GameInfo, opponent: Opponent, kept: Kept = {}): Choices {
  const clocks = clocksOf(game);
  const clock = kept.clocks?.[opponent] ?? (opponent === 'computer' ? 'none' : '');
  const level = kept.level ?? '';
  return {
    level: game.computers.includes(level) ? level : (game.computers[0] ?? ''),
    side: kept.side ?? 'first',
    clock: clocks.includes(clock) ? clock : (clocks[0] ?? 'none'),
  };
}

/** The level to play next: a higher one for who has won, a lower one for who has lost. */
export function levelAfter(game: GameInfo, level: string, won: boolean): string | null {
  // Attached engines have names, and nobody knows who is the stronger.
  const levels = game.computers.filter((name) => name === 'perfect' || /^\d+$/.test(name));
  const at = levels.indexOf(level);
  return at < 0 ? null : (levels[won ? at + 1 : at - 1] ?? null);
}

/** How a match is asked for that is played with a clock. */
export function timing(
  game: GameInfo,
  clock: string,
): { readonly clock: string | null; readonly options: Readonly<Record<string, string>> } {
  return clock === RULES ? { clock: null, options: {} } : { clock, options: game.untimed };
}
