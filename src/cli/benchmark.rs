//! `hamcnf benchmark`: writes a folder of DIMACS files with known answers.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hamcnf::atomic_file::AtomicFile;
use hamcnf::benchmark::{self, Known, KnownAnswer, Verified};
use hamcnf::cancellation::CancellationToken;
use hamcnf::formats::{self, Format};
use hamcnf::question::{Question, Tours};
use hamcnf::run::Share;
use hamcnf::solve::defaults;
use hamcnf::temporary::Temporary;
use hamcnf::{Clauses, Encoding, Formula, Named};
use serde::{Deserialize, Serialize};

use super::complete;
use super::exit::DONE;
use super::formula::{Counted, Heading, can_be_written, gbd_hash};
use super::instance::encoding;
use super::interrupt::Hold;
use super::progress::Progress;
use super::several;
use super::verbosity::note;
use super::{encode, output};

/// Write a set of DIMACS files with known answers into a folder
///
/// The questions are boards, cubic graphs, generalized Petersen graphs, snarks and random graphs near the threshold,
/// with and without a tour. Every answer is verified: a tour must satisfy all clauses, and a certificate or proof of
/// "no tour" is checked. index.csv lists the question, size, answer, verification, GBD hash and command of each file.
/// The same arguments always write the same bytes. The folder appears only when it is complete.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf benchmark set --small                       easy questions, in the encoding \"binary\"
  hamcnf benchmark set -e direct,binary,successor+parity
  hamcnf benchmark set --graphs                      add the graphs, as DIMACS edges
  hamcnf benchmark set --fresh                       replace an existing set
  hamcnf benchmark set --small --json | jq -r '.[] | select(.answer == \"UNSAT\").file'")]
pub(crate) struct Args {
    /// Folder to create; an existing folder must be empty
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
    /// Encodings, separated by commas (see `hamcnf encodings`)
    #[arg(
        long,
        short,
        value_delimiter = ',',
        default_value = defaults::PUBLISHED,
        value_parser = encoding(),
        add = complete::encodings()
    )]
    encoding: Vec<Encoding>,
    /// Write only questions that solvers answer within seconds
    #[arg(long)]
    small: bool,
    /// Write the graphs too, as DIMACS edges, into the subfolder graphs
    #[arg(long)]
    graphs: bool,
    /// Replace an existing set, if its folder contains no other files
    #[arg(long, alias = "force")]
    fresh: bool,
    /// Print the index as a JSON array
    #[arg(long)]
    json: bool,
}

/// Line of the index, which describes one file of the benchmark set.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    /// Name of the formula's file in the folder.
    file: String,
    /// Name of the graph's file; empty if graphs are not requested.
    graph: String,
    /// Question that the formula encodes.
    question: String,
    /// Name of the encoding.
    encoding: String,
    variables: u32,
    /// Number of clauses, as in the header.
    clauses: u64,
    /// Known answer, SAT or UNSAT.
    answer: String,
    /// Description of how the answer was verified.
    verified: String,
    gbd_hash: String,
    /// Command that writes only this file.
    command: String,
}

const INDEX: &str = "index.csv";
const GRAPHS: &str = "graphs";

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    if let Some(twice) = several::first_repeated(&args.encoding) {
        bail!("--encoding names \"{twice}\" twice; remove one of them");
    }
    let folder = args.folder.as_path();
    let cannot = || format!("cannot write {}", folder.display());
    may_be_written(folder, args.fresh)?;
    let whole = Temporary::folder_beside(folder).with_context(cannot)?;
    let all = benchmark::questions(args.small);
    // At a signal the work stops, and temporary files are removed.
    let hold = Hold::new();
    let progress = Progress::new(format_args!("{}: {} questions", folder.display(), all.len()));
    let mut lines = Vec::new();
    let mut left_out: Vec<&Encoding> = Vec::new();
    for (done, known) in (0..).zip(&all) {
        let share = Share { done, of: all.len() as u64 };
        let text = format_args!("{done} of {} questions: {}", all.len(), known.question);
        progress.begin(Some(share), text);
        let target = Target { folder: whole.path(), graphs: args.graphs, stop: hold.stop() };
        match target.write(known, &args.encoding, &mut left_out) {
            Ok(of) => lines.extend(of),
            // The user stopped the command, so no message is needed.
            Err(_) if hold.stop().is_set() => return Ok(DONE),
            Err(error) => return Err(error),
        }
    }
    drop(progress);
    if lines.is_empty() {
        bail!("none of the graphs in the set can be encoded with these encodings; choose other encodings");
    }
    let mut index = AtomicFile::create(&whole.path().join(INDEX))?;
    output::csv(&mut index, &lines).with_context(cannot)?;
    index.finish().with_context(cannot)?;
    // Another program may have written to the folder in the meantime.
    may_be_written(folder, args.fresh)?;
    whole.persist(folder).with_context(cannot)?;
    for encoding in left_out {
        note(&format!(
            "encoding \"{encoding}\" is only for boards, so the set has no formulas of other graphs in this encoding"
        ));
    }
    let satisfiable = KnownAnswer::Sat.as_str();
    let sat = lines.iter().filter(|line| line.answer == satisfiable).count();
    output::print(|out| match args.json {
        true => output::json(out, &lines),
        false => writeln!(
            out,
            "{}: {} files, {sat} satisfiable and {} not, all verified: see {}",
            folder.display(),
            lines.len(),
            lines.len() - sat,
            folder.join(INDEX).display()
        ),
    })?;
    Ok(DONE)
}

/// Rejects a folder that is not empty, unless it contains a benchmark set that may be replaced.
fn may_be_written(folder: &Path, fresh: bool) -> anyhow::Result<()> {
    let name = folder.display();
    let Ok(metadata) = folder.metadata() else {
        return Ok(());
    };
    if folder.file_name().is_none() {
        bail!(
            "the command cannot replace the folder \"{name}\" from inside: run it in the parent folder, and give the folder's name"
        );
    }
    if !metadata.is_dir() {
        bail!("\"{name}\" exists and is not a folder: choose another name");
    }
    let there = entries(folder).with_context(|| format!("cannot read {name}"))?;
    if there.is_empty() {
        return Ok(());
    }
    let Some(known) = files_of_a_set(folder) else {
        bail!("\"{name}\" is not empty and is not a benchmark set: choose another folder");
    };
    if let Some(other) = there.difference(&known).next() {
        bail!(
            "\"{name}\" contains \"{}\", which is not part of the benchmark set: choose another folder",
            other.display()
        );
    }
    match fresh {
        true => Ok(()),
        false => bail!("\"{name}\" already has a benchmark set; use --fresh to replace it"),
    }
}

/// Returns the paths of the files in a folder and in its subfolder of graphs.
fn entries(folder: &Path) -> std::io::Result<BTreeSet<OsString>> {
    let mut names = BTreeSet::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name() != GRAPHS {
            names.insert(entry.file_name());
            continue;
        }
        for graph in fs::read_dir(entry.path())? {
            names.insert(Path::new(GRAPHS).join(graph?.file_name()).into_os_string());
        }
    }
    Ok(names)
}

/// Returns the paths of the files that the index of a benchmark set lists; `None` if the folder has no valid index.
fn files_of_a_set(folder: &Path) -> Option<BTreeSet<OsString>> {
    let mut reader = csv::Reader::from_path(folder.join(INDEX)).ok()?;
    let mut files = BTreeSet::from([OsString::from(INDEX)]);
    for line in reader.deserialize() {
        let Line { file, graph, .. } = line.ok()?;
        files.extend([file.into(), graph.into()]);
    }
    Some(files)
}

/// Destination of the files, and options for making them.
struct Target<'a> {
    folder: &'a Path,
    graphs: bool,
    stop: &'a CancellationToken,
}

impl Target<'_> {
    /// Writes the files of a question in all encodings that suit it. Other encodings are added to `left_out`.
    fn write<'e>(
        &self,
        known: &Known,
        encodings: &'e [Encoding],
        left_out: &mut Vec<&'e Encoding>,
    ) -> anyhow::Result<Vec<Line>> {
        let tours = known.load()?;
        let question = Question::from(tours.clone());
        let verified = known.verified(&question, self.stop)?;
        let graph = if self.graphs { self.graph(&tours)? } else { String::new() };
        let mut lines = Vec::new();
        for encoding in encodings {
            if encoding.offers().boards_only && tours.instance().board().is_none() {
                if !left_out.contains(&encoding) {
                    left_out.push(encoding);
                }
                continue;
            }
            lines.push(Line { graph: graph.clone(), ..self.formula(&tours, &question, encoding, &verified)? });
        }
        Ok(lines)
    }

    fn formula(
        &self,
        tours: &Tours,
        question: &Question,
        encoding: &Encoding,
        verified: &Verified,
    ) -> anyhow::Result<Line> {
        let formula = Formula::new(encoding.clone(), tours.instance())?;
        can_be_written(&formula)?;
        if !formula.is_exact() {
            bail!(
                "encoding \"{encoding}\" is relaxed, so its formula may be satisfiable although there is no tour; use an exact encoding"
            );
        }
        let how = match verified {
            Verified::Tour(tour) => {
                benchmark::satisfied(&formula, question, tour, self.stop)?;
                "all clauses hold on a tour".to_owned()
            }
            Verified::Certificate(kind) => format!("certificate checked: {kind}"),
            Verified::Proof => "proof checked: DRAT by lazy subtour elimination".to_owned(),
        };
        let text = question.to_string();
        let file = format!("{}.{}.cnf", benchmark::stem(&text), benchmark::stem(&encoding.to_string()));
        let counted = Counted::new(&formula, text.clone());
        let heading = Heading { comments: &encode::comments(tours, &formula, true), ..Heading::default() };
        let path = self.folder.join(&file);
        let cannot = || format!("cannot write {file}");
        let mut whole = AtomicFile::create(&path)?;
        counted.write(&heading, &mut whole).with_context(cannot)?;
        whole.finish().with_context(cannot)?;
        let command = format!("hamcnf encode {text} --encoding {}", encoding.in_clauses());
        Ok(Line {
            command: format!("{command} -o {file}"),
            graph: String::new(),
            encoding: encoding.to_string(),
            variables: formula.n_vars(),
            clauses: counted.clauses(),
            answer: verified.answer().to_string(),
            verified: how,
            gbd_hash: gbd_hash(&formula, &text)?,
            question: text,
            file,
        })
    }

    /// Writes the graph of a question, and returns the name of the file.
    fn graph(&self, tours: &Tours) -> anyhow::Result<String> {
        let file = format!("{GRAPHS}/{}.col", benchmark::stem(&tours.source().to_string()));
        let path = self.folder.join(&file);
        let cannot = || format!("cannot write {file}");
        fs::create_dir_all(self.folder.join(GRAPHS)).with_context(cannot)?;
        let mut whole = AtomicFile::create(&path)?;
        formats::write(Format::DIMACS, tours.instance().graph(), &mut whole).with_context(cannot)?;
        whole.finish().with_context(cannot)?;
        Ok(file)
    }
}
