//! The value of every position, from the ends of the game backwards.
//!
//! Each number has a byte. At first glance ([`forward::outlook`]) a position is won at once, lost because no
//! move saves the tuna or holds the opponent's back, or open; then its byte counts the moves that are not yet
//! refuted. Positions in which a tuna can be taken are not numbered and moves to them not counted: such
//! positions, more than half of all, are never looked at.
//!
//! From there on the work goes level by level. Level *d* has the positions decided in *d* plies, and they
//! follow from those of level *d* − 1 alone, in two phases:
//!
//! 1. whoever can move to a loss in *d* − 1 wins in *d*;
//! 2. a move to a win in *d* − 1 is refuted; the position in which it was the last hope is lost in *d*.
//!
//! Both go through the positions of level *d* − 1 and take moves back. What a phase writes does not depend on
//! the order in which it is written, so the result is the same with any number of threads. When a level stays
//! empty all that is still open is drawn.
//!
//! A position of level *d* − 1 is found by its byte. A block keeps a note of which new values it has, so that
//! blocks without any are skipped. Predecessors are numbered first, in bulk, and their bytes then read in one
//! go and written in another: the processor can wait for many of them at once.
//!
//! Two moves never lead to the same number, except from a position that is its own mirror image; there they
//! are counted once. Nor has a position two predecessors with the same number, except if it is its own mirror
//! image; there they are visited once.

use super::Scratch;
use super::forward::{self, Outlook, outlook};
use super::numbering::{Block, Number, Numbering, Opened};
use super::position::Position;
use super::value::{DRAW, LONG, LONGEST_SHORT, MOST_MOVES, UNUSED, is_open};
use super::{Convention, Pieces, backward};
use crate::solve::Value;
use crate::solve::bytes::Bytes;
use crate::solve::workers::sweep;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

/// What is going on, told to a caller who waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// The level that is being decided; 0 while positions are looked at for the first time.
    pub level: u16,
    /// How much of the work is done, of a thousand: a guess.
    pub permille: u16,
}

/// What the caller wants after it was told of progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// To go on.
    Continue,
    /// To stop as soon as what has been done is of use.
    Stop,
}

/// A value whose distance has no code of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Long {
    /// Which position.
    pub index: u32,
    /// Its distance.
    pub distance: u16,
    /// Whether it is won; else it is lost.
    pub won: bool,
}

/// The values as they are being worked out, or when they are.
pub struct Generation {
    /// The numbering of positions.
    pub numbering: Numbering,
    /// When a try wins.
    pub convention: Convention,
    /// The next level to decide; 0 if nothing has been done, none if all has.
    pub next: Option<u16>,
    /// The values with long distances, sorted if all is done.
    pub long: Vec<Long>,
    pub(super) bytes: Bytes,
    news: Vec<AtomicU8>,
}

/// The part of the work, of a thousand, that is looking at positions for the first time.
const LOOKING: u16 = 120;
/// Predecessors are written in bulks of about this many.
const BULK: usize = 1024;

/// The note that a block has new values of a level.
fn note(won: bool, level: u16) -> u8 {
    1 << (2 * u16::from(won) + level % 2)
}

impl Generation {
    /// A generation at its beginning.
    pub fn new(pieces: Pieces, convention: Convention) -> Generation {
        let numbering = Numbering::new(pieces);
        Generation {
            bytes: Bytes::new(numbering.len()),
            // As if all blocks had news of all levels: right also for a generation taken up again.
            news: (0..numbering.names()).map(|_| AtomicU8::new(15)).collect(),
            numbering,
            convention,
            next: Some(0),
            long: Vec::new(),
        }
    }

    /// Decides all positions, or until the caller wants to stop; then [`Self::next`] is the level to go on
    /// with. What has been begun is brought to the end of its level first.
    pub fn run(&mut self, threads: usize, mut watch: impl FnMut(Progress) -> Wish) {
        let begun = self.settled();
        while let Some(level) = self.next {
            let mut wish = Wish::Continue;
            let mut tell = |permille: u16| {
                if wish == Wish::Continue {
                    wish = watch(Progress { level, permille });
                }
                wish == Wish::Continue
            };
            if level == 0 {
                // Nothing is lost with a first look broken off; a level must be seen through to be kept.
                let mut is_whole = true;
                self.look_at_all(threads, |permille| {
                    is_whole = tell(permille * LOOKING / 1000);
                    is_whole
                });
                if is_whole {
                    self.next = Some(3);
                }
            } else {
                let mut part = || {
                    let share = (self.settled() - begun.min(self.settled())) as u32 * 1000;
                    tell(LOOKING + (share / u32::from(1001 - begun)) as u16 * (1000 - LOOKING) / 1000);
                };
                part();
                let (mut any, mut long) = self.decide(level, false, threads, &mut part);
                // Wins at first glance, the only ones up to level 2, never counted as moves.
                if level > 3 {
                    let (more, longer) = self.decide(level, true, threads, &mut part);
                    any |= more;
                    long.extend(longer);
                }
                self.long.extend(long);
                // Levels 2 and 3 are there from the beginning; after them a gap is the end.
                self.next = (any || level < 5).then_some(level + 1);
            }
            if wish == Wish::Stop && self.next.is_some() {
                return;
            }
        }
        self.bytes.replace(|code| if is_open(code) { DRAW } else { code });
        self.long.sort_unstable();
    }

    fn look_at_all(&self, threads: usize, mut watch: impl FnMut(u16) -> bool) {
        let blocks = self.numbering.blocks().len();
        let look = |scratch: &mut Scratch, block| self.look(scratch, block);
        sweep(blocks, threads, look, |at| watch((at * 1000 / blocks) as u16));
    }

    /// Adds to the code of a number. For tests of what finds wrong values.
    pub fn tamper(&self, index: u32, change: u8) {
        self.bytes.update(index, |code| Some(code.wrapping_add(change)));
    }

    /// How many of a thousand numbers are decided: a guess from a sample, for telling progress.
    fn settled(&self) -> u16 {
        if self.next == Some(0) {
            return 0;
        }
        let step = (self.numbering.len() / 10_000).max(1);
        let sample = (0..self.numbering.len()).step_by(step as usize);
        let (all, open) = sample
            .fold((0, 0), |(all, open), index| (all + 1, open + usize::from(is_open(self.bytes.get(index)))));
        (1000 * (all - open) / all) as u16
    }

    /// Looks at the positions of a block for the first time.
    fn look(&self, scratch: &mut Scratch, block: usize) {
        let block = &self.numbering.blocks()[block];
        self.numbering.open(block, &mut scratch.opened);
        for offset in 0..block.len {
            let index = block.first + offset;
            let position = scratch.opened.position(offset);
            let is_image = scratch.opened.is_own_image();
            let code = if is_image && self.numbering.number(&position).index != index {
                UNUSED
            } else {
                self.first_code(&position, is_image)
            };
            self.bytes.update(index, |_| Some(code));
        }
    }

    fn first_code(&self, position: &Position, is_image: bool) -> u8 {
        let outlook = outlook(position);
        if let Some(value) = outlook.value(self.convention) {
            return value.code();
        }
        match outlook {
            Outlook::Open(moves) if !is_image || position.mirrored() != *position => {
                assert!(moves <= MOST_MOVES, "more moves than a byte has room for: {position}");
                moves
            }
            _ => self.count_once(position),
        }
    }

    /// Counts the hopeful moves of a position that is its own mirror image.
    fn count_once(&self, position: &Position) -> u8 {
        let mut found = Vec::new();
        forward::each(position, |after| {
            if !forward::loses_at_once(&after) && !after.lets_opponent_try() {
                found.push(self.numbering.number(&after.turned()));
            }
        });
        found.sort_unstable();
        found.dedup();
        found.len() as u8
    }

    /// One phase of a level: takes moves back from the wins, or the losses, of the level before. Tells whether
    /// there were any, and those with long distances.
    fn decide(&self, level: u16, won: bool, threads: usize, mut watch: impl FnMut()) -> (bool, Vec<Long>) {
        let old = if won { Value::Win(level - 1) } else { Value::Loss(level - 1) };
        let long = Mutex::new(Vec::new());
        let blocks = self.numbering.blocks();
        let kept = sweep(
            blocks.len(),
            threads,
            |scratch, block| {
                let block = &blocks[block];
                let noted = note(won, level - 1);
                if self.news[block.name as usize].fetch_and(!noted, Relaxed) & noted != 0 {
                    self.take_back(scratch, block, old, &long);
                }
            },
            |_| {
                watch();
                true
            },
        );
        let found: u64 = kept.iter().map(|scratch| scratch.found).sum();
        (found > 0, long.into_inner().expect("no thread panicked"))
    }

    /// Takes back the moves that led to positions of a block with a value.
    fn take_back(&self, scratch: &mut Scratch, block: &Block, old: Value, long: &Mutex<Vec<Long>>) {
        let Scratch { opened, parents, found } = scratch;
        let mut is_open_yet = false;
        self.bytes.find(old.code(), block.first, block.len, |index| {
            if !is_open_yet {
                self.numbering.open(block, opened);
                is_open_yet = true;
            }
            *found += 1;
            self.parents_of(opened, index - block.first, parents);
            if parents.len() > BULK {
                self.decide_parents(parents, old);
            }
            let (Value::Win(distance) | Value::Loss(distance)) = old else { return };
            if distance > LONGEST_SHORT {
                let won = matches!(old, Value::Win(_));
                long.lock().expect("no thread panicked").push(Long { index, distance, won });
                self.bytes.update(index, |_| Some(LONG));
            }
        });
        self.decide_parents(parents, old);
    }

    /// Adds the numbers of the predecessors of a position.
    #[inline]
    fn parents_of(&self, opened: &Opened, offset: u32, parents: &mut Vec<Number>) {
        let position = opened.position(offset);
        let start = parents.len();
        backward::each(&position.turned(), |before| parents.push(self.numbering.number(before)));
        if opened.is_own_image() && position.mirrored() == position {
            let mut once = parents.split_off(start);
            once.sort_unstable();
            once.dedup();
            parents.append(&mut once);
        }
    }

    /// Draws the conclusion from a value for the positions before it.
    fn decide_parents(&self, parents: &mut Vec<Number>, old: Value) {
        parents.retain(|number| is_open(self.bytes.get(number.index)));
        let new = old.before();
        let (Value::Win(level) | Value::Loss(level)) = new else { return };
        let (code, won) = (new.code(), matches!(new, Value::Win(_)));
        for parent in parents.drain(..) {
            let put = self.bytes.update(parent.index, |moves| match moves {
                _ if !is_open(moves) => None,
                1 => Some(code),
                _ if won => Some(code),
                _ => Some(moves - 1),
            });
            if put == Some(code) {
                let (news, noted) = (&self.news[parent.block as usize], note(won, level));
                if news.load(Relaxed) & noted == 0 {
                    news.fetch_or(noted, Relaxed);
                }
            }
        }
    }
}
