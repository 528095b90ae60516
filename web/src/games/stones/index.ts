import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import { model } from './model';

export default gamePage({
  model,
  Board,
  pieces: ['letters', 'shapes'],
  demo,
  ratio: { wide: 1.55, tall: 0.56 },
});
