//! Five Elements: a king is brought down element by element, by pieces that get next to it.
//!
//! * A king's elements are its lives, and the fewer are left the more each is worth, the last most of all: against
//!   a king with one element left every piece of the right kind is deadly.
//! * A piece is a piece: 150. A hidden one is worth more, for nobody can plan against it: a king that is attacked
//!   by a hidden piece loses an element three times out of five, and hardly ever to an open one.
//! * The ring: an element is worth more the more of its prey, and the fewer of those that prey on it, the other
//!   side still has. It beats the next in the ring whoever attacks, and the one after that if it attacks.
//! * A piece near the other king is a threat, as much as it can hurt that king.
//! * Who is to move strikes first: the best attack there is counts for the mover.

use super::board::{ADJACENT, CELLS, Cell, cells};
use super::piece::{Battle, Piece, battle, elements};
use super::state::{PIECES, Pending, State};
use super::{Element, Elements, Move};
use crate::game::Seat;
use crate::search::Evaluator;

/// The steps between any two cells.
const DISTANCE: [[u8; CELLS]; CELLS] = {
    let mut distance = [[u8::MAX; CELLS]; CELLS];
    let mut from = 0;
    while from < CELLS {
        let (mut reached, mut steps) = (1u64 << from, 0);
        while reached != 0 {
            let (mut next, mut cell) = (0, 0);
            while cell < CELLS {
                if reached >> cell & 1 == 1 && distance[from][cell] == u8::MAX {
                    distance[from][cell] = steps;
                    next |= ADJACENT[cell];
                }
                cell += 1;
            }
            let mut cell = 0;
            while cell < CELLS {
                if distance[from][cell] != u8::MAX {
                    next &= !(1 << cell);
                }
                cell += 1;
            }
            (reached, steps) = (next, steps + 1);
        }
        from += 1;
    }
    distance
};
/// The most steps between two cells, and one more.
const STEPS: usize = 8;

/// The evaluation of Five Elements.
#[derive(Clone)]
pub struct Eval {
    /// What a king is worth by the number of its elements.
    pub king: [i32; 6],
    /// A piece.
    pub piece: i32,
    /// A hidden piece beside that.
    pub hidden: i32,
    /// For each pair of pieces of which one preys on the other.
    pub ring: i32,
    /// A piece that would surely cost the other king an element, by its distance to it.
    pub near: [i32; STEPS],
    /// How much of the mover's best attack counts, in percent.
    pub strike: i32,
    /// In moves: a step towards the other king.
    pub advance: i32,
}

impl Default for Eval {
    fn default() -> Self {
        Eval {
            king: [0, 600, 900, 1100, 1250, 1350],
            piece: 150,
            hidden: 60,
            ring: 3,
            near: [0, 60, 40, 25, 15, 8, 3, 0],
            strike: 60,
            advance: 15,
        }
    }
}

/// How likely (in percent) an attack of a piece takes an element of a king with these.
///
/// An open piece meets the best answer there is; against a hidden one all answers are as likely.
#[inline]
fn hit(element: Element, is_open: bool, owned: u8) -> i32 {
    let loses = |answer: &Element| matches!(battle(element, *answer), Battle::Trade | Battle::Win);
    let hits = elements(owned).filter(loses).count() as i32;
    let count = owned.count_ones() as i32;
    if hits == count {
        100
    } else if is_open {
        0
    } else {
        100 * hits / count
    }
}

impl Eval {
    /// What an element less costs a king.
    fn life(&self, state: &State, seat: Seat) -> i32 {
        let left = state.owned[seat.index()].count_ones() as usize;
        self.king[left] - if left == 1 { -self.king[1] } else { self.king[left - 1] }
    }

    /// What an attack of a seat is likely to bring, by what the seat knows.
    fn attack(&self, state: &State, seat: Seat, origin: Cell, target: Cell, with: Option<Element>) -> i32 {
        let other = seat.other();
        let by_king = origin == state.king_cell(seat);
        let Some(x) = with.or_else(|| if by_king { None } else { state.piece_on(origin).now() }) else {
            return 0;
        };
        let own = if by_king { self.life(state, seat) } else { self.piece };
        if target == state.king_cell(other) {
            let is_open = !by_king && state.piece_on(origin).is_open();
            let hit = hit(x, is_open, state.owned[other.index()]);
            let risk = if is_open && hit == 0 { 60 } else { 30 };
            return (hit * self.life(state, other) - risk * own) / 100;
        }
        let prey = self.piece + self.hidden;
        let piece = state.piece_on(target);
        match piece.now().filter(|_| piece.is_open()) {
            Some(y) => match battle(x, y) {
                Battle::Trade => self.piece - own,
                Battle::Win => self.piece,
                Battle::Nothing => -5,
                Battle::Loss => -own,
            },
            None => (60 * prey - 40 * own) / 100,
        }
    }

    /// What a side is worth apart from the other's pieces.
    fn side(&self, state: &State, seat: Seat, counts: &mut [i32; 5]) -> i32 {
        let other = seat.other();
        let (prey, owned) = (state.king_cell(other), state.owned[other.index()]);
        let mut value = self.king[state.owned[seat.index()].count_ones() as usize];
        for at in 0..PIECES {
            let Some(cell) = state.cell(seat, at) else { continue };
            let piece = state.piece(seat, at);
            let Some(element) = piece.now() else { continue };
            counts[element as usize] += 1;
            let near = self.near[DISTANCE[cell as usize][prey as usize] as usize];
            let hidden = if piece.is_open() { 0 } else { self.hidden };
            value += self.piece + hidden + near * (20 + hit(element, piece.is_open(), owned)) / 100;
        }
        value
    }

    /// The best attack of the mover.
    fn best_strike(&self, state: &State) -> i32 {
        let mover = state.mover();
        let (own, enemy) = (state.held(mover), state.held(mover.other()));
        let king = state.king_cell(mover);
        let mut best = 0;
        for target in cells(enemy) {
            for origin in cells(ADJACENT[target as usize] & own) {
                let mut strike = |with| best = best.max(self.attack(state, mover, origin, target, with));
                if origin == king {
                    elements(state.owned[mover.index()]).for_each(|element| strike(Some(element)));
                } else {
                    strike(None);
                }
            }
        }
        best
    }

    /// How much the open enemies around a cell threaten a piece there.
    fn danger(&self, state: &State, seat: Seat, piece: Piece, cell: Cell, empty: Cell) -> i32 {
        let Some(y) = piece.now() else { return 0 };
        let other = seat.other();
        let enemies = ADJACENT[cell as usize] & state.held(other) & !(1 << empty);
        let mut danger = 0;
        for enemy in cells(enemies) {
            if enemy == state.king_cell(other) {
                let beats = |x: Element| battle(x, y) == Battle::Win;
                let is_prey = piece.is_open() && elements(state.owned[other.index()]).any(beats);
                danger = danger.max(if is_prey { self.piece } else { 0 });
                continue;
            }
            let foe = state.piece_on(enemy);
            danger = danger.max(match foe.now().filter(|_| foe.is_open()) {
                Some(x) if battle(x, y) == Battle::Win => self.piece,
                Some(_) => 0,
                None => self.piece / 4,
            });
        }
        danger
    }
}

/// How well a set-up holds together: neighbours that avenge each other.
///
/// What takes a piece of element `a` is `a - 1` or `a - 2`; `a + 2` takes both of these, `a + 1` and `a + 3` one.
fn cohesion(state: &State, seat: Seat, element_at: impl Fn(usize) -> Element) -> i32 {
    const AVENGES: [i32; 5] = [0, 1, 2, 1, 0];
    let mut sum = 0;
    for at in 0..PIECES {
        let Some(cell) = state.cell(seat, at) else { continue };
        for other in 0..PIECES {
            let near = state.cell(seat, other).is_some_and(|next| ADJACENT[cell as usize] >> next & 1 == 1);
            if near {
                sum += AVENGES[(element_at(other) as usize + 5 - element_at(at) as usize) % 5];
            }
        }
    }
    sum
}

/// What is left of an advantage when nothing has happened for long: quiet turns end in a draw (E21), and so who is
/// ahead is in a hurry from half way on.
fn fade(game: &Elements, state: &State, value: i32) -> i32 {
    if game.quiet_limit == 0 {
        return value;
    }
    let quiet = state.turn.saturating_sub(state.loss + 1).min(game.quiet_limit);
    let left = (2 * (game.quiet_limit - quiet)).min(game.quiet_limit);
    (i64::from(value) * i64::from(left) / i64::from(game.quiet_limit)) as i32
}

impl Evaluator<Elements> for Eval {
    const SCALE: f64 = 250.0;

    fn evaluate(&self, game: &Elements, state: &State) -> i32 {
        let mut counts = [[0; 5]; 2];
        let [first, second] = &mut counts;
        let mut value = self.side(state, Seat::First, first) - self.side(state, Seat::Second, second);
        for element in 0..5 {
            let prey = 2 * second[(element + 1) % 5] + second[(element + 2) % 5];
            let foes = 2 * second[(element + 4) % 5] + second[(element + 3) % 5];
            value += self.ring * first[element] * (prey - foes);
        }
        let strike = self.best_strike(state) * self.strike / 100;
        value += if state.mover() == Seat::First { strike } else { -strike };
        fade(game, state, value)
    }

    fn promise(&self, _game: &Elements, state: &State, seat: Seat, mv: Move) -> i32 {
        match mv {
            Move::Arrange(arrangement) => 10 * cohesion(state, seat, |at| arrangement.get(at)),
            Move::Attack(origin, target, with) => self.attack(state, seat, origin, target, with),
            Move::Choose(answer) => match state.pending {
                Pending::Attack(origin, _, _) if origin != state.king_cell(seat.other()) => {
                    let piece = state.piece_on(origin);
                    match piece.now().filter(|_| piece.is_open()).map(|x| battle(x, answer)) {
                        Some(Battle::Loss) => self.piece,
                        Some(Battle::Trade) => self.piece - self.life(state, seat),
                        Some(Battle::Win) => -self.life(state, seat),
                        Some(Battle::Nothing) | None => 0,
                    }
                }
                _ => 0,
            },
            Move::Step(origin, target) => {
                let prey = state.king_cell(seat.other()) as usize;
                if origin == state.king_cell(seat) {
                    let around =
                        |cell: Cell| (ADJACENT[cell as usize] & state.held(seat.other())).count_ones();
                    return -2 * self.advance + 20 * (around(origin) as i32 - around(target) as i32);
                }
                let closer = DISTANCE[origin as usize][prey] as i32 - DISTANCE[target as usize][prey] as i32;
                let piece = state.piece_on(origin);
                let flight = self.danger(state, seat, piece, origin, target)
                    - self.danger(state, seat, piece, target, origin);
                self.advance * closer + flight / 2
            }
        }
    }

    fn is_settled(&self, _game: &Elements, state: &State) -> bool {
        state.pending == Pending::Nothing
    }
}
