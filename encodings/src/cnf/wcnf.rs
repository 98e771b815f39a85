//! WCNF, the input format of MaxSAT solvers: hard clauses, and soft clauses with weights. A solver minimizes the sum of
//! the weights of violated soft clauses. There are two forms:
//!
//! ```text
//! h 1 -2 0            p wcnf 2 2 8
//! 7 -1 0              8 1 -2 0
//!                     7 -1 0
//! ```
//!
//! The old form, at the right, has a header with the numbers of variables and clauses and with the weight of hard
//! clauses, which is greater than the sum of all other weights.
//!
//! # References
//!
//! - MaxSAT Evaluation 2022: *Input format*; the old form is that of the evaluations until 2021.

use std::io::Write;

use rustsat::types::{Lit, Var};

use super::dimacs::WriteError;
use super::output::Output;
use super::sink::{ClauseSink, Family};

/// Form of WCNF.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WcnfForm {
    /// Form since 2022, without a header: hard clauses begin with `h`.
    New,
    /// Form until 2021, with a header `p wcnf`.
    Old,
}

/// Contents of the file besides the hard clauses.
#[derive(Clone, Copy)]
pub struct WcnfHeader<'a> {
    /// Form of the file.
    pub form: WcnfForm,
    /// Comment lines, without their `c`.
    pub comments: &'a [String],
    /// Number of variables.
    pub variables: u32,
    /// Number of hard clauses that will follow.
    pub clauses: u64,
    /// Soft clauses of one literal each, with their weights. The sum of the weights fits in 63 bits.
    pub soft: &'a [(Lit, u64)],
    /// Names of variables, written as comments `c varname NUMBER NAME`; `None` for no such comments.
    pub names: Option<&'a dyn Fn(Var) -> String>,
}

/// Writes clauses as hard clauses of WCNF. [`WcnfWriter::finish`] writes the soft clauses, and returns the first error.
pub struct WcnfWriter<'a> {
    out: Output<'a>,
    /// Beginning of hard clauses.
    hard: String,
    soft: &'a [(Lit, u64)],
}

impl<'a> WcnfWriter<'a> {
    /// Creates a writer and writes the header. The hard clauses must follow.
    pub fn new(out: &'a mut dyn Write, header: &WcnfHeader<'a>) -> Self {
        let (soft, announced, n) = (header.soft, header.clauses, header.variables);
        let top = soft.iter().map(|&(_, weight)| weight).sum::<u64>() + 1;
        let mut out = Output::new(out, announced);
        out.comments('c', header.comments, n, header.names);
        let hard = match header.form {
            WcnfForm::New => "h".to_owned(),
            WcnfForm::Old => {
                out.text(format_args!("p wcnf {n} {} {top}\n", announced + soft.len() as u64));
                top.to_string()
            }
        };
        Self { out, hard, soft }
    }

    /// Writes the soft clauses and ends the file.
    ///
    /// # Errors
    ///
    /// The first error of writing, or [`WriteError::Miscounted`].
    pub fn finish(mut self) -> Result<(), WriteError> {
        for (literal, weight) in self.soft {
            self.out.text(format_args!("{weight} {} 0\n", literal.to_ipasir()));
        }
        self.out.finish()
    }
}

impl ClauseSink for WcnfWriter<'_> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        self.out.written += 1;
        self.out.bytes(self.hard.as_bytes());
        literals.iter().for_each(|literal| self.out.text(format_args!(" {}", literal.to_ipasir())));
        self.out.bytes(b" 0\n");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::lit;

    #[test]
    fn hard_clauses_come_before_soft_clauses() {
        let comments = ["a\nb".to_owned()];
        let name: &dyn Fn(Var) -> String = &|var| format!("v{}", var.idx32());
        let written = |form, clauses, names| {
            let soft = [(!lit![0], 7), (lit![1], 2)];
            let header = WcnfHeader { form, comments: &comments, variables: 2, clauses, soft: &soft, names };
            let mut file = Vec::new();
            let mut writer = WcnfWriter::new(&mut file, &header);
            writer.clause(&[lit![0], !lit![1]]);
            writer.clause(&[]);
            writer.finish().map(|()| String::from_utf8(file).unwrap())
        };
        assert_eq!(written(WcnfForm::New, 2, None).unwrap(), "c a\nc b\nh 1 -2 0\nh 0\n7 -1 0\n2 2 0\n");
        assert_eq!(
            written(WcnfForm::Old, 2, Some(name)).unwrap(),
            "c a\nc b\nc varname 1 v0\nc varname 2 v1\np wcnf 2 4 10\n10 1 -2 0\n10 0\n7 -1 0\n2 2 0\n"
        );
        let miscounted = written(WcnfForm::New, 3, None);
        assert!(matches!(miscounted, Err(WriteError::Miscounted { announced: 3, written: 2 })));
    }
}
