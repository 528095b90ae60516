/** The HTTP side of the server, typed. */

import type {
  Addresses,
  Games,
  Join,
  Made,
  MatchInfo,
  NewMatch,
  Preview,
  PreviewOf,
  Problem,
  Puzzle,
  PuzzleAnswer,
  PuzzleMove,
  Replay,
  Seated,
  Snapshot,
  Update,
} from './types';

/** The server refused, or could not be reached (`code` is then `offline`). */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  constructor(
    readonly code: Problem['code'] | 'offline',
    message: string,
  ) {
    super(message);
  }
}

async function ask(path: string, request: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(`/api${path}`, { ...request, credentials: 'omit' });
  } catch {
    throw new Refusal('offline', 'the server can’t be reached');
  }
  if (response.ok) return response;
  const problem = (await response.json().catch(() => null)) as Problem | null;
  throw new Refusal(problem?.code ?? 'offline', problem?.message ?? response.statusText);
}

async function post<Body, Answer>(path: string, body: Body): Promise<Answer> {
  const headers = { 'Content-Type': 'application/json' };
  const response = await ask(path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Answer;
}

function bearer(secret: string | null): RequestInit {
  return secret === null ? {} : { headers: { Authorization: `Bearer ${secret}` } };
}

/** Where other machines of the network find the server; empty unless it runs on this machine. */
export async function addresses(): Promise<readonly string[]> {
  return ((await (await ask('/addresses')).json()) as Addresses).addresses;
}

let known: Promise<Games> | null = null;

/** All games; asked once. */
export function games(): Promise<Games> {
  known ??= ask('/games')
    .then((response) => response.json() as Promise<Games>)
    .catch((error: unknown) => {
      known = null;
      throw error;
    });
  return known;
}

export function create(match: NewMatch): Promise<Made> {
  return post('/matches', match);
}

const TRIES = 5;
const AGAIN_MS = 1_000;

/**
 * Takes a seat with a secret of our own making. If no answer comes it is asked for again, with the
 * same secret: the seat may be ours already.
 */
export async function join(match: string, body: Join & { secret: string }): Promise<Seated> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await post(`/matches/${match}/join`, body);
    } catch (error) {
      const unheard = error instanceof Refusal && error.code === 'offline';
      if (!unheard || tries === TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
    }
  }
}

export async function info(match: string): Promise<MatchInfo> {
  return (await (await ask(`/matches/${match}`)).json()) as MatchInfo;
}

/** How a match stands for the holder of the secret, or for spectators. */
export async function snapshot(match: string, secret: string | null): Promise<Snapshot> {
  return (await (await ask(`/matches/${match}/snapshot`, bearer(secret))).json()) as Snapshot;
}

/** The record: open once the match is over, before that as the holder of the secret may see it. */
export async function record(match: string, secret: string | null): Promise<string> {
  return (await ask(`/matches/${match}/record`, bearer(secret))).text();
}

/**
 * Every update of a match since its first, as a seat or a spectator was told. On a socket of its
 * own, so that live play goes on beside it.
 */
export function history(match: string, secret: string | null): Promise<readonly Update[]> {
  return new Promise((resolve, reject) => {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/live`);
    const updates: Update[] = [];
    socket.onopen = () => {
      socket.send(JSON.stringify({ type: 'watch', match, secret, seen: 0, legal: false }));
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as { type: string };
      if (message.type === 'update') updates.push(message as Update);
      if (message.type === 'watching') {
        resolve(updates);
        socket.close();
      }
      if (message.type === 'refused') socket.close();
    };
    socket.onclose = () => {
      reject(new Refusal('offline', 'the history of the match did not come through'));
    };
  });
}

/** A match that is over, step by step, as a viewer knew it then. */
export async function replay(match: string, viewer: Replay['viewer']): Promise<Replay> {
  return (await (await ask(`/matches/${match}/replay?as=${viewer}`)).json()) as Replay;
}

/** A game before its first move, with some options. */
export function preview(
  game: string,
  options: NonNullable<PreviewOf['options']>,
): Promise<Preview> {
  return post(`/games/${game}/preview`, { options });
}

/** A puzzle by chance: a win in so many moves, of a grade or any. */
export async function drawPuzzle(
  game: string,
  { moves, grade }: { readonly moves: number; readonly grade: number | null },
): Promise<Puzzle> {
  const wanted = `moves=${String(moves)}${grade === null ? '' : `&grade=${String(grade)}`}`;
  return (await (await ask(`/games/${game}/puzzle?${wanted}`)).json()) as Puzzle;
}

/** The puzzle of today. */
export async function dailyPuzzle(game: string): Promise<Puzzle> {
  return (await (await ask(`/games/${game}/puzzle/daily`)).json()) as Puzzle;
}

/** What a move in a puzzle is worth; without a move, what the move is. */
export function answerPuzzle(game: string, answer: PuzzleMove): Promise<PuzzleAnswer> {
  return post(`/games/${game}/puzzle/answer`, answer);
}

/** The rule book of a game, as Markdown in English. */
export async function rules(game: string): Promise<string> {
  return (await ask(`/games/${game}/rules`)).text();
}
