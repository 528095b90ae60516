/** Texts that nobody can guess, made in a way that pages over plain HTTP have too. */

/** Returns so many random bytes as text: letters, digits, `-` and `_`. */
export function randomText(bytes: number): string {
  const drawn = crypto.getRandomValues(new Uint8Array(bytes));
  return btoa(String.fromCharCode(...drawn))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}
