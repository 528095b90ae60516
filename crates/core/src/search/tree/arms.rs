//! What a seat may do at a node, and how it fared.
//!
//! Most arms are one move. A *blind choice* (see [`Game::blind_choice`](crate::game::Game::blind_choice)) is one
//! arm with several moves, and between these no move is best: what the search learns is a mixture, by regret
//! matching, whose average over time approaches an equilibrium when the other side's choice is mixed the
//! same way.

/// The share of blind choices that are made at random, to keep looking at all of them.
const EXPLORED: f64 = 0.1;

/// One move of a blind choice.
#[derive(Clone)]
pub struct Choice<M> {
    pub mv: M,
    pub visits: u32,
    total: f64,
    /// How likely it is before anything is known.
    prior: f64,
    /// How much better it would have been, summed up.
    regret: f64,
    /// How likely it was to be chosen, summed up, later times counting more.
    chosen: f64,
}

impl<M> Choice<M> {
    fn mean(&self, unknown: f64) -> f64 {
        if self.visits == 0 { unknown } else { self.total / f64::from(self.visits) }
    }
}

/// A move, or all moves of one blind choice, at a node of the seat that decides.
#[derive(Clone)]
pub struct Arm<M> {
    /// The move; of a blind choice, its first.
    pub mv: M,
    pub visits: u32,
    /// How promising it looked, as a share of all.
    pub weight: f32,
    pub total: f64,
    pub choices: Option<Box<[Choice<M>]>>,
}

impl<M: Copy + Eq> Arm<M> {
    /// An arm of one move.
    pub fn new(mv: M, weight: f32) -> Self {
        Arm { mv, visits: 0, weight, total: 0.0, choices: None }
    }

    /// An arm of a blind choice among moves, each as likely at first as its weight says.
    pub fn blind(moves: &[(M, f32)]) -> Self {
        let weight: f32 = moves.iter().map(|&(_, weight)| weight).sum();
        let mut arm = Arm::new(moves[0].0, weight);
        if moves.len() > 1 {
            let choice = |&(mv, part): &(M, f32)| Choice {
                mv,
                visits: 0,
                total: 0.0,
                prior: f64::from(part / weight),
                regret: 0.0,
                chosen: 0.0,
            };
            arm.choices = Some(moves.iter().map(choice).collect());
        }
        arm
    }

    /// The mean score, or what an arm not yet tried is taken for.
    #[inline]
    pub fn mean(&self, untried: f64) -> f64 {
        if self.visits == 0 { untried } else { self.total / f64::from(self.visits) }
    }

    /// The move at a place, and how often it was tried.
    #[inline]
    pub fn at(&self, place: usize) -> (M, u32) {
        match &self.choices {
            None => (self.mv, self.visits),
            Some(choices) => (choices[place].mv, choices[place].visits),
        }
    }

    /// Draws one of the choices as they are mixed now.
    #[inline]
    pub fn draw(&self, rng: &mut fastrand::Rng) -> usize {
        let Some(choices) = &self.choices else { return 0 };
        let wanted: f64 = choices.iter().map(|choice| choice.regret.max(0.0)).sum();
        let chance = |choice: &Choice<M>| chance(choice, wanted, choices.len());
        pick(choices.iter().map(chance), rng.f64())
    }

    /// Draws from what the choices were on average.
    pub fn draw_mixed(&self, rng: &mut fastrand::Rng) -> usize {
        let Some(choices) = &self.choices else { return 0 };
        let sum: f64 = choices.iter().map(|choice| choice.chosen).sum();
        if sum == 0.0 {
            return pick(choices.iter().map(|choice| choice.prior), rng.f64());
        }
        // What was chosen only to look at it does not count.
        let looked = EXPLORED * sum / choices.len() as f64;
        let share = |choice: &Choice<M>| (choice.chosen - looked).max(0.0);
        let total: f64 = choices.iter().map(share).sum();
        pick(choices.iter().map(share), rng.f64() * total)
    }

    /// Learns what came of a choice.
    pub fn learn(&mut self, place: usize, score: f64) {
        let mean = self.mean(score);
        self.visits += 1;
        self.total += score;
        let age = f64::from(self.visits);
        let Some(choices) = &mut self.choices else { return };
        let count = choices.len();
        let wanted: f64 = choices.iter().map(|choice| choice.regret.max(0.0)).sum();
        let chance_of = |choice: &Choice<M>| chance(choice, wanted, count);
        // What each choice would have scored: its mean so far, and for the one that was made, corrected by what
        // came of it as much as its chance demands. Right on average, and much steadier than without the means.
        let surprise = score - choices[place].mean(mean);
        let means = choices.iter().map(|choice| chance_of(choice) * choice.mean(mean));
        let expected = means.sum::<f64>() + surprise;
        let surprise = surprise / chance_of(&choices[place]);
        for (other, choice) in choices.iter_mut().enumerate() {
            choice.chosen += age * chance_of(choice);
            let would = choice.mean(mean) + if other == place { surprise } else { 0.0 };
            choice.regret += would - expected;
        }
        choices[place].visits += 1;
        choices[place].total += score;
    }

    /// Adds what another thread found about the same arm.
    pub fn add(&mut self, other: &Arm<M>) {
        self.visits += other.visits;
        self.total += other.total;
        if let (Some(choices), Some(others)) = (&mut self.choices, &other.choices) {
            for part in others {
                if let Some(choice) = choices.iter_mut().find(|choice| choice.mv == part.mv) {
                    choice.visits += part.visits;
                    choice.total += part.total;
                    choice.chosen += part.chosen;
                }
            }
        }
    }
}

/// The chance of a choice: by regret so far, and a little of each.
#[inline]
fn chance<M>(choice: &Choice<M>, wanted: f64, count: usize) -> f64 {
    let share = if wanted > 0.0 { choice.regret.max(0.0) / wanted } else { choice.prior };
    (1.0 - EXPLORED) * share + EXPLORED / count as f64
}

/// The place at which a sum of shares passes a mark.
fn pick(shares: impl Iterator<Item = f64>, mut mark: f64) -> usize {
    let mut last = 0;
    for (place, share) in shares.enumerate() {
        mark -= share;
        if mark < 0.0 {
            return place;
        }
        if share > 0.0 {
            last = place;
        }
    }
    last
}
