//! Positions as numbers, without gaps.
//!
//! Numbered are the positions that need a value from a table, seen by the mover and with left and right
//! folded: the mover's tuna is not on the far row (it would have won), the opponent's not on the home row and
//! not within reach (that is decided at a glance). This last condition halves the table and yet costs
//! nothing, for whether a man of the mover would attack the tuna depends on its kind and cell alone: on such
//! cells a man has fewer possible owners, that is all.
//!
//! A number is made of digits, from the most significant:
//!
//! - the two tunas: 21 pairs of cells, left and right folded;
//! - the set of cells with inada or buri, then the set of cells with octopuses, at most two each. These three
//!   name a *block*, a run of a few thousand numbers; the table `first` has where each begins;
//! - in a block, for inada and then for octopuses, who owns them, whether they are buri, and who holds those
//!   in hand: small mixed-radix digits;
//! - the flounders by a closed formula: none, one or two on the free cells, with `n` cells for the
//!   opponent's and `m` (those that don't attack) for the mover's.
//!
//! If both tunas are on the middle column, the mirror image has the same pair; then of the two blocks the one
//! with the smaller sets is used. A block that is its own image holds both images of its positions; the
//! smaller number counts and the other is left unused, a loss of a few numbers in a thousand.

use super::Pieces;
use super::board::{
    ALL, BURI, CELLS, FAR, FLOUNDER, HOME, INADA, NEAR, OCTOPUS, REACHED_BY, cells, count, lane, mirror_mask,
};
use super::position::{Position, Side};

/// Sets of at most two of twelve cells.
const SETS: usize = 79;
const NO_SET: u8 = 255;
const NO_PAIR: u8 = 255;

/// The number of a set of at most two cells.
const SET_NUMBER: [u8; 4096] = {
    let (mut made, mut mask, mut next) = ([NO_SET; 4096], 0, 0);
    while mask < 4096 {
        if (mask as u16).count_ones() <= 2 {
            made[mask] = next;
            next += 1;
        }
        mask += 1;
    }
    made
};

/// What stands where, and how many numbers that takes.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// Its place in the table of beginnings, which names it.
    pub name: u32,
    /// Its first number.
    pub first: u32,
    /// How many numbers it has.
    pub len: u32,
    own_tuna: u8,
    opponent_tuna: u8,
    inada: u16,
    octopuses: u16,
    is_own_image: bool,
}

/// A position's number and the name of its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Number {
    /// The number.
    pub index: u32,
    /// The block it is in.
    pub block: u32,
}

/// The numbering of all positions with a set of pieces.
#[derive(Debug)]
pub struct Numbering {
    pieces: Pieces,
    pairs: [[u8; CELLS]; CELLS],
    first: Vec<u32>,
    blocks: Vec<Block>,
    len: u32,
}

/// One way to place the men of a kind: what each side has on the board, in lanes, and in hand.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    own: u64,
    opponent: u64,
    own_hand: u8,
    opponent_hand: u8,
}

/// A block with all its digits spelled out, to turn numbers into positions quickly.
#[derive(Debug, Default)]
pub struct Opened {
    base: Position,
    inada: Vec<Part>,
    octopuses: Vec<Part>,
    flounders: Vec<Part>,
    is_own_image: bool,
}

/// How many kinds of inada may stand on a cell: the opponent's two, one's own inada, one's own buri.
#[inline]
fn inada_choices(target: usize, cell: usize) -> u32 {
    4 - (lane(REACHED_BY[target], INADA) >> cell & 1) as u32
        - (lane(REACHED_BY[target], BURI) >> cell & 1) as u32
}

/// How many owners an octopus on a cell may have.
#[inline]
fn octopus_choices(target: usize, cell: usize) -> u32 {
    2 - (lane(REACHED_BY[target], OCTOPUS) >> cell & 1) as u32
}

/// How many ways there are to place all flounders on `n` cells, `m` of them fit for the mover's.
#[inline]
fn flounder_choices(pieces: u8, n: u32, m: u32) -> u32 {
    match pieces {
        0 => 1,
        1 => 2 + n + m,
        _ => 3 + 2 * (n + m) + pairs(n) + pairs(m) + m * (n.max(1) - 1),
    }
}

#[inline]
fn pairs(of: u32) -> u32 {
    of * of.saturating_sub(1) / 2
}

#[inline]
fn rank(set: u16, cell: usize) -> u32 {
    count(set & ((1 << cell) - 1)) as u32
}

impl Numbering {
    /// Numbers all positions with these pieces.
    pub fn new(pieces: Pieces) -> Numbering {
        let mut made = Numbering {
            pieces,
            pairs: [[NO_PAIR; CELLS]; CELLS],
            first: Vec::new(),
            blocks: Vec::new(),
            len: 0,
        };
        let mut pair = 0;
        for own in cells(ALL & !FAR) {
            for opponent in cells(ALL & !HOME & !NEAR[own] & !(1 << own)) {
                if own % 3 == 2 || own % 3 == 1 && opponent % 3 == 2 {
                    continue;
                }
                made.pairs[own][opponent] = pair;
                made.add_blocks(pair, own, opponent);
                pair += 1;
            }
        }
        made
    }

    fn add_blocks(&mut self, pair: u8, own: usize, opponent: usize) {
        let sets = || (0..=ALL).filter(|&set| SET_NUMBER[usize::from(set)] != NO_SET);
        let [most_inada, most_octopuses, _] = self.pieces.0.map(usize::from);
        let tunas = 1 << own | 1 << opponent;
        let both_in_middle = own % 3 == 1 && opponent % 3 == 1;
        for inada in sets() {
            for octopuses in sets() {
                self.first.push(self.len);
                let taken = tunas | inada | octopuses;
                let fits = count(inada) <= most_inada
                    && count(octopuses) <= most_octopuses
                    && count(taken) == 2 + count(inada) + count(octopuses);
                let image = (mirror_mask(inada), mirror_mask(octopuses));
                if !fits || both_in_middle && image < (inada, octopuses) {
                    continue;
                }
                let len = self.inada_len(opponent, inada)
                    * self.octopuses_len(opponent, octopuses)
                    * self.flounders_len(opponent, ALL & !taken);
                self.blocks.push(Block {
                    name: (usize::from(pair) * SETS * SETS
                        + usize::from(SET_NUMBER[usize::from(inada)]) * SETS
                        + usize::from(SET_NUMBER[usize::from(octopuses)])) as u32,
                    first: self.len,
                    len,
                    own_tuna: own as u8,
                    opponent_tuna: opponent as u8,
                    inada,
                    octopuses,
                    is_own_image: both_in_middle && image == (inada, octopuses),
                });
                self.len += len;
            }
        }
    }

    fn inada_len(&self, target: usize, set: u16) -> u32 {
        let held = u32::from(self.pieces.0[0]) - count(set) as u32;
        cells(set).map(|cell| inada_choices(target, cell)).product::<u32>() * (held + 1)
    }

    #[inline]
    fn octopuses_len(&self, target: usize, set: u16) -> u32 {
        let held = u32::from(self.pieces.0[1]) - count(set) as u32;
        let barred = lane(REACHED_BY[target], OCTOPUS) & set;
        (held + 1) << (count(set) - count(barred))
    }

    #[inline]
    fn flounders_len(&self, target: usize, free: u16) -> u32 {
        let n = count(free) as u32;
        let m = count(free & !lane(REACHED_BY[target], FLOUNDER)) as u32;
        flounder_choices(self.pieces.0[2], n, m)
    }

    /// The pieces.
    pub fn pieces(&self) -> Pieces {
        self.pieces
    }

    /// How many numbers there are.
    pub fn len(&self) -> u32 {
        self.len
    }

    /// Whether there are none, which never happens.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The blocks in the order of their numbers.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// How many names of blocks there are: more than blocks.
    pub fn names(&self) -> usize {
        self.first.len()
    }

    /// Whether a position is one of those that are numbered.
    pub fn covers(&self, position: &Position) -> bool {
        position.own.tuna & !FAR != 0
            && position.opponent.tuna & !HOME != 0
            && !position.takes_tuna()
            && position.pieces() == self.pieces
    }

    /// The number of a position that is covered; the same for its mirror image.
    #[inline]
    pub fn number(&self, position: &Position) -> Number {
        let (own, opponent) = (position.own.tuna_cell() % 3, position.opponent.tuna_cell() % 3);
        if own == 2 || own == 1 && opponent == 2 {
            return self.raw(&position.mirrored());
        }
        if own == 1 && opponent == 1 {
            let both = position.own.men | position.opponent.men;
            let sets = (lane(both, INADA) | lane(both, BURI), lane(both, OCTOPUS));
            let image = (mirror_mask(sets.0), mirror_mask(sets.1));
            if image < sets {
                return self.raw(&position.mirrored());
            }
            if image == sets {
                return self.raw(position).min(self.raw(&position.mirrored()));
            }
        }
        self.raw(position)
    }

    /// The number of a position that need not be mirrored.
    #[inline]
    fn raw(&self, position: &Position) -> Number {
        let (own, opponent) = (&position.own, &position.opponent);
        let target = opponent.tuna_cell();
        let own_inada = lane(own.men, INADA) | lane(own.men, BURI);
        let buri = lane(own.men | opponent.men, BURI);
        let inada = own_inada | lane(opponent.men, INADA) | lane(opponent.men, BURI);
        let octopuses = lane(own.men | opponent.men, OCTOPUS);

        let pair = usize::from(self.pairs[own.tuna_cell()][target]);
        let block = (pair * SETS + usize::from(SET_NUMBER[usize::from(inada & ALL)])) * SETS
            + usize::from(SET_NUMBER[usize::from(octopuses & ALL)]);

        let mut digits = 0;
        for cell in cells(inada) {
            let owner_and_growth = 2 * (own_inada >> cell & 1) + (buri >> cell & 1);
            digits = digits * inada_choices(target, cell) + u32::from(owner_and_growth);
        }
        let held = self.pieces.0[0] as u32 - count(inada) as u32;
        digits = digits * (held + 1) + u32::from(own.hand[0]);

        let mut owners = 0;
        for cell in cells(octopuses) {
            owners = owners * octopus_choices(target, cell) + u32::from(lane(own.men, OCTOPUS) >> cell & 1);
        }
        let held = self.pieces.0[1] as u32 - count(octopuses) as u32;
        owners = owners * (held + 1) + u32::from(own.hand[1]);
        digits = digits * self.octopuses_len(target, octopuses) + owners;

        let free = ALL & !(own.tuna | opponent.tuna | inada | octopuses);
        digits = digits * self.flounders_len(target, free) + self.flounders_code(own, opponent, free);
        Number { index: self.first[block] + digits, block: block as u32 }
    }

    #[inline]
    fn flounders_code(&self, own: &Side, opponent: &Side, free: u16) -> u32 {
        let fit = free & !lane(REACHED_BY[opponent.tuna_cell()], FLOUNDER);
        let (n, m) = (count(free) as u32, count(fit) as u32);
        let (mine, theirs) = (lane(own.men, FLOUNDER), lane(opponent.men, FLOUNDER));
        let pieces = u32::from(self.pieces.0[2]);
        let held = u32::from(own.hand[2]);
        if mine | theirs == 0 {
            return held;
        }
        let low = (mine | theirs).trailing_zeros() as usize;
        let high = 15 - (mine | theirs).leading_zeros() as usize;
        if low == high {
            let slot = if mine != 0 { n + rank(fit, low) } else { rank(free, low) };
            return pieces + 1 + slot * pieces + held;
        }
        let two = 3 + 2 * (n + m);
        if mine == 0 {
            two + pairs(rank(free, high)) + rank(free, low)
        } else if theirs == 0 {
            two + pairs(n) + pairs(rank(fit, high)) + rank(fit, low)
        } else {
            let (at, other) = (mine.trailing_zeros() as usize, theirs.trailing_zeros() as usize);
            two + pairs(n) + pairs(m) + rank(fit, at) * (n - 1) + rank(free & !mine, other)
        }
    }

    /// Spells out a block.
    pub fn open(&self, block: &Block, opened: &mut Opened) {
        let target = usize::from(block.opponent_tuna);
        opened.base = Position {
            own: Side { tuna: 1 << block.own_tuna, ..Side::default() },
            opponent: Side { tuna: 1 << target, ..Side::default() },
        };
        opened.is_own_image = block.is_own_image;
        let free = ALL & !(1 << block.own_tuna | 1 << target | block.inada | block.octopuses);
        self.spell(
            &mut opened.inada,
            0,
            block.inada,
            |cell| inada_choices(target, cell),
            |cell, choice| {
                let man = 1 << (cell + 16 * if choice & 1 == 1 { BURI } else { INADA });
                if choice < 2 { (0, man) } else { (man, 0) }
            },
        );
        self.spell(
            &mut opened.octopuses,
            1,
            block.octopuses,
            |cell| octopus_choices(target, cell),
            |cell, choice| {
                let man = 1 << (cell + 16 * OCTOPUS);
                if choice == 0 { (0, man) } else { (man, 0) }
            },
        );
        self.spell_flounders(&mut opened.flounders, target, free);
    }

    /// All ways to own the men of a kind on given cells and in hand, in the order of their digits.
    fn spell(
        &self,
        parts: &mut Vec<Part>,
        hand: usize,
        set: u16,
        choices: impl Fn(usize) -> u32,
        man: impl Fn(usize, u32) -> (u64, u64),
    ) {
        parts.clear();
        parts.push(Part::default());
        for cell in cells(set) {
            let shorter = std::mem::take(parts);
            for part in shorter {
                for choice in 0..choices(cell) {
                    let (own, opponent) = man(cell, choice);
                    parts.push(Part { own: part.own | own, opponent: part.opponent | opponent, ..part });
                }
            }
        }
        let held = self.pieces.0[hand] - count(set) as u8;
        let shorter = std::mem::take(parts);
        for part in shorter {
            for own_hand in 0..=held {
                parts.push(Part { own_hand, opponent_hand: held - own_hand, ..part });
            }
        }
    }

    /// All ways to place the flounders, in the order of [`Self::flounders_code`].
    fn spell_flounders(&self, parts: &mut Vec<Part>, target: usize, free: u16) {
        let pieces = self.pieces.0[2];
        let fit = free & !lane(REACHED_BY[target], FLOUNDER);
        let man = |cell: usize| 1u64 << (cell + 16 * FLOUNDER);
        parts.clear();
        let mut add = |own, opponent, held: u8| {
            for own_hand in 0..=held {
                parts.push(Part { own, opponent, own_hand, opponent_hand: held - own_hand });
            }
        };
        add(0, 0, pieces);
        if pieces > 0 {
            cells(free).for_each(|cell| add(0, man(cell), pieces - 1));
            cells(fit).for_each(|cell| add(man(cell), 0, pieces - 1));
        }
        if pieces > 1 {
            let below = |cell: usize| (1u16 << cell) - 1;
            for high in cells(free) {
                cells(free & below(high)).for_each(|low| add(0, man(high) | man(low), 0));
            }
            for high in cells(fit) {
                cells(fit & below(high)).for_each(|low| add(man(high) | man(low), 0, 0));
            }
            for mine in cells(fit) {
                cells(free & !(1 << mine)).for_each(|other| add(man(mine), man(other), 0));
            }
        }
    }
}

impl Opened {
    /// The position with an offset into the block.
    #[inline]
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset as usize;
        let (rest, flounders) = (offset / self.flounders.len(), offset % self.flounders.len());
        let (inada, octopuses) = (rest / self.octopuses.len(), rest % self.octopuses.len());
        let (i, o, f) = (self.inada[inada], self.octopuses[octopuses], self.flounders[flounders]);
        let mut position = self.base;
        position.own.men = i.own | o.own | f.own;
        position.own.hand = [i.own_hand, o.own_hand, f.own_hand];
        position.opponent.men = i.opponent | o.opponent | f.opponent;
        position.opponent.hand = [i.opponent_hand, o.opponent_hand, f.opponent_hand];
        position
    }

    /// Whether positions here may be their own mirror images, or have their image here too.
    pub fn is_own_image(&self) -> bool {
        self.is_own_image
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_position_and_back() {
        let numbering = Numbering::new(Pieces([2, 1, 1]));
        let mut opened = Opened::default();
        let mut next = 0;
        for block in numbering.blocks() {
            assert_eq!(block.first, next);
            next += block.len;
            numbering.open(block, &mut opened);
            for offset in 0..block.len {
                let position = opened.position(offset);
                assert!(numbering.covers(&position), "{position}");
                let number = numbering.number(&position);
                assert_eq!(number, numbering.number(&position.mirrored()));
                let raw = Number { index: block.first + offset, block: block.name };
                assert_eq!(numbering.raw(&position), raw, "{position}");
                assert!(number == raw || opened.is_own_image && number < raw);
            }
        }
        assert_eq!(next, numbering.len());
    }

    #[test]
    fn the_whole_game_has_as_many_numbers_as_it_should() {
        let numbering = Numbering::new(Pieces::ALL);
        assert!(numbering.len() < 122_000_000, "{}", numbering.len());
    }
}
