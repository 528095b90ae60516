//! States and moves of Osakana.

use super::board::{Piece, Square};
use super::position::{BoardEnd, Position};
use crate::game::{Outcome, Seat};

/// A move. Its text is the author's: `か↑C4C3`, `い↓A3★`; the ASCII `KC4C3`, `i*A3` is read too, and squares
/// in small letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A piece of the board goes from one square to another.
    Step {
        /// The piece as it stands before the move.
        piece: Piece,
        /// Where it stands.
        from: Square,
        /// Where it goes.
        to: Square,
    },
    /// A piece of the hand is put on a square.
    Drop {
        /// The piece.
        piece: Piece,
        /// Where it is put.
        to: Square,
    },
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The board shows it.
    Board(BoardEnd),
    /// The position came up for the third time (O9).
    Repetition,
    /// The side to move made a move that is none (O10).
    Foul,
}

/// A position and the earlier ones.
///
/// Two states are equal if the same positions came before equally often, in whatever order.
#[derive(Debug)]
pub struct State {
    pub(super) position: Position,
    /// Every earlier position, as often as it occurred.
    pub(super) earlier: Vec<Position>,
    pub(super) end: Option<End>,
}

impl State {
    /// A state with these earlier positions, in any order.
    #[must_use]
    pub fn new(position: Position, earlier: Vec<Position>) -> Self {
        let mut state = State { position, earlier, end: None };
        state.end = state.find_end();
        state
    }

    /// The position.
    #[inline]
    #[must_use]
    pub const fn position(&self) -> Position {
        self.position
    }

    /// Why the game ended, if it has.
    #[inline]
    #[must_use]
    pub const fn end(&self) -> Option<End> {
        self.end
    }

    pub(super) fn occurrences(&self) -> usize {
        occurrences(&self.earlier, self.position)
    }

    /// A number for the positions that came up twice: once more, and the game is drawn (O9). 0 if there are none.
    #[must_use]
    pub fn worn(&self) -> u64 {
        let so_far = || self.earlier.iter().chain([&self.position]);
        let is_worn = |position: &&Position| so_far().filter(|other| other == position).count() >= 2;
        so_far().filter(is_worn).map(|position| mixed(*position)).fold(0, u64::wrapping_add)
    }

    pub(super) fn find_end(&self) -> Option<End> {
        match self.position.end() {
            Some(end @ (BoardEnd::Capture | BoardEnd::Try)) => Some(End::Board(end)),
            _ if self.occurrences() >= 2 => Some(End::Repetition),
            end => end.map(End::Board),
        }
    }

    fn sorted_history(&self) -> Vec<u64> {
        let mut history: Vec<u64> = self.earlier.iter().map(|position| position.bits()).collect();
        history.sort_unstable();
        history
    }
}

impl Clone for State {
    /// Leaves room for the moves of a search, so that the first of them need not move everything.
    fn clone(&self) -> Self {
        let mut earlier = Vec::with_capacity(self.earlier.len() + 16);
        earlier.extend_from_slice(&self.earlier);
        State { position: self.position, earlier, end: self.end }
    }

    /// Reuses the memory of `self`.
    fn clone_from(&mut self, source: &Self) {
        self.position = source.position;
        self.earlier.clone_from(&source.earlier);
        self.end = source.end;
    }
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        self.position == other.position
            && self.end == other.end
            && self.earlier.len() == other.earlier.len()
            && self.sorted_history() == other.sorted_history()
    }
}

/// A position as a number without pattern.
#[inline]
pub(super) const fn mixed(position: Position) -> u64 {
    let bits = position.bits().wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (bits ^ bits >> 32).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

#[inline]
pub(super) fn occurrences(earlier: &[Position], position: Position) -> usize {
    earlier.iter().filter(|&&before| before == position).count()
}

/// How a game that ended like this with `mover` to move is scored.
pub(super) const fn outcome(end: End, mover: Seat) -> Outcome {
    match end {
        End::Foul => Outcome::new(Some(mover.other()), "foul"),
        End::Board(BoardEnd::Capture) => Outcome::new(Some(mover.other()), "capture"),
        End::Board(BoardEnd::Try) => Outcome::new(Some(mover), "try"),
        End::Repetition => Outcome::new(None, "repetition"),
        End::Board(BoardEnd::NoMoves) => Outcome::new(Some(mover.other()), "no_moves"),
    }
}
