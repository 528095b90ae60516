//! Every fast search must say what the plain one says.

use super::alphabeta::{AlphaBeta, Settings};
use super::limits::{Limits, Watch};
use super::negamax::negamax;
use super::table::Table;
use super::*;
use crate::game::{Awaits, Options};
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// A evaluation without sense: the same position always gets the same number.
struct Nonsense(u64);

impl<G: Game> Evaluator<G> for Nonsense {
    const SCALE: f64 = 100.0;

    fn evaluate(&self, game: &G, state: &G::State) -> i32 {
        let mixed = (game.key(state) ^ self.0).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> 40) as i32 % 1000 - 500
    }

    fn promise(&self, game: &G, _state: &G::State, _seat: Seat, mv: G::Move) -> i32 {
        game.format_move(mv).len() as i32 % 3 - 1
    }
}

/// A state some random decisions into a game, awaiting one seat's decision.
fn random_state<G: Game>(game: &G, rng: &mut fastrand::Rng) -> Option<(G::State, Seat)> {
    let (mut state, mut moves, mut faces) = (game.start(), Vec::new(), Vec::new());
    let mut left = rng.u32(..60);
    loop {
        match game.awaits(&state) {
            Awaits::Ended(_) => return None,
            Awaits::Roll => {
                let face = game.random_face(&state, rng, &mut faces);
                game.roll_unchecked(&mut state, face);
            }
            Awaits::Decide(seat) if left == 0 => return Some((state, seat)),
            Awaits::Decide(seat) => {
                left -= 1;
                let mv = game.random_move(&state, seat, rng, &mut moves);
                game.play_unchecked(&mut state, seat, mv);
            }
            Awaits::DecideBoth => {
                for seat in Seat::BOTH {
                    let mv = game.random_move(&state, seat, rng, &mut moves);
                    game.play_unchecked(&mut state, seat, mv);
                }
            }
        }
    }
}

/// Compares alpha-beta, with and without its parts, with the plain search.
fn agrees_with_negamax<G: Game>(options: &[(&str, &str)], states: usize, depth: u32) {
    let options: Options =
        options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    let game = G::new(&options).unwrap();
    let stop = AtomicBool::new(false);
    let mut rng = fastrand::Rng::with_seed(7);
    let mut compared = 0;
    while compared < states {
        let Some((state, seat)) = random_state(&game, &mut rng) else { continue };
        let nonsense = Nonsense(rng.u64(..));
        let expected = negamax(&game, &nonsense, &state, seat, depth, 0);
        let table = Table::new(4);
        for (pruning, table) in [(false, None), (true, None), (false, Some(&table)), (true, Some(&table))] {
            if let Some(table) = table {
                table.clear();
            }
            let settings = Settings { pruning, deeper_entries: false, reductions: false };
            let watch = Watch::new(&Limits::default(), Instant::now(), &stop);
            let mut search = AlphaBeta::new(&game, &nonsense, table, settings, watch);
            let value = search.value(&state, seat, depth);
            assert_eq!(value, expected, "{}", game.format_position(&state));
        }
        compared += 1;
    }
}

#[test]
fn dande_agrees_with_negamax() {
    agrees_with_negamax::<crate::games::dande::DandE>(&[("clock", "off")], 40, 3);
}

#[test]
fn osakana_agrees_with_negamax() {
    agrees_with_negamax::<crate::games::osakana::Osakana>(&[], 60, 4);
}

#[test]
fn fortress_agrees_with_negamax() {
    use crate::games::fortress::{Large, Small};
    agrees_with_negamax::<Small>(&[("scenario", "rough:5x5:9:B2:D4:A1,E5:C3")], 40, 3);
    agrees_with_negamax::<Small>(&[("scenario", "plenty:5x4:6:A2:E3:C1:C2,C3")], 40, 3);
    agrees_with_negamax::<Large>(&[("scenario", "plenty:12x12:6:C3:J9")], 3, 2);
}

#[test]
fn redundant_moves_lead_nowhere_new() {
    use crate::games::fortress::Small;
    use crate::search::engine::Searchable;
    use std::collections::HashSet;
    let scenario = "plenty:9x8:12:B3:H6:E1,I4,A5,E8:E2,E3,D4,E4,E5,F5,E6,E7".to_string();
    let game = Small::new(&vec![("scenario".to_string(), scenario)]).unwrap();
    let (eval, mut rng, mut left_out) = (game.evaluator(), fastrand::Rng::with_seed(9), 0);
    for _ in 0..300 {
        let Some((state, seat)) = random_state(&game, &mut rng) else { continue };
        let behind = |mv| {
            let mut next = state;
            game.play_unchecked(&mut next, seat, mv);
            game.key(&next)
        };
        let mut moves = Vec::new();
        game.legal(&state, seat, &mut moves);
        let all: HashSet<u64> = moves.iter().map(|&mv| behind(mv)).collect();
        let before = moves.len();
        moves.retain(|&mv| !eval.is_redundant(&game, &state, seat, mv));
        left_out += before - moves.len();
        assert_eq!(moves.iter().map(|&mv| behind(mv)).collect::<HashSet<_>>(), all);
        assert_eq!(moves.len(), all.len(), "{}", game.format_position(&state));
    }
    assert!(left_out > 1_000);
}
