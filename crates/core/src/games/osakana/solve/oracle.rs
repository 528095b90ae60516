//! The value of any position, from a table on disk.

use super::file::{Header, SLICE, checksum, long_from};
use super::numbering::Numbering;
use super::position::Position;
use super::value::LONG;
use super::{Convention, board, forward};
use crate::solve::map::Mapped;
use crate::solve::{TableError, Value};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A finished table, mapped.
#[derive(Debug)]
pub struct Oracle {
    header: Header,
    numbering: Numbering,
    map: Mapped,
    checked: Vec<AtomicBool>,
}

/// The value of a position that can be told without a table: an ended one, one in which the tuna can be taken
/// or there is no move, one in which the opponent's tuna has reached its goal and can't.
pub fn at_a_glance(position: &Position, convention: Convention) -> Option<Value> {
    if position.own.tuna == 0 {
        Some(Value::Loss(0))
    } else if position.opponent.tuna == 0 || position.own.tuna & board::FAR != 0 {
        Some(Value::Win(0))
    } else if position.takes_tuna() {
        Some(Value::Win(1))
    } else if position.own.is_stuck() {
        Some(Value::Loss(0))
    } else if forward::was_tried(position) {
        Some(match convention {
            Convention::Osakana => Value::Loss(1),
            Convention::Dobutsu => Value::Loss(0),
        })
    } else {
        None
    }
}

impl Oracle {
    /// Opens a table.
    pub fn open(path: &Path) -> Result<Oracle, TableError> {
        let map = Mapped::open(path)?;
        let header = Header::decode(&map)?;
        if header.next.is_some() {
            return Err(TableError::Unfinished);
        }
        let numbering = Numbering::new(header.pieces);
        if header.values != numbering.len() || map.len() != header.file_len() {
            return Err(TableError::Damaged);
        }
        header.check(&map)?;
        let checked = (0..header.slices()).map(|_| AtomicBool::new(false)).collect();
        Ok(Oracle { header, numbering, map, checked })
    }

    /// What the table is of.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The numbering it uses.
    pub fn numbering(&self) -> &Numbering {
        &self.numbering
    }

    /// Checks a slice the first time it is needed.
    #[inline]
    fn check(&self, slice: usize) -> Result<(), TableError> {
        if self.checked[slice].load(Relaxed) {
            return Ok(());
        }
        let start = self.header.body() + slice * SLICE;
        let bytes = &self.map[start..self.map.len().min(start + SLICE)];
        let at = super::file::HEADER + 4 * slice;
        if checksum(&[bytes]).to_le_bytes() != self.map[at..at + 4] {
            return Err(TableError::Damaged);
        }
        self.checked[slice].store(true, Relaxed);
        Ok(())
    }

    /// The code of a number.
    #[inline]
    pub fn code(&self, index: u32) -> Result<u8, TableError> {
        self.check(index as usize / SLICE)?;
        Ok(self.map[self.header.body() + index as usize])
    }

    /// The value of a number.
    #[inline]
    pub fn value_of(&self, index: u32) -> Result<Value, TableError> {
        match self.code(index)? {
            LONG => self.long(index),
            code => Value::from_code(code).ok_or(TableError::Damaged),
        }
    }

    fn long(&self, index: u32) -> Result<Value, TableError> {
        (self.header.value_slices()..self.header.slices()).try_for_each(|slice| self.check(slice))?;
        let list = &self.map[self.header.long_at()..];
        let (mut low, mut high) = (0, self.header.long as usize);
        while low < high {
            let middle = (low + high) / 2;
            if long_from(list, middle).index < index { low = middle + 1 } else { high = middle }
        }
        if low == self.header.long as usize {
            return Err(TableError::Damaged);
        }
        match long_from(list, low) {
            long if long.index != index => Err(TableError::Damaged),
            long if long.won => Ok(Value::Win(long.distance)),
            long => Ok(Value::Loss(long.distance)),
        }
    }

    /// The value of a position with the pieces of the table.
    pub fn value(&self, position: &Position) -> Result<Value, TableError> {
        if position.pieces() != self.header.pieces {
            return Err(TableError::Other);
        }
        self.look_up(position)
    }

    /// The value of a position that is known to have the pieces of the table: at a glance, or from its number.
    #[inline]
    pub fn look_up(&self, position: &Position) -> Result<Value, TableError> {
        match at_a_glance(position, self.header.convention) {
            Some(value) => Ok(value),
            None => self.value_of(self.numbering.number(position).index),
        }
    }
}
