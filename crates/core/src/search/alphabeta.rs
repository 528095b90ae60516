//! Alpha-beta for games in which both players see everything.
//!
//! A compound turn is searched as the sequence of decisions it is: values are asked for a seat, and change
//! sign only where the next decision is the other seat's. Rolls are averaged over their faces. Nothing
//! is reduced or pruned on suspicion, so a win that the search reports is a win, and the shortest one.
//!
//! Several threads search the same tree and help each other through the table alone.

use super::limits::{Limits, Watch};
use super::negamax::{average, judge};
use super::table::{Bound, Entry, Table};
use super::{Evaluator, Line, MAX_PLY, PROVEN, Report, WIN, expected_score, outcome_value, proven_plies};
use crate::game::{Awaits, Game, Seat};
use std::hash::{BuildHasher, Hash};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

const INFINITE: i32 = WIN + 1;
/// How many loud moves in a row are followed at the horizon.
const LOUD_PLIES: usize = 8;
const HISTORY_SIZE: usize = 1 << 12;
/// Promises beyond this are tried before killers.
const CLEARLY_GOOD: i32 = 0;

/// Parts of the search that tests turn off.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Cut branches that can't matter.
    pub pruning: bool,
    /// Use values of deeper searches from the table, not just those of the same depth.
    pub deeper_entries: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { pruning: true, deeper_entries: true }
    }
}

/// One thread's search.
pub struct AlphaBeta<'a, G: Game, E: Evaluator<G>> {
    game: &'a G,
    eval: &'a E,
    table: Option<&'a Table>,
    settings: Settings,
    watch: Watch<'a>,
    killers: Vec<[Option<G::Move>; 2]>,
    history: Vec<i32>,
    hasher: foldhash::quality::FixedState,
    /// Lists of moves to reuse, by ply.
    lists: Vec<Vec<(i32, u16, G::Move)>>,
    scratch: Vec<G::Move>,
    /// The best line from each ply on.
    lines: Vec<Vec<G::Move>>,
}

/// A root move with the value and line it got in the last search that finished it.
struct RootMove<M> {
    mv: M,
    value: i32,
    line: Vec<M>,
}

impl<'a, G: Game, E: Evaluator<G>> AlphaBeta<'a, G, E>
where
    G::Move: Hash,
{
    /// A search of a game with this judgement and, if any, this table.
    pub fn new(
        game: &'a G,
        eval: &'a E,
        table: Option<&'a Table>,
        settings: Settings,
        watch: Watch<'a>,
    ) -> Self {
        AlphaBeta {
            game,
            eval,
            table,
            settings,
            watch,
            killers: vec![[None; 2]; MAX_PLY],
            history: vec![0; HISTORY_SIZE],
            hasher: foldhash::quality::FixedState::default(),
            lists: vec![Vec::new(); MAX_PLY],
            scratch: Vec::new(),
            lines: vec![Vec::new(); MAX_PLY],
        }
    }

    /// The value of a state to the seat that decides in it, by a full search of `depth` plies.
    pub fn value(&mut self, state: &G::State, me: Seat, depth: u32) -> i32 {
        self.follow(state, me, depth, -INFINITE, INFINITE, 0)
    }

    /// Searches deeper and deeper and tells `found` after each depth; returns the last report.
    pub fn deepen(
        &mut self,
        state: &G::State,
        me: Seat,
        limits: &Limits,
        first_depth: u32,
        mut found: impl FnMut(&Report<G::Move>),
    ) -> Report<G::Move> {
        let mut roots = self.root_moves(state, me);
        let deepest = limits.depth.unwrap_or(MAX_PLY as u32 - LOUD_PLIES as u32 - 1).min(100);
        let wanted = limits.lines.clamp(1, roots.len());
        let mut depth = 0;
        for next in first_depth.max(1)..=deepest {
            let complete = self.search_root(state, me, next, wanted, &mut roots);
            if complete {
                depth = next;
            }
            if self.watch.stopped() {
                break;
            }
            found(&self.report(&roots, wanted, depth));
            let settled = roots[..wanted].iter().all(|root| mate(root.value, depth).is_some());
            if settled || (roots.len() == 1 && wanted == 1 && next >= 4) {
                break;
            }
        }
        self.report(&roots, wanted, depth)
    }

    fn root_moves(&mut self, state: &G::State, me: Seat) -> Vec<RootMove<G::Move>> {
        let mut moves = Vec::new();
        self.game.legal(state, me, &mut moves);
        let mut order: Vec<_> =
            moves.into_iter().map(|mv| (self.eval.promise(self.game, state, me, mv), mv)).collect();
        order.sort_by_key(|&(promise, _)| -promise);
        order.into_iter().map(|(_, mv)| RootMove { mv, value: -INFINITE, line: vec![mv] }).collect()
    }

    /// Searches the root moves to a depth and sorts them; false if it was stopped on the way (what was
    /// finished is kept if it is the better).
    fn search_root(
        &mut self,
        state: &G::State,
        me: Seat,
        depth: u32,
        wanted: usize,
        roots: &mut [RootMove<G::Move>],
    ) -> bool {
        let mut best: Vec<i32> = Vec::with_capacity(wanted);
        let mut done = 0;
        for root in roots.iter_mut() {
            let mut next = state.clone();
            let mv = root.mv;
            self.game.play_unchecked(&mut next, me, mv);
            let floor =
                if best.len() < wanted || !self.settings.pruning { -INFINITE } else { best[wanted - 1] };
            let value = if floor > -INFINITE {
                let probe = self.follow(&next, me, depth - 1, floor, floor + 1, 1);
                if probe > floor { self.follow(&next, me, depth - 1, floor, INFINITE, 1) } else { probe }
            } else {
                self.follow(&next, me, depth - 1, floor, INFINITE, 1)
            };
            if self.watch.stopped() {
                break;
            }
            done += 1;
            root.value = if value > floor { value } else { value.min(floor) - 1 };
            if value > floor || floor == -INFINITE {
                root.line.clear();
                root.line.push(mv);
                root.line.extend_from_slice(&self.lines[1]);
                best.insert(best.partition_point(|&other| other >= value), value);
                best.truncate(wanted);
            }
        }
        let complete = done == roots.len();
        // Stopped half-way: what was searched is comparable only with itself, and comes first.
        roots[..done].sort_by_key(|root| -root.value);
        complete
    }

    fn report(&self, roots: &[RootMove<G::Move>], wanted: usize, depth: u32) -> Report<G::Move> {
        let line = |root: &RootMove<G::Move>| Line {
            moves: root.line.clone(),
            score: expected_score(root.value.max(-WIN), E::SCALE),
            mate: mate(root.value, depth),
            share: 0.0,
        };
        Report { lines: roots[..wanted].iter().map(line).collect(), nodes: self.watch.nodes, depth }
    }

    /// The value of a state to `me`, whatever it awaits. The window is `me`'s.
    fn follow(&mut self, state: &G::State, me: Seat, depth: u32, alpha: i32, beta: i32, ply: usize) -> i32 {
        match self.game.awaits(state) {
            Awaits::Ended(outcome) => {
                self.watch.tick();
                self.lines[ply].clear();
                outcome_value(&outcome, me, ply)
            }
            Awaits::Roll => {
                let game = self.game;
                let value =
                    average(game, state, |next| self.follow(next, me, depth, -INFINITE, INFINITE, ply));
                self.lines[ply].clear();
                value
            }
            Awaits::DecideBoth => {
                self.lines[ply].clear();
                judge(self.game, self.eval, state, me)
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
        depth: u32,
        mut alpha: i32,
        beta: i32,
        ply: usize,
    ) -> i32 {
        self.lines[ply].clear();
        if depth == 0 || ply >= MAX_PLY - LOUD_PLIES - 2 {
            return self.quieten(state, me, alpha, beta, ply, 0);
        }
        if self.watch.tick() {
            return 0;
        }
        let key = self.game.key(state);
        let known = self.table.and_then(|table| table.get(key));
        if let Some(value) = known.and_then(|entry| self.usable(entry, depth, alpha, beta, ply)) {
            return value;
        }
        let mut list = std::mem::take(&mut self.lists[ply]);
        self.order(state, me, known.map(|entry| entry.best), ply, &mut list);
        let (mut best, mut best_index, floor) = (-INFINITE, 0, alpha);
        for (place, &(_, index, mv)) in list.iter().enumerate() {
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, me, mv);
            let narrow = place > 0 && self.settings.pruning && beta > alpha + 1;
            let mut value = if narrow {
                self.follow(&next, me, depth - 1, alpha, alpha + 1, ply + 1)
            } else {
                self.follow(&next, me, depth - 1, alpha, beta, ply + 1)
            };
            if narrow && value > alpha && value < beta {
                value = self.follow(&next, me, depth - 1, alpha, beta, ply + 1);
            }
            if self.watch.stopped() {
                best = best.max(value);
                break;
            }
            if value > best {
                best = value;
                best_index = index;
                self.keep_line(ply, mv);
            }
            if self.settings.pruning {
                alpha = alpha.max(value);
                if alpha >= beta {
                    self.remember_cut(ply, depth, me, mv);
                    break;
                }
            }
        }
        self.lists[ply] = list;
        if !self.watch.stopped() {
            self.store(key, best, best_index, depth, floor, beta, ply);
        }
        best
    }

    /// At the horizon: the judgement, unless a loud move does better.
    fn quieten(
        &mut self,
        state: &G::State,
        me: Seat,
        mut alpha: i32,
        beta: i32,
        ply: usize,
        loud: usize,
    ) -> i32 {
        self.lines[ply].clear();
        if self.watch.tick() {
            return 0;
        }
        let mut best = judge(self.game, self.eval, state, me);
        if loud >= LOUD_PLIES || (self.settings.pruning && best >= beta) {
            return best;
        }
        alpha = alpha.max(best);
        let mut list = std::mem::take(&mut self.lists[ply]);
        list.clear();
        self.scratch.clear();
        self.game.legal(state, me, &mut self.scratch);
        for &mv in &self.scratch {
            if self.eval.is_loud(self.game, state, me, mv) {
                list.push((self.eval.promise(self.game, state, me, mv), 0, mv));
            }
        }
        list.sort_by_key(|&(promise, _, _)| -promise);
        for &(_, _, mv) in &list {
            let mut next = state.clone();
            self.game.play_unchecked(&mut next, me, mv);
            let value = match self.game.awaits(&next) {
                Awaits::Ended(outcome) => outcome_value(&outcome, me, ply + 1),
                Awaits::Decide(seat) if seat == me => self.quieten(&next, me, alpha, beta, ply + 1, loud + 1),
                Awaits::Decide(seat) => -self.quieten(&next, seat, -beta, -alpha, ply + 1, loud + 1),
                Awaits::Roll | Awaits::DecideBoth => judge(self.game, self.eval, &next, me),
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
        self.lists[ply] = list;
        best
    }

    /// Fills a list with the legal moves (and their places in the legal order), most promising first.
    fn order(
        &mut self,
        state: &G::State,
        me: Seat,
        known: Option<u16>,
        ply: usize,
        list: &mut Vec<(i32, u16, G::Move)>,
    ) {
        self.scratch.clear();
        self.game.legal(state, me, &mut self.scratch);
        list.clear();
        for (index, &mv) in self.scratch.iter().enumerate() {
            let promise = self.eval.promise(self.game, state, me, mv);
            let rank = if known == Some(index as u16) {
                i32::MAX
            } else if promise > CLEARLY_GOOD {
                (1 << 28) + promise
            } else if self.killers[ply].contains(&Some(mv)) {
                1 << 27
            } else {
                promise.max(-(1 << 20)) * 16 + self.history[self.slot(me, mv)]
            };
            list.push((rank, index as u16, mv));
        }
        list.sort_unstable_by_key(|&(rank, index, _)| (std::cmp::Reverse(rank), index));
    }

    fn slot(&self, seat: Seat, mv: G::Move) -> usize {
        self.hasher.hash_one((seat.index(), mv)) as usize & (HISTORY_SIZE - 1)
    }

    fn keep_line(&mut self, ply: usize, mv: G::Move) {
        let (head, tail) = self.lines.split_at_mut(ply + 1);
        head[ply].clear();
        head[ply].push(mv);
        head[ply].extend_from_slice(&tail[0]);
    }

    fn remember_cut(&mut self, ply: usize, depth: u32, me: Seat, mv: G::Move) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = *first;
            *first = Some(mv);
        }
        let slot = self.slot(me, mv);
        self.history[slot] += (depth * depth) as i32;
        if self.history[slot] > 1 << 24 {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
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

/// The plies to a proven end, if it is also the quickest: all quicker ones lie within the depth searched in
/// full. (A deeper entry of the table may show a win before the search has looked for shorter ones.)
fn mate(value: i32, depth: u32) -> Option<i32> {
    proven_plies(value.clamp(-WIN, WIN)).filter(|plies| plies.unsigned_abs() <= depth + 1)
}

/// In the table wins are counted from the position itself, in the search from the root.
fn to_table(value: i32, ply: usize) -> i32 {
    if value.abs() >= PROVEN { value + value.signum() * ply as i32 } else { value }
}

fn from_table(value: i32, ply: usize) -> i32 {
    if value.abs() >= PROVEN { value - value.signum() * ply as i32 } else { value }
}

/// Thinks about a state in which `me` decides, on as many threads as the limits say.
#[allow(clippy::too_many_arguments)]
pub fn think<G: Game, E: Evaluator<G>>(
    game: &G,
    eval: &E,
    table: &Table,
    state: &G::State,
    me: Seat,
    limits: &Limits,
    stop: &AtomicBool,
    found: &mut (dyn FnMut(&Report<G::Move>) + Send),
) -> Report<G::Move>
where
    G::Move: Hash,
{
    let started = Instant::now();
    let helpers_stop = AtomicBool::new(false);
    let start = |stop| {
        let watch = Watch::new(limits, started, stop);
        AlphaBeta::new(game, eval, Some(table), Settings::default(), watch)
    };
    std::thread::scope(|scope| {
        let helpers: Vec<_> = (1..limits.threads)
            .map(|number| {
                let (start, helpers_stop) = (&start, &helpers_stop);
                let first_depth = 1 + number as u32 % 2;
                scope.spawn(move || start(helpers_stop).deepen(state, me, limits, first_depth, |_| ()).nodes)
            })
            .collect();
        let mut report = start(stop).deepen(state, me, limits, 1, found);
        helpers_stop.store(true, Ordering::Relaxed);
        for helper in helpers {
            report.nodes += helper.join().expect("a search thread does not panic");
        }
        report
    })
}
