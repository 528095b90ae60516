import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import Fields from './Fields.svelte';
import { model } from './model';

export default gamePage({
  model,
  Board,
  pieces: ['letters', 'shapes'],
  demo,
  pickers: { field: Fields },
  ratio: { wide: 1.55, tall: 0.66 },
});
