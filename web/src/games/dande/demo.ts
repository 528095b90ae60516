import type { DemoStep, Seat } from '../../board/contract';

/** Captures, and bad cells that turn out to be what they are. */
const GAME: readonly (readonly [Seat, string, string, string])[] = [
  ['first', 'e2-e3', '', '3jk3/eeeddeee/8/8/8/4D3/EEED1EEE/3KJ3 2 1 c3:?,c6:? -'],
  ['second', 'f7-f6', 'gate c3', '3jk3/eeedd1ee/8/8/8/2e1D3/EEED1EEE/3KJ3 3 2 c3:gate,c6:? -'],
  ['first', 'g2-g3', '', '3jk3/eeedd1ee/8/8/8/2e1D1E1/EEED1E1E/3KJ3 4 3 c3:gate,c6:? -'],
  ['second', 'd7-d6', '', '3jk3/eee1d1ee/3d4/8/8/2e1D1E1/EEED1E1E/3KJ3 5 4 c3:gate,c6:? -'],
  ['first', 'b2xc3', 'gate f6', '3jk3/eee1d1ee/3d1E2/8/8/4D1E1/E1ED1E1E/3KJ3 6 5 c3:gate,c6:? -'],
  ['second', 'e7xf6', 'gate c3', '3jk3/eee3ee/3d4/8/8/2d1D1E1/E1ED1E1E/3KJ3 7 6 c3:gate,c6:? -'],
  ['first', 'd2xc3', 'gate f6', '3jk3/eee3ee/3d1D2/8/8/4D1E1/E1E2E1E/3KJ3 8 7 c3:gate,c6:? -'],
  ['second', 'e8xe3', '', '3j4/eee3ee/3d1D2/8/8/4k1E1/E1E2E1E/3KJ3 9 8 c3:gate,c6:? -'],
  ['first', 'f2-f3', 'mirror', '3j4/eee3ee/3d1D2/8/8/4kE~E1/E1E4E/3KJ3 10 9 c3:gate,c6:mirror -'],
  ['second', 'e3-e6', '', '3j4/eee3ee/3dkD2/8/8/5E~E1/E1E4E/3KJ3 11 10 c3:gate,c6:mirror -'],
  ['first', 'f6xg7', '', '3j4/eee3De/3dk3/8/8/5E~E1/E1E4E/3KJ3 12 11 c3:gate,c6:mirror -'],
  ['second', 'e6xa2', '', '3j4/eee3De/3d4/8/8/5E~E1/k1E4E/3KJ3 13 12 c3:gate,c6:mirror -'],
  ['first', 'd1xd6', '', '3j4/eee3De/3K4/8/8/5E~E1/k1E4E/4J3 14 13 c3:gate,c6:mirror -'],
  ['second', 'a2xc2', '', '3j4/eee3De/3K4/8/8/5E~E1/2k4E/4J3 15 14 c3:gate,c6:mirror -'],
  ['first', 'd6xc7', '', '3j4/eeK3De/8/8/8/5E~E1/2k4E/4J3 16 15 c3:gate,c6:mirror -'],
  ['second', 'd8-c8', '', '2j5/eeK3De/8/8/8/5E~E1/2k4E/4J3 17 16 c3:gate,c6:mirror -'],
  ['first', 'c7xc8', '', '2K5/ee4De/8/8/8/5E~E1/2k4E/4J3 18 17 c3:gate,c6:mirror -'],
  ['second', 'c2-c5', '', '2K5/ee4De/8/2k5/8/5E~E1/7E/4J3 19 18 c3:gate,c6:mirror -'],
];

export const demo: readonly DemoStep[] = [
  { view: '3jk3/eeeddeee/8/8/8/8/EEEDDEEE/3KJ3 1 0 c3:?,c6:? -' },
  ...GAME.map(([by, text, remark, view]) => ({ view, deed: { by, text, remark } })),
];
