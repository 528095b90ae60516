//! Texts of moves and positions, as in the Python rules.

use super::bits::Bits;
use super::board::{Cell, Field};
use super::{Move, State};
use crate::spelling::whole;

/// The canonical text of a move.
pub fn format_move<const N: usize>(field: &Field<N>, mv: Move) -> String {
    let name = |cell| field.name(cell);
    match mv {
        Move::Build(cell) => name(cell),
        Move::Stay(cell) => name(cell) + "+",
        Move::Step(from, to) => format!("{}-{}", name(from), name(to)),
        Move::StepAndBuild(from, to) => format!("{}-{}+", name(from), name(to)),
        Move::Walk(from, via, to) => format!("{}-{}-{}", name(from), name(via), name(to)),
        Move::End => "end".into(),
        Move::Pass => "pass".into(),
    }
}

/// Reads a move in letters of either case.
pub fn parse_move<const N: usize>(field: &Field<N>, text: &str) -> Option<Move> {
    let text = &text.to_ascii_uppercase();
    match text.as_str() {
        "END" => return Some(Move::End),
        "PASS" => return Some(Move::Pass),
        _ => {}
    }
    let (path, builds) = text.strip_suffix('+').map_or((text.as_str(), false), |path| (path, true));
    let cells: Vec<Cell> = path.split('-').map(|name| field.cell(name)).collect::<Option<_>>()?;
    match (cells[..].as_ref(), builds) {
        (&[cell], false) => Some(Move::Build(cell)),
        (&[cell], true) => Some(Move::Stay(cell)),
        (&[from, to], false) => Some(Move::Step(from, to)),
        (&[from, to], true) => Some(Move::StepAndBuild(from, to)),
        (&[from, via, to], false) => Some(Move::Walk(from, via, to)),
        _ => None,
    }
}

/// The canonical text of a position: the turn, the rows, and the generals if there are such.
pub fn format_position<const N: usize>(field: &Field<N>, state: &State<N>) -> String {
    let symbol = |cell| match (state.lands[0].has(cell), state.lands[1].has(cell), state.forts.has(cell)) {
        (true, _, false) => 'f',
        (true, _, true) => 'F',
        (_, true, false) => 's',
        (_, true, true) => 'S',
        (false, false, _) => '.',
    };
    let mut text = format!("{} ", state.turn);
    for row in 0..field.height {
        if row > 0 {
            text.push('/');
        }
        let symbols: Vec<char> = (row * field.width..(row + 1) * field.width).map(symbol).collect();
        for run in symbols.chunk_by(|a, b| a == b) {
            if run.len() > 1 {
                text.push_str(&run.len().to_string());
            }
            text.push(run[0]);
        }
    }
    if field.has_generals {
        for generals in state.generals {
            let acted = |cell| if state.acted.has(cell) { "!" } else { "" };
            let names: Vec<String> = generals.cells().map(|c| field.name(c) + acted(c)).collect();
            text.push(' ');
            text.push_str(&if names.is_empty() { "-".into() } else { names.join(",") });
        }
    }
    text
}

/// Reads a position. Whether it can come about is for the Python rules to say.
pub fn parse_position<const N: usize>(field: &Field<N>, text: &str) -> Result<State<N>, &'static str> {
    let words: Vec<&str> = text.split(' ').collect();
    let (turn, rows, generals) = match (&words[..], field.has_generals) {
        (&[turn, rows], false) => (turn, rows, ["-", "-"]),
        (&[turn, rows, first, second], true) => (turn, rows, [first, second]),
        _ => return Err("it has too few or too many parts"),
    };
    let turn = whole(turn).filter(|turn| (1..=2 * field.turns + 1).contains(turn));
    let mut state = State {
        turn: turn.ok_or("there is no such turn")?,
        lands: [Bits::EMPTY; 2],
        forts: Bits::EMPTY,
        generals: [Bits::EMPTY; 2],
        acted: Bits::EMPTY,
    };
    let rows: Vec<&str> = rows.split('/').collect();
    if rows.len() != usize::from(field.height) {
        return Err("it has too few or too many rows");
    }
    for (row, symbols) in (0..).zip(rows) {
        parse_row(&mut state, row * field.width, field.width, symbols)?;
    }
    if !(state.forts & !field.open).is_empty() {
        return Err("a fortress stands where none can");
    }
    for (seat, list) in generals.into_iter().enumerate() {
        for name in list.split(',').filter(|_| list != "-") {
            let plain = name.strip_suffix('!');
            let cell = field.cell(plain.unwrap_or(name)).ok_or("a general is off the field")?;
            if state.generals.iter().any(|taken| taken.has(cell)) {
                return Err("two generals are on one cell");
            }
            state.generals[seat].insert(cell);
            if plain.is_some() {
                state.acted.insert(cell);
            }
        }
    }
    Ok(state)
}

fn parse_row<const N: usize>(
    state: &mut State<N>,
    start: Cell,
    width: u16,
    text: &str,
) -> Result<(), &'static str> {
    let (mut column, mut run) = (0, 0);
    for symbol in text.chars() {
        if let Some(digit) = symbol.to_digit(10) {
            run = run * 10 + digit as u16;
            if run == 0 || run > width {
                return Err("a row repeats its cells from 2 times to its length");
            }
            continue;
        }
        if run == 1 {
            return Err("a row repeats its cells from 2 times to its length");
        }
        for _ in 0..run.max(1) {
            if column == width {
                return Err("a row is too long");
            }
            let cell = start + column;
            match symbol.to_ascii_lowercase() {
                'f' => state.lands[0].insert(cell),
                's' => state.lands[1].insert(cell),
                '.' => {}
                _ => return Err("a row has something else than . f s F S and numbers"),
            }
            if symbol.is_ascii_uppercase() {
                state.forts.insert(cell);
            }
            column += 1;
        }
        run = 0;
    }
    if column == width && run == 0 { Ok(()) } else { Err("a row is too short") }
}
