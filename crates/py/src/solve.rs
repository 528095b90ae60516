//! Solving a game whole, and asking the table.

use crate::raise;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use visavis_core::solve::file::TableError;
use visavis_core::solve::generate::{Generation, Wish};
use visavis_core::solve::line::Book;
use visavis_core::solve::oracle;
use visavis_core::solve::position::Position;
use visavis_core::solve::validate::{Census, Verdict, validate};
use visavis_core::solve::value::Value;
use visavis_core::solve::{Convention, Pieces, puzzle, reach};

/// How often unfinished work is kept.
const KEEP_EVERY: Duration = Duration::from_secs(30);

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

/// The Python exception that a failure with a table stands for.
fn refuse(path: &Path, error: &TableError) -> PyErr {
    let name = match error {
        TableError::Io(_) => "UnreadableTable",
        TableError::Foreign => "ForeignTable",
        TableError::Version(_) => "OldTable",
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

/// Tells a Python function of progress and keeps what it raises.
struct Watch {
    told: Py<PyAny>,
    failed: Option<PyErr>,
}

impl Watch {
    fn new(told: Py<PyAny>) -> Watch {
        Watch { told, failed: None }
    }

    /// Whether to go on.
    fn tell(&mut self, level: u16, done: u64) -> bool {
        if self.failed.is_none() {
            let told = Python::attach(|py| {
                py.check_signals()?;
                self.told.call1(py, (level, done))
            });
            self.failed = told.err();
        }
        self.failed.is_none()
    }

    fn finish<T>(self, result: T) -> PyResult<T> {
        self.failed.map_or(Ok(result), Err)
    }
}

/// Solves Osakana, or a smaller game with fewer pieces, and writes the table. Work broken off, by what `told`
/// raises, is kept in `unfinished` and taken up from there.
#[pyfunction]
#[pyo3(signature = (path, unfinished, told, *, pieces=[2, 2, 2], dobutsu=false, threads=2))]
pub fn solve_osakana(
    py: Python<'_>,
    path: PathBuf,
    unfinished: PathBuf,
    told: Py<PyAny>,
    pieces: [u8; 3],
    dobutsu: bool,
    threads: usize,
) -> PyResult<()> {
    let pieces = Pieces(pieces);
    if !Pieces::ALL.hold(pieces) {
        return Err(pyo3::exceptions::PyValueError::new_err("there are at most two pieces of a kind"));
    }
    let convention = if dobutsu { Convention::Dobutsu } else { Convention::Osakana };
    let mut watch = Watch::new(told);
    py.detach(|| {
        let mut generation = match unfinished.exists() {
            true => Generation::read(&unfinished).map_err(|error| refuse(&unfinished, &error))?,
            false => Generation::new(pieces, convention),
        };
        if generation.numbering.pieces() != pieces || generation.convention != convention {
            return Err(refuse(&unfinished, &TableError::Other));
        }
        while generation.next.is_some() {
            let kept = Instant::now();
            generation.run(threads, |progress| {
                let goes_on = watch.tell(progress.level, progress.permille.into());
                // At level 0 there is nothing to keep yet.
                let is_due = progress.level > 0 && kept.elapsed() >= KEEP_EVERY;
                if goes_on && !is_due { Wish::Continue } else { Wish::Stop }
            });
            let to = if generation.next.is_none() { &path } else { &unfinished };
            if generation.next != Some(0) {
                generation.write(to).map_err(|error| refuse(to, &error))?;
            }
            if generation.next.is_some() && watch.failed.is_some() {
                break;
            }
        }
        if generation.next.is_none() {
            std::fs::remove_file(&unfinished).ok();
        }
        Ok(())
    })?;
    watch.finish(())
}

/// A table of solved positions of Osakana, mapped.
#[pyclass(module = "visavis._core", frozen)]
pub struct OsakanaOracle {
    inner: oracle::Oracle,
    path: PathBuf,
}

#[pymethods]
impl OsakanaOracle {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let inner = oracle::Oracle::open(&path).map_err(|error| refuse(&path, &error))?;
        Ok(OsakanaOracle { inner, path })
    }

    /// The value of a position, without its history, for the player to move, as (name, distance).
    fn value(&self, position: &str) -> PyResult<PyValue> {
        let position = Position::parse(position).map_err(raise)?;
        self.inner.value(&position).map(value).map_err(|error| refuse(&self.path, &error))
    }

    /// The same as dōbutsu shōgi counts.
    fn value_in_dobutsu(&self, position: &str) -> PyResult<PyValue> {
        let position = Position::parse(position).map_err(raise)?;
        let found = self.inner.value(&position).map_err(|error| refuse(&self.path, &error))?;
        Ok(value(found.in_dobutsu()))
    }

    /// How many inada, octopuses and flounders there are.
    fn pieces(&self) -> [u8; 3] {
        self.inner.header().pieces.0
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
        let mut watch = Watch::new(told);
        let verdict = py.detach(|| validate(&self.inner, threads, |permille| watch.tell(0, permille.into())));
        let verdict = watch.finish(verdict)?.map_err(|error| refuse(&self.path, &error))?;
        Ok(match verdict {
            Verdict::Right(found) => (Some(census(found)), None),
            Verdict::Wrong { position, found, derived } => {
                (None, Some((position.to_string(), found.map(value), value(derived))))
            }
            Verdict::Stopped => (None, None),
        })
    }

    /// Counts the positions that a game from the start can come to, by value.
    #[pyo3(signature = (told, *, threads=2))]
    fn census(&self, py: Python<'_>, told: Py<PyAny>, threads: usize) -> PyResult<PyCensus> {
        let mut watch = Watch::new(told);
        let found = py.detach(|| reach::census(&self.inner, threads, |seen| watch.tell(0, seen)));
        let found = watch.finish(found)?;
        found.map(census).map_err(|error| refuse(&self.path, &error))
    }

    /// The bytes of a book of answers for the second player; none if the start is not lost.
    fn book<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let built = py.detach(|| Book::build(&self.inner)).map_err(|error| refuse(&self.path, &error))?;
        Ok(built.map(|book| PyBytes::new(py, &book.encode())))
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
        let found = py.detach(|| puzzle::next(&self.inner, start, least, most));
        let found = found.map_err(|error| refuse(&self.path, &error))?;
        Ok(found.map(|puzzle| (puzzle.position.to_string(), puzzle.number, puzzle.plies, puzzle.weighed)))
    }

    /// How many numbers positions have.
    fn numbers(&self) -> u32 {
        self.inner.numbering().len()
    }
}

/// Answers to everything that Osakana's first player may do.
#[pyclass(module = "visavis._core", frozen)]
pub struct OsakanaBook {
    inner: Book,
}

#[pymethods]
impl OsakanaBook {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        let bytes = std::fs::read(&path).map_err(|error| refuse(&path, &TableError::Io(error)))?;
        Ok(OsakanaBook { inner: Book::decode(&bytes).map_err(|error| refuse(&path, &error))? })
    }

    fn __len__(&self) -> usize {
        self.inner.len()
    }

    /// Which of the positions after a move to go to; none if the book has no answer.
    fn choose(&self, position: &str, after: Vec<String>) -> PyResult<Option<usize>> {
        let position = Position::parse(position).map_err(raise)?;
        let after: Result<Vec<_>, _> = after.iter().map(|text| Position::parse(text)).collect();
        Ok(self.inner.choose(&position, &after.map_err(raise)?))
    }

    /// Plays everything against the book: (positions, longest game), or the position where it fails.
    fn prove(&self, py: Python<'_>) -> Result<(u64, u16), PyErr> {
        py.detach(|| self.inner.prove()).map(|proof| (proof.positions, proof.longest)).map_err(|position| {
            pyo3::exceptions::PyValueError::new_err(format!("the book has no winning answer at {position}"))
        })
    }
}
