/** Players who talk to the server itself: they bring a match to where a test wants it. */

import type { APIRequestContext } from '@playwright/test';

import type { Seat } from '../src/board/contract';
import type { Made, Order, Snapshot } from '../src/net/types';
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

  /** Gives an order for a seat. */
  async order(seat: Seat, command: Order['command']): Promise<void> {
    this.number += 1;
    const data = { client: `party-of-${seat}`, number: this.number, command };
    const path = this.path('orders');
    const answer = await this.request.post(path, { headers: this.headers(seat), data });
    expect(answer.ok(), await answer.text()).toBe(true);
  }

  move(seat: Seat, text: string): Promise<void> {
    return this.order(seat, { type: 'move', text });
  }

  /** Lets whoever is asked move, up to so many times; captures are liked best. */
  async playOn(moves: number, roll: (sides: number) => number): Promise<void> {
    for (let played = 0; played < moves; played += 1) {
      const { position, info } = await this.seenBy('first');
      const [seat] = position?.awaited ?? [];
      if (info.status !== 'running' || seat === undefined) return;
      const asked = (await this.seenBy(seat)).position?.asked;
      const legal = asked?.legal ?? Object.values(asked?.suggestions ?? {});
      const captures = legal.filter((move) => move.includes('x'));
      const liked = captures.length > 0 ? captures : legal;
      await this.move(seat, liked[roll(liked.length)] ?? '');
    }
  }

  /** The record as a seat, or anybody, may have it. */
  async record(seat: Seat): Promise<string> {
    const path = this.path('record');
    return (await this.request.get(path, { headers: this.headers(seat) })).text();
  }
}
