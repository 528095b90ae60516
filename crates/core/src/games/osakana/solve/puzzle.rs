//! Positions with one and only one winning move.
//!
//! Puzzles are drawn from all positions of a table: from a number on, the next one that fits is taken. A random
//! number therefore draws a puzzle, and the same number always the same one.

use super::forward;
use super::numbering::Opened;
use super::oracle::Oracle;
use super::position::Position;
use crate::solve::{Puzzle, TableError, Value};

/// Nobody counts further than this.
const ENOUGH: u32 = 1_000_000;

/// The next puzzle from a number on, round the end of the table, that is won in a number of plies between two
/// bounds; none if there is no such.
pub fn next(oracle: &Oracle, from: u32, least: u16, most: u16) -> Result<Option<Puzzle>, TableError> {
    let numbering = oracle.numbering();
    let blocks = numbering.blocks();
    let from = from % numbering.len();
    let at = blocks.partition_point(|block| block.first + block.len <= from);
    let mut opened = Opened::default();
    for turn in 0..=blocks.len() {
        let block = &blocks[(at + turn) % blocks.len()];
        numbering.open(block, &mut opened);
        let skipped = if turn == 0 { from - block.first } else { 0 };
        for offset in skipped..block.len {
            let number = block.first + offset;
            let position = opened.position(offset);
            if numbering.number(&position).index != number {
                continue;
            }
            if let Value::Win(plies) = oracle.value_of(number)?
                && (least..=most).contains(&plies)
                && is_natural(&position)
                && wins_by_one_move(oracle, &position)?
            {
                let weighed = weigh(oracle, &position, ENOUGH)?;
                return Ok(Some(Puzzle { position: position.to_string(), number, plies, weighed }));
            }
        }
    }
    Ok(None)
}

/// Whether a position looks like one of a game: no man stands where it is good for nothing, which only a strange
/// drop can have brought about.
fn is_natural(position: &Position) -> bool {
    use super::board::{FAR, HOME, INADA, lane};
    lane(position.own.men, INADA) & FAR == 0 && lane(position.opponent.men, INADA) & HOME == 0
}

/// The positions after each move, as the opponent sees them, with the value of the move.
fn ranked(oracle: &Oracle, position: &Position) -> Result<Vec<(Value, Position)>, TableError> {
    let value = |child: Position| Ok((oracle.look_up(&child)?.before(), child));
    forward::successors(position).into_iter().map(value).collect()
}

fn wins_by_one_move(oracle: &Oracle, position: &Position) -> Result<bool, TableError> {
    let won = |&&(value, _): &&(Value, Position)| matches!(value, Value::Win(_));
    Ok(ranked(oracle, position)?.iter().filter(won).count() == 1)
}

fn weigh(oracle: &Oracle, position: &Position, enough: u32) -> Result<u32, TableError> {
    let moves = ranked(oracle, position)?;
    let mut total = moves.len() as u32;
    let Some(&(Value::Win(plies), best)) = moves.iter().max_by_key(|(value, _)| value.rank()) else {
        return Ok(total);
    };
    if plies > 2 {
        for (_, defended) in ranked(oracle, &best)? {
            if total >= enough {
                break;
            }
            total += weigh(oracle, &defended, enough - total)?;
        }
    }
    Ok(total)
}
