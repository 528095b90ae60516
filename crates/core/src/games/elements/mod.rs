//! Five Elements: hidden pieces on an icosahedron and a battle ring of five elements.
//!
//! The clauses (`E1`…) are those of the rule book. [`State`] is a small value that is copied freely; the edges
//! along which a side can move are kept as one set of bits, the *cut* of its cells, so that drawing a random
//! move takes a count and a pick.
//!
//! ```
//! use visavis_core::game::{Game, Options, Seat};
//! use visavis_core::games::elements::Elements;
//!
//! let game = Elements::new(&Options::new()).unwrap();
//! let mut state = game.start();
//! assert_eq!(game.count_legal(&state, Seat::First), 168_168_000);
//! for seat in Seat::BOTH {
//!     game.play(&mut state, seat, game.parse_move("FFFMMMWWWEEEAAA").unwrap()).unwrap();
//! }
//! game.play(&mut state, Seat::First, game.parse_move("A2-N1").unwrap()).unwrap();
//! assert!(game.format_position(&state).starts_with("2 0 - A0:FMWEA,A1:f,N1:f,A3:f,A4:m,"));
//! ```

mod board;
mod eval;
mod levels;
mod piece;
mod state;
mod text;
mod view;

use self::board::{ADJACENT, cells, ends};
pub use self::piece::Element;
use self::piece::elements;
use self::state::Pending;
pub use self::state::{Arrangement, Move, State};
pub use self::view::View;
use crate::error::Error;
use crate::game::{Awaits, Game, Options, Outcome, Seat, number_option};
use crate::registry::Entry;
use fastrand::Rng;
use foldhash::quality::FixedState;
use std::hash::BuildHasher;

const SET_UPS: u64 = 168_168_000;
/// The named formations of the Python rules, to stand for all set-ups where they are listed.
const FORMATIONS: [&str; 3] = ["WFFAWWMAAEMMFEE", "AFWFMEMWAWEFEAM", "AFMAWFEMWEFEAWM"];

/// The game with its options.
pub struct Elements {
    quiet_limit: u32,
}

impl Elements {
    /// Whether quiet turns have ended the game (E21).
    #[inline]
    fn is_quiet(&self, state: &State) -> bool {
        self.quiet_limit != 0
            && (state.turn - 1).saturating_sub(state.loss) >= self.quiet_limit
            && state.pending == Pending::Nothing
    }

    /// The reading of a state or view, if this game could come to it.
    fn check_quiet(&self, known: &State) -> Result<(), String> {
        let quiet = known.turn.saturating_sub(1).saturating_sub(known.loss);
        let going_on = u32::from(known.pending != Pending::Nothing);
        if self.quiet_limit != 0 && quiet + going_on > self.quiet_limit {
            return Err(format!("{} quiet turns end the game", self.quiet_limit));
        }
        Ok(())
    }

    /// Draws a move or attack of the mover: along an edge of its cut, once for each element if it is a king's
    /// attack.
    #[inline]
    fn random_turn(state: &State, rng: &mut Rng) -> Move {
        let mover = state.mover();
        let cut = state.cut(mover);
        let enemy = state.held(mover.other());
        let king = state.king_cell(mover);
        let owned = state.owned[mover.index()];
        let edges = cut.count_ones();
        let prey = ADJACENT[king as usize] & enemy;
        if prey == 0 {
            return along(state, nth_edge(cut, rng.u32(..edges)), None);
        }
        let more = owned.count_ones() - 1;
        let picked = rng.u32(..edges + prey.count_ones() * more);
        if picked < edges {
            return along(state, nth_edge(cut, picked), elements(owned).next());
        }
        let (nth, choice) = ((picked - edges) / more, (picked - edges) % more);
        let target = cells(prey).nth(nth as usize).unwrap_or(king);
        Move::Attack(king, target, elements(owned).nth(choice as usize + 1))
    }
}

/// The number of the nth edge of a set.
#[inline]
fn nth_edge(set: u128, nth: u32) -> usize {
    let low = set as u64;
    let below = low.count_ones();
    let (mut word, nth, offset) =
        if nth < below { (low, nth, 0) } else { ((set >> 64) as u64, nth - below, 64) };
    for _ in 0..nth {
        word &= word - 1;
    }
    word.trailing_zeros() as usize + offset
}

/// The move of the mover along an edge of its cut; a king attacks with this element.
#[inline]
fn along(state: &State, edge: usize, element: Option<Element>) -> Move {
    let (a, b) = ends(edge);
    let mover = state.mover();
    let (origin, target) = if state.held(mover) & 1 << a != 0 { (a, b) } else { (b, a) };
    if state.held(mover.other()) & 1 << target == 0 {
        Move::Step(origin, target)
    } else {
        Move::Attack(origin, target, element.filter(|_| origin == state.king_cell(mover)))
    }
}

/// What the list of games says of it.
pub(super) const ENTRIES: &[Entry] = &[Entry::of::<Elements>()];

impl Game for Elements {
    const SLUG: &'static str = "elements";
    /// An element, or none that is secret.
    const SECRETS: usize = 6;

    type State = State;
    type Move = Move;
    type View = View;

    fn new(options: &Options) -> Result<Self, Error> {
        if let Some((name, _)) = options.iter().find(|(name, _)| name != "quiet_limit") {
            return Err(Error::bad_option(name, "elements has no such option"));
        }
        let quiet_limit = number_option(options, "quiet_limit", 100)?;
        if quiet_limit > 1000 {
            return Err(Error::bad_option("quiet_limit", "must be from 0 to 1000"));
        }
        Ok(Elements { quiet_limit })
    }

    fn start(&self) -> State {
        State::start()
    }

    #[inline]
    fn awaits(&self, state: &State) -> Awaits {
        if state.turn == 0 {
            return match state.given {
                [false, false] => Awaits::DecideBoth,
                [given, _] => Awaits::Decide(if given { Seat::Second } else { Seat::First }),
            };
        }
        match state.owned {
            [0, 0] => Awaits::Ended(Outcome::new(None, "both_kings")),
            [0, _] => Awaits::Ended(Outcome::new(Some(Seat::Second), "king")),
            [_, 0] => Awaits::Ended(Outcome::new(Some(Seat::First), "king")),
            _ if self.is_quiet(state) => Awaits::Ended(Outcome::new(None, "quiet")),
            _ => Awaits::Decide(state.decider()),
        }
    }

    fn count_legal(&self, state: &State, seat: Seat) -> u64 {
        if !self.awaits(state).includes(seat) {
            return 0;
        }
        if state.turn == 0 {
            return SET_UPS;
        }
        if state.pending != Pending::Nothing {
            return u64::from(state.choices().count_ones());
        }
        let prey = ADJACENT[state.king_cell(seat) as usize] & state.held(seat.other());
        let more = state.owned[seat.index()].count_ones() - 1;
        u64::from(state.cut(seat).count_ones() + prey.count_ones() * more)
    }

    fn legal(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) {
        if !self.awaits(state).includes(seat) {
            return;
        }
        if state.turn == 0 {
            moves.extend(FORMATIONS.iter().filter_map(|text| text::parse_move(text)));
        } else if state.pending == Pending::Nothing {
            state.turns(moves);
        } else {
            moves.extend(elements(state.choices()).map(Move::Choose));
        }
    }

    fn is_listable(&self, state: &State) -> bool {
        state.turn != 0
    }

    fn is_legal(&self, state: &State, seat: Seat, mv: Move) -> bool {
        if let (Move::Arrange(arrangement), 0) = (mv, state.turn) {
            return self.awaits(state).includes(seat) && arrangement.is_legal();
        }
        let mut moves = Vec::new();
        self.legal(state, seat, &mut moves);
        moves.contains(&mv)
    }

    #[inline]
    fn random_move(&self, state: &State, _seat: Seat, rng: &mut Rng, _scratch: &mut Vec<Move>) -> Move {
        if state.turn == 0 {
            return Move::Arrange(Arrangement::random(rng));
        }
        if state.pending == Pending::Nothing {
            return Elements::random_turn(state, rng);
        }
        let choices = state.choices();
        let nth = rng.usize(..choices.count_ones() as usize);
        Move::Choose(elements(choices).nth(nth).unwrap_or(Element::Fire))
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, seat: Seat, mv: Move) {
        match mv {
            Move::Arrange(arrangement) => state.arrange(seat, arrangement),
            _ => state.play(mv),
        }
    }

    fn key(&self, state: &State) -> u64 {
        FixedState::default().hash_one(state)
    }

    fn view(&self, state: &State, viewer: Option<Seat>) -> View {
        match self.awaits(state) {
            Awaits::Ended(_) => View { viewer, known: *state },
            _ => view::view(state, viewer),
        }
    }

    fn determinize(&self, view: &View, rng: &mut Rng) -> State {
        view::guess(view, rng)
    }

    fn observe(&self, state: &State, seat: Seat, mv: Move, viewer: Seat) -> u64 {
        let other = viewer != seat;
        let own = |cell| if cell == state.king_cell(seat) { None } else { state.piece_on(cell).now() };
        // What a battle opens is seen by both; what is still to be answered, or is changed on a base, is not.
        let seen = match (mv, state.pending) {
            (Move::Arrange(_), _) if other => (None, None, None),
            (Move::Choose(_), Pending::Change(_)) if other => (None, None, None),
            (Move::Attack(origin, target, _), _) if target == state.king_cell(seat.other()) => {
                let shown = if other { Move::Attack(origin, target, None) } else { mv };
                (Some(shown), None, None)
            }
            (Move::Attack(origin, target, _), _) => (Some(mv), own(origin), state.piece_on(target).now()),
            (Move::Choose(_), Pending::Attack(origin, _, element)) => {
                let attacker = seat.other();
                let is_king = origin == state.king_cell(attacker);
                (Some(mv), if is_king { element } else { state.piece_on(origin).now() }, None)
            }
            _ => (Some(mv), None, None),
        };
        FixedState::default().hash_one(seen)
    }

    fn blind_choice(&self, state: &State, seat: Seat, mv: Move) -> Option<u64> {
        // Against an open piece a king knows what it chooses.
        let is_open = |cell| cell != state.king_cell(seat.other()) && state.piece_on(cell).is_open();
        match (mv, state.pending) {
            (Move::Step(..) | Move::Attack(_, _, None), _) => None,
            (Move::Attack(_, target, Some(_)), _) if is_open(target) => None,
            (Move::Choose(_), Pending::Attack(origin, ..)) if is_open(origin) => None,
            (Move::Attack(origin, target, Some(_)), _) => Some(u64::from(origin) << 8 | u64::from(target)),
            (Move::Arrange(_) | Move::Choose(_), _) => Some(u64::MAX),
        }
    }

    fn secret_limit(&self, state: &State, _seat: Seat) -> Option<u64> {
        match state.pending {
            Pending::Change(cell) => state.piece_on(cell).now().map(|element| element as u64),
            _ => None,
        }
    }

    #[inline]
    fn secret_of(&self, state: &State, seat: Seat, mv: Move) -> usize {
        match mv {
            Move::Step(origin, _) | Move::Attack(origin, _, None) if origin != state.king_cell(seat) => {
                let piece = state.piece_on(origin);
                if piece.is_open() { 0 } else { piece.now().map_or(0, |element| element as usize + 1) }
            }
            _ => 0,
        }
    }

    fn take_back(&self, state: &mut State, moves: &mut Vec<Move>) -> Option<Seat> {
        let Pending::Attack(origin, target, Some(_)) = state.pending else { return None };
        state.pending = Pending::Nothing;
        let mover = state.mover();
        let owned = elements(state.owned[mover.index()]);
        moves.extend(owned.map(|element| Move::Attack(origin, target, Some(element))));
        Some(mover)
    }

    fn format_move(&self, mv: Move) -> String {
        text::format_move(mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        text::parse_move(text).ok_or_else(|| Error::not_a_move(text, "no move is written so"))
    }

    fn format_position(&self, state: &State) -> String {
        text::format_known(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        let refuse = |why: String| Error::not_a_position(text, why);
        let known = text::parse_known(text).map_err(refuse)?;
        self.check_quiet(&known).map_err(refuse)?;
        let state = view::guess(&View { viewer: None, known }, &mut Rng::with_seed(0));
        if state != known {
            return Err(refuse("something in it is unknown".to_string()));
        }
        Ok(state)
    }

    fn format_view(&self, view: &View) -> String {
        text::format_view(view)
    }

    fn parse_view(&self, text: &str) -> Result<View, Error> {
        let refuse = |why: String| Error::not_a_view(text, why);
        let view = text::parse_view(text).map_err(refuse)?;
        self.check_quiet(&view.known).map_err(refuse)?;
        let state = view::guess(&view, &mut Rng::with_seed(0));
        if view.known != state && view != self.view(&state, view.viewer) {
            return Err(refuse("the viewer would know more, or less".to_string()));
        }
        Ok(view)
    }
}

#[cfg(test)]
mod tests;
