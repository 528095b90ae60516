//! What happens at a node of the tree.

use super::order::{Ranked, pick};
use super::{AlphaBeta, DEEPEST, INFINITE};
use crate::game::{Awaits, Game, Seat};
use crate::search::negamax::{average, evaluate_for};
use crate::search::table::{Bound, Entry};
use crate::search::{Evaluator, PROVEN, WIN, outcome_value};
use std::hash::Hash;

/// How many noisy moves in a row are followed at the horizon.
pub(super) const NOISY_PLIES: usize = 8;
/// Moves from this place on are looked at less deeply first, if nothing speaks for them.
const LATE: usize = 3;
/// Where less than this is left to search, nothing is reduced.
const SHALLOW: u32 = 3;
/// What lies behind a roll is looked at less deeply: it is many positions, each with its share only.
const ROLL_REDUCTION: u32 = 2;

impl<G: Game, E: Evaluator<G>> AlphaBeta<'_, G, E>
where
    G::Move: Hash,
{
    /// The value of a state to `me`, whatever it awaits. The window is `me`'s.
    pub(super) fn follow(
        &mut self,
        state: &G::State,
        me: Seat,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        match self.game.awaits(state) {
            Awaits::Ended(outcome) => {
                self.watch.tick();
                self.lines[ply].clear();
                outcome_value(&outcome, me, ply)
            }
            Awaits::Roll => {
                let game = self.game;
                let depth = if self.reducing { depth.saturating_sub(ROLL_REDUCTION) } else { depth };
                let value = average::<G, E>(game, state, |next| {
                    self.follow(next, me, depth, -INFINITE, INFINITE, ply)
                });
                self.lines[ply].clear();
                value
            }
            Awaits::DecideBoth => {
                self.lines[ply].clear();
                evaluate_for(self.game, self.eval, state, me)
            }
            Awaits::Decide(seat) if seat == me => self.search(state, me, depth, alpha, beta, ply),
            Awaits::Decide(seat) => -self.search(state, seat, depth, -beta, -alpha, ply),
        }
    }

    /// The value of a state to the seat that decides in it.
    fn search(
        &mut self,
        state: &G::State,
        me: Seat,
        mut depth: u32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.lines[ply].clear();
        let pruning = self.settings.pruning;
        if ply < self.extension_limit && self.eval.is_threatened(self.game, state, me) {
            depth += 1;
        }
        if depth == 0 || ply >= DEEPEST {
            return self.quiescence(state, me, alpha, beta, ply, 0);
        }
        if self.watch.tick() {
            return 0;
        }
        // Whatever happens below, nobody wins sooner than by the next ply.
        let soonest = WIN - ply as i32 - 1;
        if pruning && (alpha >= soonest || beta <= -soonest) {
            return if alpha >= soonest { soonest } else { -soonest };
        }
        let key = self.game.key(state) ^ self.salt;
        let known = self.table.and_then(|table| table.get(key));
        if let Some(value) = known.and_then(|entry| self.usable(entry, depth, alpha, beta, ply)) {
            return value;
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        self.fill(state, me, known.map(|entry| entry.best), ply, &mut list);
        let mut next = self.spare_state(state);
        let (mut best, mut best_index, floor) = (-INFINITE, 0, alpha);
        for place in 0..list.len() {
            let ranked = pick(&mut list, place);
            (*next).clone_from(state);
            self.game.play_unchecked(&mut next, me, ranked.mv);
            let value = self.try_move(&next, me, depth, (alpha, beta), ply, place, &ranked);
            if self.watch.stopped() {
                best = best.max(value);
                break;
            }
            if value > best {
                best = value;
                best_index = ranked.index;
                if value > alpha {
                    self.keep_line(ply, ranked.mv);
                }
            }
            if pruning {
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.memory.remember(ply, depth, me, ranked.mv);
                    break;
                }
            }
        }
        self.spare.push(next);
        self.lists[ply] = list;
        if !self.watch.stopped() {
            self.store(key, best, best_index, depth, floor, beta, ply);
        }
        best
    }

    /// The value to `me` of a state behind a move: the first of a node is searched in full; of the others it is
    /// first asked if they are any better, of late ones with little depth.
    #[allow(clippy::too_many_arguments)]
    #[inline]
    fn try_move(
        &mut self,
        next: &G::State,
        me: Seat,
        depth: u32,
        (alpha, beta): (i32, i32),
        ply: usize,
        place: usize,
        ranked: &Ranked<G::Move>,
    ) -> i32 {
        if place > 0 && self.settings.pruning {
            let is_late = self.reducing && place >= LATE && depth >= SHALLOW && ranked.is_quiet();
            if is_late {
                let reduced = depth - 1 - reduction(depth, place).min(depth - 1);
                let value = self.follow(next, me, reduced, alpha, alpha + 1, ply + 1);
                if value <= alpha || self.watch.stopped() {
                    return value;
                }
            }
            if beta > alpha + 1 {
                let value = self.follow(next, me, depth - 1, alpha, alpha + 1, ply + 1);
                if value <= alpha || value >= beta || self.watch.stopped() {
                    return value;
                }
            }
        }
        self.follow(next, me, depth - 1, alpha, beta, ply + 1)
    }

    /// At the horizon: the evaluation, unless a noisy move does better.
    fn quiescence(
        &mut self,
        state: &G::State,
        me: Seat,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        noisy: usize,
    ) -> i32 {
        self.lines[ply].clear();
        if self.watch.tick() {
            return 0;
        }
        let mut best = evaluate_for(self.game, self.eval, state, me);
        if noisy >= NOISY_PLIES || (self.settings.pruning && best >= beta) {
            return best;
        }
        self.scratch.clear();
        self.eval.noisy(self.game, state, me, &mut self.scratch);
        if self.scratch.is_empty() {
            return best;
        }
        alpha = alpha.max(best);
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        for (index, &mv) in self.scratch.iter().enumerate() {
            let rank = self.eval.promise(self.game, state, me, mv);
            list.push(Ranked { rank, index: index as u16, mv });
        }
        let mut next = self.spare_state(state);
        for place in 0..list.len() {
            let ranked = pick(&mut list, place);
            (*next).clone_from(state);
            self.game.play_unchecked(&mut next, me, ranked.mv);
            let value = match self.game.awaits(&next) {
                Awaits::Ended(outcome) => outcome_value(&outcome, me, ply + 1),
                Awaits::Decide(seat) if seat == me => {
                    self.quiescence(&next, me, alpha, beta, ply + 1, noisy + 1)
                }
                Awaits::Decide(seat) => -self.quiescence(&next, seat, -beta, -alpha, ply + 1, noisy + 1),
                Awaits::Roll | Awaits::DecideBoth => evaluate_for(self.game, self.eval, &next, me),
            };
            if self.watch.stopped() {
                break;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if self.settings.pruning && alpha >= beta {
                break;
            }
        }
        self.spare.push(next);
        self.lists[ply] = list;
        best
    }

    /// Fills a list with the legal moves and their ranks.
    fn fill(
        &mut self,
        state: &G::State,
        me: Seat,
        known: Option<u16>,
        ply: usize,
        list: &mut Vec<Ranked<G::Move>>,
    ) {
        self.scratch.clear();
        self.game.legal(state, me, &mut self.scratch);
        list.clear();
        for (index, &mv) in self.scratch.iter().enumerate() {
            if self.eval.is_redundant(self.game, state, me, mv) {
                continue;
            }
            let promise = self.eval.promise(self.game, state, me, mv);
            let index = index as u16;
            let rank = self.memory.rank(ply, me, mv, promise, known == Some(index));
            list.push(Ranked { rank, index, mv });
        }
    }

    /// Memory for a state, used before if possible.
    #[inline]
    fn spare_state(&mut self, like: &G::State) -> Box<G::State> {
        self.spare.pop().unwrap_or_else(|| Box::new(like.clone()))
    }

    fn keep_line(&mut self, ply: usize, mv: G::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    /// The value of a table entry if it settles a search of this depth and window.
    fn usable(&self, entry: Entry, depth: u32, alpha: i32, beta: i32, ply: usize) -> Option<i32> {
        let deep_enough = if self.settings.deeper_entries {
            u32::from(entry.depth) >= depth
        } else {
            u32::from(entry.depth) == depth
        };
        let value = from_table(entry.value, ply);
        let settles = match entry.bound {
            Bound::Exact => true,
            Bound::AtLeast => value >= beta && self.settings.pruning,
            Bound::AtMost => value <= alpha && self.settings.pruning,
        };
        (deep_enough && settles).then_some(value)
    }

    #[allow(clippy::too_many_arguments)]
    fn store(&self, key: u64, value: i32, best: u16, depth: u32, alpha: i32, beta: i32, ply: usize) {
        let Some(table) = self.table else { return };
        let bound = if value >= beta {
            Bound::AtLeast
        } else if value <= alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        table.put(key, Entry { value: to_table(value, ply), bound, depth: depth as u8, best });
    }
}

/// By how much the depth of a late move is reduced: the more, the later it comes and the more there is left.
#[inline]
fn reduction(depth: u32, place: usize) -> u32 {
    1 + depth.ilog2() * place.ilog2() / 4
}

/// In the table wins are counted from the position itself, in the search from the root.
fn to_table(value: i32, ply: usize) -> i32 {
    if value.abs() >= PROVEN { value + value.signum() * ply as i32 } else { value }
}

fn from_table(value: i32, ply: usize) -> i32 {
    if value.abs() >= PROVEN { value - value.signum() * ply as i32 } else { value }
}
