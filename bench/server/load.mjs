// The load: `node load.mjs '{"target": …}'` plays matches against a server and prints what it saw as JSON.
// It runs in a process of its own and reports its own share of a core, to show that it is not the limit.
//
// Both servers get the same work: so many tables at a time, at each of which matches of so many moves are played
// one after another. All matches are made and all players connected before anything is measured.
import { readFileSync } from 'node:fs';
import WebSocket from 'ws';
import { io } from 'socket.io-client';

const plan = { seconds: 5, pace: 0, spectators: 0, rounds: 1, ...JSON.parse(process.argv[2]) };
const scripts = plan.scripts ? JSON.parse(readFileSync(plan.scripts, 'utf8')) : [];
const seen = { moves: 0, latencies: [], errors: 0 };
let measuring = false;
let stopped = false;

const post = async (url, body) => {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
};

/** A move was made at `sent` and the opponent has just seen it. */
const note = (sent) => {
  if (!measuring) return;
  seen.moves += 1;
  seen.latencies.push(performance.now() - sent);
};

/** Go on at once, or a pace after the last move. */
const next = (go) => {
  if (stopped) return;
  if (plan.pace) setTimeout(go, plan.pace * (0.9 + 0.2 * Math.random()));
  else go();
};

// -- Visavis --

const visavis = (base) => {
  const socketUrl = `${base.replace('http', 'ws')}/api/live`;
  const open = (match, secret, hear) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(socketUrl, { perMessageDeflate: false });
      socket.on('error', reject);
      socket.on('open', () =>
        socket.send(JSON.stringify({ type: 'watch', match, secret, legal: false })),
      );
      socket.on('message', (data) => {
        const message = JSON.parse(data);
        if (message.type === 'probe')
          socket.send(JSON.stringify({ type: 'echo', number: message.number }));
        else if (message.type === 'snapshot') resolve(socket);
        else hear(message, socket);
      });
    });
  return {
    async match(number) {
      const body = { game: plan.game, seats: [{ kind: 'me' }, { kind: 'me' }], options: plan.options };
      const made = await post(`${base}/api/matches`, body);
      const script = scripts[number % scripts.length];
      const sockets = {};
      let at = 0;
      let sent, over;
      const play = () => {
        const [seat, text] = script[at];
        sent = performance.now();
        const order = { client: 'load', number: at + 1, command: { type: 'move', text } };
        sockets[seat].send(JSON.stringify({ type: 'do', match: made.match, seat, order }));
      };
      const hear = (seat) => (message) => {
        if (message.type === 'refused') seen.errors += 1;
        // Entry 1 began the match, so that move `at` is entry `at + 2`. What the mover is told of it
        // may come later than what the opponent is told, and counts for nothing.
        if (message.type !== 'update' || message.seq !== at + 2 || script[at][0] === seat) return;
        note(sent); // the opponent has seen it
        at += 1;
        if (at < plan.length) next(play);
        else over();
      };
      for (const seat of ['first', 'second'])
        sockets[seat] = await open(made.match, made.secrets[seat], hear(seat));
      return (then) => {
        over = then;
        next(play);
      };
    },
    async idle() {
      const body = { game: plan.game, seats: [{ kind: 'me' }, { kind: 'me' }], options: plan.options };
      const made = await post(`${base}/api/matches`, body);
      for (let i = 0; i < plan.spectators; i += 1) await open(made.match, undefined, () => {});
    },
  };
};

// -- boardgame.io --

const boardgame = (base) => ({
  async match() {
    const { matchID } = await post(`${base}/games/bench/create`, { numPlayers: 2 });
    const players = [];
    let turn = 0;
    let sent, over;
    for (const playerID of ['0', '1']) {
      const { playerCredentials } = await post(`${base}/games/bench/${matchID}/join`, {
        playerID,
        playerName: playerID,
      });
      const socket = io(`${base}/bench`, { transports: ['websocket'], forceNew: true });
      await new Promise((resolve) => {
        socket.on('sync', resolve);
        socket.on('connect', () => socket.emit('sync', matchID, playerID, playerCredentials, 2));
      });
      players.push({ socket, playerID, credentials: playerCredentials });
    }
    let stateID = 0;
    const play = () => {
      const { socket, playerID, credentials } = players[turn % 2];
      sent = performance.now();
      const action = {
        type: 'MAKE_MOVE',
        payload: { type: 'play', args: [turn % 12], playerID, credentials },
      };
      socket.emit('update', action, stateID, matchID, playerID);
    };
    players.forEach(({ socket }, index) =>
      socket.on('update', (_, state) => {
        if (index === turn % 2 || state._stateID <= stateID) return; // as above
        note(sent);
        stateID = state._stateID;
        turn += 1;
        if (turn < plan.length) next(play);
        else over();
      }),
    );
    return (then) => {
      over = then;
      next(play);
    };
  },
  async idle() {
    await post(`${base}/games/bench/create`, { numPlayers: 2 });
  },
});

const target = { visavis, boardgame }[plan.target](plan.url);
const inTurns = async (count, work) => {
  const results = [];
  for (let i = 0; i < count; i += 20)
    results.push(
      ...(await Promise.all([...Array(Math.min(20, count - i)).keys()].map((j) => work(i + j)))),
    );
  return results;
};

if (plan.idle) {
  await inTurns(plan.idle, () => target.idle());
  console.log(JSON.stringify({ held: plan.idle }));
  process.stdin.resume(); // held until whoever measures ends this process
} else {
  const ready = await inTurns(plan.tables * plan.rounds, (i) => target.match(i));
  const take = () => {
    const start = ready.pop();
    if (start) start(take);
    else seen.errors += 1; // too few were made for what the server can do
  };
  for (let i = 0; i < plan.tables; i += 1)
    setTimeout(take, plan.pace ? Math.random() * plan.pace : 0);
  await new Promise((resolve) => setTimeout(resolve, plan.warm ?? 1000));
  measuring = true;
  const [cpu, began] = [process.cpuUsage(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, plan.seconds * 1000));
  measuring = false;
  stopped = true;
  const seconds = (performance.now() - began) / 1000;
  const used = process.cpuUsage(cpu);
  seen.latencies.sort((a, b) => a - b);
  const at = (share) => seen.latencies[Math.floor(share * (seen.latencies.length - 1))] ?? null;
  console.log(
    JSON.stringify({
      moves_per_second: seen.moves / seconds,
      p50: at(0.5),
      p99: at(0.99),
      errors: seen.errors,
      load_core: (used.user + used.system) / 1e6 / seconds,
    }),
  );
  process.exit(0);
}
