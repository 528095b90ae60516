/**
 * A match as one viewer was told of it: snapshots and updates in, plain data out. Pure, so that
 * what a player sees depends on nothing but what the server said.
 */

import type { Deed, Model, Seat } from '../board/contract';
import type {
  Asked,
  Began,
  ClockFace,
  MatchInfo,
  Player,
  Position,
  Said,
  Snapshot,
  Update,
  Written,
} from './types';

type Notice = Update['notices'][number];

/** How things stood after one update: what replay shows. */
export interface Step {
  readonly seq: number;
  readonly view: string;
  readonly turn: number;
  readonly awaited: readonly Seat[];
  /** What happened in the update; empty at the start. */
  readonly deeds: readonly Deed[];
}

/** A phrase that somebody said. */
export interface Phrase {
  readonly seq: number;
  readonly seat: Seat;
  readonly phrase: Said['phrase'];
}

export interface MatchState {
  readonly match: string;
  readonly seat: Seat | null;
  /** The last update that is in here. */
  readonly seq: number;
  readonly info: MatchInfo;
  readonly position: Position | null;
  /** What is known of how it came to this; from the snapshot on until `withHistory`. */
  readonly steps: readonly Step[];
  readonly phrases: readonly Phrase[];
  readonly rematchAsked: readonly Seat[];
  /** For how long the server was away, in milliseconds, if that was the last thing that happened. */
  readonly away: number | null;
}

/** The other seat. */
export function other(seat: Seat): Seat {
  return seat === 'first' ? 'second' : 'first';
}

/** Begins with a snapshot. What an earlier state knew of the way here is kept if it still fits. */
export function begin(snapshot: Snapshot, before: MatchState | null = null): MatchState {
  const { match, seat, seq, info, position } = snapshot;
  const kept = before?.match === match && before.seat === seat ? before : null;
  const steps = kept !== null && kept.seq === seq ? kept.steps : [];
  return {
    match,
    seat,
    seq,
    info,
    position,
    steps: steps.length > 0 || position === null ? steps : [stepOf(position, seq)],
    phrases: kept?.phrases ?? [],
    rematchAsked: kept?.rematchAsked ?? [],
    away: null,
  };
}

function stepOf(position: Position, seq: number): Step {
  const { view, turn, awaited, moves } = position;
  return { seq, view, turn, awaited, deeds: lastDeeds(moves) };
}

/** The last move, and the rolls behind it. */
function lastDeeds(moves: readonly Written[]): readonly Deed[] {
  const from = moves.findLastIndex((move) => move.seat !== null);
  return moves.slice(Math.max(0, from)).map(deedOf);
}

/** A line of the record as a deed. */
export function deedOf(move: Written): Deed {
  return { by: move.seat ?? 'chance', text: move.text, remark: move.remark ?? '' };
}

/** Goes on with an update. One that is in already changes nothing; a gap gives null. */
export function go(state: MatchState, update: Update): MatchState | null {
  if (update.seq <= state.seq) return state;
  if (update.seq !== state.seq + 1) return null;
  let next: MatchState = { ...state, seq: update.seq, away: null };
  for (const notice of update.notices) next = hear(next, notice, update);
  const { asked = null, no_takeback = null } = update;
  return next.position === null || !changesBoard(update)
    ? next
    : { ...next, position: { ...next.position, asked, no_takeback } };
}

function changesBoard(update: Update): boolean {
  return update.notices.some((notice) => notice.type === 'stands' || notice.type === 'ended');
}

function hear(state: MatchState, notice: Notice, update: Update): MatchState {
  const { info, position } = state;
  switch (notice.type) {
    case 'joined':
      return { ...state, info: { ...info, players: seated(info, notice.seat, notice.player) } };
    case 'began':
      return { ...state, info: { ...info, status: 'running' }, position: fresh(notice) };
    case 'closed':
      return { ...state, info: { ...info, status: 'over' } };
    case 'ended': {
      const { result, winner, reason, scores } = notice;
      const ending = { result, winner, reason, scores };
      return { ...state, info: { ...info, status: 'over', ending } };
    }
    case 'said':
      return {
        ...state,
        phrases: [...state.phrases, { seq: update.seq, seat: notice.seat, phrase: notice.phrase }],
      };
    case 'rematch_asked':
      return { ...state, rematchAsked: [...state.rematchAsked, notice.seat] };
    case 'rematch_made':
      return { ...state, info: { ...info, rematch: notice.match } };
    case 'paused':
      return { ...state, away: notice.away };
    default:
      return position === null ? state : play(state, position, notice, update);
  }
}

type BoardNotice = Exclude<
  Notice,
  { type: 'joined' | 'began' | 'closed' | 'ended' | 'said' | 'rematch_asked' | 'rematch_made' | 'paused' } // prettier-ignore
>;

function play(
  state: MatchState,
  position: Position,
  notice: BoardNotice,
  update: Update,
): MatchState {
  const put = (change: Partial<Position>): MatchState => ({
    ...state,
    position: { ...position, ...change },
  });
  switch (notice.type) {
    case 'moved': {
      const { seat, turn, text, remark, seal } = notice;
      return put({ moves: [...position.moves, { seat, turn, text, remark, seal }] });
    }
    case 'rolled':
      return put({
        moves: [...position.moves, { seat: null, turn: notice.turn, text: notice.text }],
      });
    case 'got_ready':
      return put({ unready: unreadyOf(position).filter((seat) => seat !== notice.seat) });
    case 'draw_offered':
      return put({ draw_offer: notice.seat });
    case 'draw_declined':
      return put({ draw_offer: null });
    case 'takeback_asked':
      return put({ takeback: notice.seat });
    case 'takeback_declined':
      return put({ takeback: null });
    case 'took_back':
      return {
        ...put({ takeback: null, moves: withoutLast(position.moves, notice.decisions) }),
        steps: withoutSteps(state.steps, notice.decisions),
      };
    case 'stands': {
      const { view, turn, awaited, clock } = notice;
      const deeds = deedsOf(update);
      const step: Step = { seq: update.seq, view, turn, awaited, deeds };
      const steps = isNews(state, update) ? [...state.steps, step] : state.steps;
      return {
        ...put({ view, turn, awaited, clock }),
        info: { ...state.info, turn },
        steps,
      };
    }
  }
}

/** How a state is shown: the move that ended a match is seen before the result. */
export function stages(state: MatchState): readonly MatchState[] {
  const { info, position } = state;
  if (info.status !== 'over' || position === null) return [state];
  const open: MatchInfo = { ...info, status: 'running', ending: null };
  return [{ ...state, info: open, position: { ...position, asked: null } }, state];
}

/** The same as it stood, but with the clock of a later state. */
export function withClock(state: MatchState, later: MatchState): MatchState {
  if (state.position === null || later.position === null) return state;
  if (state.position.clock === later.position.clock) return state;
  return { ...state, position: { ...state.position, clock: later.position.clock } };
}

/** Whether an update brought something new to the board, and was not about offers only. */
function isNews(state: MatchState, update: Update): boolean {
  return state.steps.length === 0 || deedsOf(update).length > 0;
}

/** What was done in an update, by players and by chance. */
export function deedsOf(update: Update): readonly Deed[] {
  return update.notices.flatMap((notice): Deed[] => {
    if (notice.type === 'moved') {
      return [{ by: notice.seat, text: notice.text, remark: notice.remark }];
    }
    return notice.type === 'rolled' ? [{ by: 'chance', text: notice.text, remark: '' }] : [];
  });
}

/** Who made a step; null if chance alone did, or nobody. */
function moverOf({ deeds }: Step): Seat | null {
  const deed = deeds.find(({ by }) => by !== 'chance');
  return deed === undefined || deed.by === 'chance' ? null : deed.by;
}

/** The steps that somebody has made in a row, up to one of them; oldest first. */
export function stepsOfTurn(steps: readonly Step[], at: number): readonly Step[] {
  const made = steps.slice(0, at + 1).filter(({ deeds }) => deeds.length > 0);
  const last = made.at(-1);
  const before = made.findLastIndex((step) => last && moverOf(step) !== moverOf(last));
  return made.slice(before + 1);
}

/** What a board shows of a step; null if there is none. */
export function sceneAt<Scene>(state: MatchState, at: number, model: Model<Scene>): Scene | null {
  const step = state.steps[at];
  if (step === undefined) return null;
  return model.read({
    view: step.view,
    viewer: state.seat ?? 'spectator',
    options: state.info.options,
    legal: [],
    suggestions: {},
    last: step.deeds,
  });
}

function withoutLast(moves: readonly Written[], decisions: number): Written[] {
  const kept = [...moves];
  for (let left = decisions; left > 0 && kept.length > 0;) {
    if (kept.pop()?.seat !== null) left -= 1;
  }
  return kept;
}

function withoutSteps(steps: readonly Step[], decisions: number): readonly Step[] {
  const kept = [...steps];
  for (let left = decisions; left > 0 && kept.length > 1;) {
    if (kept.pop()?.deeds.some((deed) => deed.by !== 'chance')) left -= 1;
  }
  return kept;
}

function seated(info: MatchInfo, seat: Seat, player: Player): MatchInfo['players'] {
  const [first, second] = info.players;
  return seat === 'first' ? [player, second] : [first, player];
}

const NO_CLOCK: ClockFace = { spec: 'none', hands: [], game: null };

function fresh({ commitment, unready = [] }: Began): Position {
  return {
    view: '',
    turn: 0,
    awaited: [],
    clock: NO_CLOCK,
    draw_offer: null,
    takeback: null,
    no_takeback: 'nothing',
    commitment,
    moves: [],
    asked: null,
    unready,
  };
}

/** Builds the steps anew from all updates of a match since its first. */
export function withHistory(state: MatchState, updates: readonly Update[]): MatchState {
  let past: MatchState = {
    ...state,
    seq: 0,
    position: null,
    steps: [],
    phrases: [],
    rematchAsked: [],
  };
  for (const update of updates) past = go(past, update) ?? past;
  if (past.seq < state.seq) return state;
  return { ...state, steps: past.steps, phrases: past.phrases };
}

/**
 * The seat whose turn it is on a screen that two share, by what was told last: while only one of
 * them has heard of a move, what the other was asked before is no longer so.
 */
export function turnOf(state: Readonly<Partial<Record<Seat, MatchState>>>): Seat | null {
  const all = [state.first, state.second].filter((one) => one !== undefined);
  const newest = all.filter(({ seq }) => seq === Math.max(...all.map((one) => one.seq)));
  const asked = newest.find((one) => askedOf(one) !== null);
  return asked?.seat ?? newest[0]?.position?.awaited[0] ?? null;
}

/** The seats for whose word that they are ready the clock waits. */
export function unreadyOf(position: Position): readonly Seat[] {
  return position.unready ?? [];
}

/** What the viewer is asked to decide now. */
export function askedOf(state: MatchState): Asked | null {
  return state.info.status === 'running' ? (state.position?.asked ?? null) : null;
}
