import { readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';

import { lit, pick } from '../../board/chooser';
import { BadView, type Deed, type Position } from '../../board/contract';
import { demo } from './demo';
import { mapOf } from './geometry';
import { battle, isKing, model, parts, readView } from './model';
import { isSetUp, keep, kept, PLAIN, shuffle, swap } from './setup';

const playthrough = readFileSync(
  new URL('../../../../vectors/elements/playthrough.txt', import.meta.url),
  'utf8',
);
const views = [
  ...playthrough.matchAll(/^view (?:first|second|spectator) (.*?)(?: {3}\[.*)?$/gm),
].map((line) => line[1] ?? '');
const OPENING =
  'second 4 0 - A0:FMWEA,A1:?,N1:F,A3:?,A4:?,A5:?,A6:?,A7:?,A8:?,A9:?,A10:?,A11:?,A12:?,A13:?,A14:?,A15:? B0:FMWEA,B1:w,B2:f,B3:f,B4:a,B5:w,B6:w,B7:m,B8:a,B9:a,B10:e,B11:m,B12:m,B13:f,B14:e,N10:E';

function deed(text: string, remark = '', by: Deed['by'] = 'first'): Deed {
  return { by, text, remark };
}

/** Says what it was asked, so that a test can read it. */
function say(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  return [key, ...Object.values(values)].join(' ');
}

/** A view in which a piece of second, which started on B1, has a story. */
function story(text: string) {
  const scene = readView(OPENING.replace('second', 'first').replace('B1:w', text));
  return scene.sides.second.pieces[0];
}

describe('views', () => {
  it('of the playthrough are read', () => {
    expect(views.length).toBeGreaterThan(10);
    for (const view of views) {
      const scene = readView(view);
      expect([...scene.board.values()].filter(isKing)).toHaveLength(2);
      expect(scene.board.size).toBeLessThanOrEqual(32);
    }
  });

  it('tell what is known, and to whom', () => {
    const scene = readView(OPENING);
    expect(scene.viewer).toBe('second');
    expect(scene.mover).toBe('second');
    expect(scene.board.get('N1')).toMatchObject({ seat: 'first', element: 'F', open: true });
    expect(scene.board.get('A1')).toMatchObject({ element: null, open: false });
    expect(scene.board.get('B1')).toMatchObject({ element: 'W', open: false });
    expect(scene.sides.first.unseen).toEqual({ F: 2, M: 3, W: 3, E: 3, A: 3 });
    expect(scene.sides.second.unseen.E).toBe(2);
  });

  it.each([
    ['B1:f', { element: 'F', open: false, seen: null, changes: 0 }],
    ['B1:F', { element: 'F', open: true, seen: 'F', changes: 0 }],
    ['x:E', { cell: null, element: 'E', open: true }],
    ['B0:f+m', { element: 'M', open: false, seen: null, changes: 1 }],
    ['B0:F+?', { element: null, open: false, seen: 'F', changes: 1 }],
    ['N3:?+M', { element: 'M', open: true, seen: 'M', changes: 0 }],
    ['N3:?++M', { element: 'M', open: true, seen: 'M' }],
    ['N3:F>M', { element: 'M', open: true, seen: 'M' }],
    ['N3:F>M++w', { element: 'W', open: false, seen: 'M', changes: 2 }],
    ['N3:?+?', { element: null, open: false, seen: null, changes: 1 }],
  ])('read the story %s', (text, piece) => {
    expect(story(text)).toMatchObject(piece);
  });

  it('know the set-up phase', () => {
    const scene = readView(`first setup ${PLAIN} -`);
    expect(scene.done).toEqual({ first: true, second: false });
    expect(scene.board.get('A4')).toMatchObject({ element: 'M', open: false });
    expect(scene.board.get('B4')).toMatchObject({ element: null });
  });

  it('say what is pending', () => {
    const pending = (text: string) => readView(OPENING.replace(' - ', ` ${text} `)).pending;
    expect(pending('A0xB0=?')).toEqual({ kind: 'answer', from: 'A0', cell: 'B0' });
    expect(pending('N2xB0')).toEqual({ kind: 'answer', from: 'N2', cell: 'B0' });
    expect(pending('B0=')).toEqual({ kind: 'change', cell: 'B0' });
  });

  it.each(['', 'first', 'nobody setup - -', 'first setup FF -', 'first 1 0 - x y', `${OPENING} x`])(
    'refuse %j',
    (text) => {
      expect(() => readView(text)).toThrow(BadView);
    },
  );
});

describe('moves', () => {
  it('are taken apart', () => {
    expect(parts('A2-N1')).toEqual({ from: 'A2', to: 'N1', attack: false, element: null });
    expect(parts('A0xN1=M')).toEqual({ from: 'A0', to: 'N1', attack: true, element: 'M' });
    expect(parts('=?')).toEqual({ from: null, to: null, attack: false, element: '?' });
    expect(parts(PLAIN)).toBeNull();
    expect(parts('?')).toBeNull();
  });

  it('of a king go on to the choice of an element', () => {
    const moves = ['A0xA1=M', 'A0xA1=W', 'A0-A4', 'A5-N3'];
    const scene = readView(OPENING);
    const ways = moves.map((move) => ({ move, path: model.path(move, scene) }));
    expect([...lit(ways, ['A0'])]).toEqual(['A1', 'A4']);
    expect([...lit(ways, ['A0', 'A1'])]).toEqual(['=M', '=W']);
    expect(pick(ways, ['A0', 'A1'], '=W')).toEqual({ move: 'A0xA1=W' });
    expect(model.path('=E', scene)).toEqual(['=E']);
  });

  it('glide if the piece went there', () => {
    expect(model.slides(deed('A2-N1'))).toEqual([{ from: 'A2', to: 'N1' }]);
    expect(model.slides(deed('A2xN1', 'M beats W'))).toEqual([{ from: 'A2', to: 'N1' }]);
    expect(model.slides(deed('A2xN1', 'M falls to F'))).toEqual([]);
    expect(model.slides(deed('A2xB0'))).toEqual([]);
    expect(model.slides(deed('=W', 'F beats W'))).toEqual([]);
    expect(model.touched(deed('A2xN1', 'M falls to F'))).toEqual(['A2', 'N1']);
  });

  it('carry their battle', () => {
    const won = { by: 'first', attacker: 'M', result: 'beats', defender: 'W' };
    expect(battle(deed('A2xN1', 'M beats W'))).toEqual(won);
    expect(battle(deed('=W', 'M beats W', 'second'))).toEqual(won);
    expect(battle(deed('A2-N1'))).toBeNull();
    const look = { pieces: '', animate: true };
    const fallen = 'A2×N1 · battle.falls_with element.M equal.M';
    expect(model.notation(deed('A2xN1', 'M falls with M'), look, say)).toBe(fallen);
    expect(model.notation(deed('=?'), look, say)).toBe('list.change ?');
    expect(model.notation(deed('A0xB0=M'), look, say)).toBe('A0×B0 · element.M');
    expect(model.notation(deed('=W', 'M beats W'), look, say)).toBe(
      'battle.beats element.M beaten.W',
    );
    expect(model.notation(deed(PLAIN), look, say)).toBe('✓');
  });

  it('can be typed without signs', () => {
    expect(model.spellings('A0xN1=M')).toEqual(['A0N1M']);
  });
});

describe('words', () => {
  const scene = readView(OPENING);

  it('name every key', () => {
    expect(model.name('N2', scene, say)).toBe('name.empty N2');
    expect(model.name('A1', scene, say)).toBe('name.cell A1 name.hidden side.first');
    expect(model.name('N1', scene, say)).toBe('name.cell N1 name.open element.F side.first');
    expect(model.name('B2', scene, say)).toBe('name.cell B2 name.own element.F side.second');
    expect(model.name('B0', scene, say)).toContain('name.king side.second element.F, element.M');
    expect(model.name('=A', scene, say)).toBe('letter.A, element.A');
  });

  it('tell every deed', () => {
    const told = (...args: Parameters<typeof deed>) => model.tell(deed(...args), scene, say);
    expect(told('?')).toBe('tell.setup side.first');
    expect(told('A2-N1')).toBe('tell.step side.first A2 N1');
    expect(told('A2xN1', 'M beats W')).toBe(
      'tell.attack side.first A2 N1 sentence Battle.beats element.M beaten.W',
    );
    expect(told('A0xB0=?')).toBe('tell.king side.first A0 B0');
    expect(told('=W', 'M beats W', 'second')).toContain('tell.answer side.second element.W');
    expect(told('=?')).toBe('tell.change side.first');
  });
});

describe('the map', () => {
  it.each(['first', 'second'] as const)('has every cell once, for %s', (near) => {
    const cells = mapOf(near);
    expect(new Set(cells.map((cell) => cell.key)).size).toBe(42);
    const scene = readView(OPENING);
    for (const key of scene.board.keys()) expect(cells.some((cell) => cell.key === key)).toBe(true);
  });

  it.each(['first', 'second'] as const)('lets cells touch that moves connect, for %s', (near) => {
    const corners = new Map(
      mapOf(near).map((cell) => [cell.key, new Set(cell.outline.match(/-?[0-9.]+ -?[0-9.]+/g))]),
    );
    const steps = [...playthrough.matchAll(/^(?:first|second) ([ABN][0-9]+)[-x]([ABN][0-9]+)/gm)];
    expect(steps.length).toBeGreaterThan(20);
    for (const [step, from = '', to = ''] of steps) {
      if (from.endsWith('0') || to.endsWith('0')) continue;
      const shared = [...(corners.get(from) ?? [])].filter((at) => corners.get(to)?.has(at));
      expect(shared.length, step).toBeGreaterThan(1);
    }
  });

  it('keeps pieces apart', () => {
    for (const a of mapOf('first')) {
      for (const b of mapOf('first')) {
        const apart = Math.hypot(a.middle.x - b.middle.x, a.middle.y - b.middle.y);
        if (a !== b) expect(apart, `${a.key} ${b.key}`).toBeGreaterThan(30);
      }
    }
  });
});

describe('the set-up', () => {
  it('swaps and shuffles, and keeps its letters', () => {
    expect(swap('FMW', 0, 2)).toBe('WMF');
    const mixed = shuffle(PLAIN, () => 0.3);
    expect(mixed).not.toBe(PLAIN);
    expect(isSetUp(mixed)).toBe(true);
    expect(isSetUp('FFFF')).toBe(false);
  });

  it('is shuffled by numbers that nobody can work out', () => {
    const guessed = vi.spyOn(Math, 'random');
    expect(isSetUp(shuffle(PLAIN))).toBe(true);
    expect(new Set(Array.from({ length: 5 }, () => shuffle(PLAIN))).size).toBe(5);
    expect(guessed).not.toHaveBeenCalled();
    guessed.mockRestore();
  });

  it('is kept for another day, if the browser lets it', () => {
    const shelf = new Map<string, string>();
    const storage = () => ({
      getItem: (name: string) => shelf.get(name) ?? null,
      setItem: (name: string, text: string) => void shelf.set(name, text),
    });
    const closed = (): never => {
      throw new DOMException('no', 'SecurityError');
    };
    expect(keep(PLAIN, closed)).toBe(false);
    expect(kept(closed)).toBeNull();
    expect(kept(storage)).toBeNull();
    expect(keep(PLAIN, storage)).toBe(true);
    expect(kept(storage)).toBe(PLAIN);
    shelf.forEach((_, name) => shelf.set(name, 'broken'));
    expect(kept(storage)).toBeNull();
  });
});

it('shows a game that can be read', () => {
  const positions = demo.map(({ view }): Position => {
    return { view, viewer: 'spectator', options: {}, legal: [], suggestions: {}, last: [] };
  });
  expect(positions.map((position) => model.read(position).turn)[0]).toBe(1);
  expect(positions.length).toBeGreaterThan(8);
});
