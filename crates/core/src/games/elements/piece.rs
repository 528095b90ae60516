//! Elements, and what there is to know about an ordinary piece.

use fastrand::Rng;

/// The five elements, residues mod 5 (E5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Element {
    /// `F`
    Fire,
    /// `M`
    Metal,
    /// `W`
    Wood,
    /// `E`
    Earth,
    /// `A`: *aqua*
    Water,
}

impl Element {
    /// All five, in order.
    pub const ALL: [Element; 5] =
        [Element::Fire, Element::Metal, Element::Wood, Element::Earth, Element::Water];

    /// The letter of the texts.
    pub const fn letter(self) -> char {
        ['F', 'M', 'W', 'E', 'A'][self as usize]
    }

    /// The element of a capital letter.
    pub fn from_letter(letter: char) -> Option<Element> {
        Element::ALL.into_iter().find(|element| element.letter() == letter)
    }

    /// The bit of this element in a set of elements.
    pub const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// The elements of a set, in order.
pub fn elements(set: u8) -> impl Iterator<Item = Element> {
    Element::ALL.into_iter().filter(move |element| set & element.bit() != 0)
}

/// How a battle goes, for the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Battle {
    /// Both fall.
    Trade,
    /// The defender falls.
    Win,
    /// Nothing happens.
    Nothing,
    /// The attacker falls.
    Loss,
}

/// How a battle of two used elements goes (E16).
#[inline]
pub const fn battle(attacker: Element, defender: Element) -> Battle {
    match (defender as u8 + 5 - attacker as u8) % 5 {
        0 => Battle::Trade,
        1 | 2 => Battle::Win,
        3 => Battle::Nothing,
        _ => Battle::Loss,
    }
}

/// After two changes every element is possible again: counting on tells nothing.
pub const MANY_CHANGES: u8 = 2;

const NONE: u16 = 7;
const START: u32 = 0;
const NOW: u32 = 3;
const SEEN: u32 = 6;
const NEVER: u32 = 9;
const CHANGES: u32 = 12;
const TOLD: u16 = 1 << 14;

/// An ordinary piece, in 15 bits: its secrets (the element it started with and has now, which may be
/// unknown in a view), and what both players know of it, as in the Python rules' `Track`:
///
/// - whether its start was told by its first opening;
/// - if that came after one change: the element that it never started with;
/// - the element last seen, and the changes on bases since then, or since the start.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Piece(u16);

impl Piece {
    /// A piece of which nothing is known.
    pub const UNKNOWN: Piece = Piece(NONE << START | NONE << NOW | NONE << SEEN | NONE << NEVER);

    /// A hidden piece with the element of its set-up.
    pub const fn new(element: Element) -> Piece {
        Piece((element as u16) << START | (element as u16) << NOW | NONE << SEEN | NONE << NEVER)
    }

    #[inline]
    const fn get(self, at: u32) -> Option<Element> {
        let code = (self.0 >> at & NONE) as usize;
        if code < 5 { Some(Element::ALL[code]) } else { None }
    }

    #[inline]
    const fn set(self, at: u32, element: Option<Element>) -> Piece {
        let code = match element {
            Some(element) => element as u16,
            None => NONE,
        };
        Piece(self.0 & !(NONE << at) | code << at)
    }

    #[inline]
    const fn with_changes(self, changes: u8) -> Piece {
        Piece(self.0 & !(3 << CHANGES) | (changes as u16) << CHANGES)
    }

    /// The element of its set-up.
    pub const fn start(self) -> Option<Element> {
        self.get(START)
    }

    /// The element it has, or had when it was destroyed.
    #[inline]
    pub const fn now(self) -> Option<Element> {
        self.get(NOW)
    }

    /// The element it was last seen with by both.
    pub const fn seen(self) -> Option<Element> {
        self.get(SEEN)
    }

    /// The element that both know it did not start with.
    pub const fn never(self) -> Option<Element> {
        self.get(NEVER)
    }

    /// Whether both know what it started with.
    pub const fn is_told(self) -> bool {
        self.0 & TOLD != 0
    }

    /// Changes since it was last seen; 2 stands for more.
    pub const fn changes(self) -> u8 {
        (self.0 >> CHANGES & 3) as u8
    }

    /// Whether both know its element now.
    #[inline]
    pub const fn is_open(self) -> bool {
        self.0 >> SEEN & NONE != NONE && self.changes() == 0
    }

    /// The piece after both have seen that it has this element.
    #[inline]
    pub const fn opened(self, element: Element) -> Piece {
        let opened = match (self.seen(), self.changes()) {
            (None, 0) => Piece(self.0 | TOLD),
            (None, 1) => self.set(NEVER, Some(element)),
            _ => self,
        };
        opened.set(SEEN, Some(element)).with_changes(0)
    }

    /// The piece after it took another element on a base.
    #[inline]
    pub const fn changed(self, element: Element) -> Piece {
        let changes = self.changes() + 1;
        self.set(NOW, Some(element)).with_changes(if changes < MANY_CHANGES { changes } else { MANY_CHANGES })
    }

    /// What both players know of it.
    pub const fn public(self) -> Piece {
        let start = if self.is_told() { self.start() } else { None };
        let now = if self.is_open() { self.seen() } else { None };
        self.set(START, start).set(NOW, now)
    }

    /// Whether its owner's secrets are all known.
    pub const fn is_known(self) -> bool {
        self.start().is_some() && self.now().is_some()
    }

    /// The piece with a start that fits what is known, and an element now that fits both (E13).
    pub fn guessed(self, start: Element, rng: &mut Rng) -> Piece {
        let before = self.seen().unwrap_or(start);
        let now = self.now().unwrap_or_else(|| match self.changes() {
            0 => before,
            1 => Element::ALL[(before as usize + rng.usize(1..5)) % 5],
            _ => Element::ALL[rng.usize(..5)],
        });
        self.set(START, Some(start)).set(NOW, Some(now))
    }

    /// The piece that a story in the texts describes.
    pub const fn told(story: Story) -> Piece {
        let piece = Piece::UNKNOWN.set(START, story.start).set(NOW, story.now);
        let piece = piece.set(SEEN, story.seen).set(NEVER, story.never).with_changes(story.changes);
        if story.is_told { Piece(piece.0 | TOLD) } else { piece }
    }
}

/// The parts of a [`Piece`].
#[derive(Clone, Copy, Debug)]
pub struct Story {
    /// [`Piece::start`]
    pub start: Option<Element>,
    /// [`Piece::now`]
    pub now: Option<Element>,
    /// [`Piece::seen`]
    pub seen: Option<Element>,
    /// [`Piece::never`]
    pub never: Option<Element>,
    /// [`Piece::changes`]
    pub changes: u8,
    /// [`Piece::is_told`]
    pub is_told: bool,
}
