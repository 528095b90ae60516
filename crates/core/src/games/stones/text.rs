//! Texts, the same as in the Python rules; see `visavis.rules.stones.text` for their form.

use super::board::{Bits, Field};
use super::set::{TOKENS, format_side, parse_side};
use super::state::{
    ALL, BOTH, DEALT, FRONT_LIMIT, Move, NOBODY, PHASES, Phase, State, UNKNOWN, eyes, members,
};
use super::{Stones, View, Viewer};
use crate::game::Seat;
use crate::spelling::whole;

/// Why a text can't be read.
type Why = &'static str;

/// Longer texts are not looked at.
const LONGEST: usize = 2_000;

// -- Moves --

pub fn format_move(field: &Field, mv: Move) -> String {
    match mv {
        Move::Put { token, cell, turns } => {
            format!("{}@{}r{turns}", token + 1, field.format_cell(cell.into()))
        }
        Move::Take(token) => format!("take {}", token + 1),
        Move::Keep { token, improved } => format!("keep {}{}", token + 1, side_letter(improved)),
        Move::Pile(token) => format!("pile {}", token + 1),
        Move::Level(cell) => format!("level {}", field.format_cell(cell.into())),
        Move::Done => "done".into(),
        Move::Skip => "skip".into(),
    }
}

/// Reads a move in letters of either case. There may be a space on each side of the `@`; no turns are none.
pub fn parse_move(field: &Field, text: &str) -> Option<Move> {
    let text = text.to_ascii_uppercase();
    match text.as_str() {
        "DONE" => return Some(Move::Done),
        "SKIP" => return Some(Move::Skip),
        _ => {}
    }
    if let Some((token, spot)) = text.split_once('@') {
        let token = parse_token_number(token.strip_suffix(' ').unwrap_or(token))?;
        let spot = spot.strip_prefix(' ').unwrap_or(spot);
        let (cell, turns) = spot.split_once('R').unwrap_or((spot, "0"));
        return Some(Move::Put {
            token,
            cell: field.parse_cell(cell)? as u8,
            turns: parse_turns(turns)? as u8,
        });
    }
    let (verb, object) = text.split_once(' ')?;
    match verb {
        "TAKE" => parse_token_number(object).map(Move::Take),
        "PILE" => parse_token_number(object).map(Move::Pile),
        "LEVEL" => field.parse_cell(object).map(|cell| Move::Level(cell as u8)),
        "KEEP" => {
            let (number, improved) = match object.strip_suffix('I') {
                Some(number) => (number, true),
                None => (object.strip_suffix('B')?, false),
            };
            Some(Move::Keep { token: parse_token_number(number)?, improved })
        }
        _ => None,
    }
}

fn side_letter(improved: bool) -> char {
    if improved { 'i' } else { 'b' }
}

/// The index of a token by its number in texts.
fn parse_token_number(text: &str) -> Option<u8> {
    whole(text).filter(|number| (1..=TOKENS).contains(number)).map(|number| number as u8 - 1)
}

/// A cell and turns: `C4r2`.
fn parse_spot(field: &Field, text: &str) -> Option<(usize, usize)> {
    let (cell, turns) = text.split_once('r')?;
    Some((field.parse_cell(cell)?, parse_turns(turns)?))
}

fn parse_turns(text: &str) -> Option<usize> {
    whole(text).filter(|&turns| turns < 4)
}

// -- Positions and views --

pub fn format_state(game: &Stones, state: &State) -> String {
    let name = PHASES.iter().find(|(phase, _)| *phase == state.phase).map_or("", |&(_, name)| name);
    let group: Vec<String> = members(state.group).map(|token| (token + 1).to_string()).collect();
    let colon = if group.is_empty() { "" } else { ":" };
    let State { turn, skips, bonus, .. } = state;
    let mut text = format!("{turn} {name}{colon}{} skips:{skips} bonus:{bonus}", group.join("."));
    for token in 0..usize::from(state.out) {
        text.push(' ');
        text.push_str(&format_token(game, state, token));
    }
    text
}

fn format_token(game: &Stones, state: &State, token: usize) -> String {
    let (identity, known) = (state.identity(&game.set, token), state.known(token));
    let base = game.set.base[usize::from(state.kind[token])];
    let name = format_side(identity.map_or(base, |identity| game.set.improved[identity]));
    let hidden = if known != NOBODY && identity.is_none() { "?" } else { "" };
    let knowers = match known {
        1 => "1",
        2 => "2",
        BOTH => "12",
        _ => "",
    };
    format!("{name}{hidden}{knowers}{}", format_place(game, state, token))
}

fn format_place(game: &Stones, state: &State, token: usize) -> String {
    for (seat, number) in [1, 2].into_iter().enumerate() {
        if state.pile[seat] >> token & 1 == 1 {
            return format!("+{number}");
        }
    }
    let up = side_letter(state.improved >> token & 1 == 1);
    for (seat, number) in [1, 2].into_iter().enumerate() {
        if state.front[seat] >> token & 1 == 1 {
            return format!("{up}={number}");
        }
    }
    let spot = usize::from(state.spot[token]);
    format!("{up}@{}r{}", game.field.format_cell(spot / 4), spot % 4)
}

pub fn format_view(game: &Stones, view: &View) -> String {
    let viewer = match view.viewer {
        Viewer::All => "open".into(),
        Viewer::Eyes(None) => "spectator".into(),
        Viewer::Eyes(Some(seat)) => seat.to_string(),
    };
    format!("{viewer} {}", format_state(game, &view.state))
}

pub fn parse_view(game: &Stones, text: &str) -> Result<View, Why> {
    let (name, rest) = text.split_once(' ').ok_or("a view begins with its viewer")?;
    let viewer = match name {
        "first" => Viewer::Eyes(Some(Seat::First)),
        "second" => Viewer::Eyes(Some(Seat::Second)),
        "spectator" => Viewer::Eyes(None),
        "open" => Viewer::All,
        _ => return Err("a view begins with first, second, spectator or open"),
    };
    let state = parse_state(game, rest)?;
    let open = state.ending().is_some();
    for lore in state.lore.iter().filter(|lore| lore.known != NOBODY) {
        let sees = match viewer {
            Viewer::Eyes(viewer) => open || lore.known & eyes(viewer) != 0,
            Viewer::All => true,
        };
        if sees == (lore.twin == UNKNOWN) {
            return Err("the viewer can't see just that");
        }
    }
    Ok(View { viewer, state })
}

pub fn parse_state(game: &Stones, text: &str) -> Result<State, Why> {
    if text.len() > LONGEST || !text.is_ascii() {
        return Err("it is too long, or has letters of no position");
    }
    let mut words = text.split(' ');
    let mut word = || words.next().ok_or("it ends too early");
    let mut state = State::start();
    let turn = word()?;
    state.turn =
        whole(turn).filter(|_| turn.len() <= 4).ok_or("it does not begin with the number of a turn")?;
    let phase = word()?;
    let (name, group) = phase.split_once(':').map_or((phase, None), |(name, group)| (name, Some(group)));
    state.phase = PHASES.iter().find(|(_, known)| *known == name).ok_or("no such phase")?.0;
    state.skips = counter(word()?, "skips:").filter(|&skips| skips <= 2).ok_or("no number of skips")?;
    state.bonus = counter(word()?, "bonus:").ok_or("no number of rights to place more")?;
    for token in words {
        parse_token(game, &mut state, token)?;
    }
    state.group = group.map_or(Ok(0), |group| parse_group(&state, group))?;
    check_counts(&state)?;
    if state.phase != Phase::Deal {
        check_phase(&state)?;
        check_groups(game, &state)?;
    }
    Ok(state)
}

fn counter(word: &str, label: &str) -> Option<u8> {
    whole(word.strip_prefix(label)?).filter(|&number| number < 100)
}

fn parse_group(state: &State, text: &str) -> Result<u64, Why> {
    let mut group = 0_u64;
    for part in text.split('.') {
        let token = parse_token_number(part).ok_or("a group is token numbers joined by points")?;
        if group >> token != 0 || state.lying() >> token & 1 == 0 {
            return Err("the tokens of a group lie on the field and are named by number");
        }
        group |= 1 << token;
    }
    Ok(group)
}

fn parse_token(game: &Stones, state: &mut State, text: &str) -> Result<(), Why> {
    if usize::from(state.out) == TOKENS {
        return Err("there are only sixty tokens");
    }
    let (name, rest) = text.split_at_checked(4).ok_or("no token")?;
    let side = parse_side(name).ok_or("no side of a token")?;
    let (hidden, rest) = rest.strip_prefix('?').map_or((false, rest), |rest| (true, rest));
    let (digits, rest) = [("12", BOTH), ("1", 1), ("2", 2)]
        .into_iter()
        .find_map(|(digits, known)| rest.strip_prefix(digits).map(|rest| (Some(known), rest)))
        .unwrap_or((None, rest));
    let identity = game.set.improved.iter().position(|&improved| improved == side);
    if hidden != (identity.is_none() && digits.is_some()) {
        return Err("a ? in the wrong place");
    }
    let known = digits.unwrap_or(if identity.is_some() { ALL } else { NOBODY });
    let kind = match identity {
        Some(identity) => usize::from(game.set.kind[identity]),
        None => game.set.base.iter().position(|&base| base == side).ok_or("no token has this side")?,
    };
    let before = state.lore[kind];
    if before.out == 2 {
        return Err("there are only two tokens with each base side");
    }
    let token = state.draw(kind as u8);
    if let Some(identity) = identity {
        let twin = usize::from(game.set.twins[kind][1]) == identity;
        state.identify(token, u8::from(twin), known);
    }
    let lore = &mut state.lore[kind];
    lore.known = known;
    if before.out == 1 && (before.twin, before.known) != (lore.twin, lore.known) {
        return Err("who knows one of two twins knows the other");
    }
    parse_place(game, state, token, rest)?;
    if state.improved >> token & 1 == 1 && known != ALL {
        return Err("everybody sees an improved side that is up");
    }
    Ok(())
}

fn parse_place(game: &Stones, state: &mut State, token: usize, text: &str) -> Result<(), Why> {
    let no_place = "no place of a token";
    match text {
        "+1" => state.pile[0] |= 1 << token,
        "+2" => state.pile[1] |= 1 << token,
        _ => {
            let (up, place) = text.split_at_checked(1).ok_or(no_place)?;
            match up {
                "i" => state.improved |= 1 << token,
                "b" => {}
                _ => return Err(no_place),
            }
            match place {
                "=1" => state.front[0] |= 1 << token,
                "=2" => state.front[1] |= 1 << token,
                _ => {
                    let spot = place.strip_prefix('@').ok_or(no_place)?;
                    let (cell, turns) = parse_spot(&game.field, spot).ok_or(no_place)?;
                    if game.anchors(state) >> cell & 1 == 0 {
                        return Err("a token lies on four free cells of the field");
                    }
                    state.put(&game.set, &game.field, token, cell, turns);
                }
            }
        }
    }
    Ok(())
}

// -- Positions that can't be --

fn check_counts(state: &State) -> Result<(), Why> {
    let dealing = state.phase == Phase::Deal;
    let dealt = usize::from(state.out);
    if dealing != (state.turn == 0) || dealing != (dealt < DEALT) {
        return Err("turn 0 is the deal of the first eight tokens");
    }
    if dealing {
        let all = (1 << dealt) - 1;
        let expected = (0b0000_1111 & all, 0b1111_0000 & all, 0b0011_0011 & all);
        if (state.front[0], state.front[1], state.improved) != expected {
            return Err("each is dealt two tokens improved side up, then two base side up");
        }
        if !state.lore.iter().all(|lore| matches!(lore.known, NOBODY | ALL)) {
            return Err("nobody has looked at anything during the deal");
        }
    }
    if state.front.iter().any(|front| front.count_ones() > FRONT_LIMIT) {
        return Err("nobody has more than five tokens in front");
    }
    if state.skips > 0 && !matches!(state.phase, Phase::Draw | Phase::Place) {
        return Err("a skip counts only until a token is placed");
    }
    if state.bonus > 0 && matches!(state.phase, Phase::Deal | Phase::Draw | Phase::Place) {
        return Err("the right to place more is earned by settling a group");
    }
    if state.bonus == 0 && state.phase == Phase::More {
        return Err("there is no right to place more");
    }
    Ok(())
}

fn check_phase(state: &State) -> Result<(), Why> {
    let front = state.front[state.seat().index()].count_ones();
    let settling = matches!(state.phase, Phase::Three | Phase::Four | Phase::Keep | Phase::Five);
    if (state.group != 0) != settling {
        return Err("a group is named exactly while one is settled");
    }
    match state.phase {
        Phase::Draw | Phase::Keep if front == FRONT_LIMIT => Err("there is no room in front"),
        Phase::Place if front == 0 => Err("there is no token to place"),
        Phase::Four | Phase::Five | Phase::Keep => {
            let looked = |token| {
                let known = state.known(token);
                known & eyes(Some(state.seat())) != 0 || (known == NOBODY && state.phase != Phase::Keep)
            };
            members(state.group).all(looked).then_some(()).ok_or("the player has looked at the group")
        }
        _ => Ok(()),
    }
}

fn check_groups(game: &Stones, state: &State) -> Result<(), Why> {
    let largest = game.largest(state);
    let possible = match state.phase {
        Phase::Draw | Phase::Place | Phase::More => largest.count == 0,
        Phase::Level => largest.count > 1,
        Phase::Three => largest.size == 3 && largest.count == 1 && is_group(game, state, 3),
        Phase::Four if largest.count > 1 => largest.size == 3 && is_group(game, state, 3),
        Phase::Four => largest.size == 4 && is_group(game, state, 4),
        _ => true,
    };
    possible.then_some(()).ok_or("the groups on the field do not fit what is being done")
}

/// Whether the named tokens are those of a group of this size.
fn is_group(game: &Stones, state: &State, size: u32) -> bool {
    let mut found = false;
    for &colour in &state.colours {
        game.field.groups(colour, |group: Bits| {
            found |= group.count_ones() == size && game.tokens_in(state, group) == state.group;
        });
    }
    found
}
