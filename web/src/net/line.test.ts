import { expect, it } from 'vitest';

import { Line, type Follower, type Wire, type World } from './line';
import type { ClientMessage, ServerMessage } from './types';

/** A world in which time passes when a test says so. */
class Lab implements World {
  wires: (Wire & { said: ClientMessage[]; closed: boolean })[] = [];
  timers = new Map<number, { run: () => void; at: number }>();
  private time = 0;
  private next = 1;

  now(): number {
    return this.time;
  }

  connect(): Wire {
    const said: ClientMessage[] = [];
    const wire = {
      onopen: null,
      onclose: null,
      onmessage: null,
      said,
      closed: false,
      send: (text: string) => said.push(JSON.parse(text) as ClientMessage),
      close: () => {
        wire.closed = true;
      },
    };
    this.wires.push(wire);
    return wire;
  }

  later(run: () => void, ms: number): number {
    this.timers.set(this.next, { run, at: this.time + ms });
    return this.next++;
  }

  never(timer: number): void {
    this.timers.delete(timer);
  }

  random(): number {
    return 0.5;
  }

  pass(ms: number): void {
    this.time += ms;
    for (const [id, timer] of [...this.timers]) {
      if (timer.at <= this.time && this.timers.delete(id)) timer.run();
    }
  }

  /** Time passes, but no timer runs. */
  sleep(ms: number): void {
    this.time += ms;
  }

  get last(): (typeof this.wires)[number] {
    const wire = this.wires.at(-1);
    if (wire === undefined) throw new Error('nobody has connected');
    return wire;
  }

  tell(message: ServerMessage): void {
    this.last.onmessage?.({ data: JSON.stringify(message) });
  }
}

function follower(): Follower & { heard: ServerMessage[] } {
  const heard: ServerMessage[] = [];
  return {
    heard,
    hello: () => [{ type: 'watch', match: 'm', seen: heard.length, legal: true }],
    hear: (message) => heard.push(message),
  };
}

it('greets when it is up, and greets again from where it was after a break', () => {
  const lab = new Lab();
  const line = new Line(lab);
  const one = follower();
  line.follow(one);
  lab.last.onopen?.();
  expect(lab.last.said).toMatchObject([{ type: 'watch', seen: 0 }]);
  lab.tell({ type: 'watching', match: 'm', seat: null, seq: 1, now: 5 });
  lab.last.onclose?.();
  expect(line.state).toBe('lost');
  lab.pass(400);
  expect(lab.wires).toHaveLength(2);
  lab.last.onopen?.();
  expect(lab.last.said).toMatchObject([{ type: 'watch', seen: 1 }]);
  expect(line.state).toBe('open');
});

it('waits longer after each failure, and not at all when it is woken', () => {
  const lab = new Lab();
  const line = new Line(lab);
  line.follow(follower());
  lab.last.onclose?.();
  lab.pass(400);
  lab.last.onclose?.();
  lab.pass(400);
  expect(lab.wires).toHaveLength(2);
  lab.pass(400);
  expect(lab.wires).toHaveLength(3);
  lab.last.onclose?.();
  line.wake();
  expect(lab.wires).toHaveLength(4);
});

it('notices a line that is silent', () => {
  const lab = new Lab();
  const line = new Line(lab);
  line.follow(follower());
  lab.last.onopen?.();
  lab.pass(20_000);
  expect(lab.last.said.at(-1)).toMatchObject({ type: 'ping' });
  lab.pass(8_000);
  expect(line.state).toBe('lost');
  expect(lab.wires[0]?.closed).toBe(true);
});

it('does not trust a line that has slept, and asks one that has not', () => {
  const lab = new Lab();
  const line = new Line(lab);
  line.follow(follower());
  lab.last.onopen?.();
  lab.sleep(15_000);
  line.wake();
  expect(lab.last.said.at(-1)).toMatchObject({ type: 'ping' });
  expect(lab.wires).toHaveLength(1);
  lab.sleep(3 * 3_600_000);
  line.wake();
  expect(lab.wires[0]?.closed).toBe(true);
  expect(lab.wires).toHaveLength(2);
  lab.last.onopen?.();
  expect(line.state).toBe('open');
});

it('trusts no wire from before the network was back', () => {
  const lab = new Lab();
  const line = new Line(lab);
  line.follow(follower());
  line.renew();
  expect(lab.wires[0]?.closed).toBe(true);
  expect(lab.wires).toHaveLength(2);
  lab.last.onopen?.();
  line.renew();
  expect(lab.wires[1]?.closed).toBe(true);
  expect(lab.wires).toHaveLength(3);
  lab.last.onopen?.();
  expect(line.state).toBe('open');
});

it('gives up on a connection that never comes', () => {
  const lab = new Lab();
  const line = new Line(lab);
  line.follow(follower());
  lab.pass(8_000);
  expect(line.state).toBe('lost');
  lab.pass(400);
  expect(lab.wires).toHaveLength(2);
});

it('answers probes itself', () => {
  const lab = new Lab();
  const one = follower();
  new Line(lab).follow(one);
  lab.last.onopen?.();
  lab.tell({ type: 'probe', number: 7 });
  expect(lab.last.said.at(-1)).toEqual({ type: 'echo', number: 7 });
  expect(one.heard).toEqual([]);
});
