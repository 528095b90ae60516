//! The set of sixty tokens, read from the data that the Python rules read too.

/// Four colours (0 to 4), clockwise from the upper left stone.
pub type Side = [u8; 4];

/// How many tokens there are.
pub const TOKENS: usize = 60;
/// How many different base sides there are.
pub const KINDS: usize = 30;
/// The letters of the colours.
pub const COLOURS: &[u8; 5] = b"RYGBV";

const DATA: &str = include_str!("../../../../../src/visavis/rules/stones/tokens.json");

/// What is printed on the tokens.
///
/// A token is named by its improved side, 0 to 59. A *kind* is a base side, 0 to 29, in the order of first
/// appearance in the data; the two tokens of a kind are twins.
#[derive(Clone)]
pub struct Set {
    /// The improved side of every token.
    pub improved: [Side; TOKENS],
    /// The base side of every kind.
    pub base: [Side; KINDS],
    /// The kind of every token.
    pub kind: [u8; TOKENS],
    /// The two tokens of every kind.
    pub twins: [[u8; 2]; KINDS],
}

/// Reads a side.
pub fn parse_side(text: &str) -> Option<Side> {
    let mut side = Side::default();
    if text.len() != side.len() {
        return None;
    }
    for (stone, letter) in side.iter_mut().zip(text.bytes()) {
        *stone = COLOURS.iter().position(|&colour| colour == letter)? as u8;
    }
    Some(side)
}

/// The letters of a side.
pub fn format_side(side: Side) -> String {
    side.iter().map(|&colour| char::from(COLOURS[usize::from(colour)])).collect()
}

/// All values of a key in the data, in order. The data is ours, so a full JSON reader would earn nothing.
fn sides<'a>(key: &'a str) -> impl Iterator<Item = Side> + 'a {
    DATA.split(key).skip(1).map(|rest| {
        let text = rest.split('"').nth(1).expect("a side follows its key");
        parse_side(text).expect("four stones")
    })
}

impl Set {
    /// Reads the data.
    pub fn load() -> Self {
        let mut set = Set {
            improved: [Side::default(); TOKENS],
            base: [Side::default(); KINDS],
            kind: [0; TOKENS],
            twins: [[0; 2]; KINDS],
        };
        let mut kinds: Vec<Side> = Vec::with_capacity(KINDS);
        for (token, (improved, base)) in sides("\"improved\":").zip(sides("\"base\":")).enumerate() {
            let kind = kinds.iter().position(|&seen| seen == base).unwrap_or(kinds.len());
            let again = usize::from(kind < kinds.len());
            if again == 0 {
                kinds.push(base);
            }
            set.improved[token] = improved;
            set.base[kind] = base;
            set.kind[token] = kind as u8;
            set.twins[kind][again] = token as u8;
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_improved_side_once_every_base_side_twice() {
        let set = Set::load();
        let mut improved = set.improved.to_vec();
        improved.sort_unstable();
        improved.dedup();
        assert_eq!(improved.len(), TOKENS);
        for (kind, &[one, other]) in set.twins.iter().enumerate() {
            assert!(one < other);
            assert_eq!(usize::from(set.kind[usize::from(one)]), kind);
            assert_eq!(usize::from(set.kind[usize::from(other)]), kind);
        }
        assert_eq!(format_side(set.improved[0]), "RRYG");
        assert_eq!(format_side(set.base[0]), "RVGB");
    }
}
