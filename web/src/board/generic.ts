/** The board of a game that nobody has drawn yet: its text, and its moves as buttons. */

import type { GamePage, Model } from './contract';
import Generic from './Generic.svelte';

/** All that is known of such a game: how it looks in text. */
export interface TextScene {
  readonly text: string;
}

export const genericModel: Model<TextScene> = {
  read: (position) => ({ text: position.text ?? position.view }),
  path: (move) => [move],
  touched: () => [],
  slides: () => [],
  name: (key) => key,
  tell: (deed) => (deed.remark === '' ? deed.text : `${deed.text} (${deed.remark})`),
  notation: (deed) => [deed.text, deed.remark].filter(Boolean).join(' '),
  spellings: () => [],
  ask: () => '',
  standing: () => ({ first: '', second: '' }),
  goal: () => '',
};

const page: GamePage<TextScene> = {
  model: genericModel,
  Board: Generic,
  pieces: [],
  demo: [],
  hue: 215,
  ratio: { wide: 1.2, tall: 0.8 },
};

export const generic = page as unknown as GamePage<unknown>;
