//! Fortresses: who will own each cell in the end.
//!
//! * A cell changes hands when somebody builds next to it. So what it is worth now depends on its owner, on how
//!   many sites around it each player could build on, and on how likely sites are to be built on at all before
//!   the game ends: a cell that nobody can build next to any more stays whose it is, and one that only the other
//!   can build next to is as good as lost if there are turns enough.
//! * A general is a fortress to come. It is worth what the best site takes that it can get to, the less the more
//!   turns that needs, and nothing if there are no turns left for it.
//! * Who is to move takes something first.
//!
//! The constants come from matches of variants against each other, and agree with how self-play games ended:
//! regressed on the final margin, cells valued like this count as 0.9 to 1.0 cells each, and the turn as 3.5
//! cells early in a game and 1.7 late.

use super::bits::Bits;
use super::{Fortress, Move, State};
use crate::game::Seat;
use crate::search::Evaluator;

/// The worth of a cell that is sure to be one's own in the end.
const CELL: i32 = 100;
/// How many steps the chance that a site gets built on is told in.
const PHASES: usize = 16;
/// How much of that chance counts: sites next to each other are rarely all built on.
const WEAR: f64 = 0.4;
/// For the side to move.
const MOVE: i32 = 100;
/// What a cell is worth that a general could take, in the turn at hand and in the two after that.
const IN_REACH: [i32; 3] = [60, 45, 34];

/// What cells are worth: by phase, owner (mine, nobody's, theirs), and how many sites around it (none, one, two,
/// more) I and they can build on.
type Worth = [[[[i32; 4]; 4]; 3]; PHASES + 1];

/// The evaluation of Fortresses.
pub struct Eval {
    worth: Worth,
}

/// What a cell with this owner is worth, with so many sites around that each player can build on, if a site gets
/// built on with a chance of `phase` in [`PHASES`].
fn worth(phase: usize, owner: usize, mine: usize, theirs: usize) -> i32 {
    let (now, mine, theirs) = (1.0 - owner as f64, mine as f64, theirs as f64);
    let untouched = (-WEAR * phase as f64 / PHASES as f64 * (mine + theirs)).exp();
    let later = (mine - theirs) / (mine + theirs).max(1.0);
    (f64::from(CELL) * (untouched * now + (1.0 - untouched) * later)).round() as i32
}

impl Eval {
    pub(super) fn new() -> Self {
        use std::array::from_fn;
        let worth = from_fn(|phase| {
            from_fn(|owner| from_fn(|mine| from_fn(|theirs| worth(phase, owner, mine, theirs))))
        });
        Eval { worth }
    }

    /// What the land is worth to first, by the table.
    fn land<const N: usize>(&self, game: &Fortress<N>, state: &State<N>, sites: [Bits<N>; 2]) -> i32 {
        let free = (game.field.open & !state.forts).count();
        let generals = (state.generals[0] | state.generals[1]).count();
        let builds = turns_left(game, state, Seat::First) + turns_left(game, state, Seat::Second) + generals;
        let phase = ((PHASES as u32 * builds) / free.max(1)).min(PHASES as u32) as usize;
        let [mine, theirs] = sites.map(|sites| split(game, sites));
        let [land, other] = state.lands;
        let owned = [land, game.field.everywhere & !(land | other), other];
        let mut value = 0;
        for (cells, by_mine) in owned.into_iter().zip(&self.worth[phase]) {
            for (near_mine, by_theirs) in mine.iter().zip(by_mine) {
                let part = cells & *near_mine;
                for (near_theirs, worth) in theirs.iter().zip(by_theirs) {
                    value += worth * (part & *near_theirs).count() as i32;
                }
            }
        }
        value
    }
}

/// How many turns a seat still takes, the one at hand included.
fn turns_left<const N: usize>(game: &Fortress<N>, state: &State<N>, seat: Seat) -> u32 {
    let left = u32::from((2 * game.field.turns + 1).saturating_sub(state.turn));
    if state.seat() == seat { left.div_ceil(2) } else { left / 2 }
}

/// Splits the field by how many cells of a set are around: none, one, two, more.
fn split<const N: usize>(game: &Fortress<N>, cells: Bits<N>) -> [Bits<N>; 4] {
    let [one, two, three] = game.field.crowds(cells);
    [game.field.everywhere & !one, one & !two, two & !three, three]
}

/// What a seat's generals are worth. Each is counted by itself: that two may be after the same site is why cells
/// in reach count little more than half.
fn generals<const N: usize>(game: &Fortress<N>, state: &State<N>, seat: Seat, sites: Bits<N>) -> i32 {
    let field = &game.field;
    let [own, theirs] = [state.lands[seat.index()], state.lands[seat.other().index()]];
    let unbuilt = field.open & !state.forts;
    let gains: [Bits<N>; 7] = field.crowds(field.everywhere & !own).map(|sites| sites & unbuilt);
    let barred = field.mountains | theirs | state.generals[0] | state.generals[1];
    let turns = turns_left(game, state, seat) as usize;
    let worth_of = |general| {
        let acted = state.seat() == seat && state.acted.has(general);
        let turns = turns.saturating_sub(usize::from(acted));
        let mut reach = Bits::of(general);
        let mut best = 0;
        for (turn, weight) in IN_REACH.into_iter().enumerate().take(turns) {
            // It builds one step from here, or goes two and looks on from there.
            let step = reach | field.grow(reach) & !barred;
            let in_reach = if turn == 0 { step & sites } else { step };
            let most = gains.iter().rposition(|sites| !(*sites & in_reach).is_empty());
            best = best.max(weight * most.map_or(0, |place| place as i32 + 1));
            reach = step | field.grow(step) & !barred;
        }
        best
    };
    state.generals[seat.index()].cells().map(worth_of).sum()
}

/// The cells that building on a site takes from the other, and those it takes from nobody.
fn gains<const N: usize>(game: &Fortress<N>, state: &State<N>, seat: Seat, site: u16) -> (i32, i32) {
    let around = game.field.around[usize::from(site)];
    let [mine, theirs] = [state.lands[seat.index()], state.lands[seat.other().index()]];
    ((around & theirs).count() as i32, (around & !(mine | theirs)).count() as i32)
}

impl<const N: usize> Evaluator<Fortress<N>> for Eval {
    const SCALE: f64 = 300.0;

    fn evaluate(&self, game: &Fortress<N>, state: &State<N>) -> i32 {
        let sites = Seat::BOTH.map(|seat| game.sites(state, seat));
        let mut value = self.land(game, state, sites);
        if game.field.has_generals {
            value += generals(game, state, Seat::First, sites[0]);
            value -= generals(game, state, Seat::Second, sites[1]);
        }
        if state.seat() == Seat::First { value + MOVE } else { value - MOVE }
    }

    fn promise(&self, game: &Fortress<N>, state: &State<N>, seat: Seat, mv: Move) -> i32 {
        match mv {
            Move::Build(site) | Move::Stay(site) | Move::StepAndBuild(_, site) => {
                let (taken, new) = gains(game, state, seat, site);
                4 * (2 * taken + new) - 20
            }
            Move::Step(_, stop) | Move::Walk(_, _, stop) => {
                let (taken, new) = gains(game, state, seat, stop);
                2 * taken + new - 25
            }
            Move::End => -30,
            Move::Pass => 0,
        }
    }

    /// A walk whose end a step reaches, or a walk by an earlier way, is nothing new.
    fn is_redundant(&self, game: &Fortress<N>, state: &State<N>, seat: Seat, mv: Move) -> bool {
        let Move::Walk(start, middle, stop) = mv else { return false };
        let field = &game.field;
        if field.around[usize::from(start)].has(stop) {
            return true;
        }
        let barred = |cell| {
            field.mountains.has(cell)
                || state.lands[seat.other().index()].has(cell)
                || state.generals.iter().any(|generals| generals.has(cell))
        };
        let water = &field.water;
        field.next_to(start).iter().take_while(|&&other| other < middle).any(|&other| {
            field.around[usize::from(other)].has(stop)
                && !barred(other)
                && (water.has(other) || !water.has(start))
                && (water.has(stop) || !water.has(other))
        })
    }
}
