import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { lit, pick } from '../../board/chooser';
import { BadView, type Deed, type Position, type Say } from '../../board/contract';
import { ascii, model, parts, readView } from './model';

const vectors = new URL('../../../../vectors/osakana/', import.meta.url);
const START = 'kmt/1i1/1I1/TMK b -';

function at(view: string, legal: string[] = []): Position {
  return { view, viewer: 'first', options: {}, legal, suggestions: {}, last: [] };
}

function deed(text: string): Deed {
  return { by: 'first', text, remark: '' };
}

/** Says what it was asked, so that a test can read it. */
function say(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  return [key, ...Object.values(values)].join(' ');
}

describe('views', () => {
  it('are read with hands, and without the positions before', () => {
    const scene = readView('2m/k1t/I1M/3 w ITk seen kmt/1i1/1I1/TMK b - x2');
    expect(scene.mover).toBe('second');
    expect(scene.board.get('C3')).toEqual({ seat: 'first', kind: 'M' });
    expect(scene.board.get('A2')).toEqual({ seat: 'second', kind: 'K' });
    expect(scene.board.size).toBe(5);
    expect([...scene.hands.first]).toEqual([['I', 1], ['T', 1]]); // prettier-ignore
    expect([...scene.hands.second]).toEqual([['K', 1]]);
  });

  it.each(['', 'kmt/1i1', 'kmt/1i1/1I1/TMKK b -', 'kmt/1i1/1I1/TMK x -', '?'])(
    'refuse %j',
    (text) => {
      expect(() => readView(text)).toThrow(BadView);
    },
  );
});

describe('moves', () => {
  it('are taken apart', () => {
    expect(parts('か↑C4C3')).toEqual({
      piece: { seat: 'first', kind: 'K' },
      from: 'C4',
      to: 'C3',
    });
    expect(parts('い↓A3★')).toEqual({ piece: { seat: 'second', kind: 'I' }, from: null, to: 'A3' });
    expect(parts('いろは')).toBeNull();
  });

  it('are picked by cells, and dropped from the hand', () => {
    const moves = ['か↑C4C3', 'か↑C4B4', 'い↑A3★'];
    const scene = readView('k1t/1m1/3/TMK b Ii');
    const ways = moves.map((move) => ({ move, path: model.path(move, scene) }));
    expect([...lit(ways, [])]).toEqual(['C4', 'first:I']);
    expect([...lit(ways, ['C4'])]).toEqual(['C3', 'B4']);
    expect(pick(ways, ['first:I'], 'A3')).toEqual({ move: 'い↑A3★' });
  });

  it('of every position in the vectors have paths that differ, on cells that are there', () => {
    const lines = readFileSync(new URL('positions.jsonl', vectors), 'utf8').trim().split('\n');
    for (const line of lines.slice(0, 400)) {
      const entry = JSON.parse(line) as { position: string; moves: { move: string }[] };
      const scene = model.read(at(entry.position));
      const paths = entry.moves.map(({ move }) => model.path(move, scene).join(' '));
      expect(new Set(paths).size).toBe(paths.length);
      for (const { move } of entry.moves) {
        const found = parts(move);
        if (found?.from) expect(scene.board.get(found.from)).toEqual(found.piece);
        else
          expect(found && scene.hands[found.piece.seat].get(found.piece.kind)).toBeGreaterThan(0);
      }
    }
  });

  it('are spelled in letters too', () => {
    expect(ascii('か↑C4C3')).toBe('KC4C3');
    expect(model.spellings('い↓A3★')).toEqual(['i*A3']);
    expect(model.notation(deed('か↑C4C3'), { pieces: 'letters', animate: true }, say)).toBe(
      'KC4C3',
    );
  });

  it('are listed in words, and in the author’s notation where that is read', () => {
    const look = { pieces: 'fish', animate: true };
    expect(model.notation(deed('か↑C4C3'), look, say)).toBe('list.step piece.K C3 C4');
    expect(model.notation(deed('い↓A3★'), look, say)).toBe('list.drop piece.I A3');
    const author: Say = (key, values) => (key === 'list.style' ? 'author' : say(key, values));
    expect(model.notation(deed('か↑C4C3'), look, author)).toBe('か↑C4C3');
  });

  it('are outlined and glide', () => {
    expect(model.touched(deed('か↑C4C3'))).toEqual(['C4', 'C3']);
    expect(model.touched(deed('い↑A3★'))).toEqual(['A3']);
    expect(model.slides(deed('い↑A3★'))).toEqual([{ from: 'first:I', to: 'A3' }]);
  });
});

describe('words', () => {
  const scene = readView(START);

  it('name every key', () => {
    expect(model.name('B3', scene, say)).toBe('name.piece B3 side.first piece.I');
    expect(model.name('A2', scene, say)).toBe('name.empty A2');
    expect(model.name('first:T', scene, say)).toBe('name.hand side.first piece.T 0');
  });

  it('tell every move', () => {
    expect(model.tell(deed('か↑C4C3'), scene, say)).toBe('tell.step side.first piece.K C3 C4');
    expect(model.tell(deed('い↑A3★'), scene, say)).toBe('tell.drop side.first piece.I A3');
  });
});
