//! Parser of the output of model counters.
//!
//! Counters print lines in the formats of the Model Counting Competition and in other formats, and some print the
//! count more than once. The parser reads all these lines and requires them to agree. Only a complete line with an
//! integer is a count. The count is 0 only if the counter prints 0, or states that there are no models.
//!
//! ApproxMC splits the models into cells by random parity constraints, and counts one cell. With probability at least
//! 1 − δ, the estimate is within a factor of 1 + ε. Ganak searches, and caches the count of each component of the
//! formula under a hash of the component. Its count is exact unless a hash collision occurs, which is far less likely
//! than a hardware failure.
//!
//! # References
//!
//! - Supratik Chakraborty, Kuldeep S. Meel, Moshe Y. Vardi: *A Scalable Approximate Model Counter*, CP 2013.
//! - Mate Soos, Kuldeep S. Meel: *BIRD: Engineering an Efficient CNF-XOR SAT Solver and Its Applications to
//!   Approximate Model Counting*, AAAI 2019.
//! - Shubham Sharma, Subhajit Roy, Mate Soos, Kuldeep S. Meel: *GANAK: A Scalable Probabilistic Exact Model
//!   Counter*, IJCAI 2019.
//! - Model Counting Competition 2024: *Competition format* (`s mc`, `c s exact arb int`).

use num_bigint::BigUint;

use super::Accuracy;

/// Count that a model counter returned.
#[derive(Clone, PartialEq, Debug)]
pub struct ModelCount {
    /// Number of different assignments that the models give to the projection set.
    pub count: BigUint,
    /// Accuracy of an estimate; `None` if the count is exact.
    pub accuracy: Option<Accuracy>,
    /// Version or commit of the counter; `None` if not printed.
    pub version: Option<String>,
    /// True if a package counted, because the program is not on the PATH.
    pub by_package: bool,
}

/// Reason why no count can be read from an output.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct CountError(String);

/// Parses the count in the output of the counter with this name, and the counter's version or commit, if printed.
///
/// # Errors
///
/// [`CountError`] if the output has no valid count. The error quotes the offending lines.
pub fn read(name: &str, output: &str) -> Result<(BigUint, Option<String>), CountError> {
    let mut counts: Option<(BigUint, &str)> = None;
    let mut verdict: Option<(bool, &str)> = None;
    let mut version = None;
    for whole in output.split_inclusive('\n') {
        let line = whole.trim();
        let unreadable = || CountError(format!("printed an invalid count \"{}\"", shortened(line)));
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        let count = match words[..] {
            ["s", "mc" | "pmc", ref rest @ ..] | ["c", "s", "exact", "arb", "int", ref rest @ ..] => {
                Some(only(rest).and_then(natural))
            }
            // This is not the requested count: it is approximate without a bound, or weighted.
            ["c", "s", "approx" | "exact", ..] => Some(None),
            ["c", "[appmc]", "Number", "of", "solutions", "is:", ref rest @ ..] => Some(only(rest).and_then(of_cell)),
            ["s", said @ ("SATISFIABLE" | "UNSATISFIABLE")] => {
                let now = (said == "SATISFIABLE", line);
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
            ["s", ..] => Some(None),
            [comment, ..] if comment.starts_with('c') => {
                version = version.or_else(|| version_in(name, &words));
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
        (None, _) => return Err(CountError("printed no count".to_owned())),
    };
    Ok((count, version))
}

fn contradiction(first: &str, second: &str) -> CountError {
    CountError(format!("printed contradictory lines \"{}\" and \"{}\"", shortened(first), shortened(second)))
}

/// Returns the beginning of a long line, or a short line unchanged.
fn shortened(line: &str) -> String {
    const LONGEST: usize = 120;
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &line[..end]),
        None => line.to_owned(),
    }
}

fn only<'a>(words: &[&'a str]) -> Option<&'a str> {
    match words {
        [word] => Some(word),
        _ => None,
    }
}

/// Parses a number that consists of decimal digits only.
fn natural(text: &str) -> Option<BigUint> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// Parses ApproxMC's estimate, such as `38*2**3`, or `38*2**3*1` as printed since version 4.2: hash functions split the
/// models into 2³ cells, one of which has 38 models. The last number is the factor for unconstrained variables.
fn of_cell(text: &str) -> Option<BigUint> {
    let (models, rest) = text.split_once("*2**")?;
    let (hashes, factor) = rest.split_once('*').unwrap_or((rest, "1"));
    // A formula has at least as many variables as hashes. A greater exponent, which fits no formula, must not exhaust
    // the memory.
    const MOST: u32 = 1 << 24;
    let hashes: u32 = hashes.parse().ok().filter(|&hashes| hashes <= MOST)?;
    Some((natural(models)? << hashes) * natural(factor)?)
}

/// Finds the version of the counter in lines such as `c o ApproxMC SHA1: 0123abc`, `c ApproxMC SHA revision 0123abc`
/// and `c o Ganak version 2.8.0`.
fn version_in(name: &str, words: &[&str]) -> Option<String> {
    let at = words.iter().position(|word| word.eq_ignore_ascii_case(name))?;
    match words[at + 1..] {
        ["version" | "SHA1:", version] | ["SHA", "revision", version] => Some(version.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const APPROXMC: &str = "approxmc";
    const GANAK: &str = "ganak";

    #[test]
    fn outputs_of_the_counters_are_read() {
        let approxmc = "c o ApproxMC SHA1: 0b4881b4\nc o [appmc] threshold set to 72\n\
                        c [appmc] Number of solutions is: 38*2**3*2\ns SATISFIABLE\ns mc 608\n";
        assert_eq!(read(APPROXMC, approxmc), Ok((608u32.into(), Some("0b4881b4".to_owned()))));

        let ganak = "c o Ganak version 2.8.0\nc o Total time [Arjun+GANAK]: 0.05\ns SATISFIABLE\n\
                     c s type pmc\nc s log10-estimate 2.48\nc s exact arb int 304\n\
                     c s pac guarantees epsilon: 0 delta: 0\n";
        assert_eq!(read(GANAK, ganak), Ok((304u32.into(), Some("2.8.0".to_owned()))));
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
            (APPROXMC, "c s exact arb int 304\n".to_owned(), "304"),
            (GANAK, "c [appmc] Number of solutions is: 38*2**3\n".to_owned(), "304"),
        ] {
            let reading = read(counter, &output);
            assert_eq!(reading.map(|(count, _)| count.to_string()), Ok(count.to_owned()), "{output}");
        }
    }

    #[test]
    fn what_is_no_count_is_an_error() {
        for (counter, output, message) in [
            (APPROXMC, "", "printed no count"),
            (APPROXMC, "c o starting\nhello\n", "printed no count"),
            (APPROXMC, "s SATISFIABLE\n", "printed no count"),
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
            assert_eq!(read(counter, output).unwrap_err().to_string(), message, "{output}");
        }
    }
}
