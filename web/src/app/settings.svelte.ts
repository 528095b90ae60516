/** What the user has chosen; kept by the browser. */

import { prefer, type Language } from '../words/catalogue';
import { words } from '../words/words.svelte';

export type Theme = 'auto' | 'light' | 'dark';
export type Confirm = 'never' | 'slow' | 'always';

interface Choices {
  language: Language | null;
  theme: Theme;
  sound: boolean;
  animate: boolean;
  confirm: Confirm;
  /** Whether moves can be chosen ahead. */
  premove: boolean;
  name: string;
  /** The set of pieces by game. */
  pieces: Record<string, string>;
  /** The games of which the player knows how they are played. */
  known: Record<string, boolean>;
}

const KEY = 'visavis.settings';
const DEFAULTS: Choices = {
  language: null,
  theme: 'auto',
  sound: false,
  animate: true,
  confirm: 'slow',
  premove: true,
  name: '',
  pieces: {},
  known: {},
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

/** What the system says of motion and light, and of the shape of the window. */
export const system = $state({
  still: still.matches,
  night: night.matches,
  wide: innerWidth > innerHeight * 1.05 && innerWidth > 700,
});

/** Whether pieces may glide. */
export function animates(): boolean {
  return settings.animate && !system.still;
}

/** Keeps settings and puts them into effect; call once. */
export function applySettings(): void {
  still.addEventListener('change', () => (system.still = still.matches));
  night.addEventListener('change', () => (system.night = night.matches));
  addEventListener('resize', () => {
    system.wide = innerWidth > innerHeight * 1.05 && innerWidth > 700;
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
      void words.speak(settings.language ?? prefer(navigator.languages));
    });
  });
}
