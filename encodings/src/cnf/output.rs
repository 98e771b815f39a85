//! Buffered output of a formula, which keeps its first error and compares the number of constraints with the header's.

use std::fmt::Arguments;
use std::io::{self, BufWriter, Write};

use rustsat::types::Var;

use super::dimacs::WriteError;

pub(super) struct Output<'a> {
    out: BufWriter<&'a mut dyn Write>,
    error: Option<io::Error>,
    announced: u64,
    /// Number of constraints written so far.
    pub(super) written: u64,
}

impl<'a> Output<'a> {
    /// Returns the output of a formula whose header announces a number of constraints.
    pub(super) fn new(out: &'a mut dyn Write, announced: u64) -> Self {
        Self { out: BufWriter::new(out), error: None, announced, written: 0 }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        if self.error.is_none() {
            self.error = self.out.write_all(bytes).err();
        }
    }

    pub(super) fn text(&mut self, text: Arguments<'_>) {
        if self.error.is_none() {
            self.error = self.out.write_fmt(text).err();
        }
    }

    /// Writes comments, and then the names of `n` variables, in lines that begin with `mark`.
    pub(super) fn comments(&mut self, mark: char, comments: &[String], n: u32, names: Option<&dyn Fn(Var) -> String>) {
        for line in comments.iter().flat_map(|comment| comment.lines()) {
            self.text(format_args!("{mark} {line}\n"));
        }
        if let Some(name) = names {
            (0..n).for_each(|v| self.text(format_args!("{mark} varname {} {}\n", v + 1, name(Var::new(v)))));
        }
    }

    /// Ends the file. Returns the first error of writing, or [`WriteError::Miscounted`].
    pub(super) fn finish(mut self) -> Result<(), WriteError> {
        let (announced, written) = (self.announced, self.written);
        match self.error {
            Some(error) => Err(error.into()),
            None if announced != written => Err(WriteError::Miscounted { announced, written }),
            None => Ok(self.out.flush()?),
        }
    }
}
