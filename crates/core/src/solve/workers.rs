//! Blocks handed out to threads, while the caller watches.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often the caller is told of progress.
const TICK: Duration = Duration::from_millis(100);
/// How many blocks a thread takes at a time.
const HANDFUL: usize = 32;

/// Runs work on the numbers below `blocks`, each once, on several threads; calls `watch` with how many are
/// done now and then, and hands out no more when that says not to go on. Returns what each thread kept.
pub fn sweep<Scratch: Default + Send>(
    blocks: usize,
    threads: usize,
    work: impl Fn(&mut Scratch, usize) + Sync,
    mut watch: impl FnMut(usize) -> bool,
) -> Vec<Scratch> {
    let next = AtomicUsize::new(0);
    let (sender, receiver) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                let mut scratch = Scratch::default();
                loop {
                    let start = next.fetch_add(HANDFUL, Relaxed);
                    if start >= blocks {
                        break;
                    }
                    (start..blocks.min(start + HANDFUL)).for_each(|block| work(&mut scratch, block));
                }
                sender.send(scratch).ok();
            });
        }
        drop(sender);
        let mut kept = Vec::new();
        loop {
            match receiver.recv_timeout(TICK) {
                Ok(scratch) => kept.push(scratch),
                Err(RecvTimeoutError::Timeout) if watch(next.load(Relaxed).min(blocks)) => (),
                Err(RecvTimeoutError::Timeout) => next.store(blocks, Relaxed),
                Err(RecvTimeoutError::Disconnected) => return kept,
            }
        }
    })
}
