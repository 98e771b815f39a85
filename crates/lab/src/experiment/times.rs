//! Run times that were measured elsewhere: a CSV file with one line per instance. The first column contains the names
//! of the instances. Each other column contains the times of a solver: seconds, `TO` for a timeout, or nothing if the
//! solver was not run. A column named `result` contains the answers and is ignored.
//!
//! ```csv
//! instance,clingo,picat
//! graph1,0.01,0.17
//! graph2,59.7,TO
//! ```

use std::collections::HashMap;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{LabError, cannot};

/// Name of the column with the answers, which has no times.
pub const RESULT: &str = "result";

/// Times of solvers that were measured elsewhere.
#[derive(Clone, PartialEq, Debug)]
pub struct Times {
    pub file: PathBuf,
    /// Names of the solvers, in the order of their columns.
    pub solvers: Vec<String>,
    /// Times by instance name, with one entry per solver in the order of `solvers`; `None` if the solver was not run.
    of: HashMap<String, Vec<Option<Time>>>,
}

/// Result of a solver's run that was measured elsewhere.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Time {
    /// Solved after this many seconds.
    Seconds(f64),
    /// Ended at its time limit.
    TimeOut,
}

impl Times {
    /// Reads a file of times.
    ///
    /// # Errors
    ///
    /// [`LabError`], with the file and, if the content is wrong, the line.
    pub fn read(file: &Path) -> Result<Self, LabError> {
        let text = fs::read(file).map_err(cannot("read", file))?;
        Self::parse(&text, file)
    }

    /// Parses the text of a file of times; `file` is used in error messages.
    ///
    /// # Errors
    ///
    /// [`LabError`], with the line.
    pub fn parse(text: &[u8], file: &Path) -> Result<Self, LabError> {
        let wrong = |line: u64, problem: &dyn Display| LabError::in_file(file, format_args!("line {line}: {problem}"));
        let not_csv = |error: csv::Error| wrong(error.position().map_or(0, csv::Position::line), &error);
        let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text);
        let heading = reader.headers().map_err(not_csv)?;
        let solvers = heading.iter().enumerate().skip(1).filter(|(_, name)| *name != RESULT);
        let (columns, solvers): (Vec<usize>, Vec<String>) = solvers.map(|(k, name)| (k, name.to_owned())).unzip();
        if solvers.is_empty() || solvers.iter().any(String::is_empty) {
            let problem = "the first line must name an instance column and at least one solver column";
            return Err(wrong(1, &problem));
        }
        let mut of = HashMap::new();
        for row in reader.records() {
            let row = row.map_err(not_csv)?;
            let line = row.position().map_or(0, csv::Position::line);
            let instance = row.get(0).unwrap_or_default().to_owned();
            let times = columns.iter().map(|&column| match row.get(column).unwrap_or_default() {
                "" => Ok(None),
                "TO" => Ok(Some(Time::TimeOut)),
                cell => match cell.parse::<f64>() {
                    Ok(seconds) if seconds >= 0.0 && seconds.is_finite() => Ok(Some(Time::Seconds(seconds))),
                    _ => Err(wrong(line, &format_args!("\"{cell}\" is neither a number of seconds nor TO (timeout)"))),
                },
            });
            let times = times.collect::<Result<_, _>>()?;
            if of.insert(instance.clone(), times).is_some() {
                return Err(wrong(line, &format_args!("\"{instance}\" occurs twice")));
            }
        }
        let file = file.to_owned();
        Ok(Self { file, solvers, of })
    }

    /// Returns the time of each solver for the instance with exactly this name; `None` if no line has the name.
    pub fn exactly(&self, name: &str) -> Option<&[Option<Time>]> {
        self.of.get(name).map(Vec::as_slice)
    }

    /// Returns the time of each solver for an instance. A line may name the instance by its path, by its file name, or
    /// by its file name without one or more extensions. Returns `None` if no line has any of these names.
    pub fn of(&self, instance: &str) -> Option<&[Option<Time>]> {
        names(instance).find_map(|name| self.exactly(name))
    }
}

/// Returns the possible names of an instance: the whole text, the file name, and the file name with its extensions
/// removed one by one.
fn names(instance: &str) -> impl Iterator<Item = &str> {
    let shorter = std::iter::successors(instance.rsplit('/').next(), |name| {
        let (before, _) = name.rsplit_once('.')?;
        Some(before)
    });
    std::iter::once(instance).chain(shorter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Times, String> {
        Times::parse(text.as_bytes(), Path::new("times.csv")).map_err(|error| error.to_string())
    }

    #[test]
    fn instances_are_known_by_their_names() {
        let times = parse("instance,a,b\nsquare,0.5,TO\n8x8, 1e-3 ,\n").unwrap();
        assert_eq!(times.solvers, ["a", "b"]);
        let square = [Some(Time::Seconds(0.5)), Some(Time::TimeOut)];
        for name in ["square", "a/square.col", "../a.b/square.col.gz"] {
            assert_eq!(times.of(name), Some(&square[..]), "{name}");
        }
        assert_eq!(times.of("8x8"), Some(&[Some(Time::Seconds(0.001)), None][..]));
        assert_eq!(times.of("squares.col"), None);
        let with_results = parse("instance,a,result,b\nsquare,0.5,sat,TO\n").unwrap();
        assert_eq!(with_results.solvers, ["a", "b"]);
        assert_eq!(with_results.of("square"), Some(&square[..]));
    }

    #[test]
    fn what_is_wrong_has_its_line() {
        for (text, message) in [
            ("", "times.csv: line 1: the first line must name"),
            ("instance,result\ns,sat\n", "times.csv: line 1: the first line must name"),
            ("instance\nsquare\n", "times.csv: line 1: the first line must name"),
            (
                "instance,a\nsquare,soon\n",
                "times.csv: line 2: \"soon\" is neither a number of seconds nor TO (timeout)",
            ),
            ("instance,a\nsquare,-1\n", "times.csv: line 2: \"-1\" is neither"),
            ("instance,a\ns,1\ns,2\n", "times.csv: line 3: \"s\" occurs twice"),
            ("instance,a\ns,1,2\n", "times.csv: line 2: CSV error: record 1"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.starts_with(message), "{error}");
        }
    }
}
