//! Which positions a game from the start can come to.
//!
//! Published counts take a game to be over when a tuna can be taken, and count the positions in which it is not:
//! positions in which one may pass by a safe try are among them. Those are just the positions that are numbered.

use super::Scratch;
use super::forward;
use super::oracle::{Oracle, at_a_glance};
use super::position::Position;
use crate::solve::bytes::Bytes;
use crate::solve::workers::sweep;
use crate::solve::{Census, TableError};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const NEW: u8 = 1;
const DONE: u8 = 2;

/// Counts the reachable positions that are numbered, by value. `watch` is told how many have been found and
/// says whether to go on; if not, the count is of those found so far.
pub fn census(
    oracle: &Oracle,
    threads: usize,
    mut watch: impl FnMut(u64) -> bool,
) -> Result<Census, TableError> {
    let numbering = oracle.numbering();
    let blocks = numbering.blocks();
    let states = Bytes::new(numbering.len());
    let news: Vec<AtomicBool> = (0..numbering.names()).map(|_| AtomicBool::new(false)).collect();
    let reach = |position: &Position| {
        let number = numbering.number(position);
        if states.get(number.index) == 0
            && states.update(number.index, |state| (state == 0).then_some(NEW)).is_some()
        {
            news[number.block as usize].store(true, Relaxed);
        }
    };
    reach(&Position::start(numbering.pieces()));
    let total = Mutex::new((Census::default(), Ok(())));
    let (mut seen, mut goes_on) = (0, true);
    loop {
        let kept = sweep(
            blocks.len(),
            threads,
            |scratch, block| {
                let block = &blocks[block];
                if !news[block.name as usize].swap(false, Relaxed) {
                    return;
                }
                let Scratch { opened, found, .. } = scratch;
                numbering.open(block, opened);
                let mut census = Census::default();
                let mut failed = Ok(());
                states.find(NEW, block.first, block.len, |index| {
                    states.update(index, |_| Some(DONE));
                    *found += 1;
                    let position = opened.position(index - block.first);
                    match oracle.value_of(index) {
                        Ok(value) => census.add(value),
                        Err(error) => failed = Err(error),
                    }
                    forward::each(&position, |after| {
                        let child = after.turned();
                        if at_a_glance(&child, oracle.header().convention).is_none() {
                            reach(&child);
                        }
                    });
                });
                let mut total = total.lock().expect("no thread panicked");
                total.0 = total.0.with(census);
                if failed.is_err() {
                    total.1 = failed;
                }
            },
            |_| {
                goes_on = goes_on && watch(seen);
                goes_on
            },
        );
        let found: u64 = kept.iter().map(|scratch| scratch.found).sum();
        if found == 0 || !goes_on {
            break;
        }
        seen += found;
    }
    let (census, failed) = total.into_inner().expect("no thread panicked");
    failed.map(|()| census)
}
