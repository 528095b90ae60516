//! Monte-Carlo tree search over what players know, for games with secrets, blind choices and chance.
//!
//! Every iteration draws a world from the asker's view and plays it down two trees at once, one for each
//! seat. A seat's tree branches by what *that seat* sees: its own moves, the other's moves as they look from
//! across the board, and rolls as they are shown to it. So a seat can't act on what it does not know, nor
//! on a choice that is still secret, though every world is played with open cards. Without secrets the
//! two trees are the same and this is plain tree search with chance sampled on the way.
//!
//! (The method is known as multiple-observer information-set Monte-Carlo tree search: Cowling, Powley and
//! Whitehouse, 2012.)

use super::limits::{Limits, Watch};
use super::{Evaluator, Line, MAX_PLY, Report, expected_score};
use crate::game::{Awaits, Game, Seat};
use crate::playout::playout;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// How a state at the edge of the tree is judged.
pub trait Leaf<G: Game>: Send + Sync {
    /// The expected score of the first player, from 0 to 1.
    fn score(&self, game: &G, state: &mut G::State, rng: &mut fastrand::Rng) -> f64;

    /// How promising each of a seat's moves looks before it is tried: weights of any positive size.
    fn weigh(&self, game: &G, state: &G::State, seat: Seat, moves: &[G::Move], weights: &mut Vec<f32>);
}

/// Random play to the end: no judgement at all. Plain UCT.
pub struct RandomPlay {
    /// Decisions after which a playout counts as a draw.
    pub limit: u32,
}

impl<G: Game> Leaf<G> for RandomPlay {
    fn score(&self, game: &G, state: &mut G::State, rng: &mut fastrand::Rng) -> f64 {
        playout(game, state, rng, self.limit).outcome.map_or(0.5, |outcome| outcome.value(Seat::First))
    }

    fn weigh(&self, _: &G, _: &G::State, _: Seat, moves: &[G::Move], weights: &mut Vec<f32>) {
        weights.resize(moves.len(), 1.0);
    }
}

/// The evaluator's judgement, after a few random decisions if so wished.
pub struct Judged<'a, E> {
    /// The evaluator.
    pub eval: &'a E,
    /// Decisions of random play before the judgement.
    pub plies: u32,
    /// The promise that makes a move about 2.7 times as likely to be looked at first.
    pub temperature: f32,
}

impl<G: Game, E: Evaluator<G>> Leaf<G> for Judged<'_, E> {
    fn score(&self, game: &G, state: &mut G::State, rng: &mut fastrand::Rng) -> f64 {
        if let Some(outcome) = playout(game, state, rng, self.plies).outcome {
            return outcome.value(Seat::First);
        }
        expected_score(self.eval.evaluate(game, state), E::SCALE)
    }

    fn weigh(&self, game: &G, state: &G::State, seat: Seat, moves: &[G::Move], weights: &mut Vec<f32>) {
        let promises =
            moves.iter().map(|&mv| self.eval.promise(game, state, seat, mv) as f32 / self.temperature);
        weights.extend(promises);
        let top = weights.iter().copied().fold(f32::MIN, f32::max);
        weights.iter_mut().for_each(|weight| *weight = (*weight - top).exp());
    }
}

/// Constants of the search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How much moves little tried are favoured.
    pub curiosity: f64,
    /// What a move not yet tried is taken for, below the value of its parent.
    pub reserve: f64,
    /// A node looks at this many arms at first, and at more as it is visited: `first + visits^growth`.
    pub first_arms: usize,
    /// See `first_arms`.
    pub growth: f64,
    /// Plain UCB1: every move is tried once, and no move is favoured for its promise.
    pub plain: bool,
}

impl Settings {
    /// Plain UCT.
    pub const PLAIN: Settings =
        Settings { curiosity: 1.0, reserve: 0.0, first_arms: usize::MAX / 2, growth: 0.0, plain: true };
}

impl Default for Settings {
    fn default() -> Self {
        Settings { curiosity: 1.2, reserve: 0.1, first_arms: 8, growth: 0.6, plain: false }
    }
}

/// The share of blind choices that are made at random, to keep looking at all of them.
const EXPLORED: f64 = 0.1;
/// How many moves are considered where all can't be listed.
const CANDIDATES: usize = 48;
/// Lines are shown as long as they were looked at this often.
const SHOWN_VISITS: u32 = 8;

/// One move of an arm.
#[derive(Clone)]
struct Choice<M> {
    mv: M,
    visits: u32,
    total: f64,
    /// How much better it would have been, summed up (blind choices only).
    regret: f64,
    /// How likely it was to be chosen, summed up (blind choices only).
    chosen: f64,
}

/// A move, or all moves of one blind choice, at a node of the seat that decides.
#[derive(Clone)]
struct Arm<M> {
    group: Option<u64>,
    weight: f64,
    visits: u32,
    total: f64,
    choices: Vec<Choice<M>>,
}

impl<M: Copy> Arm<M> {
    fn new(group: Option<u64>) -> Self {
        Arm { group, weight: 0.0, visits: 0, total: 0.0, choices: Vec::new() }
    }

    fn add(&mut self, mv: M, weight: f64) {
        self.weight += weight;
        self.choices.push(Choice { mv, visits: 0, total: 0.0, regret: 0.0, chosen: 0.0 });
    }

    /// The chance of each choice: by regret so far, and a little of each.
    fn chance(&self, place: usize) -> f64 {
        let count = self.choices.len() as f64;
        let sum: f64 = self.choices.iter().map(|choice| choice.regret.max(0.0)).sum();
        let wanted = if sum > 0.0 { self.choices[place].regret.max(0.0) / sum } else { 1.0 / count };
        (1.0 - EXPLORED) * wanted + EXPLORED / count
    }

    /// Draws one of the choices.
    fn draw(&mut self, rng: &mut fastrand::Rng) -> usize {
        if self.choices.len() == 1 {
            return 0;
        }
        let mut left = rng.f64();
        let chances: Vec<f64> = (0..self.choices.len()).map(|place| self.chance(place)).collect();
        for (choice, chance) in self.choices.iter_mut().zip(&chances) {
            choice.chosen += chance;
        }
        for (place, chance) in chances.iter().enumerate() {
            left -= chance;
            if left < 0.0 {
                return place;
            }
        }
        chances.len() - 1
    }

    fn learn(&mut self, place: usize, score: f64) {
        self.visits += 1;
        self.total += score;
        if self.choices.len() > 1 {
            let chance = self.chance(place);
            for (other, choice) in self.choices.iter_mut().enumerate() {
                choice.regret += if other == place { score / chance - score } else { -score };
            }
        }
        self.choices[place].visits += 1;
        self.choices[place].total += score;
    }
}

/// All that one seat has seen since the root, as one node of its tree.
struct Node<M> {
    visits: u32,
    total: f64,
    arms: Vec<Arm<M>>,
    children: Vec<(u64, u32)>,
}

impl<M> Node<M> {
    const fn new() -> Self {
        Node { visits: 0, total: 0.0, arms: Vec::new(), children: Vec::new() }
    }
}

/// One thread's search.
pub struct Search<'a, G: Game, L: Leaf<G>> {
    game: &'a G,
    leaf: &'a L,
    settings: Settings,
    rng: fastrand::Rng,
    /// Both seats' trees in one store; nodes 0 and 1 are the roots.
    nodes: Vec<Node<G::Move>>,
    /// The seat, node, arm and choice of each decision on the way down.
    path: Vec<(Seat, u32, usize, usize)>,
    moves: Vec<G::Move>,
    weights: Vec<f32>,
    faces: Vec<(u32, u32)>,
}

impl<'a, G: Game, L: Leaf<G>> Search<'a, G, L> {
    /// A search with nothing in its trees.
    pub fn new(game: &'a G, leaf: &'a L, settings: Settings, seed: u64) -> Self {
        Search {
            game,
            leaf,
            settings,
            rng: fastrand::Rng::with_seed(seed),
            nodes: vec![Node::new(), Node::new()],
            path: Vec::new(),
            moves: Vec::new(),
            weights: Vec::new(),
            faces: Vec::new(),
        }
    }

    /// One iteration: a world from the view, down the trees, a judgement, and back.
    pub fn iterate(&mut self, view: &G::View) {
        let mut state = self.game.determinize(view, &mut self.rng);
        let mut at = [0u32, 1u32];
        self.path.clear();
        let score = loop {
            let fresh = match self.game.awaits(&state) {
                Awaits::Ended(outcome) => break outcome.value(Seat::First),
                Awaits::Roll => {
                    self.roll(&mut state, &mut at);
                    false
                }
                Awaits::Decide(seat) => self.decide(&mut state, seat, &mut at),
                Awaits::DecideBoth => {
                    let fresh = self.decide(&mut state, Seat::First, &mut at);
                    self.decide(&mut state, Seat::Second, &mut at) || fresh
                }
            };
            if fresh || self.path.len() >= MAX_PLY {
                break self.leaf.score(self.game, &mut state, &mut self.rng);
            }
        };
        for &(seat, node, arm, choice) in &self.path {
            let node = &mut self.nodes[node as usize];
            let score = if seat == Seat::First { score } else { 1.0 - score };
            node.visits += 1;
            node.total += score;
            node.arms[arm].learn(choice, score);
        }
    }

    fn roll(&mut self, state: &mut G::State, at: &mut [u32; 2]) {
        let face = self.game.random_face(state, &mut self.rng, &mut self.faces);
        for viewer in Seat::BOTH {
            let seen = self.game.observe_face(state, face, viewer);
            at[viewer.index()] = self.child(at[viewer.index()], seen);
        }
        self.game.roll_unchecked(state, face);
    }

    /// Chooses and makes a move of a seat; true if the move was never tried before.
    fn decide(&mut self, state: &mut G::State, seat: Seat, at: &mut [u32; 2]) -> bool {
        let node = at[seat.index()];
        let (arm, choice) = self.choose(state, seat, node);
        let chosen = &self.nodes[node as usize].arms[arm].choices[choice];
        let (mv, fresh) = (chosen.mv, chosen.visits == 0);
        self.path.push((seat, node, arm, choice));
        self.make(state, seat, mv, at);
        fresh
    }

    /// Makes a move and goes to what both seats see of it.
    fn make(&mut self, state: &mut G::State, seat: Seat, mv: G::Move, at: &mut [u32; 2]) {
        for viewer in Seat::BOTH {
            let seen = self.game.observe(state, seat, mv, viewer);
            at[viewer.index()] = self.child(at[viewer.index()], seen);
        }
        self.game.play_unchecked(state, seat, mv);
    }

    /// The arm and choice to try at a node of the deciding seat.
    fn choose(&mut self, state: &G::State, seat: Seat, at: u32) -> (usize, usize) {
        let limited = self.game.is_secretly_limited(state, seat);
        if self.nodes[at as usize].arms.is_empty() || limited {
            self.list_moves(state, seat);
            self.admit(state, seat, at);
        }
        let node = &mut self.nodes[at as usize];
        let open = self.settings.first_arms + f64::from(node.visits).powf(self.settings.growth) as usize;
        let seen = f64::from(node.visits + 1);
        let spread =
            self.settings.curiosity * if self.settings.plain { seen.ln().sqrt() } else { seen.sqrt() };
        let mean = if node.visits == 0 { 0.5 } else { node.total / f64::from(node.visits) };
        let untried = mean - self.settings.reserve;
        let mut best = (f64::MIN, 0);
        let mut looked_at = 0;
        for (place, arm) in node.arms.iter().enumerate() {
            if looked_at >= open {
                break;
            }
            if limited && !arm.choices.iter().all(|choice| self.moves.contains(&choice.mv)) {
                continue;
            }
            looked_at += 1;
            let value = if arm.visits == 0 { untried } else { arm.total / f64::from(arm.visits) };
            let curiosity = match (self.settings.plain, arm.visits) {
                (false, visits) => spread * arm.weight / f64::from(1 + visits),
                (true, 0) => f64::from(u16::MAX) + arm.weight,
                (true, visits) => spread / f64::from(visits).sqrt(),
            };
            if value + curiosity > best.0 {
                best = (value + curiosity, place);
            }
        }
        (best.1, node.arms[best.1].draw(&mut self.rng))
    }

    /// Lists what a seat may do; where that is too much, some of it.
    fn list_moves(&mut self, state: &G::State, seat: Seat) {
        self.moves.clear();
        self.game.legal(state, seat, &mut self.moves);
        if !self.game.is_listable(state) {
            let mut scratch = Vec::new();
            for _ in 0..CANDIDATES {
                self.moves.push(self.game.random_move(state, seat, &mut self.rng, &mut scratch));
            }
        }
    }

    /// Sorts the listed moves into the arms of a node; those it knows already stay as they are.
    fn admit(&mut self, state: &G::State, seat: Seat, at: u32) {
        let game = self.game;
        self.weights.clear();
        self.leaf.weigh(game, state, seat, &self.moves, &mut self.weights);
        let total: f32 = self.weights.iter().sum();
        let arms = &mut self.nodes[at as usize].arms;
        let known = arms.len();
        for (&mv, &weight) in self.moves.iter().zip(&self.weights) {
            let group =
                if game.is_secretly_limited(state, seat) { None } else { game.blind_choice(state, seat, mv) };
            if arms[..known].iter().any(|arm| arm.choices.iter().any(|choice| choice.mv == mv)) {
                continue;
            }
            let place = match group {
                Some(_) => arms.iter().position(|arm| arm.group == group),
                None => None,
            };
            let place = place.unwrap_or_else(|| {
                arms.push(Arm::new(group));
                arms.len() - 1
            });
            arms[place].add(mv, f64::from(weight / total));
        }
        if known == 0 {
            arms.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        }
    }

    /// The node behind what a seat has just seen.
    fn child(&mut self, node: u32, seen: u64) -> u32 {
        let known = self.nodes[node as usize].children.iter().find(|(key, _)| *key == seen);
        if let Some(&(_, child)) = known {
            return child;
        }
        let child = self.nodes.len() as u32;
        self.nodes.push(Node::new());
        self.nodes[node as usize].children.push((seen, child));
        child
    }

    /// The line that follows a first move, as both trees expect it in one world.
    fn line(&mut self, view: &G::View, seat: Seat, first: G::Move) -> Vec<G::Move> {
        let mut state = self.game.determinize(view, &mut self.rng);
        let (mut at, mut line) = ([0, 1], vec![first]);
        self.make(&mut state, seat, first, &mut at);
        while line.len() < 24 {
            match self.game.awaits(&state) {
                Awaits::Decide(seat) => {
                    let node = &self.nodes[at[seat.index()] as usize];
                    let Some(arm) = node.arms.iter().max_by_key(|arm| arm.visits) else { break };
                    let choice = arm.choices.iter().max_by_key(|choice| choice.visits);
                    let Some(choice) = choice.filter(|choice| choice.visits >= SHOWN_VISITS) else { break };
                    let mv = choice.mv;
                    if !self.game.is_legal(&state, seat, mv) {
                        break;
                    }
                    line.push(mv);
                    self.make(&mut state, seat, mv, &mut at);
                }
                Awaits::Roll | Awaits::DecideBoth | Awaits::Ended(_) => break,
            }
        }
        line
    }
}

/// What several threads found about the moves at the root.
fn merge<M: Copy + Eq>(mut all: Vec<Vec<Arm<M>>>) -> Vec<Arm<M>> {
    let mut merged = all.swap_remove(0);
    for arms in all {
        for arm in arms {
            let same = merged.iter_mut().find(|known| known.choices[0].mv == arm.choices[0].mv);
            let Some(known) = same else { continue };
            known.visits += arm.visits;
            known.total += arm.total;
            for (sum, part) in known.choices.iter_mut().zip(&arm.choices) {
                sum.visits += part.visits;
                sum.total += part.total;
                sum.chosen += part.chosen;
            }
        }
    }
    merged.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.total.total_cmp(&a.total)));
    merged
}

/// Draws from a blind choice in the proportion that the search arrived at.
fn draw_mixed<M: Copy>(arm: &Arm<M>, rng: &mut fastrand::Rng) -> usize {
    let count = arm.choices.len() as f64;
    let sum: f64 = arm.choices.iter().map(|choice| choice.chosen).sum();
    // What was chosen only to look at it does not count.
    let share = |choice: &Choice<M>| (choice.chosen - EXPLORED * sum / count).max(0.0);
    let total: f64 = arm.choices.iter().map(share).sum();
    let mut left = rng.f64() * total;
    for (place, choice) in arm.choices.iter().enumerate() {
        left -= share(choice);
        if left < 0.0 {
            return place;
        }
    }
    0
}

/// Thinks about what a seat should do, knowing only its view, on as many threads as the limits say. Threads
/// grow trees of their own, and their results are added up.
pub fn think<G: Game, L: Leaf<G>>(
    game: &G,
    leaf: &L,
    settings: Settings,
    view: &G::View,
    me: Seat,
    limits: &Limits,
    stop: &AtomicBool,
) -> Report<G::Move> {
    let started = Instant::now();
    let threads = limits.threads.max(1);
    let grow = |number: usize| {
        let mut watch = Watch::new(limits, started, stop);
        let seed = limits.seed.wrapping_add((number as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut search = Search::new(game, leaf, settings, seed);
        loop {
            search.iterate(view);
            if watch.tick() || (watch.nodes > 2 && search.is_forced(me)) {
                return (search, watch.nodes);
            }
        }
    };
    let mut searches: Vec<_> = std::thread::scope(|scope| {
        let grow = &grow;
        let helpers: Vec<_> = (1..threads).map(|number| scope.spawn(move || grow(number))).collect();
        let mut all = vec![grow(0)];
        all.extend(helpers.into_iter().map(|helper| helper.join().expect("a search thread does not panic")));
        all
    });
    let nodes = searches.iter().map(|(_, nodes)| nodes).sum();
    let roots = searches.iter().map(|(search, _)| search.nodes[me.index()].arms.clone()).collect();
    let arms = merge(roots);
    let mut rng = fastrand::Rng::with_seed(limits.seed);
    let visits: u32 = arms.iter().map(|arm| arm.visits).sum();
    let lines: Vec<_> = arms
        .iter()
        .take(limits.lines.max(1))
        .map(|arm| {
            let mv = arm.choices[draw_mixed(arm, &mut rng)].mv;
            Line {
                moves: searches[0].0.line(view, me, mv),
                score: arm.total / f64::from(arm.visits.max(1)),
                mate: None,
                share: f64::from(arm.visits) / f64::from(visits.max(1)),
            }
        })
        .collect();
    let depth = lines[0].moves.len() as u32;
    Report { lines, nodes, depth }
}

impl<G: Game, L: Leaf<G>> Search<'_, G, L> {
    /// Whether the seat has but one thing to do.
    fn is_forced(&self, me: Seat) -> bool {
        matches!(&self.nodes[me.index()].arms[..], [arm] if arm.choices.len() == 1)
    }
}
