/**
 * Sounds, made on the spot and no louder than a piece put down: wood for moves, a pair of knocks
 * for what is taken, a rattle for chance, a few soft notes for the end.
 */

export const SOUNDS = ['move', 'take', 'roll', 'win', 'loss', 'draw'] as const;
export type Sound = (typeof SOUNDS)[number];

interface Note {
  /** When it begins, in seconds. */
  readonly at: number;
  /** In hertz. A knock falls from there, a tone stays. */
  readonly pitch: number;
  readonly loud: number;
  /** How long it rings, in seconds. */
  readonly rings: number;
  readonly kind: 'knock' | 'tone';
}

function knock(at: number, pitch: number, loud = 0.22): Note {
  return { at, pitch, loud, rings: 0.09, kind: 'knock' };
}

function tone(at: number, pitch: number): Note {
  return { at, pitch, loud: 0.1, rings: 0.45, kind: 'tone' };
}

/** C, E, G and the C above; A and F for what did not go well. */
const NOTES: Readonly<Record<Sound, readonly Note[]>> = {
  move: [knock(0, 420)],
  take: [knock(0, 420), knock(0.07, 260, 0.28)],
  roll: [knock(0, 640, 0.1), knock(0.05, 560, 0.12), knock(0.11, 600, 0.1)],
  win: [tone(0, 523.25), tone(0.12, 659.25), tone(0.24, 783.99), tone(0.36, 1046.5)],
  loss: [tone(0, 440), tone(0.18, 349.23)],
  draw: [tone(0, 523.25), tone(0.18, 523.25)],
};

/** How far a knock falls, as wood does. */
const FALL = 0.3;
const SILENCE = 0.001;

let audio: AudioContext | null = null;

/** Lets a sound be heard; where there are none, nothing happens. */
export function play(sound: Sound): void {
  if (typeof AudioContext === 'undefined') return;
  audio ??= new AudioContext();
  // A browser that waits for a click gives it back with the next one.
  if (audio.state === 'suspended') void audio.resume();
  for (const note of NOTES[sound]) ring(audio, note);
}

function ring(context: AudioContext, { at, pitch, loud, rings, kind }: Note): void {
  const start = context.currentTime + at;
  const voice = context.createOscillator();
  const volume = context.createGain();
  voice.type = kind === 'knock' ? 'triangle' : 'sine';
  voice.frequency.setValueAtTime(pitch, start);
  if (kind === 'knock') voice.frequency.exponentialRampToValueAtTime(pitch * FALL, start + rings);
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(SILENCE, start + rings);
  voice.connect(volume).connect(context.destination);
  voice.start(start);
  voice.stop(start + rings);
}
