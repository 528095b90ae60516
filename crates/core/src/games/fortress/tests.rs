//! Theorems on the kernel; the Python rules are set against it elsewhere.

use super::*;
use crate::playout::playout;
use crate::registry::kernel;

const ROUGH: &str = "rough:9x8:18:B3:H6:D1,G2,I4,A5,C7,F8:H1,I1,H2,E3,D4,E4,E5,F5,E6,B7,A8,B8";
const PLENTY: &str = "plenty:9x8:12:B3:H6:E1,I4,A5,E8:E2,E3,D4,E4,E5,F5,E6,E7";

fn options(scenario: &str, supply: &str) -> Options {
    vec![("scenario".into(), scenario.into()), ("supply".into(), supply.into())]
}

fn game<const N: usize>(scenario: &str) -> Fortress<N> {
    Fortress::new(&options(scenario, "connected")).unwrap()
}

/// Calls `look` at every state of some random games.
fn walk<const N: usize>(game: &Fortress<N>, games: u64, mut look: impl FnMut(&State<N>, Seat, &[Move])) {
    let mut rng = fastrand::Rng::with_seed(7);
    for _ in 0..games {
        let mut state = game.start();
        while let Awaits::Decide(seat) = game.awaits(&state) {
            let mut moves = Vec::new();
            game.legal(&state, seat, &mut moves);
            look(&state, seat, &moves);
            let mv = game.random_move(&state, seat, &mut rng, &mut moves);
            game.play(&mut state, seat, mv).unwrap();
        }
    }
}

#[test]
fn legals_are_legal() {
    for scenario in [ROUGH, PLENTY] {
        let game = game::<2>(scenario);
        walk(&game, 20, |state, seat, moves| {
            assert_eq!(game.count_legal(state, seat), moves.len() as u64);
            assert_eq!(game.count_legal(state, seat.other()), 0);
            for &mv in moves {
                assert!(game.is_legal(state, seat, mv));
                assert!(!game.is_legal(state, seat.other(), mv));
                assert_eq!(game.parse_move(&game.format_move(mv)).unwrap(), mv);
            }
            for mv in [Move::End, Move::Pass, Move::Build(0), Move::Step(3, 4), Move::Stay(9)] {
                assert_eq!(game.is_legal(state, seat, mv), moves.contains(&mv));
            }
        });
    }
}

#[test]
fn positions_round_trip_and_share_keys() {
    let game = game::<2>(PLENTY);
    walk(&game, 20, |state, _, _| {
        let again = game.parse_position(&game.format_position(state)).unwrap();
        assert_eq!(again, *state);
        assert_eq!(game.key(&again), game.key(state));
    });
}

#[test]
fn small_and_large_kernels_agree() {
    let (small, large) = (game::<2>(PLENTY), game::<25>(PLENTY));
    walk(&small, 5, |state, seat, moves| {
        let same = large.parse_position(&small.format_position(state)).unwrap();
        let mut found = Vec::new();
        large.legal(&same, seat, &mut found);
        assert_eq!(found, moves);
        for &mv in moves {
            let (mut a, mut b) = (*state, same);
            small.play_unchecked(&mut a, seat, mv);
            large.play_unchecked(&mut b, seat, mv);
            assert_eq!(small.format_position(&a), large.format_position(&b));
        }
    });
}

/// F1, F8: what is controlled is what lies around fortresses and cities, and nothing is controlled twice.
#[test]
fn land_lies_around_fortresses_and_cities() {
    for scenario in [ROUGH, PLENTY] {
        let game = game::<2>(scenario);
        walk(&game, 20, |state, _, _| {
            let cities: Bits<2> = game.field.cities.into_iter().collect();
            assert_eq!(state.lands[0] | state.lands[1], game.field.grow(state.forts | cities));
            assert!((state.lands[0] & state.lands[1]).is_empty());
        });
    }
}

#[test]
fn the_size_picks_the_kernel() {
    assert!(Small::suits(&options("young:16x8:1:A1:H8", "free")));
    let large = "young:40x40:400:C3:AL38";
    assert!(!Small::suits(&options(large, "free")));
    assert!(kernel("fortress", &options(large, "free")).unwrap().start().starts_with("1 "));
    assert!(kernel("fortress", &Vec::new()).is_err());
    assert!(kernel("fortress", &options(ROUGH, "none")).is_err());
}

#[test]
fn random_games_end_with_the_count() {
    let game = game::<25>("rough:20x10:40:C3:R8:A1:");
    let mut rng = fastrand::Rng::with_seed(3);
    for _ in 0..50 {
        let mut state = game.start();
        let played = playout(&game, &mut state, &mut rng, 1000);
        assert_eq!(played.plies, 80);
        assert_eq!(played.outcome.unwrap().scores, Some(state.scores()));
    }
}

#[test]
fn bad_texts_are_refused() {
    let game = game::<2>(PLENTY);
    for text in ["", "A", "A1-", "A1-B1-C1-D1", "A1-B1-C1+", "Z99", "++", "ENDE", "A1 ", "A+1", "A01", "é1"]
    {
        assert!(matches!(game.parse_move(text), Err(Error::NotAMove { .. })), "{text}");
    }
    let good = game.format_position(&game.start());
    for text in [
        "",
        "1",
        &good[1..],
        &format!("+{good}"),
        &format!("0{good}"),
        &good.replace('f', "F"),
        &good.replacen('/', "", 1),
        &good.replace("9.", "99."),
        &good.replace("9.", "8.1."),
        &good.replace("9.", "09."),
    ] {
        assert!(matches!(game.parse_position(text), Err(Error::NotAPosition { .. })), "{text}");
        assert!(matches!(game.parse_view(text), Err(Error::NotAView { .. })), "{text}");
    }
}
