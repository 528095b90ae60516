//! Laws that hold along random games.

use super::*;
use std::collections::HashMap;

fn games() -> Vec<Stones> {
    let maps = [
        SQUARE8,
        "xxxxxx/xxxxxx/xxxxxx/xxxxxx/xxxxxx/xxxxxx",
        "xxxxxxxxxxxxxxxx/xxxxxxxxxxxxxxxx",
        "xxxx/xxxx",
    ];
    maps.map(|map| Stones::new(&vec![("field".into(), map.into())]).unwrap()).to_vec()
}

/// Walks random games whose placings often join many stones, and calls `look` at every state.
fn walk(game: &Stones, seed: u64, mut look: impl FnMut(&State)) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut state = game.start();
    let (mut moves, mut faces) = (Vec::new(), Vec::new());
    loop {
        look(&state);
        match game.awaits(&state) {
            Awaits::Decide(seat) => {
                let tries = (0..12).map(|_| {
                    let mv = game.random_move(&state, seat, &mut rng, &mut moves);
                    let mut next = state.clone();
                    game.play_unchecked(&mut next, seat, mv);
                    next
                });
                state =
                    tries.max_by_key(|next| (next.phase == Phase::Level, next.group.count_ones())).unwrap();
            }
            Awaits::Roll => {
                let face = game.random_face(&state, &mut rng, &mut faces);
                game.roll_unchecked(&mut state, face);
            }
            _ => return,
        }
    }
}

#[test]
fn legals_are_legal() {
    for game in games() {
        walk(&game, 1, |state| {
            for seat in Seat::BOTH {
                let mut moves = Vec::new();
                game.legal(state, seat, &mut moves);
                assert_eq!(moves.len() as u64, game.count_legal(state, seat));
                assert_eq!(moves.is_empty(), !game.awaits(state).includes(seat));
                for &mv in &moves {
                    assert_eq!(game.parse_move(&game.format_move(mv)), Ok(mv));
                    assert!(game.play(&mut state.clone(), seat, mv).is_ok());
                }
                for mv in [Move::Skip, Move::Done, Move::Take(0), Move::Level(0)] {
                    assert_eq!(game.play(&mut state.clone(), seat, mv).is_ok(), moves.contains(&mv));
                }
            }
        });
    }
}

#[test]
fn positions_and_views_come_back_from_their_texts() {
    let (mut phases, mut secrets) = (HashMap::new(), 0);
    for game in games() {
        for seed in 0..30 {
            walk(&game, seed, |state| {
                let text = game.format_position(state);
                let read = game.parse_position(&text).unwrap_or_else(|error| panic!("{text}: {error}"));
                assert!(read == *state, "{text}");
                assert_eq!(game.key(&read), game.key(state));
                for viewer in [Some(Seat::First), Some(Seat::Second), None] {
                    let view = game.view(state, viewer);
                    secrets += u32::from(view.state != *state);
                    assert_eq!(game.parse_view(&game.format_view(&view)), Ok(view));
                }
                *phases.entry(format!("{:?}", state.phase)).or_insert(0) += 1;
            });
        }
    }
    assert_eq!(phases.len(), state::PHASES.len(), "{phases:?}");
    assert!(secrets > 100, "{secrets}");
}

#[test]
fn worlds_look_the_same_to_the_viewer() {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut other_worlds = 0;
    for seed in 0..30 {
        let game = &games()[0];
        walk(game, seed, |state| {
            for viewer in [Some(Seat::First), Some(Seat::Second), None] {
                let view = game.view(state, viewer);
                let world = game.determinize(&view, &mut rng);
                assert!(game.view(&world, viewer) == view);
                other_worlds += u32::from(world != *state);
            }
        });
    }
    assert!(other_worlds > 0);
}

#[test]
fn random_moves_are_spread_evenly() {
    let game = &games()[3];
    let mut rng = fastrand::Rng::with_seed(1);
    let mut states = Vec::new();
    for seed in 0..20 {
        walk(game, seed, |state| states.push(state.clone()));
    }
    let placing = |state: &&State| matches!(state.phase, Phase::Place | Phase::More) && state.turn > 1;
    for state in states.iter().filter(placing).take(10) {
        let Awaits::Decide(seat) = game.awaits(state) else { continue };
        let (mut moves, mut scratch) = (Vec::new(), Vec::new());
        game.legal(state, seat, &mut moves);
        let mut counts = vec![0; moves.len()];
        for _ in 0..1000 * moves.len() {
            let mv = game.random_move(state, seat, &mut rng, &mut scratch);
            counts[moves.iter().position(|&legal| legal == mv).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (800..1200).contains(count)), "{counts:?}");
    }
}

#[test]
fn random_faces_have_their_weights() {
    let game = &games()[1];
    let mut rng = fastrand::Rng::with_seed(1);
    let mut states = Vec::new();
    walk(game, 2, |state| states.push(state.clone()));
    for state in states.iter().filter(|state| game.awaits(state) == Awaits::Roll) {
        let (mut faces, mut scratch, mut counts) = (Vec::new(), Vec::new(), HashMap::new());
        game.faces(state, &mut faces);
        let total: u32 = faces.iter().map(|&(_, weight)| weight).sum();
        for _ in 0..total * 1000 {
            *counts.entry(game.random_face(state, &mut rng, &mut scratch)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), faces.len());
        for (face, weight) in faces {
            let share = f64::from(counts[&face]) / f64::from(1000 * weight);
            assert!((0.8..1.2).contains(&share), "{share}");
        }
    }
}

#[test]
fn texts_of_other_things_are_refused() {
    let game = &games()[0];
    for text in [
        "", "é", "0@A1r0", "61@A1r0", "1@A1r", "1@A1r4", "1@A+1r0", "1@I1r0", "1@Aér1", "take", "take 07",
        "keep 5", "level", "keep 5x",
    ] {
        assert!(game.parse_move(text).is_err(), "{text}");
    }
    let start = game.format_position(&game.start());
    assert_eq!(start, "0 deal skips:0 bonus:0");
    for text in [
        "",
        "0",
        "0 deal",
        "1 deal skips:0 bonus:0",
        "0 deal: skips:0 bonus:0",
        "0 deal skips:0 bonus:0 RRYG",
    ] {
        assert!(game.parse_position(text).is_err(), "{text}");
        assert!(game.parse_view(&format!("first {text}")).is_err(), "{text}");
    }
    let dealt = format!("{start} RRYGi=1");
    assert!(game.parse_position(&dealt).is_ok());
    for text in [" RRYGi=1", " RRYGi=2", " RRYRi=1", " RVGB1i=1", " RVGBb=1", " RRYBi@A1r0", " RRYB+1"] {
        assert!(game.parse_position(&format!("{dealt}{text}")).is_err(), "{text}");
    }
}
