//! Folders and patterns of graph files: `graphs/` stands for every graph file in the folder, `graphs/*.col` for every
//! matching file. Files are sorted in natural order, which has `graph2` before `graph10`.

use std::cmp::Ordering;
use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use crate::{LabError, cannot};
use hamcnf_graph::formats::Reading;
use hamcnf_questions::{Files, GraphSource, GraphSourceError, GraphText, Question, TextSource, Tours};
use hamcnf_tours::TourKind;

/// True if a text denotes a folder or a pattern, which contains an asterisk or a question mark.
pub(super) fn is_pattern(text: &str) -> bool {
    text.ends_with('/') || text.contains(['*', '?']) || Path::new(text).is_dir()
}

/// Reads the graph files of a folder or a pattern, and returns questions about closed tours, one per graph. Subfolders
/// and hidden files are ignored. Describes files that contain no suitable graph in `left_out`.
///
/// # Errors
///
/// [`LabError`] if the folder or pattern gives no questions.
pub(super) fn read(pattern: &str, left_out: &mut Vec<String>) -> Result<Vec<Question>, LabError> {
    let mut files = match pattern.ends_with('/') || Path::new(pattern).is_dir() {
        true => files_of(Path::new(match pattern.trim_end_matches('/') {
            "" => "/",
            folder => folder,
        }))?,
        false => matches(pattern)?,
    };
    files.retain(|path| path.is_file() && !name(path).starts_with('.'));
    files.sort_by(|a, b| natural(&a.to_string_lossy(), &b.to_string_lossy()));
    let disk = Files::default();
    let mut questions = Vec::new();
    for file in files {
        let text = GraphText { source: TextSource::File(file.clone()), reading: Reading::default() };
        let source = GraphSource::Graph(text);
        let numbered = several(&source, &disk).ok().flatten();
        let is_only = numbered.is_none();
        let mut leave_out = |why: &dyn Display| left_out.push(format!("skipping {}: {why}", file.display()));
        for source in numbered.unwrap_or_else(|| vec![source]) {
            match Tours::load(source, TourKind::Closed, None, &disk) {
                // Any text of two words can be read as a graph with one edge, so tiny graphs are left out.
                Ok(tours) if is_only && tours.instance().n() < 3 => leave_out(&"its graph has fewer than 3 vertices"),
                Ok(tours) => questions.push(Question::from(tours)),
                Err(error) => leave_out(&error),
            }
        }
    }
    match questions.is_empty() {
        true => Err(LabError::new(format_args!("{pattern} contains no file with a graph"))),
        false => Ok(questions),
    }
}

/// Returns a numbered source, such as `many.g6#3`, for each graph of a text that has one graph per line. Returns `None`
/// if the source does not have several graphs.
///
/// # Errors
///
/// [`GraphSourceError`] if the text cannot be read.
pub(super) fn several(source: &GraphSource, files: &Files) -> Result<Option<Vec<GraphSource>>, GraphSourceError> {
    let Some(graphs) = source.several(files)? else { return Ok(None) };
    // Each graph is named by its number, so that other processes can load it again.
    let numbers = 1..=graphs.count();
    let numbered = numbers.map(|number| {
        let reading = Reading { number: Some(number), ..Reading::default() };
        source.clone().read_with(reading, files)
    });
    numbered.collect::<Result<_, _>>().map(Some)
}

fn files_of(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let cannot = cannot("read", folder);
    fs::read_dir(folder).map_err(&cannot)?.map(|entry| entry.map(|entry| entry.path()).map_err(&cannot)).collect()
}

fn matches(pattern: &str) -> Result<Vec<PathBuf>, LabError> {
    let wrong = |error| LabError::new(format_args!("\"{pattern}\" is not a pattern of file names: {error}"));
    let unread = |error: glob::GlobError| {
        let path = error.path().to_owned();
        cannot("read", &path)(error.into())
    };
    glob::glob(pattern).map_err(wrong)?.map(|path| path.map_err(unread)).collect()
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compares two names in natural order, which compares numbers within names by their values. Names that differ only in
/// leading zeros are compared character by character.
fn natural(a: &str, b: &str) -> Ordering {
    pieces(a).cmp(&pieces(b)).then_with(|| a.cmp(b))
}

/// Splits a name into runs of digits, without leading zeros, and runs of other characters. Each run has a sort key: for
/// digits, the length of the run; for other characters, the largest key. Thus short numbers come before long numbers,
/// and numbers before other characters.
fn pieces(name: &str) -> Vec<(usize, &str)> {
    let is_digit = |c: &char| c.is_ascii_digit();
    let mut pieces = Vec::new();
    let mut rest = name;
    while let Some(first) = rest.chars().next() {
        let digits = is_digit(&first);
        let end = rest.find(|c: char| is_digit(&c) != digits).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        let number = piece.trim_start_matches('0');
        pieces.push(match digits {
            true => (number.len(), number),
            // Other characters sort after all numbers.
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
        let mut names = ["graph10.col", "graph2.col", "a", "graph02.col", "graph.col", "2", "graph2b"];
        names.sort_by(|a, b| natural(a, b));
        assert_eq!(names, ["2", "a", "graph02.col", "graph2.col", "graph2b", "graph10.col", "graph.col"]);
    }

    #[test]
    fn files_without_a_graph_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = |end: &str| format!("{}{end}", folder.path().display());
        let error = read(&path("/"), &mut Vec::new()).unwrap_err().to_string();
        assert!(error.ends_with("contains no file with a graph"), "{error}");
        for (name, text) in [
            ("g10.col", "p edge 3 3\ne 1 2\ne 2 3\ne 1 3\n"),
            ("g9.txt", "1 2\n2 3\n3 1\n"),
            ("README", "Three words here.\n"),
            ("many.g6", "Bw\nC~\n"),
            (".hidden", "1 2\n2 3\n3 1\n"),
        ] {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let names = |pattern: &str| {
            let mut left_out = Vec::new();
            let questions = read(&path(pattern), &mut left_out).unwrap();
            let names: Vec<_> = questions.iter().map(|q| name(Path::new(&q.to_string()))).collect();
            (names, left_out.len())
        };
        let all = ["g9.txt", "g10.col", "many.g6#1", "many.g6#2"];
        assert_eq!(names("/"), (all.map(str::to_owned).to_vec(), 1));
        assert_eq!(names("/g*.col"), (vec!["g10.col".to_owned()], 0));
        // Edges that a file fixes are part of the question, as for a worker that reads the file again.
        let fixed = "TYPE : HCP\nDIMENSION : 3\nEDGE_DATA_FORMAT : EDGE_LIST\nFIXED_EDGES_SECTION\n1 2\n-1\n\
                     EDGE_DATA_SECTION\n1 2\n2 3\n1 3\n-1\nEOF\n";
        fs::write(folder.path().join("fixed.hcp"), fixed).unwrap();
        assert_eq!(names("/*.hcp"), (vec!["fixed.hcp force 1-2".to_owned()], 0));
        assert!(read(&path("/none/"), &mut Vec::new()).is_err());
        assert!(read(&path("/none*"), &mut Vec::new()).is_err());
        assert!(read(&path("/[*"), &mut Vec::new()).is_err());
    }
}
