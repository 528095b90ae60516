//! The texts of D&E, the same as in Python (`visavis.rules.dande.text` describes them).

use super::board::{bit, each};
use super::state::{Effect, NOWHERE, Pair, State, places};
use super::{MOST_PAIRS, Move};
use crate::spelling::whole;
use std::fmt::Write;

/// The name of a cell.
pub fn cell_name(cell: u8) -> String {
    format!("{}{}", char::from(b'a' + cell % 8), cell / 8 + 1)
}

/// Reads the name of a cell.
fn parse_cell(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Some((rank - b'1') * 8 + file - b'a'),
        _ => None,
    }
}

pub fn format_move(mv: Move) -> String {
    let sign = if mv.captures { 'x' } else { '-' };
    format!("{}{sign}{}", cell_name(mv.origin), cell_name(mv.target))
}

/// Reads a move in letters of either case.
pub fn parse_move(text: &str) -> Option<Move> {
    let text = &text.to_ascii_lowercase();
    let captures = match text.as_bytes().get(2)? {
        b'-' => false,
        b'x' => true,
        _ => return None,
    };
    let (origin, target) = (parse_cell(text.get(..2)?)?, parse_cell(text.get(3..)?)?);
    Some(Move { origin, target, captures })
}

/// What a kind of piece is written as by first; second has the small letter.
const LETTERS: [u8; 4] = *b"KJED";
/// How many of each kind a player starts with.
const ARMY: [u32; 4] = [1, 1, 6, 2];

impl State {
    fn kinds(&self) -> [u64; 4] {
        [self.kings, self.jumpers, self.executioners, self.defenders]
    }

    fn kind_mut(&mut self, kind: usize) -> &mut u64 {
        match kind {
            0 => &mut self.kings,
            1 => &mut self.jumpers,
            2 => &mut self.executioners,
            _ => &mut self.defenders,
        }
    }
}

pub fn format_state(state: &State) -> String {
    let mut text = format_board(state);
    let _ = write!(text, " {}", state.turn);
    if state.spurred {
        text.push('+');
    } else if state.stop != NOWHERE {
        let _ = write!(text, "@{}", cell_name(state.stop));
    }
    let effect = |pair: &Pair| pair.effect.map_or("?", Effect::name);
    let pairs = state.pairs().iter().map(|pair| format!("{}:{}", cell_name(pair.cell), effect(pair)));
    let turns = |cell| if state.mired[1] & bit(cell) != 0 { 2 } else { 1 };
    let mired = each(state.mired[0] | state.mired[1]).map(|c| format!("{}:{}", cell_name(c), turns(c)));
    let _ = write!(text, " {} {} {}", state.plies, list(pairs), list(mired));
    text
}

/// Items with commas, or `-` if there are none.
fn list(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    if items.is_empty() { "-".to_owned() } else { items.join(",") }
}

fn format_board(state: &State) -> String {
    let mut text = String::with_capacity(160);
    for rank in (0..8).rev() {
        let mut empty = 0;
        for cell in rank * 8..rank * 8 + 8 {
            let Some(kind) = state.kinds().iter().position(|set| set & bit(cell) != 0) else {
                empty += 1;
                continue;
            };
            push_count(&mut text, &mut empty);
            let first = state.sides[0] & bit(cell) != 0;
            let letter = LETTERS[kind];
            text.push(char::from(if first { letter } else { letter.to_ascii_lowercase() }));
            if state.turned & bit(cell) != 0 {
                text.push('~');
            }
        }
        push_count(&mut text, &mut empty);
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

/// Writes how many empty cells there were, if there were any.
fn push_count(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push(char::from(b'0' + std::mem::take(empty)));
    }
}

/// Reads a position, or says why the text is none or what makes the position impossible.
pub fn parse_state(text: &str) -> Result<State, String> {
    let fields: Vec<&str> = text.splitn(6, ' ').collect();
    let &[board, turn, plies, pairs, mired] = &fields[..] else {
        return Err("write board, turn, moves made, bad cells, mired pieces".to_owned());
    };
    let mut state = State { plies: number(plies)?, ..State::HOME };
    parse_board(&mut state, board)?;
    parse_turn(&mut state, turn)?;
    parse_pairs(&mut state, pairs)?;
    parse_mired(&mut state, mired)?;
    match flaw(&state) {
        Some(flaw) => Err(flaw.to_owned()),
        None => Ok(state),
    }
}

fn number(text: &str) -> Result<u32, String> {
    let number = whole(text).filter(|_| text.len() <= 9);
    number.ok_or_else(|| format!("{text:?} is no number of moves or turns"))
}

fn parse_board(state: &mut State, board: &str) -> Result<(), String> {
    state.sides = [0, 0];
    (state.kings, state.jumpers, state.executioners, state.defenders) = (0, 0, 0, 0);
    let ranks: Vec<&str> = board.splitn(9, '/').collect();
    if ranks.len() != 8 {
        return Err("the board has 8 ranks".to_owned());
    }
    for (rank, row) in (0..8).rev().zip(ranks) {
        parse_rank(state, rank, row.as_bytes())
            .ok_or_else(|| format!("rank {} is not 8 cells of known pieces", rank + 1))?;
    }
    Ok(())
}

fn parse_rank(state: &mut State, rank: u8, row: &[u8]) -> Option<()> {
    let mut file = 0;
    let mut before = b' ';
    for &item in row {
        match item {
            b'1'..=b'8' if !before.is_ascii_digit() => file += item - b'0',
            b'~' if matches!(before, b'E' | b'D' | b'e' | b'd') => {
                state.turned |= bit(rank * 8 + file - 1);
            }
            _ => {
                let kind = LETTERS.iter().position(|&letter| letter == item.to_ascii_uppercase())?;
                if file >= 8 {
                    return None;
                }
                let here = bit(rank * 8 + file);
                *state.kind_mut(kind) |= here;
                state.sides[usize::from(item.is_ascii_lowercase())] |= here;
                file += 1;
            }
        }
        if file > 8 {
            return None;
        }
        before = item;
    }
    (file == 8).then_some(())
}

fn parse_turn(state: &mut State, text: &str) -> Result<(), String> {
    let mut digits = text;
    if let Some((turn, stop)) = text.split_once('@') {
        state.stop = parse_cell(stop).ok_or_else(|| format!("{stop:?} is no cell"))?;
        digits = turn;
    } else if let Some(turn) = text.strip_suffix('+') {
        state.spurred = true;
        digits = turn;
    }
    state.turn = number(digits)?;
    Ok(())
}

fn parse_pairs(state: &mut State, text: &str) -> Result<(), String> {
    if text == "-" {
        return Ok(());
    }
    for item in text.splitn(MOST_PAIRS + 1, ',') {
        let pair = parse_pair(item).ok_or_else(|| format!("{item:?} is no pair of bad cells"))?;
        if state.bad & bit(pair.cell) != 0 {
            return Err("bad cells are told once each, in the order of their names".to_owned());
        }
        if state.pairs().len() == MOST_PAIRS {
            return Err(format!("there are at most {MOST_PAIRS} pairs of bad cells"));
        }
        if pair.effect.is_some_and(|effect| state.knows(effect)) {
            return Err("two pairs have the same effect".to_owned());
        }
        state.add_pair(pair);
        if state.pairs().last() != Some(&pair) {
            return Err("bad cells are told once each, in the order of their names".to_owned());
        }
    }
    Ok(())
}

fn parse_pair(item: &str) -> Option<Pair> {
    let (cell, effect) = item.split_once(':')?;
    let cell = parse_cell(cell).filter(|&cell| places().any(|place| place == cell))?;
    let effect = match effect {
        "?" => None,
        name => Some(Effect::ALL.into_iter().find(|effect| effect.name() == name)?),
    };
    Some(Pair { cell, effect })
}

fn parse_mired(state: &mut State, text: &str) -> Result<(), String> {
    if text == "-" {
        return Ok(());
    }
    for item in text.splitn(3, ',') {
        let (cell, turns) = match item.split_once(':') {
            Some((cell, "1")) => (parse_cell(cell), 0),
            Some((cell, "2")) => (parse_cell(cell), 1),
            _ => (None, 0),
        };
        let cell = cell.ok_or_else(|| format!("{item:?} is no mired piece"))?;
        let told = state.mired[0] | state.mired[1];
        if told >> cell != 0 {
            return Err("mired pieces are told once each, in the order a1, b1, … h8".to_owned());
        }
        let pair = state.pairs().iter().find(|pair| pair.has(cell));
        if pair.is_none_or(|pair| pair.effect != Some(Effect::Mire)) {
            return Err(format!("{} is no mire", cell_name(cell)));
        }
        if (state.sides[0] | state.sides[1]) & bit(cell) == 0 {
            return Err(format!("no piece is mired on {}", cell_name(cell)));
        }
        state.mired[turns] |= bit(cell);
    }
    Ok(())
}

/// Says what makes a position impossible.
fn flaw(state: &State) -> Option<&'static str> {
    army_flaw(state).or_else(|| turn_flaw(state))
}

fn army_flaw(state: &State) -> Option<&'static str> {
    for side in state.sides {
        let army = state.kinds().map(|kind| (kind & side).count_ones());
        let missing = (ARMY[2] + ARMY[3]).saturating_sub(army[2] + army[3]);
        let jumpers = ARMY[1] + if state.knows(Effect::Crown) { missing } else { 0 };
        let most = [ARMY[0], jumpers, ARMY[2], ARMY[3]];
        if army.iter().zip(most).any(|(&have, most)| have > most) {
            return Some("there are too many pieces of one kind");
        }
    }
    (state.turned != 0 && !state.knows(Effect::Mirror)).then_some("a piece is turned, but no mirror is known")
}

fn turn_flaw(state: &State) -> Option<&'static str> {
    let untouched = State { pairs: state.pairs, drawn: state.drawn, bad: state.bad, ..State::HOME };
    if state.turn == 0 && (*state != untouched || state.pairs().iter().any(|pair| pair.effect.is_some())) {
        return Some("in turn 0 nothing has happened");
    }
    let stopped = state.stop != NOWHERE;
    let least = (state.turn + u32::from(state.spurred || stopped)).saturating_sub(1);
    if state.plies < least || state.plies > 2 * state.turn {
        return Some("so many moves don't make so many turns");
    }
    if state.spurred && !state.knows(Effect::Spur) {
        return Some("a second move is due, but no spur is known");
    }
    if state.spurred && !state.can_move() {
        return Some("a second move is due, but there is none");
    }
    if stopped {
        let own = state.sides[state.mover().index()];
        let unknown = |pair: &Pair| pair.effect.is_none() && pair.has(state.stop);
        if own & bit(state.stop) == 0 || !state.pairs().iter().any(unknown) {
            return Some("no piece can have stopped there");
        }
    }
    None
}
