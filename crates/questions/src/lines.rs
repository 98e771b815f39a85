//! Texts with lines of limited length. A text without line ends, such as an endless device, then ends with an error
//! before it fills the memory.

use std::io::{self, BufRead, Read};

/// Largest number of bytes in a line: enough for a graph of 100 000 vertices in graph6.
const LONGEST: u64 = 1 << 30;

/// Reader that fails within a line that is too long.
pub(super) struct Lines<R> {
    text: R,
    longest: u64,
    /// Number of bytes since the last line end.
    since: u64,
}

impl<R: BufRead> Lines<R> {
    pub(super) fn new(text: R) -> Self {
        Self { text, longest: LONGEST, since: 0 }
    }
}

impl<R: BufRead> BufRead for Lines<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.since > self.longest {
            let why = format!("a line has more than {} MiB", self.longest >> 20);
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        self.text.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The buffer is not empty, so this reads nothing.
        let end = match self.text.fill_buf() {
            Ok(buffer) => buffer[..amount].iter().rposition(|&byte| byte == b'\n'),
            Err(_) => None,
        };
        self.since = match end {
            Some(end) => (amount - end - 1) as u64,
            None => self.since + amount as u64,
        };
        self.text.consume(amount);
    }
}

impl<R: BufRead> Read for Lines<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(into)?;
        self.consume(read);
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_limited_and_texts_are_not() {
        let read = |text: &str| {
            let mut all = String::new();
            // The buffer is smaller than the lines.
            let text = io::BufReader::with_capacity(3, text.as_bytes());
            let lines = Lines { longest: 4, ..Lines::new(text) };
            { lines }.read_to_string(&mut all).is_ok().then_some(all)
        };
        for text in ["", "1234", "1234\n5678\n\n90", "\n\n\n\n\n\n\n"] {
            assert_eq!(read(text).as_deref(), Some(text));
        }
        assert_eq!(read("12345678\n"), None);
        assert_eq!(read("1\n23\n456789012"), None);
    }
}
