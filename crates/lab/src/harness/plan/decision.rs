//! Plans of kind `decision`: times to a tour, or to the proof that there is none.

use serde::Deserialize;

use super::cells::{self, Cells};
use super::word::Word;
use super::{Heading, each_once, limits};
use crate::harness::job::Job;
use hamcnf_encodings::Encoding;
use hamcnf_engines::count::frontier::Bytes;
use hamcnf_engines::limits::Limits;
use hamcnf_engines::solve::Phases;
use hamcnf_methods::method::{Method, MethodError, Solve};
use hamcnf_methods::question::Question;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Written {
    #[serde(rename = "kind")]
    _kind: String,
    title: String,
    #[serde(default)]
    about: String,
    cells: cells::Written,
    /// Searches without clauses and other programs, to stand beside the encodings.
    #[serde(default, alias = "methods")]
    searches: Vec<Word<Method>>,
    /// Each cell is run once with each.
    seeds: Vec<u32>,
    /// Whether a seed relabels the vertices: seed 0 leaves their order, others are those of the refinement `order`.
    #[serde(default)]
    relabel: bool,
    /// Where the solver's initial phases come from; the solver where left out, whose own seed changes little on small
    /// boards.
    phases: Option<Word<Phases>>,
    /// Wall seconds a run may take, for encoding and solving together.
    time_limit: f64,
    cpu_limit: Option<f64>,
    memory_limit: Option<Word<Bytes>>,
    conflict_limit: Option<u64>,
    /// Whether there are tours. An answer to the contrary fails the run.
    expect: Expect,
    /// What is published about these times, to be held against ours.
    #[serde(default)]
    claims: Vec<WrittenClaim>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenClaim {
    says: String,
    under: Option<WrittenUnder>,
    faster: Option<[Word<Encoding>; 2]>,
    #[serde(default)]
    on: On,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenUnder {
    encoding: Word<Encoding>,
    seconds: f64,
}

/// A plan of kind `decision`.
#[derive(Clone, Debug)]
pub struct DecisionPlan {
    /// For the report.
    pub heading: Heading,
    /// What is asked.
    pub questions: Vec<Question>,
    /// How.
    pub methods: Vec<Method>,
    /// Each cell is run once with each.
    pub seeds: Vec<u32>,
    /// Whether a seed other than 0 relabels the vertices for an encoding.
    pub relabel: bool,
    /// What a run may take.
    pub limits: Limits,
    /// Whether there are tours.
    pub expect: Expect,
    /// What is published about these times.
    pub claims: Vec<Claim>,
}

/// What answer a run has to give, if it gives one.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expect {
    /// A tour.
    Tour,
    /// That there is none.
    NoTour,
}

/// A published statement about times, in a form that can be checked against medians.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The statement and where it stands.
    pub says: String,
    /// What it says.
    pub bound: Bound,
    /// On how many boards that has to hold.
    pub on: On,
}

/// The bound of a claim.
#[derive(Clone, Debug)]
pub enum Bound {
    /// This method takes less than so many seconds.
    Under(Method, f64),
    /// The first takes less time than the second.
    Faster(Method, Method),
}

/// On how many boards a claim has to hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum On {
    /// On all of them.
    #[default]
    All,
    /// On more than half.
    Most,
}

impl DecisionPlan {
    pub(super) fn lower(written: Written) -> Result<Self, String> {
        const LAST_SEED: u32 = 2_000_000_000;
        let cells = Cells::lower(written.cells)?;
        let phases = written.phases.map_or(Phases::default(), |word| word.0);
        let solved = |encoding: Encoding| Method::from(Solve { encoding, phases });
        let searches: Vec<_> = written.searches.into_iter().map(|word| word.0).collect();
        each_once("searches", &searches)?;
        let encodings = cells.encodings.into_iter().map(solved);
        let methods: Vec<_> = encodings.chain(searches).collect();
        if methods.is_empty() {
            return Err(
                "there is nothing to run: encodings or searches must not be empty".to_owned(),
            );
        }
        if let Some(method) = methods.iter().find(|method| !method.decides()) {
            return Err(format!("{method} does not decide whether there is a tour"));
        }
        for question in &cells.questions {
            let suits = methods.iter().try_for_each(|method| method.suits(question));
            suits.map_err(|error: MethodError| error.to_string())?;
        }
        if written.relabel {
            let taken = |method: &&Method| {
                let order = method
                    .encoding()
                    .map(|encoding| encoding.with("order=seed-1"));
                let own = method
                    .encoding()
                    .and_then(|encoding| encoding.value_of("order"));
                order.is_some_and(|order| order.is_err()) || own.is_some_and(|o| o != "natural")
            };
            if let Some(method) = methods.iter().find(taken) {
                return Err(format!(
                    "relabel gives each encoding an order, and {method} has one of its own"
                ));
            }
        }
        if written.seeds.is_empty() {
            return Err("seeds must not be empty".to_owned());
        }
        each_once("seeds", &written.seeds)?;
        if let Some(seed) = written.seeds.iter().find(|&&seed| seed > LAST_SEED) {
            return Err(format!(
                "seed {seed} is past the solver's last one, {LAST_SEED}"
            ));
        }
        let limits = limits(
            written.time_limit,
            written.cpu_limit,
            written.memory_limit,
            written.conflict_limit,
        )?;
        let mut claims = Vec::new();
        for claim in written.claims {
            let about = |Word(encoding): Word<Encoding>| {
                let name = encoding.to_string();
                let method = solved(encoding);
                match methods.contains(&method) {
                    true => Ok(method),
                    false => Err(format!(
                        "the claim '{}' is about {name}, which is not among the cells",
                        claim.says
                    )),
                }
            };
            let bound = match (claim.under, claim.faster) {
                (Some(WrittenUnder { encoding, seconds }), None) => {
                    Bound::Under(about(encoding)?, seconds)
                }
                (None, Some([first, second])) => Bound::Faster(about(first)?, about(second)?),
                _ => {
                    return Err(format!(
                        "the claim '{}' must have one of 'under' and 'faster'",
                        claim.says
                    ));
                }
            };
            claims.push(Claim {
                says: claim.says.clone(),
                bound,
                on: claim.on,
            });
        }
        Ok(Self {
            heading: Heading {
                title: written.title,
                about: written.about,
            },
            questions: cells.questions,
            methods,
            seeds: written.seeds,
            relabel: written.relabel,
            limits,
            expect: written.expect,
            claims,
        })
    }

    /// Each question with each method.
    pub fn cells(&self) -> impl Iterator<Item = (&Question, &Method)> {
        let cells = |question| self.methods.iter().map(move |method| (question, method));
        self.questions.iter().flat_map(cells)
    }

    /// The jobs of a cell, one a seed.
    #[must_use]
    pub fn jobs_of(&self, question: &Question, method: &Method) -> Vec<Job> {
        let job = |&seed: &u32| Job {
            question: question.clone(),
            method: self.relabelled(method, seed),
            seed: seed.into(),
            limits: self.limits,
        };
        self.seeds.iter().map(job).collect()
    }

    /// The method under the labels of a seed.
    fn relabelled(&self, method: &Method, seed: u32) -> Method {
        let encoding = method.encoding().filter(|_| self.relabel);
        let relabelled = encoding.map(|encoding| method.with_encoding(in_order(encoding, seed)));
        relabelled
            .and_then(Result::ok)
            .unwrap_or_else(|| method.clone())
    }

    /// All jobs: boards, then encodings and searches, then seeds.
    #[must_use]
    pub fn jobs(&self) -> Vec<Job> {
        let cells = self.cells();
        cells
            .flat_map(|(question, method)| self.jobs_of(question, method))
            .collect()
    }
}

/// The encoding in the order of a seed, which is the graph's own for 0.
fn in_order(encoding: &Encoding, seed: u32) -> Encoding {
    let relabelled = match seed {
        0 => return encoding.clone(),
        seed => encoding.with(&format!("order=seed-{seed}")),
    };
    relabelled.expect("plans are refused whose encodings take no order")
}
