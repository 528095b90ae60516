//! A table of positions seen, shared by threads without locks.
//!
//! An entry is two words: the key mixed with the data, and the data. A reader that meets a half-written
//! entry finds that the words don't match and takes it for empty.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// It is the true value.
    Exact,
    /// The true value is at least this.
    AtLeast,
    /// The true value is at most this.
    AtMost,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The value for the seat to decide, wins counted from this position.
    pub value: i32,
    /// What the value says.
    pub bound: Bound,
    /// How many plies were searched below.
    pub depth: u8,
    /// The place of the best move in the list of legal moves.
    pub best: u16,
}

impl Entry {
    fn pack(self, search: u8) -> u64 {
        let bound = match self.bound {
            Bound::Exact => 0,
            Bound::AtLeast => 1,
            Bound::AtMost => 2,
        };
        (self.value as u32 as u64)
            | u64::from(self.best) << 32
            | u64::from(self.depth) << 48
            | bound << 56
            | u64::from(search) << 58
            | 1 << 63
    }

    fn unpack(data: u64) -> Option<Entry> {
        let bound = match data >> 56 & 3 {
            0 => Bound::Exact,
            1 => Bound::AtLeast,
            _ => Bound::AtMost,
        };
        (data >> 63 == 1).then_some(Entry {
            value: data as u32 as i32,
            best: (data >> 32) as u16,
            depth: (data >> 48) as u8,
            bound,
        })
    }
}

/// The number of the search that wrote an entry.
fn search_of(data: u64) -> u8 {
    (data >> 58 & 31) as u8
}

struct Slot {
    check: AtomicU64,
    data: AtomicU64,
}

/// The table.
pub struct Table {
    slots: Vec<Slot>,
    mask: usize,
    /// The number of the search, modulo 32.
    search: AtomicU8,
}

impl Table {
    /// A table of about this many mebibytes.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        let wanted = (mebibytes.max(1) << 20) / size_of::<Slot>();
        let count = if wanted.is_power_of_two() { wanted } else { wanted.next_power_of_two() / 2 };
        let slots = (0..count).map(|_| Slot { check: AtomicU64::new(0), data: AtomicU64::new(0) }).collect();
        Table { slots, mask: count - 1, search: AtomicU8::new(0) }
    }

    /// A table fit for a search of this many nodes.
    #[must_use]
    pub fn for_nodes(nodes: u64) -> Self {
        Table::new(((nodes as usize * 2 * size_of::<Slot>()) >> 20).clamp(1, 64))
    }

    fn bucket(&self, key: u64) -> [&Slot; 2] {
        let index = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 20) as usize & self.mask;
        [&self.slots[index], &self.slots[index ^ 1]]
    }

    /// What is known of the position with this key.
    #[must_use]
    pub fn get(&self, key: u64) -> Option<Entry> {
        self.bucket(key).into_iter().find_map(|slot| {
            let data = slot.data.load(Relaxed);
            (slot.check.load(Relaxed) ^ data == key).then(|| Entry::unpack(data)).flatten()
        })
    }

    /// Begins a new search: what earlier ones left may be used, and is the first to be overwritten.
    pub fn begin(&self) {
        self.search.store((self.search.load(Relaxed) + 1) % 32, Relaxed);
    }

    /// Keeps an entry: in the deep slot if it is no shallower than what this search has put there, else in the
    /// other.
    pub fn put(&self, key: u64, entry: Entry) {
        let [deep, recent] = self.bucket(key);
        let data = deep.data.load(Relaxed);
        let held = Entry::unpack(data);
        let same = deep.check.load(Relaxed) ^ data == key;
        let search = self.search.load(Relaxed);
        let gives_way = held.is_none_or(|held| entry.depth >= held.depth) || search_of(data) != search;
        let slot = if same || gives_way { deep } else { recent };
        let data = entry.pack(search);
        slot.check.store(key ^ data, Relaxed);
        slot.data.store(data, Relaxed);
    }

    /// Forgets everything.
    pub fn clear(&self) {
        for slot in &self.slots {
            slot.check.store(0, Relaxed);
            slot.data.store(0, Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_put_is_got() {
        let table = Table::new(1);
        for key in 1..2_000u64 {
            let entry = Entry {
                value: -(key as i32),
                bound: Bound::AtMost,
                depth: (key % 60) as u8,
                best: key as u16,
            };
            table.put(key * 0xABCD_EF01, entry);
            assert_eq!(table.get(key * 0xABCD_EF01), Some(entry));
        }
        table.clear();
        assert_eq!(table.get(0xABCD_EF01), None);
    }
}
