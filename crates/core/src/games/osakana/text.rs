//! Positions and states in one line (O14).

use super::pieces::{COLUMNS, Kind, Piece, SQUARES, Square};
use super::position::Position;
use super::{End, State};
use crate::game::Seat;

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
    counts.check_complete()?;
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

    fn check_complete(&self) -> Result<(), &'static str> {
        if self.0 == [2; 4] { Ok(()) } else { Err(Self::WRONG) }
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
