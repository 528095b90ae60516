/** How long the steps of a match are shown, as the user wants it. */

import { settings, type Pace } from '../app/settings.svelte';
import type { MatchState } from '../net/match_state';
import { hurried } from './time';

const STEP_MS: Readonly<Record<Pace, number>> = { slow: 1_200, normal: 800, fast: 450, off: 0 };

/** For how long a step is shown before the next one. */
export function stepTime({ position, seat }: MatchState): number {
  const ms = STEP_MS[settings.pace];
  return position === null ? ms : hurried(ms, position.clock, seat);
}
