//! Laws of the kernel, over random games.

use super::*;
use crate::playout::playout;

fn game(options: &[(&str, &str)]) -> DandE {
    let options = options.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
    DandE::new(&options).expect("good options")
}

/// Calls back with every state of some random games.
fn walk(game: &DandE, games: u64, mut look: impl FnMut(&State)) {
    let (mut moves, mut faces) = (Vec::new(), Vec::new());
    for seed in 0..games {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = game.start();
        loop {
            look(&state);
            match game.awaits(&state) {
                Awaits::Roll => {
                    let face = game.random_face(&state, &mut rng, &mut faces);
                    game.roll_unchecked(&mut state, face);
                }
                Awaits::Decide(seat) => {
                    let mv = game.random_move(&state, seat, &mut rng, &mut moves);
                    assert!(game.is_legal(&state, seat, mv));
                    game.play_unchecked(&mut state, seat, mv);
                }
                _ => break,
            }
        }
    }
}

#[test]
fn legals_are_legal_and_counted() {
    let game = game(&[("clock", "off"), ("bad_cells", "6")]);
    walk(&game, 20, |state| {
        for seat in Seat::BOTH {
            let mut moves = Vec::new();
            game.legal(state, seat, &mut moves);
            assert_eq!(moves.len() as u64, game.count_legal(state, seat));
            for &mv in &moves {
                assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
                assert!(game.play(&mut state.clone(), seat, mv).is_ok());
            }
            for origin in 0..64 {
                for target in 0..64 {
                    for captures in [false, true] {
                        let mv = Move { origin, target, captures };
                        assert_eq!(game.is_legal(state, seat, mv), moves.contains(&mv));
                    }
                }
            }
        }
    });
}

#[test]
fn random_moves_reach_every_legal_move_evenly() {
    let game = game(&[("clock", "off"), ("bad_cells", "0")]);
    let text = "3k4/8/2e1e3/3J4/2e5/8/1K1E4/8 1 0 - -";
    let state = game.parse_position(text).expect("a position");
    let mut moves = Vec::new();
    game.legal(&state, Seat::First, &mut moves);
    let mut rng = fastrand::Rng::with_seed(1);
    let mut drawn = vec![0u32; moves.len()];
    for _ in 0..1000 * moves.len() {
        let mv = game.random_move(&state, Seat::First, &mut rng, &mut Vec::new());
        drawn[moves.iter().position(|&known| known == mv).expect("a legal move")] += 1;
    }
    assert!(drawn.iter().all(|times| (850..1150).contains(times)), "{drawn:?}");
}

#[test]
fn positions_round_trip_and_equal_states_share_a_key() {
    let game = game(&[("clock", "off"), ("bad_cells", "6")]);
    let mut keys = std::collections::HashMap::new();
    walk(&game, 300, |state| {
        let text = game.format_position(state);
        let read = game.parse_position(&text).expect("a printed position can be read");
        assert!(read == *state, "{text}");
        assert_eq!(game.key(&read), game.key(state));
        let other = keys.entry(game.key(state)).or_insert_with(|| text.clone());
        assert_eq!(*other, text);
        for viewer in [Some(Seat::First), Some(Seat::Second), None] {
            let view = game.view(state, viewer);
            assert_eq!(game.parse_view(&game.format_view(&view)), Ok(view));
        }
    });
}

#[test]
fn sets_agree_with_each_other() {
    let game = game(&[("clock", "off"), ("bad_cells", "6")]);
    walk(&game, 300, |state| {
        let kinds = [state.kings, state.jumpers, state.executioners, state.defenders];
        assert_eq!(state.sides[0] & state.sides[1], 0);
        assert_eq!(kinds.iter().fold(0, |all, kind| all ^ kind), state.sides[0] | state.sides[1]);
        assert_eq!(state.turned & !(state.executioners | state.defenders), 0);
        assert_eq!((state.mired[0] | state.mired[1]) & !state.bad, 0);
        assert_eq!(state.mired[0] & state.mired[1], 0);
    });
}

#[test]
fn a_spoiled_text_is_refused_or_read_and_never_panics() {
    let game = game(&[("clock", "off"), ("bad_cells", "6")]);
    let mut rng = fastrand::Rng::with_seed(1);
    walk(&game, 30, |state| {
        let mut text: Vec<char> = game.format_position(state).chars().collect();
        for _ in 0..=rng.usize(..3) {
            let at = rng.usize(..text.len());
            text[at] =
                *rng.choice(&['K', 'e', '~', '1', '9', '/', ' ', ':', ',', '@', '+', 'é', '-']).unwrap();
        }
        let text: String = text.into_iter().collect();
        if let Ok(read) = game.parse_position(&text) {
            assert_eq!(game.format_position(&read), text);
        }
    });
}

#[test]
fn more_pairs_of_bad_cells_than_there_are_are_refused() {
    let game = game(&[("clock", "off"), ("bad_cells", "6")]);
    let pairs = "b6:spur,c5:?,c6:crown,c3:gate";
    let text = format!("3j3k/e1edd1ee/1e3e2/8/8/5J1E/EEEDD1E1/3KJ3 5 5 {pairs} -");
    assert!(matches!(game.parse_position(&text), Err(Error::NotAPosition { .. })));
}

#[test]
fn games_without_clocks_end() {
    let game = game(&[("clock", "off")]);
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..1000 {
        let played = playout(&game, &mut game.start(), &mut rng, u32::MAX);
        assert!(played.plies <= 300);
    }
}

#[test]
fn options_out_of_range_are_refused() {
    for (name, value) in [("bad_cells", "8"), ("bad_cells", "3"), ("clock", "maybe"), ("moon", "full")] {
        let refused = DandE::new(&vec![(name.to_owned(), value.to_owned())]);
        assert!(matches!(refused, Err(Error::BadOption { .. })));
    }
}
