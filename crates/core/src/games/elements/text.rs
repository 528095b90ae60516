//! Texts of moves, positions and views, as the Python rules describe them in `elements/text.py`.

use super::board::{ADJACENT, BASE_SET, BASES, Cell, name, parse_cell};
use super::piece::{Element, Piece, Story, elements};
use super::state::{Arrangement, Move, PIECES, Pending, State};
use super::view::{View, arrangement, can_be};
use crate::game::Seat;
use crate::spelling::whole;

/// A reading, or why it failed.
pub type Read<T> = Result<T, String>;

const LONGEST: usize = 600;

// Moves

/// The text of a move.
pub fn format_move(mv: Move) -> String {
    match mv {
        Move::Arrange(arrangement) => arrangement.iter().map(Element::letter).collect(),
        Move::Step(origin, target) => format!("{}-{}", name(origin), name(target)),
        Move::Attack(origin, target, None) => format!("{}x{}", name(origin), name(target)),
        Move::Attack(origin, target, Some(element)) => {
            format!("{}x{}={}", name(origin), name(target), element.letter())
        }
        Move::Choose(element) => format!("={}", element.letter()),
    }
}

/// Reads a move in letters of either case.
pub fn parse_move(text: &str) -> Option<Move> {
    parse_canonical_move(&text.to_ascii_uppercase().replace('X', "x"))
}

fn parse_canonical_move(text: &str) -> Option<Move> {
    if let Some(choice) = text.strip_prefix('=') {
        return letter(choice).map(Move::Choose);
    }
    if let Some((origin, target)) = text.split_once('-') {
        return Some(Move::Step(parse_cell(origin)?, parse_cell(target)?));
    }
    if let Some((origin, prey)) = text.split_once('x') {
        let (target, element) = match prey.split_once('=') {
            Some((target, choice)) => (target, Some(letter(choice)?)),
            None => (prey, None),
        };
        return Some(Move::Attack(parse_cell(origin)?, parse_cell(target)?, element));
    }
    parse_arrangement(text).map(Move::Arrange)
}

fn letter(text: &str) -> Option<Element> {
    let mut letters = text.chars();
    Element::from_letter(letters.next()?).filter(|_| letters.next().is_none())
}

fn parse_arrangement(text: &str) -> Option<Arrangement> {
    let elements: Vec<Element> = text.chars().take(PIECES + 1).map_while(Element::from_letter).collect();
    let elements: [Element; PIECES] = elements.try_into().ok()?;
    (text.len() == PIECES).then(|| Arrangement::new(elements))
}

// Positions and views, written

/// The text of a view.
pub fn format_view(view: &View) -> String {
    let viewer = view.viewer.map_or("spectator".to_string(), |seat| seat.to_string());
    format!("{viewer} {}", format_known(&view.known))
}

/// The text of a state, or of what is known of one.
pub fn format_known(known: &State) -> String {
    if known.turn == 0 {
        let [first, second] = Seat::BOTH.map(|seat| format_given(known, seat));
        return format!("setup {first} {second}");
    }
    let [first, second] = Seat::BOTH.map(|seat| format_side(known, seat));
    format!("{} {} {} {first} {second}", known.turn, known.loss, format_pending(known))
}

fn format_given(known: &State, seat: Seat) -> String {
    match arrangement(known, seat) {
        _ if !known.given[seat.index()] => "-".to_string(),
        Some(arrangement) => format_move(Move::Arrange(arrangement)),
        None => "?".to_string(),
    }
}

fn format_pending(known: &State) -> String {
    match known.pending {
        Pending::Nothing => "-".to_string(),
        Pending::Change(cell) => format!("{}=", name(cell)),
        Pending::Attack(origin, target, element) => {
            let attack = format_move(Move::Attack(origin, target, element));
            let hides = element.is_none() && origin == known.king_cell(known.mover());
            if hides { attack + "=?" } else { attack }
        }
    }
}

fn format_side(known: &State, seat: Seat) -> String {
    let owned: String = elements(known.owned[seat.index()]).map(Element::letter).collect();
    let owned = if owned.is_empty() { "-" } else { &owned };
    let mut text = format!("{}:{owned}", name(known.king_cell(seat)));
    for at in 0..PIECES {
        text.push(',');
        text += &format_piece(known.cell(seat, at), known.piece(seat, at));
    }
    text
}

fn format_piece(cell: Option<Cell>, piece: Piece) -> String {
    format!("{}:{}", cell.map_or("x".to_string(), name), format_story(piece))
}

fn secret(element: Option<Element>) -> char {
    element.map_or('?', |element| element.letter().to_ascii_lowercase())
}

fn format_story(piece: Piece) -> String {
    let mut story = String::new();
    let mut last_told = None;
    match (piece.start(), piece.seen()) {
        (Some(start), _) if piece.is_told() => {
            story.push(start.letter());
            last_told = Some(start);
        }
        (start, None) => story.push(secret(start)),
        (start, Some(seen)) => {
            let first = piece.never().unwrap_or(seen);
            story.push(secret(start));
            story += if piece.never().is_some() { "+" } else { "++" };
            story.push(first.letter());
            last_told = Some(first);
        }
    }
    if let Some(seen) = piece.seen().filter(|&seen| last_told != Some(seen)) {
        story.push('>');
        story.push(seen.letter());
    }
    if piece.changes() > 0 {
        story += &"++"[..piece.changes() as usize];
        story.push(secret(piece.now()));
    }
    story
}

// Positions and views, read

/// Reads a view; that it hides what it must is for the caller to check.
pub fn parse_view(text: &str) -> Read<View> {
    let (word, rest) = text.split_once(' ').unwrap_or((text, ""));
    let viewer = match word {
        "first" => Some(Seat::First),
        "second" => Some(Seat::Second),
        "spectator" => None,
        _ => return Err("a view begins with first, second, spectator".to_string()),
    };
    Ok(View { viewer, known: parse_known(rest)? })
}

/// Reads a state, or what is known of one.
pub fn parse_known(text: &str) -> Read<State> {
    if text.len() > LONGEST {
        return Err("it is too long".to_string());
    }
    match text.split(' ').collect::<Vec<_>>()[..] {
        ["setup", first, second] => parse_set_up([first, second]),
        [turn, loss, pending, first, second] => {
            let mut known = State::empty();
            known.turn = parse_number(turn)?;
            known.loss = parse_number(loss)?;
            parse_side(&mut known, Seat::First, first)?;
            parse_side(&mut known, Seat::Second, second)?;
            parse_pending(&mut known, pending)?;
            check_turn(&known)?;
            Ok(known)
        }
        _ => Err("write 'setup FIRST SECOND' or 'TURN LOSS PENDING FIRST SECOND'".to_string()),
    }
}

fn parse_set_up(given: [&str; 2]) -> Read<State> {
    let mut known = State::start();
    for (seat, text) in Seat::BOTH.into_iter().zip(given) {
        match (text, parse_arrangement(text)) {
            ("-", _) => {}
            ("?", _) => known.given[seat.index()] = true,
            (_, Some(arrangement)) if arrangement.is_legal() => known.arrange(seat, arrangement),
            _ => return Err(format!("{text:?} is not 15 letters, three of each of FMWEA")),
        }
    }
    if known.given == [true; 2] {
        return Err("play begins when both are set up".to_string());
    }
    Ok(known)
}

fn parse_number(text: &str) -> Read<u32> {
    whole(text).filter(|_| text.len() <= 9).ok_or_else(|| "turns are plain numbers".to_string())
}

fn parse_side(known: &mut State, seat: Seat, text: &str) -> Read<()> {
    let mut men = text.split(',');
    let (cell, owned) = men
        .next()
        .and_then(parse_king)
        .ok_or_else(|| format!("the side of {seat} does not begin with its king"))?;
    take(known, cell)?;
    known.place_king(seat, cell);
    known.owned[seat.index()] = owned;
    let texts: Vec<&str> = men.take(PIECES + 1).collect();
    if texts.len() != PIECES {
        return Err(format!("the side of {seat} is not a king and {PIECES} pieces"));
    }
    let mut pieces = [Piece::UNKNOWN; PIECES];
    for (at, text) in texts.into_iter().enumerate() {
        let (cell, piece) = parse_piece(text).ok_or_else(|| format!("the story of {text:?} can't be"))?;
        if let Some(cell) = cell {
            take(known, cell)?;
            known.place(seat, at, cell);
        }
        known.set_piece(seat, at, piece);
        pieces[at] = piece;
    }
    can_be(&pieces).then_some(()).ok_or(format!("{seat} can't have started with three of each element"))
}

/// Refuses a cell that is taken.
fn take(known: &State, cell: Cell) -> Read<()> {
    let held = known.held(Seat::First) | known.held(Seat::Second);
    if held & 1 << cell == 0 { Ok(()) } else { Err("two pieces are on one cell".to_string()) }
}

fn parse_king(text: &str) -> Option<(Cell, u8)> {
    let (cell, owned) = text.split_once(':')?;
    let mut set = 0;
    for letter in owned.chars().filter(|_| owned != "-") {
        let bit = Element::from_letter(letter)?.bit();
        if bit <= set {
            return None;
        }
        set |= bit;
    }
    Some((parse_cell(cell)?, set)).filter(|_| !owned.is_empty())
}

fn parse_piece(text: &str) -> Option<(Option<Cell>, Piece)> {
    let (place, story) = text.split_once(':')?;
    let cell = if place == "x" { None } else { Some(parse_cell(place)?) };
    let piece = Piece::told(parse_story(story)?);
    let before = piece.seen().or(piece.start());
    let stayed = piece.changes() == 1 && piece.now().is_some() && piece.now() == before;
    let contradicts = piece.never().is_some() && piece.never() == piece.start();
    let hidden_and_gone = cell.is_none() && !piece.is_open();
    let possible = !stayed && !contradicts && !hidden_and_gone && format_story(piece) == story;
    possible.then_some((cell, piece))
}

/// Reads `START [+FIRST | ++FIRST] [>LAST] [+NOW | ++NOW]`; that it is canonical is for the caller to check.
fn parse_story(text: &str) -> Option<Story> {
    let mut rest = text.chars().peekable();
    let opening = rest.next()?;
    let is_told = opening.is_ascii_uppercase();
    let start = parse_secret(opening.to_ascii_lowercase())?;
    let mut story =
        Story { start, now: None, seen: start.filter(|_| is_told), never: None, changes: 0, is_told };
    while let Some(mark) = rest.next() {
        let mut changes = u8::from(mark == '+');
        changes += u8::from(mark == '+' && rest.next_if_eq(&'+').is_some());
        let element = rest.next()?;
        match (mark, element.is_ascii_uppercase()) {
            ('+', true) if story.seen.is_none() && story.changes == 0 => {
                story.seen = Element::from_letter(element);
                story.never = story.seen.filter(|_| changes == 1);
                story.seen?;
            }
            ('>', true) => story.seen = Some(Element::from_letter(element)?),
            ('+', false) if rest.peek().is_none() => {
                story.changes = changes;
                story.now = parse_secret(element)?;
            }
            _ => return None,
        }
    }
    if story.changes == 0 {
        story.now = story.seen.or(story.start);
    }
    Some(story)
}

/// A small letter, or `?` for an unknown element.
fn parse_secret(letter: char) -> Option<Option<Element>> {
    match letter {
        '?' => Some(None),
        _ if letter.is_ascii_lowercase() => Element::from_letter(letter.to_ascii_uppercase()).map(Some),
        _ => None,
    }
}

fn parse_pending(known: &mut State, text: &str) -> Read<()> {
    let refused = || format!("{text:?} can't be pending");
    if text == "-" {
        return Ok(());
    }
    if let Some(cell) = text.strip_suffix('=').and_then(parse_cell) {
        known.pending = Pending::Change(cell);
        return if can_change(known, cell) { Ok(()) } else { Err(refused()) };
    }
    let hidden = text.strip_suffix("=?");
    let Some(Move::Attack(origin, target, element)) = parse_canonical_move(hidden.unwrap_or(text)) else {
        return Err(refused());
    };
    known.pending = Pending::Attack(origin, target, element);
    let names_element = hidden.is_some() || element.is_some();
    let fits = can_attack(known, origin, target, names_element)
        && !(hidden.is_some() && element.is_some())
        && element.is_none_or(|e| known.owned[known.mover().index()] & e.bit() != 0);
    if fits { Ok(()) } else { Err(refused()) }
}

/// Whether the mover has an ordinary piece on this base.
fn can_change(known: &State, cell: Cell) -> bool {
    let mover = known.mover();
    BASES.contains(&cell) && known.held(mover) & 1 << cell != 0 && known.king_cell(mover) != cell
}

/// Whether the mover's man at the origin attacks a king, and names an element exactly if it is a king.
fn can_attack(known: &State, origin: Cell, target: Cell, names_element: bool) -> bool {
    let mover = known.mover();
    known.held(mover) & 1 << origin != 0
        && target == known.king_cell(mover.other())
        && ADJACENT[origin as usize] & 1 << target != 0
        && names_element == (origin == known.king_cell(mover))
}

/// Refuses counters that don't fit each other, and pieces on bases that have not changed there.
fn check_turn(known: &State) -> Read<()> {
    let changing = matches!(known.pending, Pending::Change(_));
    if known.turn == 0 || known.loss >= known.turn + u32::from(changing) {
        return Err(format!("the last loss can't have been in turn {}", known.loss));
    }
    let is_decided = known.owned.contains(&0);
    if is_decided && (known.pending != Pending::Nothing || known.loss != known.turn - 1) {
        return Err("the game has ended".to_string());
    }
    for seat in Seat::BOTH {
        for at in 0..PIECES {
            let (cell, piece) = (known.cell(seat, at), known.piece(seat, at));
            let fresh = piece.seen().is_none() && piece.changes() == 0;
            if let Some(cell) = cell.filter(|&cell| fresh && BASE_SET & 1 << cell != 0)
                && known.pending != Pending::Change(cell)
            {
                return Err(format!("the piece on {} has not changed", name(cell)));
            }
        }
    }
    Ok(())
}
