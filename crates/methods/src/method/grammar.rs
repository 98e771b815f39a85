//! Grammar of a method's text: `NAME+SETTING=VALUE:ENCODING`, or an encoding alone.

use std::fmt;
use std::str::FromStr;

use hamcnf_encodings::{Encoding, EncodingError, encoding};
use hamcnf_graph::names::most_alike;

use super::{Backend, Engine, External, Method, Operand, Solve, list};

/// Reason why a text is not a method, or why a method does not accept a question.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MethodError {
    /// Invalid value of a setting.
    #[error("method \"{method}\": setting \"{setting}\": {why}")]
    Value { method: String, setting: String, why: WrongValue },
    /// Encoding given to a method that takes none.
    #[error("method \"{0}\" takes no encoding; remove the encoding")]
    NoEncoding(String),
    /// Any other reason, in words.
    #[error("{0}")]
    Other(String),
}

impl MethodError {
    /// Returns the error for an unknown setting.
    pub(super) fn no_setting(method: &str, setting: &str, known: &[&'static str]) -> Self {
        let known = match (known, most_alike(setting, known.iter().copied())) {
            ([], _) => String::new(),
            (known, Some(meant)) => format!(": did you mean {meant}? Choose from {}", known.join(", ")),
            (known, None) => format!("; choose from {}", known.join(", ")),
        };
        Self::Other(format!("method \"{method}\" has no setting \"{setting}\"{known}"))
    }
}

/// Reason why a text is not a valid value of a setting.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct WrongValue(String);

impl WrongValue {
    pub fn new(why: impl fmt::Display) -> Self {
        Self(why.to_string())
    }
}

/// Parses a value with its type's [`FromStr`], and converts the error.
pub(super) fn parsed<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, WrongValue> {
    text.parse().map_err(|error: T::Err| WrongValue::new(error))
}

/// Returns a parser for integers that are at least `least`.
pub(super) fn whole<T: FromStr + PartialOrd + fmt::Display>(least: T) -> impl Fn(&str) -> Result<T, WrongValue> {
    move |text| {
        let number = text.parse().ok().filter(|number| *number >= least);
        number.ok_or_else(|| WrongValue::new(format_args!("\"{text}\" is not a whole number of at least {least}")))
    }
}

pub(super) fn between(most: f64) -> impl Fn(&str) -> Result<f64, WrongValue> {
    move |text| {
        let number: Option<f64> = text.parse().ok();
        let number = number.filter(|&number| number > 0.0 && number < most);
        number.ok_or_else(|| match most {
            f64::INFINITY => WrongValue::new(format_args!("\"{text}\" is not a number above 0")),
            most => WrongValue::new(format_args!("\"{text}\" is not a number between 0 and {most}")),
        })
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let given = self.given();
        if let (Some(solve), []) = (self.kind::<Solve>(), &given[..]) {
            return solve.encoding.fmt(f);
        }
        f.write_str(self.name())?;
        for (name, value) in given {
            write!(f, "+{name}={value}")?;
        }
        if let Some(encoding) = self.encoding() { write!(f, ":{encoding}") } else { Ok(()) }
    }
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        // Within a projection set, digits follow the colon. No encoding's name begins with a digit, so the two are
        // distinguishable.
        let split = text.rsplit_once(':').filter(|(_, right)| !right.starts_with(|c: char| c.is_ascii_digit()));
        let (left, encoding) = split.map_or((text, None), |(left, right)| (left, Some(right)));
        let mut words = left.split('+');
        let name = words.next().unwrap_or_default();
        let wrong = |why: String| MethodError::Other(format!("method \"{name}\"{why}"));
        let mut settings: Vec<(&str, &str)> = Vec::new();
        for word in words {
            let (setting, value) = word.split_once('=').unwrap_or((word, ""));
            if settings.iter().any(|(other, _)| *other == setting) {
                return Err(wrong(format!(": setting \"{setting}\" is given twice; give the setting only once")));
            }
            settings.push((setting, value));
        }
        let parsed = |text: &str| text.parse().map_err(|error: EncodingError| wrong(format!(": {error}")));
        let Some(mut method) = list::named(name) else {
            // A text with a refinement (`+`) is meant as an encoding, so the encoding's error is reported. Otherwise
            // the name is unknown.
            return match (parsed(text), encoding) {
                (Ok(encoding), None) => Ok(Solve::on(encoding).into()),
                (Err(error), None) if text.contains('+') => Err(error),
                _ => Err(unknown(name)),
            };
        };
        match (method.profile().operand, encoding) {
            (Operand::Required, None) => return Err(wrong(format!(" requires an encoding; write {name}:ENCODING"))),
            (Operand::None, Some(_)) => return Err(MethodError::NoEncoding(name.to_owned())),
            _ => {}
        }
        for (setting, value) in settings {
            method = method.with_setting(setting, value)?;
        }
        if let Some(encoding) = encoding {
            let encoding: Encoding = parsed(encoding)?;
            let own_solver = method.profile().backend == Backend::Cadical;
            if let Some(refinement) = encoding.for_solver().filter(|_| !own_solver) {
                return Err(wrong(format!(
                    ": the refinement \"{refinement}\" works only with hamcnf's own solver, because the refinement adds no clauses"
                )));
            }
            method = method.with_encoding(encoding)?;
        }
        method.validate()?;
        Ok(method)
    }
}

fn unknown(name: &str) -> MethodError {
    let (bases, methods) = (encoding::bases(), list::all());
    let known = bases.iter().map(|base| base.name).chain(methods.iter().map(Method::name));
    let hint = match most_alike(&name.to_lowercase(), known) {
        Some(meant) => format!("did you mean {meant}?"),
        None => "`hamcnf methods` and `hamcnf encodings` list all names".to_owned(),
    };
    MethodError::Other(format!("unknown method \"{name}\": {hint}"))
}

impl Method {
    /// Parses the method that a row names. The method's engine may be unknown on this machine.
    ///
    /// # Errors
    ///
    /// [`MethodError`] if the text is not a method.
    pub fn of_a_row(text: &str) -> Result<Self, MethodError> {
        text.parse().or_else(|error| {
            let split = text.split_once(':');
            let (name, encoding) = split.map_or((text, None), |(name, encoding)| (name, Some(encoding)));
            match (Engine::of_a_row(name), encoding.map(str::parse).transpose()) {
                (Some(engine), Ok(encoding)) => Ok(External { engine, encoding }.into()),
                _ => Err(error),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_questions::Question;

    #[test]
    fn methods_are_read_as_they_are_written() {
        for text in [
            "binary",
            "counting",
            "solve+phases=seeded:binary",
            "warnsdorff",
            "warnsdorff+order=12345678+ties=random+rotations=no+restarts=5+nodes=1000",
            "backtrack+order=graph",
            "auto",
            "auto+threads=2",
            "propagator",
            "best-first",
            "exact",
            "sample",
            "sample+states=1000+repetitions=3",
            "zdd",
            "timeslice",
            "bdd",
            "enumerate",
            "enumerate:counting",
            "enumerate+project=vars:1..80:binary",
            "enumerate+project=vars:1..80",
            "ganak+project=positions:4,8",
            "approxmc",
            "approxmc+epsilon=0.3+delta=0.1+project=co-tree:counting",
            "ganak+project=positions:4,8:direct",
            "size:unary",
            "kissat:binary+windows=full",
            "successor+order=seed-3+windows=full+parity",
            "kissat:remainder=4x3+order=seed-3",
            "cadical:counting",
            "z3",
        ] {
            let method: Method = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(method.to_string(), text);
        }
        for (text, canonical) in [
            ("solve:binary", "binary"),
            ("approxmc+delta=0.20+epsilon=0.8", "approxmc"),
            ("warnsdorff+rotations=yes", "warnsdorff"),
            ("sample+states=100000", "sample"),
        ] {
            assert_eq!(text.parse::<Method>().unwrap().to_string(), canonical);
        }
        for question in ["6x6", "6 queens"] {
            let question = Question::load(question).unwrap();
            for method in Method::compared(&question) {
                assert_eq!(method.to_string().parse(), Ok(method.clone()));
                assert_eq!(method.suits(&question), Ok(()), "{method}");
            }
        }
    }

    #[test]
    fn what_is_no_method_is_said() {
        let wrong = |text: &str| text.parse::<Method>().unwrap_err().to_string();
        for (text, message) in [
            ("guess", "unknown method \"guess\": `hamcnf methods`"),
            ("bnary", "unknown method \"bnary\": did you mean binary?"),
            ("guess:binary", "unknown method \"guess\""),
            ("", "unknown method \"\""),
            ("exact+states=3", "method \"exact\" has no setting \"states\""),
            (
                "sample+stats=3",
                "method \"sample\" has no setting \"stats\": did you mean states? Choose from states, repetitions",
            ),
            ("sample+states=0", "method \"sample\": setting \"states\": \"0\" is not a whole number of at least 1"),
            ("auto+threads=0", "method \"auto\": setting \"threads\": \"0\" is not a whole number from 1 to 1024"),
            ("lazy+threads=2", "method \"lazy\" has no setting \"threads\""),
            (
                "sample+states=1+states=1",
                "method \"sample\": setting \"states\" is given twice; give the setting only once",
            ),
            ("approxmc+delta=1", "method \"approxmc\": setting \"delta\": \"1\" is not a number between 0 and 1"),
            ("approxmc:nothing", "method \"approxmc\": unknown encoding \"nothing\""),
            ("exact:binary", "method \"exact\" takes no encoding"),
            ("size", "method \"size\" requires an encoding; write size:ENCODING"),
            ("kissat", "method \"kissat\" requires an encoding; write kissat:ENCODING"),
            ("z3:binary", "method \"z3\" takes no encoding"),
            ("backtrack+ties=random", "method \"backtrack\" has no setting \"ties\"; choose from order, nodes"),
            ("warnsdorff+order=89", "method \"warnsdorff\": setting \"order\": \"89\" is not an order of moves"),
        ] {
            assert!(wrong(text).starts_with(message), "{text}: {}", wrong(text));
        }
    }
}
