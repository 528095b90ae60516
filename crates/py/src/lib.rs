//! Thin bindings: `visavis._core`. All meaning is in `visavis-core`; here texts cross the border.

mod engine;
mod solve;

use pyo3::exceptions::{PyLookupError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use visavis_core::error::Error;
use visavis_core::game::{Awaits, Outcome, Seat};
use visavis_core::kernel::{self, Step, Totals};
use visavis_core::registry;

/// The Python exception of `visavis.rules.errors` that an error stands for.
fn raise(error: Error) -> PyErr {
    Python::attach(|py| exception(py, error).map_or_else(|failed| failed, PyErr::from_value))
}

fn exception(py: Python<'_>, error: Error) -> PyResult<Bound<'_, PyAny>> {
    let class = |name| py.import("visavis.rules.errors")?.getattr(name);
    match error {
        Error::NotAMove { text, why } => class("NotAMove")?.call1((text, why)),
        Error::IllegalMove { text, why } => class("IllegalMove")?.call1((text, why)),
        Error::NotAPosition { text, why } => class("NotAPosition")?.call1((text, why)),
        Error::NotAView { text, why } => class("NotAView")?.call1((text, why)),
        Error::NotYourTurn { seat } => class("NotYourTurn")?.call1((seat.to_string(),)),
        Error::TooManyMoves { count } => class("TooManyMoves")?.call1((count,)),
        // `visavis.engine.native` makes its own of these two, which are never to be confused.
        Error::UnknownGame { .. } => Err(PyLookupError::new_err(error.to_string())),
        Error::BadOption { name, why } => Err(PyValueError::new_err((name, why))),
        Error::NotSolvable { .. } => Err(PyValueError::new_err(error.to_string())),
    }
}

fn seat(index: u8) -> PyResult<Seat> {
    match index {
        0 => Ok(Seat::First),
        1 => Ok(Seat::Second),
        _ => Err(PyValueError::new_err("a seat is 0 or 1")),
    }
}

/// An outcome as (winner, reason, scores).
type PyOutcome = (Option<u8>, &'static str, Option<(i32, i32)>);

fn outcome(outcome: Outcome) -> PyOutcome {
    (outcome.winner.map(|seat| seat as u8), outcome.reason, outcome.scores.map(|[a, b]| (a, b)))
}

/// What a position awaits as (seats, rolls, outcome). Seats are wide numbers, since bytes would become `bytes`.
type PyAwaits = (Vec<u32>, bool, Option<PyOutcome>);

fn awaits(awaits: Awaits) -> PyAwaits {
    match awaits {
        Awaits::Decide(seat) => (vec![seat as u32], false, None),
        Awaits::DecideBoth => (vec![0, 1], false, None),
        Awaits::Roll => (vec![], true, None),
        Awaits::Ended(end) => (vec![], false, Some(outcome(end))),
    }
}

fn step<'py>(py: Python<'py>, step: Step) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let [first, second, spectator] = step.views;
    let [legal_first, legal_second] = step.legal;
    dict.set_item("position", step.position)?;
    dict.set_item("views", (first, second, spectator))?;
    dict.set_item("awaits", awaits(step.awaits))?;
    dict.set_item("legal", (legal_first, legal_second))?;
    dict.set_item("faces", step.faces)?;
    dict.set_item("actor", step.actor.map(|seat| seat as u8))?;
    dict.set_item("action", step.action)?;
    Ok(dict)
}

fn totals<'py>(py: Python<'py>, totals: Totals) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let reasons = PyDict::new(py);
    for (reason, count) in totals.reasons {
        reasons.set_item(reason, count)?;
    }
    dict.set_item("games", totals.games)?;
    dict.set_item("plies", totals.plies)?;
    dict.set_item("results", (totals.results[0], totals.results[1], totals.results[2]))?;
    dict.set_item("lengths", totals.lengths)?;
    dict.set_item("reasons", reasons)?;
    dict.set_item("unfinished", totals.unfinished)?;
    Ok(dict)
}

/// The native kernel of a game, spoken to in texts.
#[pyclass(module = "visavis._core", frozen)]
struct Kernel {
    inner: Box<dyn kernel::Kernel>,
}

#[pymethods]
impl Kernel {
    #[new]
    fn new(slug: &str, options: Vec<(String, String)>) -> PyResult<Self> {
        Ok(Kernel { inner: registry::kernel(slug, &options).map_err(raise)? })
    }

    /// The position before anything happened.
    fn start(&self) -> String {
        self.inner.start()
    }

    /// What a position awaits: (seats, rolls, outcome).
    fn awaits(&self, position: &str) -> PyResult<PyAwaits> {
        self.inner.awaits(position).map(awaits).map_err(raise)
    }

    /// The legal moves of a seat.
    fn legal(&self, position: &str, seat_index: u8) -> PyResult<Vec<String>> {
        self.inner.legal(position, seat(seat_index)?).map_err(raise)
    }

    /// The faces of the awaited roll and their weights.
    fn faces(&self, position: &str) -> PyResult<Vec<(String, u32)>> {
        self.inner.faces(position).map_err(raise)
    }

    /// The position after a move.
    fn apply(&self, position: &str, seat_index: u8, r#move: &str) -> PyResult<String> {
        self.inner.apply(position, seat(seat_index)?, r#move).map_err(raise)
    }

    /// The position after a face of a roll.
    fn roll(&self, position: &str, face: &str) -> PyResult<String> {
        self.inner.roll(position, face).map_err(raise)
    }

    /// What a viewer knows.
    fn view(&self, position: &str, viewer: Option<u8>) -> PyResult<String> {
        self.inner.view(position, viewer.map(seat).transpose()?).map_err(raise)
    }

    /// A position that the viewer can't tell from the true one.
    fn determinize(&self, view: &str, seed: u64) -> PyResult<String> {
        self.inner.determinize(view, seed).map_err(raise)
    }

    /// The canonical text of a move, read in any spelling.
    fn reprint_move(&self, r#move: &str) -> PyResult<String> {
        self.inner.reprint_move(r#move).map_err(raise)
    }

    /// A view read and printed again.
    fn reprint_view(&self, view: &str) -> PyResult<String> {
        self.inner.reprint_view(view).map_err(raise)
    }

    /// Leaves at a depth.
    fn perft(&self, py: Python<'_>, position: &str, depth: u32) -> PyResult<u64> {
        py.detach(|| self.inner.perft(position, depth)).map_err(raise)
    }

    /// Leaves at a depth by first move.
    fn divide(&self, py: Python<'_>, position: &str, depth: u32) -> PyResult<Vec<(String, u64)>> {
        py.detach(|| self.inner.divide(position, depth)).map_err(raise)
    }

    /// Plays random games from a position and counts.
    fn playouts<'py>(
        &self,
        py: Python<'py>,
        position: &str,
        games: u64,
        seed: u64,
        limit: u32,
    ) -> PyResult<Bound<'py, PyDict>> {
        let played = py.detach(|| self.inner.playouts(position, games, seed, limit)).map_err(raise)?;
        totals(py, played)
    }

    /// Walks one random game from the start and tells every step.
    fn walk<'py>(&self, py: Python<'py>, seed: u64, limit: u32) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.inner.walk(seed, limit).into_iter().map(|taken| step(py, taken)).collect()
    }
}

/// The native core of Visavis.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::Kernel;
    #[pymodule_export]
    use super::engine::{Engine, Stop};
    #[pymodule_export]
    use super::solve::{Book, Solver, Table};
}
