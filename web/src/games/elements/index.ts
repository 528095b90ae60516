import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import { model } from './model';

export default gamePage({
  model,
  Board,
  pieces: [],
  demo,
  hue: 285,
  ratio: { wide: 624 / 412, tall: 412 / 636 },
});
