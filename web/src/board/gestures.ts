/**
 * Gestures on a board: clicks, drags and touches on elements that have a `data-key`, arrow keys
 * between them. Everything ends in a pick; which picks mean something the chooser knows.
 */

import { neighbour, type Direction, type Spot } from './neighbours';
import type { Key, Slide } from './contract';

/** What gestures need to know and can do. */
export interface Gestures {
  /** Whether a key can begin a move now: only such can be dragged. */
  readonly canDrag: (key: Key) => boolean;
  /** Whether a piece that is dragged can be dropped there. */
  readonly isLit: (key: Key) => boolean;
  readonly isPicked: (key: Key) => boolean;
  readonly pick: (key: Key) => void;
  /** Lets go of the last pick. */
  readonly unpick: () => void;
  readonly focus: (key: Key) => void;
}

/** How far a pointer goes before it is a drag, in pixels. */
const SLACK = 6;

const ARROWS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
};

/** The key that an element stands for, or lies in. */
export function keyOf(target: EventTarget | null): Key | null {
  if (!(target instanceof Element)) return null;
  return target.closest<HTMLElement | SVGElement>('[data-key]')?.dataset.key ?? null;
}

function keyAt(board: Element, x: number, y: number): Key | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const key = board.contains(element) ? keyOf(element) : null;
    if (key !== null) return key;
  }
  return null;
}

function find(board: Element, kind: 'key' | 'piece', key: Key): SVGElement | HTMLElement | null {
  return board.querySelector<SVGElement | HTMLElement>(`[data-${kind}="${CSS.escape(key)}"]`);
}

/** The middle of what stands for a key; a shape that is no box may say where it is. */
function middle(element: Element): { x: number; y: number } {
  const box = (element.querySelector('[data-middle]') ?? element).getBoundingClientRect();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** How many pixels a unit of the element's own coordinates takes. */
function scale(element: Element): number {
  return element instanceof SVGGraphicsElement ? (element.getScreenCTM()?.a ?? 1) : 1;
}

/** A piece in the air. */
interface Lifted {
  /** Moves it from where it was, by so many pixels. */
  moveBy(dx: number, dy: number): void;
  putDown(): void;
}

/**
 * Lifts a piece above all others: a copy of it goes along with the pointer, drawn last; the piece
 * itself stays, faintly, where it is.
 */
function liftUp(piece: SVGElement | HTMLElement): Lifted {
  const drawing = outermost(piece);
  const copy = piece.cloneNode(true) as SVGElement | HTMLElement;
  copy.removeAttribute('data-piece');
  copy.setAttribute('data-lifted', '');
  const home = place(piece, drawing);
  const unit = scale(drawing);
  const moveBy = (dx: number, dy: number): void => {
    copy.style.transform = `translate(${String(dx / unit)}px, ${String(dy / unit)}px) ${home}`;
  };
  moveBy(0, 0);
  drawing.append(copy);
  drawing.setAttribute('data-lifting', '');
  piece.setAttribute('data-away', '');
  return {
    moveBy,
    putDown() {
      copy.remove();
      drawing.removeAttribute('data-lifting');
      piece.removeAttribute('data-away');
    },
  };
}

/** The drawing that a piece is part of. */
function outermost(piece: Element): SVGElement | HTMLElement {
  let drawing: SVGElement | HTMLElement | null = null;
  for (
    let svg = piece.closest('svg');
    svg !== null;
    svg = svg.parentElement?.closest('svg') ?? null
  ) {
    drawing = svg;
  }
  return drawing ?? (piece.parentElement as HTMLElement);
}

/** Where an element is drawn in its drawing, as a transform. */
function place(piece: Element, drawing: Element): string {
  if (!(piece instanceof SVGGraphicsElement && drawing instanceof SVGGraphicsElement)) return '';
  const [own, all] = [piece.getScreenCTM(), drawing.getScreenCTM()];
  if (own === null || all === null) return '';
  const { a, b, c, d, e, f } = all.inverse().multiply(own);
  return `matrix(${[a, b, c, d, e, f].map(String).join(', ')})`;
}

/** Listens on a board; returns how to stop. `dragged` tells whether a drag made the last pick. */
export function listen(board: HTMLElement, gestures: Gestures): () => void {
  let down: { key: Key; x: number; y: number; id: number } | null = null;
  let lifted: Lifted | null = null;
  let swallowClick = false;
  /** Where the pointer went down: a click counts only where it began. */
  let pressed: Key | null = null;

  /** A preview may lie over a cell, and then the cell is meant; a button means itself. */
  function keyUnder(event: MouseEvent): Key | null {
    const key = keyOf(event.target);
    const isOther =
      event.target instanceof Element && event.target.closest('button, [role=button]');
    return key !== null || isOther ? key : keyAt(board, event.clientX, event.clientY);
  }

  function drop(): void {
    lifted?.putDown();
    lifted = null;
    down = null;
  }

  function onpointerdown(event: PointerEvent): void {
    swallowClick = false;
    const key = keyUnder(event);
    pressed = key;
    if (key === null || !event.isPrimary || event.button !== 0) return;
    if (gestures.canDrag(key)) {
      down = { key, x: event.clientX, y: event.clientY, id: event.pointerId };
    }
  }

  function lift(): void {
    if (down === null || lifted !== null) return;
    const piece = find(board, 'piece', down.key);
    if (piece === null) {
      down = null;
      return;
    }
    lifted = liftUp(piece);
    board.setPointerCapture(down.id);
    swallowClick = true;
    if (!gestures.isPicked(down.key)) gestures.pick(down.key);
  }

  function onpointermove(event: PointerEvent): void {
    if (down === null || event.pointerId !== down.id) return;
    const [dx, dy] = [event.clientX - down.x, event.clientY - down.y];
    if (lifted === null && Math.hypot(dx, dy) > SLACK) lift();
    if (lifted === null) return;
    lifted.moveBy(dx, dy);
  }

  function onpointerup(event: PointerEvent): void {
    if (down === null || lifted === null) {
      down = null;
      return;
    }
    const from = down.key;
    drop();
    const target = keyAt(board, event.clientX, event.clientY);
    if (target !== null && target !== from && gestures.isLit(target)) {
      board.setAttribute('data-dragged', '');
      gestures.pick(target);
    } else {
      gestures.unpick();
    }
  }

  function onclick(event: MouseEvent): void {
    if (swallowClick) {
      swallowClick = false;
      return;
    }
    const key = keyUnder(event);
    const byPointer = event.detail > 0;
    if (key === null || (byPointer && key !== pressed)) return;
    gestures.focus(key);
    gestures.pick(key);
  }

  function onkeydown(event: KeyboardEvent): void {
    const key = keyOf(event.target);
    if (event.key === 'Escape') {
      gestures.unpick();
      return;
    }
    if (key === null || event.altKey || event.ctrlKey || event.metaKey) return;
    const towards = ARROWS[event.key];
    if (towards !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      const next = neighbour(spots(board), key, towards);
      if (next !== null) gestures.focus(next);
    } else if ((event.key === 'Enter' || event.key === ' ') && !isNative(event.target)) {
      event.preventDefault();
      gestures.pick(key);
    }
  }

  board.addEventListener('pointerdown', onpointerdown);
  board.addEventListener('pointermove', onpointermove);
  board.addEventListener('pointerup', onpointerup);
  board.addEventListener('pointercancel', drop);
  board.addEventListener('click', onclick);
  board.addEventListener('keydown', onkeydown);
  return () => {
    board.removeEventListener('pointerdown', onpointerdown);
    board.removeEventListener('pointermove', onpointermove);
    board.removeEventListener('pointerup', onpointerup);
    board.removeEventListener('pointercancel', drop);
    board.removeEventListener('click', onclick);
    board.removeEventListener('keydown', onkeydown);
  };
}

/** A real button makes its own clicks out of Enter and Space. */
function isNative(target: EventTarget | null): boolean {
  return target instanceof HTMLButtonElement;
}

function keyed(board: Element): (HTMLElement | SVGElement)[] {
  return [...board.querySelectorAll<HTMLElement | SVGElement>('[data-key]')];
}

function spots(board: Element): Spot[] {
  return keyed(board).map((element) => ({ key: element.dataset.key ?? '', ...middle(element) }));
}

/** Moves the keyboard's focus to a key, if there is one. */
export function focusKey(board: Element, key: Key | null): void {
  if (key !== null) find(board, 'key', key)?.focus({ preventScroll: true });
}

/** The keys that something stands for now, in order. */
export function drawnKeys(board: Element): ReadonlySet<Key> {
  return new Set(keyed(board).map((element) => element.dataset.key ?? ''));
}

/** Whether the one who is on the board came by keyboard: fingers and mice need no leading. */
export function isByKeyboard(board: Element): boolean {
  return board.querySelector(':focus-visible') !== null;
}

/** The key that has the keyboard's focus. */
export function focusedKey(board: Element): Key | null {
  return board.contains(document.activeElement) ? keyOf(document.activeElement) : null;
}

/** The first key that can be picked, or else where something happened last, or the first of all. */
export function firstKey(board: Element): Key | null {
  const wanted = ['[data-lit]', '[data-last]', ''].map((mark) =>
    board.querySelector(`[data-key]${mark}`),
  );
  return keyOf(wanted.find((element) => element !== null) ?? null);
}

/** Lets pieces glide to where they now stand. */
export function glide(board: Element, slides: readonly Slide[], duration: number): void {
  for (const { from, to } of slides) {
    const [origin, target] = [find(board, 'key', from), find(board, 'key', to)];
    const piece = find(board, 'piece', to);
    if (origin === null || target === null || piece === null) continue;
    const [start, end] = [middle(origin), middle(target)];
    const unit = scale(piece);
    const [x, y] = [(start.x - end.x) / unit, (start.y - end.y) / unit];
    piece.animate(
      [{ transform: `translate(${String(x)}px, ${String(y)}px)` }, { transform: 'none' }],
      { duration, easing: 'cubic-bezier(0.25, 0.8, 0.35, 1)' },
    );
  }
}
