//! Batches of whole lines from the files.
//!
//! A batch has as many lines as one read returns, up to a limit. Therefore the graphs of a slow writer are tested as
//! they arrive.

use std::io::{self, BufRead};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};

use crate::cli::input;

/// Largest number of lines in a batch. Workers share slow graphs better if batches are small.
const LINES: usize = 256;

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
pub(super) struct Batches(Arc<Mutex<Receiver<Batch>>>);

/// Returns both ends of a queue for this number of workers.
pub(super) fn queue(workers: usize) -> (SyncSender<Batch>, Batches) {
    let (send, receive) = mpsc::sync_channel(workers);
    (send, Batches(Arc::new(Mutex::new(receive))))
}

impl Batches {
    /// Waits for the next batch and returns it; `None` at the end.
    pub(super) fn next(&self) -> Option<Batch> {
        let receiver = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        receiver.recv().ok()
    }
}

/// Reads the files, and sends their lines until `send` returns false.
pub(super) fn read(files: &[PathBuf], send: &mut dyn FnMut(Batch) -> bool) {
    let mut number = 0;
    for path in files {
        let file: Arc<str> = input::name(path).into();
        let mut next = |lines| {
            let file = Arc::clone(&file);
            let batch = Batch {
                number,
                file,
                lines,
            };
            number += 1;
            send(batch)
        };
        let read = input::open(path).and_then(|text| read_text(text, &mut |lines| next(Ok(lines))));
        let goes_on = match read {
            Ok(goes_on) => goes_on,
            Err(error) => next(Err(format!("cannot read {file}: {error}"))),
        };
        if !goes_on {
            return;
        }
    }
}

/// Reads a text, and sends its lines until `send` returns false. Returns true if all lines were sent.
fn read_text(mut text: Box<dyn BufRead>, send: &mut dyn FnMut(Lines) -> bool) -> io::Result<bool> {
    let mut before = 0;
    // A line whose end has not been read.
    let mut begun = Vec::new();
    let mut next = |bytes: Vec<u8>, lines| {
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
        while let Some((end, lines)) = end_of_lines(rest) {
            let mut bytes = std::mem::take(&mut begun);
            bytes.extend_from_slice(&rest[..end]);
            rest = &rest[end..];
            if !next(bytes, lines) {
                return Ok(false);
            }
        }
        begun.extend_from_slice(rest);
        text.consume(length);
    }
}

/// Finds the complete lines in `bytes`, up to the maximum for a batch. Returns the number of their bytes and the number
/// of lines; `None` if no line is complete.
fn end_of_lines(bytes: &[u8]) -> Option<(usize, usize)> {
    let ends = (1..).zip(bytes).filter(|(_, byte)| **byte == b'\n');
    let ends = (1..=LINES).zip(ends);
    let (lines, (end, _)) = ends.last()?;
    Some((end, lines))
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
        let all = read_text(Box::new(text), &mut |lines| {
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
        let lengths: Vec<_> = found
            .iter()
            .map(|(before, text)| (*before, text.len()))
            .collect();
        assert_eq!(lengths, [(0, 512), (256, 512), (512, 176)]);
    }

    #[test]
    fn reading_ends_when_nobody_wants_more() {
        let text = io::BufReader::new(Pieces(vec![b"Bw\n", b"@\n"]));
        assert!(!read_text(Box::new(text), &mut |_| false).unwrap());
    }
}
