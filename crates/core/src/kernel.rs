//! A game behind its texts: one object-safe face for all kernels, for callers that hold only texts.

use crate::error::Error;
use crate::game::{Awaits, Game, Outcome, Seat};
use crate::perft::divide;
use crate::spelling::{LONGEST_MOVE, tidy};

/// One step of a random walk, as the kernel sees it.
#[derive(Clone, Debug)]
pub struct Step {
    /// The position before the step.
    pub position: String,
    /// The views of first, second and a spectator.
    pub views: [String; 3],
    /// What the position awaits.
    pub awaits: Awaits,
    /// The legal moves of both seats (a handful where they can't be listed).
    pub legal: [Vec<String>; 2],
    /// The faces of an awaited roll, with weights.
    pub faces: Vec<(String, u32)>,
    /// Who acts (`None`: chance, or nobody at the end) and the text of the move or face; empty at the end.
    pub actor: Option<Seat>,
    /// The move made or the face shown.
    pub action: String,
}

/// Totals over many random games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games played to the end.
    pub games: u64,
    /// Decisions made in all of them.
    pub plies: u64,
    /// Wins of first, wins of second, draws.
    pub results: [u64; 3],
    /// The lengths of the games, in decisions.
    pub lengths: Vec<u32>,
    /// How often each reason ended a game.
    pub reasons: Vec<(&'static str, u64)>,
    /// Games cut off at the limit.
    pub unfinished: u64,
}

/// A game spoken to in texts.
pub trait Kernel: Send + Sync {
    /// The position before anything happened.
    fn start(&self) -> String;
    /// What a position awaits.
    fn awaits(&self, position: &str) -> Result<Awaits, Error>;
    /// The legal moves of a seat.
    fn legal(&self, position: &str, seat: Seat) -> Result<Vec<String>, Error>;
    /// The faces of the awaited roll and their weights.
    fn faces(&self, position: &str) -> Result<Vec<(String, u32)>, Error>;
    /// The position after a move.
    fn apply(&self, position: &str, seat: Seat, mv: &str) -> Result<String, Error>;
    /// The position after a face of a roll.
    fn roll(&self, position: &str, face: &str) -> Result<String, Error>;
    /// What a viewer knows.
    fn view(&self, position: &str, viewer: Option<Seat>) -> Result<String, Error>;
    /// A position that the viewer can't tell from the true one.
    fn determinize(&self, view: &str, seed: u64) -> Result<String, Error>;
    /// The canonical text of a move, read in any spelling.
    fn reprint_move(&self, text: &str) -> Result<String, Error>;
    /// The canonical text of a view, read and printed again.
    fn reprint_view(&self, view: &str) -> Result<String, Error>;
    /// Leaves at a depth.
    fn perft(&self, position: &str, depth: u32) -> Result<u64, Error>;
    /// Leaves at a depth by first move.
    fn divide(&self, position: &str, depth: u32) -> Result<Vec<(String, u64)>, Error>;
    /// Plays random games from a position.
    fn playouts(&self, position: &str, games: u64, seed: u64, limit: u32) -> Result<Totals, Error>;
    /// Walks one random game from the start and tells every step, the last being the end (or the limit).
    fn walk(&self, seed: u64, limit: u32) -> Vec<Step>;
}

/// The kernel of a game.
pub struct Texts<G: Game>(pub G);

impl<G: Game> Texts<G> {
    fn step(&self, state: &G::State) -> Step {
        let game = &self.0;
        let view = |viewer| game.format_view(&game.view(state, viewer));
        let legal = |seat| {
            let mut moves = Vec::new();
            game.legal(state, seat, &mut moves);
            moves.into_iter().map(|mv| game.format_move(mv)).collect()
        };
        Step {
            position: game.format_position(state),
            views: [view(Some(Seat::First)), view(Some(Seat::Second)), view(None)],
            awaits: game.awaits(state),
            legal: [legal(Seat::First), legal(Seat::Second)],
            faces: self.faces_of(state).into_iter().map(|(_, text, weight)| (text, weight)).collect(),
            actor: None,
            action: String::new(),
        }
    }

    fn read_move(&self, text: &str) -> Result<G::Move, Error> {
        let tidied = tidy(text)
            .ok_or_else(|| Error::not_a_move(text, format!("it is longer than {LONGEST_MOVE} characters")))?;
        self.0.parse_move(&tidied)
    }

    fn faces_of(&self, state: &G::State) -> Vec<(u32, String, u32)> {
        let mut faces = Vec::new();
        self.0.faces(state, &mut faces);
        faces.into_iter().map(|(face, weight)| (face, self.0.format_face(face), weight)).collect()
    }
}

impl<G: Game> Kernel for Texts<G> {
    fn start(&self) -> String {
        self.0.format_position(&self.0.start())
    }

    fn awaits(&self, position: &str) -> Result<Awaits, Error> {
        Ok(self.0.awaits(&self.0.parse_position(position)?))
    }

    fn legal(&self, position: &str, seat: Seat) -> Result<Vec<String>, Error> {
        let state = self.0.parse_position(position)?;
        let mut moves = Vec::new();
        self.0.legal(&state, seat, &mut moves);
        Ok(moves.into_iter().map(|mv| self.0.format_move(mv)).collect())
    }

    fn faces(&self, position: &str) -> Result<Vec<(String, u32)>, Error> {
        let state = self.0.parse_position(position)?;
        Ok(self.faces_of(&state).into_iter().map(|(_, text, weight)| (text, weight)).collect())
    }

    fn apply(&self, position: &str, seat: Seat, mv: &str) -> Result<String, Error> {
        let mut state = self.0.parse_position(position)?;
        self.0.play(&mut state, seat, self.read_move(mv)?)?;
        Ok(self.0.format_position(&state))
    }

    fn roll(&self, position: &str, face: &str) -> Result<String, Error> {
        let mut state = self.0.parse_position(position)?;
        let known = self.faces_of(&state).into_iter().find(|(_, text, _)| text == face);
        let (shown, _, _) = known.ok_or_else(|| Error::illegal_move(face, "no face of the roll"))?;
        self.0.roll_unchecked(&mut state, shown);
        Ok(self.0.format_position(&state))
    }

    fn view(&self, position: &str, viewer: Option<Seat>) -> Result<String, Error> {
        let state = self.0.parse_position(position)?;
        Ok(self.0.format_view(&self.0.view(&state, viewer)))
    }

    fn determinize(&self, view: &str, seed: u64) -> Result<String, Error> {
        let view = self.0.parse_view(view)?;
        let mut rng = fastrand::Rng::with_seed(seed);
        Ok(self.0.format_position(&self.0.determinize(&view, &mut rng)))
    }

    fn reprint_move(&self, text: &str) -> Result<String, Error> {
        Ok(self.0.format_move(self.read_move(text)?))
    }

    fn reprint_view(&self, view: &str) -> Result<String, Error> {
        Ok(self.0.format_view(&self.0.parse_view(view)?))
    }

    fn perft(&self, position: &str, depth: u32) -> Result<u64, Error> {
        self.0.perft(&self.0.parse_position(position)?, depth)
    }

    fn divide(&self, position: &str, depth: u32) -> Result<Vec<(String, u64)>, Error> {
        let state = self.0.parse_position(position)?;
        let divided = divide(&self.0, &state, depth)?;
        Ok(divided.into_iter().map(|(mv, nodes)| (self.0.format_move(mv), nodes)).collect())
    }

    fn playouts(&self, position: &str, games: u64, seed: u64, limit: u32) -> Result<Totals, Error> {
        let from = self.0.parse_position(position)?;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut totals = Totals::default();
        let mut state = from.clone();
        for _ in 0..games {
            state.clone_from(&from);
            let played = self.0.playout(&mut state, &mut rng, limit);
            totals.add(played.plies, played.outcome);
        }
        Ok(totals)
    }

    fn walk(&self, seed: u64, limit: u32) -> Vec<Step> {
        let game = &self.0;
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut state = game.start();
        let (mut steps, mut moves, mut faces) = (Vec::new(), Vec::new(), Vec::new());
        loop {
            let mut step = self.step(&state);
            let seat = match step.awaits {
                Awaits::Decide(seat) => seat,
                Awaits::DecideBoth => Seat::BOTH[rng.usize(..2)],
                Awaits::Roll => {
                    let face = game.random_face(&state, &mut rng, &mut faces);
                    step.action = game.format_face(face);
                    steps.push(step);
                    game.roll_unchecked(&mut state, face);
                    continue;
                }
                Awaits::Ended(_) => {
                    steps.push(step);
                    return steps;
                }
            };
            if steps.len() as u32 >= limit {
                steps.push(step);
                return steps;
            }
            let mv = game.random_move(&state, seat, &mut rng, &mut moves);
            step.actor = Some(seat);
            step.action = game.format_move(mv);
            steps.push(step);
            game.play_unchecked(&mut state, seat, mv);
        }
    }
}

impl Totals {
    fn add(&mut self, plies: u32, outcome: Option<Outcome>) {
        let Some(outcome) = outcome else {
            self.unfinished += 1;
            return;
        };
        self.games += 1;
        self.plies += u64::from(plies);
        self.lengths.push(plies);
        self.results[outcome.winner.map_or(2, Seat::index)] += 1;
        match self.reasons.iter_mut().find(|(reason, _)| *reason == outcome.reason) {
            Some((_, count)) => *count += 1,
            None => self.reasons.push((outcome.reason, 1)),
        }
    }
}
