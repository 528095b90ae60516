//! Values, and their codes of one byte.
//!
//! In a table being generated a byte is either a count of moves not yet refuted or a decided value; in a
//! finished table counts no longer occur, and what is left undecided is a draw. Distances up to
//! [`LONGEST_SHORT`] have codes of their own. The few longer ones share a code and are listed apart; while they
//! are new, the parity of their distance is in the code, since that is all that generation asks.

use crate::solve::Value;

/// The largest distance with a code of its own.
pub const LONGEST_SHORT: u16 = 100;

/// Undecided, with nothing known; in a finished table a draw.
pub const DRAW: u8 = 0;
/// The largest count of moves not yet refuted.
pub const MOST_MOVES: u8 = 47;
const WIN: u8 = 48;
const LOSS: u8 = 149;
const NEW_LONG_WIN: u8 = 250;
const NEW_LONG_LOSS: u8 = 252;
/// A number that is not used: the mirror image has another.
pub const UNUSED: u8 = 254;
/// A distance that is listed apart.
pub const LONG: u8 = 255;

/// Whether a code is a count of moves not yet refuted.
#[inline]
pub fn is_open(code: u8) -> bool {
    code.wrapping_sub(1) < MOST_MOVES
}

impl Value {
    /// The code of a value while it is new.
    pub fn code(self) -> u8 {
        match self {
            Value::Win(distance) if distance <= LONGEST_SHORT => WIN + distance as u8,
            Value::Loss(distance) if distance <= LONGEST_SHORT => LOSS + distance as u8,
            Value::Win(distance) => NEW_LONG_WIN + (distance & 1) as u8,
            Value::Loss(distance) => NEW_LONG_LOSS + (distance & 1) as u8,
            Value::Draw => DRAW,
        }
    }

    /// The value of a code, unless it is listed apart or no value.
    pub fn from_code(code: u8) -> Option<Value> {
        match code {
            DRAW => Some(Value::Draw),
            WIN..LOSS => Some(Value::Win(u16::from(code - WIN))),
            LOSS..NEW_LONG_WIN => Some(Value::Loss(u16::from(code - LOSS))),
            _ => None,
        }
    }

    /// A value under our rules as dōbutsu shōgi counts it.
    ///
    /// There every win takes an odd number of plies and every loss an even one. A game that ends by reaching
    /// the far row takes one ply more with us; as the lengths that a player chooses between differ by two at
    /// least, this ply never changes which is shorter. So parity tells which way the game ends, and the other
    /// distance.
    pub fn in_dobutsu(self) -> Value {
        match self {
            Value::Win(0) | Value::Draw => self,
            Value::Win(distance) => Value::Win(distance - (distance + 1) % 2),
            Value::Loss(distance) => Value::Loss(distance - distance % 2),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_all_different() {
        let short = (0..=LONGEST_SHORT).flat_map(|d| [Value::Win(d), Value::Loss(d)]);
        let mut codes: Vec<u8> = short.clone().map(Value::code).collect();
        assert!(short.clone().all(|value| Value::from_code(value.code()) == Some(value)));
        codes.extend([101, 102].into_iter().flat_map(|d| [Value::Win(d).code(), Value::Loss(d).code()]));
        codes.extend([DRAW, UNUSED, LONG]);
        codes.extend(1..=MOST_MOVES);
        codes.sort_unstable();
        assert!(codes.windows(2).all(|two| two[0] < two[1]));
    }
}
