//! What a viewer knows of Stones.

use super::state::State;
use crate::game::Seat;

/// Who looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Viewer {
    /// A player, or a spectator.
    Eyes(Option<Seat>),
    /// Somebody who knows everything.
    All,
}

/// What a viewer knows: a state in which some twins are [`UNKNOWN`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    pub(super) viewer: Viewer,
    pub(super) state: State,
}
