//! Moves as the rules have them (O3–O6), and what they say at a glance about a position.
//!
//! A move is told by the position it leads to, still seen by the player who made it; [`Position::turned`]
//! shows it to the opponent. [`each`] lists all moves and is what validation and reachability stand on;
//! [`outlook`] counts quickly and is what generation starts from. A test holds the second to the first.

use super::Convention;
use super::board::{BURI, FAR, HOME, INADA, KINDS, LANES, NEAR, REACH, cells, count, lane};
use super::position::{HAND_OF, MAN_OF, Position};
use crate::solve::Value;

/// Takes what the opponent has on a cell, if anything, into the mover's hand. Nobody holds a tuna.
#[inline]
fn capture(position: &mut Position, cell: usize) {
    let bit = 1u16 << cell;
    for (kind, &hand) in HAND_OF.iter().enumerate() {
        position.own.hand[hand] += (lane(position.opponent.men, kind) >> cell & 1) as u8;
    }
    position.opponent.men &= !(u64::from(bit) * LANES);
    position.opponent.tuna &= !bit;
}

/// Visits the position after each legal move, as the player who made it sees it.
#[inline]
pub fn each(position: &Position, mut visit: impl FnMut(Position)) {
    let own = position.own.cells();
    for kind in KINDS {
        for from in cells(lane(position.own.men, kind)) {
            for to in cells(REACH[kind][from] & !own) {
                let becomes = if kind == INADA && FAR >> to & 1 == 1 { BURI } else { kind }; // O5
                let mut after = *position;
                capture(&mut after, to);
                after.own.men ^= 1 << (from + 16 * kind) | 1 << (to + 16 * becomes);
                visit(after);
            }
        }
    }
    for to in cells(NEAR[position.own.tuna_cell()] & !own) {
        let mut after = *position;
        capture(&mut after, to);
        after.own.tuna = 1 << to;
        visit(after);
    }
    for (hand, &kind) in MAN_OF.iter().enumerate() {
        if position.own.hand[hand] > 0 {
            for to in cells(position.empty()) {
                let mut after = *position;
                after.own.hand[hand] -= 1;
                after.own.men |= 1 << (to + 16 * kind);
                visit(after);
            }
        }
    }
}

/// The positions after each legal move, as the opponent sees them.
pub fn successors(position: &Position) -> Vec<Position> {
    let mut found = Vec::new();
    each(position, |after| found.push(after.turned()));
    found
}

/// Whether the player who has just moved left its tuna where it can be taken.
#[inline]
pub fn tuna_hangs(after: &Position) -> bool {
    let tuna = after.own.tuna_cell();
    after.opponents_reaching(tuna, 0) != 0 || after.opponent.tuna & NEAR[tuna] != 0
}

/// Whether the player who has just moved has lost to the next move: the tuna is taken, or the opponent makes a
/// move that leaves the player without one (O11).
#[inline]
pub fn loses_at_once(after: &Position) -> bool {
    tuna_hangs(after)
        || after.opponent.is_alone() && after.own.is_stuck() && can_wait(after, after.opponent.tuna_cell())
}

/// Whether a tuna that is alone has a move that takes nothing.
fn can_wait(position: &Position, tuna: usize) -> bool {
    NEAR[tuna] & position.empty() != 0
}

/// What can be said of a position, in which no tuna can be taken, without looking at any other position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outlook {
    /// There is no move (O11).
    Stuck,
    /// The opponent is shut in by its own men and the tuna has a move to wait with (O11).
    Stalemate,
    /// The tuna can reach the far row safely.
    Try,
    /// Every move loses the tuna.
    Mated,
    /// Some moves save the tuna, but then the opponent's reaches the far row safely.
    Outrun,
    /// So many moves neither lose the tuna nor let the opponent's through.
    Open(u8),
}

impl Outlook {
    /// The value that follows, unless there are moves to look at.
    pub fn value(self, convention: Convention) -> Option<Value> {
        let (tried, outrun) = match convention {
            Convention::Osakana => (2, 3),
            Convention::Dobutsu => (1, 2),
        };
        match self {
            Outlook::Stuck => Some(Value::Loss(0)),
            Outlook::Stalemate => Some(Value::Win(1)),
            Outlook::Try => Some(Value::Win(tried)),
            Outlook::Mated => Some(Value::Loss(2)),
            Outlook::Outrun => Some(Value::Loss(outrun)),
            Outlook::Open(_) => None,
        }
    }
}

/// Classifies a position in which the mover can't take the tuna.
pub fn outlook(position: &Position) -> Outlook {
    if position.opponent.is_alone() {
        // Only a side with all six men can be stuck, see the test below.
        return if position.own.is_stuck() { Outlook::Stuck } else { look_one_by_one(position) };
    }
    if position.own.is_alone()
        && position.opponent.turned().is_stuck()
        && can_wait(position, position.own.tuna_cell())
    {
        return Outlook::Stalemate;
    }
    if position.own.tuna & 0o0070 != 0 && position.safe_tries() != 0 {
        return Outlook::Try;
    }
    // The opponent's tuna is a step from its goal only on the row above the mover's home row.
    if position.opponent.tuna & 0o0700 != 0 {
        return look_one_by_one(position);
    }
    match count_safe(position) {
        0 => Outlook::Mated,
        safe => Outlook::Open(safe as u8),
    }
}

/// Counts moves that leave the tuna safe. Men and drops do so always, or if the tuna is attacked by one man
/// only by taking it; tuna moves are looked at one by one.
fn count_safe(position: &Position) -> usize {
    let own = position.own.cells();
    let attackers = position.opponents_reaching(position.own.tuna_cell(), 0);
    let targets = if attackers == 0 {
        !own
    } else if attackers & (attackers - 1) == 0 {
        super::board::union(attackers)
    } else {
        0
    };
    let mut safe = 0;
    if targets != 0 {
        for kind in KINDS {
            for from in cells(lane(position.own.men, kind)) {
                safe += count(REACH[kind][from] & targets);
            }
        }
    }
    if attackers == 0 {
        let hands = position.own.hand.iter().filter(|&&held| held > 0).count();
        safe += hands * count(position.empty());
    }
    safe + cells(NEAR[position.own.tuna_cell()] & !own)
        .filter(|&to| position.opponents_reaching(to, 1 << to) == 0 && position.opponent.tuna & NEAR[to] == 0)
        .count()
}

fn look_one_by_one(position: &Position) -> Outlook {
    if position.safe_tries() != 0 {
        return Outlook::Try;
    }
    let (mut open, mut saved) = (0, false);
    each(position, |after| {
        if !loses_at_once(&after) {
            saved = true;
            open += u8::from(!after.lets_opponent_try());
        }
    });
    match (open, saved) {
        (0, false) => Outlook::Mated,
        (0, true) => Outlook::Outrun,
        _ => Outlook::Open(open),
    }
}

/// Whether a tuna that has just moved stands on the far row.
#[inline]
pub fn has_tried(after: &Position) -> bool {
    after.own.tuna & FAR != 0
}

/// Whether the opponent's tuna stands on the mover's home row: it wins unless it is taken now.
#[inline]
pub fn was_tried(position: &Position) -> bool {
    position.opponent.tuna & HOME != 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::osakana::solve::board::{ALL, FLOUNDER, OCTOPUS};
    use crate::games::osakana::solve::position::Side;

    fn successors(text: &str) -> usize {
        let mut found = 0;
        each(&Position::parse(text).unwrap(), |_| found += 1);
        found
    }

    #[test]
    fn the_first_move_is_one_of_four() {
        assert_eq!(successors("kmt/1i1/1I1/TMK b -"), 4);
    }

    /// There is but one way, and its mirror image, to be stuck: with all six men on the board around the tuna, so
    /// that the opponent is alone. A side alone on the board shows all there is, since opponents can be taken.
    #[test]
    fn one_formation_is_stuck() {
        let mut stuck = std::collections::BTreeSet::new();
        for tuna in cells(ALL & !FAR) {
            place(1 << tuna, &[INADA, INADA, OCTOPUS, OCTOPUS, FLOUNDER, FLOUNDER], 0, &mut |men| {
                let side = Side { tuna: 1 << tuna, men, hand: [0; 3] };
                if side.is_stuck() {
                    stuck.insert(Position { own: side, opponent: Side::default() }.to_string());
                }
            });
        }
        let stuck: Vec<_> = stuck.iter().map(String::as_str).collect();
        assert_eq!(stuck, ["1TK/TKM/1II/3 b M", "KT1/MKT/II1/3 b M"]);
    }

    fn place(taken: u16, left: &[usize], men: u64, visit: &mut impl FnMut(u64)) {
        let Some((&kind, rest)) = left.split_first() else { return visit(men) };
        place(taken, rest, men, visit);
        for cell in cells(ALL & !taken) {
            place(taken | 1 << cell, rest, men | 1 << (cell + 16 * kind), visit);
            if kind == INADA {
                place(taken | 1 << cell, rest, men | 1 << (cell + 16 * BURI), visit);
            }
        }
    }
}
