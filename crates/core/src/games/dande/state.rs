//! States and moves of D&E.

use super::board;
use super::board::{Cells, bit, each, king_reach, opposite, spread};
use crate::game::Seat;

/// A piece goes from a cell to another, and captures what stands there if it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    /// From where.
    pub origin: u8,
    /// Where to.
    pub target: u8,
    /// Whether there is something to capture.
    pub captures: bool,
}

/// What a bad cell does to a piece that stops on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Effect {
    /// The piece is lost.
    Pit,
    /// The piece sits out its owner's next two turns.
    Mire,
    /// A walker becomes a jumper.
    Crown,
    /// The same player moves again.
    Spur,
    /// The piece goes to the pair's other cell if that is empty.
    Gate,
    /// A walker walks the other way from now on.
    Mirror,
}

impl Effect {
    /// All effects, in the order of the faces of their roll.
    pub const ALL: [Effect; 6] =
        [Effect::Pit, Effect::Mire, Effect::Crown, Effect::Spur, Effect::Gate, Effect::Mirror];

    /// The effect's name.
    pub const fn name(self) -> &'static str {
        ["pit", "mire", "crown", "spur", "gate", "mirror"][self as usize]
    }
}

/// Two bad cells, each where half a turn of the board takes the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Pair {
    /// The one with the lower name.
    pub cell: u8,
    /// What both do; `None` as long as nobody knows.
    pub effect: Option<Effect>,
}

impl Pair {
    /// Whether a cell is one of the two.
    #[inline]
    pub fn has(self, cell: u8) -> bool {
        cell == self.cell || cell == opposite(self.cell)
    }
}

/// The most pairs there can be.
pub const MOST_PAIRS: usize = 3;
/// How many pieces a player starts with.
pub const ARMY_SIZE: i32 = 10;
/// No cell.
pub const NOWHERE: u8 = 64;

/// The places of the lower-named cell of a pair, in the order of the names: a3 a4 … d6.
pub fn places() -> impl Iterator<Item = u8> {
    (0..4).flat_map(|file| (2..6).map(move |rank| rank * 8 + file))
}

/// All there is to know about a game at one moment; both players know all of it.
///
/// Sets of cells, one bit a cell: who owns the piece there, what kind it is, and what has befallen it.
/// Which pieces are captured follows from those that are left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// Each seat's pieces.
    pub sides: [Cells; 2],
    /// Kings of both seats, at most one each.
    pub kings: Cells,
    /// Jumpers of both seats.
    pub jumpers: Cells,
    /// Executioners of both seats.
    pub executioners: Cells,
    /// Defenders of both seats.
    pub defenders: Cells,
    /// Walkers that a mirror has turned.
    pub turned: Cells,
    /// Pieces that still sit out one turn of their owner, and those that sit out two.
    pub mired: [Cells; 2],
    /// All bad cells.
    pub bad: Cells,
    /// The number of the turn: 0 while bad cells are drawn, then odd numbers are first's.
    pub turn: u32,
    /// How many moves were made.
    pub plies: u32,
    /// The pairs of bad cells in the order of their names; those from `drawn` on are blank.
    pub pairs: [Pair; MOST_PAIRS],
    /// How many pairs are drawn.
    pub drawn: u8,
    /// Where a piece has just stopped on a bad cell whose effect is not drawn yet, or [`NOWHERE`].
    pub stop: u8,
    /// Whether a spur's second move is due.
    pub spurred: bool,
}

impl State {
    /// The armies at home, no bad cells drawn.
    pub const HOME: State = State {
        sides: [0x0000_0000_0000_ff18, 0x18ff_0000_0000_0000],
        kings: 0x1000_0000_0000_0008,
        jumpers: 0x0800_0000_0000_0010,
        executioners: 0x00e7_0000_0000_e700,
        defenders: 0x0018_0000_0000_1800,
        turned: 0,
        mired: [0, 0],
        bad: 0,
        turn: 0,
        plies: 0,
        pairs: [Pair { cell: 0, effect: None }; MOST_PAIRS],
        drawn: 0,
        stop: NOWHERE,
        spurred: false,
    };

    /// Whose turn it is.
    #[inline]
    pub fn mover(&self) -> Seat {
        if self.turn.is_multiple_of(2) && self.turn > 0 { Seat::Second } else { Seat::First }
    }

    /// How many pieces each seat has captured, lost in pits included.
    pub fn captured(&self) -> [i32; 2] {
        [1, 0].map(|other| ARMY_SIZE - self.sides[other].count_ones() as i32)
    }

    /// The pairs drawn so far.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs[..usize::from(self.drawn)]
    }

    /// Whether a pair is known to have an effect.
    pub fn knows(&self, effect: Effect) -> bool {
        self.pairs().iter().any(|pair| pair.effect == Some(effect))
    }

    /// The effects that no pair is known to have.
    pub fn effects_left(&self) -> impl Iterator<Item = Effect> {
        Effect::ALL.into_iter().filter(|&effect| !self.knows(effect))
    }

    /// Adds a pair of bad cells, keeping them in the order of their names.
    pub fn add_pair(&mut self, pair: Pair) {
        let name = |pair: &Pair| (pair.cell % 8, pair.cell / 8);
        let at = self.pairs().iter().take_while(|known| name(known) < name(&pair)).count();
        let drawn = usize::from(self.drawn);
        self.pairs.copy_within(at..drawn, at + 1);
        self.pairs[at] = pair;
        self.drawn += 1;
        self.bad |= bit(pair.cell) | bit(opposite(pair.cell));
    }

    /// The pieces of the player on turn that are not mired.
    #[inline]
    pub fn movable(&self) -> Cells {
        self.sides[self.mover().index()] & !(self.mired[0] | self.mired[1])
    }

    /// Where these pieces of the player on turn can go by one step, for each direction of
    /// [`board::DELTA`]; kings are not among them.
    #[inline]
    pub fn steps(&self, pieces: Cells) -> [Cells; 8] {
        let (own, enemy) = (self.sides[self.mover().index()], self.sides[self.mover().other().index()]);
        let empty = !(own | enemy);
        let executioners = self.executioners & pieces;
        let walkers = executioners | self.defenders & pieces;
        let turned = if self.mover() == Seat::First { self.turned } else { !self.turned };
        let jumps = spread(self.jumpers & pieces);
        let ahead = [spread(walkers & !turned)[0], spread(walkers & turned)[1]];
        let beside = spread(executioners);
        let aslant = spread(walkers);
        let mut steps = [0; 8];
        for (direction, step) in steps.iter_mut().enumerate() {
            let walks = match direction {
                0 | 1 => ahead[direction] & empty,
                _ if direction < board::STRAIGHT => beside[direction] & enemy,
                _ => aslant[direction] & enemy,
            };
            *step = jumps[direction] & !own | walks;
        }
        steps
    }

    /// Where the king among these pieces of the player on turn can go; nowhere if there is none.
    #[inline]
    pub fn slides(&self, pieces: Cells) -> Cells {
        let king = self.kings & pieces;
        if king == 0 {
            return 0;
        }
        king_reach(king.trailing_zeros() as u8, self.sides[0] | self.sides[1])
            & !self.sides[self.mover().index()]
    }

    /// Where one piece of the player on turn can go.
    pub fn targets(&self, origin: u8) -> Cells {
        let piece = bit(origin) & self.movable();
        self.steps(piece).into_iter().fold(self.slides(piece), |all, step| all | step)
    }

    /// Whether the player on turn has any move.
    #[inline]
    pub fn can_move(&self) -> bool {
        let pieces = self.movable();
        self.steps(pieces).into_iter().fold(0, |all, step| all | step) != 0 || self.slides(pieces) != 0
    }

    /// All moves of the player on turn, by where they start and then where they go.
    pub fn moves(&self, moves: &mut Vec<Move>) {
        let enemy = self.sides[self.mover().other().index()];
        for origin in each(self.movable()) {
            let to = |target| Move { origin, target, captures: enemy & bit(target) != 0 };
            moves.extend(each(self.targets(origin)).map(to));
        }
    }

    /// All captures of the player on turn, in no particular order.
    pub fn captures(&self, moves: &mut Vec<Move>) {
        let (pieces, enemy) = (self.movable(), self.sides[self.mover().other().index()]);
        for (step, delta) in self.steps(pieces).into_iter().zip(board::DELTA) {
            let capture =
                |target: u8| Move { origin: target.wrapping_add_signed(-delta), target, captures: true };
            moves.extend(each(step & enemy).map(capture));
        }
        let king = (self.kings & pieces).trailing_zeros() as u8;
        let capture = |target| Move { origin: king, target, captures: true };
        moves.extend(each(self.slides(pieces) & enemy).map(capture));
    }

    /// Takes whatever stands on these cells off the board.
    #[inline]
    pub fn clear(&mut self, cells: Cells) {
        for set in self.piece_sets() {
            *set &= !cells;
        }
    }

    /// Moves a piece to an empty cell.
    #[inline]
    pub fn carry(&mut self, origin: u8, target: u8) {
        let (from, both) = (bit(origin), bit(origin) | bit(target));
        for set in self.piece_sets() {
            if *set & from != 0 {
                *set ^= both;
            }
        }
    }

    /// Every set that a piece can be in.
    #[inline]
    fn piece_sets(&mut self) -> [&mut Cells; 9] {
        let [first, second] = &mut self.sides;
        let [one, two] = &mut self.mired;
        [
            first,
            second,
            &mut self.kings,
            &mut self.jumpers,
            &mut self.executioners,
            &mut self.defenders,
            &mut self.turned,
            one,
            two,
        ]
    }

    /// Lets the piece that stopped on a bad cell feel its effect, after which the turn ends unless a
    /// second move is due. `spurred` says that the move was a spur's second.
    pub fn suffer(&mut self, cell: u8, effect: Effect, spurred: bool) {
        let here = bit(cell);
        let walker = (self.executioners | self.defenders) & here;
        let mut mire = 0;
        match effect {
            Effect::Pit => self.clear(here),
            Effect::Mire => mire = here,
            Effect::Crown => {
                self.executioners &= !walker;
                self.defenders &= !walker;
                self.turned &= !walker;
                self.jumpers |= walker;
            }
            Effect::Spur => {
                self.spurred = !spurred && self.can_move();
                if self.spurred {
                    return;
                }
            }
            Effect::Gate => {
                if (self.sides[0] | self.sides[1]) & bit(opposite(cell)) == 0 {
                    self.carry(cell, opposite(cell));
                }
            }
            Effect::Mirror => self.turned ^= walker,
        }
        self.end_turn();
        self.mired[1] |= mire;
    }

    /// Puts the opponent on turn; mired pieces have sat out one turn more.
    #[inline]
    pub fn end_turn(&mut self) {
        if self.mired != [0, 0] {
            let own = self.sides[self.mover().index()];
            let [one, two] = self.mired;
            self.mired = [one & !own | two & own, two & !own];
        }
        self.turn += 1;
    }
}
