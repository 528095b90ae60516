//! The games, a folder each, with the same files in all of them:
//!
//! | file | what |
//! | --- | --- |
//! | `mod.rs` | the game as the core sees it: its [`Game`](crate::game::Game), and its entries in the list |
//! | `board.rs` | cells and who reaches what |
//! | `state.rs` | states and moves |
//! | `view.rs` | what a viewer knows, where that is less than all |
//! | `text.rs` | texts of moves, positions and views |
//! | `eval.rs` | what a position is worth |
//! | `levels.rs` | how the computer plays: its method and its levels |
//! | `solve/` | the solver, where there is one |
//! | `tests.rs` | tests |

use crate::registry::Entry;

/// Declares the folder of each game and gathers their entries.
macro_rules! games {
    ($($game:ident),* $(,)?) => {
        $(pub mod $game;)*

        /// The entries of all games: of each one, or several kernels that share a name.
        pub(crate) const ENTRIES: &[&[Entry]] = &[$($game::ENTRIES),*];
    };
}

// The one list of games. `make format` and `make check` look at these folders too, which rustfmt alone would not.
games![dande, elements, fortress, osakana, stones];
