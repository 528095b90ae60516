//! States and moves.
//!
//! Tokens are indexes from 0 in order of appearance (texts count from 1), and sets of tokens are bits of a `u64`.
//! Which twin a token is, and who knows it, is kept once for each kind ([`Lore`]): who knows one of the
//! twins knows the other.

use super::board::{Bits, Field};
use super::set::{KINDS, Set, Side, TOKENS};
use crate::game::Seat;
use foldhash::quality::FixedState;
use std::hash::BuildHasher;

/// The most tokens in front of a player.
pub const FRONT_LIMIT: u32 = 5;
/// Tokens dealt to each player.
pub const DEALT_EACH: usize = 4;
/// Tokens dealt in all.
pub const DEALT: usize = 2 * DEALT_EACH;

/// A set of tokens.
pub type Tokens = u64;

/// What is being done; the twin of `Phase` in Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Tokens are dealt (T4).
    Deal,
    /// A token must be taken from the bag (T5).
    Draw,
    /// The token of the turn must be placed (T6), or the turn skipped.
    Place,
    /// One more token may be placed (T12).
    More,
    /// One of several largest groups must be chosen (T11).
    Level,
    /// A token of the group goes to the pile (T8).
    Three,
    /// The same, with more to come, after a look at lower sides (T9).
    Four,
    /// Another token of the group comes in front (T9).
    Keep,
    /// The tokens of the group are divided, in order of their numbers (T10).
    Five,
}

/// All phases with their names in texts.
pub const PHASES: [(Phase, &str); 9] = [
    (Phase::Deal, "deal"),
    (Phase::Draw, "draw"),
    (Phase::Place, "place"),
    (Phase::More, "more"),
    (Phase::Level, "level"),
    (Phase::Three, "three"),
    (Phase::Four, "four"),
    (Phase::Keep, "keep"),
    (Phase::Five, "five"),
];

/// A move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// Place a token.
    Put {
        /// Which.
        token: u8,
        /// The cell of its upper left stone.
        cell: u8,
        /// Quarter turns clockwise.
        turns: u8,
    },
    /// Take a token of the group to the pile.
    Take(u8),
    /// Put a token of the group in front.
    Keep {
        /// Which.
        token: u8,
        /// Whether its improved side is up.
        improved: bool,
    },
    /// Put a token of a group of five and more on the pile.
    Pile(u8),
    /// Choose one of several largest groups, by its first cell.
    Level(u8),
    /// Give up what is left of the right to place more.
    Done,
    /// Skip the turn.
    Skip,
}

/// Nobody knows.
pub const NOBODY: u8 = 0;
/// The two players know, spectators don't.
pub const BOTH: u8 = 3;
/// Everybody knows.
pub const ALL: u8 = 7;

/// The bit of a viewer in [`Lore::known`].
pub const fn eyes(viewer: Option<Seat>) -> u8 {
    match viewer {
        Some(Seat::First) => 1,
        Some(Seat::Second) => 2,
        None => 4,
    }
}

/// Which of the twins the first token of a kind is, if that is not known.
pub const UNKNOWN: u8 = 2;

/// What there is to know of the two tokens of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Lore {
    /// How many have left the bag.
    pub out: u8,
    /// Which twin (0 or 1) the first that left the bag is, or [`UNKNOWN`].
    pub twin: u8,
    /// Who knows it, as bits.
    pub known: u8,
}

/// A state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The number of the turn; 0 is the deal.
    pub turn: u16,
    /// What is being done.
    pub phase: Phase,
    /// Turns skipped in a row.
    pub skips: u8,
    /// Rights to place one more.
    pub bonus: u8,
    /// How many tokens have left the bag.
    pub out: u8,
    /// The tokens still to be settled of the group at hand.
    pub group: Tokens,
    /// The tokens in front of each player.
    pub front: [Tokens; 2],
    /// The piles.
    pub pile: [Tokens; 2],
    /// Tokens in front or on the field with the improved side up.
    pub improved: Tokens,
    /// Tokens that are the second of their kind to appear.
    pub second: Tokens,
    /// The kind of each token.
    pub kind: [u8; TOKENS],
    /// Where each token on the field lies: cell × 4 + turns; 0 for others.
    pub spot: [u16; TOKENS],
    /// What there is to know of each kind.
    pub lore: [Lore; KINDS],
    /// The cells of the stones of each colour.
    pub colours: [Bits; 5],
}

impl State {
    /// The state before anything happened.
    pub fn start() -> Self {
        State {
            turn: 0,
            phase: Phase::Deal,
            skips: 0,
            bonus: 0,
            out: 0,
            group: 0,
            front: [0; 2],
            pile: [0; 2],
            improved: 0,
            second: 0,
            kind: [0; TOKENS],
            spot: [0; TOKENS],
            lore: [Lore { out: 0, twin: UNKNOWN, known: NOBODY }; KINDS],
            colours: [0; 5],
        }
    }

    /// Whose turn it is.
    #[inline]
    pub fn seat(&self) -> Seat {
        if self.turn == 0 || self.turn % 2 == 1 { Seat::First } else { Seat::Second }
    }

    /// What there is to know of a token.
    #[inline]
    pub fn lore_of(&mut self, token: usize) -> &mut Lore {
        &mut self.lore[usize::from(self.kind[token])]
    }

    /// Who knows a token.
    #[inline]
    pub fn known(&self, token: usize) -> u8 {
        self.lore[usize::from(self.kind[token])].known
    }

    /// The name of a token in the set, if the state tells.
    #[inline]
    pub fn identity(&self, set: &Set, token: usize) -> Option<usize> {
        let kind = usize::from(self.kind[token]);
        let twin = self.lore[kind].twin;
        let second = (self.second >> token & 1) as u8;
        (twin != UNKNOWN).then(|| usize::from(set.twins[kind][usize::from(twin ^ second)]))
    }

    /// The side of a token that is up.
    #[inline]
    pub fn shown(&self, set: &Set, token: usize) -> Side {
        let base = set.base[usize::from(self.kind[token])];
        if self.improved >> token & 1 == 0 {
            return base;
        }
        self.identity(set, token).map_or(base, |identity| set.improved[identity])
    }

    /// The tokens on the field.
    #[inline]
    pub fn lying(&self) -> Tokens {
        let out = (1 << self.out) - 1;
        out & !(self.front[0] | self.front[1] | self.pile[0] | self.pile[1])
    }

    /// The covered cells.
    #[inline]
    pub fn covered(&self) -> Bits {
        self.colours.iter().fold(0, |all, &colour| all | colour)
    }

    /// Adds a token of a kind that has left the bag, and says its index.
    #[inline]
    pub fn draw(&mut self, kind: u8) -> usize {
        let token = usize::from(self.out);
        let lore = &mut self.lore[usize::from(kind)];
        self.second |= u64::from(lore.out) << token;
        lore.out += 1;
        self.kind[token] = kind;
        self.out += 1;
        token
    }

    /// Settles that a token is this twin of its kind, and who knows it.
    #[inline]
    pub fn identify(&mut self, token: usize, twin: u8, known: u8) {
        let second = (self.second >> token & 1) as u8;
        let lore = self.lore_of(token);
        lore.twin = twin ^ second;
        lore.known = known;
    }

    /// Puts a token on the field.
    #[inline]
    pub fn put(&mut self, set: &Set, field: &Field, token: usize, cell: usize, turns: usize) {
        let side = self.shown(set, token);
        for (i, corner) in field.corners(cell).into_iter().enumerate() {
            self.colours[usize::from(side[(i + 4 - turns) % 4])] |= 1 << corner;
        }
        self.spot[token] = (cell * 4 + turns) as u16;
        self.front[0] &= !(1 << token);
        self.front[1] &= !(1 << token);
    }

    /// Takes a token off the field.
    #[inline]
    pub fn lift(&mut self, field: &Field, token: usize) {
        let square = field.square(usize::from(self.spot[token] / 4));
        for colour in &mut self.colours {
            *colour &= !square;
        }
        self.spot[token] = 0;
        self.group &= !(1 << token);
        self.improved &= !(1 << token);
    }

    /// The token of the group that is to be looked at next and that nobody knows.
    #[inline]
    pub fn unseen(&self) -> Option<usize> {
        if !matches!(self.phase, Phase::Four | Phase::Five) {
            return None;
        }
        members(self.group).find(|&token| self.known(token) == NOBODY)
    }

    /// The score of a player (T15).
    #[inline]
    pub fn score(&self, seat: Seat) -> i32 {
        let [front, pile] = [self.front, self.pile].map(|sets| sets[seat.index()]);
        (pile.count_ones() + (front & self.improved).count_ones()) as i32
    }

    /// Why the game has ended, if it has (T14).
    #[inline]
    pub fn ending(&self) -> Option<&'static str> {
        if self.skips == 2 {
            Some("both_skipped")
        } else if self.phase == Phase::Draw && usize::from(self.out) == TOKENS {
            Some("bag_empty")
        } else {
            None
        }
    }

    /// A hash of everything.
    pub fn key(&self) -> u64 {
        FixedState::default().hash_one(self)
    }
}

/// The tokens of a set, in order.
pub fn members(mut tokens: Tokens) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (tokens != 0).then(|| tokens.trailing_zeros() as usize);
        tokens &= tokens.wrapping_sub(1);
        next
    })
}
