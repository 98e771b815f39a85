//! Reader of DIMACS files that streams clauses into a sink.
//!
//! The file must match its header: it has exactly the announced number of clauses, and no variable has a number above
//! the announced number of variables. Memory is allocated only for clauses that have been read, not for the announced
//! numbers.

use std::io::{self, Read};

use rustsat::types::Lit;

use super::LITERALS;
use super::source::{Fault, Source};
use hamcnf_tours::ClauseSink;

/// Reason why a file could not be read as a formula, with the place in the file.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DimacsError(String);

impl From<io::Error> for DimacsError {
    fn from(error: io::Error) -> Self {
        Self(error.to_string())
    }
}

/// Reads a formula in DIMACS format, passes its clauses to a sink, and returns the announced number of variables.
///
/// # Errors
///
/// [`DimacsError`]. The sink may have received some clauses before the error.
pub fn read_dimacs(mut input: impl Read, out: &mut impl ClauseSink) -> Result<u32, DimacsError> {
    let mut source = Source::new(&mut input);
    let (variables, announced) = header(&mut source)?;
    let mut clause = Vec::new();
    let mut read = 0;
    while source.skip_space(true)?.is_some() {
        clause.clear();
        loop {
            let literal = match source.literal() {
                Ok(0) => break,
                Ok(literal) => literal,
                Err(fault) => return Err(wrong(&source, fault)),
            };
            let place = source.line();
            let variable = literal.unsigned_abs();
            let known = Lit::new_with_error(variable - 1, literal < 0).ok().filter(|_| variable <= variables);
            clause.push(known.ok_or_else(|| {
                DimacsError(format!(
                    "{place}: variable {variable} is used, but the header announces only variables up to {variables}"
                ))
            })?);
        }
        out.clause(&clause);
        read += 1;
    }
    if read != announced {
        return Err(DimacsError(format!("the header announces {announced} clauses, but {read} follow")));
    }
    Ok(variables)
}

fn wrong(source: &Source<'_>, fault: Fault) -> DimacsError {
    match fault {
        Fault::Unreadable(error) => error.into(),
        Fault::Wrong(why) => DimacsError(format!("{}: the clause that ends here {why}", source.line())),
    }
}

/// Reads the line `p cnf VARIABLES CLAUSES`.
fn header(source: &mut Source<'_>) -> Result<(u32, u64), DimacsError> {
    source.skip_space(true)?;
    let place = source.line();
    let none = || DimacsError(format!("{place}: the header \"p cnf VARIABLES CLAUSES\" must come before this line"));
    for word in ["p", "cnf"] {
        source.skip_space(false)?;
        if source.word(b"")? != word {
            return Err(none());
        }
    }
    let mut number = || source.number(LITERALS).ok();
    let variables = number().and_then(|n| u32::try_from(n).ok());
    let clauses = number().and_then(|n| u64::try_from(n).ok());
    variables.zip(clauses).ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustsat::instances::Cnf;

    fn read(text: &str) -> Result<Vec<Vec<i32>>, String> {
        let mut cnf = Cnf::new();
        read_dimacs(text.as_bytes(), &mut cnf).map_err(|e| e.to_string())?;
        Ok(cnf.iter().map(|clause| clause.iter().map(|l| l.to_ipasir()).collect()).collect())
    }

    #[test]
    fn clauses_are_read_whatever_the_lines() {
        for text in ["p cnf 3 3\n1 -2 0\n0\n3 0\n", "c x\r\n\nc p cnf 9 9\np  cnf\t3 3\r\n1\n-2 0 0\nc y\n3 0"] {
            assert_eq!(read(text), Ok(vec![vec![1, -2], vec![], vec![3]]), "{text}");
        }
        assert_eq!(read("p cnf 4000000000 0\n"), Ok(vec![]));
    }

    #[test]
    fn what_is_no_formula_is_refused() {
        for (text, why) in [
            ("", "line 1: the header \"p cnf"),
            ("c\n1 0\n", "line 2: the header \"p cnf"),
            ("p dnf 1 1\n1 0", "line 1: the header \"p cnf"),
            ("p cnf 1\n", "line 1: the header \"p cnf"),
            ("p cnf -1 0\n", "line 1: the header \"p cnf"),
            ("p cnf 1 1\n2 0\n", "line 2: variable 2 is used, but the header announces only variables up to 1"),
            (
                "p cnf 1 1\n-2147483648 0\n",
                "line 2: the clause that ends here has \"-2147483648\", which is out of range",
            ),
            ("p cnf 1 1\n1\nx 0\n", "line 3: the clause that ends here has \"x\" where a number"),
            ("p cnf 1 1\n1\n", "line 3: the clause that ends here is truncated"),
            ("p cnf 1 2\n1 0\n", "the header announces 2 clauses, but 1 follow"),
            ("p cnf 1 0\n1 0\n", "the header announces 0 clauses, but 1 follow"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.starts_with(why), "{text:?}: {message}");
        }
    }
}
