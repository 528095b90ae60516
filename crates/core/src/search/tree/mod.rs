//! Monte-Carlo tree search over what players know, for games with secrets, blind choices and chance.
//!
//! Every iteration draws a world from the asker's view and plays it down two trees at once, one for each
//! seat. A seat's tree branches by what *that seat* sees: its own moves, the other's moves as they look from
//! across the board, and rolls as they are shown to it. So a seat can't act on what it does not know, nor
//! on a choice that is still secret, though every world is played with open cards. Without secrets the
//! two trees are the same and this is plain tree search with chance sampled on the way.
//!
//! (The method is known as multiple-observer information-set Monte-Carlo tree search: Cowling, Powley and
//! Whitehouse, 2012.) Two things are added to it:
//!
//! * The other player knows its own secrets, which differ from world to world. So its moves are told apart by
//!   what it knows of them ([`Game::secret_of`]): to attack with a hidden fire is another arm than to attack with
//!   the same piece being water.
//! * A choice that the other player has made and not yet shown is taken back and made again in the search
//!   ([`Game::take_back`]), so that the answer is mixed against the best mixture, not against a guess.
//!
//! The asker's own secrets are the same in all its worlds, so the other player is thought to guess them well. (To let it
//! learn only in worlds in which these are drawn anew was tried, and was clearly weaker: caution pays.)

mod arms;
mod leaf;
#[cfg(test)]
mod tests;
mod think;

pub use self::leaf::{Evaluated, Leaf, RandomPlay, Scratch};
pub use self::think::{Order, think};

use self::arms::Arm;
use super::MAX_PLY;
use crate::game::{Awaits, Game, Seat};
use foldhash::fast::FixedState;
use std::collections::HashMap;

/// Constants of the search.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// How much moves little tried are favoured.
    pub curiosity: f64,
    /// What a move not yet tried is taken for, below the value of its parent.
    pub reserve: f64,
    /// Plain UCB1: every move is tried once, and no move is favoured for its promise.
    pub plain: bool,
}

impl Settings {
    /// Plain UCT.
    pub const PLAIN: Settings = Settings { curiosity: 1.0, reserve: 0.0, plain: true };
}

impl Default for Settings {
    fn default() -> Self {
        Settings { curiosity: 1.2, reserve: 0.1, plain: false }
    }
}

/// The share of all weight that is spread evenly, so that no move is never tried.
const SPREAD_EVENLY: f32 = 0.05;
/// How many moves are considered where all can't be listed.
const CANDIDATES: usize = 48;
/// A node keeps this many moves in store to be tried next; the rest is listed again when they are used up.
const IN_STORE: usize = 48;
/// The trees grow no further than this: long thinking refines what is there.
const MOST_NODES: usize = 400_000;

/// The place of a node.
type At = u32;
/// Beyond the edge of a full tree.
const NOWHERE: At = At::MAX;
/// The node of a choice that was taken back.
const SECRET_ROOT: At = 2;

/// All that one seat has seen since the root, as one node of its tree.
struct Node<M> {
    visits: u32,
    total: f64,
    /// What was tried or may be; blind choices come first.
    arms: Vec<Arm<M>>,
    /// How many blind choices there are.
    blind: usize,
    /// Single moves that are not arms yet: those tried next, the most promising last.
    store: Vec<(f32, M)>,
    /// How many more there are.
    left: u32,
    /// Where moves are told apart by secrets: the single moves, and for each of them and each secret its arm.
    moves: Vec<M>,
    slots: Vec<u16>,
}

const NO_ARM: u16 = u16::MAX;

impl<M> Node<M> {
    const fn new() -> Self {
        Node {
            visits: 0,
            total: 0.0,
            arms: Vec::new(),
            blind: 0,
            store: Vec::new(),
            left: 0,
            moves: Vec::new(),
            slots: Vec::new(),
        }
    }

    fn is_listed(&self) -> bool {
        !(self.arms.is_empty() && self.store.is_empty() && self.moves.is_empty())
    }
}

/// The node that follows another when its seat sees something.
type Children = HashMap<(At, u64), At, FixedState>;

/// The moves of blind choices with their weights, by number.
type Groups<M> = Vec<(u64, Vec<(M, f32)>)>;

/// A decision on the way down.
struct Step {
    seat: Seat,
    node: At,
    arm: usize,
    choice: usize,
}

/// One thread's search.
pub struct Search<'a, G: Game, L: Leaf<G>> {
    game: &'a G,
    leaf: &'a L,
    settings: Settings,
    me: Seat,
    view: &'a G::View,
    rounds: u64,
    rng: fastrand::Rng,
    /// All trees in one store; nodes 0 and 1 are the roots of the seats.
    nodes: Vec<Node<G::Move>>,
    children: Children,
    path: Vec<Step>,
    moves: Vec<G::Move>,
    priors: Vec<f32>,
    /// Single moves of a node with their shares, before the best of them are put in store.
    stock: Vec<(f32, G::Move)>,
    scratch: Scratch<G::Move>,
    faces: Vec<(u32, u32)>,
    open: Vec<(u16, f32)>,
}

impl<'a, G: Game, L: Leaf<G>> Search<'a, G, L> {
    /// A search for a seat that knows a view, with nothing in its trees.
    pub fn new(game: &'a G, leaf: &'a L, settings: Settings, view: &'a G::View, me: Seat, seed: u64) -> Self {
        Search {
            game,
            leaf,
            settings,
            me,
            view,
            rounds: 0,
            rng: fastrand::Rng::with_seed(seed),
            nodes: (0..=SECRET_ROOT).map(|_| Node::new()).collect(),
            children: HashMap::default(),
            path: Vec::new(),
            moves: Vec::new(),
            priors: Vec::new(),
            stock: Vec::new(),
            scratch: Scratch::default(),
            faces: Vec::new(),
            open: Vec::new(),
        }
    }

    /// One iteration: a world, down the trees, a evaluation, and back.
    pub fn iterate(&mut self) {
        self.rounds += 1;
        let mut state = self.game.determinize(self.view, &mut self.rng);
        let score = self.descend(&mut state);
        for step in &self.path {
            let node = &mut self.nodes[step.node as usize];
            let score = if step.seat == Seat::First { score } else { 1.0 - score };
            node.visits += 1;
            node.total += score;
            node.arms[step.arm].learn(step.choice, score);
        }
    }

    /// Plays a world down the trees until something new is tried, and says the first player's score.
    fn descend(&mut self, state: &mut G::State) -> f64 {
        let mut at = [0, 1];
        self.path.clear();
        self.choose_again(state);
        loop {
            let fresh = match self.game.awaits(state) {
                Awaits::Ended(outcome) => return outcome.value(Seat::First),
                Awaits::Roll => {
                    self.roll(state, &mut at);
                    false
                }
                Awaits::Decide(seat) => self.decide(state, seat, &mut at),
                Awaits::DecideBoth => {
                    let fresh = self.decide(state, Seat::First, &mut at);
                    self.decide(state, Seat::Second, &mut at) || fresh
                }
            };
            if fresh || self.path.len() >= MAX_PLY {
                return self.leaf.score(self.game, state, &mut self.rng, &mut self.scratch);
            }
        }
    }

    /// Takes back a choice that is still secret and makes it again, as the search has learnt to.
    fn choose_again(&mut self, state: &mut G::State) {
        self.moves.clear();
        let Some(seat) = self.game.take_back(state, &mut self.moves) else { return };
        let arms = &mut self.nodes[SECRET_ROOT as usize].arms;
        if arms.is_empty() {
            let moves: Vec<_> = self.moves.iter().map(|&mv| (mv, 1.0)).collect();
            arms.push(Arm::blind(&moves));
        }
        let choice = arms[0].draw(&mut self.rng);
        let (mv, _) = arms[0].at(choice);
        self.path.push(Step { seat, node: SECRET_ROOT, arm: 0, choice });
        self.game.play_unchecked(state, seat, mv);
    }

    fn roll(&mut self, state: &mut G::State, at: &mut [At; 2]) {
        let face = self.game.random_face(state, &mut self.rng, &mut self.faces);
        for viewer in Seat::BOTH {
            let seen = self.game.observe_face(state, face, viewer);
            at[viewer.index()] = self.child(at[viewer.index()], seen);
        }
        self.game.roll_unchecked(state, face);
    }

    /// Chooses and makes a move of a seat; true if nothing is known of what follows.
    fn decide(&mut self, state: &mut G::State, seat: Seat, at: &mut [At; 2]) -> bool {
        // What the asker knows is the same whenever its root is come to.
        if at[seat.index()] != self.me as At
            && let Some(secret) = self.game.secret_limit(state, seat)
        {
            at[seat.index()] = self.child(at[seat.index()], secret);
        }
        let node = at[seat.index()];
        if node == NOWHERE {
            return true;
        }
        if !self.nodes[node as usize].is_listed() {
            self.list(state, seat, node);
        }
        let arm = if G::SECRETS > 1 {
            self.choose_by_secret(state, seat, node)
        } else {
            self.choose(state, seat, node)
        };
        let chosen = &self.nodes[node as usize].arms[arm];
        let choice = chosen.draw(&mut self.rng);
        let (mv, visits) = chosen.at(choice);
        self.path.push(Step { seat, node, arm, choice });
        if cfg!(test) {
            assert!(self.game.is_legal(state, seat, mv), "worlds that look the same have the same moves");
        }
        if visits == 0 {
            self.game.play_unchecked(state, seat, mv);
        } else {
            self.make(state, seat, mv, at);
        }
        visits == 0
    }

    /// Makes a move and goes to what both seats see of it.
    fn make(&mut self, state: &mut G::State, seat: Seat, mv: G::Move, at: &mut [At; 2]) {
        for viewer in Seat::BOTH {
            let seen = self.game.observe(state, seat, mv, viewer);
            at[viewer.index()] = self.child(at[viewer.index()], seen);
        }
        self.game.play_unchecked(state, seat, mv);
    }

    /// The node behind what a seat has just seen.
    fn child(&mut self, node: At, seen: u64) -> At {
        let next = self.nodes.len();
        if node == NOWHERE {
            return NOWHERE;
        }
        if next >= MOST_NODES {
            return self.children.get(&(node, seen)).copied().unwrap_or(NOWHERE);
        }
        let child = *self.children.entry((node, seen)).or_insert(next as At);
        if child as usize == next {
            self.nodes.push(Node::new());
        }
        child
    }

    /// Lists what a seat may do into the `moves` of the search, with `priors`; where it is too much, some of it.
    fn list_moves(&mut self, state: &G::State, seat: Seat) {
        self.moves.clear();
        self.priors.clear();
        if self.game.is_listable(state) {
            self.game.legal(state, seat, &mut self.moves);
        } else {
            let mut listed = Vec::new();
            for _ in 0..CANDIDATES {
                self.moves.push(self.game.random_move(state, seat, &mut self.rng, &mut listed));
            }
        }
        self.leaf.priors(self.game, state, seat, &self.moves, &mut self.scratch, &mut self.priors);
    }

    /// Turns the priors into shares of one.
    fn share_out(&mut self) {
        let top = self.priors.iter().copied().fold(f32::MIN, f32::max);
        self.priors.iter_mut().for_each(|leaning| *leaning = (*leaning - top).exp());
        let part = (1.0 - SPREAD_EVENLY) / self.priors.iter().sum::<f32>();
        let floor = SPREAD_EVENLY / self.priors.len() as f32;
        self.priors.iter_mut().for_each(|leaning| *leaning = *leaning * part + floor);
    }

    /// Lists what can be done at a node that was never asked.
    fn list(&mut self, state: &G::State, seat: Seat, at: At) {
        self.list_moves(state, seat);
        if G::SECRETS == 1 {
            self.share_out();
        } else {
            self.priors.iter_mut().for_each(|leaning| *leaning = leaning.clamp(-20.0, 20.0).exp());
        }
        let mut groups: Groups<G::Move> = Vec::new();
        self.stock.clear();
        let node = &mut self.nodes[at as usize];
        if G::SECRETS > 1 {
            node.moves.reserve_exact(self.moves.len());
        }
        for (&mv, &weight) in self.moves.iter().zip(&self.priors) {
            match self.game.blind_choice(state, seat, mv) {
                Some(number) => match groups.iter_mut().find(|(known, _)| *known == number) {
                    Some((_, group)) => group.push((mv, weight)),
                    None => groups.push((number, vec![(mv, weight)])),
                },
                None if G::SECRETS > 1 => node.moves.push(mv),
                None => self.stock.push((weight, mv)),
            }
        }
        node.arms.extend(groups.iter().map(|(_, group)| Arm::blind(group)));
        node.blind = groups.len();
        node.slots = vec![NO_ARM; node.moves.len() * G::SECRETS];
        if self.settings.plain {
            self.rng.shuffle(&mut self.stock);
            node.store.extend_from_slice(&self.stock);
        } else {
            self.put_in_store(at);
        }
    }

    /// The arm to try at a node where moves are not told apart by secrets.
    fn choose(&mut self, state: &G::State, seat: Seat, at: At) -> usize {
        if self.nodes[at as usize].store.is_empty() && self.nodes[at as usize].left > 0 {
            self.restock(state, seat, at);
        }
        let node = &mut self.nodes[at as usize];
        let bounty = Bounty::new(&self.settings, node);
        let mut best = (f64::MIN, 0);
        for (place, arm) in node.arms.iter().enumerate() {
            let hope = bounty.of(arm, arm.weight);
            if hope > best.0 {
                best = (hope, place);
            }
        }
        if let Some(&(weight, mv)) = node.store.last() {
            let arm = Arm::new(mv, weight);
            if bounty.of(&arm, weight) > best.0 {
                node.store.pop();
                node.arms.push(arm);
                return node.arms.len() - 1;
            }
        }
        best.1
    }

    /// Fills the store of a node with the moves that are not arms yet.
    fn restock(&mut self, state: &G::State, seat: Seat, at: At) {
        self.list_moves(state, seat);
        self.share_out();
        let node = &self.nodes[at as usize];
        let tried: std::collections::HashSet<G::Move> = node.arms.iter().map(|arm| arm.mv).collect();
        let moves = self.priors.iter().copied().zip(self.moves.iter().copied());
        self.stock.clear();
        self.stock.extend(moves.filter(|(_, mv)| !tried.contains(mv)));
        self.put_in_store(at);
    }

    /// Puts the most promising moves of the stock in the empty store of a node, in order, and counts the rest.
    fn put_in_store(&mut self, at: At) {
        let by_weight = |a: &(f32, G::Move), b: &(f32, G::Move)| b.0.total_cmp(&a.0);
        let left = self.stock.len().saturating_sub(IN_STORE);
        if left > 0 {
            self.stock.select_nth_unstable_by(IN_STORE, by_weight);
            self.stock.truncate(IN_STORE);
        }
        self.stock.sort_by(|a, b| by_weight(b, a));
        let node = &mut self.nodes[at as usize];
        node.store.extend_from_slice(&self.stock);
        node.left = left as u32;
    }

    /// The arm to try at a node where moves are told apart by secrets.
    fn choose_by_secret(&mut self, state: &G::State, seat: Seat, at: At) -> usize {
        let node = &mut self.nodes[at as usize];
        self.open.clear();
        let blind = node.arms[..node.blind].iter().enumerate();
        self.open.extend(blind.map(|(place, arm)| (place as u16, arm.weight)));
        for (place, &mv) in node.moves.iter().enumerate() {
            let slot = &mut node.slots[place * G::SECRETS + self.game.secret_of(state, seat, mv)];
            if *slot == NO_ARM {
                *slot = node.arms.len() as u16;
                self.priors.clear();
                self.leaf.priors(self.game, state, seat, &[mv], &mut self.scratch, &mut self.priors);
                node.arms.push(Arm::new(mv, self.priors[0].clamp(-20.0, 20.0).exp()));
            }
            self.open.push((*slot, node.arms[*slot as usize].weight));
        }
        let part = (1.0 - SPREAD_EVENLY) / self.open.iter().map(|&(_, weight)| weight).sum::<f32>();
        let floor = SPREAD_EVENLY / self.open.len() as f32;
        let bounty = Bounty::new(&self.settings, node);
        let mut best = (f64::MIN, 0);
        for &(place, weight) in &self.open {
            let hope = bounty.of(&node.arms[place as usize], weight * part + floor);
            if hope > best.0 {
                best = (hope, place);
            }
        }
        best.1.into()
    }
}

/// What makes an arm worth trying at a node: its mean, and more the less it was tried.
struct Bounty {
    spread: f64,
    untried: f64,
    plain: bool,
}

impl Bounty {
    fn new<M>(settings: &Settings, node: &Node<M>) -> Self {
        let seen = f64::from(node.visits + 1);
        let mean = if node.visits == 0 { 0.5 } else { node.total / f64::from(node.visits) };
        Bounty {
            spread: settings.curiosity * if settings.plain { seen.ln().sqrt() } else { seen.sqrt() },
            untried: mean - settings.reserve,
            plain: settings.plain,
        }
    }

    #[inline]
    fn of<M: Copy + Eq>(&self, arm: &Arm<M>, weight: f32) -> f64 {
        match (self.plain, arm.visits) {
            (false, visits) => {
                arm.mean(self.untried) + self.spread * f64::from(weight) / f64::from(1 + visits)
            }
            (true, 0) => f64::INFINITY,
            (true, visits) => arm.mean(0.0) + self.spread / f64::from(visits).sqrt(),
        }
    }
}
