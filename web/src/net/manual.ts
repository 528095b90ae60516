import type { Timers } from './pace';

/** Time that passes when a test tells it to. */
export class ManualTimers implements Timers {
  private time = 0;
  private next = 0;
  private readonly set = new Map<number, { at: number; run: () => void }>();

  now(): number {
    return this.time;
  }

  later(run: () => void, ms: number): number {
    this.next += 1;
    this.set.set(this.next, { at: this.time + ms, run });
    return this.next;
  }

  never(timer: number): void {
    this.set.delete(timer);
  }

  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const due = [...this.set].filter(([, { at }]) => at <= end);
      const [soonest] = due.toSorted(([, one], [, other]) => one.at - other.at);
      if (soonest === undefined) break;
      const [timer, { at, run }] = soonest;
      this.set.delete(timer);
      this.time = at;
      run();
    }
    this.time = end;
  }
}
