//! Moves taken back: from a position to all that lead to it.
//!
//! Only positions that are numbered matter, that is those in which the player to move can't take the tuna.
//! Men here don't strike over a distance, so a move uncovers nothing: a man that attacks the tuna after the
//! move either is the one that moved, or attacked it before. Hence, if two men attack the tuna there is no
//! predecessor at all, if one does then it made the move, and no man came from where it attacked already.
//!
//! The position is seen by the player who has just moved, so that what is visited is a position with that
//! player to move.

use super::board::{BURI, FAR, INADA, KINDS, NEAR, ORIGINS, REACHED_BY, cells, lane};
use super::position::{HAND_OF, MAN_OF, Position};

/// Visits the positions from which the player at the bottom, not being able to take the tuna, came here.
#[inline]
pub fn each(position: &Position, mut visit: impl FnMut(&Position)) {
    let target = position.opponent.tuna_cell();
    let attackers = position.own.men & REACHED_BY[target];
    if attackers & attackers.wrapping_sub(1) != 0 {
        return;
    }
    let movable = if attackers == 0 { position.own.men } else { attackers };
    let empty = position.empty();
    for kind in KINDS {
        for to in cells(lane(movable, kind)) {
            let mut before = *position;
            before.own.men ^= 1 << (to + 16 * kind);
            if kind != INADA || FAR >> to & 1 == 0 {
                for from in cells(ORIGINS[kind][to] & empty & !lane(REACHED_BY[target], kind)) {
                    let mut before = before;
                    before.own.men |= 1 << (from + 16 * kind);
                    uncapture(&mut before, to, &mut visit);
                }
            }
            if kind == BURI {
                // O5: perhaps it became one by this move.
                let grown = ORIGINS[INADA][to] & empty & !lane(REACHED_BY[target], INADA);
                if FAR >> to & 1 == 1 && grown != 0 {
                    before.own.men |= u64::from(grown) << (16 * INADA);
                    uncapture(&mut before, to, &mut visit);
                }
            } else {
                before.own.hand[HAND_OF[kind]] += 1; // O6
                visit(&before);
            }
        }
    }
    if attackers == 0 {
        let to = position.own.tuna_cell();
        for from in cells(NEAR[to] & empty & !FAR & !NEAR[target]) {
            let mut before = *position;
            before.own.tuna = 1 << from;
            uncapture(&mut before, to, &mut visit);
        }
    }
}

/// Visits a position in which a cell has just been left backwards: with nothing there, and with each man there
/// that the move may have taken.
#[inline]
fn uncapture(before: &mut Position, cell: usize, visit: &mut impl FnMut(&Position)) {
    visit(before);
    for (hand, &kind) in MAN_OF.iter().enumerate() {
        if before.own.hand[hand] == 0 {
            continue;
        }
        before.own.hand[hand] -= 1;
        let taken = 1 << (cell + 16 * kind);
        before.opponent.men ^= taken;
        visit(before);
        before.opponent.men ^= taken;
        if kind == INADA {
            let taken = 1 << (cell + 16 * BURI);
            before.opponent.men ^= taken;
            visit(before);
            before.opponent.men ^= taken;
        }
        before.own.hand[hand] += 1;
    }
}
