//! Smaller games on the same board, solved whole.

use super::forward::{self, Outlook, outlook};
use super::generate::{Generation, Wish};
use super::numbering::{Numbering, Opened};
use super::oracle::Oracle;
use super::position::Position;
use super::validate::validate;
use super::{Convention, Pieces, backward, reach};
use crate::solve::{TableError, Value, Verdict};
use std::path::{Path, PathBuf};

/// A folder that goes away with its table.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("visavis-solve-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    fn table(&self) -> PathBuf {
        self.0.join("table")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

fn solved(pieces: [u8; 3], convention: Convention, threads: usize) -> Generation {
    let mut generation = Generation::new(Pieces(pieces), convention);
    generation.run(threads, |_| Wish::Continue);
    assert_eq!(generation.next, None);
    generation
}

fn solve_to(path: &Path, pieces: [u8; 3], convention: Convention, threads: usize) -> Oracle {
    solved(pieces, convention, threads).write(path).unwrap();
    Oracle::open(path).unwrap()
}

fn each_position(numbering: &Numbering, mut visit: impl FnMut(Position, u32)) {
    let mut opened = Opened::default();
    for block in numbering.blocks() {
        numbering.open(block, &mut opened);
        for offset in 0..block.len {
            let position = opened.position(offset);
            if numbering.number(&position).index == block.first + offset {
                visit(position, block.first + offset);
            }
        }
    }
}

#[test]
fn a_smaller_game_is_solved_and_validated() {
    let folder = Folder::new("smaller");
    for convention in [Convention::Osakana, Convention::Dobutsu] {
        let oracle = solve_to(&folder.table(), [2, 1, 0], convention, 2);
        match validate(&oracle, 2, |_| true).unwrap() {
            Verdict::Right(census) => assert!(census.wins > census.losses && census.losses > census.draws),
            wrong => panic!("{wrong:?}"),
        }
    }
}

#[test]
fn one_changed_value_is_found() {
    let folder = Folder::new("changed");
    let generation = solved([2, 1, 0], Convention::Osakana, 2);
    for (index, change) in [(1_234, 1), (4_321, 2), (40_000, 1)] {
        generation.tamper(index, change);
        generation.write(&folder.table()).unwrap();
        let oracle = Oracle::open(&folder.table()).unwrap();
        match validate(&oracle, 2, |_| true) {
            Ok(Verdict::Right(_) | Verdict::Stopped) => panic!("a changed value went unnoticed"),
            Ok(Verdict::Wrong { .. }) | Err(TableError::Damaged) => {}
            Err(error) => panic!("{error}"),
        }
        generation.tamper(index, change.wrapping_neg());
    }
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new("threads");
    let bytes: Vec<Vec<u8>> = [1, 2, 5]
        .into_iter()
        .map(|threads| {
            solve_to(&folder.table(), [2, 1, 1], Convention::Osakana, threads);
            std::fs::read(folder.table()).unwrap()
        })
        .collect();
    assert!(bytes[0] == bytes[1] && bytes[1] == bytes[2]);
}

#[test]
fn an_interrupted_generation_goes_on_to_the_same_table() {
    let folder = Folder::new("resumed");
    solve_to(&folder.table(), [2, 1, 0], Convention::Osakana, 2);
    let whole = std::fs::read(folder.table()).unwrap();
    let mut generation = Generation::new(Pieces([2, 1, 0]), Convention::Osakana);
    let mut stops = 0;
    while generation.next.is_some() {
        generation.run(2, |_| Wish::Stop);
        generation.write(&folder.table()).unwrap();
        if generation.next.is_some() {
            assert!(matches!(Oracle::open(&folder.table()), Err(TableError::Unfinished)));
        }
        generation = Generation::read(&folder.table()).unwrap();
        stops += 1;
    }
    assert!(stops > 10);
    assert!(std::fs::read(folder.table()).unwrap() == whole);
}

#[test]
fn a_damaged_or_foreign_file_is_refused() {
    let folder = Folder::new("damaged");
    solve_to(&folder.table(), [2, 0, 0], Convention::Osakana, 1);
    let whole = std::fs::read(folder.table()).unwrap();
    let with = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = whole.clone();
        change(&mut bytes);
        std::fs::write(folder.table(), bytes).unwrap();
        let opened = Oracle::open(&folder.table());
        opened.and_then(|oracle| validate(&oracle, 1, |_| true)).map(|_| ())
    };
    assert!(with(&|_| {}).is_ok());
    assert!(matches!(with(&|bytes| bytes[0] = b'X'), Err(TableError::Foreign)));
    assert!(matches!(with(&|bytes| bytes.truncate(10)), Err(TableError::Foreign)));
    assert!(matches!(with(&|bytes| bytes[8] = 9), Err(TableError::Version { found: 9, .. })));
    for at in [13, 20, 30, 63, 64, 70, 5_000] {
        assert!(matches!(with(&|bytes| bytes[at] ^= 3), Err(TableError::Damaged)), "byte {at}");
    }
    assert!(matches!(with(&|bytes| bytes.truncate(bytes.len() - 1)), Err(TableError::Damaged)));
    assert!(matches!(with(&|bytes| bytes.push(0)), Err(TableError::Damaged)));
}

#[test]
fn one_convention_follows_from_the_other() {
    let folder = Folder::new("conventions");
    let ours = solve_to(&folder.table(), [2, 1, 0], Convention::Osakana, 2);
    let other = Folder::new("dobutsu");
    let theirs = solve_to(&other.table(), [2, 1, 0], Convention::Dobutsu, 2);
    let mut differ = 0u64;
    each_position(ours.numbering(), |position, index| {
        let (here, there) = (ours.value_of(index).unwrap(), theirs.value_of(index).unwrap());
        assert_eq!(here.in_dobutsu(), there, "{position}");
        differ += u64::from(here != there);
    });
    assert!(differ > 0);
}

/// The quick count at first sight is what a list of all moves says.
#[test]
fn the_outlook_is_what_the_moves_say() {
    each_position(&Numbering::new(Pieces([1, 1, 1])), |position, _| {
        let (mut tries, mut open, mut saved) = (false, 0, false);
        forward::each(&position, |after| {
            if !forward::loses_at_once(&after) {
                tries |= forward::has_tried(&after);
                saved = true;
                open += u8::from(!after.lets_opponent_try());
            }
        });
        let expected = match (tries, open, saved) {
            (true, ..) => Outlook::Try,
            (_, 0, false) => Outlook::Mated,
            (_, 0, true) => Outlook::Outrun,
            (_, open, _) => Outlook::Open(open),
        };
        assert_eq!(outlook(&position), expected, "{position}");
    });
}

/// Moves taken back are exactly the moves, the other way round.
#[test]
fn moves_and_moves_taken_back_are_the_same() {
    let numbering = Numbering::new(Pieces([2, 1, 0]));
    let (mut forth, mut back) = (Vec::new(), Vec::new());
    each_position(&numbering, |position, index| {
        forward::each(&position, |after| {
            let child = after.turned();
            if after.opponent.tuna != 0 && numbering.covers(&child) {
                forth.push((index, numbering.number(&child).index));
            }
        });
        backward::each(&position.turned(), |before| {
            assert!(numbering.covers(before), "{before}");
            back.push((numbering.number(before).index, index));
        });
    });
    for edges in [&mut forth, &mut back] {
        edges.sort_unstable();
        edges.dedup();
    }
    assert!(forth == back);
}

#[test]
fn everything_reachable_is_counted() {
    let folder = Folder::new("reach");
    let oracle = solve_to(&folder.table(), [2, 0, 0], Convention::Osakana, 2);
    let one = reach::census(&oracle, 1, |_| true).unwrap();
    assert_eq!(one, reach::census(&oracle, 3, |_| true).unwrap());
    assert!(one.wins + one.losses + one.draws > 1_000);
    assert_ne!(oracle.value(&Position::start(Pieces([2, 0, 0]))).unwrap(), Value::Win(0));
}
