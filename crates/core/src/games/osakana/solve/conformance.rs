//! The solver has its own moves, for speed: here they are held to the kernel's, without a table.

use super::oracle::at_a_glance;
use super::position::Position;
use super::{Convention, Pieces, forward};
use crate::game::{Awaits, Game, Options, Seat};
use crate::games::osakana::{self as kernel, Osakana, State};
use crate::solve::Value;
use std::collections::HashSet;

fn game() -> Osakana {
    Osakana::new(&Options::new()).unwrap()
}

/// The states after each legal move.
fn next_states(game: &Osakana, state: &State) -> Vec<State> {
    let seat = state.position().mover();
    let mut moves = Vec::new();
    game.legal(state, seat, &mut moves);
    let played = moves.into_iter().map(|mv| {
        let mut next = state.clone();
        game.play_unchecked(&mut next, seat, mv);
        next
    });
    played.collect()
}

/// Positions in an order of their own, to be compared.
fn sorted(positions: impl IntoIterator<Item = Position>) -> Vec<String> {
    let mut texts: Vec<String> = positions.into_iter().map(|position| position.to_string()).collect();
    texts.sort_unstable();
    texts
}

/// What the solver says of a position agrees with the kernel: the ends, the moves and what they lead to. The state must
/// have no history, for the solver knows none.
fn check(game: &Osakana, state: &State) {
    let text = game.format_position(state);
    let seen = Position::from(state.position());
    assert_eq!(seen, Position::parse(&text).unwrap(), "{text}: read as the kernel reads it");
    let mover = state.position().mover();
    let glance = at_a_glance(&seen, Convention::Osakana);
    if let Awaits::Ended(outcome) = game.awaits(state) {
        let value = if outcome.winner == Some(mover) { Value::Win(0) } else { Value::Loss(0) };
        assert_eq!(glance, Some(value), "{text}: ended");
        return;
    }
    assert!(!matches!(glance, Some(Value::Win(0) | Value::Loss(0))), "{text}: not ended");
    let next = next_states(game, state);
    let positions = next.iter().map(|state| Position::from(state.position()));
    assert_eq!(sorted(forward::successors(&seen)), sorted(positions), "{text}: successors");
    let wins = |state: &State| matches!(game.awaits(state), Awaits::Ended(end) if end.winner == Some(mover));
    assert_eq!(
        glance == Some(Value::Win(1)),
        next.iter().any(|next| takes_tuna(next) && wins(next)),
        "{text}"
    );
}

fn takes_tuna(state: &State) -> bool {
    state.position().has_taken_tuna(state.position().mover().other())
}

fn without_history(state: &State) -> State {
    State::new(state.position(), Vec::new())
}

#[test]
fn the_start_is_the_same() {
    let start = game().start();
    assert_eq!(Position::from(start.position()), Position::start(Pieces::ALL));
}

/// Everything within a few plies of the start.
#[test]
fn moves_agree_near_the_start() {
    let game = game();
    let mut seen: HashSet<u64> = HashSet::new();
    let mut layer = vec![game.start()];
    for _ in 0..6 {
        let mut deeper = Vec::new();
        for state in layer {
            check(&game, &state);
            let next = next_states(&game, &state).into_iter().map(|next| without_history(&next));
            deeper.extend(next.filter(|next| seen.insert(next.position().bits())));
        }
        layer = deeper;
    }
    assert!(seen.len() > 10_000, "{}", seen.len());
}

/// All positions of random games, which come to ends of all kinds.
#[test]
fn moves_agree_in_random_games() {
    let game = game();
    let (mut rng, mut scratch) = (fastrand::Rng::with_seed(14), Vec::new());
    let mut reasons = HashSet::new();
    for _ in 0..2_000 {
        let mut state = game.start();
        while let Awaits::Decide(seat) = game.awaits(&state) {
            check(&game, &state);
            let mv = game.random_move(&state, seat, &mut rng, &mut scratch);
            game.play_unchecked(&mut state, seat, mv);
            state = without_history(&state);
        }
        check(&game, &state);
        if let Awaits::Ended(outcome) = game.awaits(&state) {
            reasons.insert(outcome.reason);
        }
    }
    assert!(reasons.is_superset(&HashSet::from(["capture", "try"])), "{reasons:?}");
}

/// Positions that no game need come to: pieces thrown on the board and into the hands.
#[test]
fn moves_agree_in_random_positions() {
    let game = game();
    let mut rng = fastrand::Rng::with_seed(41);
    for _ in 0..50_000 {
        let mut position = kernel::Position::empty(Seat::BOTH[rng.usize(..2)]);
        let mut squares: Vec<_> = kernel::Square::all().collect();
        rng.shuffle(&mut squares);
        for seat in Seat::BOTH {
            position.put(squares.pop().unwrap(), kernel::Piece { seat, kind: kernel::Kind::Tuna });
        }
        for kind in kernel::Kind::DROPPABLE.into_iter().flat_map(|kind| [kind, kind]) {
            let seat = Seat::BOTH[rng.usize(..2)];
            let grown = kind == kernel::Kind::Inada && rng.bool();
            let kind = if grown { kernel::Kind::Buri } else { kind };
            match rng.u8(..4) {
                0 if !grown => position.hold(seat, kind),
                _ => position.put(squares.pop().unwrap(), kernel::Piece { seat, kind }),
            }
        }
        check(&game, &State::new(position, Vec::new()));
    }
}

/// The only formation without a move (O11), wherever the other tuna stands.
#[test]
fn moves_agree_if_there_are_none() {
    let game = game();
    let mut stuck = 0;
    for board in ["mTK/TKM/1II/3", "1TK/TKM/mII/3", "1TK/TKM/1II/m2", "1TK/TKM/1II/1m1", "1TK/TKM/1II/2m"] {
        let turned: String = board.chars().rev().map(swap_case).collect();
        for text in [format!("{board} b -"), format!("{turned} w -")] {
            let state = game.parse_position(&text).unwrap();
            stuck += u32::from(state.end() == Some(kernel::End::Board(kernel::BoardEnd::NoMoves)));
            check(&game, &state);
        }
    }
    assert!(stuck > 0);
}

fn swap_case(letter: char) -> char {
    if letter.is_ascii_uppercase() { letter.to_ascii_lowercase() } else { letter.to_ascii_uppercase() }
}
