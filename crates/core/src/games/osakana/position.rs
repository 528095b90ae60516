//! The position in one word: board, hands and side to move, exact, so that it is its own key.
//!
//! Four lanes of 16 bits. The low 12 bits of a lane have a bit for each square, in reading order:
//!
//! | lane | a set bit says of the piece there |
//! | --- | --- |
//! | 0 *straight* | it goes straight back and sideways: tuna, buri, flounder |
//! | 1 *slant* | it goes diagonally back: tuna, octopus |
//! | 2 *tail* | it is a yellowtail, young or grown: inada, buri |
//! | 3 *owner* | it is the second player's |
//!
//! So a piece is a code of three bits (straight 1, slant 2, tail 4), and all that go in one direction come out of a
//! few operations on whole lanes: ahead go *straight or tail*; diagonally ahead *slant, or straight and tail*. An
//! inada grows by gaining the straight bit, and a taken piece with the tail bit is an inada in the hand.
//!
//! The high four bits of the lanes hold the hands, two bits a kind: first's inada and octopus in lane 0, flounder in
//! lane 1, second's likewise in lanes 2 and 3. Bit 30 is the side to move. A taken tuna is in no hand: it is the
//! one missing from the board.

use super::board::{Kind, Piece, SQUARES, Square};
use super::state::Move;
use crate::game::Seat;

/// A bit for each square.
pub type Squares = u64;

const ALL: Squares = 0xFFF;
const COLUMN_A: Squares = 0o1111;
const COLUMN_C: Squares = 0o4444;
/// The row each player is bound for.
const FAR_ROW: [Squares; 2] = [0o0007, 0o7000];
/// The lowest bit of every lane.
const EACH: u64 = 0x0001_0001_0001_0001;
const SIDE: u64 = 1 << 30;

const STRAIGHT: u64 = 1;
const SLANT: u64 = 2;
const TAIL: u64 = 4;
/// The kinds by code; no piece has the codes between.
const KIND_OF_CODE: [Option<Kind>; 8] = [
    None,
    Some(Kind::Flounder),
    Some(Kind::Octopus),
    Some(Kind::Tuna),
    Some(Kind::Inada),
    Some(Kind::Buri),
    None,
    None,
];
const TUNA: u64 = STRAIGHT | SLANT;

const fn code(kind: Kind) -> u64 {
    match kind {
        Kind::Tuna => TUNA,
        Kind::Inada => TAIL,
        Kind::Octopus => SLANT,
        Kind::Flounder => STRAIGHT,
        Kind::Buri => STRAIGHT | TAIL,
    }
}

/// The bits of a piece on square A1.
const fn piece_bits(seat: Seat, code: u64) -> u64 {
    (code & 1) | (code >> 1 & 1) << 16 | (code >> 2 & 1) << 32 | (seat as u64) << 48
}

/// One more in first's hand of what was taken, by its code; second's is [`SECOND_HAND`] further.
const TAKEN: [u64; 8] = [0, 1 << 28, 1 << 14, 0, 1 << 12, 1 << 12, 0, 0];
const SECOND_HAND: u32 = 32;

const fn hand_shift(seat: Seat, kind: Kind) -> u32 {
    TAKEN[code(kind) as usize].trailing_zeros() + SECOND_HAND * seat as u32
}

/// Lanes of [`Choices`]: four of straight steps, four of slanted ones, then a drop of each kind (and a spare).
const LANES: usize = 12;
const FIRST_DROP: usize = 8;
/// How far a choice takes a piece, by lane. A drop comes from nowhere.
const STEP: [i32; LANES] = [-3, 3, -1, 1, -4, -2, 2, 4, 0, 0, 0, 0];
/// The code of the piece that a choice drops, by lane; a step drops none.
const DROPPED: [u64; LANES] = [0, 0, 0, 0, 0, 0, 0, 0, TAIL, SLANT, STRAIGHT, 0];

/// How the game can have ended, as far as the board shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardEnd {
    /// The tuna of the side to move has been taken (O7).
    Capture,
    /// The tuna of the side to move has outlived a turn in the far row (O8).
    Try,
    /// The side to move has no move (O11).
    NoMoves,
}

/// A position: board, hands, side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position(u64);

impl Position {
    /// A board without pieces, empty hands.
    #[must_use]
    pub const fn empty(mover: Seat) -> Self {
        Position(SIDE * mover as u64)
    }

    /// All of the position in a number: different positions have different ones.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The side to move.
    #[inline]
    #[must_use]
    pub const fn mover(self) -> Seat {
        if self.0 & SIDE == 0 { Seat::First } else { Seat::Second }
    }

    /// The piece on a square.
    #[must_use]
    pub const fn piece(self, square: Square) -> Option<Piece> {
        let bits = self.0 >> square.index() & EACH;
        let seat = if bits >> 48 == 0 { Seat::First } else { Seat::Second };
        match KIND_OF_CODE[gather(bits)] {
            Some(kind) => Some(Piece { seat, kind }),
            None => None,
        }
    }

    /// Puts a piece on an empty square.
    pub fn put(&mut self, square: Square, piece: Piece) {
        self.0 |= piece_bits(piece.seat, code(piece.kind)) << square.index();
    }

    /// How many pieces of a kind a player holds. Of a taken tuna see [`Position::has_taken_tuna`].
    #[must_use]
    pub const fn held(self, seat: Seat, kind: Kind) -> u8 {
        match kind {
            Kind::Tuna | Kind::Buri => 0,
            _ => (self.0 >> hand_shift(seat, kind) & 3) as u8,
        }
    }

    /// Adds a piece to a hand, which may hold two of a kind; a tuna or buri leaves no trace.
    pub fn hold(&mut self, seat: Seat, kind: Kind) {
        if Kind::DROPPABLE.contains(&kind) {
            self.0 += 1 << hand_shift(seat, kind);
        }
    }

    /// Whether a player has taken the other tuna.
    #[must_use]
    pub const fn has_taken_tuna(self, seat: Seat) -> bool {
        self.tuna(seat.other()) == 0
    }

    #[inline(always)]
    const fn straight(self) -> Squares {
        self.0 & ALL
    }

    #[inline(always)]
    const fn slant(self) -> Squares {
        self.0 >> 16 & ALL
    }

    #[inline(always)]
    const fn tail(self) -> Squares {
        self.0 >> 32 & ALL
    }

    #[inline(always)]
    const fn occupied(self) -> Squares {
        self.straight() | self.slant() | self.tail()
    }

    /// The squares with a player's pieces.
    #[inline(always)]
    #[must_use]
    pub const fn own(self, seat: Seat) -> Squares {
        let second = self.0 >> 48 & ALL;
        match seat {
            Seat::First => self.occupied() & !second,
            Seat::Second => second,
        }
    }

    /// The square of a player's tuna, or nothing if it was taken.
    #[inline(always)]
    #[must_use]
    pub const fn tuna(self, seat: Seat) -> Squares {
        self.straight() & self.slant() & self.own(seat)
    }

    /// Whether the tuna of `seat`, whose turn it is, has outlived the other's turn in the far row.
    #[inline(always)]
    pub(super) const fn is_try(self, seat: Seat) -> bool {
        self.tuna(seat) & FAR_ROW[seat as usize] != 0
    }

    /// How the game ended, if the board shows it.
    #[must_use]
    pub fn end(self) -> Option<BoardEnd> {
        let mover = self.mover();
        if self.has_taken_tuna(mover.other()) {
            Some(BoardEnd::Capture)
        } else if self.is_try(mover) {
            Some(BoardEnd::Try)
        } else if self.choices(mover).count() == 0 {
            Some(BoardEnd::NoMoves)
        } else {
            None
        }
    }

    /// All steps of a player's pieces over the board, onto own pieces too (which they protect).
    #[inline(always)]
    #[must_use]
    pub const fn strikes(self, seat: Seat) -> Strikes {
        let own = self.own(seat);
        let (straight, slant, tail) = (self.straight() & own, self.slant() & own, self.tail() & own);
        let ahead = straight | tail;
        let slant_ahead = slant | straight & tail;
        let (up, down, slant_up, slant_down) = match seat {
            Seat::First => (ahead, straight, slant_ahead, slant),
            Seat::Second => (straight, ahead, slant, slant_ahead),
        };
        Strikes {
            straight: up >> 3
                | (down << 3 & ALL) << 16
                | (straight & !COLUMN_A) >> 1 << 32
                | (straight & !COLUMN_C) << 1 << 48,
            slanted: (slant_up & !COLUMN_A) >> 4
                | (slant_up & !COLUMN_C) >> 2 << 16
                | ((slant_down & !COLUMN_A) << 2 & ALL) << 32
                | ((slant_down & !COLUMN_C) << 4 & ALL) << 48,
        }
    }

    /// All moves of `seat`, whose turn it is.
    #[inline(always)]
    pub(super) const fn choices(self, seat: Seat) -> Choices {
        let strikes = self.strikes(seat);
        let free = (ALL & !self.own(seat)) * EACH;
        let hand = self.0 >> (SECOND_HAND * seat as u32);
        let held = hand | hand >> 1;
        let kinds = held >> 12 & 1 | (held >> 14 & 1) << 16 | (held >> 28 & 1) << 32;
        Choices {
            straight: strikes.straight & free,
            slanted: strikes.slanted & free,
            drops: (ALL & !self.occupied()) * kinds,
        }
    }

    /// The squares a piece of `seat` on `from` can go to.
    #[must_use]
    pub fn targets(self, seat: Seat, from: Square) -> Squares {
        let alone = Position(self.0 & EACH << from.index());
        let steps = alone.choices(seat);
        let merged = steps.straight | steps.slanted;
        let all = merged | merged >> 16 | merged >> 32 | merged >> 48;
        all & ALL & !self.own(seat)
    }

    /// Whether the side to move can make this move.
    #[must_use]
    pub fn is_legal(self, mv: Move) -> bool {
        let mover = self.mover();
        match mv {
            Move::Step { piece, from, to } => {
                piece.seat == mover
                    && self.piece(from) == Some(piece)
                    && self.targets(mover, from) >> to.index() & 1 != 0
            }
            Move::Drop { piece, to } => {
                piece.seat == mover && self.held(mover, piece.kind) > 0 && self.piece(to).is_none()
            }
        }
    }

    /// All moves of the side to move: steps by origin and target, then drops by kind and square.
    pub fn for_each_move(self, mut act: impl FnMut(Move)) {
        let mover = self.mover();
        for from in squares(self.own(mover)) {
            if let Some(piece) = self.piece(from) {
                squares(self.targets(mover, from)).for_each(|to| act(Move::Step { piece, from, to }));
            }
        }
        for kind in Kind::DROPPABLE {
            if self.held(mover, kind) > 0 {
                let piece = Piece { seat: mover, kind };
                squares(ALL & !self.occupied()).for_each(|to| act(Move::Drop { piece, to }));
            }
        }
    }

    /// The position behind a move of `seat`, whose turn it is, and the code of what it took. A step drops nothing
    /// (code 0); a drop goes from the empty square `to` to itself, so that one formula without branches does for both.
    #[inline(always)]
    const fn after_either(self, seat: Seat, from: u32, to: u32, dropped: u64) -> (Self, usize) {
        let hand = SECOND_HAND * seat as u32;
        let moved = self.0 >> from & EACH;
        let taken = gather(self.0 >> to & EACH);
        let is_inada = moved >> 32 & !moved;
        let grown = is_inada & FAR_ROW[seat as usize] >> to & 1;
        let put = moved | grown | piece_bits(seat, dropped);
        let board = self.0 & !(EACH << from | EACH << to) | put << to;
        let hands = (TAKEN[taken] << hand).wrapping_sub(TAKEN[dropped as usize] << hand);
        (Position(board.wrapping_add(hands) ^ SIDE), taken)
    }

    /// The position behind a move. One that is not legal gives a position without meaning.
    #[inline]
    #[must_use]
    pub const fn after(self, mv: Move) -> Self {
        let (from, to, dropped) = match mv {
            Move::Step { from, to, .. } => (from, to, 0),
            Move::Drop { piece, to } => (to, to, code(piece.kind)),
        };
        self.after_either(self.mover(), from.index() as u32, to.index() as u32, dropped).0
    }

    /// The position behind a choice of `seat`, whose turn it is, and whether it took the tuna.
    #[inline(always)]
    pub(super) const fn after_choice(self, seat: Seat, choice: Choice) -> (Self, bool) {
        let (next, taken) = self.after_either(seat, choice.from(), choice.to(), DROPPED[choice.lane()]);
        (next, taken == TUNA as usize)
    }

    /// The move that a choice of the side to move stands for.
    pub(super) fn move_of(self, choice: Choice) -> Move {
        let seat = self.mover();
        let (from, to) = (Square::wrapping(choice.from()), Square::wrapping(choice.to()));
        match self.piece(from) {
            Some(piece) => Move::Step { piece, from, to },
            None => {
                Move::Drop { piece: Piece { seat, kind: Kind::DROPPABLE[choice.lane() - FIRST_DROP] }, to }
            }
        }
    }
}

/// The code of a piece on square A1.
#[inline(always)]
const fn gather(bits: u64) -> usize {
    ((bits | bits >> 15 | bits >> 30) & 7) as usize
}

/// The squares of a set, in reading order.
pub fn squares(mut set: Squares) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        let square = Square::new(set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(square)
    })
}

/// Where a player's pieces can strike: a bit for each piece and direction, eight lanes as in [`Choices`].
#[derive(Clone, Copy, Debug)]
pub struct Strikes {
    straight: u64,
    slanted: u64,
}

impl Strikes {
    /// How many of them fall on these squares.
    #[inline(always)]
    #[must_use]
    pub const fn on(self, squares: Squares) -> u32 {
        let squares = squares * EACH;
        (self.straight & squares).count_ones() + (self.slanted & squares).count_ones()
    }
}

/// All moves of a position as sets of targets: a bit is a move. [`LANES`] of 16 bits: steps up, down, left, right; up-left,
/// up-right, down-left, down-right; drops of inada, octopus, flounder.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choices {
    straight: u64,
    slanted: u64,
    drops: u64,
}

/// One of [`Choices`]: the number of its bit, 16 to a lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    bit: u32,
}

impl Choice {
    #[inline(always)]
    const fn lane(self) -> usize {
        (self.bit >> 4) as usize
    }

    #[inline(always)]
    const fn to(self) -> u32 {
        self.bit & 15
    }

    #[inline(always)]
    const fn from(self) -> u32 {
        (self.to() as i32 - STEP[self.lane()]) as u32
    }
}

impl Choices {
    /// How many moves there are.
    #[inline(always)]
    pub(super) const fn count(self) -> u32 {
        self.straight.count_ones() + self.slanted.count_ones() + self.drops.count_ones()
    }

    /// The move of this rank, which must be below the count.
    #[inline(always)]
    pub(super) const fn nth(self, rank: u32) -> Choice {
        let straight = self.straight.count_ones();
        let steps = straight + self.slanted.count_ones();
        let word = (rank >= straight) as usize + (rank >= steps) as usize;
        let rank_in_word = rank - [0, straight, steps][word];
        Choice {
            bit: 64 * word as u32 + select([self.straight, self.slanted, self.drops][word], rank_in_word),
        }
    }

    /// All of them.
    #[inline(always)]
    pub(super) fn for_each(self, mut act: impl FnMut(Choice)) {
        for (mut word, base) in [(self.straight, 0), (self.slanted, 64), (self.drops, 128)] {
            while word != 0 {
                act(Choice { bit: base + word.trailing_zeros() });
                word &= word - 1;
            }
        }
    }
}

/// The place of the set bit of each rank in a byte.
const SELECT_IN_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut rank) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                table[byte][rank] = place as u8;
                rank += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    table
};

/// The place of the set bit of this rank, found without branches: running sums of the bytes' counts, all compared with
/// the rank at once, tell the byte.
#[inline(always)]
const fn select(word: u64, rank: u32) -> u32 {
    const BYTES: u64 = 0x0101_0101_0101_0101;
    const TOPS: u64 = 0x80 * BYTES;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let counts = (fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F;
    let sums = counts.wrapping_mul(BYTES);
    let full_bytes = ((((rank as u64 * BYTES) | TOPS) - sums) & TOPS).count_ones();
    let before = (sums << 8) >> (8 * full_bytes) & 0xFF;
    let byte = word >> (8 * full_bytes) & 0xFF;
    8 * full_bytes + SELECT_IN_BYTE[byte as usize][((rank - before as u32) & 7) as usize] as u32
}

/// A set of positions that may claim to hold one it does not, but never the reverse: a quick way to know that a position
/// is new. One bit in 64 is enough for most random games, which are short.
pub(super) struct Sieve(u64);

impl Sieve {
    /// A sieve that holds nothing.
    pub(super) const fn new() -> Self {
        Sieve(0)
    }

    /// Adds a position, and says whether it may have been there already.
    #[inline(always)]
    pub(super) const fn add(&mut self, position: Position) -> bool {
        let bit = 1 << (position.0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58);
        let was = self.0 & bit;
        self.0 |= bit;
        was != 0
    }
}

const _: () = assert!(SQUARES == ALL.count_ones() as usize);
