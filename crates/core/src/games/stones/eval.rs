//! Stones: what counts is tokens in the pile, and improved ones in front; the way there is groups.
//!
//! * A point is a point: 100. Late in the game a lead is worth more, for there is less time to make it up.
//! * Who is to move will make the best group there is. A group of three brings a token; a group of four two (one
//!   comes in front, improved side up) and one more placing; a larger one all its tokens and one more placing.
//!   So a position is valued with what its mover can take at once: it is the size of the gift that the last
//!   player left.
//! * Placing a token improved side up gives its point away, unless the group brings it back.
//!
//! All placings are looked at together: [`Survey`] joins the stones on the field into clusters, and what a
//! stone of a colour would complete in a corner of a token is worked out once for each anchor.

use super::Stones;
use super::board::{Bits, MAX_SQUARES, each};
use super::set::{Side, TOKENS};
use super::state::{FRONT_LIMIT, Move, Phase, State, members};
use crate::game::Seat;
use crate::search::Evaluator;

const COLOURS: usize = 5;
/// The number of what is next to no cell.
const OUTSIDE: u8 = MAX_SQUARES as u8;
/// The neighbours north, east, south and west outside a token, of each of its corners.
const OUTWARD: [[usize; 2]; 4] = [[0, 3], [0, 1], [1, 2], [2, 3]];

/// The evaluation of Stones.
#[derive(Clone)]
pub struct Eval {
    /// The neighbours of each cell: north, east, south, west.
    neighbours: Vec<[u8; 4]>,
    /// A token in the pile, or an improved one in front.
    pub point: i32,
    /// The right to place one more.
    pub more: i32,
    /// What a pair left lying costs: the other player comes next and completes it.
    pub pair: i32,
    /// How much of what the mover can take at once counts, in percent.
    pub next: i32,
    /// A token in front: a choice more.
    pub choice: i32,
}

impl Eval {
    /// The evaluation for a game.
    pub fn new(game: &Stones) -> Self {
        let width = game.field.width as i32;
        let neighbour = |cell: i32, dx: i32, dy: i32| {
            let (x, y) = (cell % width + dx, cell / width + dy);
            let at = y * width + x;
            let inside = (0..width).contains(&x) && (0..MAX_SQUARES as i32).contains(&at);
            if inside { at as u8 } else { OUTSIDE }
        };
        let around = |cell| {
            let north_to_west = [(0, -1), (1, 0), (0, 1), (-1, 0)];
            north_to_west.map(|(dx, dy)| neighbour(cell, dx, dy))
        };
        Eval {
            neighbours: (0..MAX_SQUARES as i32).map(around).collect(),
            point: 100,
            more: 60,
            pair: 12,
            next: 70,
            choice: 10,
        }
    }

    /// What completing a group of so many stones and tokens brings.
    #[inline]
    fn worth(&self, stones: u32, tokens: u32) -> i32 {
        match stones {
            0 | 1 => 0,
            2 => -self.pair,
            3 => self.point,
            4 => 2 * self.point + self.more,
            _ => self.point * tokens as i32 + self.more,
        }
    }

    /// Calls `found` with what every placing of some tokens brings at once.
    fn placings(&self, game: &Stones, state: &State, tokens: u64, mut found: impl FnMut(Move, i32)) {
        let survey = Survey::new(game, state);
        let mut sides: [Option<(u8, Side, Option<usize>)>; FRONT_LIMIT as usize] =
            [None; FRONT_LIMIT as usize];
        for (place, token) in sides.iter_mut().zip(members(tokens)) {
            let side = state.shown(&game.set, token);
            *place = Some((token as u8, side, (0..4).find(|&i| side[i] == side[(i + 1) % 4])));
        }
        for anchor in each(game.field.anchors(game.field.cells & !state.covered())) {
            let corners = self.corners(game, &survey, anchor);
            let mut worth = [[0; COLOURS]; 4];
            for (worths, corner) in worth.iter_mut().zip(&corners) {
                for &cluster in corner {
                    let colour = survey.colour[usize::from(cluster)];
                    if usize::from(colour) < COLOURS {
                        worths[usize::from(colour)] = self.joined(&survey, colour, 1, corner);
                    }
                }
            }
            for &(token, side, pair) in sides.iter().flatten() {
                for turns in 0..4 {
                    let mut sum = 0;
                    for corner in 0..4 {
                        sum += worth[corner][usize::from(side[(corner + 4 - turns) % 4])];
                    }
                    if let Some(place) = pair {
                        sum += self.pair_worth(&survey, &corners, &worth, side[place], (place + turns) % 4);
                    }
                    found(Move::Put { token, cell: anchor as u8, turns: turns as u8 }, sum);
                }
            }
        }
    }

    /// The clusters next to each corner of a token, outside it.
    #[inline]
    fn corners(&self, game: &Stones, survey: &Survey, anchor: usize) -> [[u8; 2]; 4] {
        let cells = game.field.corners(anchor);
        std::array::from_fn(|corner| {
            let around = &self.neighbours[cells[corner]];
            OUTWARD[corner].map(|way| survey.cluster[usize::from(around[way])])
        })
    }

    /// What a few new stones of one token bring that join these clusters.
    #[inline]
    fn joined(&self, survey: &Survey, colour: u8, new: u32, clusters: &[u8]) -> i32 {
        let (mut stones, mut tokens) = (new, 0);
        for (place, &cluster) in clusters.iter().enumerate() {
            let index = usize::from(cluster);
            if survey.colour[index] == colour && !clusters[..place].contains(&cluster) {
                stones += u32::from(survey.stones[index]);
                tokens |= survey.tokens[index];
            }
        }
        self.worth(stones, tokens.count_ones() + 1)
    }

    /// What an improved token's pair brings beside its stones by themselves, and what giving its point away costs.
    fn pair_worth(
        &self,
        survey: &Survey,
        corners: &[[u8; 2]; 4],
        worth: &[[i32; COLOURS]; 4],
        colour: u8,
        corner: usize,
    ) -> i32 {
        let next = (corner + 1) % 4;
        let ([a, b], [c, d]) = (corners[corner], corners[next]);
        let alone = worth[corner][usize::from(colour)] + worth[next][usize::from(colour)];
        self.joined(survey, colour, 2, &[a, b, c, d]) - alone - self.point
    }

    /// The most that a seat can take with one placing.
    fn best_placing(&self, game: &Stones, state: &State, seat: Seat) -> i32 {
        let mut best = 0;
        self.placings(game, state, state.front[seat.index()], |_, gain| best = best.max(gain));
        best
    }
}

/// The stones on the field, joined into clusters of one colour.
struct Survey {
    /// The cluster of each cell; 0 is none.
    cluster: [u8; MAX_SQUARES + 1],
    colour: [u8; MAX_SQUARES + 1],
    stones: [u8; MAX_SQUARES + 1],
    /// The tokens with a stone in each cluster.
    tokens: [u64; MAX_SQUARES + 1],
}

impl Survey {
    fn new(game: &Stones, state: &State) -> Self {
        let mut survey = Survey {
            cluster: [0; MAX_SQUARES + 1],
            colour: [u8::MAX; MAX_SQUARES + 1],
            stones: [0; MAX_SQUARES + 1],
            tokens: [0; MAX_SQUARES + 1],
        };
        let mut token_at = [0u8; MAX_SQUARES];
        for token in members(state.lying()) {
            for cell in game.field.corners(usize::from(state.spot[token] / 4)) {
                token_at[cell] = token as u8;
            }
        }
        let mut next = 1;
        for (colour, &stones) in state.colours.iter().enumerate() {
            let mut left: Bits = stones;
            while left != 0 {
                let cells = game.field.fill(left & left.wrapping_neg(), stones);
                left &= !cells;
                survey.colour[next] = colour as u8;
                survey.stones[next] = cells.count_ones() as u8;
                for cell in each(cells) {
                    survey.cluster[cell] = next as u8;
                    survey.tokens[next] |= 1 << token_at[cell];
                }
                next += 1;
            }
        }
        survey
    }
}

impl Evaluator<Stones> for Eval {
    const SCALE: f64 = 250.0;

    fn evaluate(&self, game: &Stones, state: &State) -> i32 {
        let mover = state.seat();
        let side = |seat: Seat| {
            self.point * state.score(seat) + self.choice * state.front[seat.index()].count_ones() as i32
        };
        let next = self.best_placing(game, state, mover) * self.next / 100;
        let lead = side(Seat::First) - side(Seat::Second);
        let value = if mover == Seat::First { lead + next } else { lead - next };
        // As a random walk: what can still change grows with the root of the tokens to come.
        let to_come = TOKENS as f64 - f64::from(state.out);
        (f64::from(value) * (20.0 / (to_come + 4.0)).sqrt()) as i32
    }

    fn promise(&self, game: &Stones, state: &State, seat: Seat, mv: Move) -> i32 {
        let mut promises = Vec::new();
        self.promises(game, state, seat, &[mv], &mut promises);
        promises[0]
    }

    fn promises(&self, game: &Stones, state: &State, seat: Seat, moves: &[Move], promises: &mut Vec<i32>) {
        if matches!(state.phase, Phase::Place | Phase::More) {
            let (mut next, before) = (0, promises.len());
            // Placings are found in the order of the anchors, moves are listed by token: put them in order.
            let front = state.front[seat.index()];
            let anchors = game.field.anchors(game.field.cells & !state.covered());
            let listed = 4 * front.count_ones() as usize * anchors.count_ones() as usize;
            if moves.len() >= listed && listed > 0 {
                promises.resize(before + moves.len(), 0);
                let (tokens, cells) = (front.count_ones() as usize, anchors.count_ones() as usize);
                self.placings(game, state, front, |_, gain| {
                    let (turns, token, anchor) = (next % 4, next / 4 % tokens, next / (4 * tokens));
                    promises[before + (token * cells + anchor) * 4 + turns] = gain;
                    next += 1;
                });
                return;
            }
            for &mv in moves {
                let mut promise = 0;
                if let Move::Put { token, .. } = mv {
                    self.placings(game, state, 1 << token, |put, gain| {
                        if put == mv {
                            promise = gain;
                        }
                    });
                }
                promises.push(promise);
            }
            return;
        }
        let room = state.front[seat.index()].count_ones() < 4;
        promises.extend(moves.iter().map(|&mv| match mv {
            Move::Take(token) if state.improved >> token & 1 == 1 => self.pair,
            Move::Pile(_) => self.point,
            Move::Keep { improved: true, .. } if room => self.point + self.choice,
            Move::Keep { improved: true, .. } => self.point - self.choice,
            _ => 0,
        }));
    }

    fn is_settled(&self, _game: &Stones, state: &State) -> bool {
        matches!(state.phase, Phase::Deal | Phase::Draw | Phase::Place)
    }
}
