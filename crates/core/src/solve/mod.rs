//! Games solved whole: what a solver promises, and the parts that solvers share.
//!
//! A game that has a solver keeps it in `games/GAME/solve/` and says so in its entry of the list of games
//! ([`crate::registry`]). Positions cross this border as texts.
//!
//! - [`bytes`]: an array that threads write together. [`workers`]: blocks of work handed out to threads.
//! - [`map`]: a file mapped into memory.

pub mod bytes;
pub mod map;
pub mod workers;

use crate::error::Error;
use crate::game::Options;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// The value of a position for the player to move, with the distance to the end in plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// The player to move wins.
    Win(u16),
    /// The player to move loses.
    Loss(u16),
    /// Neither player can force a win.
    Draw,
}

impl Value {
    /// The value of a move that leads to a position with this value for the opponent.
    pub fn before(self) -> Value {
        match self {
            Value::Win(distance) => Value::Loss(distance + 1),
            Value::Loss(distance) => Value::Win(distance + 1),
            Value::Draw => Value::Draw,
        }
    }

    /// How good a value is for the player to move: wins by speed, then draws, then losses by resistance.
    pub fn rank(self) -> i32 {
        match self {
            Value::Win(distance) => 2000 - i32::from(distance),
            Value::Loss(distance) => i32::from(distance) - 2000,
            Value::Draw => 0,
        }
    }
}

/// How many positions have which value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// Won for the player to move.
    pub wins: u64,
    /// Lost.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// The longest distance.
    pub longest: u16,
}

impl Census {
    /// Counts one more.
    pub fn add(&mut self, value: Value) {
        match value {
            Value::Win(distance) => {
                self.wins += 1;
                self.longest = self.longest.max(distance);
            }
            Value::Loss(distance) => {
                self.losses += 1;
                self.longest = self.longest.max(distance);
            }
            Value::Draw => self.draws += 1,
        }
    }

    /// Both together.
    #[must_use]
    pub fn with(self, other: Census) -> Census {
        Census {
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
            longest: self.longest.max(other.longest),
        }
    }
}

/// What a validation found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All these values are right.
    Right(Census),
    /// A value is not what the moves say.
    Wrong {
        /// Where.
        position: String,
        /// What the table says, unless it has no value there.
        found: Option<Value>,
        /// What the moves say.
        derived: Value,
    },
    /// The caller stopped it.
    Stopped,
}

/// A position in which the player to move wins by one first move only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position.
    pub position: String,
    /// Its number, which names it.
    pub number: u32,
    /// In how many plies it is won.
    pub plies: u16,
    /// How many moves a solver weighs who plays the win against every defence: all moves, wherever a quickest
    /// win leads. Forcing wins leave few defences and are found soon; quiet moves are not.
    pub weighed: u32,
}

/// What playing every game against a book has shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// How many positions the other player was asked to move in.
    pub positions: u64,
    /// The plies of the longest game.
    pub longest: u16,
}

/// Why a file is no table that can be used.
#[derive(Debug)]
pub enum TableError {
    /// The system could not open, read or write it.
    Io(io::Error),
    /// It is something else.
    Foreign,
    /// It is a table of another version of the format.
    Version {
        /// The version of the file.
        found: u32,
        /// The version that is read here.
        known: u32,
    },
    /// It is a table of another variant of the game than asked for.
    Other,
    /// It is not finished yet.
    Unfinished,
    /// It is a table but not as it was written.
    Damaged,
}

impl fmt::Display for TableError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::Io(error) => error.fmt(out),
            TableError::Foreign => out.write_str("this is not a table of solved positions"),
            TableError::Version { found, known } => {
                write!(out, "this table has format {found}, not {known}: solve again")
            }
            TableError::Other => out.write_str("this table is for other pieces or another convention"),
            TableError::Unfinished => out.write_str("this table is not finished: go on solving"),
            TableError::Damaged => out.write_str("this table is damaged: solve again"),
        }
    }
}

impl std::error::Error for TableError {}

impl From<io::Error> for TableError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => TableError::Damaged,
            _ => TableError::Io(error),
        }
    }
}

/// Why a solver has no answer.
#[derive(Debug)]
pub enum SolveError {
    /// A text or an option is at fault.
    Input(Error),
    /// A file is at fault.
    Table {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: TableError,
    },
}

impl SolveError {
    /// A failure with a file.
    pub fn table(path: &Path, error: TableError) -> Self {
        SolveError::Table { path: path.to_owned(), error }
    }
}

impl fmt::Display for SolveError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolveError::Input(error) => error.fmt(out),
            SolveError::Table { path, error } => write!(out, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for SolveError {}

impl From<Error> for SolveError {
    fn from(error: Error) -> Self {
        SolveError::Input(error)
    }
}

/// What to solve, and where to keep it.
#[derive(Clone, Debug)]
pub struct Job {
    /// Options of the solver, by name: they choose a smaller variant of the game, say.
    pub options: Options,
    /// Where the finished table goes.
    pub path: PathBuf,
    /// Where unfinished work is kept, and resumed from.
    pub unfinished: PathBuf,
    /// Threads to use.
    pub threads: usize,
}

/// Is told of progress, by level and by how much is done, and returns whether to go on.
pub type Watch<'a> = dyn FnMut(u16, u64) -> bool + Send + 'a;

/// The solver of a game.
pub trait Solver: Send + Sync {
    /// Solves the game and writes its table, or stops as soon as the watch says so and keeps what is done.
    /// Returns whether the table is finished.
    fn solve(&self, job: &Job, watch: &mut Watch<'_>) -> Result<bool, SolveError>;
    /// Opens a finished table.
    fn open(&self, path: &Path) -> Result<Box<dyn Table>, SolveError>;
    /// Opens a book.
    fn open_book(&self, path: &Path) -> Result<Box<dyn Book>, SolveError>;
}

/// A finished table.
pub trait Table: Send + Sync {
    /// The value of a position, without its history, for the player to move; as another convention that the solver
    /// knows counts it, if one is named.
    fn value(&self, position: &str, convention: Option<&str>) -> Result<Value, SolveError>;
    /// How many numbers positions have.
    fn numbers(&self) -> u32;
    /// Derives every value anew from forward moves. The watch is told how many of a thousand positions are done.
    fn validate(&self, threads: usize, watch: &mut Watch<'_>) -> Result<Verdict, SolveError>;
    /// Counts the positions that a game from the start can come to, by value. The watch is told how many have been
    /// found.
    fn census(&self, threads: usize, watch: &mut Watch<'_>) -> Result<Census, SolveError>;
    /// The bytes of a book of answers for the player who wins from the start; `None` if there is no such.
    fn book(&self) -> Result<Option<Vec<u8>>, SolveError>;
    /// The next position from a number on with one winning move, won in a number of plies between two bounds.
    fn puzzle(&self, start: u32, least: u16, most: u16) -> Result<Option<Puzzle>, SolveError>;
}

/// Answers to everything that the other player may do.
pub trait Book: Send + Sync {
    /// How many answers there are.
    fn answers(&self) -> usize;
    /// Which of the positions after each move to go to; `None` if the book has no answer.
    fn choose(&self, position: &str, after: &[String]) -> Result<Option<usize>, Error>;
    /// Plays everything against the book, or says in which position it fails.
    fn prove(&self) -> Result<Proof, String>;
}
