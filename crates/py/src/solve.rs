//! Solving games whole, and asking their tables and books.

use crate::raise;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use visavis_core::registry;
use visavis_core::solve::{self, Census, Job, SolveError, TableError, Value, Verdict};

/// A value as (name, distance).
type PyValue = (&'static str, Option<u16>);
/// A census as (wins, losses, draws, longest distance).
type PyCensus = (u64, u64, u64, u16);

fn value(value: Value) -> PyValue {
    match value {
        Value::Win(distance) => ("win", Some(distance)),
        Value::Loss(distance) => ("loss", Some(distance)),
        Value::Draw => ("draw", None),
    }
}

fn census(census: Census) -> PyCensus {
    (census.wins, census.losses, census.draws, census.longest)
}

/// The Python exception that a failure of a solver stands for.
fn refuse(error: SolveError) -> PyErr {
    match error {
        SolveError::Input(error) => raise(error),
        SolveError::Table { path, error } => refuse_table(&path, &error),
    }
}

/// The exception of `visavis.engine.tables` that a failure with a file stands for.
fn refuse_table(path: &Path, error: &TableError) -> PyErr {
    let name = match error {
        TableError::Io(_) => "UnreadableTable",
        TableError::Foreign => "ForeignTable",
        TableError::Version { .. } => "OldTable",
        TableError::Other => "OtherTable",
        TableError::Unfinished => "UnfinishedTable",
        TableError::Damaged => "DamagedTable",
    };
    Python::attach(|py| {
        let made = py
            .import("visavis.engine.tables")
            .and_then(|errors| errors.getattr(name))
            .and_then(|class| class.call1((path, error.to_string())));
        made.map_or_else(|failed| failed, PyErr::from_value)
    })
}

/// Runs work without the GIL that tells a Python function of its progress, and stops when that raises.
fn watched<T: Send>(
    py: Python<'_>,
    told: &Py<PyAny>,
    work: impl FnOnce(&mut solve::Watch<'_>) -> Result<T, SolveError> + Send,
) -> PyResult<T> {
    let mut failed = None;
    let done = py.detach(|| {
        work(&mut |level, done| {
            if failed.is_none() {
                let call = Python::attach(|py| {
                    py.check_signals()?;
                    told.call1(py, (level, done))
                });
                failed = call.err();
            }
            failed.is_none()
        })
    });
    match failed {
        Some(error) => Err(error),
        None => done.map_err(refuse),
    }
}

/// The solver of a game.
#[pyclass(module = "visavis._core", frozen)]
pub struct Solver {
    inner: &'static dyn solve::Solver,
}

#[pymethods]
impl Solver {
    #[new]
    fn new(slug: &str) -> PyResult<Self> {
        Ok(Solver { inner: registry::solver(slug).map_err(raise)? })
    }

    /// Solves the game, or a smaller variant that options choose, and writes the table. Work broken off, by what
    /// `told` raises, is kept in `unfinished` and resumed from there.
    #[pyo3(signature = (path, unfinished, told, *, options=vec![], threads=2))]
    fn solve(
        &self,
        py: Python<'_>,
        path: PathBuf,
        unfinished: PathBuf,
        told: Py<PyAny>,
        options: Vec<(String, String)>,
        threads: usize,
    ) -> PyResult<()> {
        let job = Job { options, path, unfinished, threads };
        watched(py, &told, |watch| self.inner.solve(&job, watch)).map(|_finished| ())
    }

    /// Opens a finished table.
    fn open(&self, path: PathBuf) -> PyResult<Table> {
        Ok(Table { inner: self.inner.open(&path).map_err(refuse)? })
    }

    /// Opens a book.
    fn open_book(&self, path: PathBuf) -> PyResult<Book> {
        Ok(Book { inner: self.inner.open_book(&path).map_err(refuse)? })
    }
}

/// A table of solved positions, mapped.
#[pyclass(module = "visavis._core", frozen)]
pub struct Table {
    inner: Box<dyn solve::Table>,
}

#[pymethods]
impl Table {
    /// The value of a position, without its history, for the player to move, as (name, distance).
    #[pyo3(signature = (position, convention=None))]
    fn value(&self, position: &str, convention: Option<&str>) -> PyResult<PyValue> {
        self.inner.value(position, convention).map(value).map_err(refuse)
    }

    /// Derives every value anew from forward moves: (census, None) or (None, (position, found, derived)).
    #[pyo3(signature = (told, *, threads=2))]
    #[allow(clippy::type_complexity)]
    fn validate(
        &self,
        py: Python<'_>,
        told: Py<PyAny>,
        threads: usize,
    ) -> PyResult<(Option<PyCensus>, Option<(String, Option<PyValue>, PyValue)>)> {
        Ok(match watched(py, &told, |watch| self.inner.validate(threads, watch))? {
            Verdict::Right(found) => (Some(census(found)), None),
            Verdict::Wrong { position, found, derived } => {
                (None, Some((position, found.map(value), value(derived))))
            }
            Verdict::Stopped => (None, None),
        })
    }

    /// Counts the positions that a game from the start can come to, by value.
    #[pyo3(signature = (told, *, threads=2))]
    fn census(&self, py: Python<'_>, told: Py<PyAny>, threads: usize) -> PyResult<PyCensus> {
        watched(py, &told, |watch| self.inner.census(threads, watch)).map(census)
    }

    /// The bytes of a book of answers for the player who wins from the start; none if there is no such.
    fn book<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let built = py.detach(|| self.inner.book()).map_err(refuse)?;
        Ok(built.map(|bytes| PyBytes::new(py, &bytes)))
    }

    /// The next position from a number on with one winning move, won in plies between two bounds, as
    /// (position, number, plies, moves weighed).
    fn puzzle(
        &self,
        py: Python<'_>,
        start: u32,
        least: u16,
        most: u16,
    ) -> PyResult<Option<(String, u32, u16, u32)>> {
        let found = py.detach(|| self.inner.puzzle(start, least, most)).map_err(refuse)?;
        Ok(found.map(|puzzle| (puzzle.position, puzzle.number, puzzle.plies, puzzle.weighed)))
    }

    /// How many numbers positions have.
    fn numbers(&self) -> u32 {
        self.inner.numbers()
    }
}

/// Answers to everything that the other player may do.
#[pyclass(module = "visavis._core", frozen)]
pub struct Book {
    inner: Box<dyn solve::Book>,
}

#[pymethods]
impl Book {
    fn __len__(&self) -> usize {
        self.inner.answers()
    }

    /// Which of the positions after a move to go to; none if the book has no answer.
    fn choose(&self, position: &str, after: Vec<String>) -> PyResult<Option<usize>> {
        self.inner.choose(position, &after).map_err(raise)
    }

    /// Plays everything against the book: (positions, longest game), or the position where it fails.
    fn prove(&self, py: Python<'_>) -> Result<(u64, u16), PyErr> {
        py.detach(|| self.inner.prove()).map(|proof| (proof.positions, proof.longest)).map_err(|position| {
            PyValueError::new_err(format!("the book has no winning answer at {position}"))
        })
    }
}
