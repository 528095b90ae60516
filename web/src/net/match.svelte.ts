/** A match that the page follows: as a player, as both on one screen, or as a spectator. */

import type { Seat, Viewer } from '../board/contract';
import { history } from './api';
import type { Follower, Line, LineState } from './line';
import { Orders } from './orders';
import { begin, go, withHistory, type Told } from './told';
import type { ClientMessage, Order, Refused, ServerMessage } from './types';

export type Secrets = Readonly<Partial<Record<Seat, string>>>;
type Command = Order['command'];

/** Why a match can't be followed at all. */
const FATAL: readonly Refused['code'][] = ['unknown_match', 'wrong_secret', 'private', 'not_found'];

export class MatchClient implements Follower {
  /** What each of our viewers was told. */
  told = $state.raw<Readonly<Partial<Record<Viewer, Told>>>>({});
  line = $state<LineState>('connecting');
  /** How many orders are on their way. */
  waiting = $state(0);
  refusal = $state.raw<Refused | null>(null);
  /** Set if the match can't be followed. */
  lost = $state.raw<Refused | null>(null);
  /** How many watch without a seat. */
  spectators = $state(0);
  /** Add this to `performance.now()` to have the server's time. */
  skew = $state<number | null>(null);

  private readonly orders: Orders;
  /** Of whom the steps since the first are there. */
  private complete: readonly Viewer[] = [];

  constructor(
    readonly match: string,
    readonly secrets: Secrets,
    private readonly server: Line,
  ) {
    const fresh = { client: crypto.randomUUID().replaceAll('-', ''), now: Date.now() };
    this.orders = new Orders(match, sessionStorage, fresh);
    this.waiting = this.orders.waiting.length;
  }

  /** The seats that are ours. */
  get seats(): readonly Seat[] {
    return (['first', 'second'] as const).filter((seat) => this.secrets[seat] !== undefined);
  }

  get viewers(): readonly Viewer[] {
    return this.seats.length > 0 ? this.seats : ['spectator'];
  }

  /** Starts to follow; returns how to stop. */
  start(): () => void {
    const unwatch = this.server.watch((state) => (this.line = state));
    const unfollow = this.server.follow(this);
    return () => {
      unfollow();
      unwatch();
      for (const viewer of this.viewers) {
        const seat = viewer === 'spectator' ? null : viewer;
        this.server.say({ type: 'unwatch', match: this.match, seat });
      }
    };
  }

  hello(): readonly ClientMessage[] {
    return [...this.viewers.map((viewer) => this.watch(viewer)), ...this.orders.waiting];
  }

  private watch(viewer: Viewer, anew = false): ClientMessage {
    const secret = viewer === 'spectator' ? null : (this.secrets[viewer] ?? null);
    const seen = anew ? null : (this.told[viewer]?.seq ?? null);
    return { type: 'watch', match: this.match, secret, seen, legal: true };
  }

  /** Gives an order; it is carried out once, whatever happens to the line. */
  do(seat: Seat, command: Command): void {
    this.refusal = null;
    const message = this.orders.give(seat, command, this.told[seat]?.seq ?? 0);
    this.waiting = this.orders.waiting.length;
    this.server.say(message);
  }

  hear(message: ServerMessage): void {
    const answer = this.orders.hear(message);
    this.waiting = this.orders.waiting.length;
    if (answer !== null && 'refused' in answer) this.refusal = answer.why;
    if (message.type === 'refused') this.hearRefusal(message);
    if (message.type === 'pong') this.tellTime(message.now);
    if (!('match' in message) || message.match !== this.match) return;
    switch (message.type) {
      case 'snapshot': {
        const viewer = message.seat ?? 'spectator';
        this.complete = this.complete.filter((one) => one !== viewer);
        this.put(viewer, begin(message, this.told[viewer] ?? null));
        this.skew = message.now - performance.now();
        this.spectators = message.spectators;
        break;
      }
      case 'spectators':
        this.spectators = message.count;
        break;
      case 'watching':
        this.skew = message.now - performance.now();
        break;
      case 'update': {
        const viewer = message.seat ?? 'spectator';
        const before = this.told[viewer];
        const next = before === undefined ? null : go(before, message);
        if (next === null) this.server.say(this.watch(viewer, true));
        else this.put(viewer, next);
        this.tellTime(message.at);
        break;
      }
    }
  }

  /** The shortest way of a message tells the server's time best; our own clock may have slept. */
  private tellTime(now: number): void {
    this.skew = Math.max(this.skew ?? -Infinity, now - performance.now());
  }

  private hearRefusal(message: Refused): void {
    const here = message.match === this.match || Object.keys(this.told).length === 0;
    if (here && FATAL.includes(message.code)) this.lost = message;
  }

  private put(viewer: Viewer, told: Told): void {
    this.told = { ...this.told, [viewer]: told };
  }

  /** Makes sure that the steps since the first are there. */
  async loadSteps(viewer: Viewer): Promise<void> {
    if (this.complete.includes(viewer)) return;
    this.complete = [...this.complete, viewer];
    const secret = viewer === 'spectator' ? null : (this.secrets[viewer] ?? null);
    try {
      const updates = await history(this.match, secret);
      const told = this.told[viewer];
      if (told !== undefined) this.put(viewer, withHistory(told, updates));
    } catch {
      this.complete = this.complete.filter((one) => one !== viewer);
    }
  }
}
