/**
 * The line to the server: one socket for everything, which comes back by itself. Followers say what
 * they want to hear; after a break each is asked where it has got to, so that nothing is missed.
 */

import type { ClientMessage, ServerMessage } from './types';

export type LineState = 'connecting' | 'open' | 'lost';

/** Somebody who follows something over the line. */
export interface Follower {
  /** What to say whenever the line is up again. */
  hello(): readonly ClientMessage[];
  /** Hears every message; takes what is its own. */
  hear(message: ServerMessage): void;
}

/** What a line needs of a WebSocket. */
export interface Wire {
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

/** The world around a line, which tests replace. */
export interface World {
  connect(): Wire;
  later(run: () => void, ms: number): number;
  never(timer: number): void;
  /** The time of day, which goes on while the browser sleeps. */
  now(): number;
  random(): number;
}

export const FIRST_PAUSE_MS = 400;
export const LONGEST_PAUSE_MS = 15_000;
const PING_MS = 20_000;
const PATIENCE_MS = 8_000;

export class Line {
  private wire: Wire | null = null;
  private readonly followers = new Set<Follower>();
  private readonly watchers = new Set<(state: LineState) => void>();
  private failures = 0;
  private retry: number | null = null;
  private beat: number | null = null;
  /** When anything was heard last. */
  private heard = 0;
  private current: LineState = 'connecting';

  constructor(private readonly world: World) {}

  get state(): LineState {
    return this.current;
  }

  /** Tells whenever the state changes; returns how to stop. */
  watch(watcher: (state: LineState) => void): () => void {
    this.watchers.add(watcher);
    watcher(this.current);
    return () => this.watchers.delete(watcher);
  }

  /** Lets somebody follow; returns how to stop. */
  follow(follower: Follower): () => void {
    this.followers.add(follower);
    if (this.current === 'open') this.greet(follower);
    else this.connect();
    return () => this.followers.delete(follower);
  }

  /** Says something if the line is up. What must not be lost belongs in a follower's hello. */
  say(message: ClientMessage): void {
    if (this.current === 'open') this.wire?.send(JSON.stringify(message));
  }

  /** Begins anew: the network is back, and whatever hangs on a wire from before is lost. */
  renew(): void {
    if (this.wire !== null) this.hangUp(this.wire);
    this.wake();
  }

  /**
   * Tries at once: somebody asks for it, or looks at the page again. A line that was not
   * asked for longer than it ever is when the page is awake has slept, and isn't trusted.
   */
  wake(): void {
    const slept = this.world.now() - this.heard > PING_MS + PATIENCE_MS;
    if (this.current === 'open' && slept && this.wire !== null) this.hangUp(this.wire);
    if (this.current === 'open') this.ping();
    else if (this.followers.size > 0) this.connect();
  }

  private connect(): void {
    if (this.wire !== null) return;
    if (this.retry !== null) this.world.never(this.retry);
    this.retry = null;
    const wire = this.world.connect();
    this.wire = wire;
    this.expect(wire);
    wire.onopen = () => {
      this.failures = 0;
      this.become('open');
      for (const follower of this.followers) this.greet(follower);
      this.keepAlive();
    };
    wire.onmessage = ({ data }) => {
      if (typeof data === 'string') this.hear(JSON.parse(data) as ServerMessage);
    };
    wire.onclose = () => this.broke(wire);
  }

  private greet(follower: Follower): void {
    for (const message of follower.hello()) this.say(message);
  }

  private hear(message: ServerMessage): void {
    this.keepAlive();
    if (message.type === 'probe') this.say({ type: 'echo', number: message.number });
    else for (const follower of [...this.followers]) follower.hear(message);
  }

  /** Anything heard proves that the line is up; after a silence, ask. */
  private keepAlive(): void {
    this.heard = this.world.now();
    this.next(() => this.ping(), PING_MS);
  }

  private ping(): void {
    const wire = this.wire;
    if (wire === null) return;
    this.say({ type: 'ping', sent: 0 });
    this.expect(wire);
  }

  /** Gives up on a wire from which nothing comes. */
  private expect(wire: Wire): void {
    this.next(() => this.hangUp(wire), PATIENCE_MS);
  }

  private next(run: () => void, ms: number): void {
    if (this.beat !== null) this.world.never(this.beat);
    this.beat = this.world.later(run, ms);
  }

  private hangUp(wire: Wire): void {
    wire.onclose = null;
    wire.close();
    this.broke(wire);
  }

  private broke(wire: Wire): void {
    if (this.wire !== wire) return;
    this.wire = null;
    if (this.beat !== null) this.world.never(this.beat);
    this.become('lost');
    if (this.followers.size === 0) return;
    const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.failures);
    this.failures += 1;
    this.retry = this.world.later(() => this.connect(), pause * (0.75 + this.world.random() / 2));
  }

  private become(state: LineState): void {
    if (state === this.current) return;
    this.current = state;
    for (const watcher of this.watchers) watcher(state);
  }
}

/** The browser as a line's world. */
export function browser(): World {
  return {
    connect() {
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
      return new WebSocket(`${scheme}://${location.host}/api/live`) as Wire;
    },
    later: (run, ms) => window.setTimeout(run, ms),
    never: (timer) => {
      window.clearTimeout(timer);
    },
    now: Date.now,
    random: Math.random,
  };
}
