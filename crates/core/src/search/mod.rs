//! Computer players. Three things are kept apart: the game (its kernel), the evaluation of a position
//! ([`Evaluator`], `eval.rs` in the folder of each game) and the search.
//!
//! * [`alphabeta`] for games in which both players see everything: iterative deepening, a table of
//!   positions seen, move ordering, a search of noisy moves at the horizon. Chance is averaged.
//! * [`tree`] for games with secrets or much chance: Monte-Carlo tree search over what each player
//!   knows, in worlds drawn from the view.
//! * [`negamax`] is the plain search that both are tested against.
//!
//! Every search starts from a *view*: a computer player knows what a person in its seat would know.

pub mod alphabeta;
pub mod engine;
pub mod limits;
pub mod negamax;
pub mod table;
pub mod tree;

#[cfg(test)]
mod tests;

use crate::game::{Game, Outcome, Seat};

/// The value of a game won now. A win in `n` plies is worth `WIN - n`.
pub const WIN: i32 = 1_000_000;
/// Values beyond this are wins and losses that the search has proven.
pub const PROVEN: i32 = WIN - 10_000;
/// Deeper than this no line goes.
pub const MAX_PLY: usize = 128;

/// Evaluates positions of a game and looks at its moves. All numbers are a game's own; only their order and
/// [`Evaluator::SCALE`] mean something outside.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The difference in value that makes one side a clear favourite (about 73 %).
    const SCALE: f64;

    /// What an unfinished state is worth to the first player, well inside ±[`PROVEN`]. The state may await
    /// anything; a roll or a secret still open is evaluated as it stands.
    fn evaluate(&self, game: &G, state: &G::State) -> i32;

    /// How promising a move looks before it is tried: higher first.
    fn promise(&self, _game: &G, _state: &G::State, _seat: Seat, _mv: G::Move) -> i32 {
        0
    }

    /// Appends the promise of each of these moves.
    fn promises(&self, game: &G, state: &G::State, seat: Seat, moves: &[G::Move], promises: &mut Vec<i32>) {
        promises.extend(moves.iter().map(|&mv| self.promise(game, state, seat, mv)));
    }

    /// Whether a state can be evaluated as it stands (tree search only). One that is not is played on, with the most
    /// promising moves, until it is.
    fn is_settled(&self, _game: &G, _state: &G::State) -> bool {
        true
    }

    /// Appends the moves that are so noisy (captures, say) that a position can't be evaluated before they are tried.
    fn noisy(&self, _game: &G, _state: &G::State, _seat: Seat, _moves: &mut Vec<G::Move>) {}

    /// Whether the seat that decides must answer a threat, so that a ply more is worth its price.
    fn is_threatened(&self, _game: &G, _state: &G::State, _seat: Seat) -> bool {
        false
    }

    /// A number for what came before a state and changes the value of what lies ahead: positions that would end the
    /// game if they came up once more, say. What was found with another past is not believed.
    fn past(&self, _game: &G, _state: &G::State) -> u64 {
        0
    }

    /// Whether another legal move, which is not called redundant, leads to the very same state.
    fn is_redundant(&self, _game: &G, _state: &G::State, _seat: Seat, _mv: G::Move) -> bool {
        false
    }
}

/// What an ended game is worth to a seat after so many plies.
#[must_use]
pub fn outcome_value(outcome: &Outcome, seat: Seat, ply: usize) -> i32 {
    match outcome.winner {
        None => 0,
        Some(winner) if winner == seat => WIN - ply as i32,
        Some(_) => ply as i32 - WIN,
    }
}

/// The expected score, from 0 to 1, that a value stands for.
#[must_use]
pub fn expected_score(value: i32, scale: f64) -> f64 {
    if value.abs() >= PROVEN {
        return if value > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(value) / scale).exp())
}

/// In how many plies a value says the game is won (positive) or lost (negative), if it is proven.
#[must_use]
pub fn proven_plies(value: i32) -> Option<i32> {
    (value.abs() >= PROVEN).then(|| (WIN - value.abs()) * value.signum())
}

/// One line of play with its value for the seat that asked.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The moves, the asker's first.
    pub moves: Vec<M>,
    /// The expected score.
    pub score: f64,
    /// In how many plies it is won (positive) or lost (negative), where the search has proven it.
    pub mate: Option<i32>,
    /// How much of the search went into it, from 0 to 1; alpha-beta does not say (0).
    pub share: f64,
}

/// What a search found so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// Lines of play, best first; at least one.
    pub lines: Vec<Line<M>>,
    /// Positions looked at.
    pub nodes: u64,
    /// Plies searched in full (alpha-beta), or the length of the main line (tree search).
    pub depth: u32,
}

impl<M: Copy> Report<M> {
    /// The move to make.
    #[must_use]
    pub fn best(&self) -> M {
        self.lines[0].moves[0]
    }
}
