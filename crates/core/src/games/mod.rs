//! The kernels, one file (or folder) a game.

pub mod dande;
pub mod elements;
pub mod fortress;
pub mod osakana;
pub mod stones;
