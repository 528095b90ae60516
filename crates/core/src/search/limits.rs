//! When a search stops.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What bounds a search. The first bound reached ends it; with none it goes on until stopped.
#[derive(Clone, Debug, PartialEq)]
pub struct Limits {
    /// Positions to look at, over all threads.
    pub nodes: Option<u64>,
    /// Time to think.
    pub time: Option<Duration>,
    /// Plies to look ahead (alpha-beta only).
    pub depth: Option<u32>,
    /// How many best lines to work out.
    pub lines: usize,
    /// Threads to use.
    pub threads: usize,
    /// What chance in the search starts from.
    pub seed: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { nodes: None, time: None, depth: None, lines: 1, threads: 1, seed: 0 }
    }
}

/// How often the clock is looked at. The stop flag, which costs next to nothing, is looked at every time: on the
/// largest boards a node takes most of a millisecond, and threads stop one after the other.
const LOOK_EVERY: u64 = 16;

/// One thread's watch over the limits. With a node limit and one thread it stops at the same node every time.
pub struct Watch<'a> {
    stop: &'a AtomicBool,
    deadline: Option<Instant>,
    node_limit: u64,
    look_every: u64,
    /// Positions this thread has looked at.
    pub nodes: u64,
    stopped: bool,
}

impl<'a> Watch<'a> {
    /// A watch for one of `limits.threads` threads.
    #[must_use]
    pub fn new(limits: &Limits, started: Instant, stop: &'a AtomicBool) -> Self {
        let share = limits.threads.max(1) as u64;
        Watch {
            stop,
            deadline: limits.time.map(|time| started + time),
            node_limit: limits.nodes.map_or(u64::MAX, |nodes| nodes.div_ceil(share)),
            look_every: LOOK_EVERY,
            nodes: 0,
            stopped: false,
        }
    }

    /// The same watch, looking at the clock at every so many positions.
    #[must_use]
    pub fn looking_every(mut self, positions: u64) -> Self {
        self.look_every = positions;
        self
    }

    /// Counts a position; true when it is time to stop. Once true it stays true.
    #[inline]
    pub fn tick(&mut self) -> bool {
        if self.stopped {
            return true;
        }
        self.nodes += 1;
        self.stopped = self.nodes >= self.node_limit
            || self.stop.load(Ordering::Relaxed)
            || (self.nodes.is_multiple_of(self.look_every) && self.is_time());
        self.stopped
    }

    /// Whether it is time to stop.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    fn is_time(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}
