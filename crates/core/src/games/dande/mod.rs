//! D&E: two armies race to capture on 8×8 cells, among bad cells whose effects are drawn when a piece
//! first stops on them.
//!
//! The kernel keeps sets of cells as 64-bit words ([`State`]). Moves are counted for a whole army at once,
//! by direction, so that a random move is drawn without listing any. Clocks are not its business: with
//! the option `clock=on` there is no limit of moves, and a random game may go on for long.

mod board;
mod eval;
mod levels;
mod state;
mod text;

use crate::error::Error;
use crate::game::{Awaits, Game, Options, Outcome, Seat, number_option, option};
use crate::registry::Entry;
use board::{DELTA, bit, nth};
use foldhash::quality::FixedState;
pub use state::{Effect, Move, Pair, State};
use state::{MOST_PAIRS, NOWHERE, places};
use std::hash::BuildHasher;

/// D&E with its options chosen.
#[derive(Clone, Debug)]
pub struct DandE {
    /// How many pairs of bad cells there are.
    pairs: u8,
    /// Moves after which the game ends; `None` if it has clocks.
    pub ply_limit: Option<u32>,
}

/// Faces below this are cells, the others effects.
const EFFECT_FACES: u32 = 64;
/// The names of all options; those that change no rule are taken and left alone.
const OPTIONS: [&str; 6] = ["clock", "game_minutes", "move_share", "ply_limit", "bad_cells", "costume"];

/// What the list of games says of it.
pub(super) const ENTRIES: &[Entry] = &[Entry::of::<DandE>()];

impl Game for DandE {
    const SLUG: &'static str = "dande";

    type State = State;
    type Move = Move;
    /// Everybody knows all that is in a state.
    type View = State;

    fn new(options: &Options) -> Result<Self, Error> {
        if let Some((name, _)) = options.iter().find(|(name, _)| !OPTIONS.contains(&name.as_str())) {
            return Err(Error::bad_option(name, "dande has no such option"));
        }
        let bad_cells: u8 = number_option(options, "bad_cells", 4)?;
        if !bad_cells.is_multiple_of(2) || usize::from(bad_cells / 2) > MOST_PAIRS {
            return Err(Error::bad_option("bad_cells", "must be one of 0, 2, 4, 6"));
        }
        let ply_limit = number_option(options, "ply_limit", 300)?;
        let ply_limit = match option(options, "clock").unwrap_or("on") {
            "on" => None,
            "off" => Some(ply_limit),
            _ => return Err(Error::bad_option("clock", "must be one of on, off")),
        };
        Ok(DandE { pairs: bad_cells / 2, ply_limit })
    }

    fn start(&self) -> State {
        State { turn: u32::from(self.pairs == 0), ..State::HOME }
    }

    #[inline]
    fn awaits(&self, state: &State) -> Awaits {
        if state.turn == 0 || state.stop != NOWHERE {
            Awaits::Roll
        } else if !state.can_move() {
            let winner = Some(state.mover().other());
            Awaits::Ended(Outcome { winner, reason: "no_moves", scores: Some(state.captured()) })
        } else if self.ply_limit.is_some_and(|limit| state.plies >= limit) {
            Awaits::Ended(Outcome::by_score(state.captured(), "ply_limit"))
        } else {
            Awaits::Decide(state.mover())
        }
    }

    fn count_legal(&self, state: &State, seat: Seat) -> u64 {
        if !self.awaits(state).includes(seat) {
            return 0;
        }
        let pieces = state.movable();
        let steps: u32 = state.steps(pieces).iter().map(|step| step.count_ones()).sum();
        u64::from(steps + state.slides(pieces).count_ones())
    }

    fn legal(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) {
        if self.awaits(state).includes(seat) {
            state.moves(moves);
        }
    }

    fn is_legal(&self, state: &State, seat: Seat, mv: Move) -> bool {
        let enemy = state.sides[seat.other().index()];
        self.awaits(state).includes(seat)
            && state.targets(mv.origin) & bit(mv.target) != 0
            && mv.captures == (enemy & bit(mv.target) != 0)
    }

    #[inline]
    fn random_move(
        &self,
        state: &State,
        seat: Seat,
        rng: &mut fastrand::Rng,
        _scratch: &mut Vec<Move>,
    ) -> Move {
        let pieces = state.movable();
        let steps = state.steps(pieces);
        let slides = state.slides(pieces);
        let counts = steps.map(u64::count_ones);
        let mut left = rng.u32(..counts.iter().sum::<u32>() + slides.count_ones());
        let enemy = state.sides[seat.other().index()];
        for ((step, count), delta) in steps.into_iter().zip(counts).zip(DELTA) {
            if left < count {
                let target = nth(step, left);
                let origin = target.wrapping_add_signed(-delta);
                return Move { origin, target, captures: enemy & bit(target) != 0 };
            }
            left -= count;
        }
        let (origin, target) = ((state.kings & pieces).trailing_zeros() as u8, nth(slides, left));
        Move { origin, target, captures: enemy & bit(target) != 0 }
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, _seat: Seat, mv: Move) {
        let spurred = std::mem::take(&mut state.spurred);
        if mv.captures {
            state.clear(bit(mv.target));
        }
        state.carry(mv.origin, mv.target);
        state.plies += 1;
        if state.bad & bit(mv.target) == 0 {
            return state.end_turn();
        }
        match state.pairs().iter().find(|pair| pair.has(mv.target)).and_then(|pair| pair.effect) {
            Some(effect) => state.suffer(mv.target, effect, spurred),
            None => state.stop = mv.target,
        }
    }

    fn faces(&self, state: &State, faces: &mut Vec<(u32, u32)>) {
        if state.turn == 0 {
            faces.extend(places().filter(|&cell| state.bad & bit(cell) == 0).map(|c| (u32::from(c), 1)));
        } else if state.stop != NOWHERE {
            faces.extend(state.effects_left().map(|effect| (EFFECT_FACES + effect as u32, 1)));
        }
    }

    fn roll_unchecked(&self, state: &mut State, face: u32) {
        if state.turn == 0 {
            state.add_pair(Pair { cell: face as u8, effect: None });
            state.turn = u32::from(state.drawn == self.pairs);
            return;
        }
        let effect = Effect::ALL[(face - EFFECT_FACES) as usize];
        let stop = std::mem::replace(&mut state.stop, NOWHERE);
        if let Some(pair) = state.pairs.iter_mut().find(|pair| pair.has(stop)) {
            pair.effect = Some(effect);
        }
        state.suffer(stop, effect, false);
    }

    fn key(&self, state: &State) -> u64 {
        FixedState::default().hash_one(state)
    }

    fn view(&self, state: &State, _viewer: Option<Seat>) -> State {
        *state
    }

    fn determinize(&self, view: &State, _rng: &mut fastrand::Rng) -> State {
        *view
    }

    fn format_move(&self, mv: Move) -> String {
        text::format_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        text::parse_move(text).ok_or_else(|| Error::not_a_move(text, "write a move like d1-d5 or c2xb3"))
    }

    fn format_face(&self, face: u32) -> String {
        match face.checked_sub(EFFECT_FACES) {
            None => text::cell_name(face as u8),
            Some(effect) => Effect::ALL[effect as usize].name().to_owned(),
        }
    }

    fn format_position(&self, state: &State) -> String {
        text::format_state(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        self.read(text).map_err(|why| Error::not_a_position(text, why))
    }

    fn format_view(&self, view: &State) -> String {
        text::format_state(view)
    }

    fn parse_view(&self, text: &str) -> Result<State, Error> {
        self.read(text).map_err(|why| Error::not_a_view(text, why))
    }
}

impl DandE {
    /// Reads a position that a game with these options can come to, or says what is wrong.
    fn read(&self, text: &str) -> Result<State, String> {
        let state = text::parse_state(text)?;
        let all_drawn = state.drawn == self.pairs;
        if state.drawn > self.pairs || all_drawn != (state.turn > 0) {
            return Err(format!("the game has {} bad cells", 2 * self.pairs));
        }
        match self.ply_limit {
            Some(limit) if state.plies > limit => Err(format!("the game ends after {limit} moves")),
            _ => Ok(state),
        }
    }
}

#[cfg(test)]
mod tests;
