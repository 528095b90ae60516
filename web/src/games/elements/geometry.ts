/**
 * The map of the board: the icosahedron seen from over one base, which lies in the middle, spread
 * out until the other base is all that is around.
 *
 * The cells fill the whole width of a phone: the other base has the four corners that a round map
 * leaves free, and only a seam at the sides, so that a piece is a sixth larger than with a ring
 * around everything.
 *
 * An unrolled band of five strips was tried too. There the bases are bars and the left and right
 * edges join, so that who stands next to whom has to be remembered, and the turn of a fifth shows as
 * a shift; and ten cells side by side are no wider than these. So was a larger map that is moved
 * with the finger, which hides a third of what one has to watch. In the rose every cell is there
 * once, cells that touch share a side, and the five sectors look alike.
 */

import type { Key, Seat } from '../../board/contract';
import { TERRITORY, base } from './model';

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Cell {
  readonly key: Key;
  readonly kind: 'base' | 'home' | 'neutral';
  /** Whose base or territory it is. */
  readonly seat: Seat | null;
  /** Its outline as an SVG path. */
  readonly outline: string;
  /** Where a piece stands. */
  readonly middle: Spot;
}

/** From the middle of the map to its sides. */
export const HALF = 201;

/** How round its corners are. */
const ROUND = 34;

const SECTORS = 5;
const TURN = (2 * Math.PI) / SECTORS;

/** A point by its turn, counted in sectors, and its distance from the middle. */
type Polar = readonly [turn: number, distance: number];

/**
 * How far out the corners lie, from the inner base to the outer: corners of the base, middles of the
 * sides of the territory, its corners; then the same of the other. Chosen by a search for the
 * largest circle that fits into every cell.
 */
const CORNER = {
  inner: { base: 28, side: 103, corner: 113 },
  outer: { base: 196, side: 154.5, corner: 145 },
} as const;

/** The middles of the largest circles in the cells, from the inside out. */
const MIDDLE = {
  inner: { centre: 53, wing: 89.3, aside: 0.178, neutral: 123.3 },
  outer: { centre: 175.9, wing: 166.8, aside: 0.096, neutral: 134.4 },
} as const;

/** The radius of those circles, so that pieces can be as large. */
export const ROOM = 19.8;

/** Where the piece of the outer base stands: in a corner on top. */
const OUTER_BASE: Spot = { x: -164.5, y: -164.5 };

function spot([turn, distance]: Polar): Spot {
  const angle = turn * TURN - Math.PI / 2;
  return { x: distance * Math.cos(angle), y: distance * Math.sin(angle) };
}

function point(polar: Polar): string {
  const { x, y } = spot(polar);
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** Draws sides that are straight on the band and become curves of the rose. */
function outline(corners: readonly Polar[]): string {
  const STEPS = 8;
  const points = corners.flatMap(([turn, distance], i) => {
    const [toTurn, toDistance] = corners[(i + 1) % corners.length] ?? [turn, distance];
    return Array.from({ length: STEPS }, (_, step): string => {
      const part = step / STEPS;
      return point([turn + (toTurn - turn) * part, distance + (toDistance - distance) * part]);
    });
  });
  return `M${points.join('L')}Z`;
}

function circle(radius: number): string {
  const r = String(radius);
  return `M-${r} 0A${r} ${r} 0 1 1 ${r} 0A${r} ${r} 0 1 1-${r} 0Z`;
}

/** The edge of the whole map: a square with round corners. */
export function edge(): string {
  const [r, side] = [String(ROUND), String(2 * (HALF - ROUND))];
  const turn = (x: 1 | -1, y: 1 | -1): string =>
    `a${r} ${r} 0 0 1 ${String(x * ROUND)} ${String(y * ROUND)}`;
  const start = `M${String(ROUND - HALF)} ${String(-HALF)}`;
  return `${start}h${side}${turn(1, 1)}v${side}${turn(-1, 1)}h-${side}${turn(-1, -1)}v-${side}${turn(1, -1)}Z`;
}

type Place = keyof typeof CORNER;

function bases(inner: Seat, outer: Seat): readonly Cell[] {
  const hole = circle(CORNER.outer.base);
  return [
    {
      key: base(outer),
      kind: 'base',
      seat: outer,
      outline: edge() + hole,
      middle: OUTER_BASE,
    },
    {
      key: base(inner),
      kind: 'base',
      seat: inner,
      outline: circle(CORNER.inner.base),
      middle: { x: 0, y: 0 },
    },
  ];
}

/** A sector of a side: the cell at the base, its two wings, and the neutral cell before them. */
function sector(seat: Seat, place: Place, number: number, mirror: 1 | -1): readonly Cell[] {
  const at = number + (seat === 'second' ? 0.5 : 0);
  const turn = (aside: number, distance: number): Polar => [mirror * (at + aside), distance];
  const { base: near, side, corner } = CORNER[place];
  const { centre, wing, aside, neutral } = MIDDLE[place];
  const tip = CORNER[place === 'inner' ? 'outer' : 'inner'].corner;
  const [c = '', l = '', r = ''] = TERRITORY[seat].slice(3 * number, 3 * number + 3);
  const n = `N${String(2 * number + (seat === 'first' ? 1 : 2))}`;
  const cell = (key: Key, corners: readonly Polar[], middle: Polar): Cell => ({
    key,
    kind: key === n ? 'neutral' : 'home',
    seat: key === n ? null : seat,
    outline: outline(corners),
    middle: spot(middle),
  });
  const half = turn(0.5, side);
  return [
    cell(c, [turn(0, near), turn(1, near), half], turn(0.5, centre)),
    cell(l, [turn(0, near), half, turn(0, corner)], turn(aside, wing)),
    cell(r, [turn(1, near), turn(1, corner), half], turn(1 - aside, wing)),
    cell(n, [turn(0, corner), half, turn(1, corner), turn(0.5, tip)], turn(0.5, neutral)),
  ];
}

function draw(near: Seat): readonly Cell[] {
  const far = near === 'first' ? 'second' : 'first';
  // Who looks from the other end sees the sectors go round the other way.
  const mirror = near === 'first' ? 1 : -1;
  const numbers = Array.from({ length: SECTORS }, (_, i) => i);
  return [
    ...bases(near, far),
    ...numbers.flatMap((number) => sector(far, 'outer', number, mirror)),
    ...numbers.flatMap((number) => sector(near, 'inner', number, mirror)),
  ];
}

const MAPS: Readonly<Record<Seat, readonly Cell[]>> = {
  first: draw('first'),
  second: draw('second'),
};

/** The 42 cells, with the base of a seat in the middle. */
export function mapOf(near: Seat): readonly Cell[] {
  return MAPS[near];
}
