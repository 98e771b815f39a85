//! The graphs of a folder: every file that is read as one, in the natural order of names, `graph2` before `graph10`.

use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};

use hamcnf_encodings::TourKind;

use hamcnf_encodings::formats::Reading;

use hamcnf_methods::question::{Files, GraphSource, GraphText, Question, TextSource, Tours};

/// What a folder has.
#[derive(Clone, Debug)]
pub struct Folder {
    /// Closed tours of each graph.
    pub questions: Vec<Question>,
    /// Files that are no graphs, and why.
    pub others: Vec<(PathBuf, String)>,
}

impl Folder {
    /// Reads the files of a folder, not those of folders in it, nor those whose names begin with a dot.
    ///
    /// # Errors
    ///
    /// What is wrong, in one line: the folder cannot be read, or has no graph.
    pub fn read(folder: &Path) -> Result<Self, String> {
        let cannot = |error| format!("cannot read {}: {error}", folder.display());
        let mut files = Vec::new();
        for entry in fs::read_dir(folder).map_err(cannot)? {
            let path = entry.map_err(cannot)?.path();
            let hidden = name(&path).starts_with('.');
            if path.is_file() && !hidden {
                files.push(path);
            }
        }
        files.sort_by(|a, b| natural(&name(a), &name(b)));
        let disk = Files::default();
        let (mut questions, mut others) = (Vec::new(), Vec::new());
        for file in files {
            let text = GraphText {
                source: TextSource::File(file.clone()),
                reading: Reading::default(),
            };
            match Tours::load(GraphSource::Graph(text), TourKind::Closed, None, &disk) {
                // A text of two words reads as an edge.
                Ok(tours) if tours.instance().n() < 3 => {
                    others.push((file, "its graph has fewer than 3 vertices".to_owned()));
                }
                Ok(tours) => questions.push(Question::from(tours)),
                Err(error) => others.push((file, error.to_string())),
            }
        }
        match questions.is_empty() {
            true => Err(format!("{} has no file with a graph", folder.display())),
            false => Ok(Self { questions, others }),
        }
    }
}

fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// The order in which numbers within names count as such; names that differ in noughts alone by their characters.
fn natural(a: &str, b: &str) -> Ordering {
    pieces(a).cmp(&pieces(b)).then_with(|| a.cmp(b))
}

/// A name cut into what are digits and what are not: digits by how many there are without leading noughts, and which.
fn pieces(name: &str) -> Vec<(usize, &str)> {
    let is_digit = |c: &char| c.is_ascii_digit();
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = is_digit(&first);
        let end = rest
            .find(|c: char| is_digit(&c) != digits)
            .unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        let number = piece.trim_start_matches('0');
        pieces.push(match digits {
            true => (number.len(), number),
            // After all numbers.
            false => (usize::MAX, piece),
        });
        rest = behind;
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_count() {
        let mut names = [
            "graph10.col",
            "graph2.col",
            "a",
            "graph02.col",
            "graph.col",
            "2",
            "graph2b",
        ];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(
            names,
            [
                "2",
                "a",
                "graph02.col",
                "graph2.col",
                "graph2b",
                "graph10.col",
                "graph.col"
            ]
        );
    }

    #[test]
    fn what_is_no_graph_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let error = Folder::read(folder.path()).unwrap_err();
        assert!(error.ends_with("has no file with a graph"), "{error}");
        for (name, text) in [
            ("g10.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n"),
            ("g9.txt", "1 2\n2 3\n3 1\n"),
            ("README", "Three words here.\n"),
            (".hidden", "1 2\n2 3\n3 1\n"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let read = Folder::read(folder.path()).unwrap();
        let questions = read.questions.iter().map(ToString::to_string);
        let names: Vec<_> = questions.map(|q| name(Path::new(&q))).collect();
        assert_eq!(names, ["g9.txt", "g10.col"]);
        assert_eq!(read.others.len(), 1);
        assert!(read.others[0].0.ends_with("README"));
        assert!(Folder::read(&folder.path().join("none")).is_err());
    }
}
