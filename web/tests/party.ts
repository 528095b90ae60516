/** Players who talk to the server itself: they bring a match to where a test wants it. */

import type { APIRequestContext } from '@playwright/test';

import type { Seat } from '../src/board/contract';
import type { Done, Made, Order, Snapshot, Update } from '../src/net/types';
import type { Roll } from './playing';
import { expect } from './serving';

export class Party {
  private number = 0;

  constructor(
    private readonly request: APIRequestContext,
    private readonly made: Made,
    /** Where the server is, if it is not the test's own. */
    private readonly server = '',
  ) {}

  private path(of: string): string {
    return `${this.server}/api/matches/${this.made.match}/${of}`;
  }

  private headers(seat: Seat): { Authorization: string } {
    return { Authorization: `Bearer ${this.made.secrets[seat] ?? ''}` };
  }

  /** Everything as a seat is told it. */
  async seenBy(seat: Seat): Promise<Snapshot> {
    const path = this.path('snapshot');
    const answer = await this.request.get(path, { headers: this.headers(seat) });
    return (await answer.json()) as Snapshot;
  }

  /** Gives an order for a seat; returns the number of the update that it led to. */
  async order(seat: Seat, command: Order['command']): Promise<number> {
    this.number += 1;
    const data = { client: `party-of-${seat}`, number: this.number, command };
    const path = this.path('orders');
    const answer = await this.request.post(path, { headers: this.headers(seat), data });
    expect(answer.ok(), await answer.text()).toBe(true);
    return ((await answer.json()) as Update | Done).seq;
  }

  move(seat: Seat, text: string): Promise<number> {
    return this.order(seat, { type: 'move', text });
  }

  /**
   * Lets whoever is asked move, up to so many times; captures are liked best. Returns the number of
   * the last update.
   */
  async playOn(moves: number, roll: Roll): Promise<number> {
    let { position, info, seq } = await this.seenBy('first');
    for (let played = 0; played < moves; played += 1) {
      const [seat] = position?.awaited ?? [];
      if (info.status !== 'running' || seat === undefined) break;
      if (this.made.secrets[seat] === undefined) throw new Error(`${seat} is not played here`);
      const asked = (await this.seenBy(seat)).position?.asked;
      const legal = asked?.legal ?? Object.values(asked?.suggestions ?? {});
      const captures = legal.filter((move) => move.includes('x'));
      const liked = captures.length > 0 ? captures : legal;
      await this.move(seat, liked[roll(liked.length)] ?? '');
      ({ position, info, seq } = await this.seenBy('first'));
    }
    return seq;
  }

  /** The record as a seat, or anybody, may have it. */
  async record(seat: Seat): Promise<string> {
    const path = this.path('record');
    return (await this.request.get(path, { headers: this.headers(seat) })).text();
  }
}
