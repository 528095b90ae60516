//! A whole thought: threads, limits, news on the way, and what is said in the end.

use super::arms::Arm;
use super::{Children, Leaf, Search, Settings};
use crate::game::{Awaits, Game, Seat};
use crate::search::limits::{Limits, Watch};
use crate::search::{Line, Report};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Lines are shown as long as they were looked at this often.
const SHOWN_VISITS: u32 = 8;
/// Lines are shown up to this length.
const SHOWN_MOVES: usize = 24;
/// The least time between two reports.
const NEWS_EVERY: Duration = Duration::from_millis(100);
/// Iterations are long, so the clock is looked at more often than elsewhere.
const LOOK_EVERY: u64 = 4;
/// Trees of so many nodes are gone in a millisecond.
const SMALL: usize = 1_000;

/// What bounds a thought, and who wants to hear of it.
pub struct Order<'a, M> {
    /// The limits.
    pub limits: &'a Limits,
    /// Ends it from outside.
    pub stop: &'a AtomicBool,
    /// Hears of better and better answers.
    pub found: &'a mut (dyn FnMut(&Report<M>) + Send),
}

/// Searchable about what a seat should do, knowing only its view, on as many threads as the limits say. Threads
/// grow trees of their own, and their results are added up.
pub fn think<G: Game, L: Leaf<G>>(
    game: &G,
    leaf: &L,
    settings: Settings,
    view: &G::View,
    me: Seat,
    order: Order<'_, G::Move>,
) -> Report<G::Move> {
    let Order { limits, stop, found } = order;
    let started = Instant::now();
    let threads = limits.threads.max(1);
    let grow = |number: usize, news: &mut dyn FnMut(&mut Search<'_, G, L>, u64)| {
        let mut watch = Watch::new(limits, started, stop).looking_every(LOOK_EVERY);
        let seed = limits.seed.wrapping_add((number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut search = Search::new(game, leaf, settings, view, me, seed);
        loop {
            search.iterate();
            if watch.tick() || search.is_forced() {
                return (search, watch.nodes);
            }
            news(&mut search, watch.nodes);
        }
    };
    let mut told = started;
    let mut tell = |search: &mut Search<'_, G, L>, nodes: u64| {
        if nodes.is_multiple_of(LOOK_EVERY) && told.elapsed() >= NEWS_EVERY {
            let arms = search.root().to_vec();
            found(&search.report(arms, limits, nodes * threads as u64));
            told = Instant::now();
        }
    };
    let mut searches: Vec<_> = std::thread::scope(|scope| {
        let grow = &grow;
        let helper = |number| scope.spawn(move || grow(number, &mut |_, _| ()));
        let helpers: Vec<_> = (1..threads).map(helper).collect();
        let mut all = vec![grow(0, &mut tell)];
        all.extend(helpers.into_iter().map(|helper| helper.join().expect("a search thread does not panic")));
        all
    });
    let nodes = searches.iter().map(|(_, nodes)| nodes).sum();
    let arms = merge(searches.iter().map(|(search, _)| search.root()));
    let report = searches[0].0.report(arms, limits, nodes);
    fell(searches.into_iter().map(|(search, _)| (search.nodes, search.children)).collect());
    report
}

/// Gives the memory of trees back. For large ones that takes longer than a stop may, so it is done on the side.
fn fell<T: Send + 'static>(trees: Vec<(Vec<T>, Children)>) {
    if trees.iter().any(|(nodes, _)| nodes.len() > SMALL) {
        std::thread::spawn(move || drop(trees));
    }
}

/// What several threads found about the moves at the root.
fn merge<'a, M: Copy + Eq + 'a>(mut roots: impl Iterator<Item = &'a [Arm<M>]>) -> Vec<Arm<M>> {
    let mut merged = roots.next().map_or_else(Vec::new, <[_]>::to_vec);
    for arm in roots.flatten() {
        match merged.iter_mut().find(|known| known.mv == arm.mv) {
            Some(known) => known.add(arm),
            None => merged.push(arm.clone()),
        }
    }
    merged
}

impl<G: Game, L: Leaf<G>> Search<'_, G, L> {
    /// What was found about the asker's moves.
    fn root(&self) -> &[Arm<G::Move>] {
        &self.nodes[self.me.index()].arms
    }

    /// Whether the asker has but one thing to do.
    fn is_forced(&self) -> bool {
        let root = &self.nodes[self.me.index()];
        matches!(&root.arms[..], [arm] if arm.choices.is_none()) && root.store.is_empty() && root.left == 0
    }

    /// Says what is known of those arms of the root that were tried, the most looked at first. From a blind choice a
    /// move is drawn.
    fn report(&mut self, mut arms: Vec<Arm<G::Move>>, limits: &Limits, nodes: u64) -> Report<G::Move> {
        arms.retain(|arm| arm.visits > 0);
        arms.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.total.total_cmp(&a.total)));
        let visits: u32 = arms.iter().map(|arm| arm.visits).sum();
        let mut rng = fastrand::Rng::with_seed(limits.seed);
        let lines: Vec<_> = arms
            .iter()
            .take(limits.lines.max(1))
            .map(|arm| Line {
                moves: self.line(arm.at(arm.draw_mixed(&mut rng)).0),
                score: arm.mean(0.0),
                mate: None,
                share: f64::from(arm.visits) / f64::from(visits.max(1)),
            })
            .collect();
        let depth = lines[0].moves.len() as u32;
        Report { lines, nodes, depth }
    }

    /// The line that follows a first move, as both trees expect it in one world.
    fn line(&mut self, first: G::Move) -> Vec<G::Move> {
        let mut rng = fastrand::Rng::with_seed(self.rounds);
        let mut state = self.game.determinize(self.view, &mut rng);
        let (mut at, mut line, mut seat) = ([0, 1], vec![first], self.me);
        let mut mv = first;
        while line.len() < SHOWN_MOVES {
            self.make(&mut state, seat, mv, &mut at);
            let Awaits::Decide(next) = self.game.awaits(&state) else { break };
            let Some(node) = self.nodes.get(at[next.index()] as usize) else { break };
            let Some(arm) = node.arms.iter().max_by_key(|arm| arm.visits) else { break };
            let tried = arm
                .choices
                .as_ref()
                .map_or(arm.visits, |choices| choices.iter().map(|choice| choice.visits).max().unwrap_or(0));
            let place =
                arm.choices.as_ref().and_then(|choices| choices.iter().position(|c| c.visits == tried));
            (mv, seat) = (arm.at(place.unwrap_or(0)).0, next);
            if tried < SHOWN_VISITS || !self.game.is_legal(&state, seat, mv) {
                break;
            }
            line.push(mv);
        }
        line
    }
}
