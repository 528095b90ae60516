//! The laws of the kernel.

use super::*;
use crate::playout::playout;

const SEATS: [Option<Seat>; 3] = [Some(Seat::First), Some(Seat::Second), None];

fn game() -> Elements {
    Elements::new(&Options::new()).unwrap()
}

/// Looks at every state of some random games.
fn walk(seed: u64, mut look: impl FnMut(&Elements, &State, &mut Rng)) {
    let game = game();
    let mut rng = Rng::with_seed(seed);
    for _ in 0..20 {
        let mut state = game.start();
        loop {
            look(&game, &state, &mut rng);
            let seat = match game.awaits(&state) {
                Awaits::Decide(seat) => seat,
                Awaits::DecideBoth => Seat::BOTH[rng.usize(..2)],
                _ => break,
            };
            let mv = game.random_move(&state, seat, &mut rng, &mut Vec::new());
            assert!(game.is_legal(&state, seat, mv));
            game.play(&mut state, seat, mv).unwrap();
        }
    }
}

#[test]
fn legals_are_legal_and_counted() {
    walk(1, |game, state, _| {
        for seat in Seat::BOTH {
            let mut moves = Vec::new();
            game.legal(state, seat, &mut moves);
            if game.is_listable(state) {
                assert_eq!(game.count_legal(state, seat), moves.len() as u64);
            }
            for &mv in &moves {
                assert!(game.is_legal(state, seat, mv));
                assert_eq!(game.parse_move(&game.format_move(mv)).unwrap(), mv);
            }
        }
    });
}

#[test]
fn random_moves_are_drawn_evenly() {
    let position = "9 8 - A0:FMW,N1:f,x:F,x:F,x:M,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,x:A \
                    N10:FMWEA,A1:f,A4:f,B3:f,B4:m,B5:m,B6:m,B7:w,B8:w,B9:w,B10:e,B11:e,B12:e,B13:a,B14:a,B15:a";
    let game = game();
    let state = game.parse_position(position).unwrap();
    let mut moves = Vec::new();
    game.legal(&state, Seat::First, &mut moves);
    let mut counts = vec![0u32; moves.len()];
    let mut rng = Rng::with_seed(7);
    for _ in 0..1000 * moves.len() {
        let mv = game.random_move(&state, Seat::First, &mut rng, &mut Vec::new());
        counts[moves.iter().position(|&known| known == mv).unwrap()] += 1;
    }
    assert_eq!(moves.len(), 13);
    assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
}

#[test]
fn texts_and_keys_round_trip() {
    walk(2, |game, state, _| {
        let again = game.parse_position(&game.format_position(state)).unwrap();
        assert!(again == *state);
        assert_eq!(game.key(&again), game.key(state));
        for viewer in SEATS {
            let view = game.view(state, viewer);
            assert!(game.parse_view(&game.format_view(&view)).unwrap() == view);
        }
    });
}

#[test]
fn sets_kept_on_the_way_equal_those_made_anew() {
    walk(3, |game, state, _| {
        let again = game.parse_position(&game.format_position(state)).unwrap();
        for seat in Seat::BOTH {
            assert_eq!((again.held(seat), again.cut(seat)), (state.held(seat), state.cut(seat)));
        }
    });
}

#[test]
fn guesses_look_the_same() {
    walk(4, |game, state, rng| {
        for viewer in SEATS {
            let view = game.view(state, viewer);
            let world = game.determinize(&view, rng);
            assert!(game.view(&world, viewer) == view);
            let Some(seat) = viewer else { continue };
            let (mut moves, mut same) = (Vec::new(), Vec::new());
            game.legal(state, seat, &mut moves);
            game.legal(&world, seat, &mut same);
            assert_eq!(moves, same);
        }
    });
}

#[test]
fn bad_texts_are_refused() {
    let game = game();
    for text in ["", "A2", "=", "=X", "A2-", "A2xN1=", "A2xN1=Z", "FFF", "FFFMMMWWWEEEAAAA", "ÄÄ", "A2-N1-N2"]
    {
        assert!(game.parse_move(text).is_err(), "{text}");
        assert!(game.parse_position(text).is_err(), "{text}");
        assert!(game.parse_view(text).is_err(), "{text}");
    }
    let options = vec![("quiet_limit".to_string(), "1001".to_string())];
    assert!(Elements::new(&options).is_err());
}

#[test]
fn random_games_end() {
    let game = game();
    let mut rng = Rng::with_seed(5);
    for _ in 0..200 {
        assert!(playout(&game, &mut game.start(), &mut rng, 100_000).outcome.is_some());
    }
}
