import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import { model } from './model';
import './looks.css';

export default gamePage({
  model,
  Board,
  // The costume is agreed with the game: it is an option, not a matter of taste of one player.
  pieces: ['discs', 'glass', 'rings'],
  demo,
  hue: 22,
  ratio: { wide: 724 / 492, tall: 492 / 712 },
});
