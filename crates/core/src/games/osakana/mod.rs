//! Osakana Taisen: 3×4 shogi of fish. The twin of `visavis.rules.osakana`.
//!
//! [`Position`] is one word that holds the board, the hands and the side to move; a [`State`] adds the earlier positions,
//! for the draw by repetition (O9). Every move that the board allows is legal, so moves are counted by counting bits and
//! a random one is drawn by its rank, without a list.

mod board;
mod eval;
mod levels;
mod position;
pub mod solve;
mod state;
mod text;

pub use board::{Kind, Piece, Square, Unreadable};
pub use position::{BoardEnd, Position, Squares, Strikes, squares};
pub use state::{End, Move, State};

use crate::error::Error;
use crate::game::{Awaits, Game, Options, Seat};
use crate::playout::Playout;
use crate::registry::Entry;
use position::{Choice, Choices, Sieve};
use state::{mixed, occurrences, outcome};

/// The game with its options chosen.
#[derive(Clone, Copy, Debug)]
pub struct Osakana {
    fouls_lose: bool,
}

/// Leaves below a position that `seat` is to move in. `earlier` is left as it was.
fn leaves(position: Position, seat: Seat, earlier: &mut Vec<Position>, depth: u32) -> u64 {
    let choices = position.choices(seat);
    if depth == 1 {
        return u64::from(choices.count());
    }
    earlier.push(position);
    let mut nodes = 0;
    choices.for_each(|choice| {
        let (next, took_tuna) = position.after_choice(seat, choice);
        if !took_tuna && !next.is_try(seat.other()) && occurrences(earlier, next) < 2 {
            nodes += leaves(next, seat.other(), earlier, depth - 1);
        }
    });
    earlier.pop();
    nodes
}

/// A random game in progress.
struct RandomGame<'a> {
    position: Position,
    earlier: &'a mut Vec<Position>,
    /// The positions of `earlier`, so that most new positions need not be looked up there.
    sieve: Sieve,
}

impl RandomGame<'_> {
    /// Makes a random one of the choices that `seat` has, and returns those of the other seat, or the end.
    #[inline(always)]
    fn ply(&mut self, seat: Seat, choices: Choices, rng: &mut fastrand::Rng) -> Result<Choices, End> {
        let choice = choices.nth(rng.u32(..choices.count()));
        let (next, took_tuna) = self.position.after_choice(seat, choice);
        self.earlier.push(self.position);
        self.position = next;
        if took_tuna {
            return Err(End::Board(BoardEnd::Capture));
        }
        if next.is_try(seat.other()) {
            return Err(End::Board(BoardEnd::Try));
        }
        if self.sieve.add(next) && occurrences(self.earlier, next) >= 2 {
            return Err(End::Repetition);
        }
        let choices = next.choices(seat.other());
        if choices.count() == 0 { Err(End::Board(BoardEnd::NoMoves)) } else { Ok(choices) }
    }

    /// Plays on until the end, or until so many moves are made in the whole game. Each seat has its own code, in which
    /// all that depends on the seat is known beforehand.
    fn play(&mut self, rng: &mut fastrand::Rng, moves: usize) -> Option<End> {
        let mut choices = self.position.choices(self.position.mover());
        if self.position.mover() == Seat::Second {
            if self.earlier.len() >= moves {
                return None;
            }
            match self.ply(Seat::Second, choices, rng) {
                Ok(next) => choices = next,
                Err(end) => return Some(end),
            }
        }
        loop {
            if self.earlier.len() >= moves {
                return None;
            }
            match self.ply(Seat::First, choices, rng) {
                Ok(next) => choices = next,
                Err(end) => return Some(end),
            }
            if self.earlier.len() >= moves {
                return None;
            }
            match self.ply(Seat::Second, choices, rng) {
                Ok(next) => choices = next,
                Err(end) => return Some(end),
            }
        }
    }
}

/// What the list of games says of it.
pub(super) const ENTRIES: &[Entry] = &[Entry::of::<Osakana>().with_solver(&solve::Solver)];

impl Game for Osakana {
    const SLUG: &'static str = "osakana";

    type State = State;
    type Move = Move;
    type View = State;

    fn new(options: &Options) -> Result<Self, Error> {
        let mut game = Osakana { fouls_lose: true };
        for (name, value) in options {
            game.fouls_lose = match (name.as_str(), value.as_str()) {
                ("fouls", "lose") => true,
                ("fouls", "refuse") => false,
                ("fouls", _) => {
                    return Err(Error::bad_option(name, "must be lose or refuse"));
                }
                _ => return Err(Error::bad_option(name, "osakana has no such option")),
            };
        }
        Ok(game)
    }

    fn start(&self) -> State {
        State::new(text::start(), Vec::new())
    }

    #[inline]
    fn awaits(&self, state: &State) -> Awaits {
        let mover = state.position.mover();
        match state.end {
            None => Awaits::Decide(mover),
            Some(end) => Awaits::Ended(outcome(end, mover)),
        }
    }

    fn count_legal(&self, state: &State, seat: Seat) -> u64 {
        if self.awaits(state).includes(seat) { state.position.choices(seat).count().into() } else { 0 }
    }

    fn legal(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) {
        if self.awaits(state).includes(seat) {
            state.position.for_each_move(|mv| moves.push(mv));
        }
    }

    fn is_legal(&self, state: &State, seat: Seat, mv: Move) -> bool {
        self.awaits(state).includes(seat) && state.position.is_legal(mv)
    }

    fn random_move(&self, state: &State, seat: Seat, rng: &mut fastrand::Rng, _: &mut Vec<Move>) -> Move {
        let choices = state.position.choices(seat);
        let choice: Choice = choices.nth(rng.u32(..choices.count()));
        state.position.move_of(choice)
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, _: Seat, mv: Move) {
        state.earlier.push(state.position);
        state.position = state.position.after(mv);
        state.end = state.find_end();
    }

    fn play(&self, state: &mut State, seat: Seat, mv: Move) -> Result<(), Error> {
        if !self.awaits(state).includes(seat) {
            return Err(Error::NotYourTurn { seat });
        }
        if state.position.is_legal(mv) {
            self.play_unchecked(state, seat, mv);
        } else if self.fouls_lose {
            state.end = Some(End::Foul);
        } else {
            return Err(Error::illegal_move(mv.to_string(), "no piece of yours can do that"));
        }
        Ok(())
    }

    fn perft(&self, state: &State, depth: u32) -> Result<u64, Error> {
        Ok(match (depth, state.end) {
            (0, _) => 1,
            (_, Some(_)) => 0,
            _ => leaves(state.position, state.position.mover(), &mut state.earlier.clone(), depth),
        })
    }

    fn playout(&self, state: &mut State, rng: &mut fastrand::Rng, limit: u32) -> Playout {
        let before = state.earlier.len();
        if state.end.is_none() {
            let mut sieve = Sieve::new();
            sieve.add(state.position);
            for &position in &state.earlier {
                sieve.add(position);
            }
            let mut game = RandomGame { position: state.position, earlier: &mut state.earlier, sieve };
            state.end = game.play(rng, before.saturating_add(limit as usize));
            state.position = game.position;
        }
        let plies = (state.earlier.len() - before) as u32;
        Playout { plies, outcome: state.end.map(|end| outcome(end, state.position.mover())) }
    }

    /// The earlier positions enter only by how often they were this one: searches meet the same position on
    /// many ways.
    #[inline]
    fn key(&self, state: &State) -> u64 {
        let times = state.occurrences() as u64 + if state.end == Some(End::Foul) { 4 } else { 0 };
        mixed(state.position).wrapping_add(times)
    }

    fn view(&self, state: &State, _: Option<Seat>) -> State {
        state.clone()
    }

    fn determinize(&self, view: &State, _: &mut fastrand::Rng) -> State {
        view.clone()
    }

    fn format_move(&self, mv: Move) -> String {
        mv.to_string()
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        text.parse().map_err(|Unreadable| Error::not_a_move(text, "write か↑C4C3 or KC4C3, い↑A3★ or I*A3"))
    }

    fn format_position(&self, state: &State) -> String {
        text::format_state(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        text::parse_state(text).map_err(|why| Error::not_a_position(text, why))
    }

    fn format_view(&self, view: &State) -> String {
        text::format_state(view)
    }

    fn parse_view(&self, text: &str) -> Result<State, Error> {
        text::parse_state(text).map_err(|why| Error::not_a_view(text, why))
    }
}

#[cfg(test)]
mod tests;
