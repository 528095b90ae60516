// boardgame.io as it comes: `node peer.mjs PORT memory|FOLDER`. The game has no rules to speak of:
// a move notes a number and passes the turn, so whatever it costs is the server's own.
import bgio from 'boardgame.io/dist/cjs/server.js';

const { Server, FlatFile, Origins } = bgio;

const game = {
  name: 'bench',
  setup: () => ({ cells: Array(12).fill(null), count: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: ({ G, playerID }, cell) => {
      G.cells[cell] = playerID;
      G.count += 1;
    },
  },
};

const [port, storage] = process.argv.slice(2);
const db = storage === 'memory' ? undefined : new FlatFile({ dir: storage });
const server = Server({ games: [game], origins: [Origins.LOCALHOST], ...(db ? { db } : {}) });
await server.run(Number(port));
