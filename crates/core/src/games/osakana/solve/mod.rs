//! Osakana solved: the value of every position under perfect play.
//!
//! - [`board`], [`position`]: bits, and a position as its mover sees it.
//! - [`forward`]: moves. [`backward`]: moves taken back.
//! - [`numbering`]: positions as numbers without gaps, sides and mirror images folded.
//! - [`generate`]: from the ends of the game backwards to the value of every number, in parallel.
//! - [`validate`]: every value derived anew from forward moves only.
//! - [`reach`]: which positions a game can come to, and their census.
//! - [`file`](mod@file): the table on disk.
//! - [`oracle`]: the value of any position, from a table.
//! - [`line`]: second's whole won game as a small book.
//! - [`puzzle`]: positions with a single way to win.
//!
//! [`Solver`] is all of this behind texts. The number of pieces is a parameter, so that tests solve smaller games on the same board in a second.

pub mod backward;
pub mod board;
#[cfg(test)]
mod conformance;
pub mod file;
pub mod forward;
pub mod generate;
pub mod line;
pub mod numbering;
pub mod oracle;
pub mod position;
pub mod puzzle;
pub mod reach;
mod solver;
pub mod validate;
pub mod value;

pub use self::solver::Solver;

/// How many inada, octopuses and flounders a game has: at most two of each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pieces(pub [u8; 3]);

impl Pieces {
    /// The pieces of Osakana (O2).
    pub const ALL: Pieces = Pieces([2, 2, 2]);

    /// Whether others are no more than these.
    pub fn hold(self, others: Pieces) -> bool {
        self.0.iter().zip(others.0).all(|(&most, number)| number <= most)
    }
}

/// When a tuna that reached the far row safely has won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Convention {
    /// After the opponent's turn (O8): our rules.
    Osakana = 0,
    /// At once: as in dōbutsu shōgi, for comparison with published values.
    Dobutsu = 1,
}

/// What a thread keeps between blocks.
#[derive(Default)]
struct Scratch {
    opened: numbering::Opened,
    parents: Vec<numbering::Number>,
    found: u64,
}

#[cfg(test)]
mod tests;
