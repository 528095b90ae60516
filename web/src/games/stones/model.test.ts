import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { lit, pick } from '../../board/chooser';
import { BadView, type Deed, type Position } from '../../board/contract';
import { demo } from './demo';
import { groups, keyOf, largest, placeOf, square, stonesAt } from './grid';
import {
  front,
  groupsWith,
  lower,
  model,
  parts,
  pile,
  readView,
  score,
  shown,
  unseen,
  type Scene,
} from './model';
import { BASES, baseOf, FIELDS, SET_SIZE, turned, twins } from './tokens';

interface Vector {
  readonly options: Record<string, string>;
  readonly seat: 'first' | 'second';
  readonly view: string;
  readonly legal: readonly string[];
}

const file = new URL('../../../../vectors/stones/views.jsonl', import.meta.url);
const vectors = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);

const VIEW =
  'first 5 four:2.4.7 skips:0 bonus:0 YYRVi=1 GGVRi@D1r2 RYVBb@B4r3 YYVR1b@B1r1 BBRVi=2 RRGYi=2 ' +
  'RRYG1b@D3r2 RYBGb=2 RVBYb=1 RGYB+2';

function read({ view, options, seat, legal }: Vector): Scene {
  const position: Position = { view, viewer: seat, options, legal, suggestions: {}, last: [] };
  return model.read(position);
}

function inPhase(phase: string): Vector {
  const found = vectors.find(({ view }) => view.split(' ')[2]?.startsWith(phase));
  if (found === undefined) throw new Error(`no vector in phase ${phase}`);
  return found;
}

function deed(text: string, by: Deed['by'] = 'first'): Deed {
  return { by, text, remark: '' };
}

/** Says what it was asked, so that a test can read it. */
function say(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  return [key, ...Object.values(values)].join(' ');
}

describe('the set', () => {
  it('has sixty tokens, every base side on two', () => {
    expect([SET_SIZE, BASES.length]).toEqual([60, 30]);
    for (const base of BASES) {
      expect(twins(base).map(baseOf)).toEqual([base, base]);
    }
    expect(FIELDS).toContain('ring');
  });

  it('turns clockwise', () => {
    expect(turned('RVGB', 1)).toBe('BRVG');
    expect(turned('RVGB', 4)).toBe('RVGB');
  });
});

describe('the grid', () => {
  it('names cells, and the four of a token clockwise', () => {
    expect(square('C4')).toEqual(['C4', 'D4', 'D5', 'C5']);
    expect(placeOf('P16')).toEqual({ column: 15, row: 15 });
    expect([placeOf('Q1'), placeOf('t4')]).toEqual([null, null]);
    expect(keyOf({ column: 2, row: 3 })).toBe('C4');
  });

  it('finds groups of three and more, side by side only', () => {
    const two = [...stonesAt('A1', 'RRYG', 1), ...stonesAt('C1', 'RYGB', 2)];
    expect(groups(new Map(two))).toEqual([
      { colour: 'R', cells: ['A1', 'B1', 'C1'], tokens: [1, 2], level: 3 },
    ]);
    const corner = [...stonesAt('A1', 'RRYG', 1), ...stonesAt('C3', 'YGBV', 2)];
    expect(groups(new Map(corner))).toEqual([]);
  });
});

describe('views', () => {
  it('are read with tokens, what is known of them, and the score', () => {
    const scene = readView(VIEW);
    expect(scene).toMatchObject({ turn: 5, phase: 'four', mover: 'first', group: [2, 4, 7] });
    expect(scene.bag).toBe(50);
    const [, two, , four, , , , eight, , ten] = scene.tokens;
    expect(two?.where).toEqual({ at: 'field', cell: 'D1', turns: 2, up: 'i' });
    expect(two?.known).toBe('all');
    expect(four?.known).toEqual(['first']);
    expect(four && [shown(four), lower(four)]).toEqual(['RGYB', 'YYVR']);
    expect(eight && lower(eight)).toBeNull();
    expect(ten?.where).toEqual({ at: 'pile', seat: 'second' });
    expect(front(scene, 'second').map(({ number }) => number)).toEqual([5, 6, 8]);
    expect([score(scene, 'first'), score(scene, 'second')]).toEqual([1, 3]);
  });

  it('say what is still in the bag', () => {
    const left = new Map(unseen(readView(VIEW)));
    expect(left.get('RGYB')).toBe(0);
    expect([...left.values()].reduce((sum, n) => sum + n)).toBe(50);
  });

  it('of the vectors are all read, the groups to settle with them', () => {
    for (const vector of vectors) {
      const scene = read(vector);
      expect(scene.tokens.length + scene.bag).toBe(SET_SIZE);
      expect(scene.mover === null).toBe(vector.legal.length === 0);
      for (const key of scene.stones.keys()) expect(scene.cells.has(key)).toBe(true);
      if (['three', 'four'].includes(scene.phase)) {
        expect(groups(scene.stones).map(({ tokens }) => tokens)).toContainEqual(scene.group);
      }
      if (scene.phase === 'level') {
        const cells = largest(groups(scene.stones)).map((group) => `level ${group.cells[0] ?? ''}`);
        expect(cells).toEqual(vector.legal);
      }
    }
    for (const { view } of demo) expect(readView(view).viewer).toBe('spectator');
  });

  it.each(['', 'first', 'third 1 place skips:0 bonus:0', `${VIEW} XXXXb=1`, `${VIEW} RGYBb@Z1r0`])(
    'refuse %j',
    (text) => {
      expect(() => readView(text)).toThrow(BadView);
    },
  );
});

describe('moves', () => {
  it('are taken apart', () => {
    expect(parts('17@C4r2')).toEqual({ verb: 'put', token: 17, cell: 'C4', turns: 2 });
    expect(parts('keep 23i')).toEqual({ verb: 'keep', token: 23, up: 'i' });
    expect(parts('level C4')).toEqual({ verb: 'level', cell: 'C4' });
    expect(parts('take 3')).toEqual({ verb: 'take', token: 3 });
    expect(parts('done')).toEqual({ verb: 'done' });
    expect(parts('dance')).toBeNull();
  });

  it('of the vectors can all be picked, none by the beginning of another', () => {
    for (const vector of vectors) {
      const scene = read(vector);
      const paths = vector.legal.map((move) => model.path(move, scene));
      const spelled = new Set(paths.map((path) => path.join(' ')));
      expect(spelled.size).toBe(paths.length);
      for (const path of paths) {
        for (let n = 1; n < path.length; n++) {
          expect(spelled.has(path.slice(0, n).join(' '))).toBe(false);
        }
      }
    }
  });

  it('place a token: which, where, how it is turned', () => {
    const vector = inPhase('place');
    const scene = read(vector);
    const ways = vector.legal.map((move) => ({ move, path: model.path(move, scene) }));
    const [move = ''] = vector.legal;
    const [token = '', cell = ''] = ways[0]?.path ?? [];
    expect([...lit(ways, [])].every((key) => key.startsWith('t'))).toBe(true);
    expect(pick(ways, [token], cell)).toEqual({ picked: [token, cell] });
    expect(pick(ways, [token, cell], 'r0')).toEqual({ move });
  });

  it('divide a large group without picking its token', () => {
    const vector = inPhase('five');
    const scene = read(vector);
    const [token = 0] = scene.group;
    expect(model.path(`pile ${String(token)}`, scene)).toEqual(['pile']);
    expect(model.path(`keep ${String(token)}i`, scene)).toEqual(['i']);
  });

  it('are spelled shorter where that is clear', () => {
    expect(model.spellings('17@C4r0')).toEqual(['17@C4']);
    expect(model.spellings('level C4')).toEqual(['C4']);
  });

  it('are outlined, and a token comes from the front', () => {
    expect(model.touched(deed('17@C4r2'))).toEqual(['t17']);
    expect(model.touched(deed('take 17', 'second'))).toEqual(['pile:second']);
    expect(model.touched(deed('RVGB', 'chance'))).toEqual([]);
    expect(model.slides(deed('17@C4r2'))).toEqual([{ from: 'front:first', to: 't17' }]);
  });
});

describe('what a token would make', () => {
  it('agrees with what it made', () => {
    demo.forEach(({ view, deed: done }, i) => {
      const before = demo[i - 1]?.view;
      const found = done === undefined ? null : parts(done.text);
      if (before === undefined || found?.verb !== 'put') return;
      const scene = readView(before);
      const token = scene.tokens[found.token - 1];
      if (token === undefined) return;
      const made = groupsWith(scene, token, found.cell, found.turns);
      expect(made).toEqual(groups(readView(view).stones));
    });
  });
});

describe('words', () => {
  const scene = readView(VIEW);

  it('name every key', () => {
    expect(model.name('t8', scene, say)).toBe(
      'name.front.b 8 colour.R, colour.Y, colour.B, colour.G side.second',
    );
    expect(model.name('t4', scene, say)).toContain('name.lower colour.Y, colour.Y');
    expect(model.name('pile:second', scene, say)).toBe('name.heap side.second 1');
    expect(model.name('A8', scene, say)).toBe('name.cell A8');
    expect(model.name('r2', scene, say)).toBe('name.put');
    expect(model.name('take', scene, say)).toBe('name.take');
    expect(pile(scene, 'second')).toHaveLength(1);
  });

  it('tell every move, and what chance shows', () => {
    expect(model.tell(deed('17@C4r2'), scene, say)).toBe('tell.put side.first 17 C4');
    expect(model.tell(deed('keep 2b'), scene, say)).toBe('tell.keep.b side.first 2');
    expect(model.tell(deed('skip'), scene, say)).toBe('tell.skip side.first');
    expect(model.tell(deed('?', 'chance'), scene, say)).toBe('tell.looks');
    expect(model.tell(deed('RVGB', 'chance'), scene, say)).toMatch(/^tell.draws/);
    const written = (move: string, by?: 'chance'): string =>
      model.notation(deed(move, by), { pieces: 'letters', animate: true }, say);
    expect(written('RVGB', 'chance')).toBe('list.draws letter.Rletter.Vletter.Gletter.B');
    expect(written('?', 'chance')).toBe('list.looks');
    expect(written('20@A5r3')).toBe('list.put 20 A5');
  });
});
