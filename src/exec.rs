//! Where parallelism is chosen. An operation that can use threads takes an [`Executor`];
//! its result is the same whichever it is given, and so are its bytes.

/// A way to run independent pieces of work.
pub trait Executor: Sync {
    /// How many pieces run at the same time; at least 1.
    fn parallelism(&self) -> usize;

    /// Cuts `data` into chunks of `chunk` elements (the last may be shorter; 0 counts as 1)
    /// and calls `work(first_index, chunk)` for each, in any order, side by side where there
    /// are threads. Returns when all are done.
    fn for_each_chunk<T: Send>(
        &self,
        data: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    );

    /// As [`for_each_chunk`](Self::for_each_chunk), and calls `beside` at the same time in the
    /// calling thread, which then helps with the chunks: for work that can't be cut. Where there
    /// are no threads `beside` comes first.
    fn for_each_chunk_beside<T: Send, R>(
        &self,
        data: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
        beside: impl FnOnce() -> R,
    ) -> R {
        let result = beside();
        self.for_each_chunk(data, chunk, work);
        result
    }

    /// A chunk length that gives every thread many pieces of `len` elements (so that fast and
    /// slow cores, and one that came late, share them well), but none below `least` except the last: what
    /// is shorter than two of those is done without threads.
    fn chunk_len(&self, len: usize, least: usize) -> usize {
        let pieces = match self.parallelism() {
            0 | 1 => 1,
            _ if len < least.saturating_mul(2) => 1,
            threads => threads.saturating_mul(16),
        };
        len.div_ceil(pieces).max(least).max(1)
    }
}

/// How many elements are work enough for a piece, where one takes `nanoseconds`: 50 µs in all, which
/// is what making a thread costs.
#[cfg(feature = "verkle")]
pub(crate) const fn worth_a_piece(nanoseconds: usize) -> usize {
    50_000usize.div_ceil(nanoseconds)
}

/// Everything in the calling thread, one piece after another.
#[derive(Clone, Copy, Debug, Default)]
pub struct Serial;

impl Executor for Serial {
    fn parallelism(&self) -> usize {
        1
    }

    fn for_each_chunk<T: Send>(
        &self,
        data: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        let chunk = chunk.max(1);
        for (i, piece) in data.chunks_mut(chunk).enumerate() {
            work(i * chunk, piece);
        }
    }
}

/// At most this many threads (0 counts as 1), made for each call and gone after it; the
/// calling thread is one of them. Pieces are taken one at a time by whoever is free.
#[cfg(feature = "std")]
#[derive(Clone, Copy, Debug)]
pub struct Threads(pub usize);

#[cfg(feature = "std")]
impl Executor for Threads {
    fn parallelism(&self) -> usize {
        self.0.max(1)
    }

    fn for_each_chunk<T: Send>(
        &self,
        data: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        self.for_each_chunk_beside(data, chunk, work, || ());
    }

    fn for_each_chunk_beside<T: Send, R>(
        &self,
        data: &mut [T],
        chunk: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
        beside: impl FnOnce() -> R,
    ) -> R {
        let chunk = chunk.max(1);
        let pieces = data.len().div_ceil(chunk);
        let threads = self.parallelism().min(pieces);
        if threads <= 1 {
            let result = beside();
            Serial.for_each_chunk(data, chunk, work);
            return result;
        }
        let queue = std::sync::Mutex::new(data.chunks_mut(chunk).enumerate());
        let take = || match queue.lock() {
            Ok(mut pieces) => pieces.next(),
            // A lock is poisoned only if another thread panicked, and then so do we all.
            Err(poisoned) => poisoned.into_inner().next(),
        };
        let drain = || {
            while let Some((i, piece)) = take() {
                work(i * chunk, piece);
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads {
                // Where the system gives no further thread the others do its share.
                if std::thread::Builder::new()
                    .spawn_scoped(scope, drain)
                    .is_err()
                {
                    break;
                }
            }
            let result = beside();
            drain();
            result
        })
    }
}

#[cfg(all(test, feature = "std"))]
mod tests {
    use super::*;
    use alloc::{vec, vec::Vec};

    fn squares(exec: &impl Executor, len: usize, chunk: usize) -> Vec<usize> {
        let mut data = vec![0; len];
        exec.for_each_chunk(&mut data, chunk, |first, piece| {
            for (i, slot) in piece.iter_mut().enumerate() {
                *slot = (first + i) * (first + i);
            }
        });
        data
    }

    #[test]
    fn every_executor_gives_the_same() {
        for len in [0, 1, 2, 3, 31, 100] {
            for chunk in [0, 1, 2, 7, 200] {
                let expected: Vec<usize> = (0..len).map(|i| i * i).collect();
                assert_eq!(squares(&Serial, len, chunk), expected);
                for threads in [0, 1, 2, 3, 8] {
                    assert_eq!(squares(&Threads(threads), len, chunk), expected);
                }
            }
        }
    }
    #[test]
    fn what_is_beside_is_done_once_and_so_are_the_pieces() {
        fn both(exec: &impl Executor, len: usize) -> (Vec<usize>, usize) {
            let mut data = vec![0; len];
            let calls = exec.for_each_chunk_beside(
                &mut data,
                2,
                |first, piece| {
                    for (i, slot) in piece.iter_mut().enumerate() {
                        *slot += first + i + 1;
                    }
                },
                || len + 7,
            );
            (data, calls)
        }
        for len in [0, 1, 2, 9] {
            let expected = ((1..=len).collect(), len + 7);
            assert_eq!(both(&Serial, len), expected);
            for threads in 0..5 {
                assert_eq!(both(&Threads(threads), len), expected);
            }
        }
    }
}
