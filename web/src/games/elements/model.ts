/** Five Elements without a drawing: its texts as plain data, and its moves as keys to pick. */

import {
  BadView,
  type Deed,
  type Key,
  type Model,
  type Say,
  type Seat,
  type Slide,
  type Viewer,
} from '../../board/contract';

export const ELEMENTS = ['F', 'M', 'W', 'E', 'A'] as const;

/** An element by its letter, in the order of the ring: fire, metal, wood, earth, water (aqua). */
export type Element = (typeof ELEMENTS)[number];

export const SEATS: readonly Seat[] = ['first', 'second'];

const LETTER: Readonly<Record<Seat, string>> = { first: 'A', second: 'B' };

/** The cells of a seat's territory in the order of a set-up; they are keys too. */
export const TERRITORY: Readonly<Record<Seat, readonly Key[]>> = {
  first: territory('first'),
  second: territory('second'),
};

function territory(seat: Seat): readonly Key[] {
  return Array.from({ length: 15 }, (_, i) => `${LETTER[seat]}${String(i + 1)}`);
}

/** The base of a seat. */
export function base(seat: Seat): Key {
  return `${LETTER[seat]}0`;
}

/** The seat across the board. */
export function other(seat: Seat): Seat {
  return seat === 'first' ? 'second' : 'first';
}

/** The key of an element in the chooser. */
export function choiceKey(element: Element): Key {
  return `=${element}`;
}

export interface King {
  readonly seat: Seat;
  readonly cell: Key;
  readonly owned: readonly Element[];
}

/** An ordinary piece as the viewer knows it. */
export interface Piece {
  readonly seat: Seat;
  /** Null if it was destroyed. */
  readonly cell: Key | null;
  /** What it is now; null if the viewer can't tell. */
  readonly element: Element | null;
  /** Whether both players know what it is now. */
  readonly open: boolean;
  /** What it was when both last knew. */
  readonly seen: Element | null;
  /** How often it has changed since; 2 stands for more. */
  readonly changes: number;
}

export interface Side {
  readonly king: King;
  readonly pieces: readonly Piece[];
  /** How many pieces started with each element and have not been seen to. */
  readonly unseen: Readonly<Record<Element, number>>;
  /** How many pieces of each element were destroyed. */
  readonly fallen: Readonly<Record<Element, number>>;
}

/** What somebody must choose an element for. */
export type Pending =
  | { readonly kind: 'answer'; readonly from: Key; readonly cell: Key }
  | { readonly kind: 'change'; readonly cell: Key };

export interface Scene {
  readonly viewer: Viewer;
  /** Whose set-up is done; null when both are and play is on. */
  readonly done: Readonly<Record<Seat, boolean>> | null;
  readonly turn: number;
  /** How many more turns without a loss make a draw; null if none do, or in the set-up. */
  readonly calm: number | null;
  readonly mover: Seat;
  readonly pending: Pending | null;
  readonly sides: Readonly<Record<Seat, Side>>;
  /** What stands on each cell that is not empty. */
  readonly board: ReadonlyMap<Key, King | Piece>;
}

export function isKing(piece: King | Piece): piece is King {
  return 'owned' in piece;
}

// -- Views -----------------------------------------------------------------------------------------

const CELL = '(?:[AB](?:[0-9]|1[0-5])|N(?:[1-9]|10))';
const KING = new RegExp(`^(${CELL}):(-|[FMWEA]{1,5})$`);
const PIECE = new RegExp(
  `^(${CELL}|x):([FMWEAfmwea?])(?:\\+\\+?([FMWEA]))?(?:>([FMWEA]))?(?:(\\+\\+?)([fmwea?]))?$`,
);
const PENDING = new RegExp(`^(?:-|([AB]0)=|(${CELL})x(${CELL})(?:=[FMWEA?])?)$`);
const GIVEN = /^(?:-|\?|[FMWEA]{15})$/;
const OF_EACH = 3;

function elementOf(letter: string): Element | null {
  return ELEMENTS.find((element) => element === letter.toUpperCase()) ?? null;
}

function count(elements: readonly (Element | null)[], from = 0, sign = 1): Record<Element, number> {
  const counts = { F: from, M: from, W: from, E: from, A: from };
  for (const element of elements) if (element !== null) counts[element] += sign;
  return counts;
}

function side(king: King, pieces: readonly Piece[], told: readonly (Element | null)[]): Side {
  const fallen = pieces.filter((piece) => piece.cell === null).map((piece) => piece.element);
  return { king, pieces, unseen: count(told, OF_EACH, -1), fallen: count(fallen) };
}

function readPiece(view: string, seat: Seat, text: string): [Piece, Element | null] {
  const [, cell, start = '', first, last, since = '', now] = PIECE.exec(text) ?? [];
  if (cell === undefined) throw new BadView(view);
  const told = start === start.toUpperCase() ? elementOf(start) : null;
  const seen = elementOf(last ?? first ?? '') ?? told;
  const before = seen ?? elementOf(start);
  const piece = {
    seat,
    cell: cell === 'x' ? null : cell,
    element: now === undefined ? before : elementOf(now),
    open: seen !== null && since === '',
    seen,
    changes: since.length,
  };
  return [piece, told];
}

function readSide(view: string, seat: Seat, text: string): Side {
  const [king = '', ...rest] = text.split(',');
  const [, cell, owned = ''] = KING.exec(king) ?? [];
  if (cell === undefined || rest.length !== 15) throw new BadView(view);
  const pieces = rest.map((piece) => readPiece(view, seat, piece));
  return side(
    { seat, cell, owned: ELEMENTS.filter((element) => owned.includes(element)) },
    pieces.map(([piece]) => piece),
    pieces.map(([, told]) => told),
  );
}

/** A side that has just been set up, or will be; letters nobody told the viewer are unknown. */
function newSide(seat: Seat, given: string): Side {
  const pieces = TERRITORY[seat].map((cell, i): Piece => {
    const element = elementOf(given[i] ?? '');
    return { seat, cell, element, open: false, seen: null, changes: 0 };
  });
  return side({ seat, cell: base(seat), owned: ELEMENTS }, pieces, []);
}

function readPending(view: string, text: string): Pending | null {
  const found = PENDING.exec(text);
  if (found === null) throw new BadView(view);
  const [, changing, from, cell] = found;
  if (changing !== undefined) return { kind: 'change', cell: changing };
  return from === undefined || cell === undefined ? null : { kind: 'answer', from, cell };
}

function place(sides: Readonly<Record<Seat, Side>>): ReadonlyMap<Key, King | Piece> {
  const board = new Map<Key, King | Piece>();
  for (const seat of SEATS) {
    for (const piece of [sides[seat].king, ...sides[seat].pieces]) {
      if (piece.cell !== null) board.set(piece.cell, piece);
    }
  }
  return board;
}

/**
 * Reads a view: who looks, then the set-up or the play as that viewer knows it. `limit` is how many
 * turns in a row without a loss make a draw.
 */
export function readView(view: string, limit = 0): Scene {
  const [word = '', ...fields] = view.split(' ');
  const viewer = ([...SEATS, 'spectator'] as const).find((name) => name === word);
  if (viewer === undefined) throw new BadView(view);
  if (fields[0] === 'setup') {
    const [, first = '', second = ''] = fields;
    if (fields.length !== 3 || !GIVEN.test(first) || !GIVEN.test(second)) throw new BadView(view);
    const sides = { first: newSide('first', first), second: newSide('second', second) };
    const done = { first: first !== '-', second: second !== '-' };
    const board = place(sides);
    return { viewer, done, turn: 0, calm: null, mover: 'first', pending: null, sides, board };
  }
  const [number = '', loss = '', waiting = '', first = '', second = ''] = fields;
  const turn = Number(number);
  if (fields.length !== 5 || !/^[0-9]{1,9}$/.test(number)) throw new BadView(view);
  const sides = {
    first: readSide(view, 'first', first),
    second: readSide(view, 'second', second),
  };
  const mover = turn % 2 === 1 ? 'first' : 'second';
  const pending = readPending(view, waiting);
  const calm = limit === 0 ? null : Math.max(0, limit - Math.max(0, turn - 1 - Number(loss)));
  return { viewer, done: null, turn, calm, mover, pending, sides, board: place(sides) };
}

// -- Moves and battles -----------------------------------------------------------------------------

/** A move taken apart. A choice answers for a king or changes a piece, and has no cells. */
export interface Parts {
  readonly from: Key | null;
  readonly to: Key | null;
  readonly attack: boolean;
  /** `?` if the viewer does not know. */
  readonly element: Element | '?' | null;
}

const MOVE = new RegExp(`^(?:(${CELL})([-x])(${CELL}))?(?:=([FMWEA?]))?$`);

/** Takes a move apart; null for a set-up. */
export function parts(move: string): Parts | null {
  const found = move === '' ? null : MOVE.exec(move);
  if (found === null) return null;
  const [, from = null, sign, to = null, letter] = found;
  const element = letter === '?' ? '?' : elementOf(letter ?? '');
  return { from, to, attack: sign === 'x', element };
}

export type Result = 'beats' | 'falls to' | 'falls with' | 'draws with';

/** A battle that was fought, as the remark on its last move tells it. */
export interface Battle {
  readonly by: Seat;
  readonly attacker: Element;
  readonly result: Result;
  readonly defender: Element;
}

const REMARK = /^([FMWEA]) (beats|falls to|falls with|draws with) ([FMWEA])$/;

/** Returns the battle that a deed ended. Who answers is attacked, who moves attacks. */
export function battle(deed: Deed): Battle | null {
  const [, attacker, result, defender] = REMARK.exec(deed.remark) ?? [];
  const [mine, yours] = [elementOf(attacker ?? ''), elementOf(defender ?? '')];
  if (mine === null || yours === null || deed.by === 'chance') return null;
  const by = deed.text.startsWith('=') ? other(deed.by) : deed.by;
  return { by, attacker: mine, result: result as Result, defender: yours };
}

// -- Words -----------------------------------------------------------------------------------------

/** What a defender is called: languages have cases for whom one beats, yields to, or meets. */
const CASES: Readonly<Record<Result, string>> = {
  beats: 'beaten',
  'falls to': 'victor',
  'falls with': 'equal',
  'draws with': 'equal',
};

/** A battle in words: metal beats wood. */
export function tellBattle(fought: Battle, say: Say): string {
  return say(`battle.${fought.result.replace(' ', '_')}`, {
    attacker: say(`element.${fought.attacker}`),
    defender: say(`${CASES[fought.result]}.${fought.defender}`),
  });
}

function sentence(words: string, say: Say): string {
  return say('sentence', { words: `${words.charAt(0).toLocaleUpperCase()}${words.slice(1)}` });
}

/** A move and how its battle went. A set-up stays between its owner and the board. */
function notation(deed: Deed, say: Say): string {
  const found = parts(deed.text);
  if (found === null) return '✓';
  const { from, to, element } = found;
  const fought = battle(deed);
  const named = element === null || element === '?' ? '?' : say(`element.${element}`);
  if (from === null || to === null) {
    return fought === null ? say('list.change', { element: named }) : tellBattle(fought, say);
  }
  const went = `${from}${found.attack ? '×' : '-'}${to}`;
  if (fought !== null) return `${went} · ${tellBattle(fought, say)}`;
  return element === null ? went : `${went} · ${named}`;
}

function tell(deed: Deed, scene: Scene, say: Say): string {
  if (deed.by === 'chance') return deed.text;
  const side = say(`side.${deed.by}`);
  const found = parts(deed.text);
  if (found === null) return say('tell.setup', { side });
  const { from, to, element } = found;
  const fought = battle(deed);
  const how = fought === null ? '' : ` ${sentence(tellBattle(fought, say), say)}`;
  if (from === null || to === null) {
    if (fought === null) return say('tell.change', { side });
    return `${say('tell.answer', { side, element: say(`element.${String(element)}`) })}${how}`;
  }
  const key = found.attack ? (element === null ? 'tell.attack' : 'tell.king') : 'tell.step';
  return `${say(key, { side, from, to })}${how}`;
}

/** What is known of a piece, in words. */
function describe(piece: Piece, scene: Scene, say: Say): string {
  const side = say(`side.${piece.seat}`);
  if (piece.element !== null) {
    const element = say(`element.${piece.element}`);
    const key = piece.open ? 'name.open' : 'name.own';
    return say(key, { element, side });
  }
  if (piece.changes === 1 && piece.seen !== null) {
    return say('name.changed', { side, element: say(`element.${piece.seen}`) });
  }
  return say(piece.changes > 0 ? 'name.changed_unseen' : 'name.hidden', { side });
}

function name(key: Key, scene: Scene, say: Say): string {
  // What is seen is part of what is said, for those who choose by voice.
  if (key.startsWith('='))
    return `${say(`letter.${key.slice(1)}`)}, ${say(`element.${key.slice(1)}`)}`;
  const piece = scene.board.get(key);
  if (piece === undefined) return say('name.empty', { cell: key });
  if (!isKing(piece)) return say('name.cell', { cell: key, piece: describe(piece, scene, say) });
  const owned = piece.owned.map((element) => say(`element.${element}`)).join(', ');
  const king = say('name.king', { side: say(`side.${piece.seat}`), owned: owned || '–' });
  return say('name.cell', { cell: key, piece: king });
}

// -- The model -------------------------------------------------------------------------------------

function cells(deed: Deed): readonly Key[] {
  const found = parts(deed.text);
  return [found?.from, found?.to].filter((cell) => typeof cell === 'string');
}

/** A winner goes to the cell it won. Kings stay when they are beaten, but then there is an answer. */
function slides(deed: Deed): readonly Slide[] {
  const found = parts(deed.text);
  const { from = null, to = null } = found ?? {};
  if (found === null || from === null || to === null) return [];
  return !found.attack || battle(deed)?.result === 'beats' ? [{ from, to }] : [];
}

/** What an element is chosen for: a king's attack or answer, or a change on a base. */
export function purpose(scene: Scene): 'attack' | 'answer' | 'change' {
  return scene.pending?.kind ?? 'attack';
}

function ask(scene: Scene, picked: readonly Key[], say: Say): string {
  if (scene.done !== null) return say('setup.hint');
  if (scene.pending !== null || picked.length > 1) return say(`ask.${purpose(scene)}`);
  return say(picked.length === 0 ? 'ask.piece' : 'ask.cell');
}

function standing(scene: Scene, seat: Seat, say: Say): string {
  const { king, pieces } = scene.sides[seat];
  const left = pieces.filter((piece) => piece.cell !== null).length;
  return say('standing', { king: king.owned.length, n: left });
}

function goal(scene: Scene, say: Say): string {
  const quiet = scene.calm === null ? [] : [say('goal.quiet', { n: scene.calm })];
  return [say('goal'), ...quiet].join(' ');
}

export const model: Model<Scene> = {
  read: ({ view, options }) => readView(view, Number(options.quiet_limit ?? 0)),
  path(move) {
    const found = parts(move);
    if (found === null) return [move];
    const { from, to, element } = found;
    const choice = element === null || element === '?' ? [] : [choiceKey(element)];
    return [...(from === null ? [] : [from]), ...(to === null ? [] : [to]), ...choice];
  },
  touched: cells,
  slides,
  name,
  tell,
  takes: (deed) => /^(beats|falls)/.test(battle(deed)?.result ?? ''),
  notation: (deed, _look, say) => notation(deed, say),
  spellings: (move) => [move.replace(/[-x=]/g, '')],
  ask,
  standing: (scene, say) => ({
    first: standing(scene, 'first', say),
    second: standing(scene, 'second', say),
  }),
  goal,
};
