import { expect, test } from 'vitest';

import { Refusal } from '../net/api';
import { inWords, whyNot } from './refusals';

test('a refusal is said in the words of the page', () => {
  expect(inWords({ code: 'seat_taken', message: 'seat first is taken' })).toBe(
    'The seat is taken.',
  );
});

test('what is wrong with an option is told as the server says it', () => {
  const problem = { code: 'bad_option', message: 'supply: neither free nor connected' } as const;
  expect(inWords(problem)).toContain(problem.message);
});

test('whatever else went wrong, the server was not reached', () => {
  expect(whyNot(new TypeError('fetch'))).toBe('The server can’t be reached');
  expect(whyNot(new Refusal('offline', 'no answer'))).toBe('The server can’t be reached');
  expect(whyNot(new Refusal('busy', 'no'))).toContain('busy');
});
