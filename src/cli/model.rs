//! Models with a circuit in DIMACS files: `hamcnf encode`, `solve` and `decode` of such a file.

use std::io;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use hamcnf::answer::{self, Answer};
use hamcnf::atomic_file::AtomicFile;
use hamcnf::budget::Budget;
use hamcnf::check::steps_in_words;
use hamcnf::circuit::{Circuit, CircuitFormula, Visits};
use hamcnf::cycle::Found;
use hamcnf::cycle::circuit;
use hamcnf::limits::Limits;
use hamcnf::proof::{SharedLog, Target, Writer};
use hamcnf::question::{Files, GraphSource, ModelFile, QuestionSpec, TextSource};
use hamcnf::solve::{self, Outcome};
use hamcnf::{Clauses, Encoding, Model, ProjectionFormat};
use rustsat::types::{Lit, Var};

use super::exit::{NO_TOUR, TOUR, UNKNOWN};
use super::formula::{Heading, write};
use super::input;
use super::interrupt::Hold;
use super::output;
use super::typed;
use super::verbosity::note;

/// Encoding of proofs about models, by default.
const OF_PROOFS: &str = "successor";

/// Message about a proof of a model that is no list of steps.
pub(super) const NO_CERTIFICATE: &str =
    "a certificate is about a graph: for a model with a circuit, the proof is a .drat, .lrat or .pbp file";

/// Model with a circuit, and the name of its file.
pub(super) struct NamedModel {
    name: String,
    file: ModelFile,
}

impl NamedModel {
    /// Reads the model that a question names; `None` if it names another graph source. A text that can be read only once
    /// must have been looked at by [`several`](super::several::questions) before, which keeps it.
    pub(super) fn of(spec: &QuestionSpec, files: &Files) -> anyhow::Result<Option<Self>> {
        match &spec.source {
            GraphSource::Graph(text) => Self::in_text(&text.source, files),
            _ => Ok(None),
        }
    }

    /// Reads the model in a text; `None` if the text is something else.
    pub(super) fn in_text(source: &TextSource, files: &Files) -> anyhow::Result<Option<Self>> {
        // The graph's reader reports errors of reading, and reads other texts.
        if source.is_lasting() && !source.lines().is_ok_and(ModelFile::may_begin) {
            return Ok(None);
        }
        let Ok(content) = files.text(source) else {
            return Ok(None);
        };
        let name = source.to_string();
        let file = ModelFile::read(&content).transpose().with_context(|| name.clone())?;
        Ok(file.map(|file| Self { name, file }))
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Rejects options of a command that are for tours of a graph. `options` are those for models, without the dashes.
    fn check_options(&self, command: &str, options: &str) -> anyhow::Result<()> {
        typed::supported(command, options, &format!("models with a circuit, such as {}", self.name))
    }

    /// Returns the formula of a proof that no assignment satisfies the model. Its encoding is "successor" by default.
    pub(super) fn proof_formula(self, encoding: Option<&Encoding>) -> anyhow::Result<(CircuitFormula, Encoding)> {
        self.check_options("verify", "encoding proof time-limit")?;
        let encoding = encoding.cloned().unwrap_or_else(|| solve::defaults::encoding(OF_PROOFS));
        Ok((self.formula(&encoding)?, encoding))
    }

    fn formula(self, encoding: &Encoding) -> anyhow::Result<CircuitFormula> {
        let name = self.name;
        self.file.model.encode(encoding).map_err(|error| anyhow!("{name}: {error}"))
    }

    fn circuit(&self) -> &Circuit {
        &self.file.model.circuit
    }

    /// Writes the model and its circuit as plain DIMACS. The projection set is that of the file, or else the variables of
    /// the model.
    pub(super) fn encode(
        self,
        encoding: &Encoding,
        names: bool,
        format: ProjectionFormat,
        to: Option<&Path>,
    ) -> anyhow::Result<u8> {
        self.check_options("encode", "encoding output varnames projection-format")?;
        let mut comments =
            vec![format!("hamcnf {}", env!("CARGO_PKG_VERSION")), format!("encoding of the circuit {encoding}")];
        comments.push("to read an answer: hamcnf decode THIS-FILE ANSWER".to_owned());
        comments.extend(self.file.comments.iter().cloned());
        let all = || (0..self.file.model.n_vars).map(Var::new).collect();
        let projection = self.file.projection.clone().unwrap_or_else(all);
        let name = self.name.clone();
        let formula = self.formula(encoding)?;
        if !formula.encoded().is_exact() {
            note(&format!("encoding \"{encoding}\" is relaxed: some models have several circuits"));
        }
        let heading = Heading { comments: &comments, projection: Some((format, &projection)), names };
        write(&formula, &name, &heading, to, || None)?;
        Ok(super::exit::DONE)
    }

    /// Solves the model, and prints its circuit as a comment, and `s` and `v` lines. Without an encoding, the circuit is a
    /// propagator of the solver.
    pub(super) fn solve(
        self,
        encoding: Option<&Encoding>,
        seed: u32,
        limits: Limits,
        proof: Option<&Target>,
        unique: bool,
    ) -> anyhow::Result<u8> {
        self.check_options("solve", "encoding seed time-limit cpu-limit proof binary cnf dimacs unique")?;
        let hold = Hold::new();
        let began = Instant::now();
        let (n_vars, circuit) = (self.file.model.n_vars, self.circuit().clone());
        if let (true, Some(option)) = (unique, typed::first(&["--encoding", "--proof"])) {
            bail!("--unique needs the propagator, and cannot be combined with {option}: remove one of the two");
        }
        let mut other = None;
        let eager = encoding.cloned().or_else(|| proof.map(|_| solve::defaults::encoding(OF_PROOFS)));
        let found = match eager {
            None => {
                let budget = Budget::new(limits.deadline(began), hold.stop().clone());
                let search = circuit::Search::new(&self.file.model, seed, &budget);
                let mut search = search.map_err(|error| anyhow!("{}: {error}", self.name))?;
                let next = |search: &mut circuit::Search<'_>| match search.search() {
                    Found::Cycle(values) => Outcome::Found(values.into_iter().collect::<Model>()),
                    Found::NoCycle => Outcome::None,
                    Found::Unknown(stopped) => Outcome::Stopped(stopped),
                };
                let found = next(&mut search);
                if let (true, Outcome::Found(model)) = (unique, &found) {
                    search.add(&circuit.blocking(|literal| model.holds(literal)));
                    other = Some(next(&mut search));
                }
                found
            }
            Some(encoding) => {
                let name = self.name.clone();
                let formula = self.formula(&encoding)?;
                let log = proof.map(|target| begin(target, &formula)).transpose()?;
                let options = solve::Options {
                    limits,
                    stop: hold.stop().clone(),
                    seed,
                    proof: log.clone(),
                    ..solve::Options::default()
                };
                let outcome = solve::search(&formula, &options, &mut |_| ())?.outcome;
                if let (Some(log), Some(target), Outcome::None) = (log, proof, &outcome) {
                    let size = log.end().with_context(|| format!("cannot write {}", target.file.display()))?;
                    let (file, steps) = (target.file.display(), steps_in_words(size.additions));
                    let is_default = solve::defaults::encoding(OF_PROOFS) == encoding;
                    let said = if is_default { String::new() } else { format!(" -e {encoding}") };
                    note(&format!(
                        "{file}: {steps} from the clauses of {encoding}; check it with: hamcnf verify {name}{said} --proof {file}"
                    ));
                }
                outcome
            }
        };
        let (answer, code) = match found {
            Outcome::Found(model) => (Answer::Satisfiable(model), TOUR),
            Outcome::None => (Answer::Unsatisfiable, NO_TOUR),
            Outcome::Stopped(stopped) => {
                note(&format!("unknown: the {stopped} was reached"));
                (Answer::Unknown, UNKNOWN)
            }
        };
        output::print(|out| {
            if let Answer::Satisfiable(model) = &answer {
                writeln!(out, "c {}", described(&circuit, model).map_err(io::Error::other)?)?;
                match &other {
                    None => {}
                    Some(Outcome::Found(other)) => {
                        let another = described(&circuit, other).map_err(io::Error::other)?;
                        writeln!(out, "c not unique: {another}")?;
                    }
                    Some(Outcome::None) => writeln!(out, "c unique: no other circuit satisfies the clauses")?,
                    Some(Outcome::Stopped(stopped)) => {
                        writeln!(out, "c unknown whether unique: the {stopped} was reached")?;
                    }
                }
            }
            answer::write(out, &answer, n_vars)
        })?;
        Ok(code)
    }

    /// Prints the circuit of a solver's answer.
    pub(super) fn decode(self, file: &Path) -> anyhow::Result<u8> {
        self.check_options("decode", "")?;
        let name = input::name(file);
        let input = input::open(file).with_context(|| format!("cannot decode {name}"))?;
        let circuit = self.circuit();
        let model = &self.file.model;
        let needed = circuit.literals().chain(model.clauses.iter().flatten().copied()).map(Lit::var);
        let answer = answer::read(input, model.n_vars, needed).with_context(|| format!("cannot decode {name}"))?;
        match answer {
            Answer::Satisfiable(found) => {
                let violated = model.clauses.iter().find(|clause| !clause.iter().any(|&literal| found.holds(literal)));
                if let Some(clause) = violated {
                    let clause: Vec<_> = clause.iter().map(|literal| literal.to_ipasir().to_string()).collect();
                    bail!("the answer in {name} is wrong: it violates the clause \"{} 0\"", clause.join(" "));
                }
                let text = described(circuit, &found).with_context(|| format!("the answer in {name} is wrong"))?;
                output::print(|out| writeln!(out, "{text}"))?;
                Ok(TOUR)
            }
            Answer::Unsatisfiable => {
                output::print(|out| writeln!(out, "there is no circuit, according to {name}"))?;
                Ok(NO_TOUR)
            }
            Answer::Unknown => {
                output::print(|out| writeln!(out, "{name} has no answer"))?;
                Ok(UNKNOWN)
            }
        }
    }
}

/// Begins a proof that starts from the clauses of a formula, and writes these clauses if the target asks for them.
fn begin(target: &Target, formula: &CircuitFormula) -> anyhow::Result<SharedLog> {
    let Some(form) = target.steps() else {
        bail!(NO_CERTIFICATE);
    };
    if !formula.encoded().is_exact() {
        bail!("a proof needs an encoding whose models have one circuit, such as \"successor\"");
    }
    if let Some(file) = &target.formula {
        write(formula, &file.display().to_string(), &Heading::default(), Some(file), || None)?;
    }
    let clauses = formula.tally().total().clauses;
    let wrong = || format!("cannot write {}", target.file.display());
    let out = AtomicFile::create(&target.file).with_context(wrong)?;
    let folder = target.file.parent().filter(|_| !out.is_device()).map_or_else(std::env::temp_dir, Path::to_owned);
    let writer = Writer::new(Box::new(out), form, target.is_binary, clauses, &[], &folder).with_context(wrong)?;
    Ok(SharedLog::new(writer))
}

/// Describes the circuit of a model in one line.
fn described(circuit: &Circuit, model: &Model) -> anyhow::Result<String> {
    let visits = circuit.read(|literal: Lit| model.holds(literal))?;
    let order = |visited: &[u32]| visited.iter().map(|&v| circuit.name(v)).collect::<Vec<_>>().join(" ");
    Ok(match visits {
        Visits::Inactive => "the condition of the circuit is false".to_owned(),
        Visits::Empty => "the circuit is empty".to_owned(),
        Visits::Circuit(visited) => format!("circuit {}", order(&visited)),
        Visits::Path(visited) => format!("path {}", order(&visited)),
        Visits::Routes(routes) => {
            let routes: Vec<_> = routes.iter().map(|route| format!("circuit {}", order(route))).collect();
            routes.join("; ")
        }
    })
}
