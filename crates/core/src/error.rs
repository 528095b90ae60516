//! What can go wrong, each failure with the culprit: texts that can't be read, moves that can't be made, options
//! out of range.

use crate::game::Seat;
use std::fmt;

/// An expected failure.
///
/// ```
/// use visavis_core::error::Error;
/// use visavis_core::game::Seat;
///
/// assert_eq!(Error::NotYourTurn { seat: Seat::First }.to_string(), "it is not first's turn");
/// let error = Error::bad_option("size", "must be from 3 to 9");
/// assert_eq!(error.to_string(), r#"BadOption: "size": must be from 3 to 9"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No game of that name.
    UnknownGame {
        /// The name.
        slug: String,
    },
    /// A game that has no solver.
    NotSolvable {
        /// The name of the game.
        slug: String,
    },
    /// An option that does not exist or is out of its range.
    BadOption {
        /// The name of the option.
        name: String,
        /// What is wrong with it.
        why: String,
    },
    /// A text that is no move at all.
    NotAMove {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A move, or a face of a roll, that is not possible now.
    IllegalMove {
        /// The text of the move or the face.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A move by a seat that is not asked for one.
    NotYourTurn {
        /// The seat.
        seat: Seat,
    },
    /// More moves than can be gone through one by one.
    TooManyMoves {
        /// How many there are.
        count: u64,
    },
    /// A text that is no position.
    NotAPosition {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
    /// A text that is no view.
    NotAView {
        /// The text.
        text: String,
        /// What is wrong with it.
        why: String,
    },
}

impl Error {
    /// An option that does not exist or is out of its range.
    pub fn bad_option(name: impl Into<String>, why: impl Into<String>) -> Self {
        Error::BadOption { name: name.into(), why: why.into() }
    }

    /// A text that is no move at all.
    pub fn not_a_move(text: impl Into<String>, why: impl Into<String>) -> Self {
        Error::NotAMove { text: text.into(), why: why.into() }
    }

    /// A move, or a face of a roll, that is not possible now.
    pub fn illegal_move(text: impl Into<String>, why: impl Into<String>) -> Self {
        Error::IllegalMove { text: text.into(), why: why.into() }
    }

    /// A text that is no position.
    pub fn not_a_position(text: impl Into<String>, why: impl Into<String>) -> Self {
        Error::NotAPosition { text: text.into(), why: why.into() }
    }

    /// A text that is no view.
    pub fn not_a_view(text: impl Into<String>, why: impl Into<String>) -> Self {
        Error::NotAView { text: text.into(), why: why.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnknownGame { slug } => write!(f, "UnknownGame: {slug:?}: no game of that name"),
            Error::NotSolvable { slug } => write!(f, "NotSolvable: {slug:?}: the game has no solver"),
            Error::BadOption { name, why } => write!(f, "BadOption: {name:?}: {why}"),
            Error::NotAMove { text, why } => write!(f, "NotAMove: {text:?}: {why}"),
            Error::IllegalMove { text, why } => write!(f, "IllegalMove: {text:?}: {why}"),
            Error::NotYourTurn { seat } => write!(f, "it is not {seat}'s turn"),
            Error::TooManyMoves { count } => write!(f, "{count} moves are too many to list one by one"),
            Error::NotAPosition { text, why } => write!(f, "NotAPosition: {text:?}: {why}"),
            Error::NotAView { text, why } => write!(f, "NotAView: {text:?}: {why}"),
        }
    }
}

impl std::error::Error for Error {}
