/** Which puzzles were shown in this browser: none comes twice until the user asks. */

const MOST = 5000;

function keyOf(game: string): string {
  return `visavis.puzzles.${game}`;
}

/** The numbers of the puzzles that were shown, oldest first. */
export function seen(game: string): readonly number[] {
  try {
    return JSON.parse(localStorage.getItem(keyOf(game)) ?? '[]') as readonly number[];
  } catch {
    return [];
  }
}

export function isSeen(game: string, number: number): boolean {
  return seen(game).includes(number);
}

export function see(game: string, number: number): void {
  if (isSeen(game, number)) return;
  localStorage.setItem(keyOf(game), JSON.stringify([...seen(game), number].slice(-MOST)));
}

export function forgetSeen(game: string): void {
  localStorage.removeItem(keyOf(game));
}
