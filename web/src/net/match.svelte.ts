/** A match that the page follows: as a player, as both on one screen, or as a spectator. */

import type { Seat, Viewer } from '../board/contract';
import { history } from './api';
import type { Follower, Line, LineState } from './line';
import { Orders } from './orders';
import { browserTimers, Pace, type Timers } from './pace';
import { randomText } from './random';
import { begin, deedsOf, go, stages, withClock, withHistory, type MatchState } from './match_state';
import type { ClientMessage, Order, Presence, Refused, ServerMessage, Update } from './types';

export type Secrets = Readonly<Partial<Record<Seat, string>>>;
type Command = Order['command'];

/** For how long a step is shown before the next one, in milliseconds; 0 shows all at once. */
export type StepTime = (matchState: MatchState) => number;
/** One's own step was expected: less time will do before the answer. */
const OWN_SHARE = 0.5;

/** Why a match can't be followed at all. */
const FATAL: readonly Refused['code'][] = ['unknown_match', 'wrong_secret', 'private', 'not_found'];

export class MatchClient implements Follower {
  /** What is shown to each of our viewers: one step after the other, so it may be behind. */
  states = $state.raw<Readonly<Partial<Record<Viewer, MatchState>>>>({});
  /** How many steps have come that are not shown yet. */
  unseen = $state(0);
  line = $state<LineState>('connecting');
  /** How many orders are on their way. */
  waiting = $state(0);
  /** The move among them, if one is. */
  move = $state<string | null>(null);
  refusal = $state.raw<Refused | null>(null);
  /** Set if the match can't be followed. */
  lost = $state.raw<Refused | null>(null);
  /** How many watch without a seat. */
  spectators = $state(0);
  /** Since when each player is away, where that is told. */
  presence = $state.raw<Presence | null>(null);
  /** Add this to `performance.now()` to have the server's time. */
  skew = $state<number | null>(null);

  private readonly orders: Orders;
  private readonly pace: Pace<MatchState>;
  /** All that was told, shown or not. */
  private heard: Readonly<Partial<Record<Viewer, MatchState>>> = {};
  /** Who is told what was missed while the line was down: nobody wants to see that step by step. */
  private behind: readonly Viewer[] = [];
  /** Of whom the steps since the first are there. */
  private complete: readonly Viewer[] = [];

  constructor(
    readonly match: string,
    readonly secrets: Secrets,
    private readonly server: Line,
    private readonly stepTime: StepTime = () => 0,
    timers: Timers = browserTimers,
  ) {
    this.pace = new Pace((matchState) => {
      this.put(matchState);
    }, timers);
    const fresh = { client: randomText(16), now: Date.now() };
    this.orders = new Orders(match, sessionStorage, fresh);
    this.count();
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
    const skipUnseen = (): void => {
      if (document.visibilityState === 'hidden') this.skip();
    };
    document.addEventListener('visibilitychange', skipUnseen);
    return () => {
      document.removeEventListener('visibilitychange', skipUnseen);
      this.pace.stop();
      unfollow();
      unwatch();
      for (const viewer of this.viewers) {
        const seat = viewer === 'spectator' ? null : viewer;
        this.server.say({ type: 'unwatch', match: this.match, seat });
      }
    };
  }

  hello(): readonly ClientMessage[] {
    this.behind = this.viewers;
    return [...this.viewers.map((viewer) => this.watch(viewer)), ...this.orders.waiting];
  }

  private watch(viewer: Viewer, anew = false): ClientMessage {
    const secret = viewer === 'spectator' ? null : (this.secrets[viewer] ?? null);
    const seen = anew ? null : (this.heard[viewer]?.seq ?? null);
    return { type: 'watch', match: this.match, secret, seen, legal: true };
  }

  /** Gives an order; it is carried out once, whatever happens to the line. */
  do(seat: Seat, command: Command): void {
    this.refusal = null;
    const message = this.orders.give(seat, command, this.heard[seat]?.seq ?? 0);
    this.count();
    this.server.say(message);
  }

  private count(): void {
    const commands = this.orders.waiting.map(({ order }) => order.command);
    this.waiting = commands.length;
    this.move = commands.find((command) => command.type === 'move')?.text ?? null;
  }

  /** Tries at once to have the line back. */
  retry(): void {
    this.server.wake();
  }

  hear(message: ServerMessage): void {
    const answer = this.orders.hear(message);
    this.count();
    if (answer !== null && 'refused' in answer) this.refusal = answer.why;
    if (message.type === 'refused') this.hearRefusal(message);
    if (message.type === 'pong') this.tellTime(message.now);
    if (!('match' in message) || message.match !== this.match) return;
    switch (message.type) {
      case 'snapshot': {
        const viewer = message.seat ?? 'spectator';
        this.complete = this.complete.filter((one) => one !== viewer);
        this.caughtUp(viewer);
        this.pace.stop();
        this.hearAll(viewer, begin(message, this.heard[viewer] ?? null));
        this.skew = message.now - performance.now();
        this.spectators = message.spectators;
        break;
      }
      case 'spectators':
        this.spectators = message.count;
        break;
      case 'presence':
        this.presence = message;
        break;
      case 'watching':
        this.caughtUp(message.seat ?? 'spectator');
        this.skew = message.now - performance.now();
        break;
      case 'update': {
        const viewer = message.seat ?? 'spectator';
        const before = this.heard[viewer];
        const next = before === undefined ? null : go(before, message);
        if (next === null) this.server.say(this.watch(viewer, true));
        else if (next !== before) this.show(viewer, next, message);
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
    const here = message.match === this.match || Object.keys(this.states).length === 0;
    if (here && FATAL.includes(message.code)) this.lost = message;
  }

  /** Shows an update: at once, or after the steps that are being looked at. */
  private show(viewer: Viewer, next: MatchState, update: Update): void {
    this.heard = { ...this.heard, [viewer]: next };
    const [deed] = deedsOf(update);
    const watched = !this.behind.includes(viewer) && document.visibilityState !== 'hidden';
    // On a screen that two share every step is somebody's own.
    if (!watched || this.seats.length > 1) {
      this.pace.stop();
      this.put(next);
    } else if (deed === undefined) {
      this.pace.add(next);
    } else {
      const hold = this.stepTime(next);
      const own = deed.by === viewer;
      for (const [i, stage] of stages(next).entries()) {
        if (own && i === 0) this.pace.now(stage, hold * OWN_SHARE);
        else this.pace.step(stage, hold);
      }
    }
    this.refresh(viewer);
  }

  /** Shows at once all that has come. */
  skip(): void {
    this.pace.skip();
    this.unseen = this.pace.waiting;
  }

  private caughtUp(viewer: Viewer): void {
    this.behind = this.behind.filter((one) => one !== viewer);
  }

  private hearAll(viewer: Viewer, matchState: MatchState): void {
    this.heard = { ...this.heard, [viewer]: matchState };
    this.put(matchState);
  }

  private put(matchState: MatchState): void {
    this.states = { ...this.states, [matchState.seat ?? 'spectator']: matchState };
    this.refresh(matchState.seat ?? 'spectator');
  }

  /** Clocks are always right, however far behind the board is. */
  private refresh(viewer: Viewer): void {
    this.unseen = this.pace.waiting;
    const [shown, newest] = [this.states[viewer], this.heard[viewer]];
    if (shown === undefined || newest === undefined) return;
    const right = withClock(shown, newest);
    if (right !== shown) this.states = { ...this.states, [viewer]: right };
  }

  /** Makes sure that the steps since the first are there. */
  async loadSteps(viewer: Viewer): Promise<void> {
    this.skip();
    if (this.complete.includes(viewer)) return;
    this.complete = [...this.complete, viewer];
    const secret = viewer === 'spectator' ? null : (this.secrets[viewer] ?? null);
    try {
      const updates = await history(this.match, secret);
      this.skip();
      const matchState = this.heard[viewer];
      if (matchState !== undefined) this.hearAll(viewer, withHistory(matchState, updates));
    } catch {
      this.complete = this.complete.filter((one) => one !== viewer);
    }
  }
}
