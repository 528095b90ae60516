import type { DemoStep } from '../../board/contract';

/** A short game that ends with a try. */
const GAME: readonly (readonly [string, string])[] = [
  ['ま↑B4A3', 'kmt/1i1/MI1/T1K w -'],
  ['ま↓B1C2', 'k1t/1im/MI1/T1K b -'],
  ['い↑B3B2', 'k1t/1Im/M2/T1K w I'],
  ['か↓A1B1', '1kt/1Im/M2/T1K b I'],
  ['い↑B2B1', '1Bt/2m/M2/T1K w IK'],
  ['た↓C1B2', '1B1/1tm/M2/T1K b IK'],
  ['ま↑A3A2', '1B1/Mtm/3/T1K w IK'],
  ['た↓B2A1', 'tB1/M1m/3/T1K b IK'],
  ['い↑A3★', 'tB1/M1m/I2/T1K w K'],
  ['た↓A1B2', '1B1/Mtm/I2/T1K b K'],
  ['か↑C3★', '1B1/Mtm/I1K/T1K w -'],
];

export const demo: readonly DemoStep[] = [
  { view: 'kmt/1i1/1I1/TMK b -' },
  ...GAME.map(([text, view], i): DemoStep => ({
    view,
    deed: { by: i % 2 === 0 ? 'first' : 'second', text, remark: '' },
  })),
];
