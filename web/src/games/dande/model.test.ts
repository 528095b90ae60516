import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { lit, pick } from '../../board/chooser';
import { BadView, type Deed } from '../../board/contract';
import { demo } from './demo';
import { effectsLeft, model, opposite, pairAt, parts, readView, type Scene } from './model';

const playthrough = readFileSync(
  new URL('../../../../vectors/dande/playthrough.txt', import.meta.url),
  'utf8',
);
const START = '3jk3/eeeddeee/8/8/8/8/EEEDDEEE/3KJ3 1 0 b3:?,c5:mire -';
const LATER = '3jk3/eee1deee/8/2E~d4/8/8/EE1D1EEE/4J3 8+ 8 b4:spur,c5:? c5:2,d5:1';

function at(view: string, options: Record<string, string> = {}): Scene {
  return readView({ view, options });
}

function deed(text: string, remark = '', by: Deed['by'] = 'first'): Deed {
  return { by, text, remark };
}

/** Says what it was asked, so that a test can read it. */
function say(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  return [key, ...Object.values(values)].join(' ');
}

describe('views', () => {
  it('of the playthrough are read', () => {
    const lines = playthrough.matchAll(/^(?:position|view \w+|from) (.*?)(?: {3}\[.*)?$/gm);
    const views = [...lines].map((line) => line[1] ?? '');
    expect(views.length).toBeGreaterThan(10);
    for (const view of views) expect(at(view).board.size).toBeGreaterThan(0);
  });

  it('have the armies at home', () => {
    const scene = at(START);
    expect(scene.board.size).toBe(20);
    expect(scene.board.get('d1')).toEqual({ seat: 'first', kind: 'K', turned: false, mired: 0 });
    expect(scene.board.get('a7')).toMatchObject({ seat: 'second', kind: 'E' });
    expect(scene).toMatchObject({ costume: 'marks', mover: 'first', again: false, left: null });
    expect(scene.taken).toEqual({ first: [], second: [] });
  });

  it('know bad cells in pairs', () => {
    const scene = at(START);
    expect(opposite('b3')).toBe('g6');
    expect(pairAt(scene, 'g6')).toEqual({ pair: { cells: ['b3', 'g6'], effect: null }, number: 1 });
    expect(pairAt(scene, 'f4')?.pair.effect).toBe('mire');
    expect(pairAt(scene, 'a1')).toBeNull();
    expect(effectsLeft(scene)).toEqual(['pit', 'crown', 'spur', 'gate', 'mirror']);
  });

  it('tell what became of pieces', () => {
    const scene = at(LATER, { costume: 'sea', clock: 'off', ply_limit: '40' });
    expect(scene.board.get('c5')).toEqual({ seat: 'first', kind: 'E', turned: true, mired: 2 });
    expect(scene.board.get('d5')?.mired).toBe(1);
    expect(scene).toMatchObject({ costume: 'sea', mover: 'second', again: true, left: 32 });
    expect(scene.taken).toEqual({ first: [], second: ['K', 'D'] });
  });

  it('count a crowned walker as there', () => {
    const scene = at('3jk3/eeeddeee/8/8/8/3J4/EEE1DEEE/3KJ3 1 0 b3:crown -');
    expect(scene.taken.second).toEqual([]);
  });

  it.each(['', '8/8 1 0 - -', START.replace('mire', 'mine'), START.replace('8/8', '9/8'), 'x'])(
    'refuse %j',
    (text) => {
      expect(() => at(text)).toThrow(BadView);
    },
  );
});

describe('moves', () => {
  it('are taken apart with what a bad cell did', () => {
    const plain = { from: 'd1', to: 'd5', captures: false, effect: null, end: 'd5' };
    expect(parts(deed('d1-d5'))).toEqual(plain);
    expect(parts(deed('c2xb3', 'gate g6'))).toMatchObject({ captures: true, end: 'g6' });
    expect(parts(deed('c2xb3', 'gate'))).toMatchObject({ effect: 'gate', end: 'b3' });
    expect(parts(deed('mire', '', 'chance'))).toBeNull();
  });

  it('are picked by two cells', () => {
    const scene = at(START);
    const ways = ['c2-c3', 'd1-c1', 'd1-b1'].map((move) => ({
      move,
      path: model.path(move, scene),
    }));
    expect([...lit(ways, ['d1'])]).toEqual(['c1', 'b1']);
    expect(pick(ways, ['c2'], 'c3')).toEqual({ move: 'c2-c3' });
  });

  it('glide to where the piece ends', () => {
    expect(model.slides(deed('d1-d5'))).toEqual([{ from: 'd1', to: 'd5' }]);
    expect(model.slides(deed('b2-b3', 'gate g6'))).toEqual([{ from: 'b2', to: 'g6' }]);
    expect(model.slides(deed('b2-b3', 'pit'))).toEqual([]);
    expect(model.touched(deed('b2-b3', 'gate g6'))).toEqual(['b2', 'b3', 'g6']);
    expect(model.touched(deed('pit', '', 'chance'))).toEqual([]);
  });

  it('are written as they are, and typed without signs', () => {
    const look = { pieces: '', animate: true };
    expect(model.notation(deed('d1-d5'), look, say)).toBe('d1-d5');
    expect(model.notation(deed('d2-d3', 'mire'), look, say)).toBe('d2-d3 effect.mire');
    expect(model.notation(deed('d2-d3', 'gate e6'), look, say)).toBe('d2-d3 effect.gate → e6');
    expect(model.notation(deed('pit', '', 'chance'), look, say)).toBe('effect.pit');
    expect(model.notation(deed('b3', '', 'chance'), look, say)).toBe('b3');
    expect(model.spellings('c2xb3')).toEqual(['c2b3']);
  });
});

describe('words', () => {
  it('name cells with what is there', () => {
    const scene = at(LATER, { costume: 'forest' });
    expect(model.name('e1', scene, say)).toBe('e1, name.costume side.first forest.J marks.J');
    expect(model.name('c5', scene, say)).toBe(
      'c5, name.costume side.first forest.E marks.E, name.turned, name.mired 2, name.bad effect.unknown',
    );
    expect(model.name('b4', scene, say)).toBe('b4, name.empty, name.bad effect.spur');
    expect(model.name('d1', at(START), say)).toBe('d1, name.marks side.first marks.K marks.K');
  });

  it('tell moves and rolls', () => {
    const scene = at(START);
    const told = (...args: Parameters<typeof deed>) => model.tell(deed(...args), scene, say);
    expect(told('d2-d1')).toBe('tell.step side.first marks.K d2 d1');
    expect(told('b2-a2', 'gate h7')).toContain('tell.gate_to h7');
    expect(told('b2-a2', 'gate')).toContain('tell.gate a2');
    expect(told('b2xa2', 'pit')).toContain('tell.capture');
    expect(told('b3', '', 'chance')).toBe('tell.pair b3 g6');
    expect(told('mire', '', 'chance')).toBe('tell.drawn effect.mire');
  });
});

it('shows a game that can be read', () => {
  for (const { view } of demo) expect(at(view).turn).toBeGreaterThan(0);
});
