//! The kernel of Stones: double-sided tokens, groups of colours, chance and partly hidden backs.
//!
//! A field is a bitboard of up to 128 squares, and the stones on it one bitboard a colour ([`board`]);
//! a state says of each token where it is, and of each base side who knows what ([`state`]); what is
//! printed on the tokens is data shared with the Python rules ([`set`]).

mod board;
mod eval;
mod levels;
mod set;
mod state;
mod text;
mod view;

use crate::error::Error;
use crate::game::{Awaits, Game, Options, Outcome, Seat};
use crate::registry::Entry;
use board::{Bits, Field, each, nth};
use foldhash::quality::FixedState;
use set::{KINDS, Set, TOKENS};
use state::{ALL, DEALT, DEALT_EACH, FRONT_LIMIT, Move, NOBODY, Phase, State, UNKNOWN, eyes, members};
use std::hash::BuildHasher;
pub use view::{View, Viewer};

/// The default field, 8×8.
const SQUARE8: &str = "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxx";

/// Faces below are improved sides, faces from here on are base sides.
const BASE_FACES: u32 = TOKENS as u32;

/// Stones on a field.
#[derive(Clone)]
pub struct Stones {
    field: Field,
    set: Set,
}

/// The groups of the largest size.
struct Largest {
    size: u32,
    count: u32,
    /// One of them.
    group: Bits,
    /// The first cells of all of them.
    firsts: Bits,
}

impl Stones {
    #[inline]
    fn anchors(&self, state: &State) -> Bits {
        self.field.anchors(self.field.cells & !state.covered())
    }

    #[inline]
    fn largest(&self, state: &State) -> Largest {
        let mut largest = Largest { size: 0, count: 0, group: 0, firsts: 0 };
        for &colour in &state.colours {
            self.field.groups(colour, |group| {
                let (size, first) = (group.count_ones(), group & group.wrapping_neg());
                if size > largest.size {
                    largest = Largest { size, count: 1, group, firsts: first };
                } else if size == largest.size {
                    largest.count += 1;
                    largest.firsts |= first;
                }
            });
        }
        largest
    }

    /// The tokens with a stone in a group.
    fn tokens_in(&self, state: &State, group: Bits) -> u64 {
        members(state.lying())
            .filter(|&token| self.field.square(usize::from(state.spot[token] / 4)) & group != 0)
            .fold(0, |tokens, token| tokens | 1 << token)
    }

    /// Looks for what there is to settle: the largest group first (T11).
    #[inline]
    fn settle(&self, state: &mut State) {
        let largest = self.largest(state);
        match largest.count {
            0 if state.bonus > 0 => state.phase = Phase::More,
            0 => self.pass(state),
            1 => self.open(state, largest.group, largest.size),
            _ => state.phase = Phase::Level,
        }
    }

    /// Begins to settle a group at a level; from level four on the player looks at its lower sides.
    fn open(&self, state: &mut State, group: Bits, level: u32) {
        state.group = self.tokens_in(state, group);
        state.phase = match level {
            3 => Phase::Three,
            4 => Phase::Four,
            _ => Phase::Five,
        };
        if level > 3 {
            let seen = eyes(Some(state.seat()));
            for token in members(state.group) {
                let lore = state.lore_of(token);
                if lore.known != NOBODY {
                    lore.known |= seen;
                }
            }
        }
    }

    fn choose(&self, state: &mut State, first: usize) {
        let seed = 1 << first;
        let colour = state.colours.iter().find(|&&colour| colour & seed != 0);
        let group = self.field.fill(seed, colour.copied().unwrap_or(seed));
        self.open(state, group, group.count_ones() + 1);
    }

    fn take(&self, state: &mut State, token: usize) {
        let seat = state.seat().index();
        state.lift(&self.field, token);
        state.pile[seat] |= 1 << token;
        if state.phase == Phase::Three {
            state.group = 0;
            self.settle(state);
        } else if state.front[seat].count_ones() == FRONT_LIMIT {
            self.earn(state);
        } else {
            state.phase = Phase::Keep;
        }
    }

    fn keep(&self, state: &mut State, token: usize, improved: bool) {
        state.lift(&self.field, token);
        state.front[state.seat().index()] |= 1 << token;
        if improved {
            state.improved |= 1 << token;
            state.lore_of(token).known = ALL;
        }
        if state.phase == Phase::Keep || state.group == 0 {
            self.earn(state);
        }
    }

    fn earn(&self, state: &mut State) {
        state.group = 0;
        state.bonus += 1;
        self.settle(state);
    }

    #[inline]
    fn pass(&self, state: &mut State) {
        state.turn += 1;
        state.bonus = 0;
        let full = state.front[state.seat().index()].count_ones() == FRONT_LIMIT;
        state.phase = if full { Phase::Place } else { Phase::Draw };
    }

    /// The weight of drawing a token with this improved side; half if it may lie under a base side dealt before.
    #[inline]
    fn improved_weight(&self, state: &State, token: usize) -> u32 {
        let kind = usize::from(self.set.kind[token]);
        let lore = state.lore[kind];
        match (lore.out, lore.twin) {
            (0, _) => 2,
            (1, UNKNOWN) => 1,
            (1, twin) if self.set.twins[kind][usize::from(twin)] != token as u8 => 2,
            _ => 0,
        }
    }

    #[inline]
    fn deals_improved(state: &State) -> bool {
        state.phase == Phase::Deal && usize::from(state.out) % DEALT_EACH < 2
    }

    fn placings(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) {
        let anchors = self.anchors(state);
        for token in members(state.front[seat.index()]) {
            for cell in each(anchors) {
                let put = |turns| Move::Put { token: token as u8, cell: cell as u8, turns };
                moves.extend((0..4).map(put));
            }
        }
    }
}

fn both_sides(token: usize) -> [Move; 2] {
    [true, false].map(|improved| Move::Keep { token: token as u8, improved })
}

/// What the list of games says of it.
pub(super) const ENTRIES: &[Entry] = &[Entry::of::<Stones>()];

impl Game for Stones {
    const SLUG: &'static str = "stones";
    type State = State;
    type Move = Move;
    type View = View;

    fn new(options: &Options) -> Result<Self, Error> {
        let mut map = SQUARE8;
        for (name, value) in options {
            match name.as_str() {
                "field" => map = value,
                _ => return Err(Error::bad_option(name, "stones has only the option field")),
            }
        }
        Ok(Stones { field: Field::parse(map)?, set: Set::load() })
    }

    fn start(&self) -> State {
        State::start()
    }

    #[inline]
    fn awaits(&self, state: &State) -> Awaits {
        if let Some(reason) = state.ending() {
            return Awaits::Ended(Outcome::by_score(Seat::BOTH.map(|seat| state.score(seat)), reason));
        }
        if matches!(state.phase, Phase::Deal | Phase::Draw) || state.unseen().is_some() {
            return Awaits::Roll;
        }
        Awaits::Decide(state.seat())
    }

    fn legal(&self, state: &State, seat: Seat, moves: &mut Vec<Move>) {
        if !self.awaits(state).includes(seat) {
            return;
        }
        match state.phase {
            Phase::Place => {
                let before = moves.len();
                self.placings(state, seat, moves);
                if moves.len() == before {
                    moves.push(Move::Skip);
                }
            }
            Phase::More => {
                self.placings(state, seat, moves);
                moves.push(Move::Done);
            }
            Phase::Level => {
                moves.extend(each(self.largest(state).firsts).map(|first| Move::Level(first as u8)));
            }
            Phase::Keep => moves.extend(members(state.group).flat_map(both_sides)),
            Phase::Five => {
                let token = state.group.trailing_zeros() as usize;
                moves.push(Move::Pile(token as u8));
                if state.front[seat.index()].count_ones() < FRONT_LIMIT {
                    moves.extend(both_sides(token));
                }
            }
            _ => moves.extend(members(state.group).map(|token| Move::Take(token as u8))),
        }
    }

    fn count_legal(&self, state: &State, seat: Seat) -> u64 {
        if matches!(state.phase, Phase::Place | Phase::More) && self.awaits(state).includes(seat) {
            let front = u64::from(state.front[seat.index()].count_ones());
            let puts = 4 * front * u64::from(self.anchors(state).count_ones());
            return if state.phase == Phase::More { puts + 1 } else { puts.max(1) };
        }
        let mut moves = Vec::new();
        self.legal(state, seat, &mut moves);
        moves.len() as u64
    }

    #[inline]
    fn random_move(
        &self,
        state: &State,
        seat: Seat,
        rng: &mut fastrand::Rng,
        scratch: &mut Vec<Move>,
    ) -> Move {
        if !matches!(state.phase, Phase::Place | Phase::More) {
            scratch.clear();
            self.legal(state, seat, scratch);
            return scratch[rng.usize(..scratch.len())];
        }
        let (anchors, front) = (self.anchors(state), state.front[seat.index()]);
        let cells = anchors.count_ones();
        let puts = 4 * cells * front.count_ones();
        let more = u32::from(state.phase == Phase::More);
        if puts + more == 0 {
            return Move::Skip;
        }
        let choice = rng.u32(..puts + more);
        if choice == puts {
            return Move::Done;
        }
        Move::Put {
            token: nth(Bits::from(front), choice / (4 * cells)) as u8,
            cell: nth(anchors, choice / 4 % cells) as u8,
            turns: (choice % 4) as u8,
        }
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State, _seat: Seat, mv: Move) {
        match mv {
            Move::Put { token, cell, turns } => {
                state.bonus -= u8::from(state.phase == Phase::More);
                state.skips = 0;
                state.put(&self.set, &self.field, token.into(), cell.into(), turns.into());
                self.settle(state);
            }
            Move::Take(token) => self.take(state, token.into()),
            Move::Keep { token, improved } => self.keep(state, token.into(), improved),
            Move::Pile(token) => {
                state.lift(&self.field, token.into());
                state.pile[state.seat().index()] |= 1 << token;
                if state.group == 0 {
                    self.earn(state);
                }
            }
            Move::Level(first) => self.choose(state, first.into()),
            Move::Done => self.pass(state),
            Move::Skip => {
                state.skips += 1;
                self.pass(state);
            }
        }
    }

    fn faces(&self, state: &State, faces: &mut Vec<(u32, u32)>) {
        if state.ending().is_some() {
            return;
        }
        if let Some(token) = state.unseen() {
            let twins = self.set.twins[usize::from(state.kind[token])];
            faces.extend(twins.map(|twin| (u32::from(twin), 1)));
        } else if Self::deals_improved(state) {
            let weighed = (0..TOKENS).map(|token| (token as u32, self.improved_weight(state, token)));
            faces.extend(weighed.filter(|&(_, weight)| weight > 0));
        } else if matches!(state.phase, Phase::Deal | Phase::Draw) {
            let weighed =
                (0..KINDS).map(|kind| (BASE_FACES + kind as u32, 2 - u32::from(state.lore[kind].out)));
            faces.extend(weighed.filter(|&(_, weight)| weight > 0));
        }
    }

    /// Nearly all of the set is in the bag, so a draw from the whole set that is thrown away if the token is out
    /// is quicker than a list.
    #[inline]
    fn random_face(&self, state: &State, rng: &mut fastrand::Rng, _scratch: &mut Vec<(u32, u32)>) -> u32 {
        if let Some(token) = state.unseen() {
            return self.set.twins[usize::from(state.kind[token])][rng.usize(..2)].into();
        }
        let improved = Self::deals_improved(state);
        loop {
            let (face, weight) = if improved {
                let token = rng.usize(..TOKENS);
                (token as u32, self.improved_weight(state, token))
            } else {
                let kind = rng.usize(..KINDS);
                (BASE_FACES + kind as u32, 2 - u32::from(state.lore[kind].out))
            };
            if rng.u32(..2) < weight {
                return face;
            }
        }
    }

    #[inline]
    fn roll_unchecked(&self, state: &mut State, face: u32) {
        if let Some(token) = state.unseen() {
            let twin = u8::from(self.set.twins[usize::from(state.kind[token])][1] == face as u8);
            state.identify(token, twin, eyes(Some(state.seat())));
            return;
        }
        let dealing = state.phase == Phase::Deal;
        let seat = if dealing { usize::from(state.out) / DEALT_EACH } else { state.seat().index() };
        let token = if face < BASE_FACES {
            let kind = self.set.kind[face as usize];
            let token = state.draw(kind);
            let twin = u8::from(self.set.twins[usize::from(kind)][1] == face as u8);
            state.identify(token, twin, ALL);
            state.improved |= 1 << token;
            token
        } else {
            state.draw((face - BASE_FACES) as u8)
        };
        state.front[seat] |= 1 << token;
        if !dealing {
            state.phase = Phase::Place;
        } else if usize::from(state.out) == DEALT {
            state.turn = 1;
            state.phase = Phase::Draw;
        }
    }

    fn key(&self, state: &State) -> u64 {
        state.key()
    }

    fn view(&self, state: &State, viewer: Option<Seat>) -> View {
        let mut seen = state.clone();
        if state.ending().is_none() {
            for lore in seen.lore.iter_mut().filter(|lore| lore.known & eyes(viewer) == 0) {
                lore.twin = UNKNOWN;
            }
        }
        View { viewer: Viewer::Eyes(viewer), state: seen }
    }

    fn determinize(&self, view: &View, rng: &mut fastrand::Rng) -> State {
        let mut state = view.state.clone();
        for lore in state.lore.iter_mut().filter(|lore| lore.known != NOBODY && lore.twin == UNKNOWN) {
            lore.twin = u8::from(rng.bool());
        }
        state
    }

    fn observe(&self, state: &State, _seat: Seat, mv: Move, _viewer: Seat) -> u64 {
        // An improved side that comes up is seen by both.
        let shown = match mv {
            Move::Keep { token, improved: true } => state.identity(&self.set, token.into()),
            _ => None,
        };
        FixedState::default().hash_one((mv, shown))
    }

    fn observe_face(&self, state: &State, face: u32, viewer: Seat) -> u64 {
        let private = state.unseen().is_some() && viewer != state.seat();
        if private { u64::MAX } else { u64::from(face) }
    }

    fn format_move(&self, mv: Move) -> String {
        text::format_move(&self.field, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        text::parse_move(&self.field, text).ok_or_else(|| Error::not_a_move(text, "no move of this game"))
    }

    fn format_face(&self, face: u32) -> String {
        let index = face as usize;
        set::format_side(if face < BASE_FACES {
            self.set.improved[index]
        } else {
            self.set.base[index - TOKENS]
        })
    }

    fn format_position(&self, state: &State) -> String {
        text::format_state(self, state)
    }

    fn parse_position(&self, text: &str) -> Result<State, Error> {
        let refuse = |why| Error::not_a_position(text, why);
        let state = text::parse_state(self, text).map_err(refuse)?;
        if state.lore.iter().any(|lore| lore.known != NOBODY && lore.twin == UNKNOWN) {
            return Err(refuse("a position hides nothing that somebody knows"));
        }
        Ok(state)
    }

    fn format_view(&self, view: &View) -> String {
        text::format_view(self, view)
    }

    fn parse_view(&self, text: &str) -> Result<View, Error> {
        text::parse_view(self, text).map_err(|why| Error::not_a_view(text, why))
    }
}

#[cfg(test)]
mod tests;
