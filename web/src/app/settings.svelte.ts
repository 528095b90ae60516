/** What the user has chosen; kept by the browser. */

import type { Kept } from '../components/choices';
import { prefer, type Language } from '../i18n/catalogue';
import { words } from '../i18n/words.svelte';

export type Theme = 'auto' | 'light' | 'dark';
export type Confirm = 'never' | 'slow' | 'always';
export const PACES = ['slow', 'normal', 'fast', 'off'] as const;
/** How fast the other's steps are shown one after the other; off shows all at once. */
export type Pace = (typeof PACES)[number];
export const BOARDS = ['own', 'wood', 'paper'] as const;
/** What boards are made of: each game has its own colours, and can have these. */
export type Board = (typeof BOARDS)[number];

interface Choices {
  language: Language | null;
  theme: Theme;
  /** Null as long as nobody has said. */
  sound: boolean | null;
  animate: boolean;
  pace: Pace;
  confirm: Confirm;
  /** Whether moves can be chosen ahead. */
  premove: boolean;
  /** Whether moves are listed as records have them, not in words. */
  canonical: boolean;
  name: string;
  board: Board;
  /** The set of pieces by game. */
  pieces: Record<string, string>;
  /** The games of which the player knows how they are played. */
  known: Record<string, boolean>;
  /** What was chosen for the last match, by game. */
  chosen: Record<string, Kept>;
}

const KEY = 'visavis.settings';
const DEFAULTS: Choices = {
  language: null,
  theme: 'auto',
  sound: null,
  animate: true,
  pace: 'normal',
  confirm: 'slow',
  premove: true,
  canonical: false,
  name: '',
  board: 'own',
  pieces: {},
  known: {},
  chosen: {},
};

function load(): Choices {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Choices>;
    return { ...DEFAULTS, ...kept };
  } catch {
    return { ...DEFAULTS };
  }
}

export const settings = $state<Choices>(load());

const still = matchMedia('(prefers-reduced-motion: reduce)');
const night = matchMedia('(prefers-color-scheme: dark)');

/**
 * How a board and what belongs to it share the window: one under the other on a phone, side by side
 * on a phone that lies on its side, and on a desk, where the moves have room as well.
 */
export type Shape = 'tall' | 'lying' | 'desk';

/** The least that a desk has, in pixels; and the least width at which things go side by side. */
const DESK = { width: 900, height: 540 };
const BESIDE = 560;

/** The shape of a window. */
export function shapeOf(width: number, height: number): Shape {
  if (width < height * 1.05 || width < BESIDE) return 'tall';
  return width >= DESK.width && height >= DESK.height ? 'desk' : 'lying';
}

/** Whether a window is short for its shape: what can be read elsewhere is left out. */
export function isShort(width: number, height: number): boolean {
  return shapeOf(width, height) === 'tall' && height < 1.95 * width;
}

/** What the system says of motion and light, and of the shape of the window. */
export const system = $state({
  still: still.matches,
  night: night.matches,
  shape: shapeOf(innerWidth, innerHeight),
  short: isShort(innerWidth, innerHeight),
});

/** Whether there is more room to the sides of a board than above and below. */
export function isWide(): boolean {
  return system.shape !== 'tall';
}

/** Whether only the board and what is needed at once have room. */
export function isSmall(): boolean {
  return system.shape !== 'desk';
}

/** Whether pieces may glide. */
export function animates(): boolean {
  return settings.animate && !system.still;
}

/** Keeps settings and puts them into effect; call once. */
export function applySettings(): void {
  still.addEventListener('change', () => (system.still = still.matches));
  night.addEventListener('change', () => (system.night = night.matches));
  addEventListener('resize', () => {
    system.shape = shapeOf(innerWidth, innerHeight);
    system.short = isShort(innerWidth, innerHeight);
  });
  $effect.root(() => {
    $effect(() => {
      localStorage.setItem(KEY, JSON.stringify(settings));
    });
    $effect(() => {
      const dark = settings.theme === 'dark' || (settings.theme === 'auto' && system.night);
      document.documentElement.dataset.theme = dark ? 'dark' : 'light';
    });
    $effect(() => {
      document.documentElement.dataset.board = settings.board;
    });
    $effect(() => {
      document.documentElement.dataset.shape = system.shape;
      document.documentElement.toggleAttribute('data-short', system.short);
    });
    $effect(() => {
      void words.speak(settings.language ?? prefer(navigator.languages));
    });
  });
}
