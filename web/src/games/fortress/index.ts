import { gamePage } from '../../board/registry';
import Board from './Board.svelte';
import { demo } from './demo';
import Scenarios from './Scenarios.svelte';
import { model } from './model';
import './looks.css';

export default gamePage({
  model,
  Board,
  pieces: ['castles', 'kanji', 'shapes'],
  demo,
  hue: 145,
  pickers: { scenario: Scenarios },
  ratio: { wide: 1.55, tall: 0.72 },
});
