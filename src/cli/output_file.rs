//! Files that the options of a command name for writing. Two options never name the same file, and no option names a
//! file that the command reads, which would be replaced.

use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ArgMatches;
use hamcnf::question::{QuestionSpec, TextSource};

use super::drawing::Canvas;
use super::graph::Word;

/// Path of a file that a command writes, as the user gave it; `-` is standard output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct OutputFile(PathBuf);

impl From<OsString> for OutputFile {
    fn from(name: OsString) -> Self {
        Self(name.into())
    }
}

impl Deref for OutputFile {
    type Target = Path;

    fn deref(&self) -> &Path {
        &self.0
    }
}

impl AsRef<Path> for OutputFile {
    fn as_ref(&self) -> &Path {
        &self.0
    }
}

/// Rejects options of a command that name the same file for writing, or that name one of its input files.
pub(crate) fn check(command: &clap::Command, matches: &ArgMatches) -> anyhow::Result<()> {
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        return check(command, matches);
    }
    let mut outputs: Vec<(String, &Path)> = Vec::new();
    let mut inputs: Vec<&Path> = Vec::new();
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        let option = || format!("--{}", argument.get_long().unwrap_or(id));
        outputs.extend(values::<OutputFile>(matches, id).map(|file| (option(), &**file)));
        outputs.extend(values::<Canvas>(matches, id).map(|canvas| (option(), canvas.path())));
        inputs.extend(values::<PathBuf>(matches, id).map(PathBuf::as_path));
        let words = values::<Word>(matches, id).filter_map(Word::spec);
        let specs = values::<QuestionSpec>(matches, id).chain(words);
        inputs.extend(specs.filter_map(graph_file));
    }
    while let Some((option, file)) = outputs.pop() {
        if let Some((other, _)) = outputs.iter().find(|(_, other)| are_one(file, other)) {
            let file = file.display();
            match (file.to_string().as_str(), *other == option) {
                ("-", _) => bail!(
                    "{other} and {option} cannot both write to standard output: name a file for one of them"
                ),
                (_, true) => bail!("{option} names the file {file} twice"),
                (_, false) => bail!("{other} and {option} name the same file, {file}"),
            }
        }
        if inputs.iter().any(|input| are_one(file, input)) && file.as_os_str() != "-" {
            bail!(
                "{option} names {}, which this command reads: choose another file",
                file.display()
            );
        }
    }
    Ok(())
}

/// Returns the values of an argument, if it has values of this type.
fn values<'a, T: Clone + Send + Sync + 'static>(
    matches: &'a ArgMatches,
    id: &str,
) -> impl Iterator<Item = &'a T> {
    let values = matches.try_get_many(id).ok().flatten();
    values.into_iter().flatten()
}

/// Returns the file that contains the graph, if any.
fn graph_file(spec: &QuestionSpec) -> Option<&Path> {
    match &spec.source.text()?.source {
        TextSource::File(file) => Some(file),
        TextSource::StandardInput => None,
    }
}

/// True if both paths name the same regular file, or standard output. Accesses the disk.
fn are_one(a: &Path, b: &Path) -> bool {
    // Two outputs may go to the same device.
    if a.metadata().is_ok_and(|found| !found.is_file()) {
        return false;
    }
    a == b || place(a).is_some_and(|a| place(b) == Some(a))
}

/// Returns the absolute path of a file without symbolic links. A file that does not exist yet is found by its folder.
fn place(file: &Path) -> Option<PathBuf> {
    file.canonicalize().ok().or_else(|| {
        let folder = file.parent()?;
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        Some(folder.canonicalize().ok()?.join(file.file_name()?))
    })
}
