/** Where the arrow keys lead: geometry that fits squares, hexagons and round maps alike. */

import type { Key } from './contract';

export type Direction = 'left' | 'right' | 'up' | 'down';

/** A key and the middle of what stands for it, in any units; y grows downwards. */
export interface Spot {
  readonly key: Key;
  readonly x: number;
  readonly y: number;
}

const COMPASS: Readonly<Record<Direction, readonly [number, number]>> = {
  left: [-1, 0],
  right: [1, 0],
  up: [0, -1],
  down: [0, 1],
};

/** How much worse a step aside is than a step ahead. */
const ASIDE = 2.2;

/** Returns the nearest spot in a direction, or null at the edge. */
export function neighbour(spots: readonly Spot[], from: Key, towards: Direction): Key | null {
  const here = spots.find((spot) => spot.key === from);
  if (here === undefined) return spots[0]?.key ?? null;
  const [dx, dy] = COMPASS[towards];
  let best: Key | null = null;
  let least = Infinity;
  for (const spot of spots) {
    const x = spot.x - here.x;
    const y = spot.y - here.y;
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    const cost = ahead + ASIDE * aside;
    if (ahead > 0.5 && aside <= 1.8 * ahead && cost < least) [best, least] = [spot.key, cost];
  }
  return best;
}
