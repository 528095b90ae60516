//! Computer players behind texts: one object-safe face for all games.

use super::alphabeta;
use super::limits::Limits;
use super::table::Table;
use super::tree::{self, Evaluated, RandomPlay};
use super::{Evaluator, Line, Report};
use crate::error::Error;
use crate::game::{Game, Seat};
use std::sync::atomic::AtomicBool;

/// How a game is searched.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// Alpha-beta: for games in which both see everything.
    AlphaBeta,
    /// Tree search over what players know.
    Tree {
        /// Constants of the search.
        settings: tree::Settings,
        /// The promise that makes a move about 2.7 times as likely to be looked at first.
        temperature: f32,
    },
}

/// How strong a level plays.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// Positions looked at for a move.
    pub nodes: u64,
    /// Plies looked ahead at most.
    pub depth: Option<u32>,
    /// How much expected score a mistake costs that is still likely; 0 plays the best move found.
    pub slack: f64,
}

impl Level {
    /// A level that looks at so many positions, no more than so many plies ahead, and errs with this slack.
    #[must_use]
    pub const fn new(nodes: u64, depth: Option<u32>, slack: f64) -> Self {
        Level { nodes, depth, slack }
    }
}

/// The number of levels.
pub const LEVELS: usize = 8;

/// A game with a computer player: its evaluation, its method and its levels.
pub trait Searchable: Game {
    /// The evaluation of positions.
    type Eval: Evaluator<Self>;

    /// The evaluator for this game under its options.
    fn evaluator(&self) -> Self::Eval;

    /// How it is searched.
    fn method(&self) -> Method {
        Method::AlphaBeta
    }

    /// The levels from a child's first opponent to the strongest that needs no clock.
    fn levels(&self) -> [Level; LEVELS];
}

/// What to think with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// All there is, within the limits.
    Full,
    /// A level, 1 to 8: its own limits count beside the given ones.
    Level(usize),
    /// Plain UCT with random playouts.
    Mcts,
}

/// A report in texts.
pub type TextReport = Report<String>;

/// A computer player that is spoken to in texts.
pub trait Engine: Send + Sync {
    /// Searchable about what a seat should do that knows this view. `found` hears of better and better answers.
    fn think(
        &self,
        view: &str,
        seat: Seat,
        style: Style,
        limits: &Limits,
        stop: &AtomicBool,
        found: &mut (dyn FnMut(&TextReport) + Send),
    ) -> Result<TextReport, Error>;

    /// Forgets all positions seen.
    fn forget(&self);
}

/// The computer player of a game.
pub struct Player<G: Searchable> {
    game: G,
    eval: G::Eval,
    table: Table,
}

/// A playout that has gone on for so long counts as a draw.
const PLAYOUT_LIMIT: u32 = 2_000;
/// How many of the best moves a level with slack chooses from.
const CHOICES: usize = 12;

impl<G: Searchable> Player<G> {
    /// A player with a table of so many mebibytes.
    pub fn new(game: G, table: usize) -> Self {
        Player { eval: game.evaluator(), game, table: Table::new(table) }
    }

    fn texts(&self, report: &Report<G::Move>) -> TextReport {
        let line = |line: &Line<G::Move>| Line {
            moves: line.moves.iter().map(|&mv| self.game.format_move(mv)).collect(),
            score: line.score,
            mate: line.mate,
            share: line.share,
        };
        Report { lines: report.lines.iter().map(line).collect(), nodes: report.nodes, depth: report.depth }
    }

    fn search(
        &self,
        view: &G::View,
        seat: Seat,
        style: Style,
        limits: &Limits,
        stop: &AtomicBool,
        found: &mut (dyn FnMut(&Report<G::Move>) + Send),
    ) -> Report<G::Move> {
        if style == Style::Mcts {
            let leaf = RandomPlay { limit: PLAYOUT_LIMIT };
            let order = tree::Order { limits, stop, found };
            return tree::think(&self.game, &leaf, tree::Settings::PLAIN, view, seat, order);
        }
        match self.game.method() {
            Method::AlphaBeta => {
                let mut rng = fastrand::Rng::with_seed(limits.seed);
                let state = self.game.determinize(view, &mut rng);
                // With a limit of nodes the answer must not depend on what earlier searches left in the table.
                let own = limits.nodes.map(Table::for_nodes);
                let table = own.as_ref().unwrap_or(&self.table);
                alphabeta::think(&self.game, &self.eval, table, &state, seat, limits, stop, found)
            }
            Method::Tree { settings, temperature } => {
                let leaf = Evaluated { eval: &self.eval, temperature };
                let order = tree::Order { limits, stop, found };
                tree::think(&self.game, &leaf, settings, view, seat, order)
            }
        }
    }
}

impl<G: Searchable> Engine for Player<G> {
    fn think(
        &self,
        view: &str,
        seat: Seat,
        style: Style,
        limits: &Limits,
        stop: &AtomicBool,
        found: &mut (dyn FnMut(&TextReport) + Send),
    ) -> Result<TextReport, Error> {
        let view = self.game.parse_view(view)?;
        let state = self.game.determinize(&view, &mut fastrand::Rng::with_seed(limits.seed));
        if !self.game.awaits(&state).includes(seat) {
            return Err(Error::NotYourTurn { seat });
        }
        let mut limits = limits.clone();
        let mut slack = 0.0;
        if let Style::Level(level) = style {
            let level = self.game.levels()[level.clamp(1, LEVELS) - 1];
            limits.nodes = Some(limits.nodes.map_or(level.nodes, |nodes| nodes.min(level.nodes)));
            limits.depth = limits.depth.or(level.depth);
            slack = level.slack;
            if slack > 0.0 {
                limits.lines = limits.lines.max(CHOICES);
            }
        }
        let mut tell = |report: &Report<G::Move>| found(&self.texts(report));
        let mut report = self.search(&view, seat, style, &limits, stop, &mut tell);
        if slack > 0.0 {
            let chosen = choose(&report.lines, slack, &mut fastrand::Rng::with_seed(!limits.seed));
            report.lines.swap(0, chosen);
        }
        Ok(self.texts(&report))
    }

    fn forget(&self) {
        self.table.clear();
    }
}

/// Draws a line: the more it gives away, the less likely; and the less a tree search looked at it, for then its
/// score says little. The weaker the player, the less it knows how much a move deserves a look.
fn choose<M>(lines: &[Line<M>], slack: f64, rng: &mut fastrand::Rng) -> usize {
    let best = lines.iter().map(|line| line.score).fold(f64::MIN, f64::max);
    let insight = 1.0 / (1.0 + 10.0 * slack);
    let looked_at = |line: &Line<M>| if line.share > 0.0 { line.share.powf(insight) } else { 1.0 };
    let weight = |line: &Line<M>| looked_at(line) * ((line.score - best) / slack).exp();
    let weights: Vec<f64> = lines.iter().map(weight).collect();
    let mut left = rng.f64() * weights.iter().sum::<f64>();
    for (place, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return place;
        }
    }
    0
}
