//! A position as the mover sees it, and its text (O14).

use super::Pieces;
use super::board::{
    ALL, BURI, FAR, FLOUNDER, HOME, INADA, KINDS, LANES, NEAR, OCTOPUS, REACH, REACHED_BY,
    REACHED_BY_OPPONENT, cells, lane, mirror, mirror_mask, turn, union,
};
use crate::error::Error;
use crate::game::Seat;
use crate::games::osakana::text::{format_position, parse_smaller_position};
use crate::games::osakana::{self as kernel, Kind, Piece};
use std::fmt;

/// One side: its tuna, its men on the board, and what it holds in hand (inada, octopus, flounder).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Side {
    /// The tuna's cell as a mask; none if it has been taken.
    pub tuna: u16,
    /// The men in lanes by kind.
    pub men: u64,
    /// How many inada, octopuses and flounders are in hand.
    pub hand: [u8; 3],
}

/// Board and hands seen by the player to move, who looks up the board. Whose turn it is is not part of it:
/// that is how the two sides are folded into one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Position {
    /// The player to move.
    pub own: Side,
    /// The other.
    pub opponent: Side,
}

/// Which hand a man of a kind goes to when it is caught: an inada and a buri to the same.
pub const HAND_OF: [usize; 4] = [0, 0, 1, 2];
/// The kind of man that is dropped from a hand.
pub const MAN_OF: [usize; 3] = [INADA, OCTOPUS, FLOUNDER];

impl Side {
    /// The cells it stands on.
    #[inline]
    pub fn cells(&self) -> u16 {
        union(self.men) | self.tuna
    }

    /// The cell of its tuna, which must be on the board.
    #[inline]
    pub fn tuna_cell(&self) -> usize {
        (self.tuna.trailing_zeros() & 15) as usize
    }

    /// Whether it has nothing but its tuna.
    #[inline]
    pub fn is_alone(&self) -> bool {
        self.men == 0 && self.hand == [0; 3]
    }

    /// Whether it, looking up the board, has no move at all (O11). Opponents are no hindrance, they can be taken.
    #[inline]
    pub fn is_stuck(&self) -> bool {
        let taken = self.cells();
        NEAR[self.tuna_cell()] & !taken == 0
            && self.hand == [0; 3]
            && KINDS
                .into_iter()
                .all(|kind| cells(lane(self.men, kind)).all(|from| REACH[kind][from] & !taken == 0))
    }

    /// This side as the other player sees it.
    #[inline]
    pub fn turned(&self) -> Side {
        Side { tuna: turn(u64::from(self.tuna)) as u16, men: turn(self.men), hand: self.hand }
    }

    /// This side with left and right exchanged.
    #[inline]
    pub fn mirrored(&self) -> Side {
        Side { tuna: mirror_mask(self.tuna), men: mirror(self.men), hand: self.hand }
    }
}

impl Position {
    /// The start of the game (O2) with a choice of pieces: of a kind of which there is one, first has it.
    pub fn start(pieces: Pieces) -> Position {
        let mut start = Position {
            own: Side { tuna: 1 << 10, ..Side::default() },
            opponent: Side { tuna: 1 << 1, ..Side::default() },
        };
        for (hand, (own, opponent)) in [(7, 4), (9, 2), (11, 0)].into_iter().enumerate() {
            let shift = 16 * MAN_OF[hand];
            start.own.men |= u64::from(pieces.0[hand] > 0) << own << shift;
            start.opponent.men |= u64::from(pieces.0[hand] > 1) << opponent << shift;
        }
        start
    }

    /// The same position as the other player sees it.
    #[inline]
    pub fn turned(&self) -> Position {
        Position { own: self.opponent.turned(), opponent: self.own.turned() }
    }

    /// The position with left and right exchanged; its value is the same.
    #[inline]
    pub fn mirrored(&self) -> Position {
        Position { own: self.own.mirrored(), opponent: self.opponent.mirrored() }
    }

    /// The cells nobody stands on.
    #[inline]
    pub fn empty(&self) -> u16 {
        ALL & !(self.own.cells() | self.opponent.cells())
    }

    /// Whether the mover can take the other's tuna now (O7).
    #[inline]
    pub fn takes_tuna(&self) -> bool {
        let tuna = self.opponent.tuna_cell();
        self.own.men & REACHED_BY[tuna] != 0 || self.own.tuna & NEAR[tuna] != 0
    }

    /// The opponent's men that reach a cell, in lanes, if those on `without` are gone.
    #[inline]
    pub fn opponents_reaching(&self, cell: usize, without: u16) -> u64 {
        self.opponent.men & REACHED_BY_OPPONENT[cell] & !(u64::from(without) * LANES)
    }

    /// Where the mover's tuna can reach the far row and not be taken there (O8).
    pub fn safe_tries(&self) -> u16 {
        let mut safe = 0;
        for cell in cells(NEAR[self.own.tuna_cell()] & FAR & !union(self.own.men)) {
            if self.opponents_reaching(cell, 0) == 0 && self.opponent.tuna & NEAR[cell] == 0 {
                safe |= 1 << cell;
            }
        }
        safe
    }

    /// Whether the opponent, were it to move, could reach its far row safely: asked after the mover's move.
    #[inline]
    pub fn lets_opponent_try(&self) -> bool {
        let tuna = self.opponent.tuna_cell();
        cells(NEAR[tuna] & HOME & !union(self.opponent.men))
            .any(|cell| self.own.men & REACHED_BY[cell] == 0 && self.own.tuna & NEAR[cell] == 0)
    }

    /// Reads the text of O14, also of a smaller game. All positions that the rules can spell are read, ended ones too.
    ///
    /// ```
    /// use visavis_core::games::osakana::solve::{Pieces, position::Position};
    /// let start = Position::parse("kmt/1i1/1I1/TMK b -").unwrap();
    /// assert_eq!(start, Position::start(Pieces::ALL));
    /// assert_eq!(start, Position::parse("kmt/1i1/1I1/TMK w -").unwrap(), "sides are folded");
    /// assert_eq!(start.to_string(), "kmt/1i1/1I1/TMK b -");
    /// ```
    pub fn parse(text: &str) -> Result<Position, Error> {
        let position = parse_smaller_position(text).map_err(|why| Error::not_a_position(text, why))?;
        Ok(position.into())
    }

    /// How many inada (with buri), octopuses and flounders there are in all.
    pub fn pieces(&self) -> Pieces {
        let mut pieces = Pieces([0; 3]);
        for side in [&self.own, &self.opponent] {
            for (kind, &hand) in HAND_OF.iter().enumerate() {
                pieces.0[hand] += lane(side.men, kind).count_ones() as u8;
            }
            for (total, held) in pieces.0.iter_mut().zip(side.hand) {
                *total = total.saturating_add(held);
            }
        }
        pieces
    }
}

/// The lane of a kind of man; none for a tuna.
const fn lane_of(kind: Kind) -> Option<usize> {
    match kind {
        Kind::Tuna => None,
        Kind::Inada => Some(INADA),
        Kind::Buri => Some(BURI),
        Kind::Octopus => Some(OCTOPUS),
        Kind::Flounder => Some(FLOUNDER),
    }
}

/// A position of the kernel as its mover sees it.
impl From<kernel::Position> for Position {
    fn from(position: kernel::Position) -> Self {
        let side = |seat: Seat| {
            let mut side =
                Side { hand: Kind::DROPPABLE.map(|kind| position.held(seat, kind)), ..Side::default() };
            for square in kernel::squares(position.own(seat)) {
                match position.piece(square).and_then(|piece| lane_of(piece.kind)) {
                    Some(lane) => side.men |= 1 << (square.index() + 16 * lane),
                    None => side.tuna |= 1 << square.index(),
                }
            }
            side
        };
        let seen = Position { own: side(Seat::First), opponent: side(Seat::Second) };
        if position.mover() == Seat::First { seen } else { seen.turned() }
    }
}

/// The position of the kernel with the mover as first player.
impl From<Position> for kernel::Position {
    fn from(position: Position) -> Self {
        let mut made = kernel::Position::empty(Seat::First);
        for (seat, side) in [(Seat::First, position.own), (Seat::Second, position.opponent)] {
            for kind in Kind::ALL {
                let on_board = lane_of(kind).map_or(side.tuna, |kind| lane(side.men, kind));
                for square in kernel::squares(on_board.into()) {
                    made.put(square, Piece { seat, kind });
                }
            }
            for (kind, held) in Kind::DROPPABLE.into_iter().zip(side.hand) {
                (0..held).for_each(|_| made.hold(seat, kind));
            }
        }
        made
    }
}

/// The text of O14 with the mover as first player.
impl fmt::Display for Position {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&format_position((*self).into()))
    }
}
