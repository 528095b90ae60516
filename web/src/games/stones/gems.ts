/** Stones as gems: every colour has a cut of its own, lit from the upper left. */

import type { Colour } from './tokens';

type Point = readonly [x: number, y: number];

/** The corners of each cut, clockwise around the middle of a cell. */
const CUTS: Readonly<Record<Colour, readonly Point[]>> = {
  R: [[0, -18], [17, 0], [0, 18], [-17, 0]],
  Y: [[0, -18], [11.5, -9], [11.5, 9], [0, 18], [-11.5, 9], [-11.5, -9]],
  G: [[-4, -16], [4, -16], [18, 10], [14, 15], [-14, 15], [-18, 10]],
  B: [[-15, -15], [15, -15], [15, 15], [-15, 15]],
  V: [[-6.5, -16], [6.5, -16], [16, -6.5], [16, 6.5], [6.5, 16], [-6.5, 16], [-16, 6.5], [-16, -6.5]],
}; // prettier-ignore

/** How large the flat top is, by the whole. */
const TOP = 0.55;
/** How bright a facet is that faces the light, and how dark one that faces away. */
const GLEAM = 0.4;

function polygon(points: readonly Point[]): string {
  return `M${points.map(([x, y]) => `${String(x)} ${String(y)}`).join('L')}Z`;
}

/** The outline of a gem. */
export function outline(colour: Colour): string {
  return polygon(CUTS[colour]);
}

export interface Facet {
  readonly d: string;
  /** From dark, below nothing, to bright. */
  readonly light: number;
}

/** What lies between the outline and the flat top. */
export function facets(colour: Colour): readonly Facet[] {
  const outer = CUTS[colour];
  const inner = outer.map(([x, y]): Point => [x * TOP, y * TOP]);
  return outer.map((from, i) => {
    const next = (i + 1) % outer.length;
    const to = outer[next] ?? from;
    const corners = [from, to, inner[next] ?? to, inner[i] ?? from];
    // Outwards, as the edge runs clockwise; the light comes from the upper left.
    const [nx, ny] = [to[1] - from[1], from[0] - to[0]];
    const light = -(nx + ny) / (Math.hypot(nx, ny) * Math.SQRT2);
    return { d: polygon(corners), light: Math.round(light * GLEAM * 100) / 100 };
  });
}
