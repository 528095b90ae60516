//! The trait of a game, the twin of `visavis.rules.protocol.Game`.
//!
//! A value of a type that implements [`Game`] is the game with its options chosen; states are small
//! values that are copied and changed in place. Everything random comes from outside, as a
//! face of a roll.

use crate::error::Error;
use crate::perft::perft;
use crate::playout::{Playout, playout};
use crate::spelling::whole;
use foldhash::quality::FixedState;
use std::fmt;
use std::hash::{BuildHasher, Hash};

/// A player's place at the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Seat {
    /// Moves first.
    First = 0,
    /// Moves second.
    Second = 1,
}

impl Seat {
    /// Both seats, in order.
    pub const BOTH: [Seat; 2] = [Seat::First, Seat::Second];

    /// The seat across the board.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// The seat as an index.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Seat::First => "first",
            Seat::Second => "second",
        })
    }
}

/// How a game ended: who won (`None` is a draw), why, and the score where the game keeps one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The winner, or `None` for a draw.
    pub winner: Option<Seat>,
    /// Why, in the word that records use.
    pub reason: &'static str,
    /// Both scores, where there are such.
    pub scores: Option<[i32; 2]>,
}

impl Outcome {
    /// An outcome without scores.
    #[must_use]
    pub const fn new(winner: Option<Seat>, reason: &'static str) -> Self {
        Outcome { winner, reason, scores: None }
    }

    /// The outcome of a count: more wins, equal is a draw.
    #[must_use]
    pub fn by_score(scores: [i32; 2], reason: &'static str) -> Self {
        let winner = match scores[0].cmp(&scores[1]) {
            std::cmp::Ordering::Greater => Some(Seat::First),
            std::cmp::Ordering::Less => Some(Seat::Second),
            std::cmp::Ordering::Equal => None,
        };
        Outcome { winner, reason, scores: Some(scores) }
    }

    /// What the outcome is worth to a seat: 1, 0.5 or 0.
    #[must_use]
    pub fn value(&self, seat: Seat) -> f64 {
        match self.winner {
            None => 0.5,
            Some(winner) if winner == seat => 1.0,
            Some(_) => 0.0,
        }
    }
}

/// What a state waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Awaits {
    /// A decision of one seat.
    Decide(Seat),
    /// A simultaneous secret decision of both seats, each to be played once in any order.
    DecideBoth,
    /// A roll: see [`Game::faces`].
    Roll,
    /// Nothing: the game is over.
    Ended(Outcome),
}

impl Awaits {
    /// Whether this seat is asked to decide.
    #[inline]
    #[must_use]
    pub fn includes(&self, seat: Seat) -> bool {
        match self {
            Awaits::Decide(awaited) => *awaited == seat,
            Awaits::DecideBoth => true,
            Awaits::Roll | Awaits::Ended(_) => false,
        }
    }
}

/// The chosen options: canonical texts by name, as the Python rules have validated them.
pub type Options = Vec<(String, String)>;

/// Looks an option up by name.
#[must_use]
pub fn option<'a>(options: &'a Options, name: &str) -> Option<&'a str> {
    options.iter().find(|(n, _)| n == name).map(|(_, v)| v.as_str())
}

/// Looks up an option that is a whole number; a missing one gives the default.
pub fn number_option<T: std::str::FromStr>(options: &Options, name: &str, default: T) -> Result<T, Error> {
    match option(options, name) {
        None => Ok(default),
        Some(text) => {
            whole(text).ok_or_else(|| Error::bad_option(name, format!("{text:?} is not a whole number")))
        }
    }
}

/// A game with its options chosen.
///
/// The order of [`Game::legal`] is the same as in the Python rules, and so are all texts.
pub trait Game: Sized + Send + Sync + 'static {
    /// The name of the game, as in Python.
    const SLUG: &'static str;

    /// How many numbers [`Game::secret_of`] may say.
    const SECRETS: usize = 1;

    /// All there is to know about a game at one moment, secrets included.
    type State: Clone + PartialEq + Send + Sync;
    /// A move: small, copied freely.
    type Move: Copy + Eq + Hash + fmt::Debug + Send + Sync + 'static;
    /// What one viewer knows.
    type View: Clone + PartialEq + Send + Sync;

    /// Whether this kernel is made for a game with these options. Several kernels may share a name, each for
    /// a size of board, say; the first in the list that suits is taken.
    fn suits(_options: &Options) -> bool {
        true
    }

    /// The game with these options; missing options have their defaults, unknown ones are refused.
    fn new(options: &Options) -> Result<Self, Error>;

    /// The state before anything happened.
    fn start(&self) -> Self::State;

    /// What the state waits for.
    fn awaits(&self, state: &Self::State) -> Awaits;

    /// How many legal moves a seat has; 0 exactly if it is not awaited.
    fn count_legal(&self, state: &Self::State, seat: Seat) -> u64 {
        let mut moves = Vec::new();
        self.legal(state, seat, &mut moves);
        moves.len() as u64
    }

    /// Appends all legal moves of a seat, in the order of the Python rules; none if it is not awaited.
    ///
    /// Where the moves are too many to list ([`Game::is_listable`] is false) it appends a fixed handful.
    fn legal(&self, state: &Self::State, seat: Seat, moves: &mut Vec<Self::Move>);

    /// Whether [`Game::legal`] gives the whole list in this state.
    fn is_listable(&self, _state: &Self::State) -> bool {
        true
    }

    /// Whether a move is legal for a seat. Games with states that are not listable override this.
    fn is_legal(&self, state: &Self::State, seat: Seat, mv: Self::Move) -> bool {
        let mut moves = Vec::new();
        self.legal(state, seat, &mut moves);
        moves.contains(&mv)
    }

    /// Draws a legal move of an awaited seat, each with the same chance. `scratch` is memory to reuse.
    fn random_move(
        &self,
        state: &Self::State,
        seat: Seat,
        rng: &mut fastrand::Rng,
        scratch: &mut Vec<Self::Move>,
    ) -> Self::Move {
        scratch.clear();
        self.legal(state, seat, scratch);
        scratch[rng.usize(..scratch.len())]
    }

    /// Makes a legal move. A move that is not legal gives a state without meaning, but is no undefined
    /// behaviour.
    fn play_unchecked(&self, state: &mut Self::State, seat: Seat, mv: Self::Move);

    /// Makes a move if it is legal, else changes nothing, unless the game is one in which a foul loses.
    fn play(&self, state: &mut Self::State, seat: Seat, mv: Self::Move) -> Result<(), Error> {
        if !self.awaits(state).includes(seat) {
            return Err(Error::NotYourTurn { seat });
        }
        if !self.is_legal(state, seat, mv) {
            return Err(Error::illegal_move(self.format_move(mv), "not legal now"));
        }
        self.play_unchecked(state, seat, mv);
        Ok(())
    }

    /// Appends the faces of the awaited roll with their positive weights, in the order of the Python
    /// rules; none if no roll is awaited.
    fn faces(&self, _state: &Self::State, _faces: &mut Vec<(u32, u32)>) {}

    /// Draws a face of the awaited roll by its weight. `scratch` is memory to reuse.
    fn random_face(
        &self,
        state: &Self::State,
        rng: &mut fastrand::Rng,
        scratch: &mut Vec<(u32, u32)>,
    ) -> u32 {
        scratch.clear();
        self.faces(state, scratch);
        if let [(face, _)] = scratch[..] {
            return face;
        }
        let total: u32 = scratch.iter().map(|&(_, weight)| weight).sum();
        let mut left = rng.u32(..total);
        for &(face, weight) in scratch.iter() {
            if left < weight {
                return face;
            }
            left -= weight;
        }
        unreachable!("the weights add up to their total")
    }

    /// Lets the awaited roll show a face.
    fn roll_unchecked(&self, _state: &mut Self::State, _face: u32) {}

    /// The number of lines of exactly `depth` moves: [`perft`], unless a game has a quicker way.
    fn perft(&self, state: &Self::State, depth: u32) -> Result<u64, Error> {
        perft(self, state, depth)
    }

    /// Plays random legal moves, each with the same chance, until the game ends or `limit` decisions are made:
    /// [`playout`], unless a game has a quicker way.
    fn playout(&self, state: &mut Self::State, rng: &mut fastrand::Rng, limit: u32) -> Playout {
        playout(self, state, rng, limit)
    }

    /// A number that equal states share and different ones hardly ever do; for tables.
    fn key(&self, state: &Self::State) -> u64;

    /// What a viewer (`None`: a spectator) knows.
    fn view(&self, state: &Self::State, viewer: Option<Seat>) -> Self::View;

    /// Draws a state that the viewer can't tell from the true one.
    fn determinize(&self, view: &Self::View, rng: &mut fastrand::Rng) -> Self::State;

    /// A number for what a seat sees when a move is made in this state, and of what comes of it: two moves (in
    /// worlds that looked the same before) share it exactly if the viewer can't tell them apart.
    fn observe(&self, _state: &Self::State, _seat: Seat, mv: Self::Move, _viewer: Seat) -> u64 {
        FixedState::default().hash_one(mv)
    }

    /// A number for what a seat sees of a face of the roll awaited in this state.
    fn observe_face(&self, _state: &Self::State, face: u32, _viewer: Seat) -> u64 {
        FixedState::default().hash_one(face)
    }

    /// Moves that are one blind choice share a number: a choice made without knowing what the other holds or
    /// has chosen, and best kept unpredictable. `None` is a move like any other.
    fn blind_choice(&self, _state: &Self::State, _seat: Seat, _mv: Self::Move) -> Option<u64> {
        None
    }

    /// What a seat alone knows and its legal moves depend on, as a number; `None` if both know what is legal.
    fn secret_limit(&self, _state: &Self::State, _seat: Seat) -> Option<u64> {
        None
    }

    /// What a seat alone knows of one of its moves, and would not make without knowing: a number below
    /// [`Game::SECRETS`].
    fn secret_of(&self, _state: &Self::State, _seat: Seat, _mv: Self::Move) -> usize {
        0
    }

    /// If a decision was made that the other seat, now awaited, has not seen all of: takes it back, appends all
    /// moves that look the same to the other, and says whose it was.
    fn take_back(&self, _state: &mut Self::State, _moves: &mut Vec<Self::Move>) -> Option<Seat> {
        None
    }

    /// The canonical text of a move.
    fn format_move(&self, mv: Self::Move) -> String;
    /// Reads a tidy text of a move, canonical or in any other spelling that the Python rules read: ASCII letters
    /// may be of either case where that tells nothing. See [`crate::spelling`].
    fn parse_move(&self, text: &str) -> Result<Self::Move, Error>;
    /// The canonical text of a face of a roll.
    fn format_face(&self, face: u32) -> String {
        face.to_string()
    }
    /// The canonical text of a state.
    fn format_position(&self, state: &Self::State) -> String;
    /// Reads the canonical text of a state.
    fn parse_position(&self, text: &str) -> Result<Self::State, Error>;
    /// The canonical text of a view.
    fn format_view(&self, view: &Self::View) -> String;
    /// Reads the canonical text of a view.
    fn parse_view(&self, text: &str) -> Result<Self::View, Error>;
}
