/** Osakana Taisen without a drawing: its texts as plain data, and its moves as keys to pick. */

import {
  BadView,
  type Deed,
  type Key,
  type Look,
  type Model,
  type Say,
  type Seat,
} from '../../board/contract';

export const KINDS = ['M', 'I', 'T', 'K', 'B'] as const;

/** A kind by its letter: maguro, inada, tako, karei, buri. */
export type Kind = (typeof KINDS)[number];

export interface Piece {
  readonly seat: Seat;
  readonly kind: Kind;
}

/** A cell by its name, A1 to C4; they are keys too. */
export const CELLS: readonly Key[] = [1, 2, 3, 4].flatMap((row) =>
  ['A', 'B', 'C'].map((column) => `${column}${String(row)}`),
);

/** The kinds that can be in a hand, in the order in which they lie there. */
export const HELD = ['I', 'T', 'K'] as const;

export interface Scene {
  readonly board: ReadonlyMap<Key, Piece>;
  readonly hands: Readonly<Record<Seat, ReadonlyMap<Kind, number>>>;
  readonly mover: Seat;
}

export const KANA: Readonly<Record<Kind, string>> = {
  M: 'ま',
  I: 'い',
  B: 'ぶ',
  T: 'た',
  K: 'か',
};

const KIND_OF_KANA = new Map(KINDS.map((kind) => [KANA[kind], kind]));

/** Where a piece goes, as dots are drawn on it: cells aside and ahead. */
export const STEPS: Readonly<Record<Kind, readonly (readonly [number, number])[]>> = {
  M: [[-1, 1], [0, 1], [1, 1], [-1, 0], [1, 0], [-1, -1], [0, -1], [1, -1]], // prettier-ignore
  I: [[0, 1]],
  B: [[-1, 1], [0, 1], [1, 1], [-1, 0], [1, 0], [0, -1]], // prettier-ignore
  T: [[-1, 1], [1, 1], [-1, -1], [1, -1]], // prettier-ignore
  K: [[0, 1], [-1, 0], [1, 0], [0, -1]], // prettier-ignore
};

/** The player in whose hand a key is. */
function handOf(key: Key): Seat | null {
  return (['first', 'second'] as const).find((seat) => key.startsWith(`${seat}:`)) ?? null;
}

/** The key of the pieces of a kind in a hand. */
export function handKey(seat: Seat, kind: Kind): Key {
  return `${seat}:${kind}`;
}

// -- Views -----------------------------------------------------------------------------------------

const VIEW = /^([1-3MIBTKmibtk/]{7,15}) ([bw]) (-|[MITKmitk]{1,7})(?: .*)?$/;

function pieceOf(letter: string): Piece {
  const upper = letter.toUpperCase();
  return { seat: letter === upper ? 'first' : 'second', kind: upper as Kind };
}

function readBoard(view: string, rows: string): ReadonlyMap<Key, Piece> {
  const letters = rows.replaceAll('/', '').replace(/[1-3]/g, (gap) => ' '.repeat(Number(gap)));
  if (letters.length !== CELLS.length) throw new BadView(view);
  const board = new Map<Key, Piece>();
  CELLS.forEach((cell, i) => {
    const letter = letters[i] ?? ' ';
    if (letter !== ' ') board.set(cell, pieceOf(letter));
  });
  return board;
}

function readHand(hands: string, seat: Seat): ReadonlyMap<Kind, number> {
  const hand = new Map<Kind, number>();
  for (const letter of hands.replace('-', '')) {
    const piece = pieceOf(letter);
    if (piece.seat === seat) hand.set(piece.kind, (hand.get(piece.kind) ?? 0) + 1);
  }
  return hand;
}

/** Reads a view; the earlier positions it carries are for the rules only. */
export function readView(view: string): Scene {
  const [, rows, side, hands] = VIEW.exec(view) ?? [];
  if (rows === undefined || hands === undefined) throw new BadView(view);
  return {
    board: readBoard(view, rows),
    hands: { first: readHand(hands, 'first'), second: readHand(hands, 'second') },
    mover: side === 'b' ? 'first' : 'second',
  };
}

// -- Moves -----------------------------------------------------------------------------------------

/** A move taken apart; a drop comes from nowhere. */
export interface Parts {
  readonly piece: Piece;
  readonly from: Key | null;
  readonly to: Key;
}

const MOVE = /^([まいぶたか])([↑↓])(?:([ABC][1-4])([ABC][1-4])|([ABC][1-4])★)$/;

/** Takes a move in the author's notation apart. */
export function parts(move: string): Parts | null {
  const [, kana = '', arrow, from, to, drop] = MOVE.exec(move) ?? [];
  const kind = KIND_OF_KANA.get(kana);
  const target = to ?? drop;
  if (kind === undefined || target === undefined) return null;
  const seat = arrow === '↑' ? 'first' : 'second';
  return { piece: { seat, kind }, from: from ?? null, to: target };
}

/** The key that a move begins with: a cell, or a piece in the hand. */
function origin({ piece, from }: Parts): Key {
  return from ?? handKey(piece.seat, piece.kind);
}

/** A move in letters: KC4C3, i*A3. */
export function ascii(move: string): string {
  const found = parts(move);
  if (found === null) return move;
  const { piece, from, to } = found;
  const letter = piece.seat === 'first' ? piece.kind : piece.kind.toLowerCase();
  return `${letter}${from ?? '*'}${to}`;
}

function tell(deed: Deed, say: Say, before: Scene | null): string {
  const found = deed.by === 'chance' ? null : parts(deed.text);
  if (found === null) return deed.text;
  const { piece, from, to } = found;
  const values = { side: say(`side.${piece.seat}`), piece: say(`piece.${piece.kind}`), to };
  if (from === null) return say('tell.drop', values);
  const caught = before?.board.get(to);
  const moved = say('tell.step', { ...values, from });
  return caught ? `${moved} ${say('tell.catch', { piece: say(`piece.${caught.kind}`) })}` : moved;
}

/** A move in the list: in words, unless the author's notation is in the reader's own script. */
function notation(deed: Deed, look: Look, say: Say): string {
  const found = parts(deed.text);
  if (look.pieces === 'letters') return ascii(deed.text);
  if (found === null || say('list.style') === 'author') return deed.text;
  const { piece, from, to } = found;
  const values = { piece: say(`piece.${piece.kind}`), to };
  return from === null ? say('list.drop', values) : say('list.step', { ...values, from });
}

function name(key: Key, scene: Scene, say: Say): string {
  const [seat, kind] = key.split(':');
  if (kind !== undefined) {
    const n = scene.hands[seat as Seat].get(kind as Kind) ?? 0;
    return say('name.hand', { side: say(`side.${seat ?? ''}`), piece: say(`piece.${kind}`), n });
  }
  const piece = scene.board.get(key);
  if (piece === undefined) return say('name.empty', { cell: key });
  const values = { side: say(`side.${piece.seat}`), piece: say(`piece.${piece.kind}`) };
  return say('name.piece', { cell: key, ...values });
}

/** How many fish a player has, on the board and in the hand. */
function count(scene: Scene, seat: Seat): number {
  const held = [...scene.hands[seat].values()].reduce((sum, n) => sum + n, 0);
  return held + [...scene.board.values()].filter((piece) => piece.seat === seat).length;
}

export const model: Model<Scene> = {
  read: (position) => readView(position.view),
  path(move) {
    const found = parts(move);
    return found === null ? [move] : [origin(found), found.to];
  },
  touched(deed) {
    const found = parts(deed.text);
    return found === null ? [] : [...(found.from === null ? [] : [found.from]), found.to];
  },
  slides(deed) {
    const found = parts(deed.text);
    return found === null ? [] : [{ from: origin(found), to: found.to }];
  },
  name,
  tell: (deed, _scene, say, before = null) => tell(deed, say, before),
  takes: (deed, before) => before?.board.has(parts(deed.text)?.to ?? '') ?? false,
  notation,
  spellings: (move) => [ascii(move)],
  holder: (key, scene) => scene.board.get(key)?.seat ?? handOf(key),
  ask: (_scene, picked, say) => say(picked.length === 0 ? 'ask.piece' : 'ask.cell'),
  standing: (scene, say) => ({
    first: say('standing', { n: count(scene, 'first') }),
    second: say('standing', { n: count(scene, 'second') }),
  }),
  goal: (_scene, say) => say('goal'),
};
