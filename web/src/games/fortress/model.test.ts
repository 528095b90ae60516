import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { lit, pick } from '../../board/chooser';
import { BadView, type Deed, type Position } from '../../board/contract';
import { demo } from './demo';
import { around, border, columnName, keyOf, middle, placeOf } from './hex';
import { model, opening, parts, preview, readView, wayTo, type Scene } from './model';
import { NAMES, readScenario } from './scenario';

interface Vector {
  readonly options: Record<string, string>;
  readonly view: string;
  readonly legal: readonly string[];
}

const file = new URL('../../../../vectors/fortress/views.jsonl', import.meta.url);
const vectors = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Vector);

/** The meadow before the first turn. */
const START = '1 7./2f5./3f2.2s/2f2.3s/5.2s/7.';

/** Two Lakes after nine moves. */
const lakes = vectors.find(({ options }) => options.scenario === 'two-lakes')?.view ?? '';

function position({ view, options, legal }: Vector): Position {
  return { view, viewer: 'first', options, legal, suggestions: {}, last: [] };
}

function scene(scenario: string, view: string, legal: readonly string[] = []): Scene {
  return readView(view, readScenario(scenario), legal);
}

function deed(text: string, remark = ''): Deed {
  return { by: 'first', text, remark };
}

/** Says what it was asked, so that a test can read it. */
function say(key: string, values: Readonly<Record<string, string | number>> = {}): string {
  return [key, ...Object.values(values)].join(' ');
}

describe('the field', () => {
  it('names its cells', () => {
    expect([0, 25, 26, 39].map(columnName)).toEqual(['A', 'Z', 'AA', 'AN']);
    for (const key of ['A1', 'Z40', 'AN7']) expect(keyOf(placeOf(key) ?? at('A1'))).toBe(key);
    expect(placeOf('end')).toBeNull();
  });

  function at(key: string): { column: number; row: number } {
    return placeOf(key) ?? { column: -1, row: -1 };
  }

  it('has neighbours as the rules have them', () => {
    expect(around(at('B2')).map(keyOf).sort()).toEqual(['A2', 'B1', 'B3', 'C1', 'C2', 'C3']);
    expect(around(at('B3')).map(keyOf).sort()).toEqual(['A2', 'A3', 'A4', 'B2', 'B4', 'C3']);
  });

  it('has borders only where a land ends', () => {
    const edges = (keys: string[]): number =>
      border(new Set(keys), (key) => middle(at(key))).split('M').length - 1;
    expect(edges(['B2'])).toBe(6);
    expect(edges(['B2', 'C2'])).toBe(10);
    expect(edges(['B2', ...around(at('B2')).map(keyOf)])).toBe(18);
  });
});

describe('scenarios', () => {
  it('are read by name and on one line', () => {
    expect(NAMES).toContain('river');
    expect(readScenario()?.mode).toBe('young');
    const read = readScenario('rough:9x8:18:B3:H6:D1,F8:E4,E5');
    expect(read?.cities).toEqual({ first: 'B3', second: 'H6' });
    expect([...(read?.water ?? [])]).toEqual(['E4', 'E5']);
    expect(readScenario('young:7x6:17:B3:F4')?.turns).toBe(17);
    expect(readScenario('atlantis')).toBeNull();
  });
});

describe('openings', () => {
  it('are where a game begins', () => {
    const meadow = readScenario('meadow');
    const start = scene('meadow', START);
    expect(meadow && opening(meadow).cells).toEqual(start.cells);
    for (const name of NAMES) {
      const scenario = readScenario(name);
      expect(scenario && opening(scenario).turn).toBe(1);
    }
  });
});

describe('views', () => {
  it('are read with lands, fortresses, generals and the score', () => {
    const found = scene('river', '3 3f6./4f5./4f5./3f6./9./7.2s/6.3s/6.3s D1!,B3 -');
    expect(found.cells.get('C1')).toEqual({
      key: 'C1',
      ground: 'land',
      owner: 'first',
      fort: false,
      city: null,
    });
    expect(found.cells.get('B3')?.city).toBe('first');
    expect(found.scores).toEqual({ first: 14, second: 8 });
    expect(found.generals.get('D1')).toEqual({ seat: 'first', acted: true });
    expect(found.left).toEqual({ first: 11, second: 11 });
    expect(found.mover).toBe('first');
  });

  it('of the vectors are all read, and end after the last turn', () => {
    for (const vector of vectors) {
      const found = model.read(position(vector));
      expect(found.cells.size).toBe(found.scenario.width * found.scenario.height);
      expect(found.mover === null).toBe(vector.legal.length === 0);
    }
    for (const { view } of demo) expect(scene('two-lakes', view).cells.size).toBe(80);
  });

  it.each(['', '1 7.', '1 7./7./7./7./7./8.', 'x 7./7./7./7./7./7.', '1 7./7./7./7./7./6x'])(
    'refuse %j',
    (text) => {
      expect(() => scene('meadow', text)).toThrow(BadView);
    },
  );
});

describe('moves', () => {
  it('are taken apart', () => {
    expect(parts('C4')).toEqual({ cells: ['C4'], builds: true });
    expect(parts('C3-D3-D4')).toEqual({ cells: ['C3', 'D3', 'D4'], builds: false });
    expect(parts('C3-D3+')).toEqual({ cells: ['C3', 'D3'], builds: true });
    expect(parts('end')).toBeNull();
  });

  it('of the vectors can all be picked, none by the beginning of another', () => {
    for (const vector of vectors) {
      const found = model.read(position(vector));
      const ways = vector.legal.map((move) => ({ move, path: model.path(move, found) }));
      const spelled = ways.map(({ path }) => path.join(' '));
      expect(new Set(spelled).size).toBe(spelled.length);
      for (const { path } of ways) {
        for (let n = 1; n < path.length; n++) {
          expect(spelled).not.toContain(path.slice(0, n).join(' '));
        }
      }
    }
  });

  it('that build are looked at before', () => {
    const found = scene('meadow', START, ['C3', 'C5']);
    const ways = ['C3', 'C5'].map((move) => ({ move, path: model.path(move, found) }));
    expect(pick(ways, [], 'C5')).toEqual({ picked: ['C5'] });
    expect(pick(ways, ['C5'], 'C5')).toEqual({ move: 'C5' });
    expect(pick(ways, ['C5'], 'C3')).toEqual({ picked: ['C3'] });
  });

  it('of generals go the shortest way, and ask only where there is a choice', () => {
    const legal = ['B3-A2-A3', 'B3-A3', 'B3-A3+', 'B3-A2-B2', 'B3-C3-B2', 'B3+', 'end'];
    const found = scene('river', '3 3f6./4f5./4f5./3f6./9./7.2s/6.3s/6.3s B3 -', legal);
    const ways = legal.map((move) => ({ move, path: model.path(move, found) }));
    expect(wayTo(found, 'B3', 'A3')).toEqual(['B3', 'A3']);
    expect([...lit(ways, ['B3', 'A3'])].sort()).toEqual(['build', 'go']);
    expect(pick(ways, ['B3', 'A3'], 'go')).toEqual({ move: 'B3-A3' });
    expect(pick(ways, ['B3'], 'B2')).toEqual({ move: 'B3-A2-B2' });
    expect(pick(ways, ['B3', 'B3'], 'build')).toEqual({ move: 'B3+' });
    expect(pick(ways, [], 'end')).toEqual({ move: 'end' });
  });

  it('are spelled without signs too', () => {
    expect(model.spellings('C3-D3+')).toEqual(['C3D3+', 'C3 D3+']);
  });

  it('are outlined, and generals glide', () => {
    expect(model.touched(deed('C3-D3-D4'))).toEqual(['C3', 'D3', 'D4']);
    expect(model.slides(deed('C3-D3-D4'))).toEqual([{ from: 'C3', to: 'D4' }]);
    expect(model.slides(deed('C3-D3+'))).toEqual([]);
    expect(model.touched(deed('end'))).toEqual([]);
  });
});

describe('what a fortress would take', () => {
  it('agrees with what it took', () => {
    demo.forEach(({ view, deed: done }, i) => {
      if (done === undefined) return;
      const before = scene('two-lakes', demo[i - 1]?.view ?? '');
      const after = scene('two-lakes', view);
      const seat = done.by === 'first' ? 'first' : 'second';
      const other = seat === 'first' ? 'second' : 'first';
      const { won, taken } = preview(before, done.text, seat);
      expect(before.scores[seat] + won.length).toBe(after.scores[seat]);
      expect(before.scores[other] - taken).toBe(after.scores[other]);
    });
  });

  it('ends at the edge of the field and never takes a city', () => {
    const found = scene('meadow', START);
    expect([...preview(found, 'A1', 'second').cells].sort()).toEqual(['A1', 'A2', 'B1']);
    expect(preview(found, 'B2', 'second').won).not.toContain('B3');
  });
});

describe('words', () => {
  it('name every key', () => {
    const found = scene('two-lakes', lakes);
    expect(model.name('G3', found, say)).toBe('name.cell G3 fort, owner side.first');
    expect(model.name('I4', found, say)).toBe('name.cell I4 ground.water, owner side.second');
    expect(model.name('B3', found, say)).toBe('name.cell B3 city side.first');
    expect(model.name('end', found, say)).toBe('name.end');
  });

  it('tell every move', () => {
    const found = scene('two-lakes', lakes);
    expect(model.tell(deed('C4'), found, say)).toBe('tell.build side.first C4 C4');
    expect(model.tell(deed('C3-D3+', 'takes 2'), found, say)).toBe(
      'tell.gobuild side.first C3 D3 tell.takes 2',
    );
    expect(model.tell(deed('C3-D3-D4'), found, say)).toBe('tell.go side.first C3 D4');
    expect(model.tell(deed('end'), found, say)).toBe('tell.end side.first');
  });
});
