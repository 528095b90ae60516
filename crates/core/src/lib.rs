//! Kernels of the Visavis games: the same rules as `visavis.rules` in Python, built for search and
//! self-play. There is no Python here; texts of moves, positions and views are the contract between
//! the two, and conformance tests walk both side by side.

pub mod error;
pub mod game;
pub mod games;
pub mod kernel;
pub mod perft;
pub mod playout;
pub mod registry;
pub mod search;
pub mod solve;
pub mod spelling;
