//! Random play to the end.

use crate::game::{Awaits, Game, Outcome, Seat};

/// How a random game went.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Playout {
    /// Decisions made (rolls not counted).
    pub plies: u32,
    /// How it ended; `None` if it was cut off.
    pub outcome: Option<Outcome>,
}

/// Plays random legal moves until the game ends, or `limit` decisions are made.
pub fn playout<G: Game>(game: &G, state: &mut G::State, rng: &mut fastrand::Rng, limit: u32) -> Playout {
    let mut moves = Vec::with_capacity(256);
    let mut faces = Vec::new();
    let mut plies = 0;
    loop {
        let seats: &[Seat] = match game.awaits(state) {
            Awaits::Ended(outcome) => return Playout { plies, outcome: Some(outcome) },
            Awaits::Roll => {
                let face = game.random_face(state, rng, &mut faces);
                game.roll_unchecked(state, face);
                continue;
            }
            Awaits::Decide(Seat::First) => &[Seat::First],
            Awaits::Decide(Seat::Second) => &[Seat::Second],
            Awaits::DecideBoth => &Seat::BOTH,
        };
        for &seat in seats {
            if plies == limit {
                return Playout { plies, outcome: None };
            }
            let mv = game.random_move(state, seat, rng, &mut moves);
            game.play_unchecked(state, seat, mv);
            plies += 1;
        }
    }
}
