//! Reader and writer of solver output. The reader accepts five forms:
//!
//! - the form of the SAT competitions: one `s` line with the status, and `v` lines with the literals of a model, ended
//!   by a 0. As in the MaxSAT evaluations, one `v` line may instead have a digit 0 or 1 for each variable;
//! - the form of the pseudo-Boolean competitions: the literals are `x1` and `-x2`, without a final 0;
//! - the result file of MiniSat and of solvers derived from it, such as Glucose: a line `SAT`, `UNSAT` or `INDET`, and
//!   after `SAT` the literals, ended by a 0;
//! - a bare list of literals, with or without a final 0, or in brackets as PySAT's `get_model` prints it. The list is
//!   read as a model, and is accepted only if all needed variables have values;
//! - the form of Z3: a line `sat`, `unsat` or `unknown`, and after `sat` a model, `[k!1 = True, k!2 = False]` or
//!   `(define-fun k!1 () Bool true)`. The model may also stand alone.
//!
//! The first line that is not a comment determines the form of a text. Later lines in another form are rejected, as
//! they would belong to a second answer. Comments begin with `c`, and are allowed in all forms. Lines `o COST` of solvers that
//! minimize count as comments, because the model determines its cost.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, Write};

use rustsat::types::{Lit, Var};

use super::model::Model;

/// A solver's answer.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// A model, after `s SATISFIABLE` or `SAT`, or without a status.
    Satisfiable(Model),
    /// Status `s UNSATISFIABLE` or `UNSAT`.
    Unsatisfiable,
    /// Status `s UNKNOWN`, `s INDETERMINATE` or `INDET`.
    Unknown,
}

/// Form of a solver's output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AnswerForm {
    /// Form with `s` and `v` lines.
    Competition,
    /// Form of MiniSat: `SAT` and the model, `UNSAT`, or `INDET`.
    MiniSat,
    /// A bare list of literals.
    Bare,
}

impl fmt::Display for AnswerForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Competition => "an answer of \"s\" and \"v\" lines",
            Self::MiniSat => "a result file of MiniSat",
            Self::Bare => "a list of literals",
        })
    }
}

/// Reason why a text cannot be read as a solver's answer to a formula.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The text is not an answer to the formula. The value is the reason in words.
    #[error("{0}")]
    Text(String),
}

/// Returns an error about a text.
fn wrong<T>(why: impl Into<String>) -> Result<T, AnswerError> {
    Err(AnswerError::Text(why.into()))
}

/// Returns an error about a word that is not a literal.
fn no_literal<T>(line: usize, word: &str) -> Result<T, AnswerError> {
    wrong(format!("\"{}\" in line {line} is not a literal", word.chars().take(60).collect::<String>()))
}

/// Reads a solver's answer to a formula of `n_vars` variables. The variables in `needed` must have values.
///
/// # Errors
///
/// [`AnswerError`], with the line number if a line is wrong.
pub fn read(input: impl BufRead, n_vars: u32, needed: impl IntoIterator<Item = Var>) -> Result<Answer, AnswerError> {
    let (mut form, mut status) = (None, None);
    let mut values = vec![None; n_vars as usize];
    let (mut ended, mut any_value) = (false, false);
    let mut named = None;
    let mut z3 = Z3::default();
    let mut is_z3 = false;
    let mut lines = 0;
    for (number, line) in (1..).zip(input.split(b'\n')) {
        let line = line?;
        lines = number;
        let bytes = match number {
            1 => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line),
            _ => &line,
        };
        // Comments may have any text encoding.
        let text = String::from_utf8_lossy(bytes);
        let text = text.trim();
        let shown = || text.chars().take(60).collect::<String>();
        let Some(line) = Line::of(text) else {
            return wrong(format!(
                "line {number} is not a line of a solver's answer (expected \"c\", \"s\" or \"v\" first, or \"SAT\", \"UNSAT\", \"INDET\" or literals): \"{}\"",
                shown()
            ));
        };
        match (line, form) {
            (Line::Comment, _) => {}
            (Line::Status(_), Some(AnswerForm::Competition)) | (Line::Result(_), Some(AnswerForm::MiniSat))
                if status.is_some() =>
            {
                return wrong(format!("line {number} is a second status line: \"{}\"", shown()));
            }
            (Line::Status(word), None | Some(AnswerForm::Competition)) => {
                form = Some(AnswerForm::Competition);
                status = Some(match word {
                    // This status is for optimization problems, but some solvers print it for formulas too.
                    "SATISFIABLE" | "OPTIMUM FOUND" => Status::Satisfiable,
                    "UNSATISFIABLE" => Status::Unsatisfiable,
                    "UNKNOWN" | "INDETERMINATE" => Status::Unknown,
                    other => {
                        return wrong(format!(
                            "line {number} has the status \"{other}\", not SATISFIABLE, UNSATISFIABLE or UNKNOWN"
                        ));
                    }
                });
            }
            (Line::Result(result), None) => {
                is_z3 = text == "sat";
                form = Some(AnswerForm::MiniSat);
                status = Some(result);
            }
            (Line::Literals(_) | Line::Assignments(_), Some(AnswerForm::MiniSat))
                if status != Some(Status::Satisfiable) =>
            {
                return wrong(format!(
                    "line {number} has literals, but the status before them is not SAT: \"{}\"",
                    shown()
                ));
            }
            (Line::Model(words), None | Some(AnswerForm::Competition))
            | (Line::Literals(words), None | Some(AnswerForm::MiniSat | AnswerForm::Bare)) => {
                form.get_or_insert(match line {
                    Line::Literals(_) => AnswerForm::Bare,
                    _ => AnswerForm::Competition,
                });
                if words.trim().len() == values.len() && values.len() > 1 && is_binary(words.trim()) {
                    let bits = words.trim().bytes().map(|bit| Some(bit == b'1'));
                    values.iter_mut().zip(bits).for_each(|(value, bit)| *value = bit);
                    ended = true;
                    continue;
                }
                let is_bare = form != Some(AnswerForm::Competition);
                let is_between = |c: char| c.is_ascii_whitespace() || is_bare && is_mark(c);
                for word in words.split(is_between).filter(|word| !word.is_empty()) {
                    any_value = true;
                    let digits = without_x(word);
                    // All literals must have the form of the first literal.
                    let is_named = *named.get_or_insert(digits.is_some());
                    let literal = match digits {
                        Some(digits) if is_named => digits,
                        // An empty word is not a number, so it is rejected below.
                        None if is_named => Cow::Borrowed(""),
                        _ => Cow::Borrowed(word),
                    };
                    ended = value(&literal, word, number, n_vars, &mut values, ended)?;
                }
            }
            (Line::Assignments(text), None | Some(AnswerForm::MiniSat | AnswerForm::Bare)) => {
                form.get_or_insert(AnswerForm::Bare);
                for (literal, word) in z3.literals(text, number)? {
                    value(&literal, word, number, n_vars, &mut values, false)?;
                }
            }
            (_, Some(form)) => {
                return wrong(format!("line {number} does not belong in {form}: \"{}\"", shown()));
            }
        }
    }
    if lines == 0 {
        return wrong("the input is empty: did the solver run?");
    }
    let bare = form == Some(AnswerForm::Bare);
    if z3.variable.is_some() {
        return wrong(TRUNCATED);
    }
    if bare {
        status = Some(Status::Satisfiable);
    }
    let Some(status) = status else {
        return wrong("the answer has no status: no line begins with \"s \"");
    };
    match status {
        Status::Unsatisfiable => Ok(Answer::Unsatisfiable),
        Status::Unknown => Ok(Answer::Unknown),
        Status::Satisfiable => {
            // Older versions of Z3 print the literals without a final 0.
            let unended = bare || is_z3 || named == Some(true);
            if any_value && !ended && !unended {
                return wrong(TRUNCATED);
            }
            for var in needed {
                if values[var.idx()].is_none() {
                    return wrong(format!(
                        "the model has no value for variable {} of {n_vars}; is the model truncated, or does it belong to another formula?",
                        var.idx32() + 1
                    ));
                }
            }
            Ok(Answer::Satisfiable(values.into_iter().collect()))
        }
    }
}

/// Message about a model without its end.
const TRUNCATED: &str = "the model is truncated: it does not end in 0";

/// UTF-8 byte order mark, which programs on Windows may write.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// True if the word consists of the digits 0 and 1.
fn is_binary(word: &str) -> bool {
    word.bytes().all(|byte| matches!(byte, b'0' | b'1'))
}

/// True if a character stands between the literals of a bare list.
fn is_mark(c: char) -> bool {
    c.is_ascii_whitespace() || "[],".contains(c)
}

/// Reader of the assignments in a model of Z3. The value of a variable may be in the line after the variable.
#[derive(Default)]
struct Z3 {
    /// Number of the variable whose value comes next.
    variable: Option<String>,
}

impl Z3 {
    /// Returns the literals whose values are in this line, each with the word of the value.
    fn literals<'t>(&mut self, text: &'t str, line: usize) -> Result<Vec<(String, &'t str)>, AnswerError> {
        let mut literals = Vec::new();
        let is_between = |c: char| c.is_ascii_whitespace() || "()[],=".contains(c);
        for word in text.split(is_between).filter(|word| !word.is_empty()) {
            let sign = match word {
                "true" | "True" => "",
                "false" | "False" => "-",
                "define-fun" | "Bool" | "model" => continue,
                _ => {
                    let variable = word.strip_prefix("k!").filter(|_| self.variable.is_none());
                    let Some(variable) = variable else { return no_literal(line, word) };
                    self.variable = Some(variable.to_owned());
                    continue;
                }
            };
            let variable = self.variable.take();
            literals.push((format!("{sign}{}", variable.unwrap_or_default()), word));
        }
        Ok(literals)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Satisfiable,
    Unsatisfiable,
    Unknown,
}

/// A line of an answer.
#[derive(Clone, Copy)]
enum Line<'a> {
    /// A comment, the cost of a model, or an empty line.
    Comment,
    /// `s` with the status.
    Status(&'a str),
    /// `v` with the literals.
    Model(&'a str),
    /// Status line of MiniSat.
    Result(Status),
    /// Literals without a prefix.
    Literals(&'a str),
    /// Part of a model of Z3.
    Assignments(&'a str),
}

impl<'a> Line<'a> {
    /// Parses a line without surrounding space; `None` if no solver prints lines of this form.
    fn of(text: &'a str) -> Option<Self> {
        let (word, rest) = text.split_once([' ', '\t']).unwrap_or((text, ""));
        Some(match word {
            "" | "c" | "o" => Self::Comment,
            "s" => Self::Status(rest.trim_start()),
            "v" => Self::Model(rest),
            _ if text.contains("k!") || matches!(text, "(" | ")" | "(model" | "true)" | "false)") => {
                Self::Assignments(text)
            }
            _ if is_whole_number(text.split(is_mark).find(|word| !word.is_empty())?) => Self::Literals(text),
            _ => Self::Result(match text {
                "SAT" | "sat" => Status::Satisfiable,
                "UNSAT" | "unsat" => Status::Unsatisfiable,
                "INDET" | "unknown" => Status::Unknown,
                _ => return None,
            }),
        })
    }
}

/// True if the word consists of digits, perhaps after a sign.
fn is_whole_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// Removes the `x` from a pseudo-Boolean solver's literal, `x1` or `-x1`. Returns `None` for other words.
fn without_x(word: &str) -> Option<Cow<'_, str>> {
    let (sign, rest) = match word.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", word),
    };
    let digits = rest.strip_prefix('x')?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && digits != "0").then(|| Cow::Owned(format!("{sign}{digits}")))
}

/// Stores the literal `number` in `values`. Returns true if `number` is the final 0. Error messages contain `word`, the
/// literal as written.
fn value(
    number: &str,
    word: &str,
    line: usize,
    n_vars: u32,
    values: &mut [Option<bool>],
    ended: bool,
) -> Result<bool, AnswerError> {
    let number: i64 = match number.parse() {
        Ok(number) if !ended => number,
        _ => return no_literal(line, word),
    };
    if number == 0 {
        return Ok(true);
    }
    let variable = number.unsigned_abs();
    if variable > u64::from(n_vars) {
        return wrong(format!(
            "line {line} names variable {variable}, but the formula has only {n_vars} variables; does the model belong to another formula?"
        ));
    }
    let new = number > 0;
    if values[variable as usize - 1].replace(new) == Some(!new) {
        return wrong(format!("line {line} gives variable {variable} a second value"));
    }
    Ok(false)
}

/// Writes an answer in the competition form, with `v` lines of at most 78 characters. Unassigned variables and
/// variables above `n_vars` are left out.
///
/// # Errors
///
/// I/O errors of writing to `out`.
pub fn write(out: &mut (impl Write + ?Sized), answer: &Answer, n_vars: u32) -> io::Result<()> {
    let model = match answer {
        Answer::Unsatisfiable => return writeln!(out, "s UNSATISFIABLE"),
        Answer::Unknown => return writeln!(out, "s UNKNOWN"),
        Answer::Satisfiable(model) => model,
    };
    writeln!(out, "s SATISFIABLE")?;
    let mut line = String::from("v");
    let literals = (0..n_vars).filter_map(|index| match model.value(Var::new(index)) {
        Some(true) => Some(Lit::positive(index).to_ipasir()),
        Some(false) => Some(Lit::negative(index).to_ipasir()),
        None => None,
    });
    for literal in literals.chain([0]) {
        let word = literal.to_string();
        if line.len() + 1 + word.len() > 78 {
            writeln!(out, "{line}")?;
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(&word);
    }
    writeln!(out, "{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Answer, String> {
        read(text.as_bytes(), 3, [0, 1].map(Var::new)).map_err(|e| e.to_string())
    }

    #[test]
    fn models_of_z3_and_pysat_are_read() {
        let expected = parse("s SATISFIABLE\nv 1 -2 3 0\n").unwrap();
        for text in [
            "[1, -2, 3]\n",
            "c PySAT\n[1,\n -2, 3]\n",
            "sat\n[k!3 = True, k!1 = True,\n k!2 = False]\n",
            "sat\n(\n  (define-fun k!2 () Bool\n    false)\n  (define-fun k!3 () Bool true)\n  (define-fun k!1 () Bool\n    true)\n)\n",
            "[k!2 = False, k!1 = True, k!3 = True]",
            "sat\n1 -2 3 \n",
            "s OPTIMUM FOUND\nv 101\n",
        ] {
            assert_eq!(parse(text).unwrap(), expected, "{text}");
        }
        assert_eq!(parse("unsat\n"), Ok(Answer::Unsatisfiable));
        assert_eq!(parse("unknown\n"), Ok(Answer::Unknown));
        for (text, error) in [
            ("s SATISFIABLE\nv 1011\n", "line 2 names variable 1011, but"),
            ("s SATISFIABLE\nv 0 0 1\n", "\"0\" in line 2 is not a literal"),
            ("unsat\n[k!1 = True]\n", "line 2 has literals, but the status"),
            ("sat\n[k!1 = True, k!1 = False]\n", "line 2 gives variable 1 a second value"),
            ("sat\n[k!1 = 3]\n", "\"3\" in line 2 is not a literal"),
            ("sat\n[True]\n", "line 2 is not a line of a solver's answer"),
            ("sat\n(define-fun k!1 () Bool\n", "the model is truncated"),
        ] {
            let found = parse(text).unwrap_err();
            assert!(found.starts_with(error), "{text}: {found}");
        }
    }

    #[test]
    fn answers_are_read_whatever_the_lines() {
        let expected: Model = [Some(true), Some(false), None].into_iter().collect();
        for text in [
            "c hello\ns SATISFIABLE\nv 1 -2 0\n",
            "c caf\u{e9}\nv 1\nv -2\nv 0\r\n\ns SATISFIABLE",
            "s SATISFIABLE\nv 1 -2 1 0",
            "\u{feff}s SATISFIABLE\r\n  v 1 -2 0\r\n",
            "SAT\n1 -2 0\n",
            "SAT\r\n1 -2 0\r\n",
            "\u{feff}SAT\n1 -2 0",
            "c glucose\n\nSAT\n1\n -2\n0\nc done\n",
            "1 -2 0\n",
            "1 -2",
            "c a model\n+1\n-2\r\n",
            " 1\t-2 \n\n0\n",
            "\u{feff}1 -2 0\r\n",
            "s SATISFIABLE\nv x1 -x2\n",
            "s OPTIMUM FOUND\nv x1\nv -x2\n",
        ] {
            assert_eq!(parse(text), Ok(Answer::Satisfiable(expected.clone())), "{text}");
        }
        assert_eq!(parse("s UNSATISFIABLE\n"), Ok(Answer::Unsatisfiable));
        assert_eq!(parse("s UNKNOWN"), Ok(Answer::Unknown));
        assert_eq!(parse("UNSAT\n"), Ok(Answer::Unsatisfiable));
        assert_eq!(parse("INDET\r\n"), Ok(Answer::Unknown));
    }

    #[test]
    fn what_is_no_answer_is_named() {
        for (text, part) in [
            ("", "the input is empty"),
            ("c nothing\n", "the answer has no status"),
            ("v 1 -2 0\n", "the answer has no status"),
            ("s SATISFIABLE\nv 1 -2\n", "the model is truncated"),
            ("s SATISFIABLE\nv 1 -2 3", "the model is truncated"),
            ("s SATISFIABLE\n", "the model has no value for variable 1 of 3"),
            ("s SATISFIABLE\nv 1 0", "the model has no value for variable 2 of 3"),
            ("s SATISFIABLE\nv 1 -4 0", "line 2 names variable 4, but the formula has only 3 variables"),
            ("s SATISFIABLE\nv 1 -9223372036854775808 0", "line 2 names variable 9223372036854775808"),
            ("s SATISFIABLE\nv 1 -1 0", "line 2 gives variable 1 a second value"),
            ("s SATISFIABLE\nv 1 x 0", "\"x\" in line 2 is not a literal"),
            ("s SATISFIABLE\nv 1 -2 0 3", "\"3\" in line 2 is not a literal"),
            ("s SATISFIABLE\ns SATISFIABLE\n", "line 2 is a second status line"),
            ("s SATISFIABLE\nv x1 -2", "\"-2\" in line 2 is not a literal"),
            ("s SATISFIABLE\nv 1 x2 0", "\"x2\" in line 2 is not a literal"),
            ("s SATISFIABLE\nv x1\n", "the model has no value for variable 2 of 3"),
            ("s SATISFIABLE\nv x4", "line 2 names variable 4, but the formula has only 3 variables"),
            ("s MAYBE\n", "line 1 has the status \"MAYBE\""),
            ("p cnf 1 2\n", "line 1 is not a line of a solver's answer"),
            ("1x 2", "line 1 is not a line of a solver's answer"),
            ("SAT 1 -2 0", "line 1 is not a line of a solver's answer"),
            ("SATISFIABLE\n", "line 1 is not a line of a solver's answer"),
            ("SAT\n1 -2\n", "the model is truncated"),
            ("SAT\n", "the model has no value for variable 1 of 3"),
            ("SAT\n1 0\n", "the model has no value for variable 2 of 3"),
            ("SAT\n1 -2 0\n3 0", "\"3\" in line 3 is not a literal"),
            ("SAT\n1 -4 0", "line 2 names variable 4, but the formula has only 3 variables"),
            ("SAT\nSAT\n1 -2 0", "line 2 is a second status line: \"SAT\""),
            ("SAT\n1 -2 0\nUNSAT\n", "line 3 is a second status line: \"UNSAT\""),
            ("SAT\ns SATISFIABLE\nv 1 -2 0\n", "line 2 does not belong in a result file of MiniSat: \"s SATISFIABLE\""),
            ("s SATISFIABLE\nSAT\n1 -2 0", "line 2 does not belong in an answer of \"s\" and \"v\" lines: \"SAT\""),
            ("s SATISFIABLE\n1 -2 0", "line 2 does not belong in an answer of \"s\" and \"v\" lines: \"1 -2 0\""),
            ("v 1 -2 0\nSAT\n", "line 2 does not belong in "),
            ("SAT\nv 1 -2 0\n", "line 2 does not belong in "),
            ("1 -2 0\nSAT\n", "line 2 does not belong in a list of literals: \"SAT\""),
            ("1 -2 0\ns SATISFIABLE\n", "line 2 does not belong in "),
            ("1\nv -2 0\n", "line 2 does not belong in "),
            ("UNSAT\n1 -2 0\n", "line 2 has literals, but the status before them is not SAT: \"1 -2 0\""),
            ("INDET\n0\n", "line 2 has literals"),
            ("1\n", "the model has no value for variable 2 of 3"),
            ("0\n", "the model has no value for variable 1 of 3"),
            ("1 -2 x", "\"x\" in line 1 is not a literal"),
            ("1 -2 0\n3 0\n", "\"3\" in line 2 is not a literal"),
            ("1 -2\n2\n", "line 2 gives variable 2 a second value"),
            ("1 -2\n123456789012345678901\n", "\"123456789012345678901\""),
        ] {
            let message = parse(text).unwrap_err();
            assert!(message.starts_with(part), "{message}");
        }
    }

    #[test]
    fn written_answers_read_back() {
        let model: Model = (0..200).map(|i| i % 3 == 0).collect();
        for answer in [Answer::Satisfiable(model), Answer::Unsatisfiable, Answer::Unknown] {
            let mut text = Vec::new();
            write(&mut text, &answer, 200).unwrap();
            assert!(text.split(|&b| b == b'\n').all(|line| line.len() <= 78));
            assert_eq!(read(&text[..], 200, variables()).unwrap(), answer);
        }
        fn variables() -> impl Iterator<Item = Var> {
            (0..200).map(Var::new)
        }
    }
}
