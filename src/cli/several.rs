//! Several graphs: a text with a graph per line, a folder of graph files, or a range of boards. A command treats the
//! graphs in order, one at a time.

use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use hamcnf::formats::Format;
use hamcnf::question::{Files, GraphSource, GraphText, QuestionError, QuestionSpec, TextSource};

use super::exit::{BAD_INPUT, DONE, UNKNOWN, WITHOUT_PROOF};
use super::interrupt::is_interrupted;
use super::{complain, typed};

/// Questions about several graphs.
pub(super) type Questions<'a> = Box<dyn Iterator<Item = anyhow::Result<QuestionSpec>> + 'a>;

/// Treatment of graphs that cannot be read.
#[derive(clap::Args)]
pub(super) struct BadGraphs {
    /// If there are several graphs, report graphs that cannot be read or processed, and continue with the next
    /// graph; the exit code is then 2
    #[arg(long, short)]
    keep_going: bool,
}

/// Returns a question about each graph that the specification names, if its source is a text with a graph per line, a
/// folder of graph files, or a range of boards. Returns `None` for a source of a single graph.
pub(super) fn questions<'a>(spec: &QuestionSpec, files: &'a Files) -> anyhow::Result<Option<Questions<'a>>> {
    let spec = spec.clone();
    if let Some(folder) = folder_of(&spec.source) {
        let graphs = graph_files(folder, |file| Format::of_file(file).is_some())?;
        if graphs.is_empty() {
            bail!("\"{}\" has no graph files", folder.display());
        }
        let specs = graphs.into_iter().map(move |file| about(&spec, file_source(&spec.source, file)));
        return Ok(Some(in_order(specs, files)));
    }
    let Some(graphs) = spec.source.several(files)? else {
        return Ok(None);
    };
    let questions = graphs.map(move |source| Ok(about(&spec, source?)));
    Ok(Some(Box::new(questions)))
}

/// Returns a question about each graph that the specifications name, in order.
fn in_order<'a>(specs: impl Iterator<Item = QuestionSpec> + 'a, files: &'a Files) -> Questions<'a> {
    Box::new(specs.flat_map(move |spec| match questions(&spec, files) {
        Ok(Some(several)) => several,
        Ok(None) => Box::new(std::iter::once(Ok(spec))) as Questions<'_>,
        Err(error) => Box::new(std::iter::once(Err(error))),
    }))
}

/// Returns a question about each graph that the specifications name; `None` if they name a single graph.
pub(super) fn of_all<'a>(specs: &'a [QuestionSpec], files: &'a Files) -> anyhow::Result<Option<Questions<'a>>> {
    match specs {
        [spec] => questions(spec, files),
        specs => Ok(Some(in_order(specs.iter().cloned(), files))),
    }
}

/// Returns the first item that occurs before.
pub(super) fn first_repeated<T: PartialEq>(items: &[T]) -> Option<&T> {
    items.iter().enumerate().find_map(|(k, item)| items[..k].contains(item).then_some(item))
}

/// True if the error says that a graph has no vertices.
pub(super) fn is_empty(error: &anyhow::Error) -> bool {
    let mut causes = error.chain();
    causes.any(|cause| {
        let cause: Option<&QuestionError> = cause.downcast_ref();
        cause.is_some_and(QuestionError::is_of_empty_graph)
    })
}

/// Returns the same question about another graph.
fn about(spec: &QuestionSpec, source: GraphSource) -> QuestionSpec {
    QuestionSpec { source, ..spec.clone() }
}

fn folder_of(source: &GraphSource) -> Option<&Path> {
    match source {
        GraphSource::Graph(GraphText { source: TextSource::File(path), .. }) if path.is_dir() => Some(path),
        _ => None,
    }
}

/// Returns the source of a graph file in a folder. The file is read with the options that were given for the folder.
fn file_source(folder: &GraphSource, file: PathBuf) -> GraphSource {
    let reading = folder.text().map(|text| text.reading);
    GraphSource::Graph(GraphText { source: TextSource::File(file), reading: reading.unwrap_or_default() })
}

/// Returns the files of a folder for which `is_wanted` is true, in the order of their names.
pub(super) fn graph_files(folder: &Path, is_wanted: impl Fn(&Path) -> bool) -> anyhow::Result<Vec<PathBuf>> {
    let cannot = || format!("cannot read {}", folder.display());
    let mut files = Vec::new();
    for entry in folder.read_dir().with_context(cannot)? {
        let file = entry.with_context(cannot)?.path();
        if is_wanted(&file) && !file.is_dir() {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Returns an error if the user typed one of these options, which apply to one graph only.
pub(super) fn only_for_one(options: &[&str]) -> anyhow::Result<()> {
    match typed::first(options) {
        Some(option) => bail!(
            "{option} is for one graph: name one board of a range, or choose a graph of a file with --graph-number 1 or with \"#1\" after the file name"
        ),
        None => Ok(()),
    }
}

impl BadGraphs {
    /// Answers the questions about several graphs, for which the options `for_one` are rejected, or the question `only`
    /// about one graph.
    pub(super) fn all<T>(
        &self,
        several: Option<Questions<'_>>,
        only: &QuestionSpec,
        for_one: &[&str],
        mut load: impl FnMut(QuestionSpec) -> anyhow::Result<T>,
        mut answer: impl FnMut(T) -> anyhow::Result<u8>,
    ) -> anyhow::Result<u8> {
        let Some(questions) = several else {
            return answer(load(only.clone())?);
        };
        only_for_one(for_one)?;
        self.each(questions, load, answer)
    }

    /// Loads and answers the questions. The exit code is 0 if all answers are known. Errors of `load` name the graph;
    /// errors of `answer` need not. A graph without vertices is no error, although most commands have no answer for it.
    pub(super) fn each<T>(
        &self,
        questions: Questions<'_>,
        mut load: impl FnMut(QuestionSpec) -> anyhow::Result<T>,
        mut answer: impl FnMut(T) -> anyhow::Result<u8>,
    ) -> anyhow::Result<u8> {
        // The codes are in increasing order of severity.
        let codes = [DONE, UNKNOWN, WITHOUT_PROOF, BAD_INPUT];
        let mut worst = 0;
        for question in questions {
            let answered = match question {
                Ok(spec) => {
                    let name = spec.to_string();
                    load(spec).and_then(|loaded| answer(loaded).context(name))
                }
                Err(error) => Err(self.hinted(error)),
            };
            let code = match answered {
                Err(error) if is_empty(&error) => {
                    complain(&format!("{error:#}"));
                    UNKNOWN
                }
                other => self.unless_bad(other)?.unwrap_or(BAD_INPUT),
            };
            worst = worst.max(codes.iter().position(|&other| other == code).unwrap_or(0));
            if is_interrupted() {
                break;
            }
        }
        Ok(codes[worst])
    }

    /// Returns the value. If bad graphs are skipped, reports an error and returns `None` instead.
    pub(super) fn unless_bad<T>(&self, result: anyhow::Result<T>) -> anyhow::Result<Option<T>> {
        match result {
            Err(error) if self.keep_going => {
                complain(&format!("{error:#}"));
                Ok(None)
            }
            other => other.map(Some),
        }
    }

    /// Returns the error of a graph that cannot be read, with a hint if it ends the command.
    pub(super) fn hinted(&self, error: anyhow::Error) -> anyhow::Error {
        match self.keep_going {
            true => error,
            false => anyhow!("{error:#}; use --keep-going to skip graphs with errors"),
        }
    }
}
