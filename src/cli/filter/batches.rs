//! Batches of whole lines from the files.
//!
//! A batch has the lines that one read returns, up to a limit of their bytes. Therefore the graphs of a slow writer are
//! tested as they arrive. The limit adapts to the graphs: workers share slow graphs better if batches are small, but
//! small batches of fast graphs would take longer to pass from thread to thread than to test.

use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

use hamcnf::formats::{Increments, count_lines};

use crate::cli::input;

/// Limit of the bytes of the first batches.
const FIRST_LIMIT: usize = 1 << 10;
/// Largest limit of the bytes of a batch, and number of bytes of a read.
const MOST_BYTES: usize = 1 << 16;

/// Whole lines of a file.
pub(super) struct Batch {
    /// Number of the batch, counted from 0.
    pub(super) number: usize,
    /// Name of the file for messages.
    pub(super) file: Arc<str>,
    /// Lines, or the reason why the file cannot be read further.
    pub(super) lines: Result<Lines, String>,
}

pub(super) struct Lines {
    /// Number of lines of the file before this batch.
    pub(super) before: usize,
    pub(super) bytes: Vec<u8>,
}

/// Receiving end of the queue of batches, which the workers share.
#[derive(Clone)]
pub(super) struct Batches {
    queue: Arc<Mutex<Receiver<Batch>>>,
    /// Current limit of the bytes of a batch.
    limit: Arc<AtomicUsize>,
}

/// Sending end of the queue of batches.
pub(super) struct ToWorkers {
    queue: SyncSender<Batch>,
    /// Current limit of the bytes of a batch.
    limit: Arc<AtomicUsize>,
    /// Number of batches that have been sent.
    sent: usize,
}

/// Returns both ends of a queue for this number of workers.
pub(super) fn queue(workers: usize) -> (ToWorkers, Batches) {
    let (send, receive) = mpsc::sync_channel(workers);
    let limit = Arc::new(AtomicUsize::new(FIRST_LIMIT));
    let batches = Batches { queue: Arc::new(Mutex::new(receive)), limit: Arc::clone(&limit) };
    let to_workers = ToWorkers { queue: send, limit, sent: 0 };
    (to_workers, batches)
}

impl Batches {
    /// Waits for the next batch and returns it; `None` at the end.
    pub(super) fn next(&self) -> Option<Batch> {
        let receiver = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv().ok()
    }

    /// Halves the size of the next batches if a batch took long, and doubles it otherwise.
    pub(super) fn adapt(&self, took_long: bool) {
        let limit = self.limit.load(Ordering::Relaxed);
        let next = if took_long { limit / 2 } else { limit * 2 };
        let next = next.clamp(1, MOST_BYTES);
        self.limit.store(next, Ordering::Relaxed);
    }
}

impl ToWorkers {
    /// Reads the files, and sends their lines as long as there are workers. `begin` is called before each batch. The
    /// work ends if it returns false.
    pub(super) fn read(&mut self, files: &[PathBuf], begin: &mut dyn FnMut() -> bool) {
        for path in files {
            let file: Arc<str> = input::name(path).into();
            let limit = Arc::clone(&self.limit);
            let mut send = |lines| {
                let batch = Batch { number: self.sent, file: Arc::clone(&file), lines };
                self.sent += 1;
                begin() && self.queue.send(batch).is_ok()
            };
            let text = input::lines(path).map(|text| BufReader::with_capacity(MOST_BYTES, text));
            let read = text.and_then(|text| read_text(text, &limit, &mut |lines| send(Ok(lines))));
            let goes_on = match read {
                Ok(goes_on) => goes_on,
                Err(error) => send(Err(format!("cannot read {file}: {error}"))),
            };
            if !goes_on {
                return;
            }
        }
    }
}

/// Reads a text, and sends its lines until `send` returns false. Returns true if all lines were sent. `limit` is the
/// limit of the bytes of a batch.
fn read_text(mut text: impl BufRead, limit: &AtomicUsize, send: &mut dyn FnMut(Lines) -> bool) -> io::Result<bool> {
    let mut before = 0;
    // A line whose end has not been read.
    let mut begun = Vec::new();
    let mut increments = Increments::default();
    let mut next = |bytes: Vec<u8>, lines| {
        let bytes = increments.expanded(bytes);
        let all = Lines { before, bytes };
        before += lines;
        send(all)
    };
    loop {
        let buffer = match text.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        let length = buffer.len();
        if length == 0 {
            return Ok(begun.is_empty() || next(begun, 1));
        }
        let mut rest = buffer;
        while let Some(end) = end_of_lines(rest, limit.load(Ordering::Relaxed)) {
            let mut bytes = std::mem::take(&mut begun);
            bytes.extend_from_slice(&rest[..end]);
            let lines = count_lines(&rest[..end]);
            rest = &rest[end..];
            if !next(bytes, lines) {
                return Ok(false);
            }
        }
        begun.extend_from_slice(rest);
        text.consume(length);
    }
}

/// Returns the end of the last line that ends within the first `limit` bytes, or else of the first line. Returns `None` if
/// no line is complete.
fn end_of_lines(bytes: &[u8], limit: usize) -> Option<usize> {
    let is_end = |byte: &u8| *byte == b'\n';
    let last = bytes[..limit.min(bytes.len())].iter().rposition(is_end);
    let end = last.or_else(|| bytes.iter().position(is_end))?;
    Some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text that a reader returns in several pieces.
    struct Pieces(Vec<&'static [u8]>);

    impl io::Read for Pieces {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let Some(piece) = self.0.first_mut() else {
                return Ok(0);
            };
            let n = io::Read::read(piece, into)?;
            if piece.is_empty() {
                self.0.remove(0);
            }
            Ok(n)
        }
    }

    fn batches(pieces: &[&'static [u8]]) -> Vec<(usize, String)> {
        let text = io::BufReader::new(Pieces(pieces.to_vec()));
        let mut found = Vec::new();
        let limit = AtomicUsize::new(512);
        let all = read_text(text, &limit, &mut |lines| {
            found.push((lines.before, String::from_utf8(lines.bytes).unwrap()));
            true
        });
        assert!(all.unwrap());
        found
    }

    #[test]
    fn batches_have_whole_lines() {
        let is = |number, text: &str| (number, text.to_owned());
        assert_eq!(batches(&[]), []);
        assert_eq!(batches(&[b"Bw\n@\n"]), [is(0, "Bw\n@\n")]);
        let found = batches(&[b"Bw\n@", b"?", b"x\n", b"A_"]);
        assert_eq!(found, [is(0, "Bw\n"), is(1, "@?x\n"), is(2, "A_")]);
        let many: &'static [u8] = b"@\n".repeat(600).leak();
        let found = batches(&[many]);
        let lengths: Vec<_> = found.iter().map(|(before, text)| (*before, text.len())).collect();
        assert_eq!(lengths, [(0, 512), (256, 512), (512, 176)]);
        // A line may be longer than a batch.
        let long: &'static [u8] = [b"A?\n".as_slice(), &[b'?'; 1000], b"\n@\n"].concat().leak();
        let found = batches(&[long]);
        let lengths: Vec<_> = found.iter().map(|(_, text)| text.len()).collect();
        assert_eq!(lengths, [3, 1001, 2]);
    }

    #[test]
    fn reading_ends_when_nobody_wants_more() {
        let text = io::BufReader::new(Pieces(vec![b"Bw\n", b"@\n"]));
        let limit = AtomicUsize::new(FIRST_LIMIT);
        assert!(!read_text(text, &limit, &mut |_| false).unwrap());
    }

    #[test]
    fn sizes_adapt_to_the_time_of_a_batch() {
        let (to_workers, batches) = queue(1);
        let limit = || to_workers.limit.load(Ordering::Relaxed);
        assert_eq!(limit(), FIRST_LIMIT);
        batches.adapt(false);
        assert_eq!(limit(), 2 * FIRST_LIMIT);
        (0..20).for_each(|_| batches.adapt(false));
        assert_eq!(limit(), MOST_BYTES);
        (0..20).for_each(|_| batches.adapt(true));
        assert_eq!(limit(), 1);
    }
}
