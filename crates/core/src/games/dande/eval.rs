//! D&E: what counts in the end is captures, and on the way pieces that can make them.
//!
//! * A captured piece is a point, whatever its kind; a lead counts the more, the nearer the limit of moves.
//! * The king reaches everything, a jumper goes anywhere in time, an executioner strikes sideways too: on the
//!   board they are worth far more than the point they give. Jumpers decide games in which the kings are gone.
//! * A walker with a free cell ahead has a move in reserve, and so have all rows that lie before it: who runs
//!   out of moves loses.
//! * A piece stuck in the mire is not there for two turns.
//!
//! The numbers began as a logistic regression on the results of self-play (180 is a logit), and were settled by
//! matches between variants.

use super::board::{Cells, king_reach};
use super::{DandE, Move, State};
use crate::game::Seat;
use crate::search::Evaluator;

/// A capture, at the start of a game and, on top of that, at its end.
const POINT: i32 = 100;
const POINT_AT_END: i32 = 180;
const KING: i32 = 260;
const JUMPER: i32 = 170;
const EXECUTIONER: i32 = 30;
const MIRED: i32 = -12;
/// For each walker that can step forward now, and for each row before a walker.
const FREE_WALKER: i32 = 20;
const ROW_AHEAD: i32 = 8;
/// For each cell that the king can reach.
const REACH: i32 = 4;
/// Games with clocks have no limit of moves; a lead counts in them as if they were so far on.
const USUAL_PROGRESS: (i32, i32) = (1, 3);

/// The evaluation of D&E.
pub struct Eval;

/// What a seat's pieces on the board are worth.
fn army(state: &State, seat: Seat) -> i32 {
    let count = |cells: Cells| cells.count_ones() as i32;
    let own = state.sides[seat.index()];
    let occupied = state.sides[0] | state.sides[1];
    let mired = (state.mired[0] | state.mired[1]) & own;
    let walkers = (state.executioners | state.defenders) & own & !mired;
    let up = if seat == Seat::First { walkers & !state.turned } else { walkers & state.turned };
    let down = walkers & !up;
    let king = state.kings & own & !mired;
    let reach = if king == 0 { 0 } else { king_reach(king.trailing_zeros() as u8, occupied) & !own };
    KING * count(state.kings & own)
        + JUMPER * count(state.jumpers & own)
        + EXECUTIONER * count(state.executioners & own)
        + MIRED * count(mired)
        + FREE_WALKER * (count((up << 8) & !occupied) + count((down >> 8) & !occupied))
        + ROW_AHEAD * (rows_above(up) + rows_above(down.swap_bytes()))
        + REACH * count(reach)
}

/// How many rows there are above each of these cells, in all.
fn rows_above(cells: Cells) -> i32 {
    /// The rows whose distance to the top has this bit.
    const FOUR: Cells = 0x0000_0000_FFFF_FFFF;
    const TWO: Cells = 0x0000_FFFF_0000_FFFF;
    const ONE: Cells = 0x00FF_00FF_00FF_00FF;
    let count = |rows: Cells| (cells & rows).count_ones() as i32;
    4 * count(FOUR) + 2 * count(TWO) + count(ONE)
}

/// What a capture is worth now.
fn point(game: &DandE, state: &State) -> i32 {
    let (done, limit) = match game.ply_limit {
        Some(limit) => (state.plies as i32, limit.max(1) as i32),
        None => USUAL_PROGRESS,
    };
    POINT + POINT_AT_END * done / limit
}

/// What a piece on the board is worth to capture, for ordering.
fn prey(state: &State, cell: u8) -> i32 {
    let bit = 1 << cell;
    if state.kings & bit != 0 {
        KING
    } else if state.jumpers & bit != 0 {
        JUMPER
    } else if state.executioners & bit != 0 {
        EXECUTIONER
    } else {
        0
    }
}

impl Evaluator<DandE> for Eval {
    const SCALE: f64 = 180.0;

    fn evaluate(&self, game: &DandE, state: &State) -> i32 {
        let [first, second] = Seat::BOTH.map(|seat| army(state, seat));
        let captured = state.captured();
        first - second + point(game, state) * (captured[0] - captured[1])
    }

    fn promise(&self, _game: &DandE, state: &State, _seat: Seat, mv: Move) -> i32 {
        if mv.captures { 1_000 + 10 * prey(state, mv.target) - prey(state, mv.origin) } else { 0 }
    }

    fn noisy(&self, _game: &DandE, state: &State, _seat: Seat, moves: &mut Vec<Move>) {
        state.captures(moves);
    }
}
