//! A player's whole won game as a small book.
//!
//! The start is lost for first, so second has an answer to everything that first may do. The book holds one
//! answer for each position that second can come to by its own answers: a shortest win, and of several one to a
//! position that the book has already. Wins in up to three plies are left out; they are found by looking at the
//! moves ([`soon`]), which needs no table.
//!
//! In a file the positions are in the order of their numbers, each with the difference to the one before in
//! groups of seven bits, lowest first, and a byte that says which of the numbered positions after a move, in
//! their order, is the answer. Before them come `VVANSWER`, the version and the count, and after them a CRC-32 of
//! everything, each four bytes, little-endian.
//!
//! [`Book::prove`] plays all moves of first against the book, with nothing but the rules: that is the proof that
//! it wins.

use super::file::checksum;
use super::forward::{outlook, successors};
use super::numbering::Numbering;
use super::oracle::{Oracle, at_a_glance};
use super::position::Position;
use super::{Convention, Pieces};
use crate::solve::{Proof, TableError, Value};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet, VecDeque};

const MAGIC: &[u8; 8] = b"VVANSWER";
const VERSION: u32 = 1;
const FRAME: usize = 16;
/// Wins that are found without the book.
const SOON: u16 = 3;

/// Answers to all that the first player may do.
#[derive(Debug)]
pub struct Book {
    numbering: Numbering,
    answers: Vec<(u32, u8)>,
}

/// What can be said of a position without the table and without playing on.
fn glimpse(position: &Position) -> Option<Value> {
    at_a_glance(position, Convention::Osakana).or_else(|| outlook(position).value(Convention::Osakana))
}

/// Which of the positions after a move is lost for the opponent within two plies, soonest first.
fn soon(after: &[Position]) -> Option<usize> {
    let losses = after.iter().enumerate().filter_map(|(place, position)| match glimpse(position) {
        Some(Value::Loss(distance)) if distance < SOON => Some((distance, place)),
        _ => None,
    });
    losses.min().map(|(_, place)| place)
}

impl Book {
    /// The book of a table in which the start is lost; none if it is not.
    pub fn build(oracle: &Oracle) -> Result<Option<Book>, TableError> {
        let numbering = Numbering::new(oracle.header().pieces);
        let start = Position::start(numbering.pieces());
        if oracle.header().convention != Convention::Osakana
            || !matches!(oracle.value(&start)?, Value::Loss(_))
        {
            return Ok(None);
        }
        let mut answers = HashMap::new();
        let mut met = HashSet::from([numbering.number(&start).index]);
        let mut queue = VecDeque::from([start]);
        while let Some(position) = queue.pop_front() {
            for asked in successors(&position) {
                if at_a_glance(&asked, Convention::Osakana).is_some() || soon(&successors(&asked)).is_some() {
                    continue;
                }
                let number = numbering.number(&asked).index;
                if answers.contains_key(&number) {
                    continue;
                }
                let answer = choose(oracle, &numbering, &asked, &met)?;
                answers.insert(number, place_of(&numbering, &successors(&asked), &answer));
                if met.insert(numbering.number(&answer).index) {
                    queue.push_back(answer);
                }
            }
        }
        let mut answers: Vec<(u32, u8)> = answers.into_iter().collect();
        answers.sort_unstable();
        Ok(Some(Book { numbering, answers }))
    }

    /// How many answers it has.
    pub fn len(&self) -> usize {
        self.answers.len()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Which of the positions after a move to go to: the book's answer, or a win that is in sight.
    pub fn choose(&self, position: &Position, after: &[Position]) -> Option<usize> {
        if position.pieces() != self.numbering.pieces() {
            return None;
        }
        if let Some(place) = soon(after) {
            return Some(place);
        }
        if !self.numbering.covers(position) {
            return None;
        }
        let number = self.numbering.number(position).index;
        let found = self.answers.binary_search_by_key(&number, |answer| answer.0).ok()?;
        let wanted = *covered_numbers(&self.numbering, after).get(usize::from(self.answers[found].1))?;
        after.iter().position(|position| {
            self.numbering.covers(position) && self.numbering.number(position).index == wanted
        })
    }

    /// The bytes of its file.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((self.answers.len() as u32).to_le_bytes());
        let mut last = 0;
        for &(number, answer) in &self.answers {
            let mut difference = number - last;
            last = number;
            while difference >= 128 {
                bytes.push(difference as u8 | 128);
                difference >>= 7;
            }
            bytes.extend([difference as u8, answer]);
        }
        bytes.extend(checksum(&[&bytes]).to_le_bytes());
        bytes
    }

    /// A book for the whole game from the bytes of a file.
    pub fn decode(bytes: &[u8]) -> Result<Book, TableError> {
        if bytes.len() < FRAME + 4 || &bytes[..8] != MAGIC {
            return Err(TableError::Foreign);
        }
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        if word(8) != VERSION {
            return Err(TableError::Version { found: word(8), known: VERSION });
        }
        let end = bytes.len() - 4;
        if checksum(&[&bytes[..end]]) != word(end) {
            return Err(TableError::Damaged);
        }
        let mut rest = bytes[FRAME..end].iter();
        let mut answers = Vec::new();
        let mut last = 0u32;
        for _ in 0..word(12) {
            let mut shift = 0;
            loop {
                let group = *rest.next().ok_or(TableError::Damaged)?;
                last = last.wrapping_add(u32::from(group & 127).checked_shl(shift).unwrap_or(0));
                shift += 7;
                if group < 128 {
                    break;
                }
            }
            answers.push((last, *rest.next().ok_or(TableError::Damaged)?));
        }
        match rest.next() {
            None => Ok(Book { numbering: Numbering::new(Pieces::ALL), answers }),
            Some(_) => Err(TableError::Damaged),
        }
    }

    /// Plays everything that first may do from the start against the book. The error is a position, seen by
    /// second, in which the book has no answer, or one, seen by first, that its answers come back to.
    pub fn prove(&self) -> Result<Proof, Position> {
        let start = Position::start(self.numbering.pieces());
        // How long the game still lasts, by position with first to move; none while that is being found out.
        let mut lasts: HashMap<u32, Option<u16>> =
            HashMap::from([(self.numbering.number(&start).index, None)]);
        let mut path = vec![(start, self.replies(&start)?)];
        let mut longest = 0;
        while let Some((position, replies)) = path.last_mut() {
            if let Some(next) = replies.undecided.pop() {
                match lasts.entry(self.numbering.number(&next).index) {
                    Entry::Vacant(vacant) => {
                        vacant.insert(None);
                        path.push((next, self.replies(&next)?));
                    }
                    Entry::Occupied(known) => {
                        replies.lasts = replies.lasts.max(known.get().ok_or(next)? + 2);
                    }
                }
                continue;
            }
            longest = replies.lasts;
            lasts.insert(self.numbering.number(position).index, Some(longest));
            path.pop();
            if let Some((_, before)) = path.last_mut() {
                before.lasts = before.lasts.max(longest + 2);
            }
        }
        Ok(Proof { positions: lasts.len() as u64, longest })
    }

    /// Answers each move of first.
    fn replies(&self, position: &Position) -> Result<Replies, Position> {
        let mut found = Replies { lasts: 2, undecided: Vec::new() };
        for asked in successors(position) {
            match at_a_glance(&asked, Convention::Osakana) {
                // Second takes the tuna, and is done.
                Some(Value::Win(1)) => continue,
                Some(_) => return Err(asked),
                None => {}
            }
            let after = successors(&asked);
            let next = after[self.choose(&asked, &after).ok_or(asked)?];
            match glimpse(&next) {
                Some(Value::Loss(distance)) => found.lasts = found.lasts.max(distance + 2),
                _ => found.undecided.push(next),
            }
        }
        Ok(found)
    }
}

/// What the book makes of all moves of first in a position.
struct Replies {
    /// How many plies the game lasts at most, by what has been looked at.
    lasts: u16,
    /// Positions with first to move that are to be looked at yet.
    undecided: Vec<Position>,
}

/// The numbers of those positions that have one, in order, each once.
fn covered_numbers(numbering: &Numbering, positions: &[Position]) -> Vec<u32> {
    let covered = positions.iter().filter(|position| numbering.covers(position));
    let mut numbers: Vec<u32> = covered.map(|position| numbering.number(position).index).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

fn place_of(numbering: &Numbering, after: &[Position], answer: &Position) -> u8 {
    let wanted = numbering.number(answer).index;
    let numbers = covered_numbers(numbering, after);
    numbers.iter().position(|&number| number == wanted).expect("an answer is a move") as u8
}

/// The position to go to from a won one: a quickest win, and if there are several one that is met already, or
/// else the first in the order of moves, which makes a smaller book than other orders do.
fn choose(
    oracle: &Oracle,
    numbering: &Numbering,
    asked: &Position,
    met: &HashSet<u32>,
) -> Result<Position, TableError> {
    let mut best = None;
    for after in successors(asked).into_iter().filter(|after| numbering.covers(after)) {
        let number = numbering.number(&after).index;
        if let Value::Loss(distance) = oracle.value_of(number)? {
            let key = (distance, !met.contains(&number));
            if best.is_none_or(|(least, _)| key < least) {
                best = Some((key, after));
            }
        }
    }
    best.map(|(_, after)| after).ok_or(TableError::Damaged)
}
