//! How the computer plays D&E: the method of its search and its eight levels.

use super::DandE;
use super::eval::Eval;
use crate::search::engine::{LEVELS, Level, Searchable};

impl Searchable for DandE {
    type Eval = Eval;

    fn evaluator(&self) -> Eval {
        Eval
    }

    fn levels(&self) -> [Level; LEVELS] {
        [
            Level::new(2_000, Some(1), 0.2),
            Level::new(2_000, Some(1), 0.1),
            Level::new(5_000, Some(2), 0.06),
            Level::new(5_000, Some(2), 0.02),
            Level::new(3_000, None, 0.02),
            Level::new(10_000, None, 0.01),
            Level::new(30_000, None, 0.004),
            Level::new(150_000, None, 0.0),
        ]
    }
}
