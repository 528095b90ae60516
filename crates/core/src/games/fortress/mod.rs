//! Fortresses: territory on hexagons, with generals in one of its modes.
//!
//! Everything on the field is a set of cells ([`bits::Bits`], one bit a cell), and a state is six such sets and
//! the number of the turn. The size of the sets is a parameter: [`Small`] is for fields of up to 128 cells,
//! [`Large`] for all others.
//!
//! Where a player may build is found for the whole field at once, by four shifts ([`board::Field::grow`]).

pub mod bits;
pub mod board;
mod eval;
mod levels;
mod state;
mod text;

use crate::error::Error;
use crate::game::{Awaits, Game, Options, Outcome, Seat, option};
use crate::registry::Entry;
use bits::Bits;
use board::{Cell, Field, LARGEST, size_of};
use foldhash::quality::FixedState;
pub use state::{Move, State};
use std::hash::BuildHasher;
use std::ops::ControlFlow;

/// The kernel for fields of up to 128 cells.
pub type Small = Fortress<2>;
/// The kernel for all fields.
pub type Large = Fortress<{ (LARGEST as usize * LARGEST as usize).div_ceil(64) }>;

/// Fortresses on a scenario of up to `64 * N` cells.
pub struct Fortress<const N: usize> {
    /// The field.
    pub field: Field<N>,
    /// Whether generals build on any land (option `supply`).
    free_supply: bool,
}

/// Where the generals of a seat may go, stop and build.
struct Ground<const N: usize> {
    enterable: Bits<N>,
    stops: Bits<N>,
    sites: Bits<N>,
}

impl<const N: usize> Fortress<N> {
    /// The cells where a seat may build (F7, F16).
    #[inline]
    #[must_use]
    pub fn sites(&self, state: &State<N>, seat: Seat) -> Bits<N> {
        let free = self.field.open & !state.forts;
        if self.free_supply && self.field.has_generals {
            return free;
        }
        free & self.field.grow(state.lands[seat.index()])
    }

    fn fortify(&self, state: &mut State<N>, seat: Seat, cell: Cell) {
        let mut taken = self.field.around[usize::from(cell)];
        taken.remove(self.field.cities[seat.other().index()]); // F8
        state.lands[seat.index()] |= taken;
        state.lands[seat.other().index()] &= !taken;
        state.forts.insert(cell);
    }

    fn begin_turn(&self, state: &mut State<N>) {
        if self.field.has_generals && state.turn <= 2 * self.field.turns {
            let seat = state.seat().index();
            state.generals[seat].insert(self.field.cities[seat]); // F10
        }
    }

    fn end_turn(&self, state: &mut State<N>) {
        if self.field.has_generals {
            let seat = state.seat().index();
            state.generals[seat].remove(self.field.cities[seat]); // F13
            state.acted = Bits::EMPTY;
        }
        state.turn += 1;
        self.begin_turn(state);
    }

    fn ground(&self, state: &State<N>, seat: Seat) -> Ground<N> {
        let generals = state.generals[0] | state.generals[1];
        let barred = self.field.mountains | state.lands[seat.other().index()] | generals;
        let enterable = self.field.everywhere & !barred; // F12
        let mut stops = enterable;
        self.field.cities.into_iter().for_each(|city| stops.remove(city)); // F15
        Ground { enterable, stops, sites: self.sites(state, seat) }
    }

    /// Shows each order that the general on a cell may get, until told to stop (F11, F14).
    fn orders_to(
        &self,
        start: Cell,
        ground: &Ground<N>,
        show: &mut impl FnMut(Move) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let water = &self.field.water;
        if ground.sites.has(start) {
            show(Move::Stay(start))?;
        }
        for &near in self.field.next_to(start) {
            if !ground.enterable.has(near) {
                continue;
            }
            if ground.stops.has(near) {
                show(Move::Step(start, near))?;
            }
            if ground.sites.has(near) && !water.has(start) {
                show(Move::StepAndBuild(start, near))?;
            }
            if water.has(start) && !water.has(near) {
                continue;
            }
            for &far in self.field.next_to(near) {
                if ground.stops.has(far) && (water.has(far) || !water.has(near)) {
                    show(Move::Walk(start, near, far))?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn can_act(&self, general: Cell, ground: &Ground<N>) -> bool {
        self.orders_to(general, ground, &mut |_| ControlFlow::Break(())).is_break()
    }

    /// Whether the city is clear, or its general has no way out (F13).
    fn may_end(&self, state: &State<N>, seat: Seat, ground: &Ground<N>) -> bool {
        let city = self.field.cities[seat.index()];
        !state.generals[seat.index()].has(city) || !self.can_act(city, ground)
    }

    /// The generals of a seat that have not acted.
    fn ready(&self, state: &State<N>, seat: Seat) -> Bits<N> {
        state.generals[seat.index()] & !state.acted
    }

    fn carry_out(&self, state: &mut State<N>, seat: Seat, start: Cell, order: Move) {
        let generals = &mut state.generals[seat.index()];
        generals.remove(start);
        match order {
            Move::Stay(site) | Move::StepAndBuild(_, site) => self.fortify(state, seat, site), // F16
            Move::Step(_, stop) | Move::Walk(_, _, stop) => {
                generals.insert(stop);
                state.acted.insert(stop);
            }
            Move::Build(_) | Move::End | Move::Pass => {}
        }
        let ground = self.ground(state, seat);
        if !self.ready(state, seat).cells().any(|general| self.can_act(general, &ground)) {
            self.end_turn(state); // F13
        }
    }
}

/// What the list of games says of it.
pub(super) const ENTRIES: &[Entry] = &[Entry::of::<Small>(), Entry::of::<Large>()];

impl<const N: usize> Game for Fortress<N> {
    const SLUG: &'static str = "fortress";

    type State = State<N>;
    type Move = Move;
    type View = State<N>;

    /// Whether the cells of the scenario fit into the sets.
    fn suits(options: &Options) -> bool {
        let size = option(options, "scenario").and_then(size_of);
        size.is_none_or(|(width, height)| usize::from(width * height) <= 64 * N)
    }

    /// The scenario must be given, on one line: names are for the Python rules.
    fn new(options: &Options) -> Result<Self, Error> {
        let (mut scenario, mut free_supply) = (None, false);
        for (name, value) in options {
            match (name.as_str(), value.as_str()) {
                ("scenario", text) => scenario = Some(Field::read(text)?),
                ("supply", "free") => free_supply = true,
                ("supply", "connected") => free_supply = false,
                _ => return Err(Error::bad_option(name, format!("{value:?} is not known"))),
            }
        }
        let field = scenario.ok_or_else(|| Error::bad_option("scenario", "it is missing"))?;
        Ok(Fortress { field, free_supply })
    }

    fn start(&self) -> State<N> {
        let mut state = State {
            turn: 1,
            lands: self.field.cities.map(|city| self.field.around[usize::from(city)]), // F1
            forts: Bits::EMPTY,
            generals: [Bits::EMPTY; 2],
            acted: Bits::EMPTY,
        };
        self.begin_turn(&mut state);
        state
    }

    #[inline]
    fn awaits(&self, state: &State<N>) -> Awaits {
        if state.turn <= 2 * self.field.turns {
            Awaits::Decide(state.seat())
        } else {
            Awaits::Ended(Outcome::by_score(state.scores(), "territory")) // F1, F9
        }
    }

    fn count_legal(&self, state: &State<N>, seat: Seat) -> u64 {
        if self.field.has_generals || !self.awaits(state).includes(seat) {
            let mut moves = Vec::new();
            self.legal(state, seat, &mut moves);
            return moves.len() as u64;
        }
        u64::from(self.sites(state, seat).count().max(1))
    }

    fn legal(&self, state: &State<N>, seat: Seat, moves: &mut Vec<Move>) {
        if !self.awaits(state).includes(seat) {
            return;
        }
        let before = moves.len();
        if self.field.has_generals {
            let ground = self.ground(state, seat);
            for general in self.ready(state, seat).cells() {
                let _ = self.orders_to(general, &ground, &mut |order| {
                    moves.push(order);
                    ControlFlow::Continue(())
                });
            }
            if moves.len() > before && self.may_end(state, seat, &ground) {
                moves.push(Move::End);
            }
        } else {
            moves.extend(self.sites(state, seat).cells().map(Move::Build));
        }
        if moves.len() == before {
            moves.push(Move::Pass); // F9, F13
        }
    }

    fn is_legal(&self, state: &State<N>, seat: Seat, mv: Move) -> bool {
        match (mv, mv.general()) {
            _ if !self.awaits(state).includes(seat) => false,
            (Move::Build(cell), _) => !self.field.has_generals && self.sites(state, seat).has(cell),
            (order, Some(general)) => {
                let found = &mut |shown| {
                    if shown == order { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                self.ready(state, seat).has(general)
                    && self.orders_to(general, &self.ground(state, seat), found).is_break()
            }
            _ => {
                let mut moves = Vec::new();
                self.legal(state, seat, &mut moves);
                moves.last() == Some(&mv)
            }
        }
    }

    #[inline]
    fn random_move(
        &self,
        state: &State<N>,
        seat: Seat,
        rng: &mut fastrand::Rng,
        scratch: &mut Vec<Move>,
    ) -> Move {
        if self.field.has_generals {
            scratch.clear();
            self.legal(state, seat, scratch);
            return scratch[rng.usize(..scratch.len())];
        }
        let sites = self.sites(state, seat);
        match sites.count() {
            0 => Move::Pass,
            count => Move::Build(sites.nth(rng.u32(..count))),
        }
    }

    #[inline]
    fn play_unchecked(&self, state: &mut State<N>, seat: Seat, mv: Move) {
        if let Some(general) = mv.general() {
            return self.carry_out(state, seat, general, mv);
        }
        if let Move::Build(cell) = mv {
            self.fortify(state, seat, cell);
        }
        self.end_turn(state);
    }

    fn key(&self, state: &State<N>) -> u64 {
        FixedState::default().hash_one(state)
    }

    fn view(&self, state: &State<N>, _viewer: Option<Seat>) -> State<N> {
        *state
    }

    fn determinize(&self, view: &State<N>, _rng: &mut fastrand::Rng) -> State<N> {
        *view
    }

    fn format_move(&self, mv: Move) -> String {
        text::format_move(&self.field, mv)
    }

    fn parse_move(&self, text: &str) -> Result<Move, Error> {
        text::parse_move(&self.field, text)
            .ok_or_else(|| Error::not_a_move(text, "moves are like C4, C3-D3, C3-D3+, end, pass"))
    }

    fn format_position(&self, state: &State<N>) -> String {
        text::format_position(&self.field, state)
    }

    fn parse_position(&self, text: &str) -> Result<State<N>, Error> {
        text::parse_position(&self.field, text).map_err(|why| Error::not_a_position(text, why))
    }

    fn format_view(&self, view: &State<N>) -> String {
        self.format_position(view)
    }

    fn parse_view(&self, text: &str) -> Result<State<N>, Error> {
        text::parse_position(&self.field, text).map_err(|why| Error::not_a_view(text, why))
    }
}

#[cfg(test)]
mod tests;
