/** Fortresses without a drawing: its texts as plain data, and its moves as keys to pick. */

import {
  BadView,
  type Deed,
  type Key,
  type Model,
  type Position,
  type Say,
  type Seat,
  type Slide,
} from '../../board/contract';
import { around, keyOf, placeOf } from './hex';
import { readScenario, type Scenario } from './scenario';

export type Ground = 'land' | 'mountain' | 'water';

export interface Cell {
  readonly key: Key;
  readonly ground: Ground;
  readonly owner: Seat | null;
  readonly fort: boolean;
  readonly city: Seat | null;
}

export interface General {
  readonly seat: Seat;
  /** Whether it has acted in this turn. */
  readonly acted: boolean;
}

export interface Scene {
  readonly scenario: Scenario;
  /** Turns of both players counted as one, from 1. */
  readonly turn: number;
  /** Whose turn it is; null after the last. */
  readonly mover: Seat | null;
  /** In the order of rows. */
  readonly cells: ReadonlyMap<Key, Cell>;
  readonly generals: ReadonlyMap<Key, General>;
  readonly scores: Readonly<Record<Seat, number>>;
  /** The turns that each player still has, this one included. */
  readonly left: Readonly<Record<Seat, number>>;
  readonly legal: ReadonlySet<string>;
  /** By which cells a general goes from one to another, if it can; see `ways`. */
  readonly ways: ReadonlyMap<string, readonly Key[]>;
}

export const SEATS = ['first', 'second'] as const;

export function otherSeat(seat: Seat): Seat {
  return seat === 'first' ? 'second' : 'first';
}

// -- Views -----------------------------------------------------------------------------------------

const VIEW = /^([1-9]\d{0,2}) ([0-9.fsFS/]{3,4000})(?: ([A-Z0-9!,]+|-) ([A-Z0-9!,]+|-))?$/;
const OWNERS: Readonly<Record<string, Seat>> = { f: 'first', s: 'second' };

function readCells(view: string, rows: string, scenario: Scenario): ReadonlyMap<Key, Cell> {
  const lines = rows.split('/');
  if (lines.length !== scenario.height) throw new BadView(view);
  const cells = new Map<Key, Cell>();
  lines.forEach((line, row) => {
    const symbols = line.replace(/(\d+)(.)/g, (_run, n: string, sign: string) =>
      sign.repeat(Math.min(Number(n), scenario.width + 1)),
    );
    if (symbols.length !== scenario.width) throw new BadView(view);
    [...symbols].forEach((symbol, column) => {
      const key = keyOf({ column, row });
      cells.set(key, {
        key,
        ground: groundOf(key, scenario),
        owner: OWNERS[symbol.toLowerCase()] ?? null,
        fort: symbol === 'F' || symbol === 'S',
        city: SEATS.find((seat) => scenario.cities[seat] === key) ?? null,
      });
    });
  });
  return cells;
}

function groundOf(key: Key, { mountains, water }: Scenario): Ground {
  return mountains.has(key) ? 'mountain' : water.has(key) ? 'water' : 'land';
}

function readGenerals(lists: readonly (string | undefined)[]): ReadonlyMap<Key, General> {
  const generals = new Map<Key, General>();
  SEATS.forEach((seat, i) => {
    const list = lists[i] ?? '-';
    for (const name of list === '-' ? [] : list.split(',')) {
      generals.set(name.replace('!', ''), { seat, acted: name.endsWith('!') });
    }
  });
  return generals;
}

/** Reads a position on a scenario. */
export function readView(
  view: string,
  scenario: Scenario | null,
  legal: readonly string[] = [],
): Scene {
  const [, number, rows, ...lists] = VIEW.exec(view) ?? [];
  if (rows === undefined || scenario === null) throw new BadView(view);
  const cells = readCells(view, rows, scenario);
  const turn = Number(number);
  const count = (seat: Seat): number =>
    [...cells.values()].filter((cell) => cell.owner === seat).length;
  return {
    scenario,
    turn,
    mover: turn > 2 * scenario.turns ? null : turn % 2 === 1 ? 'first' : 'second',
    cells,
    generals: readGenerals(lists),
    scores: { first: count('first'), second: count('second') },
    left: {
      first: scenario.turns - Math.floor(turn / 2),
      second: scenario.turns - Math.floor((turn - 1) / 2),
    },
    legal: new Set(legal),
    ways: ways(legal),
  };
}

/** A scenario before the first turn, for its picture. */
export function opening(scenario: Scenario): Scene {
  const owners = new Map<Key, string>();
  for (const [seat, sign] of [
    ['first', 'f'],
    ['second', 's'],
  ] as const) {
    const city = scenario.cities[seat];
    const place = placeOf(city);
    const near = place === null ? [] : around(place).map(keyOf);
    for (const key of [city, ...near]) owners.set(key, sign);
  }
  const rows = [...Array(scenario.height).keys()].map((row) =>
    [...Array(scenario.width).keys()]
      .map((column) => owners.get(keyOf({ column, row })) ?? '.')
      .join(''),
  );
  return readView(`1 ${rows.join('/')}`, scenario);
}

// -- What a fortress would take --------------------------------------------------------------------

export interface Preview {
  readonly site: Key;
  /** The cell and all cells adjacent to it. */
  readonly cells: readonly Key[];
  /** Those that would change hands. */
  readonly won: readonly Key[];
  /** How many of them are the other's now. */
  readonly taken: number;
}

/** Says what a fortress of a seat would take: the score as it would be counted. */
export function preview(scene: Scene, site: Key, seat: Seat): Preview {
  const place = placeOf(site);
  const near = place === null ? [] : around(place).map(keyOf);
  const cells = [site, ...near].filter((key) => scene.cells.has(key));
  const won = cells.filter((key) => {
    const cell = scene.cells.get(key);
    return cell?.owner !== seat && cell?.city !== otherSeat(seat);
  });
  const taken = won.filter((key) => scene.cells.get(key)?.owner === otherSeat(seat)).length;
  return { site, cells, won, taken };
}

/** The cells that changed hands between two positions. */
export function conquered(before: Scene, after: Scene): readonly Key[] {
  return [...after.cells.values()]
    .filter(({ key, owner }) => before.cells.get(key)?.owner !== owner)
    .map(({ key }) => key);
}

// -- Moves -----------------------------------------------------------------------------------------

/** Keys that are no cells: what is said, and what a general does where it was sent. */
export const CALLS = ['end', 'pass'] as const;
export const DEEDS = ['build', 'go'] as const;

export interface Parts {
  /** The cells in order: where to build, or where a general stands and goes. */
  readonly cells: readonly Key[];
  readonly builds: boolean;
}

const MOVE = /^([A-Z]{1,2}\d{1,2}(?:-[A-Z]{1,2}\d{1,2}){0,2})(\+?)$/;

/** Takes a move on the field apart; null for what is only said. */
export function parts(move: string): Parts | null {
  const [, path, plus] = MOVE.exec(move) ?? [];
  if (path === undefined) return null;
  const cells = path.split('-');
  return { cells, builds: plus === '+' || cells.length === 1 };
}

/** The way of a general, cell by cell. */
export function legs(deed: Deed): readonly Slide[] {
  const { cells } = parts(deed.text) ?? { cells: [] };
  return cells.slice(1).map((to, i) => ({ from: cells[i] ?? to, to }));
}

/** The shortest legal way between any two cells, the first of several: all come to the same. */
function ways(legal: readonly string[]): ReadonlyMap<string, readonly Key[]> {
  const found = new Map<string, readonly Key[]>();
  for (const move of legal) {
    const { cells, builds } = parts(move) ?? { cells: [], builds: true };
    const between = `${cells[0] ?? ''}-${cells.at(-1) ?? ''}`;
    const known = found.get(between);
    if (!builds && (known === undefined || cells.length < known.length)) found.set(between, cells);
  }
  return found;
}

/** The way of a general to a cell, if it can stop there. */
export function wayTo(scene: Scene, from: Key, to: Key): readonly Key[] | null {
  return scene.ways.get(`${from}-${to}`) ?? null;
}

/**
 * A fortress is looked at first and built with the second pick. A general is picked, then where it
 * goes; where it could also build, what it does there. Roundabout ways to the same cell can only be
 * typed.
 */
function path(move: string, scene: Scene): readonly Key[] {
  const found = parts(move);
  if (found === null) return [move];
  const [start = '', via = ''] = found.cells;
  const stop = found.cells.at(-1) ?? '';
  if (move === start) return [start, start];
  if (found.builds) return [start, stop, 'build'];
  if (wayTo(scene, start, stop)?.join('-') !== move) return [start, `by ${via}`, stop];
  return scene.legal.has(`${start}-${stop}+`) ? [start, stop, 'go'] : [start, stop];
}

// -- Words -----------------------------------------------------------------------------------------

/** What is on a cell, in words: an owner, and all that stands there. */
function describe(cell: Cell, general: General | undefined, say: Say): string {
  const things = [
    ...(cell.ground === 'land' ? [] : [say(`ground.${cell.ground}`)]),
    ...(cell.city === null ? [] : [say('city', { side: say(`side.${cell.city}`) })]),
    ...(cell.fort ? [say('fort')] : []),
    ...(cell.city !== null
      ? []
      : [
          cell.owner === null
            ? say('owner.none')
            : say('owner', { side: say(`side.${cell.owner}`) }),
        ]),
    ...(general === undefined ? [] : [say('general', { side: say(`side.${general.seat}`) })]),
    ...(general?.acted ? [say('general.acted')] : []),
  ];
  return things.join(', ');
}

function name(key: Key, scene: Scene, say: Say): string {
  const cell = scene.cells.get(key);
  if (cell === undefined) return say(`name.${key}`);
  return say('name.cell', { cell: key, what: describe(cell, scene.generals.get(key), say) });
}

/** How many cells a deed took from the other, by its remark. */
function spoils(deed: Deed): number {
  return Number(/^takes (\d{1,2})$/.exec(deed.remark)?.[1] ?? 0);
}

function notation(deed: Deed, say: Say): string {
  if (parts(deed.text) === null) return say(`name.${deed.text === 'end' ? 'end' : 'pass'}`);
  const n = spoils(deed);
  return n === 0 ? deed.text : `${deed.text} ${say('list.takes', { n })}`;
}

function tell(deed: Deed, say: Say): string {
  const side = say(`side.${deed.by}`);
  const found = parts(deed.text);
  if (found === null) return say(`tell.${deed.text === 'end' ? 'end' : 'pass'}`, { side });
  const [from = ''] = found.cells;
  const to = found.cells.at(-1) ?? from;
  const taken = spoils(deed);
  const won = taken === 0 ? '' : ` ${say('tell.takes', { n: taken })}`;
  if (!found.builds) return say('tell.go', { side, from, to });
  const key = from === to ? 'tell.build' : 'tell.gobuild';
  return say(key, { side, from, to }) + won;
}

/** A build takes `+` where generals do it; who types may leave out the cell in between. */
function spellings(move: string): readonly string[] {
  const found = parts(move);
  if (found === null) return [];
  const plus = move.endsWith('+') ? '+' : '';
  return [`${found.cells.join('')}${plus}`, `${found.cells.join(' ')}${plus}`];
}

/** What can be done: a fortress is looked at and built, a general picked and sent. */
function ask(
  scene: Scene,
  [start, target]: readonly Key[],
  say: Say,
  lit: ReadonlySet<Key>,
): string {
  if (lit.has('pass')) return say('hint.pass');
  if (scene.scenario.mode !== 'plenty') {
    return start === undefined ? say('hint.look') : say('hint.again', { cell: start });
  }
  const ready = [...scene.generals.values()].filter((g) => g.seat === scene.mover && !g.acted);
  if (start === undefined) return say('hint.general', { n: ready.length });
  return target === undefined
    ? say('hint.where', { cell: start })
    : say('hint.do', { cell: target });
}

/** What a fortress would bring, in words. */
export function foretell({ site, won, taken }: Preview, say: Say): string {
  const gain = `${site}: ${say('gain', { n: won.length })}`;
  return taken > 0 ? `${gain} ${say('gain.taken', { n: taken })}` : gain;
}

function goal(scene: Scene, say: Say): string {
  const { turns } = scene.scenario;
  if (scene.mover === null) return say('over');
  return say('goal', { turn: Math.ceil(scene.turn / 2), of: turns });
}

export const model: Model<Scene> = {
  read: ({ view, options, legal }: Position) =>
    readView(view, readScenario(options.scenario), legal ?? []),
  path,
  touched: (deed) => parts(deed.text)?.cells ?? [],
  slides(deed) {
    const found = parts(deed.text);
    const [from] = found?.cells ?? [];
    const to = found?.cells.at(-1);
    if (from === undefined || to === undefined || from === to || found?.builds) return [];
    return [{ from, to }];
  },
  name,
  tell: (deed, _scene, say) => tell(deed, say),
  takes: (deed) => spoils(deed) > 0,
  notation: (deed, _look, say) => notation(deed, say),
  spellings,
  holder: (key, scene) => scene.generals.get(key)?.seat ?? null,
  ask,
  standing: ({ scores }, say) => ({
    first: say('standing', { n: scores.first }),
    second: say('standing', { n: scores.second }),
  }),
  goal,
};
