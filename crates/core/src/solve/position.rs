//! A position as the mover sees it, and its text (O14).

use super::Pieces;
use super::board::{
    ALL, BURI, FAR, FLOUNDER, HOME, INADA, KINDS, LANES, NEAR, OCTOPUS, REACH, REACHED_BY,
    REACHED_BY_OPPONENT, cells, lane, mirror, mirror_mask, turn, union,
};
use crate::error::{Error, Kind};

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

    /// Reads the text of O14. All positions that the rules can spell are read, ended ones too.
    ///
    /// ```
    /// use visavis_core::solve::{Pieces, position::Position};
    /// let start = Position::parse("kmt/1i1/1I1/TMK b -").unwrap();
    /// assert_eq!(start, Position::start(Pieces::ALL));
    /// assert_eq!(start, Position::parse("kmt/1i1/1I1/TMK w -").unwrap(), "sides are folded");
    /// ```
    pub fn parse(text: &str) -> Result<Position, Error> {
        let wrong =
            |why: &str| Error { kind: Kind::NotAPosition, culprit: text.to_owned(), why: why.to_owned() };
        let mut fields = text.split(' ');
        let (Some(rows), Some(side), Some(hands), None) =
            (fields.next(), fields.next(), fields.next(), fields.next())
        else {
            return Err(wrong("write board, side and hands like kmt/1i1/1I1/TMK b -"));
        };
        let mut seen = Position::default();
        let mut cell = 0;
        for (index, row) in rows.split('/').enumerate() {
            for letter in row.bytes() {
                match letter {
                    b'1'..=b'3' => cell += usize::from(letter - b'0'),
                    _ if cell < 12 => {
                        seen.put(letter, cell).ok_or_else(|| wrong("no such piece"))?;
                        cell += 1;
                    }
                    _ => break,
                }
            }
            if index > 3 || cell != 3 * (index + 1) {
                return Err(wrong("the board has four rows of three cells"));
            }
        }
        if cell != 12 {
            return Err(wrong("the board has four rows of three cells"));
        }
        for letter in hands.bytes().filter(|&letter| hands != "-" && !letter.eq_ignore_ascii_case(&b'm')) {
            let hand = b"ITK".iter().position(|kind| letter.eq_ignore_ascii_case(kind));
            let hand = hand.ok_or_else(|| wrong("hands hold I, T and K"))?;
            let holder = if letter.is_ascii_uppercase() { &mut seen.own } else { &mut seen.opponent };
            holder.hand[hand] = holder.hand[hand].saturating_add(1);
        }
        if !Pieces::ALL.hold(seen.pieces()) {
            return Err(wrong("there are two each of inada or buri, octopus, flounder"));
        }
        match side {
            "b" => Ok(seen),
            "w" => Ok(seen.turned()),
            _ => Err(wrong("the side to move is b or w")),
        }
    }

    fn put(&mut self, letter: u8, cell: usize) -> Option<()> {
        let side = if letter.is_ascii_uppercase() { &mut self.own } else { &mut self.opponent };
        let kind = match letter.to_ascii_uppercase() {
            b'M' if side.tuna == 0 => {
                side.tuna = 1 << cell;
                return Some(());
            }
            b'I' => INADA,
            b'B' => BURI,
            b'T' => OCTOPUS,
            b'K' => FLOUNDER,
            _ => return None,
        };
        side.men |= 1 << (cell + 16 * kind);
        Some(())
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

/// The text of O14 with the mover as first player.
impl std::fmt::Display for Position {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let letter = |cell: usize| {
            [(&self.own, b"MIBTK"), (&self.opponent, b"mibtk")].into_iter().find_map(|(side, letters)| {
                let kind = KINDS
                    .into_iter()
                    .find(|&kind| lane(side.men, kind) >> cell & 1 == 1)
                    .map(|kind| kind + 1);
                kind.or((side.tuna >> cell & 1 == 1).then_some(0)).map(|index| char::from(letters[index]))
            })
        };
        for row in 0..4 {
            let mut gap = 0;
            for cell in 3 * row..3 * row + 3 {
                match letter(cell) {
                    None => gap += 1,
                    Some(letter) if gap > 0 => {
                        write!(out, "{gap}{letter}")?;
                        gap = 0;
                    }
                    Some(letter) => write!(out, "{letter}")?,
                }
            }
            if gap > 0 {
                write!(out, "{gap}")?;
            }
            write!(out, "{}", if row < 3 { "/" } else { " b " })?;
        }
        let mut hands = String::new();
        for (side, taken, letters) in
            [(&self.own, self.opponent.tuna, "MITK"), (&self.opponent, self.own.tuna, "mitk")]
        {
            let held = [u8::from(taken == 0), side.hand[0], side.hand[1], side.hand[2]];
            for (letter, times) in letters.chars().zip(held) {
                hands.extend(std::iter::repeat_n(letter, usize::from(times)));
            }
        }
        write!(out, "{}", if hands.is_empty() { "-" } else { &hands })
    }
}
