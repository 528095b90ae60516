/** D&E without a drawing: its texts as plain data, and its moves as keys to pick. */

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

export const KINDS = ['K', 'J', 'E', 'D'] as const;

/** A kind by its letter: king, jumper, executioner, defender. */
export type Kind = (typeof KINDS)[number];

export const COSTUMES = ['marks', 'forest', 'sea'] as const;

/** What the pieces of both look like; it is agreed before the game. */
export type Costume = (typeof COSTUMES)[number];

export const EFFECTS = ['pit', 'mire', 'crown', 'spur', 'gate', 'mirror'] as const;

/** What a bad cell does. */
export type Effect = (typeof EFFECTS)[number];

export interface Piece {
  readonly seat: Seat;
  readonly kind: Kind;
  /** Whether a mirror has made it walk the other way. */
  readonly turned: boolean;
  /** How many turns of its owner it still has to sit out. */
  readonly mired: number;
}

/** Two bad cells that do the same. */
export interface Pair {
  readonly cells: readonly [Key, Key];
  /** Null as long as nobody knows. */
  readonly effect: Effect | null;
}

export interface Scene {
  readonly costume: Costume;
  readonly board: ReadonlyMap<Key, Piece>;
  /** 0 while bad cells are drawn. */
  readonly turn: number;
  readonly mover: Seat;
  /** Whether the mover moves again, because of a spur. */
  readonly again: boolean;
  readonly pairs: readonly Pair[];
  /** What each player has taken from the other, by kind; pits count too. */
  readonly taken: Readonly<Record<Seat, readonly Kind[]>>;
  /** Moves until the end, where the game has no clock. */
  readonly left: number | null;
}

/** Cells by their names, rank 8 first; they are keys too. */
export const CELLS: readonly Key[] = [8, 7, 6, 5, 4, 3, 2, 1].flatMap((rank) =>
  [...'abcdefgh'].map((file) => `${file}${String(rank)}`),
);

/** Where half a turn of the board takes a cell. */
export function opposite(cell: Key): Key {
  return CELLS[CELLS.length - 1 - CELLS.indexOf(cell)] ?? cell;
}

/** The pair of bad cells that a cell belongs to, and its number. */
export function pairAt(scene: Scene, cell: Key): { pair: Pair; number: number } | null {
  const number = scene.pairs.findIndex((pair) => pair.cells.includes(cell));
  const pair = scene.pairs[number];
  return pair === undefined ? null : { pair, number: number + 1 };
}

/** What a pair may still turn out to be. */
export function effectsLeft(scene: Scene): readonly Effect[] {
  return EFFECTS.filter((effect) => scene.pairs.every((pair) => pair.effect !== effect));
}

// -- Views -----------------------------------------------------------------------------------------

const VIEW =
  /^([KJEDkjed~1-8/]{1,100}) ([0-9]{1,9})(\+|@[a-h][1-8])? ([0-9]{1,9}) (-|[a-d][3-6]:[a-z?:,a-d3-6]{1,60}) (-|[a-h][1-8]:[12](?:,[a-h][1-8]:[12])*)$/;
const ARMY: Readonly<Record<Kind, number>> = { K: 1, J: 1, E: 6, D: 2 };

/** Reads `b3:x,c5:y`. */
function entries(text: string): readonly (readonly [string, string])[] {
  if (text === '-') return [];
  return text.split(',').map((item) => [item.slice(0, 2), item.slice(3)]);
}

function readBoard(view: string, ranks: string, mired: string): ReadonlyMap<Key, Piece> {
  const stuck = new Map(entries(mired));
  const items = ranks.replaceAll('/', '').match(/[1-8]|[A-Za-z]~?/g) ?? [];
  const board = new Map<Key, Piece>();
  let at = 0;
  for (const item of items) {
    const cell = CELLS[at];
    const letter = item.charAt(0);
    const kind = KINDS.find((known) => known === letter.toUpperCase());
    at += kind === undefined ? Number(letter) : 1;
    if (kind === undefined || cell === undefined) continue;
    board.set(cell, {
      seat: letter === kind ? 'first' : 'second',
      kind,
      turned: item.endsWith('~'),
      mired: Number(stuck.get(cell) ?? 0),
    });
  }
  if (at !== CELLS.length) throw new BadView(view);
  return board;
}

function readPairs(view: string, text: string): readonly Pair[] {
  return entries(text).map(([cell, word]): Pair => {
    const effect = EFFECTS.find((known) => known === word) ?? null;
    if (effect === null && word !== '?') throw new BadView(view);
    return { cells: [cell, opposite(cell)], effect };
  });
}

/**
 * What is missing from an army. A walker that a crown made a jumper is a jumper when it is taken, so
 * that jumpers over number stand for walkers that are not missing.
 */
function missing(board: ReadonlyMap<Key, Piece>, seat: Seat): readonly Kind[] {
  const kinds = [...board.values()].filter((piece) => piece.seat === seat).map(({ kind }) => kind);
  const lost = KINDS.flatMap((kind) => {
    const gone = ARMY[kind] - kinds.filter((one) => one === kind).length;
    return Array.from({ length: Math.max(0, gone) }, () => kind);
  });
  const army = KINDS.reduce((sum, kind) => sum + ARMY[kind], 0);
  return lost.slice(0, army - kinds.length);
}

/** Reads a view, which is the whole position: nothing in this game is hidden from one player. */
export function readView(position: Pick<Position, 'view' | 'options'>): Scene {
  const { view, options } = position;
  const [, ranks, number, mark, plies, pairs, mired] = VIEW.exec(view) ?? [];
  if (ranks === undefined || pairs === undefined || mired === undefined) throw new BadView(view);
  const board = readBoard(view, ranks, mired);
  const turn = Number(number);
  return {
    costume: COSTUMES.find((costume) => costume === options.costume) ?? 'marks',
    board,
    turn,
    mover: turn > 0 && turn % 2 === 0 ? 'second' : 'first',
    again: mark === '+',
    pairs: readPairs(view, pairs),
    taken: { first: missing(board, 'second'), second: missing(board, 'first') },
    left: options.clock === 'off' ? Number(options.ply_limit) - Number(plies) : null,
  };
}

// -- Moves -----------------------------------------------------------------------------------------

/** A move taken apart, with what a bad cell did, as far as it is known. */
export interface Parts {
  readonly from: Key;
  readonly to: Key;
  readonly captures: boolean;
  readonly effect: Effect | null;
  /** Where the piece stands in the end: a gate sends it on. */
  readonly end: Key;
}

const MOVE = /^([a-h][1-8])([-x])([a-h][1-8])$/;
const REMARK = /^([a-z]+)(?: ([a-h][1-8]))?$/;

/** Takes a move apart; null for a roll. */
export function parts(deed: Pick<Deed, 'text' | 'remark'>): Parts | null {
  const [, from, sign, to] = MOVE.exec(deed.text) ?? [];
  if (from === undefined || to === undefined) return null;
  const [, word, gate] = REMARK.exec(deed.remark) ?? [];
  const effect = EFFECTS.find((known) => known === word) ?? null;
  return { from, to, captures: sign === 'x', effect, end: gate ?? to };
}

function tellRoll(deed: Deed, say: Say): string {
  const effect = EFFECTS.find((known) => known === deed.text);
  if (effect !== undefined) return say('tell.drawn', { effect: say(`effect.${effect}`) });
  return say('tell.pair', { one: deed.text, other: opposite(deed.text) });
}

function tell(deed: Deed, scene: Scene, say: Say): string {
  const found = parts(deed);
  if (found === null || deed.by === 'chance') return tellRoll(deed, say);
  const { from, to, captures, effect, end } = found;
  const side = say(`side.${deed.by}`);
  const piece = scene.board.get(end);
  const what = piece?.seat === deed.by ? say(`${scene.costume}.${piece.kind}`) : '';
  const values = { side, piece: what, from, to };
  const moved = say(captures ? 'tell.capture' : 'tell.step', values);
  if (effect === null) return moved;
  const happened = end === to ? `tell.${effect}` : 'tell.gate_to';
  return `${moved} ${say(effect === 'gate' ? happened : `tell.${effect}`, { to: end })}`;
}

/** A move and what became of it: `d2-d3 mirror`, `d2-d3 gate → e6`. */
function notation(deed: Deed, say: Say): string {
  const found = parts(deed);
  if (found === null) {
    const drawn = EFFECTS.find((known) => known === deed.text);
    return drawn === undefined ? deed.text : say(`effect.${drawn}`);
  }
  const { to, effect, end } = found;
  const happened = effect === null ? [] : [say(`effect.${effect}`)];
  return [deed.text, ...happened, ...(end === to ? [] : [`→ ${end}`])].join(' ');
}

function describe(piece: Piece, scene: Scene, say: Say): string {
  const values = {
    side: say(`side.${piece.seat}`),
    piece: say(`${scene.costume}.${piece.kind}`),
    kind: say(`marks.${piece.kind}`),
  };
  const plain = say(scene.costume === 'marks' ? 'name.marks' : 'name.costume', values);
  const turned = piece.turned ? [say('name.turned')] : [];
  const mired = piece.mired > 0 ? [say('name.mired', { n: piece.mired })] : [];
  return [plain, ...turned, ...mired].join(', ');
}

function name(key: Key, scene: Scene, say: Say): string {
  const piece = scene.board.get(key);
  const bad = pairAt(scene, key);
  const what = piece === undefined ? say('name.empty') : describe(piece, scene, say);
  const words = [key, what];
  if (bad !== null) {
    const { effect } = bad.pair;
    words.push(say('name.bad', { effect: say(`effect.${effect ?? 'unknown'}`) }));
  }
  return words.join(', ');
}

function slides(deed: Deed): readonly Slide[] {
  const found = parts(deed);
  return found === null || found.effect === 'pit' ? [] : [{ from: found.from, to: found.end }];
}

/** The way of a piece: to where it went, and on through a gate. */
export function legs(deed: Deed): readonly Slide[] {
  const found = parts(deed);
  if (found === null) return [];
  const { from, to, end } = found;
  return end === to
    ? [{ from, to }]
    : [
        { from, to },
        { from: to, to: end },
      ];
}

export const model: Model<Scene> = {
  read: readView,
  path(move) {
    const found = parts({ text: move, remark: '' });
    return found === null ? [move] : [found.from, found.to];
  },
  touched(deed) {
    const found = parts(deed);
    return found === null ? [] : [...new Set([found.from, found.to, found.end])];
  },
  slides,
  name,
  tell,
  takes: (deed) => parts(deed)?.captures ?? false,
  notation: (deed, _look, say) => notation(deed, say),
  spellings: (move) => [move.replace(/[-x]/, '')],
  holder: (key, scene) => scene.board.get(key)?.seat ?? null,
  ask(scene, picked, say) {
    const again = scene.again ? `${say('note.again')}. ` : '';
    return again + say(picked.length === 0 ? 'ask.piece' : 'ask.cell');
  },
  standing: (scene, say) => ({
    first: say('standing', { n: scene.taken.first.length }),
    second: say('standing', { n: scene.taken.second.length }),
  }),
  goal: (scene, say) =>
    scene.left === null ? say('goal.time') : say('goal.left', { n: scene.left }),
};
