//! Computer players.

use crate::{raise, seat};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use visavis_core::registry;
use visavis_core::search::engine::{self, LEVELS, Style, TextReport};
use visavis_core::search::limits::Limits;
use visavis_core::spelling::whole;

/// A flag that stops a search from another thread.
#[pyclass(module = "visavis._core", frozen)]
pub struct Stop {
    flag: Arc<AtomicBool>,
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Stop { flag: Arc::new(AtomicBool::new(false)) }
    }

    /// Stops the searches that were given this flag, now or as soon as they start.
    fn set(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether it was set.
    fn is_set(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
    }
}

/// A line as (moves, score, mate, share).
type PyLine = (Vec<String>, f64, Option<i32>, f64);
/// A report as (lines, nodes, depth).
type PyReport = (Vec<PyLine>, u64, u32);

fn report(report: &TextReport) -> PyReport {
    let lines =
        report.lines.iter().map(|line| (line.moves.clone(), line.score, line.mate, line.share)).collect();
    (lines, report.nodes, report.depth)
}

/// The style of this name: `full`, `mcts`, or a level, `1` to `8`.
fn style(name: &str) -> PyResult<Style> {
    match name {
        "full" => Ok(Style::Full),
        "mcts" => Ok(Style::Mcts),
        _ => match whole(name) {
            Some(level) if (1..=LEVELS).contains(&level) => Ok(Style::Level(level)),
            _ => Err(PyValueError::new_err(format!("a style is full, mcts or a level from 1 to {LEVELS}"))),
        },
    }
}

/// The computer player of a game.
#[pyclass(module = "visavis._core", frozen)]
pub struct Engine {
    inner: Box<dyn engine::Engine>,
}

#[pymethods]
impl Engine {
    #[new]
    fn new(slug: &str, options: Vec<(String, String)>, table_mib: usize) -> PyResult<Self> {
        Ok(Engine { inner: registry::engine(slug, &options, table_mib).map_err(raise)? })
    }

    /// Thinks about what a seat should do that knows this view.
    #[pyo3(signature = (view, seat_index, style_name, stop, *, nodes=None, millis=None, depth=None, lines=1, threads=1, seed=0, found=None))]
    #[allow(clippy::too_many_arguments)]
    fn think(
        &self,
        py: Python<'_>,
        view: &str,
        seat_index: u8,
        style_name: &str,
        stop: &Stop,
        nodes: Option<u64>,
        millis: Option<u64>,
        depth: Option<u32>,
        lines: usize,
        threads: usize,
        seed: u64,
        found: Option<Py<PyAny>>,
    ) -> PyResult<PyReport> {
        let limits = Limits { nodes, time: millis.map(Duration::from_millis), depth, lines, threads, seed };
        let (seat, style) = (seat(seat_index)?, style(style_name)?);
        let flag = &stop.flag;
        let mut failed = None;
        let thought = py.detach(|| {
            let mut tell = |news: &TextReport| {
                let Some(found) = &found else { return };
                if let Err(error) = Python::attach(|py| found.call1(py, (report(news),))) {
                    failed.get_or_insert(error);
                    flag.store(true, Ordering::Relaxed);
                }
            };
            self.inner.think(view, seat, style, &limits, flag, &mut tell)
        });
        match failed {
            Some(error) => Err(error),
            None => thought.map(|thought| report(&thought)).map_err(raise),
        }
    }

    /// Forgets all positions seen.
    fn forget(&self, py: Python<'_>) {
        py.detach(|| self.inner.forget());
    }
}
