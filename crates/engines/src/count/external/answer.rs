//! Parser of the output of model counters.
//!
//! Counters print lines in the formats of the Model Counting Competition and in other formats, and some print the
//! count more than once. The parser reads all these lines and requires them to agree. Only a complete line with an
//! integer is a count. The count is 0 only if the counter prints 0, or states that there are no models.
//!
//! # References
//!
//! - Model Counting Competition 2024: *Competition format* (`s mc`, `c s exact arb int`).

use num_bigint::BigUint;

use super::ModelCounter;

/// Values read from the output of a model counter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    pub count: BigUint,
    /// Last cell that ApproxMC counted, if printed.
    pub cell: Option<Cell>,
    /// Version or commit of the counter, if it was printed.
    pub version: Option<String>,
}

/// Origin of ApproxMC's estimate: the hash functions split the models into 2^`hashes` cells, and ApproxMC counted
/// one of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Cell {
    /// Number of models in the cell.
    pub models: BigUint,
    /// Number of random parity constraints. If it is 0, ApproxMC counted all models.
    pub hashes: u32,
    /// Factor by which ApproxMC multiplies the count, because it removed unconstrained variables beforehand.
    pub factor: BigUint,
}

impl Cell {
    fn count(&self) -> BigUint {
        (&self.models << self.hashes) * &self.factor
    }
}

/// Reason why no count can be read from an output.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AnswerError {
    #[error("printed no count")]
    None,
    /// A line that should contain a count has no valid number.
    #[error("printed an invalid count \"{0}\"")]
    Unreadable(String),
    #[error("printed contradictory lines \"{first}\" and \"{second}\"")]
    Contradiction {
        /// Earlier line, shortened if long.
        first: String,
        /// Later line, shortened if long.
        second: String,
    },
}

/// Parses the count, the cell and the version in a counter's output.
///
/// # Errors
///
/// [`AnswerError`] if the output has no valid count. The error quotes the offending lines.
pub fn read(counter: &ModelCounter, output: &str) -> Result<Reading, AnswerError> {
    let mut counts: Option<(BigUint, &str)> = None;
    let mut verdict: Option<(bool, &str)> = None;
    let mut cell = None;
    let mut version = None;
    for whole in output.split_inclusive('\n') {
        let line = whole.trim();
        let unreadable = || AnswerError::Unreadable(shortened(line));
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let count = match (counter, words.as_slice()) {
            (_, ["s", "mc" | "pmc", rest @ ..]) => Some(only(rest)),
            (ModelCounter::Ganak(_), ["c", "s", "exact", "arb", "int", rest @ ..]) => Some(only(rest)),
            // This is not the requested count: it is approximate without a bound, or weighted.
            (ModelCounter::Ganak(_), ["c", "s", "approx" | "exact", ..]) => Some(None),
            (ModelCounter::ApproxMc(_), ["c", "[appmc]", "Number", "of", "solutions", "is:", rest @ ..]) => {
                cell = rest.first().filter(|_| rest.len() == 1).and_then(|text| split(text));
                Some(cell.as_ref().map(Cell::count))
            }
            (_, ["s", "SATISFIABLE" | "UNSATISFIABLE"]) => {
                let now = (words[1] == "SATISFIABLE", line);
                match verdict {
                    Some((before, first)) if before != now.0 => {
                        return Err(contradiction(first, line));
                    }
                    _ => verdict = Some(now),
                }
                None
            }
            // This is the competition's line for a missing answer, or the answer of a program that is not a model
            // counter.
            (_, ["s", ..]) => Some(None),
            (_, [comment, ..]) if comment.starts_with('c') => {
                version = version.or_else(|| version_in(counter, &words));
                None
            }
            _ => None,
        };
        let Some(count) = count else { continue };
        // A line without a newline may be truncated and lack digits.
        let count = count.filter(|_| whole.ends_with('\n')).ok_or_else(unreadable)?;
        match &counts {
            Some((before, first)) if *before != count => return Err(contradiction(first, line)),
            _ => counts = Some((count, line)),
        }
    }
    let count = match (counts, verdict) {
        (Some((count, line)), Some((satisfiable, verdict))) if satisfiable == (count == BigUint::ZERO) => {
            return Err(contradiction(verdict, line));
        }
        (Some((count, _)), _) => count,
        (None, Some((false, _))) => BigUint::ZERO,
        (None, _) => return Err(AnswerError::None),
    };
    Ok(Reading { count, cell, version })
}

fn contradiction(first: &str, second: &str) -> AnswerError {
    AnswerError::Contradiction { first: shortened(first), second: shortened(second) }
}

/// Returns the beginning of a long line, or a short line unchanged.
fn shortened(line: &str) -> String {
    const LONGEST: usize = 120;
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

fn only(words: &[&str]) -> Option<BigUint> {
    match words {
        [word] => natural(word),
        _ => None,
    }
}

/// Parses a number that consists of decimal digits only.
fn natural(text: &str) -> Option<BigUint> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Parses a cell of ApproxMC, such as `38*2**3`, or `38*2**3*1` as printed since version 4.2.
fn split(text: &str) -> Option<Cell> {
    let (models, rest) = text.split_once("*2**")?;
    let (hashes, factor) = rest.split_once('*').unwrap_or((rest, "1"));
    // A formula has at least as many variables as hashes. A greater exponent, which fits no formula, must not exhaust
    // the memory.
    const MOST: u32 = 1 << 24;
    Some(Cell {
        models: natural(models)?,
        hashes: hashes.parse().ok().filter(|&hashes| hashes <= MOST)?,
        factor: natural(factor)?,
    })
}

/// Finds the version of the counter in lines such as `c o ApproxMC SHA1: 0123abc`, `c ApproxMC SHA revision 0123abc`
/// and `c o Ganak version 2.8.0`.
fn version_in(counter: &ModelCounter, words: &[&str]) -> Option<String> {
    let at = words.iter().position(|word| word.eq_ignore_ascii_case(counter.program()))?;
    match words[at + 1..] {
        ["version" | "SHA1:", version] | ["SHA", "revision", version] => Some(version.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::count::external::{ApproxMc, Ganak};

    const APPROXMC: ModelCounter = ModelCounter::ApproxMc(ApproxMc::DEFAULT);
    const GANAK: ModelCounter = ModelCounter::Ganak(Ganak::DEFAULT);

    #[test]
    fn outputs_of_the_counters_are_read() {
        let approxmc = "c o ApproxMC SHA1: 0b4881b4\nc o [appmc] threshold set to 72\n\
                        c [appmc] Number of solutions is: 38*2**3*2\ns SATISFIABLE\ns mc 608\n";
        let reading = read(&APPROXMC, approxmc).unwrap();
        assert_eq!(reading.count, 608u32.into());
        assert_eq!(reading.version.as_deref(), Some("0b4881b4"));
        let cell = Cell { models: 38u32.into(), hashes: 3, factor: 2u32.into() };
        assert_eq!(reading.cell, Some(cell));

        let ganak = "c o Ganak version 2.8.0\nc o Total time [Arjun+GANAK]: 0.05\ns SATISFIABLE\n\
                     c s type pmc\nc s log10-estimate 2.48\nc s exact arb int 304\n\
                     c s pac guarantees epsilon: 0 delta: 0\n";
        let reading = read(&GANAK, ganak).unwrap();
        assert_eq!(reading.count, 304u32.into());
        assert_eq!(reading.version.as_deref(), Some("2.8.0"));
        assert_eq!(reading.cell, None);
    }

    #[test]
    fn every_form_of_a_count_is_read() {
        let big = format!("1{}", "0".repeat(30));
        for (counter, output, count) in [
            (APPROXMC, "s mc 304\n".to_owned(), "304"),
            (APPROXMC, "s mc 304\r\n".to_owned(), "304"),
            (APPROXMC, "c [appmc] Number of solutions is: 38*2**3\n".to_owned(), "304"),
            (APPROXMC, "c [appmc] Number of solutions is: 1*2**70\n".to_owned(), "1180591620717411303424"),
            (APPROXMC, "s UNSATISFIABLE\ns mc 0\n".to_owned(), "0"),
            (APPROXMC, "s UNSATISFIABLE\n".to_owned(), "0"),
            (GANAK, "s UNSATISFIABLE\nc s exact arb int 0\n".to_owned(), "0"),
            (GANAK, "s pmc 304\n".to_owned(), "304"),
            (GANAK, "s mc 7\nc s exact arb int 7\n".to_owned(), "7"),
            (GANAK, format!("c s exact arb int {big}\n"), &big),
        ] {
            let reading = read(&counter, &output);
            assert_eq!(reading.map(|r| r.count.to_string()), Ok(count.to_owned()), "{output}");
        }
    }

    #[test]
    fn what_is_no_count_is_an_error() {
        for (counter, output, message) in [
            (APPROXMC, "", "printed no count"),
            (APPROXMC, "c o starting\nhello\n", "printed no count"),
            (APPROXMC, "s SATISFIABLE\n", "printed no count"),
            (APPROXMC, "c s exact arb int 304\n", "printed no count"),
            (GANAK, "c [appmc] Number of solutions is: 38*2**3\n", "printed no count"),
            (APPROXMC, "s mc 30", "printed an invalid count \"s mc 30\""),
            (APPROXMC, "s mc\n", "printed an invalid count \"s mc\""),
            (APPROXMC, "s mc -304\n", "printed an invalid count \"s mc -304\""),
            (APPROXMC, "s mc +304\n", "printed an invalid count \"s mc +304\""),
            (APPROXMC, "s mc 3e2\n", "printed an invalid count \"s mc 3e2\""),
            (APPROXMC, "s mc 304 5\n", "printed an invalid count \"s mc 304 5\""),
            (APPROXMC, "s inconclusive\n", "printed an invalid count \"s inconclusive\""),
            (GANAK, "c s exact arb int 1/2\n", "printed an invalid count \"c s exact arb int 1/2\""),
            (GANAK, "c s approx arb int 9\n", "printed an invalid count \"c s approx arb int 9\""),
            (
                APPROXMC,
                "c [appmc] Number of solutions is: 1*2**4294967296\n",
                "printed an invalid count \"c [appmc] Number of solutions is: 1*2**4294967296\"",
            ),
            (APPROXMC, "s mc 304\ns mc 305\n", "printed contradictory lines \"s mc 304\" and \"s mc 305\""),
            (
                APPROXMC,
                "c [appmc] Number of solutions is: 38*2**3\ns mc 300\n",
                "printed contradictory lines \"c [appmc] Number of solutions is: 38*2**3\" and \"s mc 300\"",
            ),
            (GANAK, "s UNSATISFIABLE\ns mc 3\n", "printed contradictory lines \"s UNSATISFIABLE\" and \"s mc 3\""),
            (GANAK, "s SATISFIABLE\ns mc 0\n", "printed contradictory lines \"s SATISFIABLE\" and \"s mc 0\""),
            (
                GANAK,
                "s SATISFIABLE\ns UNSATISFIABLE\n",
                "printed contradictory lines \"s SATISFIABLE\" and \"s UNSATISFIABLE\"",
            ),
        ] {
            let error = read(&counter, output).unwrap_err();
            assert_eq!(error.to_string(), message, "{output}");
        }
    }
}
