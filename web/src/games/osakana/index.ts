import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import { model } from './model';
import './looks.css';

export default gamePage({
  model,
  Board,
  pieces: ['fish', 'kana', 'letters'],
  demo,
  hue: 222,
  ratio: { wide: 532 / 434, tall: 331 / 614 },
});
