/** What is heard of a match: each step as it is shown, and the end. */

import { settings } from '../app/settings.svelte';
import type { Model, Seat } from '../board/contract';
import { sceneAt, type MatchState } from '../net/match_state';
import { play, type Sound } from '../components/sound';

/** The sound of what is new since what was shown before; null if there is nothing to hear. */
export function soundOf(
  before: MatchState,
  now: MatchState,
  model: Model<unknown>,
  mine: readonly Seat[],
): Sound | null {
  const { ending } = now.info;
  if (ending && !before.info.ending) {
    if (ending.reason === 'aborted') return null;
    if (ending.winner === null) return 'draw';
    return mine.length !== 1 || mine.includes(ending.winner) ? 'win' : 'loss';
  }
  const at = now.steps.length - 1;
  const step = now.steps[at];
  if (step === undefined || step.seq <= before.seq || step.deeds.length === 0) return null;
  const from = sceneAt(now, at - 1, model);
  if (step.deeds.some((deed) => model.takes?.(deed, from) === true)) return 'take';
  return step.deeds.some(({ by }) => by !== 'chance') ? 'move' : 'roll';
}

/** Lets a match be heard, if that is wanted. Call where effects may run. */
export function hearMatch(
  matchState: () => MatchState | undefined,
  model: () => Model<unknown>,
  mine: () => readonly Seat[],
): void {
  let before: MatchState | undefined;
  $effect(() => {
    const now = matchState();
    const sound = now && before ? soundOf(before, now, model(), mine()) : null;
    before = now;
    if (sound !== null && settings.sound === true) play(sound);
  });
}
