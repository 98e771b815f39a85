//! Files that the options of a command name for writing. Two options never name the same file, and no option names a
//! file that the command reads, which would be replaced.

use std::borrow::Cow;
use std::ffi::OsString;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::ArgMatches;
use clap::builder::{OsStringValueParser, TypedValueParser};
use hamcnf::formats::ending;
use hamcnf::question::{GraphSource, QuestionSpec, TextSource, puzzle_source};

use super::drawing::Canvas;
use super::instance::{Spec, Word};

/// Path of a file or folder that a command writes, as the user gave it; `-` is standard output.
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

/// Name of a picture for an output that is a text. The values are the name and the option that draws.
#[derive(Debug, thiserror::Error)]
#[error("\"{0}\" is a picture's name, but --output writes a text; draw with {1} {0}")]
struct PictureName(String, &'static str);

/// Returns a parser of the names of texts, which rejects the names of pictures. `draws` is the option that draws.
pub(crate) fn text_file(draws: &'static str) -> impl TypedValueParser<Value = OutputFile> {
    OsStringValueParser::new().try_map(move |name| match ending(Path::new(&name)).as_deref() {
        Some("svg" | "png" | "pdf") => Err(PictureName(name.display().to_string(), draws)),
        _ => Ok(OutputFile::from(name)),
    })
}

/// Rejects options of a command that name the same file for writing, or that name one of its input files.
pub(crate) fn check(command: &clap::Command, matches: &ArgMatches) -> anyhow::Result<()> {
    if let Some((name, matches)) = matches.subcommand()
        && let Some(command) = command.find_subcommand(name)
    {
        return check(command, matches);
    }
    let mut outputs: Vec<(String, &Path)> = Vec::new();
    let mut inputs: Vec<Cow<'_, Path>> = Vec::new();
    for argument in command.get_arguments() {
        let id = argument.get_id().as_str();
        let option = || format!("--{}", argument.get_long().unwrap_or(id));
        outputs.extend(values::<OutputFile>(matches, id).map(|file| (option(), &**file)));
        outputs.extend(values::<Canvas>(matches, id).map(|canvas| (option(), canvas.path())));
        inputs.extend(values::<PathBuf>(matches, id).map(|file| Cow::from(file.as_path())));
        let words = values::<Word>(matches, id).filter_map(|word| word.spec.as_ref().ok());
        let specs = values::<QuestionSpec>(matches, id).chain(values::<Spec>(matches, id).filter_map(Spec::tours));
        let mut specs = specs.peekable();
        let has_specs = specs.peek().is_some();
        inputs.extend(specs.chain(words).filter_map(|spec| Some(graph_file(&spec.source)?.into())));
        if has_specs {
            let texts = matches.get_raw(id).into_iter().flatten();
            let texts = texts.filter_map(|text| puzzle_source(text.to_str()?));
            inputs.extend(texts.filter_map(|source| match source {
                TextSource::File(file) => Some(Cow::from(file)),
                TextSource::StandardInput => None,
            }));
        }
    }
    while let Some((option, file)) = outputs.pop() {
        if let Some((other, _)) = outputs.iter().find(|(_, other)| are_one(file, other)) {
            let file = file.display();
            match (file.to_string().as_str(), *other == option) {
                ("-", _) => {
                    bail!("{other} and {option} cannot both write to standard output: name a file for one of them")
                }
                (_, true) => bail!("{option} names the file {file} twice"),
                (_, false) => bail!("{other} and {option} name the same file, {file}"),
            }
        }
        let is_read = |input: &Cow<'_, Path>| are_one(file, input) || is_in(input, file);
        if inputs.iter().any(is_read) && file.as_os_str() != "-" {
            bail!("{option} names {}, which this command reads: choose another file", file.display());
        }
    }
    Ok(())
}

/// True if the file exists in a folder that a command reads.
fn is_in(folder: &Path, file: &Path) -> bool {
    let parent = || place(file).and_then(|file| Some(file.parent()?.to_owned()));
    folder.is_dir()
        && file.is_file()
        && parent().is_some_and(|parent| folder.canonicalize().is_ok_and(|folder| folder == parent))
}

/// Returns the values of an argument, if it has values of this type.
fn values<'a, T: Clone + Send + Sync + 'static>(matches: &'a ArgMatches, id: &str) -> impl Iterator<Item = &'a T> {
    let values = matches.try_get_many(id).ok().flatten();
    values.into_iter().flatten()
}

/// Returns the file that contains the graph, if any.
pub(super) fn graph_file(source: &GraphSource) -> Option<&Path> {
    match &source.place()?.source {
        TextSource::File(file) => Some(file),
        TextSource::StandardInput => None,
    }
}

/// True if both paths name the same regular file, or standard output. Accesses the disk.
pub(super) fn are_one(a: &Path, b: &Path) -> bool {
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
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        Some(folder.canonicalize().ok()?.join(file.file_name()?))
    })
}
