//! How the computer plays Fortresses: the method of its search and its eight levels.

use super::Fortress;
use super::eval::Eval;
use crate::search::engine::{LEVELS, Level, Searchable};

impl<const N: usize> Searchable for Fortress<N> {
    type Eval = Eval;

    fn evaluator(&self) -> Eval {
        Eval::new()
    }

    fn levels(&self) -> [Level; LEVELS] {
        [
            Level::new(2_000, Some(1), 0.2),
            Level::new(2_000, Some(1), 0.08),
            Level::new(2_000, Some(1), 0.03),
            Level::new(500, None, 0.02),
            Level::new(1_500, None, 0.014),
            Level::new(5_000, None, 0.003),
            Level::new(12_000, None, 0.0),
            Level::new(200_000, None, 0.0),
        ]
    }
}
