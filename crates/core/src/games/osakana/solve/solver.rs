//! The solver as the rest of the core sees it: texts in, texts out.

use super::file::Header;
use super::generate::{Generation, Wish};
use super::line::Book;
use super::oracle::Oracle;
use super::position::Position;
use super::validate::validate;
use super::{Convention, Pieces, puzzle, reach};
use crate::error::Error;
use crate::game::{Options, option};
use crate::solve::{self, Census, Job, Proof, Puzzle, SolveError, TableError, Value, Verdict, Watch};
use crate::spelling::whole;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often unfinished work is kept.
const KEEP_EVERY: Duration = Duration::from_secs(30);
/// The names of both conventions, in options and questions.
const CONVENTIONS: [(&str, Convention); 2] =
    [("osakana", Convention::Osakana), ("dobutsu", Convention::Dobutsu)];

/// Osakana's solver. Its options are `pieces`, how many inada, octopuses and flounders there are (`2 2 2`), and
/// `convention`, `osakana` or `dobutsu`.
pub struct Solver;

fn read_convention(name: &str) -> Result<Convention, Error> {
    let known = CONVENTIONS.into_iter().find(|(known, _)| *known == name);
    known
        .map(|(_, convention)| convention)
        .ok_or_else(|| Error::bad_option("convention", "must be osakana or dobutsu"))
}

fn read_pieces(text: &str) -> Result<Pieces, Error> {
    let numbers: Option<Vec<u8>> = text.split(' ').map(whole).collect();
    let pieces = numbers.and_then(|numbers| <[u8; 3]>::try_from(numbers).ok()).map(Pieces);
    pieces
        .filter(|&pieces| Pieces::ALL.hold(pieces))
        .ok_or_else(|| Error::bad_option("pieces", "must be three numbers of at most two pieces of a kind"))
}

fn read_options(options: &Options) -> Result<(Pieces, Convention), Error> {
    let unknown = options.iter().find(|(name, _)| !["pieces", "convention"].contains(&name.as_str()));
    if let Some((name, _)) = unknown {
        return Err(Error::bad_option(name, "the solver has no such option"));
    }
    let pieces = option(options, "pieces").map_or(Ok(Pieces::ALL), read_pieces)?;
    let convention = option(options, "convention").map_or(Ok(Convention::Osakana), read_convention)?;
    Ok((pieces, convention))
}

/// Takes up unfinished work again, or begins.
fn resume(unfinished: &Path, pieces: Pieces, convention: Convention) -> Result<Generation, TableError> {
    if !unfinished.exists() {
        return Ok(Generation::new(pieces, convention));
    }
    let generation = Generation::read(unfinished)?;
    match generation.header() {
        Header { pieces: p, convention: c, .. } if p == pieces && c == convention => Ok(generation),
        _ => Err(TableError::Other),
    }
}

impl solve::Solver for Solver {
    fn solve(&self, job: &Job, watch: &mut Watch<'_>) -> Result<bool, SolveError> {
        let (pieces, convention) = read_options(&job.options)?;
        let refuse = |path: &Path| {
            let path = path.to_owned();
            move |error| SolveError::Table { path, error }
        };
        let mut generation = resume(&job.unfinished, pieces, convention).map_err(refuse(&job.unfinished))?;
        let mut goes_on = true;
        while generation.next.is_some() && goes_on {
            let kept = Instant::now();
            generation.run(job.threads, |progress| {
                goes_on = goes_on && watch(progress.level, progress.permille.into());
                // At level 0 there is nothing to keep yet.
                let is_due = progress.level > 0 && kept.elapsed() >= KEEP_EVERY;
                if goes_on && !is_due { Wish::Continue } else { Wish::Stop }
            });
            let to = if generation.next.is_none() { &job.path } else { &job.unfinished };
            if generation.next != Some(0) {
                generation.write(to).map_err(refuse(to))?;
            }
        }
        if generation.next.is_none() {
            std::fs::remove_file(&job.unfinished).ok();
        }
        Ok(generation.next.is_none())
    }

    fn open(&self, path: &Path) -> Result<Box<dyn solve::Table>, SolveError> {
        let oracle = Oracle::open(path).map_err(|error| SolveError::table(path, error))?;
        Ok(Box::new(Table { oracle, path: path.to_owned() }))
    }

    fn open_book(&self, path: &Path) -> Result<Box<dyn solve::Book>, SolveError> {
        let bytes = std::fs::read(path).map_err(TableError::Io);
        let book = bytes.and_then(|bytes| Book::decode(&bytes));
        Ok(Box::new(book.map_err(|error| SolveError::table(path, error))?))
    }
}

struct Table {
    oracle: Oracle,
    path: PathBuf,
}

impl Table {
    fn refuse(&self, error: TableError) -> SolveError {
        SolveError::table(&self.path, error)
    }
}

impl solve::Table for Table {
    fn value(&self, position: &str, convention: Option<&str>) -> Result<Value, SolveError> {
        let wanted = convention.map(read_convention).transpose()?;
        let position = Position::parse(position)?;
        let value = self.oracle.value(&position).map_err(|error| self.refuse(error))?;
        match (wanted, self.oracle.header().convention) {
            (Some(Convention::Dobutsu), _) => Ok(value.in_dobutsu()),
            (Some(Convention::Osakana), Convention::Dobutsu) => Err(self.refuse(TableError::Other)),
            _ => Ok(value),
        }
    }

    fn numbers(&self) -> u32 {
        self.oracle.numbering().len()
    }

    fn validate(&self, threads: usize, watch: &mut Watch<'_>) -> Result<Verdict, SolveError> {
        validate(&self.oracle, threads, |permille| watch(0, permille.into()))
            .map_err(|error| self.refuse(error))
    }

    fn census(&self, threads: usize, watch: &mut Watch<'_>) -> Result<Census, SolveError> {
        reach::census(&self.oracle, threads, |seen| watch(0, seen)).map_err(|error| self.refuse(error))
    }

    fn book(&self) -> Result<Option<Vec<u8>>, SolveError> {
        let book = Book::build(&self.oracle).map_err(|error| self.refuse(error))?;
        Ok(book.map(|book| book.encode()))
    }

    fn puzzle(&self, start: u32, least: u16, most: u16) -> Result<Option<Puzzle>, SolveError> {
        puzzle::next(&self.oracle, start, least, most).map_err(|error| self.refuse(error))
    }
}

impl solve::Book for Book {
    fn answers(&self) -> usize {
        self.len()
    }

    fn choose(&self, position: &str, after: &[String]) -> Result<Option<usize>, Error> {
        let position = Position::parse(position)?;
        let after: Result<Vec<_>, _> = after.iter().map(|text| Position::parse(text)).collect();
        Ok(Book::choose(self, &position, &after?))
    }

    fn prove(&self) -> Result<Proof, String> {
        Book::prove(self).map_err(|position| position.to_string())
    }
}
