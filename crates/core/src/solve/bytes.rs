//! An array of bytes that several threads write at once, eight to a word.
//!
//! Words make it quick to look for a byte: eight are compared in one go.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Bytes shared between threads. All orderings are relaxed: threads agree on order by the ends of phases.
pub struct Bytes {
    words: Vec<AtomicU64>,
}

impl Bytes {
    /// So many zeros.
    pub fn new(len: u32) -> Bytes {
        Bytes { words: (0..len.div_ceil(8)).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The byte at an index.
    #[inline]
    pub fn get(&self, index: u32) -> u8 {
        (self.words[(index / 8) as usize].load(Relaxed) >> (index % 8 * 8)) as u8
    }

    /// Replaces a byte by what a function makes of it, as one step; none leaves it. Tells what was put.
    #[inline]
    pub fn update(&self, index: u32, change: impl Fn(u8) -> Option<u8>) -> Option<u8> {
        let (word, shift) = (&self.words[(index / 8) as usize], index % 8 * 8);
        let mut now = word.load(Relaxed);
        loop {
            let old = (now >> shift) as u8;
            let new = change(old)?;
            let next = now ^ u64::from(old ^ new) << shift;
            match word.compare_exchange_weak(now, next, Relaxed, Relaxed) {
                Ok(_) => return Some(new),
                Err(found) => now = found,
            }
        }
    }

    /// Visits the places from `first` on, `len` of them, that hold a byte.
    #[inline]
    pub fn find(&self, byte: u8, first: u32, len: u32, mut visit: impl FnMut(u32)) {
        let end = first + len;
        for word in first / 8..end.div_ceil(8) {
            let difference = self.words[word as usize].load(Relaxed) ^ (u64::from(byte) * LOW);
            // High bits mark zero bytes, and perhaps bytes above one: those are looked at again.
            let mut marked = difference.wrapping_sub(LOW) & !difference & HIGH;
            while marked != 0 {
                let index = word * 8 + marked.trailing_zeros() / 8;
                if index >= first && index < end && self.get(index) == byte {
                    visit(index);
                }
                marked &= marked - 1;
            }
        }
    }

    /// Replaces each byte by what a function makes of it; nobody else may be writing.
    pub fn replace(&self, change: impl Fn(u8) -> u8) {
        for word in &self.words {
            let bytes = word.load(Relaxed).to_le_bytes();
            word.store(u64::from_le_bytes(bytes.map(&change)), Relaxed);
        }
    }

    /// The bytes of so many words, or as many as there are.
    pub fn words_from(&self, first: usize, words: usize) -> Vec<u8> {
        let end = self.words.len().min(first + words);
        self.words[first..end].iter().flat_map(|word| word.load(Relaxed).to_le_bytes()).collect()
    }

    /// Fills in bytes from a place on that is a multiple of eight.
    pub fn fill(&self, first: u32, bytes: &[u8]) {
        for (word, eight) in self.words[(first / 8) as usize..].iter().zip(bytes.chunks(8)) {
            let mut whole = [0; 8];
            whole[..eight.len()].copy_from_slice(eight);
            word.store(u64::from_le_bytes(whole), Relaxed);
        }
    }

    /// The bytes in order, in pieces of a length that is a multiple of eight; the last may be shorter.
    pub fn chunks(&self, len: u32, piece: usize) -> impl Iterator<Item = Vec<u8>> + '_ {
        (0..len as usize).step_by(piece).map(move |first| {
            let mut bytes = self.words_from(first / 8, piece / 8);
            bytes.truncate(len as usize - first);
            bytes
        })
    }
}
