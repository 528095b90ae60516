/** The set of sixty tokens and the fields: the data that the rules publish. */

import fields from '../../../../src/visavis/rules/stones/fields.json';
import set from '../../../../src/visavis/rules/stones/tokens.json';

export const COLOURS = ['R', 'Y', 'G', 'B', 'V'] as const;

/** A colour by its letter: red, yellow, green, blue, violet. */
export type Colour = (typeof COLOURS)[number];

/** What is printed on a side: four stones, clockwise from the upper left one. */
export type Side = string;

const BASE_OF: ReadonlyMap<Side, Side> = new Map(
  set.tokens.map(({ improved, base }) => [improved, base]),
);

export const SET_SIZE = set.tokens.length;

/** All base sides, each of which is on two tokens. */
export const BASES: readonly Side[] = [...new Set(BASE_OF.values())];

/** The base side behind an improved one; a base side is its own. */
export function baseOf(side: Side): Side {
  return BASE_OF.get(side) ?? side;
}

export function isImproved(side: Side): boolean {
  return BASE_OF.has(side);
}

/** The two improved sides of which one is behind a base side. */
export function twins(base: Side): readonly Side[] {
  return [...BASE_OF].filter(([, each]) => each === base).map(([improved]) => improved);
}

/** A side after so many quarter turns clockwise. */
export function turned(side: Side, turns: number): Side {
  const n = turns % 4;
  return n === 0 ? side : side.slice(-n) + side.slice(0, -n);
}

/** The map of a field by name, or the map itself: rows of `x` and `.`. */
export function fieldRows(field = 'square8'): readonly string[] {
  const named = (fields.fields as Readonly<Record<string, readonly string[]>>)[field];
  return (named ?? field.split('/')).map((row) => row.replaceAll('#', 'x'));
}

/** The names of the fields that come with the game. */
export const FIELDS: readonly string[] = Object.keys(fields.fields);
