//! The board as bits, and who reaches what.
//!
//! A cell is a number 0…11, row by row from the top, and a set of cells a mask of twelve bits. The player to
//! move always looks up the board: the far row, where a tuna scores, is row 0 and the home row is row 3.
//! Seen by the other player the board is turned by half, which reverses the twelve bits.
//!
//! The masks of the four kinds of men of one side are the four 16-bit lanes of a `u64`, so that one AND asks
//! a question of all of them: `men & REACHED_BY[cell]` are the men that reach the cell.

/// Number of cells.
pub const CELLS: usize = 12;
/// All cells.
pub const ALL: u16 = 0xfff;
/// The row that the mover's tuna wants to reach.
pub const FAR: u16 = 0o0007;
/// The mover's own end row.
pub const HOME: u16 = 0o7000;
/// One bit in each lane: `LANES * mask` is the mask in all of them.
pub const LANES: u64 = 0x0001_0001_0001_0001;

/// The kinds of men, which are the lanes, in order: inada, buri, octopus, flounder.
pub const INADA: usize = 0;
/// See [`INADA`].
pub const BURI: usize = 1;
/// See [`INADA`].
pub const OCTOPUS: usize = 2;
/// See [`INADA`].
pub const FLOUNDER: usize = 3;
/// All of them.
pub const KINDS: [usize; 4] = [INADA, BURI, OCTOPUS, FLOUNDER];

/// Steps of each kind as (rows, columns), for one who looks up the board (O3).
const STEPS: [&[(i8, i8)]; 4] = [
    &[(-1, 0)],
    &[(-1, 0), (-1, -1), (-1, 1), (0, -1), (0, 1), (1, 0)],
    &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
    &[(-1, 0), (0, -1), (0, 1), (1, 0)],
];
const TUNA_STEPS: &[(i8, i8)] = &[(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

const fn walk(steps: &[(i8, i8)], cell: usize, sign: i8) -> u16 {
    let (mut mask, mut i) = (0, 0);
    while i < steps.len() {
        let row = (cell / 3) as i8 + sign * steps[i].0;
        let column = (cell % 3) as i8 + sign * steps[i].1;
        if row >= 0 && row < 4 && column >= 0 && column < 3 {
            mask |= 1 << (row * 3 + column);
        }
        i += 1;
    }
    mask
}

const fn table(steps: &[(i8, i8)], sign: i8) -> [u16; CELLS] {
    let (mut made, mut cell) = ([0; CELLS], 0);
    while cell < CELLS {
        made[cell] = walk(steps, cell, sign);
        cell += 1;
    }
    made
}

const fn lanes(sign: i8) -> [u64; CELLS] {
    let (mut made, mut cell) = ([0; CELLS], 0);
    while cell < CELLS {
        let mut kind = 0;
        while kind < 4 {
            made[cell] |= (walk(STEPS[kind], cell, sign) as u64) << (16 * kind);
            kind += 1;
        }
        cell += 1;
    }
    made
}

/// Where a man of a kind goes from a cell, one who looks up the board.
pub const REACH: [[u16; CELLS]; 4] =
    [table(STEPS[0], 1), table(STEPS[1], 1), table(STEPS[2], 1), table(STEPS[3], 1)];
/// From where a man of a kind comes to a cell: a step backwards.
pub const ORIGINS: [[u16; CELLS]; 4] =
    [table(STEPS[0], -1), table(STEPS[1], -1), table(STEPS[2], -1), table(STEPS[3], -1)];
/// The cells around a cell: where a tuna goes, and where it comes from.
pub const NEAR: [u16; CELLS] = table(TUNA_STEPS, 1);
/// The mover's men that reach a cell, in lanes.
pub const REACHED_BY: [u64; CELLS] = lanes(-1);
/// The opponent's men, who look down, that reach a cell, in lanes.
pub const REACHED_BY_OPPONENT: [u64; CELLS] = lanes(1);

/// The cells of a set, lowest first.
pub fn cells(mut mask: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let cell = mask.trailing_zeros() as usize;
            mask &= mask - 1;
            cell
        })
    })
}

/// One lane of four.
#[inline]
pub const fn lane(men: u64, kind: usize) -> u16 {
    (men >> (16 * kind)) as u16
}

/// The cells of all four lanes.
#[inline]
pub const fn union(men: u64) -> u16 {
    let half = men | men >> 32;
    (half | half >> 16) as u16
}

/// Left and right exchanged, in each lane.
#[inline]
pub const fn mirror(men: u64) -> u64 {
    const MIDDLE: u64 = 0o2222 * LANES;
    const LEFT: u64 = 0o1111 * LANES;
    men & MIDDLE | (men & LEFT) << 2 | men >> 2 & LEFT
}

/// Left and right exchanged in a mask.
#[inline]
pub const fn mirror_mask(mask: u16) -> u16 {
    mask & 0o2222 | (mask & 0o1111) << 2 | mask >> 2 & 0o1111
}

/// The board turned by half: the twelve bits of each lane reversed.
#[inline]
pub const fn turn(men: u64) -> u64 {
    let rows = (men & (0o0007 * LANES)) << 9
        | (men & (0o0070 * LANES)) << 3
        | (men >> 3) & (0o0070 * LANES)
        | (men >> 9) & (0o0007 * LANES);
    mirror(rows)
}

/// The number of cells in a set, by a table: the oldest processors we run on count bits slowly.
#[inline]
pub fn count(mask: u16) -> usize {
    const COUNTS: [u8; 4096] = {
        let (mut made, mut mask) = ([0; 4096], 0);
        while mask < 4096 {
            made[mask] = (mask as u16).count_ones() as u8;
            mask += 1;
        }
        made
    };
    COUNTS[usize::from(mask & ALL)] as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaching_and_being_reached_are_the_same_thing() {
        for kind in KINDS {
            for from in cells(ALL) {
                for to in cells(ALL) {
                    let goes = REACH[kind][from] >> to & 1;
                    assert_eq!(goes, ORIGINS[kind][to] >> from & 1);
                    assert_eq!(goes, lane(REACHED_BY[to], kind) >> from & 1);
                    let turned = lane(REACHED_BY_OPPONENT[11 - to], kind) >> (11 - from) & 1;
                    assert_eq!(goes, turned);
                }
            }
        }
    }

    #[test]
    fn turning_twice_and_mirroring_twice_change_nothing() {
        for mask in 0..=ALL {
            let men = u64::from(mask) * LANES;
            assert_eq!(turn(turn(men)), men);
            assert_eq!(mirror(mirror(men)), men);
            assert_eq!(lane(mirror(men), 2), mirror_mask(mask));
            assert_eq!(lane(turn(men), 1), mask.reverse_bits() >> 4);
            assert_eq!(count(mask), mask.count_ones() as usize);
        }
    }
}
