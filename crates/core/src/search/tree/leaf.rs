//! How a state at the edge of the tree is evaluated, and which moves look promising before they are tried.

use crate::game::{Awaits, Game, Seat};
use crate::search::{Evaluator, expected_score};

/// Working memory of an evaluation, kept from one to the next: a search that asked for memory at every step would
/// wait for it, the more so with several threads.
pub struct Scratch<M> {
    moves: Vec<M>,
    promises: Vec<i32>,
    faces: Vec<(u32, u32)>,
}

impl<M> Default for Scratch<M> {
    fn default() -> Self {
        Scratch { moves: Vec::new(), promises: Vec::new(), faces: Vec::new() }
    }
}

/// What evaluates states at the edge of the tree, and gives moves their priors.
pub trait Leaf<G: Game>: Send + Sync {
    /// The expected score of the first player, from 0 to 1.
    fn score(
        &self,
        game: &G,
        state: &mut G::State,
        rng: &mut fastrand::Rng,
        scratch: &mut Scratch<G::Move>,
    ) -> f64;

    /// Appends how promising each of a seat's moves looks before it is tried: one more makes a move 2.7 times as
    /// likely to be looked at first.
    fn priors(
        &self,
        game: &G,
        state: &G::State,
        seat: Seat,
        moves: &[G::Move],
        scratch: &mut Scratch<G::Move>,
        priors: &mut Vec<f32>,
    );
}

/// Random play to the end: no evaluation at all. Plain UCT.
pub struct RandomPlay {
    /// Decisions after which a playout counts as a draw.
    pub limit: u32,
}

impl<G: Game> Leaf<G> for RandomPlay {
    fn score(
        &self,
        game: &G,
        state: &mut G::State,
        rng: &mut fastrand::Rng,
        _: &mut Scratch<G::Move>,
    ) -> f64 {
        game.playout(state, rng, self.limit).outcome.map_or(0.5, |outcome| outcome.value(Seat::First))
    }

    fn priors(
        &self,
        _: &G,
        _: &G::State,
        _: Seat,
        moves: &[G::Move],
        _: &mut Scratch<G::Move>,
        priors: &mut Vec<f32>,
    ) {
        priors.resize(priors.len() + moves.len(), 0.0);
    }
}

/// The evaluator's evaluation, as soon as a position is settled enough for it.
pub struct Evaluated<'a, E> {
    /// The evaluator.
    pub eval: &'a E,
    /// The promise that makes a move about 2.7 times as likely to be looked at first.
    pub temperature: f32,
}

impl<G: Game, E: Evaluator<G>> Leaf<G> for Evaluated<'_, E> {
    fn score(
        &self,
        game: &G,
        state: &mut G::State,
        rng: &mut fastrand::Rng,
        scratch: &mut Scratch<G::Move>,
    ) -> f64 {
        let Scratch { moves, promises, faces } = scratch;
        loop {
            let seat = match game.awaits(state) {
                Awaits::Ended(outcome) => return outcome.value(Seat::First),
                _ if self.eval.is_settled(game, state) => {
                    return expected_score(self.eval.evaluate(game, state), E::SCALE);
                }
                Awaits::Roll => {
                    let face = game.random_face(state, rng, faces);
                    game.roll_unchecked(state, face);
                    continue;
                }
                Awaits::Decide(seat) => seat,
                Awaits::DecideBoth => Seat::First,
            };
            moves.clear();
            promises.clear();
            game.legal(state, seat, moves);
            self.eval.promises(game, state, seat, moves, promises);
            let best = promises.iter().copied().max().unwrap_or(0);
            let alike = promises.iter().filter(|&&promise| promise == best).count();
            let nth = rng.usize(..alike);
            let place = promises.iter().enumerate().filter(|&(_, &promise)| promise == best).nth(nth);
            game.play_unchecked(state, seat, moves[place.map_or(0, |(place, _)| place)]);
        }
    }

    fn priors(
        &self,
        game: &G,
        state: &G::State,
        seat: Seat,
        moves: &[G::Move],
        scratch: &mut Scratch<G::Move>,
        priors: &mut Vec<f32>,
    ) {
        scratch.promises.clear();
        self.eval.promises(game, state, seat, moves, &mut scratch.promises);
        priors.extend(scratch.promises.iter().map(|&promise| promise as f32 / self.temperature));
    }
}
