/** Time in words and on clocks. */

import type { ClockFace, HandFace } from '../net/types';
import type { Seat } from '../board/contract';
import { t } from '../i18n/words.svelte';

const DAY = 86_400_000;

/** What a hand shows at a moment of the server's time. */
export function left(hand: HandFace, now: number): number {
  return hand.since === null ? hand.left : Math.max(0, hand.left - Math.max(0, now - hand.since));
}

/** The hand of a seat. */
export function handOf(clock: ClockFace, seat: Seat): HandFace | null {
  return clock.hands[seat === 'first' ? 0 : 1] ?? null;
}

/** A time on a clock: 4:05, 0:09.3, 1:02:03, or whole days and hours. */
export function face(ms: number): string {
  if (ms >= DAY) {
    const days = Math.floor(ms / DAY);
    const hours = Math.floor((ms % DAY) / 3_600_000);
    return hours > 0 ? `${span(days * DAY)} ${span(hours * 3_600_000)}` : span(days * DAY);
  }
  const tenths = Math.floor(ms / 100);
  const seconds = Math.floor(tenths / 10);
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const two = (n: number): string => String(n).padStart(2, '0');
  if (h > 0) return `${String(h)}:${two(m)}:${two(s)}`;
  const tail = ms < 10_000 ? `.${String(tenths % 10)}` : '';
  return `${String(m)}:${two(s)}${tail}`;
}

/** A span in words, in its largest whole unit. */
export function span(ms: number): string {
  if (ms % DAY === 0) return t('time.days', { n: ms / DAY });
  if (ms % 3_600_000 === 0) return t('time.hours', { n: ms / 3_600_000 });
  if (ms % 60_000 === 0) return t('time.minutes', { n: ms / 60_000 });
  return t('time.seconds', { n: Math.round(ms / 100) / 10 });
}

const UNITS: Readonly<Record<string, number>> = { '': 1000, m: 60_000, h: 3_600_000, d: DAY };

function spanOf(text: string): number {
  const [, number = '0', unit = ''] = /^([\d.]+)([mhd]?)$/.exec(text) ?? [];
  return Number(number) * (UNITS[unit] ?? 1000);
}

/** Whether a clock is for one sitting, for days, or none. */
export function paceOf(spec: string): 'none' | 'live' | 'days' {
  if (spec === 'none') return 'none';
  return /^\d+d\/move$/.test(spec) ? 'days' : 'live';
}

/** A clock that was agreed, in words. */
export function clockWords(spec: string): string {
  if (spec === 'none') return t('play.clock.none');
  const shared = /^(.+)\/game\+(.+)\/move$/.exec(spec);
  if (shared) return t('clock.shared', { game: span(spanOf(shared[1] ?? '')), base: span(spanOf(shared[2] ?? '')) }); // prettier-ignore
  const move = /^(.+)\/move$/.exec(spec);
  if (move) return t('clock.move', { base: span(spanOf(move[1] ?? '')) });
  const [base = '', extra = '0'] = spec.split('+');
  const values = { base: span(spanOf(base)), extra: span(spanOf(extra)) };
  return spanOf(extra) === 0 ? t('clock.plain', values) : t('clock.fischer', values);
}

/** Where the player's own time may be running, nobody waits longer than this for a step. */
const HURRIED_MS = 600;
/** Who has less left than this waits for nothing. */
const LITTLE_MS = 15_000;

/** For how long a step is shown that would be shown for `ms` if there were no clock. */
export function hurried(ms: number, clock: ClockFace, seat: Seat | null): number {
  if (clock.spec === 'none' || isSlow(clock.spec)) return ms;
  const hand = seat === null ? null : handOf(clock, seat);
  return hand !== null && hand.left < LITTLE_MS ? 0 : Math.min(ms, HURRIED_MS);
}

/** Whether a game is so slow that a move wants a second thought. */
export function isSlow(spec: string): boolean {
  return spec.includes('d/move');
}
