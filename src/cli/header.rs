//! Comments in formulas that `hamcnf encode` writes. They contain the command that made the formula. This command
//! determines everything that is needed to interpret a model.

use std::io::BufRead;

use anyhow::{Context, bail};
use clap::{Arg, ArgAction, Args as _, Command, FromArgMatches};
use hamcnf::constraint;
use hamcnf::endpoints::Start;
use hamcnf::machine::GraphRead;
use hamcnf::question::{Files, QuestionSpec, StartSpec, TextSource, Tours};
use hamcnf::refute::checked::Head;
use hamcnf::refute::instance::proof_instance;
use hamcnf::{Clauses, Encoding, Formula, Instance, TourKind};

use super::formula::FormulaFormat;
use super::instance::Formulated;
use super::mistake::in_one_line;

const MADE_BY: &str = "made by: ";
const ENCODE: &str = "hamcnf encode ";
const GRAPH: &str = "graph: ";

/// Prefix of the comment in answers that `hamcnf solve` prints for other programs.
const MODEL_OF: &str = "c model of: ";

/// Returns the comment with the command that made a formula.
pub(crate) fn made_by(asked: &Tours, encoding: &Encoding, options: &str) -> String {
    let command = command(asked, encoding);
    format!("{MADE_BY}{command}{options}")
}

/// Returns the comment before a model. It contains the command that makes the model's formula.
pub(crate) fn model_of(asked: &Tours, encoding: &Encoding) -> String {
    let command = command(asked, encoding);
    format!("{MODEL_OF}{command}")
}

/// Returns the encoding that is named in an answer; `None` if the answer is not about this question.
pub(crate) fn of_answer(answer: &[u8], asked: &Tours) -> Option<Encoding> {
    let mut lines = answer.split(|&b| b == b'\n');
    let said = lines.find_map(|line| line.strip_prefix(MODEL_OF.as_bytes()))?;
    let made = parsed(String::from_utf8_lossy(said).trim()).ok()?;
    // A graph from standard input cannot be compared. If the answer is about another graph, its model is wrong and is
    // rejected later.
    let same = !made.question.is_lasting() || {
        let said = made.asked().ok()?;
        let what = |tours: &Tours| (tours.instance().start(), tours.ends());
        let constraints = |tours: &Tours| constraint::texts(tours.instance());
        what(&said) == what(asked)
            && said.instance().digraph() == asked.instance().digraph()
            && constraints(&said) == constraints(asked)
    };
    made.encoded.of(asked.instance()).ok().filter(|_| same)
}

/// Returns the command that makes the formula of a question, quoted for a shell.
pub(crate) fn command(asked: &Tours, encoding: &Encoding) -> String {
    let instance = asked.instance();
    let mut args = vec![instance.name().to_owned()];
    if instance.kind() == TourKind::Open {
        args.push("--open".to_owned());
    }
    let start = match asked.start() {
        Start::Given => instance.vertex_name(instance.start()),
        Start::Anywhere => StartSpec::Anywhere.to_string(),
    };
    let end = asked.end().map(|end| instance.vertex_name(end));
    let encoding = Some(in_files(encoding).to_string());
    for (option, value) in [("--start", Some(start)), ("--to", end), ("--encoding", encoding)] {
        args.extend(value.into_iter().flat_map(|value| [option.to_owned(), value]));
    }
    for constraint in instance.constraints() {
        args.push(format!("--{}", constraint.name()));
        args.push(constraint.value(instance));
    }
    // Words without special characters need no quotes.
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"_@%+=:,./-".contains(&b);
    let quoted = args.iter().map(|arg| match shlex::try_quote(arg) {
        Ok(quoted) if !arg.bytes().all(plain) => quoted.into_owned(),
        // The word needs no quotes, or contains a byte that no argument can contain.
        _ => arg.clone(),
    });
    let words = quoted.collect::<Vec<_>>().join(" ");
    format!("{ENCODE}{words}")
}

/// Returns the encoding without refinements that only guide hamcnf's own solver, since files cannot contain them.
fn in_files(encoding: &Encoding) -> Encoding {
    let mut written = encoding.clone();
    while let Some(name) = written.for_solver() {
        let word = match written.value_of(name) {
            Some(value) => format!("{name}={value}"),
            None => name.to_owned(),
        };
        match written.without(&word) {
            Ok(without) if without != written => written = without,
            Ok(_) | Err(_) => break,
        }
    }
    written
}

/// Parses the arguments of a command that [`command`] returned.
fn parsed(command: &str) -> anyhow::Result<Formulated> {
    let words = command.strip_prefix(ENCODE).and_then(shlex::split);
    let words = words.context("the command cannot be parsed")?;
    // The other options of `hamcnf encode` do not change the formula.
    let encode = Command::new("encode").no_binary_name(true).args([
        Arg::new("format").long("format"),
        Arg::new("varnames").long("varnames").action(ArgAction::SetTrue),
        Arg::new("project").long("project"),
        Arg::new("projection-format").long("projection-format"),
    ]);
    let encode = Formulated::augment_args(encode);
    let matches = encode.try_get_matches_from(words);
    let made = matches.and_then(|matches| Formulated::from_arg_matches(&matches));
    made.map_err(|error| anyhow::anyhow!(in_one_line(&error)))
}

/// Returns the comment with the size and checksum of a formula's graph; `None` for boards.
pub(crate) fn graph(instance: &Instance) -> Option<String> {
    let GraphRead { vertices, edges, crc32, .. } = GraphRead::of(instance)?;
    let what = if instance.is_directed() { "arcs" } else { "edges" };
    Some(format!("{GRAPH}{vertices} vertices, {edges} {what}, CRC-32 {crc32:08x}"))
}

/// Comments and number of variables of a formula in a file.
pub(crate) struct Header {
    name: String,
    format: FormulaFormat,
    comments: Vec<String>,
    variables: u64,
}

impl Header {
    /// Reads the header of a file; `None` if the file is not a formula.
    pub(crate) fn read(source: &TextSource) -> anyhow::Result<Option<Self>> {
        let name = source.to_string();
        let text = source.lines();
        let text = text.with_context(|| format!("cannot read {name}"))?;
        Self::of(text, name)
    }

    /// Reads the header of a text; `None` if the text is not a formula. In OPB, the first line states the number of
    /// variables.
    fn of(text: impl BufRead, name: String) -> anyhow::Result<Option<Self>> {
        let cannot = || format!("cannot read {name}");
        let mut comments = Vec::new();
        let mut opb = None;
        for line in text.split(b'\n') {
            let line = line.with_context(cannot)?;
            let line = String::from_utf8_lossy(&line);
            let line = line.trim().trim_start_matches('\u{feff}');
            let words: Vec<_> = line.split_ascii_whitespace().collect();
            if let (Some(variables), false) = (opb, matches!(words[..], [] | ["*", ..])) {
                let format = FormulaFormat::Opb;
                return Ok(Some(Self { name, format, comments, variables }));
            }
            match words[..] {
                [] => {}
                ["*", "#variable=", variables, ..] if comments.is_empty() => {
                    let variables = variables.parse();
                    let variables = variables.with_context(|| format!("{name} has the invalid line \"{line}\""))?;
                    opb = Some(variables);
                }
                ["*", "varname", ..] if opb.is_some() => {}
                ["*", ..] if opb.is_some() => comments.push(line[1..].trim().to_owned()),
                ["c", "varname", ..] => {}
                ["c", ..] => comments.push(line[1..].trim().to_owned()),
                ["p", "cnf", variables, _] => {
                    let variables = variables.parse();
                    let variables = variables.with_context(|| format!("{name} has the invalid line \"{line}\""))?;
                    let format = FormulaFormat::Cnf;
                    return Ok(Some(Self { name, format, comments, variables }));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }

    /// True if the formula is in OPB, for pseudo-Boolean solvers.
    pub(crate) fn is_opb(&self) -> bool {
        self.format == FormulaFormat::Opb
    }

    /// True if the comments contain the command that made the formula.
    pub(crate) fn names_its_question(&self) -> bool {
        self.comments.iter().any(|c| c.starts_with(MADE_BY))
    }

    /// Returns the file's name for messages.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the question and the encoding of the formula, from the command that made it.
    pub(crate) fn made_by(&self) -> anyhow::Result<(Tours, Encoding)> {
        let name = &self.name;
        let mut made = self.comments.iter();
        let Some(command) = made.find_map(|comment| comment.strip_prefix(MADE_BY)) else {
            if let Some(made) = self.made_for_a_proof()? {
                return Ok(made);
            }
            bail!(
                "{name} has no comment \"{MADE_BY}{ENCODE}...\" that names its question: pass the board or graph and --encoding instead of the formula"
            );
        };
        if let Some(queens) = command.strip_prefix("hamcnf queens ") {
            let n = queens.split(' ').next().unwrap_or("N");
            bail!("{name} is about queens: use `hamcnf queens {n} decode ANSWER`");
        }
        let wrong = || {
            format!(
                "{name} was made by `{command}`, which cannot be repeated here (pass the graph and --encoding instead of the formula)"
            )
        };
        let made = parsed(command).with_context(wrong)?;
        if !made.question.is_lasting() {
            bail!(
                "{name} was made from a graph on standard input or a pipe: pass the graph and --encoding instead of the formula"
            );
        }
        let asked = made.asked().with_context(wrong)?;
        let encoding = made.encoded.of(&proof_instance(&asked)?)?;
        Ok((asked, encoding))
    }

    /// Returns the question and the encoding of a formula that `hamcnf solve` wrote beside a proof. Its comments are those
    /// of the proof. Returns `None` if the formula has no such comments.
    fn made_for_a_proof(&self) -> anyhow::Result<Option<(Tours, Encoding)>> {
        let head = Head::of_comments(self.comments.iter().map(String::as_str));
        let (Some(question), Some(encoding)) = (&head.question, &head.encoding) else {
            return Ok(None);
        };
        let name = &self.name;
        if head.is_split {
            bail!(
                "{name} has the clauses of the undirected form of \"{question}\", whose models are not tours of the question: encode the question with `hamcnf encode`"
            );
        }
        let wrong = || {
            format!(
                "{name} is about \"{question}\", which cannot be loaded here (pass the graph and --encoding instead of the formula)"
            )
        };
        let files = Files::default();
        let spec = QuestionSpec::settled(question, &files).with_context(wrong)?;
        if !spec.source.is_lasting() {
            bail!(
                "{name} was made from a graph on standard input or a pipe: pass the graph and --encoding instead of the formula"
            );
        }
        let asked = spec.load(&files).with_context(wrong)?;
        if let Some(said) = &head.graph
            && said != asked.checksum()
        {
            bail!("{} is not the graph of {name}: their edges have different checksums", asked.instance().name());
        }
        let encoding = encoding.parse::<Encoding>().with_context(wrong)?;
        Ok(Some((asked, encoding)))
    }

    /// Rejects a formula if its graph or its number of variables differs from the graph or number in the file.
    pub(crate) fn check(&self, formula: &Formula) -> anyhow::Result<()> {
        let (name, instance) = (&self.name, formula.instance());
        let said = self.comments.iter().find(|c| c.starts_with(GRAPH));
        if let (Some(said), Some(found)) = (said, graph(instance))
            && *said != found
        {
            bail!(
                "{0} is not the graph of {name}: {0} has {1}, but {name} was made from a graph with {2}",
                instance.name(),
                &found[GRAPH.len()..],
                &said[GRAPH.len()..]
            );
        }
        if self.variables != u64::from(formula.n_vars()) {
            bail!(
                "{name} has {} variables, but the command in its comments gives {}: another version of hamcnf may have made the file; encode the question again",
                self.variables,
                formula.n_vars()
            );
        }
        Ok(())
    }
}

/// True if a text is a formula whose header contains a valid command. Does not run the command. Used by the fuzzers.
#[doc(hidden)]
#[must_use]
pub fn says_how_it_was_made(text: &[u8]) -> bool {
    let Ok(Some(header)) = Header::of(text, "a text".to_owned()) else {
        return false;
    };
    let mut comments = header.comments.iter();
    let command = comments.find_map(|comment| comment.strip_prefix(MADE_BY));
    command.is_some_and(|command| parsed(command).is_ok())
}
