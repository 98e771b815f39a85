//! Methods as text and back.

use std::fmt;
use std::num::NonZero;
use std::str::FromStr;

use hamcnf_encodings::names::{instead, most_alike};
use hamcnf_encodings::{Encoding, Named, encoding};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Count, Engine, Formulated, Method, Portfolio, Prove, Prover, Search};
use crate::portfolio::Part;
use crate::proof::Form;
use crate::search::MethodName;
use crate::solve::Phases;

/// Why a text is no method, or a method is not for a question.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MethodError {
    /// Its first word names none.
    #[error("there is no method '{name}'{}", instead(name, known))]
    Unknown {
        /// The text.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A setting that the method does not have.
    #[error("{method} has no setting '{setting}'{known}")]
    Setting {
        /// The method's first word.
        method: String,
        /// The setting.
        setting: String,
        /// Those that it has, in words.
        known: String,
    },
    /// A setting that is there twice.
    #[error("{method} has {setting} twice")]
    Twice {
        /// The method's first word.
        method: String,
        /// The setting.
        setting: String,
    },
    /// A setting's value that there is not.
    #[error("{method}: {setting}: {why}")]
    Value {
        /// The method's first word.
        method: String,
        /// The setting.
        setting: String,
        /// What is wrong with it.
        why: String,
    },
    /// The encoding that there is not.
    #[error("{method}: {why}")]
    Encoding {
        /// The method's first word.
        method: String,
        /// What is wrong with it.
        why: String,
    },
    /// An encoding where there is none to be.
    #[error("{0} works on no encoding")]
    NoEncoding(String),
    /// No encoding where there has to be one.
    #[error("{0} works on an encoding: write {0}:ENCODING")]
    NeedsEncoding(String),
    /// It is no way to answer a question of this kind.
    #[error("the method {method} is not for {question}")]
    NotFor {
        /// The method.
        method: String,
        /// What the question is about.
        question: &'static str,
    },
}

const SOLVE: &str = "solve";
const SIZE: &str = "size";
const PROVE: &str = "prove";
const PROPAGATOR: &str = "propagator";
const COUNTING: &str = "counting";
const CERTIFICATE: &str = "certificate";
const AUTO: &str = "auto";

/// The first words of counts.
const COUNTS: [&str; 9] = [
    "exact",
    "treewidth",
    "sample",
    "zdd",
    "timeslice",
    "bdd",
    "enumerate",
    "approxmc",
    "ganak",
];

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Solve { encoding, phases } if *phases == Phases::default() => encoding.fmt(f),
            Self::Solve { encoding, phases } => write!(f, "{SOLVE}+phases={phases}:{encoding}"),
            Self::Portfolio(portfolio) => portfolio.fmt(f),
            Self::Search(search) => search.fmt(f),
            Self::Count(count) => count.fmt(f),
            Self::Size(encoding) => write!(f, "{SIZE}:{encoding}"),
            Self::Prove(prove) => prove.fmt(f),
            Self::External { engine, encoding } => {
                engine.fmt(f)?;
                encoding
                    .iter()
                    .try_for_each(|encoding| write!(f, ":{encoding}"))
            }
        }
    }
}

impl fmt::Display for Portfolio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.part {
            Some(part) => write!(f, "{part}"),
            None if self.threads == Self::AUTO.threads => f.write_str(AUTO),
            None => write!(f, "{AUTO}+threads={}", self.threads),
        }
    }
}

impl fmt::Display for Prove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(PROVE)?;
        match &self.by {
            Prover::Encoding(_) | Prover::Cuts => {}
            Prover::Propagator => write!(f, "+by={PROPAGATOR}")?,
            Prover::Counting => write!(f, "+by={COUNTING}")?,
            Prover::Certificate => write!(f, "+by={CERTIFICATE}")?,
        }
        if self.form != Form::Drat {
            write!(f, "+form={}", self.form)?;
        }
        match &self.by {
            Prover::Encoding(encoding) => write!(f, ":{encoding}"),
            _ => Ok(()),
        }
    }
}

impl Prove {
    fn read(words: &mut Words<'_>, encoding: Option<Encoding>) -> Result<Self, MethodError> {
        let by = words.take("by", |text| match text {
            PROPAGATOR => Ok(Prover::Propagator),
            COUNTING => Ok(Prover::Counting),
            CERTIFICATE => Ok(Prover::Certificate),
            _ => Err(format!(
                "'{text}' is none of {PROPAGATOR}, {COUNTING} and {CERTIFICATE}"
            )),
        })?;
        let by = match (by, encoding) {
            (Some(_), Some(_)) => return Err(MethodError::NoEncoding(format!("{PROVE}+by"))),
            (Some(by), None) => by,
            (None, Some(encoding)) => Prover::Encoding(encoding),
            (None, None) => Prover::Cuts,
        };
        let form = words.take("form", |text| {
            let form: Form = parsed(text)?;
            match (form, &by) {
                (_, Prover::Certificate) => Err("a certificate has a form of its own".to_owned()),
                _ => Ok(form),
            }
        })?;
        Ok(Self {
            by,
            form: form.unwrap_or(Form::Drat),
        })
    }
}

impl fmt::Display for Search {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            name,
            order,
            ties,
            rotations,
            restarts,
            nodes,
        } = self;
        write!(f, "{name}")?;
        order
            .iter()
            .try_for_each(|order| write!(f, "+order={order}"))?;
        ties.iter().try_for_each(|ties| write!(f, "+ties={ties}"))?;
        if !rotations {
            write!(f, "+rotations=no")?;
        }
        if *restarts != Self::RESTARTS {
            write!(f, "+restarts={restarts}")?;
        }
        nodes
            .iter()
            .try_for_each(|nodes| write!(f, "+nodes={nodes}"))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exact => f.write_str("exact"),
            Self::Treewidth => f.write_str("treewidth"),
            Self::Sample {
                states,
                repetitions,
            } => {
                f.write_str("sample")?;
                if *states != Self::STATES {
                    write!(f, "+states={states}")?;
                }
                if *repetitions != Self::REPETITIONS {
                    write!(f, "+repetitions={repetitions}")?;
                }
                Ok(())
            }
            Self::Zdd => f.write_str("zdd"),
            Self::Timeslice => f.write_str("timeslice"),
            Self::Bdd => f.write_str("bdd"),
            Self::Enumerate(formula) => write!(f, "enumerate{formula}"),
            Self::Approxmc {
                epsilon,
                delta,
                formula,
            } => {
                f.write_str("approxmc")?;
                if *epsilon != Self::EPSILON {
                    write!(f, "+epsilon={epsilon}")?;
                }
                if *delta != Self::DELTA {
                    write!(f, "+delta={delta}")?;
                }
                formula.fmt(f)
            }
            Self::Ganak(formula) => write!(f, "ganak{formula}"),
        }
    }
}

impl fmt::Display for Formulated {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let project = self.project.iter();
        project
            .into_iter()
            .try_for_each(|set| write!(f, "+project={set}"))?;
        let encoding = self.encoding.iter();
        encoding
            .into_iter()
            .try_for_each(|encoding| write!(f, ":{encoding}"))
    }
}

/// The settings of a text, each taken once.
struct Words<'t> {
    method: &'t str,
    settings: Vec<(&'t str, &'t str)>,
    /// Those that were asked for.
    known: Vec<&'static str>,
}

impl<'t> Words<'t> {
    fn new(text: &'t str) -> Result<Self, MethodError> {
        let mut words = text.split('+');
        let method = words.next().unwrap_or_default();
        let mut settings: Vec<(&str, &str)> = Vec::new();
        for word in words {
            let (setting, value) = word.split_once('=').unwrap_or((word, ""));
            if settings.iter().any(|(other, _)| *other == setting) {
                return Err(MethodError::Twice {
                    method: method.to_owned(),
                    setting: setting.to_owned(),
                });
            }
            settings.push((setting, value));
        }
        Ok(Self {
            method,
            settings,
            known: Vec::new(),
        })
    }

    /// A setting's value, read by `read`.
    fn take<T>(
        &mut self,
        setting: &'static str,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, MethodError> {
        self.known.push(setting);
        let Some(at) = self.settings.iter().position(|(name, _)| *name == setting) else {
            return Ok(None);
        };
        let (_, value) = self.settings.remove(at);
        let value = read(value).map_err(|why| MethodError::Value {
            method: self.method.to_owned(),
            setting: setting.to_owned(),
            why,
        })?;
        Ok(Some(value))
    }

    /// Refuses settings that nobody has asked for.
    fn done(&self) -> Result<(), MethodError> {
        let Some((setting, _)) = self.settings.first() else {
            return Ok(());
        };
        Err(MethodError::Setting {
            method: self.method.to_owned(),
            setting: (*setting).to_owned(),
            known: match self.known.as_slice() {
                [] => String::new(),
                known => match most_alike(setting, known.iter().copied()) {
                    Some(meant) => format!(": did you mean {meant}? It has {}", known.join(", ")),
                    None => format!("; it has {}", known.join(", ")),
                },
            },
        })
    }
}

/// A value by its own parser.
fn parsed<T: FromStr<Err: fmt::Display>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// A whole number, from `least` on.
fn whole<T: FromStr + PartialOrd + fmt::Display>(
    least: T,
) -> impl FnOnce(&str) -> Result<T, String> {
    move |text| {
        let number = text.parse().ok().filter(|number| *number >= least);
        number.ok_or_else(|| format!("'{text}' is not a whole number from {least} on"))
    }
}

fn between(most: f64) -> impl FnOnce(&str) -> Result<f64, String> {
    move |text| {
        let number: Option<f64> = text.parse().ok();
        let number = number.filter(|&number| number > 0.0 && number < most);
        number.ok_or_else(|| match most {
            f64::INFINITY => format!("'{text}' is not a number above 0"),
            most => format!("'{text}' is not a number between 0 and {most}"),
        })
    }
}

impl Method {
    /// The method that a row names: an engine may be known elsewhere only.
    ///
    /// # Errors
    ///
    /// [`MethodError`].
    pub fn of_a_row(text: &str) -> Result<Self, MethodError> {
        text.parse().or_else(|error| {
            let (name, encoding) = match text.split_once(':') {
                Some((name, encoding)) => (name, Some(encoding)),
                None => (text, None),
            };
            match (Engine::of_a_row(name), encoding.map(str::parse).transpose()) {
                (Some(engine), Ok(encoding)) => Ok(Self::External { engine, encoding }),
                _ => Err(error),
            }
        })
    }
}

impl FromStr for Method {
    type Err = MethodError;

    fn from_str(text: &str) -> Result<Self, MethodError> {
        // A projection set has a colon before numbers, and no encoding's name is one.
        let split = text.rsplit_once(':');
        let split = split.filter(|(_, right)| !right.starts_with(|c: char| c.is_ascii_digit()));
        let (left, right) = match split {
            Some((left, right)) => (left, Some(right)),
            None => (text, None),
        };
        let mut words = Words::new(left)?;
        let method = words.method;
        let encoding = |text: &str| -> Result<Encoding, MethodError> {
            parsed(text).map_err(|why| MethodError::Encoding {
                method: method.to_owned(),
                why,
            })
        };
        let needed =
            || encoding(right.ok_or_else(|| MethodError::NeedsEncoding(method.to_owned()))?);
        let none = || match right {
            None => Ok(()),
            Some(_) => Err(MethodError::NoEncoding(method.to_owned())),
        };
        let found = if let Ok(name) = method.parse::<MethodName>() {
            none()?;
            Self::Search(Search::read(name, &mut words)?)
        } else if method == AUTO {
            none()?;
            let threads = words.take("threads", |text| {
                let threads: Option<NonZero<u32>> = text.parse().ok();
                let most = Portfolio::MOST_THREADS;
                let threads = threads.filter(|&threads| threads <= most);
                threads.ok_or_else(|| format!("'{text}' is not a whole number from 1 to {most}"))
            })?;
            Self::Portfolio(Portfolio {
                threads: threads.unwrap_or(Portfolio::AUTO.threads),
                ..Portfolio::AUTO
            })
        } else if let Ok(part) = method.parse::<Part>() {
            none()?;
            Self::Portfolio(Portfolio::of(Some(part)))
        } else if COUNTS.contains(&method) {
            let formula = |words: &mut Words<'_>| {
                Ok::<_, MethodError>(Formulated {
                    encoding: right.map(encoding).transpose()?,
                    project: words.take("project", parsed)?,
                })
            };
            Self::Count(match method {
                "enumerate" => Count::Enumerate(formula(&mut words)?),
                "ganak" => Count::Ganak(formula(&mut words)?),
                "approxmc" => Count::Approxmc {
                    epsilon: words
                        .take("epsilon", between(f64::INFINITY))?
                        .unwrap_or(Count::EPSILON),
                    delta: words.take("delta", between(1.0))?.unwrap_or(Count::DELTA),
                    formula: formula(&mut words)?,
                },
                _ => {
                    none()?;
                    match method {
                        "sample" => Count::Sample {
                            states: words.take("states", whole(1))?.unwrap_or(Count::STATES),
                            repetitions: words
                                .take("repetitions", whole(2))?
                                .unwrap_or(Count::REPETITIONS),
                        },
                        "treewidth" => Count::Treewidth,
                        "zdd" => Count::Zdd,
                        "timeslice" => Count::Timeslice,
                        "bdd" => Count::Bdd,
                        _ => Count::Exact,
                    }
                }
            })
        } else if let Some(engine) = Engine::named(method) {
            let encoding = match engine.takes_a_formula() {
                true => Some(needed()?),
                false => {
                    none()?;
                    None
                }
            };
            Self::External { engine, encoding }
        } else if method == PROVE {
            Self::Prove(Prove::read(&mut words, right.map(encoding).transpose()?)?)
        } else if method == SIZE {
            Self::Size(needed()?)
        } else if method == SOLVE {
            Self::Solve {
                encoding: needed()?,
                phases: words.take("phases", parsed)?.unwrap_or_default(),
            }
        } else if let (Some(_), _) | (None, false) = (right, text.contains('+')) {
            // Without a refinement it is the name that is wrong.
            return match text.parse() {
                Ok(encoding) if right.is_none() => Ok(Self::solve(encoding)),
                _ => Err(unknown(method)),
            };
        } else {
            return Ok(Self::solve(encoding(text)?));
        };
        words.done()?;
        let own_solver = matches!(
            &found,
            Self::Solve { .. } | Self::Count(Count::Enumerate(_))
        );
        let for_solver = found.encoding().and_then(Encoding::for_solver);
        if let Some(refinement) = for_solver.filter(|_| !own_solver) {
            return Err(MethodError::Encoding {
                method: method.to_owned(),
                why: format!("{refinement} is for hamcnf's own solver, and not in the clauses"),
            });
        }
        Ok(found)
    }
}

fn unknown(name: &str) -> MethodError {
    let encodings = encoding::bases()
        .into_iter()
        .map(|base| base.name.to_owned());
    let parts = Part::ALL.iter().map(ToString::to_string);
    let searches = MethodName::ALL.iter().map(ToString::to_string);
    let counts = COUNTS.iter().map(|&name| name.to_owned());
    let engines = Engine::names().map(str::to_owned);
    let known: Vec<_> = encodings
        .chain([AUTO.to_owned()])
        .chain(parts)
        .chain(searches)
        .chain(counts)
        .chain(engines)
        .collect();
    MethodError::Unknown {
        name: name.to_owned(),
        known: known.join(", "),
    }
}

impl Search {
    fn read(name: MethodName, words: &mut Words<'_>) -> Result<Self, MethodError> {
        let plain = Self::new(name);
        let order = words.take("order", parsed)?;
        let nodes = words.take("nodes", whole(0))?;
        if name != MethodName::Warnsdorff {
            return Ok(Self {
                order,
                nodes,
                ..plain
            });
        }
        let yes = |text: &str| match text {
            "yes" => Ok(true),
            "no" => Ok(false),
            other => Err(format!("'{other}' is neither yes nor no")),
        };
        Ok(Self {
            order,
            nodes,
            ties: words.take("ties", parsed)?,
            rotations: words.take("rotations", yes)?.unwrap_or(plain.rotations),
            restarts: words.take("restarts", whole(0))?.unwrap_or(plain.restarts),
            name,
        })
    }
}

impl Serialize for Method {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Method {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?
            .parse()
            .map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Question;

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
            let method: Method = text
                .parse()
                .unwrap_or_else(|error| panic!("{text}: {error}"));
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
            let question: Question = question.parse().unwrap();
            for method in Method::all(&question) {
                assert_eq!(method.to_string().parse(), Ok(method.clone()));
                assert_eq!(method.suits(&question), Ok(()), "{method}");
            }
        }
    }

    #[test]
    fn what_is_no_method_is_said() {
        let wrong = |text: &str| text.parse::<Method>().unwrap_err().to_string();
        for (text, message) in [
            (
                "guess",
                "there is no method 'guess'; there are direct, unary, binary",
            ),
            ("guess:binary", "there is no method 'guess'"),
            ("", "there is no method ''"),
            ("exact+states=3", "exact has no setting 'states'"),
            (
                "sample+stats=3",
                "sample has no setting 'stats': did you mean states? It has states, repetitions",
            ),
            (
                "sample+states=0",
                "sample: states: '0' is not a whole number from 1 on",
            ),
            (
                "auto+threads=0",
                "auto: threads: '0' is not a whole number from 1 to 1024",
            ),
            ("lazy+threads=2", "lazy has no setting 'threads'"),
            ("sample+states=1+states=1", "sample has states twice"),
            (
                "approxmc+delta=1",
                "approxmc: delta: '1' is not a number between 0 and 1",
            ),
            (
                "approxmc:nothing",
                "approxmc: there is no encoding 'nothing'",
            ),
            ("exact:binary", "exact works on no encoding"),
            ("size", "size works on an encoding: write size:ENCODING"),
            (
                "kissat",
                "kissat works on an encoding: write kissat:ENCODING",
            ),
            ("z3:binary", "z3 works on no encoding"),
            (
                "backtrack+ties=random",
                "backtrack has no setting 'ties'; it has order, nodes",
            ),
            (
                "warnsdorff+order=89",
                "warnsdorff: order: '89' is not an order of moves",
            ),
        ] {
            assert!(wrong(text).starts_with(message), "{text}: {}", wrong(text));
        }
    }
}
