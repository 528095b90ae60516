//! States and moves of Fortresses.

use super::bits::Bits;
use super::board::Cell;
use crate::game::Seat;

/// All that is on the field at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State<const N: usize> {
    /// The number of the turn: first's 1, second's 2, first's 3, …
    pub turn: u16,
    /// The cells each seat controls.
    pub lands: [Bits<N>; 2],
    /// The fortresses; each belongs to whoever controls its cell.
    pub forts: Bits<N>,
    /// The generals of each seat.
    pub generals: [Bits<N>; 2],
    /// Those of the seat to move that have acted in this turn.
    pub acted: Bits<N>,
}

impl<const N: usize> State<N> {
    /// Whose turn it is.
    #[inline]
    #[must_use]
    pub fn seat(&self) -> Seat {
        if self.turn % 2 == 1 { Seat::First } else { Seat::Second }
    }

    /// How many cells each seat controls.
    #[inline]
    #[must_use]
    pub fn scores(&self) -> [i32; 2] {
        self.lands.map(|land| land.count() as i32)
    }
}

/// A move: a fortress, an order to a general, or a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// The player builds: `C4`.
    Build(Cell),
    /// A general builds where it stands: `C3+`.
    Stay(Cell),
    /// A general goes one cell: `C3-D3`.
    Step(Cell, Cell),
    /// A general goes one cell and builds there: `C3-D3+`.
    StepAndBuild(Cell, Cell),
    /// A general goes two cells: `C3-D3-D4`.
    Walk(Cell, Cell, Cell),
    /// The turn of the generals ends: `end`.
    End,
    /// Nothing can be done: `pass`.
    Pass,
}

impl Move {
    /// The cell of the general that is ordered.
    pub(super) fn general(self) -> Option<Cell> {
        match self {
            Move::Stay(cell) | Move::Step(cell, _) | Move::StepAndBuild(cell, _) | Move::Walk(cell, _, _) => {
                Some(cell)
            }
            Move::Build(_) | Move::End | Move::Pass => None,
        }
    }
}
