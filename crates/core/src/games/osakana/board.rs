//! Squares, kinds and pieces of Osakana, each with its texts.

use crate::game::Seat;
use std::fmt;
use std::str::FromStr;

/// Columns of the board.
pub const COLUMNS: usize = 3;
/// Squares of the board.
pub const SQUARES: usize = 12;

/// A square, numbered in reading order: A1 is 0, C4 is 11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// The square of this number, if there is one.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < SQUARES { Some(Square(index as u8)) } else { None }
    }

    /// The square of this number; numbers wrap round, so that a meaningless one is still on the board.
    #[inline]
    #[must_use]
    pub(super) const fn wrapping(index: u32) -> Self {
        Square(if index < SQUARES as u32 { index as u8 } else { 0 })
    }

    /// All squares in reading order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..SQUARES as u8).map(Square)
    }

    /// The number of the square.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let column = ['A', 'B', 'C'][self.index() % COLUMNS];
        write!(f, "{column}{}", self.index() / COLUMNS + 1)
    }
}

/// A text that names nothing of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unreadable;

impl FromStr for Square {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let &[column @ (b'A'..=b'C' | b'a'..=b'c'), row @ b'1'..=b'4'] = text.as_bytes() else {
            return Err(Unreadable);
        };
        Ok(Square((row - b'1') * COLUMNS as u8 + (column.to_ascii_uppercase() - b'A')))
    }
}

/// What a piece is, in the order of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// まぐろ: the piece to catch; goes one square any way.
    Tuna = 0,
    /// いなだ: goes straight ahead, and grows in the far row.
    Inada = 1,
    /// たこ: goes diagonally.
    Octopus = 2,
    /// かれい: goes orthogonally.
    Flounder = 3,
    /// ぶり: a grown いなだ; goes orthogonally and diagonally ahead.
    Buri = 4,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 5] = [Kind::Tuna, Kind::Inada, Kind::Octopus, Kind::Flounder, Kind::Buri];
    /// The kinds that can be dropped, in the order of a hand.
    pub const DROPPABLE: [Kind; 3] = [Kind::Inada, Kind::Octopus, Kind::Flounder];

    pub(super) const fn kana(self) -> char {
        match self {
            Kind::Tuna => 'ま',
            Kind::Inada => 'い',
            Kind::Octopus => 'た',
            Kind::Flounder => 'か',
            Kind::Buri => 'ぶ',
        }
    }

    const fn letter(self) -> char {
        match self {
            Kind::Tuna => 'M',
            Kind::Inada => 'I',
            Kind::Octopus => 'T',
            Kind::Flounder => 'K',
            Kind::Buri => 'B',
        }
    }
}

/// A piece and whose it is. Its text is the author's: `か↑`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub seat: Seat,
    /// What it is.
    pub kind: Kind,
}

impl Piece {
    /// The ASCII letter: upper case for first, lower case for second.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.seat {
            Seat::First => self.kind.letter(),
            Seat::Second => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of an ASCII letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        let kind = Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())?;
        Some(Piece { seat: if letter.is_ascii_uppercase() { Seat::First } else { Seat::Second }, kind })
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let arrow = match self.seat {
            Seat::First => '↑',
            Seat::Second => '↓',
        };
        write!(f, "{}{arrow}", self.kind.kana())
    }
}
