//! In which order moves are tried: a cut comes the sooner, the earlier the move that makes it is tried.
//!
//! First the move that the table remembers, then moves that promise something, then moves that cut at the
//! same ply elsewhere (*killers*), then the others by how often they cut anywhere (*history*).

use crate::game::Seat;
use crate::search::MAX_PLY;
use std::cmp::Reverse;
use std::hash::{BuildHasher, Hash};

const HISTORY_SIZE: usize = 1 << 12;
const HISTORY_LIMIT: i32 = 1 << 20;
const KNOWN_RANK: i32 = i32::MAX;
const PROMISING_RANK: i32 = 1 << 28;
const KILLER_RANK: i32 = 1 << 27;
/// How many moves are picked one by one; if they did not cut, the rest is sorted.
const PICKED: usize = 6;

/// A move with its rank and its place in the legal order.
#[derive(Clone, Copy)]
pub(super) struct Ranked<M> {
    pub rank: i32,
    pub index: u16,
    pub mv: M,
}

impl<M> Ranked<M> {
    /// Whether nothing speaks for the move but, at most, history.
    pub(super) fn is_quiet(&self) -> bool {
        self.rank < KILLER_RANK
    }
}

/// What one thread remembers of moves that cut.
pub(super) struct Memory<M> {
    killers: Vec<[Option<M>; 2]>,
    history: Vec<i32>,
    hasher: foldhash::fast::FixedState,
}

impl<M: Copy + Eq + Hash> Memory<M> {
    pub(super) fn new() -> Self {
        Memory {
            killers: vec![[None; 2]; MAX_PLY],
            history: vec![0; HISTORY_SIZE],
            hasher: foldhash::fast::FixedState::default(),
        }
    }

    fn slot(&self, seat: Seat, mv: M) -> usize {
        self.hasher.hash_one((seat.index(), mv)) as usize & (HISTORY_SIZE - 1)
    }

    /// The rank of a move that promises so much. `known` says that the table remembers it.
    pub(super) fn rank(&self, ply: usize, seat: Seat, mv: M, promise: i32, known: bool) -> i32 {
        if known {
            KNOWN_RANK
        } else if promise > 0 {
            PROMISING_RANK + promise.min(PROMISING_RANK - 1)
        } else if self.killers[ply].contains(&Some(mv)) {
            KILLER_RANK
        } else {
            promise.max(-(1 << 20)) * 16 + self.history[self.slot(seat, mv)]
        }
    }

    /// Remembers a move that cut.
    pub(super) fn remember(&mut self, ply: usize, depth: u32, seat: Seat, mv: M) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(mv) {
            *second = *first;
            *first = Some(mv);
        }
        let slot = self.slot(seat, mv);
        self.history[slot] += (depth * depth) as i32;
        if self.history[slot] > HISTORY_LIMIT {
            self.history.iter_mut().for_each(|count| *count /= 2);
        }
    }
}

/// Brings the best of the moves from `place` on to that place. To be called for each place in turn.
#[inline]
pub(super) fn pick<M: Copy>(list: &mut [Ranked<M>], place: usize) -> Ranked<M> {
    let key = |ranked: &Ranked<M>| (Reverse(ranked.rank), ranked.index);
    if place < PICKED {
        let mut best = place;
        for other in place + 1..list.len() {
            if key(&list[other]) < key(&list[best]) {
                best = other;
            }
        }
        list.swap(place, best);
    } else if place == PICKED {
        list[place..].sort_unstable_by_key(key);
    }
    list[place]
}
