/** Why something was not done, in the user's language. */

import { Refusal } from '../net/api';
import type { Problem } from '../net/types';
import { t } from './words.svelte';

/** Refusals of something the user wrote: what exactly is wrong with it only the server can say. */
const DETAILED: readonly Problem['code'][] = [
  'bad_option',
  'bad_clock',
  'bad_position',
  'bad_record',
];

/** Puts a refusal in words. */
export function inWords({ code, message }: Problem): string {
  const words = t(`refused.${code}`);
  return DETAILED.includes(code) ? `${words} (${message})` : words;
}

/** Puts in words why a request failed. */
export function whyNot(error: unknown): string {
  if (!(error instanceof Refusal) || error.code === 'offline') return t('line.offline');
  return inWords({ code: error.code, message: error.message });
}
