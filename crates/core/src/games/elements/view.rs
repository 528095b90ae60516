//! Who knows what (E6–E8, E13–E15, E22, E23): hiding, and guessing what is hidden.

use super::piece::{Element, Piece, elements};
use super::state::{Arrangement, OF_EACH, PIECES, Pending, State};
use crate::game::Seat;
use fastrand::Rng;

/// What a viewer (`None`: a spectator) knows: a state in which elements may be unknown.
#[derive(Clone, PartialEq)]
pub struct View {
    /// Who looks.
    pub viewer: Option<Seat>,
    /// The state as far as the viewer knows it.
    pub known: State,
}

/// What a viewer knows while the game goes on: of the other side, what is public.
pub fn view(state: &State, viewer: Option<Seat>) -> View {
    let mut known = *state;
    for seat in Seat::BOTH.into_iter().filter(|&seat| viewer != Some(seat)) {
        for at in 0..PIECES {
            known.set_piece(seat, at, state.piece(seat, at).public());
        }
    }
    if let Pending::Attack(origin, target, _) = state.pending
        && viewer != Some(state.mover())
    {
        known.pending = Pending::Attack(origin, target, None);
    }
    View { viewer, known }
}

/// Draws a state that fits a view, each with the same chance.
pub fn guess(view: &View, rng: &mut Rng) -> State {
    let mut state = view.known;
    for seat in Seat::BOTH.into_iter().filter(|&seat| view.known.given[seat.index()]) {
        guess_side(&mut state, seat, rng);
    }
    let mover = state.mover();
    if let Pending::Attack(origin, target, None) = state.pending
        && origin == state.king_cell(mover)
    {
        let owned = state.owned[mover.index()];
        let element = elements(owned).nth(rng.usize(..owned.count_ones() as usize));
        state.pending = Pending::Attack(origin, target, element);
    }
    state
}

fn guess_side(state: &mut State, seat: Seat, rng: &mut Rng) {
    let pieces: [Piece; PIECES] = std::array::from_fn(|at| state.piece(seat, at));
    if pieces.iter().all(|piece| piece.is_known()) {
        return;
    }
    let (left, count) = left_to_guess(&pieces);
    let mut guess = [Element::Fire; PIECES];
    let mut made = 0;
    for element in Element::ALL {
        let next = made + left[element as usize];
        guess[made..next].fill(element);
        made = next;
    }
    let guess = &mut guess[..count];
    let unknown = || pieces.iter().filter(|piece| piece.start().is_none());
    loop {
        rng.shuffle(guess);
        if unknown().zip(guess.iter()).all(|(piece, &start)| piece.never() != Some(start)) {
            break;
        }
    }
    let mut guess = guess.iter();
    for (at, piece) in pieces.iter().enumerate() {
        if let Some(start) = piece.start().or_else(|| guess.next().copied()) {
            state.set_piece(seat, at, piece.guessed(start, rng));
        }
    }
}

/// How many of each element are among the unknown starts, and how many that is in all.
fn left_to_guess(pieces: &[Piece; PIECES]) -> ([usize; 5], usize) {
    let mut left = [OF_EACH; 5];
    for start in pieces.iter().filter_map(|piece| piece.start()) {
        left[start as usize] = left[start as usize].wrapping_sub(1);
    }
    (left, pieces.iter().filter(|piece| piece.start().is_none()).count())
}

/// Whether some set-up fits what is known of a side's starts.
///
/// Each piece excludes at most one element, so only the pieces that may have had an element can be too few
/// for it.
pub fn can_be(pieces: &[Piece; PIECES]) -> bool {
    let (left, _) = left_to_guess(pieces);
    Element::ALL.into_iter().all(|element| {
        let may = pieces.iter().filter(|piece| piece.start().is_none() && piece.never() != Some(element));
        left[element as usize] <= may.count()
    })
}

/// The set-up of a side, if all of it is known.
pub fn arrangement(state: &State, seat: Seat) -> Option<Arrangement> {
    let mut elements = [Element::Fire; PIECES];
    for (at, element) in elements.iter_mut().enumerate() {
        *element = state.piece(seat, at).start()?;
    }
    Some(Arrangement::new(elements))
}
