import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import { model } from './model';

export default gamePage({
  model,
  Board,
  // The costume is agreed with the game: it is an option, not a matter of taste of one player.
  pieces: [],
  demo,
  hue: 22,
  ratio: { wide: 724 / 492, tall: 492 / 736 },
});
