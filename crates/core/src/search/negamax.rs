//! The plain search: no pruning, no table, no cleverness. What the others are tested against.

use super::{Evaluator, PROVEN, outcome_value};
use crate::game::{Awaits, Game, Seat};

/// The value of a state to a seat after `depth` more decisions, `ply` decisions after the root.
pub fn negamax<G: Game, E: Evaluator<G>>(
    game: &G,
    eval: &E,
    state: &G::State,
    me: Seat,
    depth: u32,
    ply: usize,
) -> i32 {
    match game.awaits(state) {
        Awaits::Ended(outcome) => outcome_value(&outcome, me, ply),
        Awaits::Roll => average::<G, E>(game, state, |next| negamax(game, eval, next, me, depth, ply)),
        _ if depth == 0 => evaluate_for(game, eval, state, me),
        Awaits::DecideBoth => evaluate_for(game, eval, state, me),
        Awaits::Decide(seat) => {
            let mut moves = Vec::new();
            game.legal(state, seat, &mut moves);
            let values = moves.into_iter().map(|mv| {
                let mut next = state.clone();
                game.play_unchecked(&mut next, seat, mv);
                negamax(game, eval, &next, seat, depth - 1, ply + 1)
            });
            let best = values.max().expect("who is awaited has a move");
            if seat == me { best } else { -best }
        }
    }
}

/// The evaluator's word from a seat's side.
#[inline]
pub fn evaluate_for<G: Game, E: Evaluator<G>>(game: &G, eval: &E, state: &G::State, me: Seat) -> i32 {
    let value = eval.evaluate(game, state);
    if me == Seat::First { value } else { -value }
}

/// A win or loss behind some faces of a roll only counts in their mean as a value of so many
/// [`Evaluator::SCALE`]s: as good as decided (98 %), and no more.
const DECIDED: f64 = 4.0;

/// The mean value over the faces of the awaited roll, rounded towards a draw. If all of them win, or all lose,
/// it is the slowest of them.
pub fn average<G: Game, E: Evaluator<G>>(
    game: &G,
    state: &G::State,
    mut value: impl FnMut(&G::State) -> i32,
) -> i32 {
    let mut faces = Vec::new();
    game.faces(state, &mut faces);
    let (mut sum, mut weights, mut slowest) = (0i64, 0i64, None);
    for (face, weight) in faces {
        let mut next = state.clone();
        game.roll_unchecked(&mut next, face);
        let value = value(&next);
        let counted =
            if value.abs() >= PROVEN { (DECIDED * E::SCALE) as i32 * value.signum() } else { value };
        sum += i64::from(counted) * i64::from(weight);
        weights += i64::from(weight);
        slowest = match slowest {
            None => Some(value),
            Some(other) if value.signum() == other.signum() => {
                Some(value.abs().min(other.abs()) * value.signum())
            }
            Some(_) => Some(0),
        };
    }
    slowest.filter(|value| value.abs() >= PROVEN).unwrap_or((sum / weights) as i32)
}
