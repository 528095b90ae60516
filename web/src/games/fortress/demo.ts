import type { DemoStep } from '../../board/contract';

/** A game between two lakes up to its middle: the move, what it does, what it leads to. */
const GAME: readonly (readonly [string, string, string])[] = [
  ['C5', '', '2 10./2f8./3f7./3f7./.fFf4.2s/.2f4.3s/8.2s/10.'],
  ['H4', '', '3 10./2f8./3f4.2s./3f3.sSs./.fFf3.3s/.2f4.3s/8.2s/10.'],
  ['B7', '', '4 10./2f8./3f4.2s./3f3.sSs./.fFf3.3s/3f4.3s/fFf5.2s/2f8.'],
  ['I2', '', '5 8.2s/2f5.sSs/3f4.3s/3f3.sSs./.fFf3.3s/3f4.3s/fFf5.2s/2f8.'],
  ['E5', '', '6 8.2s/2f5.sSs/3f4.3s/5f.sSs./.fFfFf.3s/5f2.3s/fFf5.2s/2f8.'],
  ['F4', 'takes 2', '7 8.2s/2f5.sSs/3f2.5s/4fsSsSs./.fFfF5s/5f2.3s/fFf5.2s/2f8.'],
  ['E4', 'takes 4', '8 8.2s/2f5.sSs/3f.2f4s/4f2FsSs./.fFfFf4s/5f2.3s/fFf5.2s/2f8.'],
  ['F5', 'takes 5', '9 8.2s/2f5.sSs/3f.2f4s/4f2SsSs./.fFf2S4s/4f2s.3s/fFf5.2s/2f8.'],
  ['G3', 'takes 4', '10 8.2s/2f3.2fsSs/3f.2fFf2s/4fSFfSs./.fFf2S4s/4f2s.3s/fFf5.2s/2f8.'],
  ['D5', 'takes 6', '11 8.2s/2f3.2fsSs/3f.2fFf2s/2f2sSFfSs./.f4S4s/2f4s.3s/fFf5.2s/2f8.'],
  ['I3', 'takes 6', '12 8.2s/2f3.3fFs/3f.2fFfFf/2f2sSFfFf./.f4S4s/2f4s.3s/fFf5.2s/2f8.'],
  ['H2', 'takes 5', '13 7.3s/2f3.fs2Ss/3f.2fFsSf/2f2sSFfFf./.f4S4s/2f4s.3s/fFf5.2s/2f8.'],
  ['C6', 'takes 4', '14 7.3s/2f3.fs2Ss/3f.2fFsSf/2f2sSFfFf./.f2F2S4s/2fFf2s.3s/fF2f4.2s/2f8.'],
  ['F3', 'takes 5', '15 7.3s/2f2.3s2Ss/3f.s2SsSf/2f2s2SfFf./.f2F2S4s/2fFf2s.3s/fF2f4.2s/2f8.'],
  ['E6', 'takes 4', '16 7.3s/2f2.3s2Ss/3f.s2SsSf/2f2s2SfFf./.f4F4s/2fFfFf.3s/fF4f2.2s/2f8.'],
  ['F6', 'takes 4', '17 7.3s/2f2.3s2Ss/3f.s2SsSf/2f2s2SfFf./.f3FS4s/2fFf2S4s/fF3f2s.2s/2f8.'],
  ['G4', 'takes 5', '18 7.3s/2f2.3s2Ss/3f.sSFfSf/2f2sS3Ff./.f3FS2f2s/2fFf2S4s/fF3f2s.2s/2f8.'],
  ['D6', 'takes 6', '19 7.3s/2f2.3s2Ss/3f.sSFfSf/2f2sS3Ff./.fF3S2f2s/2f4S4s/fFf4s.2s/2f8.'],
  ['H6', 'takes 4', '20 7.3s/2f2.3s2Ss/3f.sSFfSf/2f2sS3Ff./.fF3S3fs/2f4SfF2s/fFf4s2fs/2f8.'],
  ['B6', 'takes 6', '21 7.3s/2f2.3s2Ss/3f.sSFfSf/2f2sS3Ff./.s4S3fs/s5SfF2s/fS5s2fs/2f8.'],
  ['C7', 'takes 5', '22 7.3s/2f2.3s2Ss/3f.sSFfSf/2f2sS3Ff./.s4S3fs/s2F3SfF2s/f2Ff3s2fs/3f7.'],
];

const options = { scenario: 'two-lakes' };

export const demo: readonly DemoStep[] = [
  { view: '1 10./2f8./3f7./2f8./8.2s/7.3s/8.2s/10.', options },
  ...GAME.map(([text, remark, view], i): DemoStep => ({
    view,
    options,
    deed: { by: i % 2 === 0 ? 'first' : 'second', text, remark },
  })),
];
