//! The state, and what a move does to it (E9–E19).

use super::board::{ADJACENT, BASE_SET, BASES, CELLS, Cell, EDGES_AT, TERRITORIES, cells};
use super::piece::{Battle, Element, Piece, battle, elements};
use crate::game::Seat;
use std::hash::{Hash, Hasher};

/// Ordinary pieces of a side (E4).
pub const PIECES: usize = 15;
/// How many of them start with each element (E6).
pub const OF_EACH: usize = 3;
/// The cell of a destroyed piece.
pub const GONE: Cell = 63;
const EMPTY: u8 = 63;
const ALL_OWNED: u8 = 31;

/// A man is a king or an ordinary piece: 16 to a side, the king last. Ordinary ones are in the order of the
/// cells they started on.
pub type Man = u8;
const SIDE: usize = PIECES + 1;

/// The king of a seat.
#[inline]
pub const fn king(seat: Seat) -> Man {
    (seat.index() * SIDE + PIECES) as Man
}

/// The side of a man.
#[inline]
const fn seat_of(man: Man) -> Seat {
    if (man as usize) < SIDE { Seat::First } else { Seat::Second }
}

/// The number of an ordinary man among those of both sides.
#[inline]
const fn piece_of(man: Man) -> usize {
    man as usize - man as usize / SIDE
}

/// Fifteen elements, three bits each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arrangement(u64);

impl Arrangement {
    /// Packs the elements of the cells of a territory.
    pub fn new(elements: [Element; PIECES]) -> Self {
        Arrangement(elements.iter().rev().fold(0, |packed, &element| packed << 3 | element as u64))
    }

    /// The element of a cell of the territory.
    #[inline]
    pub fn get(self, at: usize) -> Element {
        Element::ALL[(self.0 >> (3 * at) & 7) as usize]
    }

    /// All elements, in order.
    pub fn iter(self) -> impl Iterator<Item = Element> {
        (0..PIECES).map(move |at| self.get(at))
    }

    /// Whether there are three of each (E6).
    pub fn is_legal(self) -> bool {
        Element::ALL.iter().all(|&element| self.iter().filter(|&e| e == element).count() == OF_EACH)
    }

    /// A set-up with every order equally likely.
    pub fn random(rng: &mut fastrand::Rng) -> Self {
        let mut elements = std::array::from_fn(|at| Element::ALL[at / OF_EACH]);
        rng.shuffle(&mut elements);
        Arrangement::new(elements)
    }
}

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A set-up (E6).
    Arrange(Arrangement),
    /// To an empty cell (E11).
    Step(Cell, Cell),
    /// To a cell held by the enemy (E12), by a king with an element (E15).
    Attack(Cell, Cell, Option<Element>),
    /// An element for a king under attack (E15) or for a piece on a base (E13).
    Choose(Element),
}

/// What has to be decided before the turn can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pending {
    /// Nothing: a turn begins.
    Nothing,
    /// An attack on a king is to be answered. The element is an attacking king's; in a view it may be
    /// unknown.
    Attack(Cell, Cell, Option<Element>),
    /// The piece on a base is to change.
    Change(Cell),
}

/// A game at one moment.
///
/// Men know their cells and cells their men; `held` and `cuts` follow from these and make counting and
/// drawing moves quick: the cut of a side is the set of the edges it can move along (see [`EDGES_AT`]).
#[derive(Clone, Copy)]
pub struct State {
    cells: [Cell; 2 * SIDE],
    men: [Man; CELLS],
    pieces: [Piece; 2 * PIECES],
    /// The elements that the kings own, as sets.
    pub owned: [u8; 2],
    /// Who has given a set-up.
    pub given: [bool; 2],
    /// What is to be decided within the turn.
    pub pending: Pending,
    /// The number of the turn; 0 during the set-up.
    pub turn: u32,
    /// The last turn with a loss (E21).
    pub loss: u32,
    held: [u64; 2],
    cuts: [u128; 2],
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.essence() == other.essence()
    }
}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.essence().hash(hasher);
    }
}

impl State {
    /// The state before the set-up: all men at home (E4).
    pub fn start() -> Self {
        let mut state = State {
            cells: [GONE; 2 * SIDE],
            men: [EMPTY; CELLS],
            pieces: [Piece::UNKNOWN; 2 * PIECES],
            owned: [ALL_OWNED; 2],
            given: [false; 2],
            pending: Pending::Nothing,
            turn: 0,
            loss: 0,
            held: [0; 2],
            cuts: [0; 2],
        };
        for seat in Seat::BOTH {
            for at in 0..PIECES {
                state.place(seat, at, TERRITORIES[seat.index()] + at as Cell);
            }
            state.place_king(seat, BASES[seat.index()]);
        }
        state
    }

    /// The state of the play phase with nobody on the board, to be filled with men.
    pub fn empty() -> Self {
        let mut state = State::start();
        state.cells = [GONE; 2 * SIDE];
        state.men = [EMPTY; CELLS];
        (state.held, state.cuts, state.given) = ([0; 2], [0; 2], [true; 2]);
        state
    }

    /// All that the rest follows from.
    fn essence(&self) -> impl PartialEq + Hash + '_ {
        let counters = (self.owned, self.given, self.pending, self.turn, self.loss);
        (&self.cells, &self.pieces, counters)
    }

    // What stands where

    /// Whose turn it is (E9).
    #[inline]
    pub fn mover(&self) -> Seat {
        if self.turn % 2 == 1 { Seat::First } else { Seat::Second }
    }

    /// The cells of a side's men, as a set.
    #[inline]
    pub fn held(&self, seat: Seat) -> u64 {
        self.held[seat.index()]
    }

    /// The edges along which a side can move or attack.
    #[inline]
    pub fn cut(&self, seat: Seat) -> u128 {
        self.cuts[seat.index()]
    }

    /// Where a king is.
    #[inline]
    pub fn king_cell(&self, seat: Seat) -> Cell {
        self.cells[king(seat) as usize]
    }

    /// Where an ordinary piece is, if it was not destroyed.
    pub fn cell(&self, seat: Seat, at: usize) -> Option<Cell> {
        Some(self.cells[seat.index() * SIDE + at]).filter(|&cell| cell != GONE)
    }

    /// An ordinary piece of a side, by its place in the side's order.
    pub fn piece(&self, seat: Seat, at: usize) -> Piece {
        self.pieces[seat.index() * PIECES + at]
    }

    /// Replaces an ordinary piece.
    pub fn set_piece(&mut self, seat: Seat, at: usize, piece: Piece) {
        self.pieces[seat.index() * PIECES + at] = piece;
    }

    /// The ordinary piece on a cell that holds one.
    #[inline]
    pub fn piece_on(&self, cell: Cell) -> Piece {
        self.pieces[piece_of(self.men[cell as usize])]
    }

    /// Puts an ordinary piece that is not on the board on an empty cell.
    pub fn place(&mut self, seat: Seat, at: usize, cell: Cell) {
        self.put((seat.index() * SIDE + at) as Man, cell);
    }

    /// Puts a king that is not on the board on an empty cell.
    pub fn place_king(&mut self, seat: Seat, cell: Cell) {
        self.put(king(seat), cell);
    }

    #[inline]
    fn put(&mut self, man: Man, cell: Cell) {
        self.cells[man as usize] = cell;
        self.men[cell as usize] = man;
        self.flip(seat_of(man), cell);
    }

    #[inline]
    fn lift(&mut self, man: Man, cell: Cell) {
        self.cells[man as usize] = GONE;
        self.men[cell as usize] = EMPTY;
        self.flip(seat_of(man), cell);
    }

    #[inline]
    fn flip(&mut self, seat: Seat, cell: Cell) {
        self.held[seat.index()] ^= 1 << cell;
        self.cuts[seat.index()] ^= EDGES_AT[cell as usize];
    }

    // Flow

    /// Stores a set-up; when both are in, play begins (E6).
    pub fn arrange(&mut self, seat: Seat, arrangement: Arrangement) {
        for (at, element) in arrangement.iter().enumerate() {
            self.set_piece(seat, at, Piece::new(element));
        }
        self.given[seat.index()] = true;
        self.turn = u32::from(self.given == [true; 2]);
    }

    /// Who must decide in the play phase: the mover, or who must answer its attack.
    #[inline]
    pub fn decider(&self) -> Seat {
        match self.pending {
            Pending::Attack(..) => self.mover().other(),
            _ => self.mover(),
        }
    }

    /// The elements that may be chosen while something is pending, as a set (E13, E15).
    #[inline]
    pub fn choices(&self) -> u8 {
        match self.pending {
            Pending::Nothing => 0,
            Pending::Attack(..) => self.owned[self.mover().other().index()],
            Pending::Change(cell) => ALL_OWNED & !self.piece_on(cell).now().map_or(0, Element::bit),
        }
    }

    /// Appends the moves and attacks of the mover: by origin, by target, by element.
    pub fn turns(&self, moves: &mut Vec<Move>) {
        let mover = self.mover();
        let (own, enemy) = (self.held(mover), self.held(mover.other()));
        for origin in cells(own) {
            let is_king = origin == self.king_cell(mover);
            for target in cells(ADJACENT[origin as usize] & !own) {
                if enemy & 1 << target == 0 {
                    moves.push(Move::Step(origin, target));
                } else if is_king {
                    let owned = elements(self.owned[mover.index()]);
                    moves.extend(owned.map(|element| Move::Attack(origin, target, Some(element))));
                } else {
                    moves.push(Move::Attack(origin, target, None));
                }
            }
        }
    }

    /// Makes a legal move of the play phase.
    #[inline]
    pub fn play(&mut self, mv: Move) {
        match (mv, self.pending) {
            (Move::Step(origin, target), _) => {
                let man = self.men[origin as usize];
                self.lift(man, origin);
                self.arrive(man, target);
            }
            (Move::Attack(origin, target, element), _) => {
                if target == self.king_cell(self.mover().other()) {
                    self.pending = Pending::Attack(origin, target, element);
                } else if let Some(defending) = self.piece_on(target).now() {
                    self.resolve(origin, target, element, defending);
                }
            }
            (Move::Choose(answer), Pending::Attack(origin, target, element)) => {
                self.resolve(origin, target, element, answer);
            }
            (Move::Choose(element), Pending::Change(cell)) => {
                let piece = &mut self.pieces[piece_of(self.men[cell as usize])];
                *piece = piece.changed(element);
                self.end_turn();
            }
            (Move::Choose(_), Pending::Nothing) | (Move::Arrange(_), _) => {}
        }
    }

    /// Fights a battle; `attacking` is an attacking king's element (E14, E16–E19).
    fn resolve(&mut self, origin: Cell, target: Cell, attacking: Option<Element>, y: Element) {
        let (attacker, defender) = (self.men[origin as usize], self.men[target as usize]);
        let Some(x) = attacking.or_else(|| self.piece_on(origin).now()) else { return };
        self.open(attacker, x);
        self.open(defender, y);
        let result = battle(x, y);
        if result != Battle::Nothing {
            self.loss = self.turn;
        }
        if matches!(result, Battle::Loss | Battle::Trade) {
            self.destroy(attacker, origin, x);
        }
        if matches!(result, Battle::Win | Battle::Trade) {
            self.destroy(defender, target, y);
        }
        if result == Battle::Win && self.men[target as usize] == EMPTY {
            self.lift(attacker, origin);
            self.arrive(attacker, target);
        } else {
            self.end_turn();
        }
    }

    #[inline]
    fn open(&mut self, man: Man, element: Element) {
        if man != king(seat_of(man)) {
            let piece = &mut self.pieces[piece_of(man)];
            *piece = piece.opened(element);
        }
    }

    #[inline]
    fn destroy(&mut self, man: Man, cell: Cell, element: Element) {
        let seat = seat_of(man);
        if man == king(seat) {
            self.owned[seat.index()] &= !element.bit();
        } else {
            self.lift(man, cell);
        }
    }

    #[inline]
    fn arrive(&mut self, man: Man, cell: Cell) {
        self.put(man, cell);
        if BASE_SET & 1 << cell != 0 && man != king(seat_of(man)) {
            self.pending = Pending::Change(cell);
        } else {
            self.end_turn();
        }
    }

    #[inline]
    fn end_turn(&mut self) {
        self.pending = Pending::Nothing;
        self.turn += 1;
    }
}
