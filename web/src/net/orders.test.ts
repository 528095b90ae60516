import { expect, it } from 'vitest';

import { Orders, type Shelf } from './orders';

function shelf(): Shelf {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
}

const fresh = { client: 'c', now: 100 };

it('keeps an order until it is done, also over a reload', () => {
  const storage = shelf();
  const order = new Orders('m', storage, fresh).give('first', { type: 'move', text: 'a' }, 3);
  expect(order.order).toMatchObject({ client: 'c', number: 101, seen: 3 });
  const reloaded = new Orders('m', storage, { client: 'other', now: 50 });
  expect(reloaded.waiting).toEqual([order]);
  expect(reloaded.give('first', { type: 'resign' }, 4).order).toMatchObject({ client: 'c', number: 102 }); // prettier-ignore
  const done = { client: 'c', number: 101 };
  const update = { type: 'update', match: 'm', seat: 'first', seq: 4, at: 0, notices: [], done } as const; // prettier-ignore
  expect(reloaded.hear({ ...update, notices: [] })).toEqual({ done: order });
  expect(reloaded.waiting).toHaveLength(1);
});

it('lets go of what is refused, and holds on to what was only not possible yet', () => {
  const orders = new Orders('m', shelf(), fresh);
  const order = orders.give('first', { type: 'move', text: 'a' }, 3);
  const refused = { type: 'refused', message: '', client: 'c', number: 101 } as const;
  expect(orders.hear({ ...refused, code: 'busy' })).toBeNull();
  expect(orders.waiting).toEqual([order]);
  expect(orders.hear({ ...refused, code: 'illegal_move' })).toMatchObject({ refused: order });
  expect(orders.waiting).toEqual([]);
});

it('knows nothing of the orders of others', () => {
  const orders = new Orders('m', shelf(), fresh);
  orders.give('first', { type: 'resign' }, 1);
  expect(orders.hear({ type: 'done', match: 'm', seat: 'first', client: 'x', number: 101, seq: 2 })).toBeNull(); // prettier-ignore
});
