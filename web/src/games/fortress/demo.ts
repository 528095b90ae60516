import type { DemoStep } from '../../board/contract';

/** A game on the meadow up to its middle: the move, what it does, what it leads to. */
const GAME: readonly (readonly [string, string, string])[] = [
  ['C5', '', '2 7./2f5./3f2.2s/3f.3s/.fFf.2s/.2f4.'],
  ['D4', 'takes 2', '3 7./2f5./3f4s/2fsS3s/.fF4s/.2f4.'],
  ['D3', 'takes 4', '4 7./4f3./3fFf2s/3fF3s/.fF4s/.2f4.'],
  ['C4', 'takes 6', '5 7./4f3./2fsSf2s/fs2S3s/.fS4s/.2f4.'],
  ['D5', 'takes 5', '6 7./4f3./2fsSf2s/fs2F3s/.f2Ff2s/.3f3.'],
  ['B5', 'takes 4', '7 7./4f3./2fsSf2s/2s2F3s/s2SFf2s/2s2f3.'],
  ['B4', 'takes 5', '8 7./4f3./3fSf2s/f3F3s/s3Ff2s/2s2f3.'],
  ['C3', 'takes 5', '9 7./f2sf3./2f2Sf2s/f2SF3s/s3Ff2s/2s2f3.'],
  ['C2', 'takes 4', '10 2.2f3./2fFf3./2f2Ff2s/f2SF3s/s3Ff2s/2s2f3.'],
  ['E3', 'takes 4', '11 2.2f3./2fF2s2./2fF2S2s/f3S3s/s3Ff2s/2s2f3.'],
  ['E4', 'takes 5', '12 2.2f3./2fF2s2./2fFSFfs/f2S2F2s/s3F2fs/2s2f3.'],
  ['F5', 'takes 3', '13 2.2f3./2fF2s2./2fFSFfs/f2SFS2s/s3FsSs/2s2f2s.'],
  ['E5', 'takes 4', '14 2.2f3./2fF2s2./2fFSFfs/f2S2F2s/s5Fs/2s3fs.'],
  ['C6', 'takes 4', '15 2.2f3./2fF2s2./2fFSFfs/f2S2F2s/sF2S2Fs/2sSsfs.'],
  ['F2', 'takes 2', '16 2.2f.2f/2fFsfFf/2fFSF2f/f2S2F2s/sF2S2Fs/2sSsfs.'],
  ['F3', 'takes 6', '17 2.2f.2f/2fF2sSf/2fF3Ss/f2SFS2s/sF2S2Fs/2sSsfs.'],
  ['E2', 'takes 5', '18 2.5f/2fFf2Ff/2fFS2Fs/f2SFS2s/sF2S2Fs/2sSsfs.'],
  ['D2', 'takes 6', '19 2.f2s2f/2f3SFf/2fF2SFs/f2SFS2s/sF2S2Fs/2sSsfs.'],
];

export const demo: readonly DemoStep[] = [
  { view: '1 7./2f5./3f2.2s/2f2.3s/5.2s/7.' },
  ...GAME.map(([text, remark, view], i): DemoStep => ({
    view,
    deed: { by: i % 2 === 0 ? 'first' : 'second', text, remark },
  })),
];
