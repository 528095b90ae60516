//! The board (E1–E3) as tables: 42 cells, 70 adjacencies, and the names of the cells.
//!
//! Cells are numbered in the order of the texts: `A0`, `A1`…`A15`, `N1`…`N10`, `B1`…`B15`, `B0`.

use crate::game::Seat;
use crate::spelling::whole;

/// The number of a cell.
pub type Cell = u8;

/// How many cells there are.
pub const CELLS: usize = 42;
/// How many pairs of adjacent cells there are.
pub const EDGES: usize = 70;
/// The bases of first and second.
pub const BASES: [Cell; 2] = [0, 41];
/// The first cells of the territories of first and second.
pub const TERRITORIES: [Cell; 2] = [1, 26];
/// Both bases as a set of cells.
pub const BASE_SET: u64 = 1 << BASES[0] | 1 << BASES[1];

const SECTORS: u8 = 5;
const NEUTRAL: Cell = 16;

/// The adjacent pairs of E3, sector by sector.
const PAIRS: [(Cell, Cell); EDGES] = {
    let mut pairs = [(0, 0); EDGES];
    let mut made = 0;
    let mut sector = 0;
    while sector < SECTORS {
        let next = (sector + 1) % SECTORS;
        let mut side = 0;
        while side < 2 {
            let centre = TERRITORIES[side] + 3 * sector;
            let (left, right) = (centre + 1, centre + 2);
            let next_left = TERRITORIES[side] + 3 * next + 1;
            let neutral = NEUTRAL + 2 * sector + side as u8;
            pairs[made] = (BASES[side], centre);
            pairs[made + 1] = (centre, left);
            pairs[made + 2] = (centre, right);
            pairs[made + 3] = (right, next_left);
            pairs[made + 4] = (left, neutral);
            pairs[made + 5] = (right, neutral);
            made += 6;
            side += 1;
        }
        let (down, up) = (NEUTRAL + 2 * sector, NEUTRAL + 2 * sector + 1);
        pairs[made] = (down, up);
        pairs[made + 1] = (NEUTRAL + 2 * next, up);
        made += 2;
        sector += 1;
    }
    pairs
};

/// The neighbours of each cell, as a set.
pub const ADJACENT: [u64; CELLS] = {
    let mut adjacent = [0; CELLS];
    let mut edge = 0;
    while edge < EDGES {
        let (a, b) = PAIRS[edge];
        adjacent[a as usize] |= 1 << b;
        adjacent[b as usize] |= 1 << a;
        edge += 1;
    }
    adjacent
};

/// The edges at each cell, as a set of the numbers of pairs.
///
/// The symmetric difference of these sets over some cells is their *cut*: the edges with exactly one end
/// among them. The cut of a side's cells is the set of its moves, and moving a piece changes it by two of these.
pub const EDGES_AT: [u128; CELLS] = {
    let mut edges = [0; CELLS];
    let mut edge = 0;
    while edge < EDGES {
        let (a, b) = PAIRS[edge];
        edges[a as usize] |= 1 << edge;
        edges[b as usize] |= 1 << edge;
        edge += 1;
    }
    edges
};

/// The two ends of an edge.
#[inline]
pub const fn ends(edge: usize) -> (Cell, Cell) {
    PAIRS[edge]
}

/// The cells of a set, in ascending order.
#[inline]
pub fn cells(mut set: u64) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let cell = set.trailing_zeros() as Cell;
            set &= set - 1;
            cell
        })
    })
}

/// The name of a cell.
pub fn name(cell: Cell) -> String {
    match cell {
        0..=15 => format!("A{cell}"),
        16..=25 => format!("N{}", cell - 15),
        41 => "B0".to_string(),
        _ => format!("B{}", cell - 25),
    }
}

/// The cell of a name.
pub fn parse_cell(text: &str) -> Option<Cell> {
    let (letter, digits) = text.split_at_checked(1)?;
    let number: u8 = whole(digits)?;
    match (letter, number) {
        ("A", 0..=15) => Some(number),
        ("N", 1..=10) => Some(number + 15),
        ("B", 0) => Some(BASES[Seat::Second.index()]),
        ("B", 1..=15) => Some(number + 25),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn degrees_and_names() {
        for cell in 0..CELLS as Cell {
            let degree = ADJACENT[cell as usize].count_ones();
            let expected = match cell {
                0 | 41 => 5,
                16..=25 => 4,
                _ => 3,
            };
            assert_eq!((degree, EDGES_AT[cell as usize].count_ones()), (expected, expected));
            assert_eq!(parse_cell(&name(cell)), Some(cell));
        }
        for text in ["", "A", "A16", "N0", "N11", "B16", "A01", "A+1", "Ä1", "C1", "A999999999999"] {
            assert_eq!(parse_cell(text), None, "{text}");
        }
    }

    #[test]
    fn base_to_base_is_seven_steps() {
        let mut reached = 1u64 << BASES[0];
        let mut steps = 0;
        while reached & 1 << BASES[1] == 0 {
            reached |= cells(reached).fold(0, |set, cell| set | ADJACENT[cell as usize]);
            steps += 1;
        }
        assert_eq!(steps, 7);
    }
}
