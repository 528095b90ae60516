//! Sets of cells.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

/// A set of up to `64 * N` cells: cell `c` is bit `c % 64` of word `c / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits<const N: usize>([u64; N]);

impl<const N: usize> Bits<N> {
    /// No cell.
    pub const EMPTY: Self = Bits([0; N]);

    /// One cell.
    #[inline]
    #[must_use]
    pub fn of(cell: u16) -> Self {
        let mut words = [0; N];
        words[usize::from(cell / 64)] = 1 << (cell % 64);
        Bits(words)
    }

    /// Whether the cell is in the set.
    #[inline]
    #[must_use]
    pub fn has(&self, cell: u16) -> bool {
        self.0[usize::from(cell / 64)] >> (cell % 64) & 1 == 1
    }

    /// Puts a cell in.
    #[inline]
    pub fn insert(&mut self, cell: u16) {
        self.0[usize::from(cell / 64)] |= 1 << (cell % 64);
    }

    /// Takes a cell out.
    #[inline]
    pub fn remove(&mut self, cell: u16) {
        self.0[usize::from(cell / 64)] &= !(1 << (cell % 64));
    }

    /// Whether there are no cells in it.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many cells there are.
    #[inline]
    #[must_use]
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The cell with `rank` cells before it; there must be one.
    #[inline]
    #[must_use]
    pub fn nth(&self, mut rank: u32) -> u16 {
        for (index, &word) in self.0.iter().enumerate() {
            let here = word.count_ones();
            if rank < here {
                return (index as u32 * 64 + nth_bit(word, rank)) as u16;
            }
            rank -= here;
        }
        unreachable!("the set has more cells than the rank")
    }

    /// All cells, ascending.
    pub fn cells(self) -> impl Iterator<Item = u16> {
        self.0.into_iter().enumerate().flat_map(|(index, word)| {
            std::iter::successors(Some(word).filter(|&w| w != 0), |&w| Some(w & (w - 1)).filter(|&w| w != 0))
                .map(move |w| (index * 64) as u16 + w.trailing_zeros() as u16)
        })
    }

    /// Every cell moved up by less than 64.
    #[inline]
    #[must_use]
    pub fn up(&self, by: u32) -> Self {
        // Two shifts, so that what comes over from the next word is well defined for a shift by nothing.
        let carried = |i: usize| if i == 0 { 0 } else { (self.0[i - 1] >> 1) >> (63 - by) };
        Bits(std::array::from_fn(|i| self.0[i] << by | carried(i)))
    }

    /// Every cell moved down by less than 64; those below the first are lost.
    #[inline]
    #[must_use]
    pub fn down(&self, by: u32) -> Self {
        let carried = |i: usize| if i + 1 == N { 0 } else { (self.0[i + 1] << 1) << (63 - by) };
        Bits(std::array::from_fn(|i| self.0[i] >> by | carried(i)))
    }
}

/// The place of the bit of a word that has `rank` set bits below it.
#[inline]
fn nth_bit(mut word: u64, mut rank: u32) -> u32 {
    let mut place = 0;
    for width in [32, 16, 8] {
        let below = (word & ((1 << width) - 1)).count_ones();
        if rank >= below {
            rank -= below;
            word >>= width;
            place += width;
        }
    }
    for _ in 0..rank {
        word &= word - 1;
    }
    place + word.trailing_zeros()
}

impl<const N: usize> FromIterator<u16> for Bits<N> {
    fn from_iter<I: IntoIterator<Item = u16>>(cells: I) -> Self {
        let mut bits = Self::EMPTY;
        cells.into_iter().for_each(|cell| bits.insert(cell));
        bits
    }
}

impl<const N: usize> BitAnd for Bits<N> {
    type Output = Self;
    #[inline]
    fn bitand(mut self, other: Self) -> Self {
        self &= other;
        self
    }
}

impl<const N: usize> BitOr for Bits<N> {
    type Output = Self;
    #[inline]
    fn bitor(mut self, other: Self) -> Self {
        self |= other;
        self
    }
}

impl<const N: usize> BitAndAssign for Bits<N> {
    #[inline]
    fn bitand_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a &= b);
    }
}

impl<const N: usize> BitOrAssign for Bits<N> {
    #[inline]
    fn bitor_assign(&mut self, other: Self) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }
}

impl<const N: usize> Not for Bits<N> {
    type Output = Self;
    #[inline]
    fn not(mut self) -> Self {
        self.0.iter_mut().for_each(|word| *word = !*word);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_agrees_with_the_list() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..200 {
            let bits = Bits::<3>([rng.u64(..), rng.u64(..) & rng.u64(..), rng.u64(..) & rng.u64(..)]);
            let cells: Vec<u16> = bits.cells().collect();
            assert_eq!(cells.len() as u32, bits.count());
            assert!(cells.iter().enumerate().all(|(rank, &cell)| bits.nth(rank as u32) == cell));
            assert_eq!(cells.into_iter().collect::<Bits<3>>(), bits);
        }
    }

    #[test]
    fn shifts_move_every_cell() {
        let bits: Bits<2> = [0, 5, 63, 64, 100].into_iter().collect();
        assert_eq!(bits.up(20).cells().collect::<Vec<_>>(), [20, 25, 83, 84, 120]);
        assert_eq!(bits.up(20).down(20), bits);
        assert_eq!(bits.down(6).cells().collect::<Vec<_>>(), [57, 58, 94]);
        assert_eq!(bits.up(0), bits);
    }
}
