//! How the computer plays Osakana: the method of its search and its eight levels.

use super::Osakana;
use super::eval::Eval;
use crate::search::engine::{LEVELS, Level, Searchable};

impl Searchable for Osakana {
    type Eval = Eval;

    fn evaluator(&self) -> Eval {
        Eval
    }

    fn levels(&self) -> [Level; LEVELS] {
        [
            Level::new(2_000, Some(1), 0.2),
            Level::new(2_000, Some(1), 0.07),
            Level::new(5_000, Some(2), 0.05),
            Level::new(10_000, Some(3), 0.04),
            Level::new(4_000, None, 0.0),
            Level::new(14_000, None, 0.0),
            Level::new(50_000, None, 0.0),
            Level::new(180_000, None, 0.0),
        ]
    }
}
