/**
 * Orders on their way: a command is kept until the server says that it is done or refused, and said
 * again whenever the line comes back. The client's id and the number make that harmless.
 */

import type { Seat } from '../board/contract';
import type { Do, Order, Refused, ServerMessage } from './types';

/** Where orders outlive a reload; `sessionStorage` is one. */
export interface Shelf {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

interface Kept {
  readonly client: string;
  readonly waiting: readonly Do[];
}

/** What became of an order. */
export type Answer = { readonly done: Do } | { readonly refused: Do; readonly why: Refused };

export class Orders {
  private readonly key: string;
  private kept: Kept;
  private number: number;

  constructor(
    private readonly match: string,
    private readonly shelf: Shelf,
    fresh: { readonly client: string; readonly now: number },
  ) {
    this.key = `visavis.orders.${match}`;
    this.kept = this.read() ?? { client: fresh.client, waiting: [] };
    // Numbers count upwards, also after a reload that has forgotten the last one.
    this.number = Math.max(fresh.now, ...this.kept.waiting.map((order) => order.order.number));
  }

  /** What is still on its way, oldest first. */
  get waiting(): readonly Do[] {
    return this.kept.waiting;
  }

  /** Makes an order and keeps it. */
  give(seat: Seat, command: Order['command'], seen: number): Do {
    this.number += 1;
    const order = { client: this.kept.client, number: this.number, command, seen };
    const message: Do = { type: 'do', match: this.match, seat, order };
    this.keep([...this.kept.waiting, message]);
    return message;
  }

  /** Hears whether an order is done; returns what became of it. */
  hear(message: ServerMessage): Answer | null {
    const mine = this.find(message);
    if (mine === undefined) return null;
    // These mean: not now. The order stays, and is said again with the next hello.
    if (message.type === 'refused' && ['too_many', 'busy', 'not_watching'].includes(message.code)) {
      return null;
    }
    this.keep(this.kept.waiting.filter((order) => order !== mine));
    return message.type === 'refused' ? { refused: mine, why: message } : { done: mine };
  }

  private find(message: ServerMessage): Do | undefined {
    const about =
      message.type === 'update'
        ? (message.done ?? null)
        : message.type === 'done' || message.type === 'refused'
          ? message
          : null;
    return about === null
      ? undefined
      : this.kept.waiting.find(
          ({ order }) => order.client === about.client && order.number === about.number,
        );
  }

  private read(): Kept | null {
    const text = this.shelf.getItem(this.key);
    return text === null ? null : (JSON.parse(text) as Kept);
  }

  private keep(waiting: readonly Do[]): void {
    this.kept = { ...this.kept, waiting };
    this.shelf.setItem(this.key, JSON.stringify(this.kept));
  }
}
