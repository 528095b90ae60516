//! Tree search must come to what the plain search says, mix what is blind, and never play what a world forbids.

use super::*;
use crate::game::Options;
use crate::games::elements::Elements;
use crate::games::fortress::Small;
use crate::games::osakana::Osakana;
use crate::games::stones::Stones;
use crate::search::engine::{Method, Searchable};
use crate::search::limits::Limits;
use crate::search::negamax::negamax;
use crate::search::{Evaluator, PROVEN, Report};
use std::sync::atomic::AtomicBool;

/// No evaluation: only the end of a game tells anything.
struct Blank;

impl<G: Game> Evaluator<G> for Blank {
    const SCALE: f64 = 100.0;

    fn evaluate(&self, _game: &G, _state: &G::State) -> i32 {
        0
    }
}

fn new<G: Game>(options: &[(&str, &str)]) -> G {
    let options: Options =
        options.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
    G::new(&options).unwrap()
}

/// A state some random decisions into a game that awaits one seat's decision.
fn random_state<G: Game>(game: &G, longest: u32, rng: &mut fastrand::Rng) -> Option<(G::State, Seat)> {
    let (mut state, mut left) = (game.start(), rng.u32(..longest));
    loop {
        match game.awaits(&state) {
            Awaits::Ended(_) => return None,
            Awaits::Roll => {
                let face = game.random_face(&state, rng, &mut Vec::new());
                game.roll_unchecked(&mut state, face);
            }
            Awaits::Decide(seat) if left == 0 => return Some((state, seat)),
            Awaits::Decide(seat) => {
                left -= 1;
                let mv = game.random_move(&state, seat, rng, &mut Vec::new());
                game.play_unchecked(&mut state, seat, mv);
            }
            Awaits::DecideBoth => {
                for seat in Seat::BOTH {
                    let mv = game.random_move(&state, seat, rng, &mut Vec::new());
                    game.play_unchecked(&mut state, seat, mv);
                }
            }
        }
    }
}

fn search<G: Game, L: Leaf<G>>(
    game: &G,
    leaf: &L,
    settings: Settings,
    view: &G::View,
    seat: Seat,
    (nodes, seed): (u64, u64),
) -> Report<G::Move> {
    let limits = Limits { nodes: Some(nodes), seed, ..Limits::default() };
    let (stop, mut found) = (AtomicBool::new(false), |_: &Report<G::Move>| ());
    think(game, leaf, settings, view, seat, Order { limits: &limits, stop: &stop, found: &mut found })
}

/// What both kinds of search say of a state without secrets.
fn both_searches<G: Game>(game: &G, state: &G::State, seat: Seat, nodes: u64) -> [Report<G::Move>; 2] {
    let view = game.view(state, Some(seat));
    let evaluated = Evaluated { eval: &Blank, temperature: 1.0 };
    [
        search(game, &RandomPlay { limit: 200 }, Settings::PLAIN, &view, seat, (nodes, 1)),
        search(game, &evaluated, Settings::default(), &view, seat, (nodes, 1)),
    ]
}

#[test]
fn osakana_wins_and_losses_are_found() {
    let game: Osakana = new(&[]);
    let mut rng = fastrand::Rng::with_seed(3);
    let mut compared = [0, 0];
    while compared.iter().any(|&count| count < 6) {
        let Some((state, seat)) = random_state(&game, 40, &mut rng) else { continue };
        let value = negamax(&game, &Blank, &state, seat, 4, 0);
        let is_won = value > 0;
        if value.abs() < PROVEN || compared[usize::from(is_won)] == 6 {
            continue;
        }
        compared[usize::from(is_won)] += 1;
        for report in both_searches(&game, &state, seat, 40_000) {
            let (position, score) = (game.format_position(&state), report.lines[0].score);
            assert_eq!(score > 0.5, is_won, "{position} {score}");
            assert!((score - f64::from(u8::from(is_won))).abs() < 0.2, "{position} {score}");
            let mut next = state.clone();
            game.play_unchecked(&mut next, seat, report.best());
            let after = negamax(&game, &Blank, &next, seat, 3, 1);
            assert!(!is_won || after >= PROVEN, "{position} {}", game.format_move(report.best()));
        }
    }
}

#[test]
fn a_small_fortress_has_its_value() {
    let game: Small = new(&[("scenario", "young:4x4:3:A1:D4"), ("supply", "connected")]);
    let mut rng = fastrand::Rng::with_seed(5);
    let mut compared = 0;
    while compared < 8 {
        let Some((state, seat)) = random_state(&game, 12, &mut rng) else { continue };
        let value = negamax(&game, &Blank, &state, seat, 5, 0);
        if value.abs() < PROVEN {
            continue;
        }
        compared += 1;
        for report in both_searches(&game, &state, seat, 20_000) {
            let score = report.lines[0].score;
            let expected = if value > 0 { 1.0 } else { 0.0 };
            assert!((score - expected).abs() < 0.2, "{} {score} {value}", game.format_position(&state));
        }
    }
}

/// Two blind choices against each other; the payoff is the first one's.
fn equilibrium<const N: usize>(payoff: [[f64; N]; N], rounds: u32) -> [[f64; N]; 2] {
    let moves: Vec<(usize, f32)> = (0..N).map(|mv| (mv, 1.0)).collect();
    let (mut rows, mut columns) = (Arm::blind(&moves), Arm::blind(&moves));
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..rounds {
        let (row, column) = (rows.draw(&mut rng), columns.draw(&mut rng));
        rows.learn(row, payoff[row][column]);
        columns.learn(column, 1.0 - payoff[row][column]);
    }
    [rows, columns].map(|arm| {
        let mut counts = [0.0; N];
        for _ in 0..10_000 {
            counts[arm.draw_mixed(&mut rng)] += 1e-4;
        }
        counts
    })
}

#[test]
fn blind_choices_come_to_an_equilibrium() {
    // Matching pennies in which one match counts twice: a third, two thirds.
    for mixture in equilibrium([[1.0, 0.0], [0.0, 0.5]], 20_000) {
        assert!((mixture[0] - 1.0 / 3.0).abs() < 0.05, "{mixture:?}");
    }
    // A choice that is better whatever the other does is not mixed with anything.
    let [rows, _] = equilibrium([[0.9, 0.8], [0.2, 0.1]], 2_000);
    assert!(rows[0] > 0.97, "{rows:?}");
}

/// Kings alone, each with all elements, the first one attacking: by the symmetry of the ring every answer must be
/// as good as any other.
const KINGS: &str = "41 30 N1xN2=? N1:FMWEA,x:F,x:F,x:F,x:M,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,x:A \
                     N2:FMWEA,x:F,x:F,x:F,x:M,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,x:A";

#[test]
fn a_kings_answer_can_not_be_foreseen() {
    let game: Elements = new(&[]);
    let view = game.parse_view(&format!("second {KINGS}")).unwrap();
    let Method::Tree { settings, temperature } = game.method() else { panic!("it is searched so") };
    let eval = game.evaluator();
    let leaf = Evaluated { eval: &eval, temperature };
    let mut counts = std::collections::BTreeMap::new();
    for seed in 0..400 {
        let report = search(&game, &leaf, settings, &view, Seat::Second, (400, seed));
        *counts.entry(game.format_move(report.best())).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 5);
    assert!(counts.values().all(|count| (40..140).contains(count)), "{counts:?}");
}

#[test]
fn a_king_with_one_element_left_attacks_too() {
    let game: Elements = new(&[]);
    let pieces = "x:F,x:F,x:F,x:M,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,x:A";
    let view = game.parse_view(&format!("first 41 30 - N1:F,{pieces} N2:M,{pieces}")).unwrap();
    let Method::Tree { settings, temperature } = game.method() else { panic!("it is searched so") };
    let eval = game.evaluator();
    let leaf = Evaluated { eval: &eval, temperature };
    let report = search(&game, &leaf, settings, &view, Seat::First, (200, 1));
    assert_eq!(game.format_move(report.best()), "N1xN2=F");
    assert!(report.lines[0].score > 0.9);
}

/// A king that knows what attacks it has nothing to mix: only the element that destroys it will do.
#[test]
fn against_an_open_piece_a_king_does_not_guess() {
    let game: Elements = new(&[]);
    let pieces = "x:F,x:F,x:M,x:M,x:M,x:W,x:W,x:W,x:E,x:E,x:E,x:A,x:A,x:A";
    let position = format!("41 30 N1xN2 N3:FMWEA,N1:F,{pieces} N2:FMWEA,x:F,{pieces}");
    let view = game.parse_view(&format!("second {position}")).unwrap();
    let Method::Tree { settings, temperature } = game.method() else { panic!("it is searched so") };
    let eval = game.evaluator();
    let leaf = Evaluated { eval: &eval, temperature };
    for seed in 0..20 {
        let report = search(&game, &leaf, settings, &view, Seat::Second, (100, seed));
        assert_eq!(game.format_move(report.best()), "=A");
    }
}

#[test]
fn set_ups_vary_and_are_legal() {
    let game: Elements = new(&[]);
    let state = game.start();
    let view = game.view(&state, Some(Seat::First));
    let Method::Tree { settings, temperature } = game.method() else { panic!("it is searched so") };
    let eval = game.evaluator();
    let leaf = Evaluated { eval: &eval, temperature };
    let set_ups: std::collections::HashSet<_> = (0..40)
        .map(|seed| {
            let mv = search(&game, &leaf, settings, &view, Seat::First, (100, seed)).best();
            assert!(game.is_legal(&state, Seat::First, mv));
            game.format_move(mv)
        })
        .collect();
    assert!(set_ups.len() > 30, "{set_ups:?}");
}

/// Every move in every world is checked while the library is tested; this makes many.
fn plays_legally<G: Searchable>(searches: u32) {
    let game: G = new(&[]);
    let Method::Tree { settings, temperature } = game.method() else { panic!("it is searched so") };
    let eval = game.evaluator();
    let leaf = Evaluated { eval: &eval, temperature };
    let mut rng = fastrand::Rng::with_seed(9);
    let mut made = 0;
    while made < searches {
        let Some((state, seat)) = random_state(&game, 300, &mut rng) else { continue };
        let view = game.view(&state, Some(seat));
        let plain = RandomPlay { limit: 20 };
        let reports = [
            search(&game, &leaf, settings, &view, seat, (400, rng.u64(..))),
            search(&game, &plain, Settings::PLAIN, &view, seat, (400, rng.u64(..))),
        ];
        for report in reports {
            assert!(game.is_legal(&state, seat, report.best()), "{}", game.format_position(&state));
        }
        made += 1;
    }
}

#[test]
fn elements_is_played_legally_in_all_worlds() {
    plays_legally::<Elements>(60);
}

#[test]
fn stones_is_played_legally_in_all_worlds() {
    plays_legally::<Stones>(20);
}
