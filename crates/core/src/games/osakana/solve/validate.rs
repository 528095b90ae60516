//! Every value of a table derived anew, from forward moves only.
//!
//! Nothing here knows how the table was made. For each number the position is spelled out and numbered again;
//! its moves are made, what they lead to is looked up or told at a glance, and the best of it must be the
//! value in the table.
//!
//! That is enough. By induction over distances, a value "won in *d*" or "lost in *d*" that agrees with what the
//! moves lead to is a proof; and where the table says "draw", no move leads to a loss of the opponent and one at
//! least to another draw, so the player can go on without losing for ever, and so can the opponent.

use super::Scratch;
use super::forward;
use super::numbering::Block;
use super::oracle::Oracle;
use super::position::Position;
use super::value::UNUSED;
use crate::solve::workers::sweep;
use crate::solve::{Census, TableError, Value, Verdict};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The value of a position from those its moves lead to.
pub fn derive(oracle: &Oracle, position: &Position) -> Result<Value, TableError> {
    let mut best: Option<Value> = None;
    let mut failed = None;
    forward::each(position, |after| match oracle.look_up(&after.turned()).map(Value::before) {
        Ok(value) if best.is_none_or(|best| value.rank() > best.rank()) => best = Some(value),
        Ok(_) => {}
        Err(error) => failed = Some(error),
    });
    match failed {
        Some(error) => Err(error),
        None => Ok(best.unwrap_or(Value::Loss(0))), // O11
    }
}

type Fault = (u32, Position, Option<Value>, Value);

/// Validates a whole table. `watch` is told how many of a thousand positions are done and says whether to go on.
pub fn validate(
    oracle: &Oracle,
    threads: usize,
    mut watch: impl FnMut(u16) -> bool,
) -> Result<Verdict, TableError> {
    let blocks = oracle.numbering().blocks();
    let stop = AtomicBool::new(false);
    let mut goes_on = true;
    let faults: Mutex<Vec<Fault>> = Mutex::new(Vec::new());
    let error: Mutex<Option<TableError>> = Mutex::new(None);
    let census = Mutex::new(Census::default());
    sweep(
        blocks.len(),
        threads,
        |scratch, block| {
            if stop.load(Relaxed) {
                return;
            }
            match check_block(oracle, scratch, &blocks[block]) {
                Ok(Ok(seen)) => {
                    let mut census = census.lock().expect("no thread panicked");
                    *census = census.with(seen);
                }
                Ok(Err(fault)) => {
                    faults.lock().expect("no thread panicked").push(fault);
                    stop.store(true, Relaxed);
                }
                Err(found) => {
                    *error.lock().expect("no thread panicked") = Some(found);
                    stop.store(true, Relaxed);
                }
            }
        },
        |at| {
            goes_on = goes_on && watch((at * 1000 / blocks.len()) as u16);
            goes_on
        },
    );
    if let Some(error) = error.into_inner().expect("no thread panicked") {
        return Err(error);
    }
    let mut faults = faults.into_inner().expect("no thread panicked");
    faults.sort_unstable_by_key(|fault| fault.0);
    Ok(match faults.first() {
        Some(&(_, position, found, derived)) => {
            Verdict::Wrong { position: position.to_string(), found, derived }
        }
        None if !goes_on => Verdict::Stopped,
        None => Verdict::Right(census.into_inner().expect("no thread panicked")),
    })
}

fn check_block(
    oracle: &Oracle,
    scratch: &mut Scratch,
    block: &Block,
) -> Result<Result<Census, Fault>, TableError> {
    let numbering = oracle.numbering();
    numbering.open(block, &mut scratch.opened);
    let mut census = Census::default();
    for offset in 0..block.len {
        let index = block.first + offset;
        let position = scratch.opened.position(offset);
        let is_used = numbering.number(&position).index == index;
        let found = match oracle.code(index)? {
            UNUSED => None,
            _ => Some(oracle.value_of(index)?),
        };
        if !is_used && found.is_none() {
            continue;
        }
        let derived = derive(oracle, &position)?;
        match found {
            Some(value) if is_used && value == derived => census.add(value),
            _ => return Ok(Err((index, position, found, derived))),
        }
    }
    Ok(Ok(census))
}
