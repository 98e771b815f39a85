//! Reader of words and numbers in a file. It reads byte by byte, and keeps track of its position.

use std::io::{self, Read};

use super::{LITERALS, Place, Why};

/// Buffered reader that goes through a file once, from beginning to end.
pub(super) struct Source<'a> {
    input: &'a mut dyn Read,
    buffer: Box<[u8]>,
    /// Index of the next byte in `buffer`. The bytes `buffer[at..end]` have been read from the file, but not consumed.
    at: usize,
    end: usize,
    /// Offset in the file of the first byte of `buffer`.
    before: u64,
    /// Line of the next byte, counted from 1.
    line: u64,
}

/// Error while reading a part of a file: the file is unreadable, or its contents are wrong.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error(transparent)]
    Unreadable(#[from] io::Error),
    #[error(transparent)]
    Wrong(#[from] Why),
}

/// Maximum number of bytes of a word that error messages show.
const SHOWN: usize = 24;

impl<'a> Source<'a> {
    const BUFFER: usize = 1 << 16;

    pub(super) fn new(input: &'a mut dyn Read) -> Self {
        Self { input, buffer: vec![0; Self::BUFFER].into_boxed_slice(), at: 0, end: 0, before: 0, line: 1 }
    }

    pub(super) fn line(&self) -> Place {
        Place::Line(self.line)
    }

    pub(super) fn byte(&self) -> Place {
        Place::Byte(self.before + self.at as u64)
    }

    #[cold]
    fn fill(&mut self) -> io::Result<bool> {
        self.before += self.end as u64;
        (self.at, self.end) = (0, 0);
        loop {
            match self.input.read(&mut self.buffer) {
                Ok(read) => {
                    self.end = read;
                    return Ok(read > 0);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Returns the next byte without consuming it; `None` at the end of the file.
    #[inline]
    pub(super) fn peek(&mut self) -> io::Result<Option<u8>> {
        if self.at == self.end && !self.fill()? {
            return Ok(None);
        }
        Ok(Some(self.buffer[self.at]))
    }

    /// Consumes and returns the next byte; `None` at the end of the file.
    #[inline]
    pub(super) fn next(&mut self) -> io::Result<Option<u8>> {
        let byte = self.peek()?;
        if let Some(byte) = byte {
            self.at += 1;
            self.line += u64::from(byte == b'\n');
        }
        Ok(byte)
    }

    /// Skips white space and comments, and returns the next byte without consuming it. A comment begins with `c` at the
    /// beginning of a line and reaches to the end of the line. `line_begins` is true if a comment may begin at the
    /// current position.
    #[inline]
    pub(super) fn skip_space(&mut self, mut line_begins: bool) -> io::Result<Option<u8>> {
        loop {
            match self.peek()? {
                Some(b'\n') => line_begins = true,
                Some(b' ' | b'\t' | b'\r') => {}
                Some(b'c') if line_begins => {
                    self.skip_line()?;
                    continue;
                }
                other => return Ok(other),
            }
            self.next()?;
        }
    }

    /// Skips the rest of the line.
    pub(super) fn skip_line(&mut self) -> io::Result<()> {
        while self.next()?.is_some_and(|byte| byte != b'\n') {}
        Ok(())
    }

    /// Returns a word for an error message. The word consists of the bytes `begin`, which have already been consumed,
    /// and the bytes up to the next white space. Long words are cut off.
    #[cold]
    pub(super) fn word(&mut self, begin: &[u8]) -> io::Result<String> {
        let mut word = begin.to_vec();
        while let Some(byte) = self.peek()? {
            if byte.is_ascii_whitespace() || word.len() >= SHOWN {
                break;
            }
            word.push(byte);
            self.next()?;
        }
        Ok(String::from_utf8_lossy(&word).escape_debug().to_string())
    }

    /// Reads the next word of a text as a number. Error messages use `of`, the kind of object that the number refers
    /// to.
    #[inline]
    pub(super) fn number(&mut self, of: &str) -> Result<i64, Fault> {
        let first = self.skip_space(false)?.ok_or(Why::TRUNCATED)?;
        let negative = first == b'-';
        if negative {
            self.next()?;
        }
        let mut number: u64 = 0;
        let mut digits = 0;
        while let Some(byte) = self.peek()? {
            // Stops after 19 digits, because a `u64` can hold every number with 19 digits.
            if !byte.is_ascii_digit() || digits == 19 {
                break;
            }
            number = 10 * number + u64::from(byte - b'0');
            digits += 1;
            self.next()?;
        }
        let follows = self.peek()?;
        let ends = matches!(follows, None | Some(b' ' | b'\t' | b'\r' | b'\n'));
        let value = i64::try_from(number).ok();
        match value.filter(|_| digits > 0 && ends) {
            Some(value) if negative => Ok(-value),
            Some(value) => Ok(value),
            None if follows.is_none() && digits == 0 => Err(Why::TRUNCATED.into()),
            None => {
                let mut begin = String::from(if negative { "-" } else { "" });
                if digits > 0 {
                    begin += &number.to_string();
                }
                let word = self.word(begin.as_bytes())?;
                let all_digits = word.trim_start_matches('-').bytes().all(|b| b.is_ascii_digit());
                Err(match digits > 0 && all_digits {
                    true => Why::range(word, of),
                    false => Why::no_number(&word),
                }
                .into())
            }
        }
    }

    /// Reads the next word of a text as a literal. The result is 0 at the end of a clause.
    #[inline]
    pub(super) fn literal(&mut self) -> Result<i32, Fault> {
        literal(self.number(LITERALS)?)
    }

    /// Reads the next number of a binary file. Each byte holds seven bits of a code, the lowest first; the highest bit
    /// of the byte is set if more bytes follow. The lowest bit of the code is the sign of the number.
    #[inline]
    pub(super) fn varint(&mut self, of: &str) -> Result<i64, Fault> {
        let mut code: u64 = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.next()?.ok_or(Why::TRUNCATED)?;
            code |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                let number = (code >> 1) as i64;
                // Code 1 would be a negative 0, so it is rejected.
                return match code {
                    1 => Err(Why::range("-0", of).into()),
                    _ if code & 1 == 1 => Ok(-number),
                    _ => Ok(number),
                };
            }
        }
        Err(Why::range(format_args!("{code} and more"), of).into())
    }

    /// Reads the next number of a binary file as a literal. The result is 0 at the end of a clause.
    #[inline]
    pub(super) fn binary_literal(&mut self) -> Result<i32, Fault> {
        literal(self.varint(LITERALS)?)
    }
}

/// Converts a number to a literal.
#[inline]
fn literal(number: i64) -> Result<i32, Fault> {
    let literal = i32::try_from(number).ok().filter(|&literal| literal != i32::MIN);
    literal.ok_or_else(|| Why::range(number, LITERALS).into())
}
