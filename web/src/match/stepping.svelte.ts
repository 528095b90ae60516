/** Looking back at earlier steps of a match that goes on. */

import type { Viewer } from '../board/contract';
import type { MatchClient } from '../net/match.svelte';
import type { Step } from '../net/match_state';

export type Towards = 'start' | 'back' | 'on' | 'end';

/** The keys that lead to other steps. */
export const STEP_KEYS: Readonly<Record<string, Towards>> = {
  ArrowLeft: 'back',
  ArrowRight: 'on',
  Home: 'start',
  End: 'end',
};

export class Stepping {
  /** Which earlier step is shown; null shows how things stand. */
  replayed = $state<number | null>(null);

  constructor(
    private readonly client: MatchClient,
    private readonly viewer: () => Viewer,
  ) {}

  private get steps(): readonly Step[] {
    return this.client.states[this.viewer()]?.steps ?? [];
  }

  /** Shows a step; null, or what is not past, shows how things stand. */
  async go(to: number | null): Promise<void> {
    await this.client.loadSteps(this.viewer());
    this.replayed = to === null || to >= this.steps.length - 1 ? null : Math.max(0, to);
  }

  async towards(to: Towards): Promise<void> {
    const last = this.steps.length - 1;
    const at = this.replayed ?? last;
    if (to === 'back') {
      // Before the history is there, the step before this one is not at hand.
      await this.client.loadSteps(this.viewer());
      await this.go(this.steps.length - 2 - (last - at));
    } else {
      await this.go({ start: 0, on: at + 1, end: null }[to]);
    }
  }

  /** Goes to the step to which a move belongs; the history may have to come first. */
  async show(move: number): Promise<void> {
    await this.client.loadSteps(this.viewer());
    let deeds = 0;
    const step = this.steps.findIndex((one) => (deeds += one.deeds.length) > move);
    await this.go(step < 0 ? null : step);
  }

  /** How many moves and rolls lead to a step. */
  movesTo(at: number): number {
    return this.steps.slice(0, at + 1).reduce((sum, { deeds }) => sum + deeds.length, 0);
  }
}
