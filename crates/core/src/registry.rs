//! What the core knows of each game, found by its name.
//!
//! A game describes itself in its own folder by entries; `games/mod.rs` lists the folders. Nothing else in the
//! core, nor in the bindings, names a game.
//!
//! ```
//! use visavis_core::game::Options;
//! use visavis_core::registry;
//!
//! for slug in registry::slugs() {
//!     assert!(registry::entry(slug, &Options::new()).is_ok());
//! }
//! assert!(registry::kernel("chess", &Options::new()).is_err());
//! ```

use crate::error::Error;
use crate::game::Options;
use crate::games::ENTRIES;
use crate::kernel::{Kernel, Texts};
use crate::search::engine::{Engine, Player, Searchable};
use crate::solve::Solver;

/// Something made for a game with its options, or why it can't be.
type Made<T> = Result<Box<T>, Error>;

/// A kernel of a game, and what comes with it.
pub struct Entry {
    /// The name of the game.
    pub slug: &'static str,
    suits: fn(&Options) -> bool,
    kernel: fn(&Options) -> Made<dyn Kernel>,
    engine: fn(&Options, usize) -> Made<dyn Engine>,
    solver: Option<&'static dyn Solver>,
}

impl Entry {
    /// The entry of a game with a kernel and a computer player.
    #[must_use]
    pub const fn of<G: Searchable>() -> Self {
        Entry {
            slug: G::SLUG,
            suits: G::suits,
            kernel: |options| Ok(Box::new(Texts(G::new(options)?))),
            engine: |options, table| Ok(Box::new(Player::new(G::new(options)?, table))),
            solver: None,
        }
    }

    /// The same entry, of a game that has a solver.
    #[must_use]
    pub const fn with_solver(mut self, solver: &'static dyn Solver) -> Self {
        self.solver = Some(solver);
        self
    }
}

fn entries() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter().flat_map(|entries| entries.iter())
}

fn unknown(slug: &str) -> Error {
    Error::UnknownGame { slug: slug.to_owned() }
}

/// The names of all games.
pub fn slugs() -> impl Iterator<Item = &'static str> {
    ENTRIES.iter().map(|entries| entries[0].slug)
}

/// The entry of the game of this name that suits these options.
pub fn entry(slug: &str, options: &Options) -> Result<&'static Entry, Error> {
    entries().find(|entry| entry.slug == slug && (entry.suits)(options)).ok_or_else(|| unknown(slug))
}

/// Makes the kernel of the game of this name with these options.
pub fn kernel(slug: &str, options: &Options) -> Made<dyn Kernel> {
    (entry(slug, options)?.kernel)(options)
}

/// Makes the computer player of the game of this name with these options and a table of so many mebibytes.
pub fn engine(slug: &str, options: &Options, table: usize) -> Made<dyn Engine> {
    (entry(slug, options)?.engine)(options, table)
}

/// The solver of the game of this name.
pub fn solver(slug: &str) -> Result<&'static dyn Solver, Error> {
    let entry = entries().find(|entry| entry.slug == slug).ok_or_else(|| unknown(slug))?;
    entry.solver.ok_or_else(|| Error::NotSolvable { slug: slug.to_owned() })
}
