//! The board of D&E as sets of cells: one bit a cell, a1 = bit 0, b1 = bit 1, … h8 = bit 63.

/// A set of cells.
pub type Cells = u64;

/// The set of one cell.
#[inline]
pub const fn bit(cell: u8) -> Cells {
    1 << (cell & 63)
}

/// Where half a turn of the board takes a cell.
#[inline]
pub const fn opposite(cell: u8) -> u8 {
    63 - cell
}

const FILE_A: Cells = 0x0101_0101_0101_0101;
const FILE_H: Cells = FILE_A << 7;

#[inline]
const fn north(cells: Cells) -> Cells {
    cells << 8
}

#[inline]
const fn south(cells: Cells) -> Cells {
    cells >> 8
}

#[inline]
const fn east(cells: Cells) -> Cells {
    (cells & !FILE_H) << 1
}

#[inline]
const fn west(cells: Cells) -> Cells {
    (cells & !FILE_A) >> 1
}

/// How far a step in each of the eight directions goes, in the order of [`spread`].
pub const DELTA: [i8; 8] = [8, -8, 1, -1, 9, 7, -7, -9];

/// How many of the directions, from the first, are not diagonal.
pub const STRAIGHT: usize = 4;

/// Where one step takes a set of cells: north, south, east, west, then the diagonals.
#[inline]
pub const fn spread(cells: Cells) -> [Cells; 8] {
    let (right, left) = (east(cells), west(cells));
    [north(cells), south(cells), right, left, north(right), north(left), south(right), south(left)]
}

/// For each direction and cell, the cells between it and the edge of the board.
static RAYS: [[Cells; 64]; 8] = rays();

const fn rays() -> [[Cells; 64]; 8] {
    let mut table = [[0; 64]; 8];
    let mut direction = 0;
    while direction < 8 {
        let mut cell = 0;
        while cell < 64 {
            let mut front = spread(1 << cell)[direction];
            while front != 0 {
                table[direction][cell] |= front;
                front = spread(front)[direction];
            }
            cell += 1;
        }
        direction += 1;
    }
    table
}

/// The cells that a king on `from` reaches over empty cells, the first occupied ones included.
#[inline]
pub fn king_reach(from: u8, occupied: Cells) -> Cells {
    let from = usize::from(from & 63);
    let mut reach = 0;
    for (rays, delta) in RAYS.iter().zip(DELTA) {
        let met = rays[from] & occupied;
        // The corner at the end of the numbering has no ray onward, so it stands for "nothing met".
        let first = if delta > 0 { (met | 1 << 63).trailing_zeros() } else { 63 - (met | 1).leading_zeros() };
        reach |= rays[from] ^ rays[first as usize];
    }
    reach
}

/// The n-th cell of a set, counted from 0.
#[inline]
pub fn nth(mut cells: Cells, n: u32) -> u8 {
    for _ in 0..n {
        cells &= cells - 1;
    }
    cells.trailing_zeros() as u8
}

/// The cells of a set, from a1 to h8.
pub fn each(mut cells: Cells) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        (cells != 0).then(|| {
            let cell = cells.trailing_zeros() as u8;
            cells &= cells - 1;
            cell
        })
    })
}
