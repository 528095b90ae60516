//! What can go wrong: texts that can't be read, moves that can't be made, options out of range.

use std::fmt;

/// What kind of thing a text failed to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No game of that name.
    UnknownGame,
    /// An option that does not exist or is out of its range.
    BadOption,
    /// A text that is no move at all.
    NotAMove,
    /// A move, or a face of a roll, that is not possible now.
    IllegalMove,
    /// A move by a seat that is not asked for one.
    NotYourTurn,
    /// More moves than can be gone through; the culprit is their number.
    TooManyMoves,
    /// A text that is no position.
    NotAPosition,
    /// A text that is no view.
    NotAView,
}

/// An expected failure: its kind, the culprit and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// What kind of failure.
    pub kind: Kind,
    /// The text (or the name of the option, or the seat) at fault.
    pub culprit: String,
    /// What is wrong with it.
    pub why: String,
}

impl Error {
    /// An error of a kind, naming the culprit and the reason.
    pub fn new(kind: Kind, culprit: impl Into<String>, why: impl Into<String>) -> Self {
        Error { kind, culprit: culprit.into(), why: why.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}: {:?}: {}", self.kind, self.culprit, self.why)
    }
}

impl std::error::Error for Error {}
