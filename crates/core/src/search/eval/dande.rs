//! D&E: what counts in the end is captures, and on the way pieces that can make them.
//!
//! * A captured piece is a point, whatever its kind: 100.
//! * The king is worth far more on the board than the point it gives: it reaches everything. A jumper can go
//!   back, an executioner strikes sideways too, so they are worth a little more than a defender.
//! * A walker with free cells ahead still has moves to make; who runs out of moves loses.
//! * A piece stuck in the mire is not there for two turns.

use crate::game::{Game, Seat};
use crate::games::dande::{DandE, Move, State};
use crate::search::Evaluator;
use crate::search::engine::{LEVELS, Level, Method, Thinks};

const POINT: i32 = 100;
const KING: i32 = 260;
const JUMPER: i32 = 50;
const EXECUTIONER: i32 = 15;
/// For each cell that the king can reach.
const REACH: i32 = 2;
const MIRED: i32 = 12;
/// For each walker that can step forward now.
const FREE_WALKER: i32 = 3;

/// The judgement of D&E.
pub struct Judge;

fn side(state: &State, seat: Seat) -> i32 {
    let own = state.sides[seat.index()];
    let count = |cells: u64| (cells & own).count_ones() as i32;
    let taken = state.captured()[seat.index()];
    let mired = (state.mired[0] | state.mired[1]) & own;
    let occupied = state.sides[0] | state.sides[1];
    let walkers = (state.executioners | state.defenders) & own & !mired;
    let up = if seat == Seat::First { walkers & !state.turned } else { walkers & state.turned };
    let free = ((up << 8) & !occupied).count_ones() + (((walkers & !up) >> 8) & !occupied).count_ones();
    let kings = state.kings & own & !mired;
    let reach = if kings == 0 { 0 } else { (state.slides(kings) & !own).count_ones() as i32 };
    POINT * taken
        + KING * count(state.kings)
        + JUMPER * count(state.jumpers)
        + EXECUTIONER * count(state.executioners)
        - MIRED * mired.count_ones() as i32
        + FREE_WALKER * free as i32
        + REACH * reach
}

fn worth(state: &State, cell: u8) -> i32 {
    let bit = 1u64 << cell;
    POINT
        + if state.kings & bit != 0 {
            KING
        } else if state.jumpers & bit != 0 {
            JUMPER
        } else if state.executioners & bit != 0 {
            EXECUTIONER
        } else {
            0
        }
}

impl Evaluator<DandE> for Judge {
    const SCALE: f64 = 180.0;

    fn evaluate(&self, _game: &DandE, state: &State) -> i32 {
        side(state, Seat::First) - side(state, Seat::Second)
    }

    fn promise(&self, _game: &DandE, state: &State, _seat: Seat, mv: Move) -> i32 {
        if mv.captures { 10 * worth(state, mv.target) - worth(state, mv.origin) } else { 0 }
    }

    fn loud(&self, game: &DandE, state: &State, seat: Seat, moves: &mut Vec<Move>) {
        game.legal(state, seat, moves);
        moves.retain(|mv| mv.captures);
    }
}

impl Thinks for DandE {
    type Eval = Judge;

    fn evaluator(&self) -> Judge {
        Judge
    }

    fn method(&self) -> Method {
        Method::AlphaBeta
    }

    fn levels(&self) -> [Level; LEVELS] {
        let level = |nodes, depth, slack| Level { nodes, depth, slack };
        [
            level(2_000, Some(1), 0.15),
            level(2_000, Some(1), 0.06),
            level(5_000, Some(2), 0.04),
            level(10_000, Some(2), 0.0),
            level(3_000, None, 0.0),
            level(10_000, None, 0.0),
            level(40_000, None, 0.0),
            level(200_000, None, 0.0),
        ]
    }
}
