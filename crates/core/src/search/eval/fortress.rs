//! Fortresses: who will own each cell in the end.
//!
//! A cell changes hands when somebody builds next to it. So what it is worth now depends on its owner, on how
//! many sites around it each player could build on, and on how likely sites are to be built on at all before the
//! game ends: a cell that nobody can build next to any more stays whose it is, and one that only the other can
//! build next to is as good as lost if there are turns enough.

use crate::game::Seat;
use crate::games::fortress::bits::Bits;
use crate::games::fortress::{Fortress, Move, State};
use crate::search::Evaluator;
use crate::search::engine::{LEVELS, Level, Method, Thinks};

/// The worth of a cell that is sure to be one's own in the end.
const CELL: f64 = 100.0;
/// How many steps the chance that a site gets built on is told in.
const PHASES: usize = 16;
/// How much of that chance counts: sites next to each other are rarely all built on.
const WEAR: f64 = 0.6;
/// For each general on the field.
const GENERAL: i32 = 150;
/// For the side to move.
const MOVE: i32 = 100;

/// What cells are worth: by phase, owner (mine, nobody's, theirs), and how many sites around it (none, one, two,
/// more) I and they can build on.
type Worth = [[[[i32; 4]; 4]; 3]; PHASES + 1];

/// The judgement of Fortresses.
pub struct Judge {
    worth: Worth,
}

impl Judge {
    fn new() -> Self {
        let mut worth = [[[[0; 4]; 4]; 3]; PHASES + 1];
        for (phase, by_owner) in worth.iter_mut().enumerate() {
            for (owner, by_sites) in by_owner.iter_mut().enumerate() {
                for (mine, by_theirs) in by_sites.iter_mut().enumerate() {
                    for (theirs, value) in by_theirs.iter_mut().enumerate() {
                        let (mine, theirs) = (mine as f64, theirs as f64);
                        let built = phase as f64 / PHASES as f64;
                        let untouched = (-WEAR * built * (mine + theirs)).exp();
                        let now = 1.0 - owner as f64;
                        let later = if mine + theirs > 0.0 { (mine - theirs) / (mine + theirs) } else { 0.0 };
                        *value = (CELL * (untouched * now + (1.0 - untouched) * later)) as i32;
                    }
                }
            }
        }
        Judge { worth }
    }
}

/// Splits the field by how many cells of a set are around: none, one, two, more.
fn split<const N: usize>(game: &Fortress<N>, cells: Bits<N>) -> [Bits<N>; 4] {
    let [one, two, three] = game.field.crowds(cells);
    [game.field.everywhere & !one, one & !two, two & !three, three]
}

/// The cells that building on a site takes from the other, and those it takes from nobody.
fn gains<const N: usize>(game: &Fortress<N>, state: &State<N>, seat: Seat, site: u16) -> (i32, i32) {
    let around = game.field.around[usize::from(site)];
    let [mine, theirs] = [state.lands[seat.index()], state.lands[seat.other().index()]];
    ((around & theirs).count() as i32, (around & !(mine | theirs)).count() as i32)
}

impl<const N: usize> Evaluator<Fortress<N>> for Judge {
    const SCALE: f64 = 300.0;

    fn evaluate(&self, game: &Fortress<N>, state: &State<N>) -> i32 {
        let free = (game.field.open & !state.forts).count();
        let left = u32::from((2 * game.field.turns + 1).saturating_sub(state.turn));
        let generals = state.generals.map(|generals| generals.count());
        let builds = left + generals[0] + generals[1];
        let phase = ((PHASES as u32 * builds) / free.max(1)).min(PHASES as u32) as usize;
        let [mine, theirs] = Seat::BOTH.map(|seat| split(game, game.sites(state, seat)));
        let [land, other] = state.lands;
        let owned = [land, game.field.everywhere & !(land | other), other];
        let mut value = 0;
        for (owner, cells) in owned.into_iter().enumerate() {
            for (a, by_mine) in mine.iter().enumerate() {
                let part = cells & *by_mine;
                for (b, by_theirs) in theirs.iter().enumerate() {
                    value += self.worth[phase][owner][a][b] * (part & *by_theirs).count() as i32;
                }
            }
        }
        let tempo = if state.seat() == Seat::First { MOVE } else { -MOVE };
        value + GENERAL * (generals[0] as i32 - generals[1] as i32) + if left > 1 { tempo } else { tempo * 2 }
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

impl<const N: usize> Thinks for Fortress<N> {
    type Eval = Judge;

    fn evaluator(&self) -> Judge {
        Judge::new()
    }

    fn method(&self) -> Method {
        Method::AlphaBeta
    }

    fn levels(&self) -> [Level; LEVELS] {
        let level = |nodes, depth, slack| Level { nodes, depth, slack };
        [
            level(2_000, Some(1), 0.20),
            level(2_000, Some(1), 0.07),
            level(2_000, Some(1), 0.02),
            level(500, None, 0.0),
            level(2_000, None, 0.0),
            level(8_000, None, 0.0),
            level(40_000, None, 0.0),
            level(200_000, None, 0.0),
        ]
    }
}
