/** What is played on: the field, the cities, mountains and water, as the option `scenario` tells. */

import builtIn from '../../../../src/visavis/rules/fortress/scenarios.json';
import type { Key, Seat } from '../../board/contract';

export type Mode = 'young' | 'rough' | 'plenty';

export interface Scenario {
  readonly mode: Mode;
  readonly width: number;
  readonly height: number;
  /** How many turns each player takes. */
  readonly turns: number;
  readonly cities: Readonly<Record<Seat, Key>>;
  readonly mountains: ReadonlySet<Key>;
  readonly water: ReadonlySet<Key>;
}

/** The scenarios that come with the game, in the order in which they are offered. */
export const NAMES: readonly string[] = builtIn.map((entry) => entry.name);

const DEFAULT = 'meadow';

/** `MODE:WIDTHxHEIGHT:TURNS:CITY:CITY:MOUNTAINS:WATER`; the last two are missing in mode young. */
const LINE =
  /^(young|rough|plenty):([1-9]\d?)x([1-9]\d?):([1-9]\d{0,2}):([A-Z]{1,2}\d{1,2}):([A-Z]{1,2}\d{1,2})(?::([A-Z0-9,]*):([A-Z0-9,]*))?$/;

function named(name: string): Scenario | null {
  const entry = builtIn.find((each) => each.name === name);
  if (entry === undefined) return null;
  const [first = '', second = ''] = entry.cities;
  return {
    mode: entry.mode as Mode,
    width: entry.width,
    height: entry.height,
    turns: entry.turns,
    cities: { first, second },
    mountains: new Set(entry.mountains),
    water: new Set(entry.water),
  };
}

function cells(list: string | undefined): ReadonlySet<Key> {
  return new Set(list === undefined || list === '' ? [] : list.split(','));
}

/** Reads the canonical value of the option: a name or one line. Null if it is neither. */
export function readScenario(text: string = DEFAULT): Scenario | null {
  const found = LINE.exec(text);
  if (found === null) return named(text);
  const [, mode, width, height, turns, first = '', second = '', mountains, water] = found;
  return {
    mode: mode as Mode,
    width: Number(width),
    height: Number(height),
    turns: Number(turns),
    cities: { first, second },
    mountains: cells(mountains),
    water: cells(water),
  };
}
