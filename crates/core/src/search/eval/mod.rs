//! Judgement of positions, one file a game: what is good and why, how a game is searched, and its levels.

pub mod dande;
pub mod elements;
pub mod fortress;
pub mod osakana;
pub mod stones;
