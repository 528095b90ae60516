/**
 * The contract of a board: what a game's folder in `games/` gives to the page, and what the page
 * gives to it. `docs/page.md` tells the story; nothing outside a game's folder names the game.
 */

import type { Component } from 'svelte';

export type Seat = 'first' | 'second';

/** Who looks: a player, or a spectator. */
export type Viewer = Seat | 'spectator';

/** Something that happened, as the viewer may see it. */
export interface Deed {
  /** Who did it: a player, or chance. */
  readonly by: Seat | 'chance';
  /** The canonical text of the move or of the face of a roll, with `?` for what is hidden. */
  readonly text: string;
  /** What it turned out to do, in the rules' own words; often empty. Models translate it. */
  readonly remark: string;
}

/** All that a board may know: what the server told this viewer, and nothing else. */
export interface Position {
  /** The canonical text of the viewer's view. */
  readonly view: string;
  readonly viewer: Viewer;
  /** The options of the match, canonical. */
  readonly options: Readonly<Record<string, string>>;
  /** The legal moves of whoever chooses here; null if they are too many to list. */
  readonly legal: readonly string[] | null;
  /** Ready-made moves by name, where the game offers such. */
  readonly suggestions: Readonly<Record<string, string>>;
  /** What led here: the last move, and the rolls since. Oldest first. */
  readonly last: readonly Deed[];
  /** The viewer's view before that, where it is known: marks are made from the difference. */
  readonly before?: string | null;
  /** The board in plain text, where the server has sent it. */
  readonly text?: string;
}

/**
 * A thing on the board that can be picked: a cell, a piece in the hand, a choice in a dialog. A
 * short text of the game's own making, the same from move to move.
 */
export type Key = string;

/** Finds a string of the game's catalogue in the user's language. */
export type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string;

/** How the user wants things to look. */
export interface Look {
  /** One of the game's `pieces`. */
  readonly pieces: string;
  readonly animate: boolean;
}

/** The headless half of a board: plain functions from text to data and back. */
export interface Model<Scene> {
  /** Reads a view into plain data. Throws `BadView` for a text that is none. */
  read(position: Position): Scene;
  /**
   * The keys a player picks, in order, to make a legal move. No path of a legal move is another's
   * beginning. A move that wants a second look can end with the same key twice.
   */
  path(move: string, scene: Scene): readonly Key[];
  /** The keys that a deed touched: they are outlined. */
  touched(deed: Deed): readonly Key[];
  /** The pieces that a deed moved, for the animation. */
  slides(deed: Deed): readonly Slide[];
  /** The name of a key and of what is there, in words. */
  name(key: Key, scene: Scene, say: Say): string;
  /** A deed in words; `scene` is what it led to, `before` what it led from, where that is known. */
  tell(deed: Deed, scene: Scene, say: Say, before?: Scene | null): string;
  /** Whether a deed took something: it sounds another way. `before` is what it led from. */
  takes?(deed: Deed, before: Scene | null): boolean;
  /** A deed as it stands in the move list, with what it turned out to do: short, no English left. */
  notation(deed: Deed, look: Look, say: Say): string;
  /** Other ways to type a move than its canonical text. */
  spellings(move: string): readonly string[];
  /** Whose the piece on a key is: only one's own begins a move ahead of the turn. */
  holder?(key: Key, scene: Scene): Seat | null;
  /** What the player is to do next, in words; `lit` is what can be picked. */
  ask(scene: Scene, picked: readonly Key[], say: Say, lit: ReadonlySet<Key>): string;
  /** What each player has, in a word or two: it stands beside their names and says who is ahead. */
  standing(scene: Scene, say: Say): Readonly<Record<Seat, string>>;
  /** How the game ends and who wins then, in a sentence, with what is left until then. */
  goal(scene: Scene, say: Say): string;
}

/** A piece went from one key to another. */
export interface Slide {
  readonly from: Key;
  readonly to: Key;
}

/** Raised by `Model.read`. */
export class BadView extends Error {
  override readonly name = 'BadView';

  constructor(readonly view: string) {
    super(`not a view of this game: ${view.slice(0, 200)}`);
  }
}

/** Attributes for the element that stands for a key; spread them on it. */
export interface KeyAttributes {
  readonly 'data-key': Key;
  readonly role: 'button' | 'img';
  readonly tabindex: 0 | -1 | undefined;
  readonly 'aria-label': string;
  readonly 'aria-pressed': boolean | undefined;
  readonly 'data-lit': '' | undefined;
  readonly 'data-picked': '' | undefined;
  readonly 'data-last': '' | undefined;
}

/** What a drawing is given. */
export interface BoardProps<Scene> {
  readonly scene: Scene;
  /** What the last deeds led from, where that is known: what they took is marked. */
  readonly before: Scene | null;
  readonly position: Position;
  /** Whether something can be chosen here now. */
  readonly active: boolean;
  /** What was picked so far. */
  readonly picked: readonly Key[];
  /** What can be picked next. */
  readonly lit: ReadonlySet<Key>;
  /** What the last deeds touched. */
  readonly last: ReadonlySet<Key>;
  /** The seat at the near side of the board. */
  readonly near: Seat;
  /** Whether there is more room to the sides than above and below. */
  readonly wide: boolean;
  /** Whether there is little height: what can be read elsewhere is left out. */
  readonly short: boolean;
  /** Whether only the board itself is wanted, without hands, trays and panels: a little picture. */
  readonly bare: boolean;
  readonly look: Look;
  readonly say: Say;
  /** The attributes of the element for a key. */
  readonly attributes: (key: Key) => KeyAttributes;
  /** Picks a key, as a click on it would. */
  readonly pick: (key: Key) => void;
  /** Says what the choice under consideration would bring; empty if there is none. */
  readonly foretell: (words: string) => void;
  /** Chooses a whole move at once: for what no list of moves can hold. */
  readonly choose: (move: string) => void;
}

/** A spectator's view, and what led to it. */
export interface DemoStep {
  readonly view: string;
  /** The options the view belongs to, where it can't be read without. */
  readonly options?: Readonly<Record<string, string>>;
  readonly deed?: Deed;
}

/** What a game's own way to choose an option is given. */
export interface PickerProps {
  /** What is chosen now: canonical, or as it was chosen here. */
  readonly value: string;
  readonly say: Say;
  readonly choose: (value: string) => void;
  /** Asks the server what the game would look like with a value, spelt out in `options`. */
  readonly preview: (value: string) => Promise<Outlook>;
}

/** A game before its first move. */
export interface Outlook {
  readonly options: Readonly<Record<string, string>>;
  readonly view: string;
}

/** What `games/SLUG/index.ts` exports as its default. */
export interface GamePage<Scene> {
  readonly model: Model<Scene>;
  readonly Board: Component<BoardProps<Scene>>;
  /** The sets of pieces to choose from, the first is the default; may be empty. */
  readonly pieces: readonly string[];
  /** What the little board on the home page shows, one after the other; may be empty. */
  readonly demo: readonly DemoStep[];
  /** Own ways to choose options, by name, where a plain field is not enough. */
  readonly pickers?: Readonly<Record<string, Component<PickerProps>>>;
  /** The hue that the page takes on around this game, in degrees of OKLCH. */
  readonly hue: number;
  /** The width of the drawing by its height, hands and trays included. */
  readonly ratio: { readonly wide: number; readonly tall: number };
}
