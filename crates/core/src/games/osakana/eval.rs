//! Osakana: pieces, where they stand, and the squares around the tunas.
//!
//! * A piece in the hand can be anywhere next move; it is worth much more than the same piece on the board.
//! * On the board pieces are best at home and on the flanks: in front of the enemy tuna they get taken.
//! * The tuna wins by going ahead, and is caught at home in the corner.
//! * Every strike at a square around a tuna counts against it; so does, less, what the pieces can't reach.
//! * A tuna that can step into the far row where nothing strikes is about to win.
//!
//! The numbers are hundredths of a logit: they were fitted to the exact values of some 7,500 positions around the
//! golden ones (logistic regression, a win being 1 and a draw ½), with pieces that can be taken at once accounted
//! for, since here the search does that.

use super::{Kind, Move, Osakana, Piece, Position, Square, Squares, State, squares};
use crate::game::Seat;
use crate::search::Evaluator;

/// The worth of a piece on each square, from the far row home; by [`Kind`].
const ON_BOARD: [[i32; 12]; 5] = [
    [80, 44, 80, 61, -29, 61, -17, -5, -17, -98, -36, -98],
    [-44, -50, -44, 48, -57, 48, 39, 45, 39, 95, -19, 95],
    [98, 22, 98, 34, -6, 34, 86, 108, 86, 105, 104, 105],
    [44, 9, 44, 92, -59, 92, 125, 113, 125, 128, 108, 128],
    [58, -39, 58, 16, -114, 16, 56, 34, 56, 10, 12, 10],
];
/// The worth of none, one and two of a kind in the hand; by [`Kind`].
const IN_HAND: [[i32; 3]; 5] = [[0; 3], [0, 133, 216], [0, 164, 290], [0, 228, 309], [0; 3]];
/// For each strike of a player's pieces at a square not their own.
const STRIKE: i32 = 17;
/// For each strike at a square around a tuna, on top.
const SIEGE: i32 = 45;
/// For the side to move, and if its tuna is attacked, and if it can step into the far row for good.
const MOVE: i32 = 80;
const ATTACKED: i32 = -105;
const CAN_REACH: i32 = 238;
/// What the other can reach after this move counts less: something may come between.
const MAY_REACH: i32 = 62;

/// The row each player is bound for.
const FAR_ROW: [Squares; 2] = [0o0007, 0o7000];

/// What a capture of a kind is worth, for ordering.
const CAPTURED: [i32; 5] = [10_000, 180, 260, 340, 260];

/// The squares around each square.
const AROUND: [Squares; 12] = {
    let mut around = [0; 12];
    let mut from = 0;
    while from < 12 {
        let mut to = 0;
        while to < 12 {
            let apart = (from / 3_i32 - to / 3, from % 3 - to % 3);
            if from != to && apart.0.abs() <= 1 && apart.1.abs() <= 1 {
                around[from as usize] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    around
};

/// The evaluation of Osakana.
pub struct Eval;

fn around(tuna: Squares) -> Squares {
    if tuna == 0 { 0 } else { AROUND[tuna.trailing_zeros() as usize] }
}

/// What a seat's pieces are worth where they are.
fn pieces(position: Position, seat: Seat) -> i32 {
    let on_board = squares(position.own(seat)).filter_map(|square| {
        let Piece { kind, .. } = position.piece(square)?;
        let place = if seat == Seat::First { square.index() } else { 11 - square.index() };
        Some(ON_BOARD[kind as usize][place])
    });
    let in_hand =
        Kind::DROPPABLE.map(|kind| IN_HAND[kind as usize][usize::from(position.held(seat, kind)).min(2)]);
    on_board.sum::<i32>() + in_hand.iter().sum::<i32>()
}

/// Whether a seat's tuna can step into the far row where nothing strikes it.
fn can_reach(position: Position, seat: Seat) -> bool {
    let steps = around(position.tuna(seat)) & FAR_ROW[seat.index()] & !position.own(seat);
    let danger = position.strikes(seat.other());
    steps != 0 && squares(steps).any(|square| danger.on(1 << square.index()) == 0)
}

/// What a position is worth to the seat to move.
fn value_to_mover(position: Position) -> i32 {
    let (me, other) = (position.mover(), position.mover().other());
    let (mine, theirs) = (position.strikes(me), position.strikes(other));
    let (my_tuna, their_tuna) = (position.tuna(me), position.tuna(other));
    let strikes = mine.on(0xFFF & !position.own(me)) as i32 - theirs.on(0xFFF & !position.own(other)) as i32;
    let siege = mine.on(around(their_tuna)) as i32 - theirs.on(around(my_tuna)) as i32;
    let mut value = pieces(position, me) - pieces(position, other) + STRIKE * strikes + SIEGE * siege + MOVE;
    if theirs.on(my_tuna) > 0 {
        value += ATTACKED;
    }
    if can_reach(position, me) {
        value += CAN_REACH;
    }
    if can_reach(position, other) {
        value -= MAY_REACH;
    }
    value
}

impl Evaluator<Osakana> for Eval {
    const SCALE: f64 = 100.0;

    fn evaluate(&self, _game: &Osakana, state: &State) -> i32 {
        let value = value_to_mover(state.position());
        if state.position().mover() == Seat::First { value } else { -value }
    }

    fn promise(&self, _game: &Osakana, state: &State, seat: Seat, mv: Move) -> i32 {
        let position = state.position();
        match mv {
            Move::Step { piece, to, .. } => {
                let struck = || position.strikes(seat.other()).on(1 << to.index()) > 0;
                match position.piece(to) {
                    _ if piece.kind == Kind::Tuna && struck() => -10_000,
                    Some(taken) => {
                        10 * CAPTURED[taken.kind as usize] - CAPTURED[piece.kind as usize].min(500)
                    }
                    None if piece.kind == Kind::Tuna && FAR_ROW[seat.index()] >> to.index() & 1 != 0 => {
                        20_000
                    }
                    None => 0,
                }
            }
            Move::Drop { .. } => 0,
        }
    }

    fn noisy(&self, _game: &Osakana, state: &State, seat: Seat, moves: &mut Vec<Move>) {
        let position = state.position();
        let enemy = position.own(seat.other());
        if position.strikes(seat).on(enemy) == 0 {
            return;
        }
        for from in squares(position.own(seat)) {
            let taken = position.targets(seat, from) & enemy;
            if let (Some(piece), true) = (position.piece(from), taken != 0) {
                moves.extend(squares(taken).map(|to: Square| Move::Step { piece, from, to }));
            }
        }
    }

    fn past(&self, _game: &Osakana, state: &State) -> u64 {
        state.worn()
    }

    fn is_threatened(&self, _game: &Osakana, state: &State, seat: Seat) -> bool {
        let position = state.position();
        position.strikes(seat.other()).on(position.tuna(seat)) > 0
    }
}
