/* Generated from the server's messages by tools/types.js; do not edit. */

export type ClientMessage = Watch | Unwatch | Do | WatchLobby | UnwatchLobby | Ping | Echo;
export type ServerMessage =
  Snapshot | Update | Watching | Done | Refused | Pong | Probe | Lobby | Spectators | Presence;

/**
 * Break off a match that has hardly begun. None is the server, when a player stays away.
 */
export interface Abort {
  type: 'abort';
}
/**
 * A seat accepts the draw that the other has offered.
 */
export interface AcceptDraw {
  type: 'accept_draw';
}
/**
 * A seat lets the other take back.
 */
export interface AcceptTakeback {
  type: 'accept_takeback';
}
/**
 * Where other machines of the network find the server, as `http://host:port`.
 */
export interface Addresses {
  addresses: string[];
}
/**
 * What the engine found, best first.
 */
export interface Analysed {
  lines: AnalysisLine[];
  depth: number;
  nodes: number;
}
/**
 * A line of play, the score from 0 to 1 it promises the seat, and plies to a forced end.
 */
export interface AnalysisLine {
  moves: string[];
  score: number;
  mate: number | null;
}
/**
 * A question to the engine: what should the seat do that sees this view?
 * `match` is the match that the view is of, if it is of one. About matches that people play
 * nothing is said while they run.
 */
export interface Analysis {
  game: string;
  view: string;
  seat: 'first' | 'second';
  options?: {
    [k: string]: string | number;
  };
  match?: string | null;
  millis?: number;
  lines?: number;
}
/**
 * A seat asks to go back to before its last decision.
 */
export interface AskTakeback {
  type: 'ask_takeback';
}
/**
 * What the viewer is asked to decide: a hint in words, the legal moves, ready-made ones.
 * `legal` is null if there are more than can be listed; `count` says how many.
 */
export interface Asked {
  prompt: string;
  legal: string[] | null;
  count: number;
  suggestions: {
    [k: string]: string;
  };
}
/**
 * The match began. `commitment` is the digest of the seed of all rolls to come.
 * `unready` are the seats that have yet to say that they are ready, where the clock waits.
 */
export interface Began {
  type: 'began';
  commitment: string;
  unready?: ('first' | 'second')[];
}
/**
 * In a bot's stream of events: a match in which the bot has a seat and which is not over.
 */
export interface BotMatch {
  type: 'match';
  match: string;
  seat: 'first' | 'second';
  game: string;
  options: {
    [k: string]: string;
  };
}
/**
 * A bot's token, shown once.
 */
export interface BotToken {
  name: string;
  token: string;
}
/**
 * A seat claims the win, or a draw, against a player who has left a live match.
 * The server knows who has left and for how long, and passes this on only when it is time.
 */
export interface Claim {
  type: 'claim';
  draw?: boolean;
}
/**
 * Follow a match: with a seat's secret as that seat, without as a spectator.
 * Answered by a `Snapshot`, or, if `seen` says how far the client has got, by every `Update`
 * since (0: from the start on) and then `Watching`. `legal` asks for the legal moves with each.
 */
export interface Watch {
  type: 'watch';
  match: string;
  secret?: string | null;
  seen?: number | null;
  legal?: boolean;
}
/**
 * Stop following.
 */
export interface Unwatch {
  type: 'unwatch';
  match: string;
  seat?: ('first' | 'second') | null;
}
/**
 * Carry out a command in a match that this socket watches as that seat.
 * Answered by an `Update` whose `done` has the order's client and number, by `Done` if it had
 * been carried out before, or by `Refused`.
 */
export interface Do {
  type: 'do';
  match: string;
  seat: 'first' | 'second';
  order: Order;
}
/**
 * A command with what makes it safe to send again.
 * `client` is any random id the client has made up for itself, `number` counts its commands
 * upwards. `seen` is the last sequence number the client has seen of the match: a move meant for
 * a position that has changed since is answered with the current one, not carried out.
 */
export interface Order {
  client: string;
  number: number;
  command:
    | Ready
    | Move
    | Resign
    | OfferDraw
    | AcceptDraw
    | DeclineDraw
    | AskTakeback
    | AcceptTakeback
    | DeclineTakeback
    | Claim
    | Abort
    | Say
    | Rematch;
  seen?: number | null;
}
/**
 * A seat is ready for a clock that waits for both. Its first move says so too.
 */
export interface Ready {
  type: 'ready';
}
/**
 * A seat decides; the text may be in any spelling that the game reads.
 */
export interface Move {
  type: 'move';
  text: string;
}
/**
 * A seat gives up; the other wins.
 */
export interface Resign {
  type: 'resign';
}
/**
 * A seat offers a draw. If the other has offered one too, they agree.
 */
export interface OfferDraw {
  type: 'offer_draw';
}
/**
 * A seat declines the draw that the other has offered. Moving on declines it too.
 */
export interface DeclineDraw {
  type: 'decline_draw';
}
/**
 * A seat does not let the other take back. Any move declines it too.
 */
export interface DeclineTakeback {
  type: 'decline_takeback';
}
/**
 * Say one of the quick phrases.
 */
export interface Say {
  type: 'say';
  phrase:
    | 'back_again'
    | 'good_game'
    | 'good_luck'
    | 'goodbye'
    | 'hello'
    | 'interesting'
    | 'one_moment'
    | 'oops'
    | 'sorry'
    | 'thanks'
    | 'well_played';
}
/**
 * Ask for another match with sides swapped; when both have asked, it is there.
 */
export interface Rematch {
  type: 'rematch';
}
/**
 * Follow the lobby: a `Lobby` now, and again whenever it changes.
 */
export interface WatchLobby {
  type: 'watch_lobby';
}
/**
 * Stop following the lobby.
 */
export interface UnwatchLobby {
  type: 'unwatch_lobby';
}
/**
 * Ask for a `Pong`: what the client's clock shows may go along.
 */
export interface Ping {
  type: 'ping';
  sent?: number;
}
/**
 * The answer to a `Probe`, at once: its number. The server measures the line by it.
 */
export interface Echo {
  type: 'echo';
  number: number;
}
/**
 * A clock as it is shown: what was agreed, the seats' hands (empty: none), the shared one.
 */
export interface ClockFace {
  spec: string;
  hands: HandFace[];
  game: HandFace | null;
}
/**
 * One hand of a clock as it is shown: what was left at `since`; null if it stands still.
 */
export interface HandFace {
  left: number;
  since: number | null;
}
/**
 * The challenge was withdrawn, or nobody has taken it.
 */
export interface Closed {
  type: 'closed';
}
/**
 * The order had been carried out already, as `seq`.
 */
export interface Done {
  type: 'done';
  match: string;
  seat: 'first' | 'second';
  client: string;
  number: number;
  seq: number;
}
/**
 * Which order an update carries out; told to the seat that gave it, and to nobody else.
 */
export interface DoneBy {
  client: string;
  number: number;
}
/**
 * A seat declined a draw, in words or by moving on.
 */
export interface DrawDeclined {
  type: 'draw_declined';
  seat: 'first' | 'second';
}
/**
 * A seat offered a draw.
 */
export interface DrawOffered {
  type: 'draw_offered';
  seat: 'first' | 'second';
}
/**
 * The match ended. Everything is open now: the seed, and the position.
 */
export interface Ended {
  type: 'ended';
  result: string;
  winner: ('first' | 'second') | null;
  reason: string;
  scores: [number, number] | null;
  seed: string;
  position: string;
}
/**
 * How a match ended; `*` and `aborted` for one that does not count.
 */
export interface Ending {
  result: string;
  winner: ('first' | 'second') | null;
  reason: string;
  scores: [number, number] | null;
}
/**
 * A game: what the page needs to offer it.
 */
export interface GameInfo {
  slug: string;
  title: string;
  summary: string;
  /**
   * @minItems 2
   * @maxItems 2
   */
  seat_names: [string, string];
  hidden: boolean;
  clock: string | null;
  untimed: {
    [k: string]: string;
  };
  options: OptionInfo[];
  computers: string[];
  puzzles: boolean;
  solvable: boolean;
}
/**
 * An option of a game: a number in a range (or among some), one of a few words, or a text.
 */
export interface OptionInfo {
  name: string;
  help: string;
  domain: string;
  kind: 'choice' | 'number' | 'text';
  default: number | string;
  low?: number | null;
  high?: number | null;
  among?: (number | string)[];
}
/**
 * All games, and the quick phrases.
 */
export interface Games {
  games: GameInfo[];
  phrases: (
    | 'back_again'
    | 'good_game'
    | 'good_luck'
    | 'goodbye'
    | 'hello'
    | 'interesting'
    | 'one_moment'
    | 'oops'
    | 'sorry'
    | 'thanks'
    | 'well_played'
  )[];
}
/**
 * A seat is ready. When both are, the clock starts.
 */
export interface GotReady {
  type: 'got_ready';
  seat: 'first' | 'second';
}
/**
 * Whether the server is well.
 */
export interface Health {
  status: 'no_database' | 'ok' | 'starting' | 'stopping';
}
/**
 * Take a free seat: an invited one with its invitation, an open one without.
 * `secret` is to be the seat's: random and made up by the client, which then may ask again if
 * no answer came, and is seated once. Without it the server makes one up.
 */
export interface Join {
  invitation?: string | null;
  name?: string;
  secret?: string | null;
}
/**
 * A seat was taken.
 */
export interface Joined {
  type: 'joined';
  seat: 'first' | 'second';
  player: Player;
}
/**
 * Who sits there: `person`, `computer` (`player` says which) or `bot`.
 */
export interface Player {
  kind: 'bot' | 'computer' | 'person';
  name: string;
  player?: string;
}
/**
 * Open challenges, public matches that run, and those that ended last; newest first.
 * If there are more than can be shown, everybody's newest goes before anybody's second. What a
 * long option says is cut; `MatchInfo` has all of it.
 */
export interface Lobby {
  type: 'lobby';
  open: MatchInfo[];
  running: MatchInfo[];
  over: MatchInfo[];
}
/**
 * What everybody may know about a match before looking at its board.
 */
export interface MatchInfo {
  match: string;
  game: string;
  options: {
    [k: string]: string;
  };
  clock: string;
  private: boolean;
  created: number;
  status: 'open' | 'over' | 'running';
  /**
   * @minItems 2
   * @maxItems 2
   */
  players: [Player | null, Player | null];
  turn: number;
  ending: Ending | null;
  rematch: string | null;
  previous: string | null;
}
/**
 * A page of all that is open, running or over, newest first; `next` says where it goes on.
 */
export interface LobbyPage {
  matches: MatchInfo[];
  next: string | null;
}
/**
 * A match that was created: the creator's own secrets, and the invitations, by seat.
 * A secret stays with the browser. An invitation is good for one joining; put it in the fragment
 * of a link, which browsers send to nobody.
 */
export interface Made {
  match: string;
  secrets: {
    [k: string]: string;
  };
  invitations: {
    [k: string]: string;
  };
}
/**
 * A seat decided. `text` is what the viewer sees; `seal` is there if that is not all.
 */
export interface Moved {
  type: 'moved';
  seat: 'first' | 'second';
  turn: number;
  text: string;
  remark: string;
  seal: string | null;
}
/**
 * A bot to be registered.
 */
export interface NewBot {
  name: string;
}
/**
 * A match to be created. `start` is the text of a position to begin from.
 */
export interface NewMatch {
  game: string;
  options?: {
    [k: string]: string | number;
  };
  clock?: string | null;
  /**
   * @minItems 2
   * @maxItems 2
   */
  seats: [SeatSpec, SeatSpec];
  name?: string;
  private?: boolean;
  start?: string | null;
}
/**
 * Who is to sit there.
 * `me`: who creates the match (both seats: one screen). `invited`: whoever has the invitation.
 * `open`: whoever takes the challenge in the lobby first. `computer`: `player` is a level or
 * the name of an engine. `bot`: `player` is the name of a bot.
 */
export interface SeatSpec {
  kind: 'bot' | 'computer' | 'invited' | 'me' | 'open';
  player?: string;
}
/**
 * The server was away for so many milliseconds, which are charged to nobody.
 */
export interface Paused {
  type: 'paused';
  away: number;
}
/**
 * The answer to a ping: what it carried, and the server's time.
 */
export interface Pong {
  type: 'pong';
  sent: number;
  now: number;
}
/**
 * How a match that has begun stands for a viewer. `unready` is as in `Began`.
 * `no_takeback` says why the viewer's seat can't ask to take back; null if it can, and for
 * spectators.
 */
export interface Position {
  view: string;
  turn: number;
  awaited: ('first' | 'second')[];
  clock: ClockFace;
  draw_offer: ('first' | 'second') | null;
  takeback: ('first' | 'second') | null;
  no_takeback: ('nothing' | 'roll' | 'sealed' | 'shown') | null;
  commitment: string;
  moves: Written[];
  asked: Asked | null;
  unready?: ('first' | 'second')[];
}
/**
 * A move or a roll (`seat` null) of the record, as the viewer sees it.
 */
export interface Written {
  turn: number;
  seat: ('first' | 'second') | null;
  text: string;
  remark?: string;
  seal?: string | null;
  left?: number | null;
}
/**
 * Since when each player is away from a running match; null for who is there.
 * Told to who begins to follow the match, and when it has changed. `claim` says after how many
 * milliseconds the other may claim the match; null where nobody may.
 */
export interface Presence {
  type: 'presence';
  match: string;
  first: number | null;
  second: number | null;
  claim: number | null;
}
/**
 * A game before its first move, as spectators would see it.
 * `options` are all of them in their canonical form: a match that is created with them begins
 * as shown, also where they were drawn from a seed.
 */
export interface Preview {
  options: {
    [k: string]: string;
  };
  view: string;
  clock: string | null;
}
/**
 * What a game would look like with these options.
 */
export interface PreviewOf {
  options?: {
    [k: string]: string | number;
  };
}
/**
 * Asks for an `Echo`.
 */
export interface Probe {
  type: 'probe';
  number: number;
}
/**
 * The body of every HTTP answer that is an error.
 */
export interface Problem {
  code:
    | 'already_offered'
    | 'already_ready'
    | 'bad_clock'
    | 'bad_content_type'
    | 'bad_host'
    | 'bad_message'
    | 'bad_option'
    | 'bad_origin'
    | 'bad_position'
    | 'bad_record'
    | 'bad_seats'
    | 'busy'
    | 'claim_refused'
    | 'enough_said'
    | 'failed'
    | 'illegal_move'
    | 'match_full'
    | 'match_over'
    | 'name_taken'
    | 'no_offer'
    | 'no_puzzle'
    | 'not_a_move'
    | 'not_a_player'
    | 'not_allowed'
    | 'not_begun'
    | 'not_found'
    | 'not_over'
    | 'not_ready'
    | 'not_watching'
    | 'not_your_turn'
    | 'old_number'
    | 'private'
    | 'running_match'
    | 'seat_taken'
    | 'stale'
    | 'takeback_refused'
    | 'too_big'
    | 'too_late'
    | 'too_many'
    | 'unknown_bot'
    | 'unknown_game'
    | 'unknown_match'
    | 'wrong_secret';
  message: string;
}
/**
 * A position in which one move only wins. The solution stays with the server.
 */
export interface Puzzle {
  game: string;
  options: {
    [k: string]: string;
  };
  number: number;
  date: string | null;
  view: string;
  seat: 'first' | 'second';
  moves: number;
  grade: number;
  grades: number;
  legal: string[];
}
/**
 * What a move in a puzzle is worth, and how the puzzle goes on.
 * `right` keeps the win in time: `reply` is the longest resistance, and `view`, `legal`
 * and `moves` are the puzzle after it. `solved` ends it. `wrong` does not win, or not in
 * time: nothing changes. `shown` is the move to find.
 */
export interface PuzzleAnswer {
  verdict: 'right' | 'shown' | 'solved' | 'wrong';
  move: string;
  result: 'draw' | 'loss' | 'win';
  plies: number | null;
  reply: string | null;
  view: string;
  moves: number;
  legal: string[];
}
/**
 * A move in a puzzle, with `moves` left to win in; `move` null asks to be shown.
 */
export interface PuzzleMove {
  view: string;
  moves: number;
  move?: string | null;
}
/**
 * A message was not carried out. After `stale` a `Snapshot` follows.
 * `wait` is there if asking again is worth it: after so many seconds.
 */
export interface Refused {
  type: 'refused';
  code:
    | 'already_offered'
    | 'already_ready'
    | 'bad_clock'
    | 'bad_content_type'
    | 'bad_host'
    | 'bad_message'
    | 'bad_option'
    | 'bad_origin'
    | 'bad_position'
    | 'bad_record'
    | 'bad_seats'
    | 'busy'
    | 'claim_refused'
    | 'enough_said'
    | 'failed'
    | 'illegal_move'
    | 'match_full'
    | 'match_over'
    | 'name_taken'
    | 'no_offer'
    | 'no_puzzle'
    | 'not_a_move'
    | 'not_a_player'
    | 'not_allowed'
    | 'not_begun'
    | 'not_found'
    | 'not_over'
    | 'not_ready'
    | 'not_watching'
    | 'not_your_turn'
    | 'old_number'
    | 'private'
    | 'running_match'
    | 'seat_taken'
    | 'stale'
    | 'takeback_refused'
    | 'too_big'
    | 'too_late'
    | 'too_many'
    | 'unknown_bot'
    | 'unknown_game'
    | 'unknown_match'
    | 'wrong_secret';
  message: string;
  wait?: number | null;
  match?: string | null;
  seat?: ('first' | 'second') | null;
  client?: string | null;
  number?: number | null;
}
/**
 * A seat asked for another match.
 */
export interface RematchAsked {
  type: 'rematch_asked';
  seat: 'first' | 'second';
}
/**
 * The rematch is there. The secret of a seat here opens the other seat there.
 */
export interface RematchMade {
  type: 'rematch_made';
  match: string;
}
/**
 * A finished match, step by step, as somebody knew it then.
 * `start` is the view before the first step. There is none before the match is over.
 */
export interface Replay {
  match: string;
  viewer: 'first' | 'open' | 'second' | 'spectator';
  info: MatchInfo;
  start: string;
  steps: ReplayStep[];
}
/**
 * A move or a roll as the viewer saw it, and what the viewer knew after it.
 */
export interface ReplayStep {
  move: Written;
  view: string;
}
/**
 * Chance showed a face, as the viewer sees it.
 */
export interface Rolled {
  type: 'rolled';
  turn: number;
  text: string;
}
/**
 * A seat said a phrase.
 */
export interface Said {
  type: 'said';
  seat: 'first' | 'second';
  phrase:
    | 'back_again'
    | 'good_game'
    | 'good_luck'
    | 'goodbye'
    | 'hello'
    | 'interesting'
    | 'one_moment'
    | 'oops'
    | 'sorry'
    | 'thanks'
    | 'well_played';
}
/**
 * A seat was taken; its secret. Bots have none: their token is enough.
 */
export interface Seated {
  match: string;
  seat: 'first' | 'second';
  secret: string | null;
}
/**
 * All that a viewer may know of a match; `position` is null until both seats are taken.
 * `spectators` is how many watch without a seat; `Spectators` tells when it changes.
 */
export interface Snapshot {
  type: 'snapshot';
  match: string;
  seat: ('first' | 'second') | null;
  seq: number;
  now: number;
  info: MatchInfo;
  spectators: number;
  position: Position | null;
}
/**
 * What one entry of a match's log brought about, as the viewer may know it.
 * `seq` counts from 1 without gaps. `no_takeback` says why the viewer's seat can't ask to take
 * back now; null if it can, and for spectators.
 */
export interface Update {
  type: 'update';
  match: string;
  seat: ('first' | 'second') | null;
  seq: number;
  at: number;
  notices: (
    | Began
    | GotReady
    | Moved
    | Rolled
    | DrawOffered
    | DrawDeclined
    | TakebackAsked
    | TakebackDeclined
    | TookBack
    | Stands
    | Ended
    | Joined
    | Said
    | RematchAsked
    | RematchMade
    | Paused
    | Closed
  )[];
  asked?: Asked | null;
  no_takeback?: ('nothing' | 'roll' | 'sealed' | 'shown') | null;
  done?: DoneBy | null;
}
/**
 * A seat asked to take back.
 */
export interface TakebackAsked {
  type: 'takeback_asked';
  seat: 'first' | 'second';
}
/**
 * A request to take back lapsed: the seat declined it, or somebody moved on.
 */
export interface TakebackDeclined {
  type: 'takeback_declined';
  seat: 'first' | 'second';
}
/**
 * One or more decisions were taken back, at a seat's request.
 */
export interface TookBack {
  type: 'took_back';
  seat: 'first' | 'second';
  decisions: number;
}
/**
 * How things stand now, after everything else that one command brought about.
 */
export interface Stands {
  type: 'stands';
  view: string;
  turn: number;
  awaited: ('first' | 'second')[];
  clock: ClockFace;
}
/**
 * The client has everything up to `seq` and will be told what comes.
 */
export interface Watching {
  type: 'watching';
  match: string;
  seat: ('first' | 'second') | null;
  seq: number;
  now: number;
}
/**
 * How many watch a match without a seat, when that has changed.
 */
export interface Spectators {
  type: 'spectators';
  match: string;
  count: number;
}
