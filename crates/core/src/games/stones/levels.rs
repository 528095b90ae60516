//! How the computer plays Stones: the method of its search and its eight levels.

use super::Stones;
use super::eval::Eval;
use crate::search::engine::{LEVELS, Level, Method, Searchable};
use crate::search::tree;

impl Searchable for Stones {
    type Eval = Eval;

    fn evaluator(&self) -> Eval {
        Eval::new(self)
    }

    fn method(&self) -> Method {
        Method::Tree { settings: tree::Settings::default(), temperature: 60.0 }
    }

    fn levels(&self) -> [Level; LEVELS] {
        [
            Level::new(25, None, 1.0),
            Level::new(25, None, 0.17),
            Level::new(25, None, 0.08),
            Level::new(60, None, 0.04),
            Level::new(120, None, 0.02),
            Level::new(400, None, 0.0),
            Level::new(1_500, None, 0.0),
            Level::new(5_000, None, 0.0),
        ]
    }
}
