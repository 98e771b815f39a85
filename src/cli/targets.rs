//! Output files of commands that write a file for each graph: a folder, or a pattern with `{}` for the graph's name.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hamcnf::formats::ending;
use hamcnf::question::{GraphSource, TextSource};

use super::output_file::{are_one, graph_file};

/// Part of a pattern that the graph's name replaces.
const NAME: &str = "{}";

/// Destination of written files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Destination<'a> {
    /// One file, or standard output.
    One(Option<&'a Path>),
    /// A file for each graph, in this folder.
    Folder(&'a Path),
    /// A file for each graph. The path of the file is the pattern, with the graph's name in place of `{}`.
    Pattern(&'a str),
}

impl<'a> Destination<'a> {
    /// Returns the destination that `--output` names. Accesses the disk.
    pub(super) fn of(output: Option<&'a Path>) -> Self {
        match output {
            Some(path) if is_folder(path) => Self::Folder(path),
            Some(path) => match path.to_str().filter(|text| text.contains(NAME)) {
                Some(pattern) => Self::Pattern(pattern),
                None => Self::One(output),
            },
            None => Self::One(None),
        }
    }
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.as_os_str().to_string_lossy().ends_with('/')
}

/// Paths of the files for graphs. Two graphs never get the same path.
pub(super) struct Paths<'a> {
    destination: Destination<'a>,
    /// Extension of files in a folder.
    ending: &'static str,
    /// Paths so far, with the sources of their graphs.
    sources: BTreeMap<PathBuf, String>,
}

impl<'a> Paths<'a> {
    /// Returns the paths for a destination. Creates a missing folder.
    pub(super) fn new(destination: Destination<'a>, ending: &'static str) -> anyhow::Result<Self> {
        let folder = match destination {
            Destination::One(_) => None,
            Destination::Folder(folder) => Some(folder),
            Destination::Pattern(pattern) => Path::new(pattern).parent().filter(|folder| {
                let name = folder.to_string_lossy();
                !name.is_empty() && !name.contains(NAME)
            }),
        };
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            fs::create_dir(folder).with_context(|| format!("cannot create folder {}", folder.display()))?;
        }
        Ok(Self { destination, ending, sources: BTreeMap::new() })
    }

    /// Returns the path for a graph; `None` is standard output.
    pub(super) fn of(&mut self, source: &GraphSource) -> anyhow::Result<Option<PathBuf>> {
        let mut name = match source.place().map(|text| &text.source) {
            Some(TextSource::File(file)) => stem(&file.to_string_lossy()),
            Some(TextSource::StandardInput) => "stdin".to_owned(),
            None => plain(&source.to_string()),
        };
        if let Some(number) = source.place().and_then(|text| text.reading.number) {
            name += &format!("-{number}");
        }
        let path = match self.destination {
            Destination::One(path) => return Ok(path.map(Path::to_owned)),
            Destination::Folder(folder) => folder.join(format!("{name}.{}", self.ending)),
            Destination::Pattern(pattern) => pattern.replace(NAME, &name).into(),
        };
        if graph_file(source).is_some_and(|input| are_one(&path, input)) {
            bail!(
                "the file name {} is that of the graph itself, which this command reads: choose another folder or pattern",
                path.display()
            );
        }
        if let Some(other) = self.sources.insert(path.clone(), source.to_string()) {
            bail!(
                "graphs of \"{other}\" and \"{source}\" would have the same file name {}: write them to different folders",
                path.display()
            );
        }
        Ok(Some(path))
    }
}

/// Returns the name of a file without folders and extensions, in characters that are usual in file names.
fn stem(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let packed = name.strip_suffix(".gz").or(name.strip_suffix(".zst"));
    let name = packed.unwrap_or(name);
    let length = ending(Path::new(name)).map_or(0, |ending| ending.len() + 1);
    match name.get(..name.len() - length) {
        Some("") | None => plain(name),
        Some(stem) => plain(stem),
    }
}

fn plain(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "._-".contains(c);
    text.chars().map(|c| if is_plain(c) { c } else { '-' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf::question::Files;

    fn paths(destination: Destination<'_>, sources: &[&str]) -> Vec<Result<String, String>> {
        let mut paths = Paths::new(destination, "cnf").unwrap();
        let each = sources.iter().map(|source| {
            let source = GraphSource::settled(source, &Files::default()).unwrap();
            let path = paths.of(&source).map_err(|error| error.to_string())?;
            Ok(path.unwrap_or("-".into()).display().to_string())
        });
        each.collect()
    }

    #[test]
    fn files_are_named_after_their_graphs() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| {
            fs::write(folder.path().join(name), "Bw\nBw\n").unwrap();
            folder.path().join(name).to_str().unwrap().to_owned()
        };
        let (many, one, same) = (file("many.g6.gz"), file("one.v2.col"), file("many.s6"));
        // The names of these files have a number sign.
        let (odd, fourth) = (file("odd#1.col"), file("of#4.g6"));
        let sources =
            ["8x8-a1", "gnp:30,0.2:7", "-#3", &format!("{many}#12"), &one, &odd, &format!("{fourth}#2+undirected")];
        let names = ["8x8-a1", "gnp-30-0.2-7", "stdin-3", "many-12", "one.v2", "odd-1", "of-4-2"];
        let pattern = paths(Destination::Pattern("x/{}.opb"), &sources);
        let expected = names.map(|name| Ok(format!("x/{name}.opb")));
        assert_eq!(pattern, expected);
        let in_folder = paths(Destination::Folder(folder.path()), &[&format!("{many}#1")]);
        let expected = folder.path().join("many-1.cnf").display().to_string();
        assert_eq!(in_folder, [Ok(expected)]);
        // The name of a graph in `many.g6` may be that of another file. The order does not matter.
        let numbered = [format!("{many}#2"), file("many-2.g6")];
        let in_order = paths(Destination::Pattern("{}.cnf"), &[&numbered[0], &numbered[1]]);
        let reversed = paths(Destination::Pattern("{}.cnf"), &[&numbered[1], &numbered[0]]);
        assert!(in_order[1].is_err() && reversed[1].is_err(), "{in_order:?} {reversed:?}");
        let clash = paths(Destination::Pattern("{}.cnf"), &[&many, &same]);
        assert!(clash[1].as_ref().unwrap_err().contains("the same file name many.cnf"));
    }

    #[test]
    fn a_folder_or_a_pattern_is_for_several_files() {
        let of = |text: &'static str| Destination::of(Some(Path::new(text)));
        assert_eq!(of("src"), Destination::Folder(Path::new("src")));
        assert_eq!(of("missing/"), Destination::Folder(Path::new("missing/")));
        assert_eq!(of("x-{}.cnf"), Destination::Pattern("x-{}.cnf"));
        assert_eq!(of("x.cnf"), Destination::One(Some(Path::new("x.cnf"))));
        assert_eq!(Destination::of(None), Destination::One(None));
    }
}
