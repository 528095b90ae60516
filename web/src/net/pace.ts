/**
 * The pace at which a match is shown: what comes in while a step is being looked at waits, so that
 * one step is seen after the other. Time is given, so that a test can make it pass.
 */

/** What a pace needs of a clock. */
export interface Timers {
  now(): number;
  later(run: () => void, ms: number): number;
  never(timer: number): void;
}

/** More steps than this don't wait: who has fallen so far behind sees how things stand. */
export const MOST_WAITING = 12;

interface Waiting<T> {
  readonly value: T;
  readonly hold: number;
}

export class Pace<T> {
  private queue: readonly Waiting<T>[] = [];
  /** Until when the step that is shown is looked at. */
  private until = -Infinity;
  private timer: number | null = null;

  constructor(
    private readonly show: (value: T) => void,
    private readonly timers: Timers,
  ) {}

  /** How many steps have yet to be shown. */
  get waiting(): number {
    return this.queue.length;
  }

  /** A step: shown once those before it have been seen, and then for `hold` milliseconds. */
  step(value: T, hold: number): void {
    this.queue = [...this.queue, { value, hold }];
    if (this.queue.length > MOST_WAITING) this.skip();
    else this.go();
  }

  /** What takes no time of its own: it comes with the step before it. */
  add(value: T): void {
    const last = this.queue.at(-1);
    if (last === undefined) this.show(value);
    else this.queue = [...this.queue.slice(0, -1), { ...last, value }];
  }

  /** A step that waits for nothing: the player's own. */
  now(value: T, hold: number): void {
    this.queue = [{ value, hold }];
    this.until = -Infinity;
    this.go();
  }

  /** Shows at once where all that waits has led to. */
  skip(): void {
    const last = this.queue.at(-1);
    if (last !== undefined) this.now(last.value, last.hold);
  }

  /** Forgets what waits. */
  stop(): void {
    this.queue = [];
    this.until = -Infinity;
    this.go();
  }

  private go(): void {
    if (this.timer !== null) this.timers.never(this.timer);
    this.timer = null;
    for (;;) {
      const [next, ...rest] = this.queue;
      if (next === undefined) return;
      const wait = this.until - this.timers.now();
      if (wait > 0) {
        this.timer = this.timers.later(() => {
          this.go();
        }, wait);
        return;
      }
      this.queue = rest;
      this.until = this.timers.now() + next.hold;
      this.show(next.value);
    }
  }
}

/** The browser's own time. */
export const browserTimers: Timers = {
  now: () => performance.now(),
  later: (run, ms) => window.setTimeout(run, ms),
  never: (timer) => {
    window.clearTimeout(timer);
  },
};
