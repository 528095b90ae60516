/** A game is named in its own folder and nowhere else; tests and what is fixed in them may. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('..', import.meta.url));
const games = readdirSync(`${source}/games`, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
/** A slug in quotes, as a part of a path, or before a dot as in a key: `'go'`, `x/go`, `go.title`. */
const NAMED = new RegExp(`['"\`/](?:${games.join('|')})(?:['"\`/.]|$)`, 'm');
/** A package of another house, called like a game. */
const FOREIGN = /'svelte\/elements'/g;

function names(text: string): boolean {
  return NAMED.test(text.replace(FOREIGN, ''));
}

it('knows a game when it is named', () => {
  expect(games.length).toBeGreaterThan(0);
  for (const game of games) {
    for (const text of [`'${game}'`, `"${game}.title"`, `../games/${game}/model`]) {
      expect(names(text), text).toBe(true);
    }
  }
  expect(names("from 'svelte/elements'; // stones and elements of a list")).toBe(false);
});

it('names no game outside its folder', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (path) =>
      /\.(?:ts|svelte|css|json)$/.test(path) &&
      !path.endsWith('.test.ts') &&
      !games.some((game) => path.startsWith(`games/${game}/`)),
  );
  expect(files).toContain('main.ts');
  expect(files.filter((path) => names(readFileSync(`${source}/${path}`, 'utf8')))).toEqual([]);
});

it('names no other game inside one', () => {
  for (const game of games) {
    const folder = `${source}/games/${game}`;
    const others = games.filter((other) => other !== game).map((other) => `../${other}/`);
    for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(?:ts|svelte)$/.test(path)) continue;
      const text = readFileSync(`${folder}/${path}`, 'utf8');
      expect(
        others.filter((other) => text.includes(other)),
        path,
      ).toEqual([]);
    }
  }
});
