//! Texts of moves, and of positions and states in one line (O14).

use super::board::{COLUMNS, Kind, Piece, SQUARES, Square, Unreadable};
use super::position::Position;
use super::state::{End, Move, State};
use crate::game::Seat;
use std::fmt;
use std::str::FromStr;

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Step { piece, from, to } => write!(f, "{piece}{from}{to}"),
            Move::Drop { piece, to } => write!(f, "{piece}{to}★"),
        }
    }
}

impl FromStr for Move {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        let mut rest = text.chars();
        let head = rest.next().ok_or(Unreadable)?;
        if let Some(piece) = Piece::from_letter(head) {
            return match rest.as_str().strip_prefix('*') {
                Some(square) => Ok(Move::Drop { piece, to: square.parse()? }),
                None => step(piece, rest.as_str()),
            };
        }
        let kind = Kind::ALL.into_iter().find(|kind| kind.kana() == head).ok_or(Unreadable)?;
        let seat = match rest.next() {
            Some('↑') => Seat::First,
            Some('↓') => Seat::Second,
            _ => return Err(Unreadable),
        };
        let piece = Piece { seat, kind };
        match rest.as_str().strip_suffix('★') {
            Some(square) => Ok(Move::Drop { piece, to: square.parse()? }),
            None => step(piece, rest.as_str()),
        }
    }
}

fn step(piece: Piece, squares: &str) -> Result<Move, Unreadable> {
    let (from, to) = squares.split_at_checked(2).ok_or(Unreadable)?;
    Ok(Move::Step { piece, from: from.parse()?, to: to.parse()? })
}

/// The position of O2.
pub(super) fn start() -> Position {
    parse_position("kmt/1i1/1I1/TMK b -").expect("the start is a position")
}

/// A hand in its order, a taken tuna first.
fn hand(position: Position, seat: Seat) -> impl Iterator<Item = Piece> {
    Kind::ALL.into_iter().flat_map(move |kind| {
        let count = match kind {
            Kind::Tuna => u8::from(position.has_taken_tuna(seat)),
            _ => position.held(seat, kind),
        };
        (0..count).map(move |_| Piece { seat, kind })
    })
}

/// A position in one line: rows from the top with digits for gaps, side, hands.
pub(super) fn format_position(position: Position) -> String {
    let mut text = String::with_capacity(32);
    let mut gap = 0;
    for square in Square::all() {
        match position.piece(square) {
            None => gap += 1,
            Some(piece) => {
                push_gap(&mut text, &mut gap);
                text.push(piece.letter());
            }
        }
        if square.index() % COLUMNS == COLUMNS - 1 {
            push_gap(&mut text, &mut gap);
            text.push(if square.index() == SQUARES - 1 { ' ' } else { '/' });
        }
    }
    text.push_str(match position.mover() {
        Seat::First => "b ",
        Seat::Second => "w ",
    });
    let bare = text.len();
    text.extend(Seat::BOTH.into_iter().flat_map(|seat| hand(position, seat)).map(Piece::letter));
    if text.len() == bare {
        text.push('-');
    }
    text
}

fn push_gap(text: &mut String, gap: &mut u8) {
    if *gap > 0 {
        text.push(char::from(b'0' + *gap));
        *gap = 0;
    }
}

/// Reads a position in one line.
pub(super) fn parse_position(text: &str) -> Result<Position, &'static str> {
    parse_position_of(text, Counts::are_all)
}

/// Reads a position of a smaller game, which may lack pieces other than the tunas.
pub(super) fn parse_smaller_position(text: &str) -> Result<Position, &'static str> {
    parse_position_of(text, Counts::have_tunas)
}

fn parse_position_of(text: &str, suffice: fn(&Counts) -> bool) -> Result<Position, &'static str> {
    const FORM: &str = "write board, side and hands like kmt/1i1/1I1/TMK b -";
    let mut parts = text.split(' ');
    let (Some(rows), Some(side), Some(hands), None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Err(FORM);
    };
    let mover = match side {
        "b" => Seat::First,
        "w" => Seat::Second,
        _ => return Err(FORM),
    };
    let mut position = Position::empty(mover);
    let mut counts = Counts::default();
    put_pieces(&mut position, rows, &mut counts)?;
    for letter in hands.chars().filter(|&letter| letter != '-') {
        let piece = Piece::from_letter(letter).ok_or(FORM)?;
        counts.add(piece.kind)?;
        position.hold(piece.seat, piece.kind);
    }
    if !suffice(&counts) {
        return Err(Counts::WRONG);
    }
    if Seat::BOTH.into_iter().any(|seat| position.has_taken_tuna(seat) && position.mover() == seat) {
        return Err("a tuna is neither on the board nor just taken");
    }
    if format_position(position) != text {
        return Err("hands are in the order MITKmitk, and gaps are joined");
    }
    Ok(position)
}

fn put_pieces(position: &mut Position, rows: &str, counts: &mut Counts) -> Result<(), &'static str> {
    const SHAPE: &str = "the board has four rows of three cells";
    let mut square = 0;
    for letter in rows.chars() {
        match letter {
            '/' => {}
            '1'..='3' => square += letter as usize - '0' as usize,
            _ => {
                let piece = Piece::from_letter(letter).ok_or(SHAPE)?;
                counts.add(piece.kind)?;
                position.put(Square::new(square).ok_or(SHAPE)?, piece);
                square += 1;
            }
        }
    }
    if square == SQUARES { Ok(()) } else { Err(SHAPE) }
}

/// Counts pieces, of which there are two each (O2).
#[derive(Default)]
struct Counts([u8; 4]);

impl Counts {
    const WRONG: &str = "there are two each of tuna, inada or buri, octopus, flounder";

    fn add(&mut self, kind: Kind) -> Result<(), &'static str> {
        let family = if kind == Kind::Buri { Kind::Inada } else { kind };
        let count = &mut self.0[family as usize];
        *count += 1;
        if *count <= 2 { Ok(()) } else { Err(Self::WRONG) }
    }

    fn are_all(&self) -> bool {
        self.0 == [2; 4]
    }

    fn have_tunas(&self) -> bool {
        self.0[Kind::Tuna as usize] == 2
    }
}

/// A state in one line: the position, the earlier ones in the order of their texts, and whether there was a foul.
pub(super) fn format_state(state: &State) -> String {
    let mut text = format_position(state.position);
    let mut earlier: Vec<String> = state.earlier.iter().copied().map(format_position).collect();
    earlier.sort_unstable();
    let mut separator = " seen ";
    for same in earlier.chunk_by(|a, b| a == b) {
        text.push_str(separator);
        text.push_str(&same[0]);
        if same.len() > 1 {
            text.push_str(" x2");
        }
        separator = ", ";
    }
    if state.end == Some(End::Foul) {
        text.push_str(" foul");
    }
    text
}

/// Reads a state in one line.
pub(super) fn parse_state(text: &str) -> Result<State, &'static str> {
    const ENDED: &str = "nobody moves when the game has ended";
    let unfouled = text.strip_suffix(" foul");
    let rest = unfouled.unwrap_or(text);
    let (now, before) = rest.split_once(" seen ").map_or((rest, None), |(now, before)| (now, Some(before)));
    let mut earlier = Vec::new();
    for entry in before.into_iter().flat_map(|before| before.split(", ")) {
        let once = entry.strip_suffix(" x2");
        let position = parse_position(once.unwrap_or(entry))?;
        if position.end().is_some() {
            return Err(ENDED);
        }
        earlier.push(position);
        if once.is_some() {
            earlier.push(position);
        }
    }
    let mut state = State::new(parse_position(now)?, earlier);
    if unfouled.is_some() && state.end.replace(End::Foul).is_some() {
        return Err(ENDED);
    }
    if format_state(&state) != text {
        return Err("earlier positions are sorted and joined by ', '");
    }
    Ok(state)
}
