//! Fields as bitboards: bit `row × width + column` of a `u128`, row 0 at the top, so that the order of bits is
//! the reading order of cells.

use crate::error::Error;
use crate::spelling::whole;

/// The most rows and columns of a map.
const MAX_SIDE: usize = 16;
/// The most squares of a map, holes included.
pub const MAX_SQUARES: usize = 128;

/// A set of cells.
pub type Bits = u128;

/// A field.
#[derive(Clone)]
pub struct Field {
    /// Columns of the map.
    pub width: usize,
    /// Rows of the map.
    height: usize,
    /// The cells.
    pub cells: Bits,
    /// All squares of the map but the first column, and but the last.
    not_first: Bits,
    not_last: Bits,
}

impl Field {
    /// Reads a map: rows of `x` and `.` joined by `/`.
    pub fn parse(map: &str) -> Result<Self, Error> {
        let refuse = |why: &str| Err(Error::bad_option("field", why));
        let rows: Vec<&str> = map.split('/').collect();
        let width = rows[0].len();
        if rows.len() > MAX_SIDE || width > MAX_SIDE || rows.len() * width > MAX_SQUARES {
            return refuse(&format!(
                "a map has at most {MAX_SIDE} rows and columns and {MAX_SQUARES} squares, holes included"
            ));
        }
        let (mut cells, mut first) = (0, 0);
        for (r, row) in rows.iter().enumerate() {
            if row.len() != width || !row.bytes().all(|mark| mark == b'x' || mark == b'.') {
                return refuse("a map has rows of x and . of one length, joined by /");
            }
            for (c, mark) in row.bytes().enumerate() {
                cells |= Bits::from(mark == b'x') << (r * width + c);
            }
            if width > 0 {
                first |= 1 << (r * width);
            }
        }
        let last = if width == 0 { 0 } else { first << (width - 1) };
        let field = Field { width, height: rows.len(), cells, not_first: !first, not_last: !last };
        if !field.holds_two_tokens() {
            return refuse("a field must hold at least two tokens, each 2×2 cells");
        }
        Ok(field)
    }

    fn holds_two_tokens(&self) -> bool {
        let anchors = self.anchors(self.cells);
        each(anchors).any(|anchor| self.anchors(self.cells & !self.square(anchor)) != 0)
    }

    /// Where the upper left stone of a token can lie if these cells are free.
    #[inline]
    pub fn anchors(&self, free: Bits) -> Bits {
        let pairs = free & (free >> 1) & self.not_last;
        pairs & (pairs >> self.width)
    }

    /// The cells of a token, clockwise from the upper left one.
    #[inline]
    pub fn corners(&self, anchor: usize) -> [usize; 4] {
        [anchor, anchor + 1, anchor + self.width + 1, anchor + self.width]
    }

    /// The cells of a token, as a set.
    #[inline]
    pub fn square(&self, anchor: usize) -> Bits {
        (0b11 | 0b11 << self.width) << anchor
    }

    /// The squares east, west, south and north of these.
    #[inline]
    fn shifts(&self, bits: Bits) -> [Bits; 4] {
        [(bits << 1) & self.not_first, (bits >> 1) & self.not_last, bits << self.width, bits >> self.width]
    }

    /// Calls `found` with every group of three or more joined cells among these.
    ///
    /// Three joined cells always have one among them with two neighbours, so most boards are done without a fill.
    #[inline]
    pub fn groups(&self, bits: Bits, mut found: impl FnMut(Bits)) {
        let [east, west, south, north] = self.shifts(bits);
        let mut centres = bits & ((east & west) | (south & north) | ((east | west) & (south | north)));
        while centres != 0 {
            let group = self.fill(centres & centres.wrapping_neg(), bits);
            centres &= !group;
            found(group);
        }
    }

    /// All cells among these that are joined with the seed.
    #[inline]
    pub fn fill(&self, seed: Bits, bits: Bits) -> Bits {
        let mut group = seed;
        loop {
            let [east, west, south, north] = self.shifts(group);
            let grown = group | (bits & (east | west | south | north));
            if grown == group {
                return group;
            }
            group = grown;
        }
    }

    /// The text of a cell.
    pub fn format_cell(&self, cell: usize) -> String {
        format!("{}{}", char::from(b'A' + (cell % self.width) as u8), cell / self.width + 1)
    }

    /// Reads a cell of the map.
    pub fn parse_cell(&self, text: &str) -> Option<usize> {
        let column = usize::from(text.bytes().next()?.checked_sub(b'A')?);
        let row = whole(text.get(1..)?).filter(|row| (1..=self.height).contains(row))? - 1;
        (column < self.width).then_some(row * self.width + column)
    }
}

/// The members of a set of cells, in order.
pub fn each(mut bits: Bits) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        next
    })
}

/// The member of a set of cells with so many before it.
#[inline]
pub fn nth(bits: Bits, count: u32) -> usize {
    let low = (bits as u64).count_ones();
    if count < low {
        nth_of_word(bits as u64, count)
    } else {
        64 + nth_of_word((bits >> 64) as u64, count - low)
    }
}

#[inline]
fn nth_of_word(mut word: u64, mut count: u32) -> usize {
    let mut base = 0;
    for half in [32, 16, 8] {
        let low = (word & ((1 << half) - 1)).count_ones();
        if count >= low {
            count -= low;
            word >>= half;
            base += half;
        }
    }
    for _ in 0..count {
        word &= word - 1;
    }
    base + word.trailing_zeros() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_is_the_nth_of_each() {
        let mut rng = fastrand::Rng::with_seed(1);
        for _ in 0..1000 {
            let bits = rng.u128(..) & rng.u128(..);
            for (count, cell) in each(bits).enumerate() {
                assert_eq!(nth(bits, count as u32), cell);
            }
        }
    }

    #[test]
    fn rows_do_not_run_into_each_other() {
        let field = Field::parse("xxxx/xxxx/xxxx").unwrap();
        assert_eq!(field.anchors(field.cells), 0b0111_0111);
        let mut found = 0;
        field.groups(0b0000_0001_1100, |_| found += 1);
        assert_eq!(found, 0, "the end of row one and the start of row two");
        field.groups(0b0001_0001_0011, |_| found += 1);
        assert_eq!(found, 1);
    }

    #[test]
    fn maps_out_of_range_are_refused() {
        for map in
            ["", "x", "xx/xx", "xxxx/xx", "xxxx/xxx", "xx#x/xxxx", "xxxxxxxxxxxxxxxxx/xxxxxxxxxxxxxxxxx"]
        {
            assert!(Field::parse(map).is_err(), "{map}");
        }
        assert!(Field::parse("xxxx/xxxx").is_ok());
    }
}
