//! The field of a scenario: its cells, their names, who is next to whom, and what is where.

use super::bits::Bits;
use crate::error::Error;
use crate::spelling::whole;

/// A cell, counted from the top row, left to right.
pub type Cell = u16;

/// The greatest number of cells each way.
pub const LARGEST: u16 = 40;

/// A scenario made ready to play on.
#[derive(Clone, Debug)]
pub struct Field<const N: usize> {
    /// Columns.
    pub width: u16,
    /// Rows.
    pub height: u16,
    /// Whether fortresses are built by generals only (mode `plenty`).
    pub has_generals: bool,
    /// How many turns each player takes.
    pub turns: u16,
    /// The cities of first and second.
    pub cities: [Cell; 2],
    /// Cells that no general enters.
    pub mountains: Bits<N>,
    /// Cells that generals leave in one step only.
    pub water: Bits<N>,
    /// Cells on which a fortress may ever stand.
    pub open: Bits<N>,
    /// All cells.
    pub everywhere: Bits<N>,
    /// Each cell with its neighbours.
    pub around: Vec<Bits<N>>,
    /// The neighbours of each cell, ascending.
    pub neighbours: Vec<Neighbours>,
    not_first_column: Bits<N>,
    not_last_column: Bits<N>,
    shifted_rows: Bits<N>,
}

/// Up to six cells.
#[derive(Clone, Copy, Debug, Default)]
pub struct Neighbours {
    cells: [Cell; 6],
    count: u8,
}

impl Neighbours {
    fn push(&mut self, cell: Cell) {
        self.cells[usize::from(self.count)] = cell;
        self.count += 1;
    }

    /// The cells.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Cell] {
        &self.cells[..usize::from(self.count)]
    }
}

fn refuse(text: &str, why: &str) -> Error {
    Error::bad_option(text, format!("scenario: {why}"))
}

fn number(text: &str, from: u16, to: u16) -> Option<u16> {
    whole(text).filter(|n| (from..=to).contains(n))
}

/// The width and height that a scenario on one line names, if it does.
#[must_use]
pub fn size_of(scenario: &str) -> Option<(u16, u16)> {
    let (width, height) = scenario.split(':').nth(1)?.split_once('x')?;
    Some((number(width, 3, LARGEST)?, number(height, 3, LARGEST)?))
}

impl<const N: usize> Field<N> {
    /// Reads a scenario on one line: `MODE:WIDTHxHEIGHT:TURNS:CITY:CITY:MOUNTAINS:WATER`, the last two being
    /// lists with commas that may be left out. The Python rules have checked it (F3).
    pub fn read(text: &str) -> Result<Self, Error> {
        let words: Vec<&str> = text.split(':').collect();
        let (mode, turns, cities, features) = match words[..] {
            [mode, _, turns, first, second] => (mode, turns, [first, second], ["", ""]),
            [mode, _, turns, first, second, mountains, water] => {
                (mode, turns, [first, second], [mountains, water])
            }
            _ => return Err(refuse(text, "it has neither 5 nor 7 parts")),
        };
        let (width, height) = size_of(text).ok_or_else(|| refuse(text, "the size is not like 9x8"))?;
        if usize::from(width * height) > 64 * N {
            return Err(refuse(text, "the field is too large for this kernel"));
        }
        let mut field = Self::empty(width, height);
        field.has_generals = match mode {
            "young" | "rough" => false,
            "plenty" => true,
            _ => return Err(refuse(text, "no such mode")),
        };
        field.turns = number(turns, 1, 400).ok_or_else(|| refuse(text, "the turns are not 1 to 400"))?;
        let cell = |name: &str| field.cell(name).ok_or_else(|| refuse(text, "a cell is off the field"));
        let cells = |list: &str| list.split(',').filter(|name| !name.is_empty()).map(cell).collect();
        let [mountains, water]: [Result<Bits<N>, Error>; 2] = features.map(cells);
        (field.mountains, field.water) = (mountains?, water?);
        let [first, second] = cities.map(|name| field.cell(name));
        let (Some(first), Some(second)) = (first, second) else {
            return Err(refuse(text, "a city is off the field"));
        };
        field.cities = [first, second];
        field.open = field.everywhere & !(field.mountains | field.water);
        field.cities.into_iter().for_each(|city| field.open.remove(city));
        Ok(field)
    }

    fn empty(width: u16, height: u16) -> Self {
        let cells = || 0..width * height;
        let mut field = Field {
            width,
            height,
            has_generals: false,
            turns: 0,
            cities: [0; 2],
            mountains: Bits::EMPTY,
            water: Bits::EMPTY,
            open: Bits::EMPTY,
            everywhere: cells().collect(),
            around: Vec::new(),
            neighbours: Vec::new(),
            not_first_column: cells().filter(|cell| cell % width != 0).collect(),
            not_last_column: cells().filter(|cell| cell % width != width - 1).collect(),
            shifted_rows: cells().filter(|cell| cell / width % 2 == 1).collect(),
        };
        field.around = cells().map(|cell| field.grow(Bits::of(cell))).collect();
        field.neighbours = cells()
            .map(|cell| {
                let mut neighbours = Neighbours::default();
                let around = field.around[usize::from(cell)].cells();
                around.filter(|&other| other != cell).for_each(|other| neighbours.push(other));
                neighbours
            })
            .collect();
        field
    }

    /// The cells of a set and all cells adjacent to them.
    #[inline]
    #[must_use]
    pub fn grow(&self, cells: Bits<N>) -> Bits<N> {
        let left = (cells & self.not_first_column).down(1);
        let right = (cells & self.not_last_column).up(1);
        // In the rows above and below, a cell touches its own column and the one on the side to which its
        // own row stands.
        let across = cells | (left & !self.shifted_rows) | (right & self.shifted_rows);
        let width = u32::from(self.width);
        (cells | left | right | across.up(width) | across.down(width)) & self.everywhere
    }

    /// A set moved by no step and by one step in each of the six directions: a cell is in as many of them as
    /// it has cells of the set among itself and its neighbours.
    #[inline]
    #[must_use]
    pub fn shifts(&self, cells: Bits<N>) -> [Bits<N>; 7] {
        let left = (cells & self.not_first_column).down(1);
        let right = (cells & self.not_last_column).up(1);
        let slant = (left & !self.shifted_rows) | (right & self.shifted_rows);
        let width = u32::from(self.width);
        [cells, left, right, cells.down(width), cells.up(width), slant.down(width), slant.up(width)]
            .map(|moved| moved & self.everywhere)
    }

    /// The cells that have at least one, at least two, … cells of a set among themselves and their neighbours.
    #[inline]
    #[must_use]
    pub fn crowds<const K: usize>(&self, cells: Bits<N>) -> [Bits<N>; K] {
        let mut crowds = [Bits::EMPTY; K];
        for near in self.shifts(cells) {
            for least in (1..K).rev() {
                let fewer = crowds[least - 1];
                crowds[least] |= fewer & near;
            }
            crowds[0] |= near;
        }
        crowds
    }

    /// How many cells there are.
    #[inline]
    #[must_use]
    pub fn size(&self) -> u16 {
        self.width * self.height
    }

    /// The neighbours of a cell, ascending.
    #[inline]
    #[must_use]
    pub fn next_to(&self, cell: Cell) -> &[Cell] {
        self.neighbours[usize::from(cell)].as_slice()
    }

    /// The name of a cell: `C4`, `AA1`.
    #[must_use]
    pub fn name(&self, cell: Cell) -> String {
        let (row, column) = (cell / self.width, (cell % self.width) as u8);
        let letter = |index: u8| char::from(b'A' + index);
        match column / 26 {
            0 => format!("{}{}", letter(column), row + 1),
            tens => format!("{}{}{}", letter(tens - 1), letter(column % 26), row + 1),
        }
    }

    /// The cell of that name, if there is one on the field.
    #[must_use]
    pub fn cell(&self, name: &str) -> Option<Cell> {
        let (letters, digits) = name.split_at_checked(name.find(|c: char| c.is_ascii_digit())?)?;
        if letters.is_empty() || letters.len() > 2 {
            return None;
        }
        let mut column = 0;
        for letter in letters.bytes() {
            if !letter.is_ascii_uppercase() {
                return None;
            }
            column = column * 26 + u16::from(letter - b'A') + 1;
        }
        let row = number(digits, 1, self.height)?;
        (column <= self.width).then(|| (row - 1) * self.width + column - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cells next to each other by their places alone.
    fn touch(field: &Field<25>, a: Cell, b: Cell) -> bool {
        let place = |cell: Cell| {
            let (row, column) = (i32::from(cell / field.width), i32::from(cell % field.width));
            (row, 2 * column + row % 2)
        };
        let ((row_a, x_a), (row_b, x_b)) = (place(a), place(b));
        matches!(((row_a - row_b).abs(), (x_a - x_b).abs()), (0, 2) | (1, 1))
    }

    #[test]
    fn neighbours_touch() {
        for size in ["3x3", "7x6", "11x11", "4x9", "40x40"] {
            let field = Field::<25>::read(&format!("young:{size}:1:A1:C3")).unwrap();
            for cell in 0..field.size() {
                let near = (0..field.size()).filter(|&other| touch(&field, cell, other));
                assert!(field.next_to(cell).iter().copied().eq(near), "{size} {}", field.name(cell));
            }
        }
    }

    #[test]
    fn crowds_are_counted() {
        let mut rng = fastrand::Rng::with_seed(3);
        for size in ["3x3", "7x6", "11x11", "40x40"] {
            let field = Field::<25>::read(&format!("young:{size}:1:A1:C3")).unwrap();
            let cells: Bits<25> = (0..field.size()).filter(|_| rng.u8(..4) == 0).collect();
            let crowds: [Bits<25>; 7] = field.crowds(cells);
            for cell in 0..field.size() {
                let near = (field.around[usize::from(cell)] & cells).count();
                for (least, crowd) in (1..).zip(crowds) {
                    assert_eq!(crowd.has(cell), near >= least, "{size} {}", field.name(cell));
                }
            }
        }
    }

    #[test]
    fn names_are_read_back() {
        let field = Field::<25>::read("young:40x40:1:A1:AN40").unwrap();
        for cell in 0..field.size() {
            assert_eq!(field.cell(&field.name(cell)), Some(cell));
        }
        for name in ["", "A", "1", "A0", "A01", "A41", "AO1", "a1", "AAA1", "Ä1", "A+1"] {
            assert_eq!(field.cell(name), None, "{name}");
        }
    }

    #[test]
    fn bad_scenarios_are_refused() {
        for text in
            ["", "meadow", "young:7x6:17:B3", "young:7x6:0:B3:F4", "odd:7x6:1:B3:F4", "young:7x6:1:B3:H4"]
        {
            assert!(matches!(Field::<2>::read(text), Err(Error::BadOption { .. })), "{text}");
        }
        assert!(Field::<1>::read("young:9x8:1:B3:F4").is_err(), "it has more than 64 cells");
        assert!(Field::<2>::read("rough:9x8:1:B3:F4:A1:Q9").is_err());
    }
}
