//! Counting leaves of the game tree.

use crate::game::{Awaits, Game, Seat};

/// The seat that decides, of a game without chance and simultaneous moves.
fn decider(awaits: Awaits) -> Option<Seat> {
    match awaits {
        Awaits::Decide(seat) => Some(seat),
        _ => None,
    }
}

/// The number of lines of exactly `depth` moves. A finished game has no children; lines end at rolls and
/// simultaneous decisions. The last ply is counted in bulk, not played.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let Some(seat) = decider(game.awaits(state)) else { return 0 };
    if depth == 1 {
        return game.count_legal(state, seat);
    }
    divide(game, state, depth).into_iter().map(|(_, nodes)| nodes).sum()
}

/// [`perft`], split by the first move.
pub fn divide<G: Game>(game: &G, state: &G::State, depth: u32) -> Vec<(G::Move, u64)> {
    let Some(seat) = decider(game.awaits(state)) else { return Vec::new() };
    let mut moves = Vec::new();
    game.legal(state, seat, &mut moves);
    moves
        .into_iter()
        .map(|mv| {
            let mut next = state.clone();
            game.play_unchecked(&mut next, seat, mv);
            (mv, game.perft(&next, depth.saturating_sub(1)))
        })
        .collect()
}
