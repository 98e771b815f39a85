//! Place in a text that consists of tokens rather than lines: DOT, GML and facts.

use std::borrow::Cow;

use super::{FormatError, Wrong, at, missing};

/// Syntax of the tokens of a format.
pub(super) struct Syntax {
    pub(super) comments: &'static [Comment],
    /// Marks, such as `--` or `{`.
    pub(super) marks: &'static [&'static str],
    /// Returns what a backslash and the next character stand for in a quoted text; `None` if a backslash is like any
    /// other character.
    pub(super) escape: Option<fn(&str) -> &str>,
    /// Returns the length of the word at the beginning of a text.
    pub(super) word: fn(&str) -> Result<usize, Wrong>,
}

/// Kind of comment. A comment that ends with a line feed may also end with the text.
pub(super) struct Comment {
    pub(super) begin: &'static str,
    pub(super) end: &'static str,
    /// True if only blanks may precede the comment in its line.
    pub(super) begins_line: bool,
}

/// Mark, word or quoted text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    Mark(&'t str),
    /// A name without quotes, a keyword or a number.
    Word(&'t str),
    /// Text between quotes.
    Quoted(Cow<'t, str>),
}

impl Token<'_> {
    /// True if the token is this keyword, in upper or lower case.
    pub(super) fn is(&self, keyword: &str) -> bool {
        matches!(self, Self::Word(word) if word.eq_ignore_ascii_case(keyword))
    }
}

/// Place in a text, with its line.
pub(super) struct Cursor<'t> {
    syntax: &'static Syntax,
    text: &'t str,
    /// Text that has not been read.
    pub(super) rest: &'t str,
    /// Line of the rest, counted from 1.
    pub(super) line: usize,
    /// True if only blanks and comments precede in the line.
    begins_line: bool,
}

/// True if a text begins with this mark. Compares the first byte before, which differs most often.
#[inline]
fn begins(text: &str, mark: &str) -> bool {
    text.bytes().next() == mark.bytes().next() && text.starts_with(mark)
}

impl<'t> Cursor<'t> {
    pub(super) fn new(text: &'t str, syntax: &'static Syntax) -> Self {
        Self { syntax, text, rest: text, line: 1, begins_line: true }
    }

    /// Reads the next `bytes` bytes.
    pub(super) fn pass(&mut self, bytes: usize) -> &'t str {
        let (passed, rest) = self.rest.split_at(bytes);
        self.line += passed.bytes().filter(|&byte| byte == b'\n').count();
        self.rest = rest;
        passed
    }

    /// Reads characters up to the first one that satisfies `ends`.
    pub(super) fn until(&mut self, ends: impl Fn(char) -> bool) -> &'t str {
        self.pass(self.rest.find(ends).unwrap_or(self.rest.len()))
    }

    /// Skips blanks and comments.
    pub(super) fn skip(&mut self) -> Result<(), FormatError> {
        loop {
            // Most often, the next token is here.
            if self.rest.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric()) {
                return Ok(());
            }
            if self.rest.starts_with(char::is_whitespace) {
                self.begins_line |= self.until(|c| !c.is_whitespace()).contains('\n');
            }
            let (rest, begins_line) = (self.rest, self.begins_line);
            let is_here = |kind: &&Comment| begins(rest, kind.begin) && (begins_line || !kind.begins_line);
            let Some(Comment { begin, end, .. }) = self.syntax.comments.iter().find(is_here) else {
                return Ok(());
            };
            let length = match rest[begin.len()..].find(end) {
                Some(place) => begin.len() + place + end.len(),
                None if *end == "\n" => rest.len(),
                None => return Err(missing(self.line, &format!("\"{end}\" after \"{begin}\""))),
            };
            self.pass(length);
            self.begins_line |= *end == "\n";
        }
    }

    /// Skips blanks and comments. If one of the marks is next, reads it.
    pub(super) fn mark(&mut self, marks: &[&str]) -> Result<Option<&'t str>, FormatError> {
        self.skip()?;
        let mark = marks.iter().find(|mark| begins(self.rest, mark));
        Ok(mark.map(|mark| {
            self.begins_line = false;
            let (mark, rest) = self.rest.split_at(mark.len());
            self.rest = rest;
            mark
        }))
    }

    /// Skips blanks and comments. If the mark is next, reads it and returns true.
    pub(super) fn take(&mut self, mark: &str) -> Result<bool, FormatError> {
        Ok(self.mark(&[mark])?.is_some())
    }

    /// Skips blanks and comments, and reads the next token. Returns it with its line; `None` at the end of the text.
    pub(super) fn token(&mut self) -> Result<Option<(usize, Token<'t>)>, FormatError> {
        let mark = self.mark(self.syntax.marks)?;
        let line = self.line;
        let token = match (mark, self.rest) {
            (Some(mark), _) => Token::Mark(mark),
            (None, "") => return Ok(None),
            (None, rest) if rest.starts_with('"') => Token::Quoted(self.quoted()?),
            (None, rest) => Token::Word(self.pass((self.syntax.word)(rest).map_err(|wrong| at(line, wrong))?)),
        };
        self.begins_line = false;
        Ok(Some((line, token)))
    }

    /// Reads the word that comes next, without skipping blanks. The word may be empty.
    pub(super) fn word(&mut self) -> &'t str {
        self.pass((self.syntax.word)(self.rest).unwrap_or(0))
    }

    /// Reads a text in double quotes.
    pub(super) fn quoted(&mut self) -> Result<Cow<'t, str>, FormatError> {
        let line = self.line;
        let mut text = Cow::Borrowed("");
        self.pass(1);
        loop {
            let before = self.until(|c| c == '"' || c == '\\' && self.syntax.escape.is_some());
            if text.is_empty() {
                text = Cow::Borrowed(before);
            } else {
                text.to_mut().push_str(before);
            }
            if self.rest.starts_with('"') {
                self.pass(1);
                return Ok(text);
            }
            let (Some(escape), Some(c)) = (self.syntax.escape, self.rest.chars().nth(1)) else {
                return Err(missing(line, "closing quote"));
            };
            let both = self.pass(1 + c.len_utf8());
            text.to_mut().push_str(escape(both));
        }
    }

    /// Returns the text of a line, counted from 1.
    pub(super) fn text_of_line(&self, line: usize) -> &'t str {
        self.text.lines().nth(line - 1).unwrap_or_default()
    }

    /// Returns the rest of the line, for messages.
    pub(super) fn rest_of_line(&self) -> &'t str {
        self.rest.lines().next().unwrap_or_default()
    }
}
