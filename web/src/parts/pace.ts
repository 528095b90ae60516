/** How long the steps of a match are shown, as the user wants it. */

import { settings, type Pace } from '../app/settings.svelte';
import type { Told } from '../net/told';
import { isSlow } from './time';

const STEP_MS: Readonly<Record<Pace, number>> = { slow: 1_200, normal: 800, fast: 450, off: 0 };
/** Where the player's own time may be running, nobody waits longer than this. */
const HURRIED_MS = 300;

/** For how long a step is shown before the next one. */
export function stepTime({ position }: Told): number {
  const ms = STEP_MS[settings.pace];
  const spec = position?.clock.spec ?? 'none';
  return spec === 'none' || isSlow(spec) ? ms : Math.min(ms, HURRIED_MS);
}
