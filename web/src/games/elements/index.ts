import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import { model } from './model';
import './looks.css';

export default gamePage({
  model,
  Board,
  pieces: ['signs', 'kanji', 'letters'],
  demo,
  hue: 285,
  ratio: { wide: 626 / 408, tall: 405 / 600 },
});
