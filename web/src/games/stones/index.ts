import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import Fields from './Fields.svelte';
import { model } from './model';
import './looks.css';

export default gamePage({
  model,
  Board,
  pieces: ['letters', 'shapes', 'gems'],
  demo,
  hue: 65,
  pickers: { field: Fields },
  ratio: { wide: 1.66, tall: 0.66 },
});
