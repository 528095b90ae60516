//! How the computer plays Five Elements: the method of its search and its eight levels.

use super::Elements;
use super::eval::Eval;
use crate::search::engine::{LEVELS, Level, Method, Searchable};
use crate::search::tree;

impl Searchable for Elements {
    type Eval = Eval;

    fn evaluator(&self) -> Eval {
        Eval::default()
    }

    fn method(&self) -> Method {
        let settings = tree::Settings { curiosity: 0.7, reserve: 0.2, plain: false };
        Method::Tree { settings, temperature: 60.0 }
    }

    fn levels(&self) -> [Level; LEVELS] {
        [
            Level::new(30, None, 1.0),
            Level::new(30, None, 0.2),
            Level::new(100, None, 0.05),
            Level::new(170, None, 0.026),
            Level::new(300, None, 0.013),
            Level::new(650, None, 0.007),
            Level::new(1_600, None, 0.0018),
            Level::new(12_000, None, 0.0),
        ]
    }
}
