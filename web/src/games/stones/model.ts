/** Stones without a drawing: its texts as plain data, and its moves as keys to pick. */

import {
  BadView,
  type Deed,
  type Key,
  type Model,
  type Position,
  type Say,
  type Seat,
} from '../../board/contract';
import { groups, keyOf, largest, stonesAt, type Group, type Stone } from './grid';
import { BASES, baseOf, fieldRows, isImproved, SET_SIZE, turned, type Side } from './tokens';

export type Up = 'i' | 'b';

export type Where =
  | { readonly at: 'front'; readonly seat: Seat; readonly up: Up }
  | { readonly at: 'field'; readonly cell: Key; readonly turns: number; readonly up: Up }
  | { readonly at: 'pile'; readonly seat: Seat };

export interface Token {
  readonly number: number;
  readonly base: Side;
  /** Null where the viewer does not know it. */
  readonly improved: Side | null;
  /** Who knows the improved side: everybody, or those who have looked. */
  readonly known: 'all' | readonly Seat[];
  readonly where: Where;
}

export const PHASES = ['deal', 'draw', 'place', 'more', 'level', 'three', 'four', 'keep', 'five'];

export type Phase =
  'deal' | 'draw' | 'place' | 'more' | 'level' | 'three' | 'four' | 'keep' | 'five';

export interface Scene {
  readonly viewer: string;
  readonly turn: number;
  readonly phase: Phase;
  /** Whose turn it is; null in the deal and after the end. */
  readonly mover: Seat | null;
  /** The tokens of the group that is being settled. */
  readonly group: readonly number[];
  /** How many more tokens may be placed. */
  readonly bonus: number;
  /** By number, from 1. */
  readonly tokens: readonly Token[];
  readonly rows: number;
  readonly columns: number;
  readonly cells: ReadonlySet<Key>;
  /** What lies on the field. */
  readonly stones: ReadonlyMap<Key, Stone>;
  readonly bag: number;
}

export const SEATS = ['first', 'second'] as const;

// -- Views -----------------------------------------------------------------------------------------

const VIEW =
  /^(first|second|spectator|open) (0|[1-9]\d{0,3}) ([a-z]{4,5})(?::([0-9.]{1,180}))? skips:([0-2]) bonus:(\d{1,2})(?: (.{1,1900}))?$/;
const TOKEN =
  /^([RYGBV]{4})(\?)?(12?|2)?(?:([ib])(?:=([12])|@([A-P](?:1[0-6]|[1-9]))r([0-3]))|\+([12]))$/;

function seatOf(digit: string | undefined): Seat {
  return digit === '2' ? 'second' : 'first';
}

function readToken(view: string, text: string, number: number): Token {
  const [, side, , digits, up, front, cell, turns, pile] = TOKEN.exec(text) ?? [];
  if (side === undefined) throw new BadView(view);
  const improved = isImproved(side) ? side : null;
  const known = [...(digits ?? '')].map(seatOf);
  const facing = up === 'i' ? 'i' : 'b';
  let where: Where = { at: 'pile', seat: seatOf(pile) };
  if (front !== undefined) where = { at: 'front', seat: seatOf(front), up: facing };
  if (cell !== undefined) where = { at: 'field', cell, turns: Number(turns), up: facing };
  return {
    number,
    base: baseOf(side),
    improved,
    known: improved !== null && digits === undefined ? 'all' : known,
    where,
  };
}

function moverOf(turn: number, phase: Phase, skips: number, bag: number): Seat | null {
  const over = skips === 2 || (phase === 'draw' && bag === 0);
  return turn === 0 || over ? null : turn % 2 === 1 ? 'first' : 'second';
}

/** Reads a view on a field. */
export function readView(view: string, field?: string): Scene {
  const [, viewer, turn, phase, group, skips, bonus, list] = VIEW.exec(view) ?? [];
  if (viewer === undefined || phase === undefined || !PHASES.includes(phase)) {
    throw new BadView(view);
  }
  const tokens = (list?.split(' ') ?? []).map((text, i) => readToken(view, text, i + 1));
  const rows = fieldRows(field);
  const cells = rows.flatMap((row, r) =>
    [...row].flatMap((mark, column) => (mark === 'x' ? [keyOf({ column, row: r })] : [])),
  );
  const bag = SET_SIZE - tokens.length;
  return {
    viewer,
    turn: Number(turn),
    phase: phase as Phase,
    mover: moverOf(Number(turn), phase as Phase, Number(skips), bag),
    group: group?.split('.').map(Number) ?? [],
    bonus: Number(bonus),
    tokens,
    rows: rows.length,
    columns: rows[0]?.length ?? 0,
    cells: new Set(cells),
    stones: new Map(tokens.flatMap(stonesOf)),
    bag,
  };
}

// -- What can be seen ------------------------------------------------------------------------------

/** Whether a token lies with its improved side up. */
export function isImprovedUp({ where }: Token): boolean {
  return where.at !== 'pile' && where.up === 'i';
}

/** The side of a token that is up, as printed; in a pile that is the base side. */
export function shown(token: Token): Side {
  return isImprovedUp(token) ? (token.improved ?? token.base) : token.base;
}

/** The side that is down, or null where it is not known. */
export function lower(token: Token): Side | null {
  return isImprovedUp(token) ? token.base : token.improved;
}

function stonesOf(token: Token): readonly (readonly [Key, Stone])[] {
  const { where, number } = token;
  return where.at === 'field'
    ? stonesAt(where.cell, turned(shown(token), where.turns), number)
    : [];
}

export function front(scene: Scene, seat: Seat): readonly Token[] {
  return scene.tokens.filter(({ where }) => where.at === 'front' && where.seat === seat);
}

export function pile(scene: Scene, seat: Seat): readonly Token[] {
  return scene.tokens.filter(({ where }) => where.at === 'pile' && where.seat === seat);
}

/** A token in the pile counts one, and one in front with its improved side up. */
export function score(scene: Scene, seat: Seat): number {
  const improved = front(scene, seat).filter(
    ({ where }) => where.at === 'front' && where.up === 'i',
  );
  return pile(scene, seat).length + improved.length;
}

/** How many tokens with each base side nobody has seen yet: they are in the bag. */
export function unseen(scene: Scene): readonly (readonly [Side, number])[] {
  return BASES.map((base) => [base, 2 - scene.tokens.filter((t) => t.base === base).length]);
}

/** The groups that there would be if a token lay so. */
export function groupsWith(scene: Scene, token: Token, cell: Key, turns: number): readonly Group[] {
  const added = stonesAt(cell, turned(shown(token), turns), token.number);
  return groups(new Map([...scene.stones, ...added]));
}

// -- Moves -----------------------------------------------------------------------------------------

export type Parts =
  | { readonly verb: 'put'; readonly token: number; readonly cell: Key; readonly turns: number }
  | { readonly verb: 'take' | 'pile'; readonly token: number }
  | { readonly verb: 'keep'; readonly token: number; readonly up: Up }
  | { readonly verb: 'level'; readonly cell: Key }
  | { readonly verb: 'done' | 'skip' };

const MOVE =
  /^(?:(\d{1,2})@([A-P]\d{1,2})r([0-3])|(take|pile) (\d{1,2})|keep (\d{1,2})([ib])|level ([A-P]\d{1,2})|(done|skip))$/;

/** Takes a move apart. */
export function parts(move: string): Parts | null {
  const found = MOVE.exec(move);
  if (found === null) return null;
  const [, put, cell, turns, verb, token, kept, up, level, word] = found;
  if (put !== undefined && cell !== undefined) {
    return { verb: 'put', token: Number(put), cell, turns: Number(turns) };
  }
  if (verb !== undefined) return { verb: verb as 'take' | 'pile', token: Number(token) };
  if (kept !== undefined) return { verb: 'keep', token: Number(kept), up: up as Up };
  if (level !== undefined) return { verb: 'level', cell: level };
  return { verb: word as 'done' | 'skip' };
}

export function tokenKey(number: number): Key {
  return `t${String(number)}`;
}

/**
 * A token, the cell of its upper left stone, then how it is turned. Of a group, a token and what
 * becomes of it; where only one token is in question, just that.
 */
function path(move: string, scene: Scene): readonly Key[] {
  const found = parts(move);
  switch (found?.verb) {
    case 'put':
      return [tokenKey(found.token), found.cell, `r${String(found.turns)}`];
    case 'take':
      return [tokenKey(found.token), 'take'];
    case 'keep':
      return scene.phase === 'five' ? [found.up] : [tokenKey(found.token), found.up];
    case 'pile':
      return ['pile'];
    case 'level':
      return [`g${found.cell}`];
    default:
      return [move];
  }
}

// -- Words -----------------------------------------------------------------------------------------

export function sideInWords(side: Side, say: Say): string {
  return [...side].map((letter) => say(`colour.${letter}`)).join(', ');
}

/** A side by the letters that its stones bear. */
export function sideInLetters(side: Side, say: Say): string {
  return [...side].map((letter) => say(`letter.${letter}`)).join('');
}

/** Where a token is, what it shows, and what is known of its lower side. */
function describe(token: Token, say: Say): string {
  const { where, number } = token;
  const values = { number, side: sideInWords(turned(shown(token), turnsOf(where)), say) };
  if (where.at === 'pile') return say('name.piled', { number });
  const place =
    where.at === 'field'
      ? say(`name.field.${where.up}`, { ...values, cell: where.cell })
      : say(`name.front.${where.up}`, { ...values, who: say(`side.${where.seat}`) });
  const back = lower(token);
  return back === null ? place : `${place} ${say('name.lower', { side: sideInWords(back, say) })}`;
}

function turnsOf(where: Where): number {
  return where.at === 'field' ? where.turns : 0;
}

const TOKEN_KEY = /^t([1-9]\d?)$/;
const SEAT_KEY = /^(front|pile):(first|second)$/;

function name(key: Key, scene: Scene, say: Say): string {
  const token = scene.tokens[Number(TOKEN_KEY.exec(key)?.[1] ?? 0) - 1];
  if (token !== undefined) return describe(token, say);
  const [, what, seat] = SEAT_KEY.exec(key) ?? [];
  if (what !== undefined) {
    const n = (what === 'pile' ? pile : front)(scene, seat as Seat).length;
    return say(what === 'pile' ? 'name.heap' : 'name.front', { who: say(`side.${seat ?? ''}`), n });
  }
  if (scene.cells.has(key)) return say('name.cell', { cell: key });
  if (/^g[A-P]\d/.test(key)) return groupName(key.slice(1), scene, say);
  return say(/^r[0-3]$/.test(key) ? 'name.put' : `name.${key}`);
}

function groupName(cell: Key, scene: Scene, say: Say): string {
  const group = groups(scene.stones).find(({ cells }) => cells[0] === cell);
  if (group === undefined) return cell;
  const values = { colour: say(`colour.${group.colour}`), n: group.cells.length, cell };
  return say('name.group', values);
}

function tellRoll(text: string, say: Say): string {
  if (text === '?') return say('tell.looks');
  const side = sideInWords(text, say);
  return say(isImproved(text) ? 'tell.sees' : 'tell.draws', { side });
}

function tell(deed: Deed, say: Say): string {
  if (deed.by === 'chance') return tellRoll(deed.text, say);
  const found = parts(deed.text);
  if (found === null) return deed.text;
  const who = say(`side.${deed.by}`);
  switch (found.verb) {
    case 'put':
      return say('tell.put', { who, number: found.token, cell: found.cell });
    case 'keep':
      return say(`tell.keep.${found.up}`, { who, number: found.token });
    case 'take':
    case 'pile':
      return say('tell.take', { who, number: found.token });
    case 'level':
      return say('tell.level', { who, cell: found.cell });
    default:
      return say(`tell.${found.verb}`, { who });
  }
}

/** A move in short: where a token went; what was looked at and kept, by its letters. */
function notation(deed: Deed, say: Say): string {
  if (deed.by === 'chance') {
    if (deed.text === '?') return say('list.looks');
    const side = sideInLetters(deed.text, say);
    return say(isImproved(deed.text) ? 'list.sees' : 'list.draws', { side });
  }
  const found = parts(deed.text);
  if (found === null) return deed.text;
  switch (found.verb) {
    case 'put':
      return say('list.put', { number: found.token, cell: found.cell });
    case 'keep':
      return `${say(`list.keep.${found.up}`, { number: found.token })} ${sideInLetters(deed.remark, say)}`.trim();
    case 'take':
    case 'pile':
      return say('list.take', { number: found.token });
    case 'level':
      return say('list.level', { cell: found.cell });
    default:
      return say(`list.${found.verb}`);
  }
}

function touched(deed: Deed): readonly Key[] {
  const found = deed.by === 'chance' ? null : parts(deed.text);
  if (found?.verb === 'put' || found?.verb === 'keep') return [tokenKey(found.token)];
  return found?.verb === 'take' || found?.verb === 'pile' ? [`pile:${deed.by}`] : [];
}

function ask(scene: Scene, picked: readonly Key[], say: Say, lit: ReadonlySet<Key>): string {
  if (lit.has('skip')) return say('hint.skip');
  if (scene.phase !== 'place' && scene.phase !== 'more') return say(`hint.${scene.phase}`);
  if (picked.length > 0) return say(picked.length === 1 ? 'hint.cell' : 'hint.confirm');
  return scene.phase === 'more' ? say('hint.more', { n: scene.bonus }) : say('hint.place');
}

function sentence(words: string): string {
  return words.charAt(0).toLocaleUpperCase() + words.slice(1);
}

/** What the groups that a token would make are worth, in words: those that are settled first. */
export function foretell(would: readonly Group[], say: Say): string {
  const first = largest(would);
  return [
    ...first.map(({ level, colour }) =>
      sentence(say(`would.${String(level)}`, { colour: say(`colour.${colour}`) })),
    ),
    ...(first.length > 1 ? [say('would.equal')] : []),
    ...(would.length > first.length ? [say('would.more')] : []),
  ].join(' ');
}

export const model: Model<Scene> = {
  read: ({ view, options }: Position) => readView(view, options.field),
  path,
  touched,
  slides(deed) {
    const found = parts(deed.text);
    if (found?.verb !== 'put') return [];
    return [{ from: `front:${deed.by}`, to: tokenKey(found.token) }];
  },
  name,
  tell: (deed, _scene, say) => tell(deed, say),
  takes: (deed) => ['take', 'pile', 'keep'].includes(parts(deed.text)?.verb ?? ''),
  notation: (deed, _look, say) => notation(deed, say),
  spellings(move) {
    const found = parts(move);
    if (found?.verb === 'put' && found.turns === 0) return [move.slice(0, -2)];
    return found?.verb === 'level' ? [found.cell] : [];
  },
  ask,
  standing: (scene, say) => ({
    first: say('score', { n: score(scene, 'first') }),
    second: say('score', { n: score(scene, 'second') }),
  }),
  goal: (scene, say) =>
    scene.mover === null && scene.turn > 0 ? say('over') : say('goal', { n: scene.bag }),
};
