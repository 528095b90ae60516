//! Alpha-beta for games in which both players see everything.
//!
//! A compound turn is searched as the sequence of decisions it is: values are asked for a seat, and change
//! sign only where the next decision is the other seat's. Rolls are averaged over their faces.
//!
//! Late moves, and what lies behind rolls, are looked at less deeply ([`Settings::reductions`]). A win that such
//! a search finds is a win all the same, because nothing is cut on suspicion: every answer to it was tried to its
//! end. But a shorter win may have been passed over. So, once a win or a loss is found, the search begins again in
//! full, with table entries of its own, and only what that finds is reported with its length.
//!
//! Several threads search the same tree and help each other through the table alone.

mod node;
mod order;

use super::limits::{Limits, Watch};
use super::negamax::evaluate_for;
use super::table::Table;
use super::{Evaluator, Line, MAX_PLY, PROVEN, Report, WIN, expected_score, proven_plies};
use crate::game::{Game, Seat};
use node::NOISY_PLIES;
use order::{Memory, Ranked};
use std::hash::Hash;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

const INFINITE: i32 = WIN + 1;
/// From here on only noisy moves are searched.
const DEEPEST: usize = MAX_PLY - NOISY_PLIES - 2;
/// Entries of a search in full are kept apart from the others by this.
const FULL_SALT: u64 = 0xA076_1D64_78BD_642F;

/// Parts of the search that tests turn off.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// Cut branches that can't matter.
    pub pruning: bool,
    /// Use values of deeper searches from the table, not just those of the same depth.
    pub deeper_entries: bool,
    /// Look at late moves, and behind rolls, less deeply.
    pub reductions: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Settings { pruning: true, deeper_entries: true, reductions: true }
    }
}

/// One thread's search.
pub struct AlphaBeta<'a, G: Game, E: Evaluator<G>> {
    game: &'a G,
    eval: &'a E,
    table: Option<&'a Table>,
    settings: Settings,
    watch: Watch<'a>,
    /// Whether this search reduces: see [`Settings::reductions`].
    reducing: bool,
    /// What keys are mixed with.
    salt: u64,
    /// Threatened seats get a ply more up to this ply.
    extension_limit: usize,
    memory: Memory<G::Move>,
    /// Lists of moves to reuse, by ply.
    lists: Vec<Vec<Ranked<G::Move>>>,
    /// States to reuse.
    spare: Vec<Box<G::State>>,
    scratch: Vec<G::Move>,
    /// The best line from each ply on.
    lines: Vec<Vec<G::Move>>,
}

/// A root move with the value and line it got in the last search that finished it; before that, with what the
/// position is worth as it stands.
#[derive(Clone)]
struct RootMove<M> {
    mv: M,
    value: i32,
    line: Vec<M>,
}

impl<'a, G: Game, E: Evaluator<G>> AlphaBeta<'a, G, E>
where
    G::Move: Hash,
{
    /// A search of a game with this evaluation and, if any, this table.
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
            reducing: false,
            salt: FULL_SALT,
            extension_limit: 0,
            memory: Memory::new(),
            lists: (0..MAX_PLY).map(|_| Vec::new()).collect(),
            spare: Vec::new(),
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
        let mut roots = self.root_moves(state, me, limits.seed);
        let deepest = limits.depth.unwrap_or(DEEPEST as u32).clamp(1, DEEPEST as u32 - 1);
        let wanted = limits.lines.clamp(1, roots.len());
        self.reducing = self.settings.reductions && wanted == 1;
        let past = self.eval.past(self.game, state);
        self.salt = if self.reducing { past } else { past ^ FULL_SALT };
        let (mut depth, mut next) = (0, first_depth.clamp(1, deepest));
        // A win or loss that was found by a search with reductions, until a search in full has found it too.
        let mut sketch: Option<Report<G::Move>> = None;
        while next <= deepest {
            let before = (wanted > 1 && depth > 0).then(|| roots.clone());
            if self.search_root(state, me, next, wanted, &mut roots) {
                depth = next;
            } else if let Some(before) = before {
                // Values of different depths can't be compared with each other.
                roots = before;
            }
            if self.watch.stopped() {
                break;
            }
            let report = self.report(&roots, wanted, depth);
            if self.reducing && roots[0].value.abs() >= PROVEN {
                found(&report);
                sketch = Some(report);
                (self.reducing, self.salt) = (false, past ^ FULL_SALT);
                (depth, next) = (0, 1);
                continue;
            }
            let settled = report.lines.iter().all(|line| line.mate.is_some());
            if settled || sketch.is_none() {
                found(&report);
            }
            if settled || (roots.len() == 1 && next >= 4) {
                break;
            }
            next += 1;
        }
        let report = self.report(&roots, wanted, depth);
        match sketch {
            Some(sketch) if report.lines[0].mate.is_none() => Report { nodes: report.nodes, ..sketch },
            _ => report,
        }
    }

    /// The root moves, most promising first, those that promise as much in an order drawn from the seed.
    fn root_moves(&mut self, state: &G::State, me: Seat, seed: u64) -> Vec<RootMove<G::Move>> {
        let mut moves = Vec::new();
        self.game.legal(state, me, &mut moves);
        fastrand::Rng::with_seed(seed).shuffle(&mut moves);
        let mut order: Vec<_> =
            moves.into_iter().map(|mv| (self.eval.promise(self.game, state, me, mv), mv)).collect();
        order.sort_by_key(|&(promise, _)| -promise);
        let value = evaluate_for(self.game, self.eval, state, me);
        order.into_iter().map(|(_, mv)| RootMove { mv, value, line: vec![mv] }).collect()
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
        self.extension_limit = 2 * depth as usize;
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
        // Stopped half-way: what was searched is comparable only with itself, and comes first, unless it loses.
        roots[..done].sort_by_key(|root| -root.value);
        if roots[0].value <= -PROVEN {
            roots.rotate_left(done);
        }
        complete
    }

    fn report(&self, roots: &[RootMove<G::Move>], wanted: usize, depth: u32) -> Report<G::Move> {
        let line = |root: &RootMove<G::Move>| Line {
            moves: root.line.clone(),
            score: expected_score(root.value.max(-WIN), E::SCALE),
            mate: if self.reducing { None } else { mate(root.value, depth) },
            share: 0.0,
        };
        Report { lines: roots[..wanted].iter().map(line).collect(), nodes: self.watch.nodes, depth }
    }
}

/// The plies to a proven end, if it is also the quickest: all quicker ones lie within the depth searched in
/// full. (A deeper entry of the table may show a win before the search has looked for shorter ones.)
fn mate(value: i32, depth: u32) -> Option<i32> {
    proven_plies(value.clamp(-WIN, WIN)).filter(|plies| plies.unsigned_abs() <= depth + 1)
}

/// Searchable about a state in which `me` decides, on as many threads as the limits say.
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
    table.begin();
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
