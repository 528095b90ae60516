/** Starting a match: asking the server for it, and remembering whose seats are ours. */

import { router } from '../app/route.svelte';
import type { Seat } from '../board/contract';
import { create } from '../net/api';
import { remember } from '../net/memory';
import type { NewMatch, SeatSpec } from '../net/types';

export type Opponent = 'computer' | 'friend' | 'screen' | 'open';
export type Side = Seat | 'any';

const KINDS: Readonly<Record<Opponent, SeatSpec['kind']>> = {
  computer: 'computer',
  friend: 'invited',
  screen: 'me',
  open: 'open',
};

/** Who sits where. */
export function seatsFor(opponent: Opponent, side: Side, level: string): [SeatSpec, SeatSpec] {
  const me: SeatSpec = { kind: 'me' };
  const kind = KINDS[opponent];
  const them: SeatSpec = kind === 'computer' ? { kind, player: level } : { kind };
  const first = side === 'any' ? Math.random() < 0.5 : side === 'first';
  return first || opponent === 'screen' ? [me, them] : [them, me];
}

/** Creates a match and goes there. */
export async function start(match: NewMatch): Promise<void> {
  const made = await create(match);
  remember({
    match: made.match,
    game: match.game,
    secrets: made.secrets,
    invitations: made.invitations,
    at: Date.now(),
    over: false,
  });
  router.go(`/match/${made.match}`);
}
