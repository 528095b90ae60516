//! The kernel's theorems, over random games, and the published counts.

use super::*;
use crate::game::{Game, Outcome};
use crate::perft::{divide, perft};
use crate::playout::playout;
use std::collections::HashSet;

const GAME: Osakana = Osakana { fouls_lose: true };
const PERFT: &str = include_str!("../../../../../vectors/osakana/perft.tsv");

fn at(text: &str) -> State {
    GAME.parse_position(text).expect(text)
}

/// Calls `look` with every state of some random games.
fn for_random_states(games: u64, mut look: impl FnMut(&State)) {
    let mut rng = fastrand::Rng::with_seed(1);
    for _ in 0..games {
        let mut state = GAME.start();
        look(&state);
        while let Awaits::Decide(seat) = GAME.awaits(&state) {
            let mv = GAME.random_move(&state, seat, &mut rng, &mut Vec::new());
            GAME.play_unchecked(&mut state, seat, mv);
            look(&state);
        }
    }
}

fn legal(state: &State) -> Vec<Move> {
    let mut moves = Vec::new();
    GAME.legal(state, state.position.mover(), &mut moves);
    moves
}

/// Every text of a move there is.
fn all_moves() -> Vec<Move> {
    let mut moves = Vec::new();
    for seat in Seat::BOTH {
        for piece in Kind::ALL.map(|kind| Piece { seat, kind }) {
            for to in Square::all() {
                moves.push(Move::Drop { piece, to });
                moves.extend(Square::all().map(|from| Move::Step { piece, from, to }));
            }
        }
    }
    moves
}

#[test]
fn legals_are_legal_and_nothing_else_is() {
    let all = all_moves();
    for_random_states(30, |state| {
        let legal = legal(state);
        let seat = state.position.mover();
        assert_eq!(legal.len() as u64, GAME.count_legal(state, seat));
        let distinct: HashSet<Move> = legal.iter().copied().collect();
        assert_eq!(distinct.len(), legal.len());
        for &mv in &all {
            assert_eq!(GAME.is_legal(state, seat, mv), distinct.contains(&mv), "{mv} in {state:?}");
        }
        assert_eq!(GAME.count_legal(state, seat.other()), 0);
    });
}

#[test]
fn choices_are_the_legal_moves() {
    for_random_states(300, |state| {
        if state.end().is_some() {
            return;
        }
        let position = state.position();
        let seat = position.mover();
        let choices = position.choices(seat);
        let mut by_rank = HashSet::new();
        let mut rank = 0;
        choices.for_each(|choice| {
            let mv = position.move_of(choice);
            assert_eq!(mv, position.move_of(choices.nth(rank)));
            let (next, took_tuna) = position.after_choice(seat, choice);
            assert_eq!(next, position.after(mv));
            assert_eq!(took_tuna, next.has_taken_tuna(seat));
            by_rank.insert(mv);
            rank += 1;
        });
        assert_eq!(rank, choices.count());
        assert_eq!(by_rank, legal(state).into_iter().collect());
    });
}

/// The position made anew, piece by piece.
fn rebuilt(position: Position) -> Position {
    let mut new = Position::empty(position.mover());
    for square in Square::all() {
        if let Some(piece) = position.piece(square) {
            new.put(square, piece);
        }
    }
    for seat in Seat::BOTH {
        for kind in Kind::DROPPABLE {
            (0..position.held(seat, kind)).for_each(|_| new.hold(seat, kind));
        }
    }
    new
}

#[test]
fn the_word_made_move_by_move_equals_the_word_made_anew() {
    for_random_states(300, |state| {
        assert_eq!(state.position, rebuilt(state.position));
        let again = State::new(rebuilt(state.position), state.earlier.clone());
        assert_eq!(GAME.key(state), GAME.key(&again));
        assert_eq!(state.end, again.end);
    });
}

#[test]
fn texts_come_back() {
    for mv in all_moves() {
        assert_eq!(GAME.parse_move(&GAME.format_move(mv)), Ok(mv));
    }
    assert_eq!(GAME.parse_move("KC4C3"), GAME.parse_move("か↑C4C3"));
    assert_eq!(GAME.parse_move("i*A3"), GAME.parse_move("い↓A3★"));
    for_random_states(30, |state| {
        let again = at(&GAME.format_position(state));
        assert!(again == *state);
        assert_eq!(GAME.key(&again), GAME.key(state));
    });
}

#[test]
fn spoiled_texts_are_refused() {
    let good = "kmt/1i1/1IK/TM1 w - seen kmt/1i1/1I1/TMK b -";
    at(good);
    let mut rng = fastrand::Rng::with_seed(2);
    let letters: Vec<char> = "kmtibKMTIB123/ bw-, seenx2foul★か↑".chars().collect();
    for _ in 0..20_000 {
        let mut chars: Vec<char> = good.chars().collect();
        let place = rng.usize(..chars.len());
        chars[place] = letters[rng.usize(..letters.len())];
        let text: String = chars.into_iter().collect();
        if let Ok(state) = GAME.parse_position(&text) {
            assert_eq!(GAME.format_position(&state), text);
        }
        let _ = GAME.parse_move(&text[..text.floor_char_boundary(place.min(8))]);
    }
}

#[test]
fn a_foul_loses_or_is_refused() {
    let mv = GAME.parse_move("か↑C4C2").unwrap();
    let mut state = GAME.start();
    GAME.play(&mut state, Seat::First, mv).unwrap();
    assert_eq!(GAME.awaits(&state), Awaits::Ended(Outcome::new(Some(Seat::Second), "foul")));
    assert!(at(&GAME.format_position(&state)) == state);
    let lenient = Osakana { fouls_lose: false };
    let mut state = GAME.start();
    assert!(matches!(lenient.play(&mut state, Seat::First, mv), Err(Error::IllegalMove { .. })));
    assert!(state == GAME.start());
}

#[test]
fn perft_has_the_published_counts() {
    for row in PERFT.lines().skip(2) {
        let (depth, nodes) = row.split_once('\t').unwrap();
        assert_eq!(
            GAME.perft(&GAME.start(), depth.parse().unwrap()),
            Ok(nodes.parse().unwrap()),
            "depth {depth}"
        );
    }
}

#[test]
fn quick_perft_equals_plain_perft() {
    for_random_states(3, |state| {
        for depth in 0..=3 {
            assert_eq!(GAME.perft(state, depth), perft(&GAME, state, depth));
            if depth > 0 {
                let divided = divide(&GAME, state, depth).unwrap().iter().map(|(_, nodes)| nodes).sum();
                assert_eq!(GAME.perft(state, depth), Ok(divided));
            }
        }
    });
}

/// How often each end came up, and the mean length.
fn statistics(mut play: impl FnMut(&mut State, &mut fastrand::Rng) -> Playout) -> [f64; 6] {
    const GAMES: u32 = 40_000;
    let mut rng = fastrand::Rng::with_seed(3);
    let mut sums = [0.0; 6];
    for _ in 0..GAMES {
        let played = play(&mut GAME.start(), &mut rng);
        let outcome = played.outcome.expect("random games end");
        let column = match (outcome.reason, outcome.winner) {
            ("capture", Some(Seat::First)) => 0,
            ("capture", _) => 1,
            ("try", Some(Seat::First)) => 2,
            ("try", _) => 3,
            _ => 4,
        };
        sums[column] += 1.0 / f64::from(GAMES);
        sums[5] += f64::from(played.plies) / f64::from(GAMES);
    }
    sums
}

#[test]
fn quick_playouts_are_like_plain_ones() {
    let quick = statistics(|state, rng| GAME.playout(state, rng, u32::MAX));
    let plain = statistics(|state, rng| playout(&GAME, state, rng, u32::MAX));
    for (quick, plain) in quick[..5].iter().zip(&plain[..5]) {
        assert!((quick - plain).abs() < 0.015, "{quick} and {plain}");
    }
    assert!((quick[5] / plain[5] - 1.0).abs() < 0.03, "{} and {}", quick[5], plain[5]);
}

#[test]
fn a_playout_leaves_the_state_as_moves_would() {
    let mut rng = fastrand::Rng::with_seed(4);
    for limit in 0..40 {
        let mut state = GAME.start();
        let played = GAME.playout(&mut state, &mut rng, limit);
        assert_eq!(state.earlier.len(), played.plies as usize);
        assert!(played.plies == limit || played.outcome.is_some());
        let again = State::new(state.position, state.earlier.clone());
        assert_eq!(again.end, state.end);
        assert_eq!(played.outcome, state.end.map(|end| outcome(end, state.position.mover())));
    }
}

#[test]
fn every_move_has_the_same_chance() {
    let state = at("3/1B1/2k/m1M b ITTK");
    let mut rng = fastrand::Rng::with_seed(5);
    let moves = legal(&state);
    let mut counts = vec![0_u32; moves.len()];
    for _ in 0..1000 * moves.len() {
        let mv = GAME.random_move(&state, Seat::First, &mut rng, &mut Vec::new());
        counts[moves.iter().position(|&other| other == mv).expect("legal")] += 1;
    }
    assert!(counts.iter().all(|&count| count.abs_diff(1000) < 150), "{counts:?}");
}

#[test]
fn positions_that_came_up_twice_are_worn() {
    let mut state = GAME.start();
    for text in ["KC4C3", "kA1A2", "KC3C4", "kA2A1"] {
        assert_eq!(state.worn(), 0);
        let mover = state.position.mover();
        GAME.play(&mut state, mover, text.parse().unwrap()).unwrap();
    }
    assert_ne!(state.worn(), 0);
    assert_ne!(GAME.key(&state), GAME.key(&GAME.start()));
}
