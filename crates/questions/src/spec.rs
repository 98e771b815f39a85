//! Question specifications: the text form of questions. Parsing checks which files exist, but reads only puzzles.

use std::fmt;
use std::path::Path;

use hamcnf_graph::names::most_alike;
use hamcnf_tours::constraint::{self, ConstraintKind};
use hamcnf_tours::{NoSuchNumber, Puzzle, Queens, TourKind};

use super::error::GraphSourceError;
use super::files::{Files, TextSource};
use super::graph_source::{GraphSource, said_with_hint};
use super::{QuestionError, Tours};

pub(super) const OPEN: &str = " open";
const CLOSED: &str = " closed";
pub(super) const FROM: &str = " from ";
pub(super) const TO: &str = " to ";
pub(super) const ANYWHERE: &str = "anywhere";
const QUEENS: [&str; 2] = [" queens", " queen"];

/// Returns the queens of a question about their placements, or an error if there is no such number of queens. Returns
/// `None` if the text is not a question about queens.
pub fn queens_in(text: &str) -> Option<Result<Queens, NoSuchNumber>> {
    let n = QUEENS.iter().find_map(|queens| text.strip_suffix(queens))?;
    (!n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())).then(|| n.parse())
}

/// Start of the tours, as written in a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartSpec {
    /// Vertex with this name.
    Named(String),
    /// Any vertex: `anywhere`.
    Anywhere,
}

impl From<&str> for StartSpec {
    fn from(text: &str) -> Self {
        match text {
            ANYWHERE => Self::Anywhere,
            name => Self::Named(name.to_owned()),
        }
    }
}

impl fmt::Display for StartSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Named(name) => name,
            Self::Anywhere => ANYWHERE,
        })
    }
}

/// Specification of a question about tours. Command-line options may set fields that the text leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct QuestionSpec {
    /// Source of the board or graph.
    pub source: GraphSource,
    /// Kind of tour; by default closed, or open if there is an end.
    pub kind: Option<TourKind>,
    /// Start; by default the first vertex of closed tours, and anywhere for open tours.
    pub start: Option<StartSpec>,
    /// Name of the last vertex, if it is given.
    pub end: Option<String>,
    /// Constraints in the order of the text.
    pub constraints: Vec<ConstraintSpec>,
    /// Names of other pieces that may solve a puzzle whose text names no piece.
    pub pieces_to_try: Vec<&'static str>,
}

/// Constraint, as written in a specification. Its value is parsed later, when the graph is known.
#[derive(Clone, Debug)]
pub struct ConstraintSpec {
    pub kind: ConstraintKind,
    /// Value without blanks, such as `c3=17`.
    pub value: String,
}

impl PartialEq for ConstraintSpec {
    fn eq(&self, other: &Self) -> bool {
        (self.kind.name, &self.value) == (other.kind.name, &other.value)
    }
}

impl Eq for ConstraintSpec {}

impl QuestionSpec {
    /// Parses a text. If the text may contain the name of a file, checks which files exist. Only reads the file of a
    /// puzzle, whose numbers become constraints.
    ///
    /// # Errors
    ///
    /// [`GraphSourceError`], with the text, if the text is not a question about tours.
    pub fn settled(text: &str, files: &Files) -> Result<Self, GraphSourceError> {
        if let Some(puzzle) = puzzle_source(text) {
            return of_puzzle(&puzzle, files);
        }
        said_with_hint(parsed(text, files), files)
    }

    /// Loads the graph. By default, tours are closed. Without a start, open tours begin anywhere.
    ///
    /// # Errors
    ///
    /// [`QuestionError`] if the graph cannot be loaded or the question is invalid.
    pub fn load(self, files: &Files) -> Result<Tours, QuestionError> {
        // Tours with an end are open.
        let otherwise = match self.end {
            Some(_) => TourKind::Open,
            None => TourKind::Closed,
        };
        let kind = self.kind.unwrap_or(otherwise);
        let tours = Tours::load(self.source, kind, self.start.as_ref(), files)?;
        let tours = match &self.end {
            Some(end) => tours.ending_at(end)?,
            None => tours,
        };
        tours.constrained(&self.constraints)
    }

    /// True if the specification consists of a graph source alone.
    pub fn is_source_alone(&self) -> bool {
        *self == self.source.clone().into()
    }
}

impl From<GraphSource> for QuestionSpec {
    fn from(source: GraphSource) -> Self {
        Self { source, kind: None, start: None, end: None, constraints: Vec::new(), pieces_to_try: Vec::new() }
    }
}

/// Parses a text as a question about tours. The text is parsed from its end, and the longest graph source is preferred:
/// a file may have any name, even `8x8 open`.
fn parsed(text: &str, files: &Files) -> Result<QuestionSpec, GraphSourceError> {
    let source = |text: &str| GraphSource::parsed(text, files).map(QuestionSpec::from);
    let mut found = source(text);
    if found.is_ok() {
        return found;
    }
    if let Some((before, kind, value)) = last_constraint(text)
        && let Ok(mut spec) = parsed(before, files)
    {
        spec.constraints.push(ConstraintSpec { kind, value: value.to_owned() });
        return Ok(spec);
    }
    if let Some((before, end)) = text.rsplit_once(TO)
        && !end.is_empty()
        && !end.contains(' ')
        && let Ok(spec) = parsed(before, files)
        && spec.end.is_none()
        && spec.constraints.is_empty()
    {
        return Ok(QuestionSpec { end: Some(end.to_owned()), ..spec });
    }
    let (before, start) = match text.rsplit_once(FROM) {
        Some((before, name)) if !name.is_empty() && !name.contains(' ') => (before, Some(StartSpec::from(name))),
        _ => (text, None),
    };
    if start.is_some() {
        found = source(before).map(|spec| QuestionSpec { start: start.clone(), ..spec });
    }
    let kinds = [(OPEN, TourKind::Open), (CLOSED, TourKind::Closed)];
    let kind = kinds.into_iter().find_map(|(word, kind)| Some((before.strip_suffix(word)?, kind)));
    if let Some((before, kind)) = kind
        && found.is_err()
    {
        found = source(before).map(|spec| QuestionSpec { kind: Some(kind), start, ..spec });
    }
    match word_without_vertex(text) {
        Some(word) if found.is_err() => {
            Err(GraphSourceError::NoVertex { text: text.to_owned(), after: word.to_owned() })
        }
        _ => found,
    }
}

/// Returns the keywords of questions.
fn keywords() -> impl Iterator<Item = &'static str> {
    [OPEN, CLOSED, FROM, TO].map(str::trim).into_iter().chain(constraint::ALL.iter().map(|kind| kind.name))
}

/// Returns the word `from` or `to` that has no vertex behind it, because the text ends there or goes on with a keyword.
fn word_without_vertex(text: &str) -> Option<&str> {
    let words: Vec<_> = text.split(' ').collect();
    let is_alone = |k: &usize| {
        let next = words.get(k + 1);
        next.is_none_or(|next| next.is_empty() || keywords().any(|keyword| keyword == *next))
    };
    let mut takers = (1..words.len()).filter(|&k| [FROM, TO].map(str::trim).contains(&words[k]));
    Some(words[takers.find(is_alone)?])
}

/// Prefix of a question that names a puzzle file.
const PUZZLE: &str = "puzzle:";
/// Extension of puzzle files. The prefix may be omitted for files with this extension.
const PUZZLE_ENDING: &str = ".puzzle";

/// Returns the source of the puzzle, if the text names a puzzle.
pub fn puzzle_source(text: &str) -> Option<TextSource> {
    let name = text.strip_prefix(PUZZLE).or_else(|| text.ends_with(PUZZLE_ENDING).then_some(text))?;
    (!name.is_empty()).then(|| TextSource::named(Path::new(name)))
}

/// Reads a puzzle, and returns the question about its tours: the board, its start and the given positions.
fn of_puzzle(source: &TextSource, files: &Files) -> Result<QuestionSpec, GraphSourceError> {
    let text = files.text(source).map_err(|error| GraphSourceError::Read { text: source.clone(), error })?;
    let puzzle = Puzzle::parse(&text)
        .map_err(|error| GraphSourceError::Other(format!("cannot read the puzzle in {source}: {error}")))?;
    Ok(QuestionSpec::from(&puzzle))
}

impl From<&Puzzle> for QuestionSpec {
    /// Converts a puzzle to the question about its solutions.
    fn from(puzzle: &Puzzle) -> Self {
        let board = puzzle.board();
        let first = puzzle.givens().find(|&(_, number)| number == 1);
        let start = first.map(|(v, _)| StartSpec::Named(board.vertex_name(v)));
        let constraints = puzzle.givens().filter(|&(_, number)| number > 1).map(|(v, number)| ConstraintSpec {
            kind: constraint::at::KIND,
            value: format!("{}={number}", board.vertex_name(v)),
        });
        Self {
            kind: Some(puzzle.kind()),
            start: Some(start.unwrap_or(StartSpec::Anywhere)),
            constraints: constraints.collect(),
            pieces_to_try: puzzle.pieces_to_try(),
            ..GraphSource::Board(board.clone()).into()
        }
    }
}

/// Splits off a constraint at the end of a text. Returns the text before it, its kind and its value.
fn last_constraint(text: &str) -> Option<(&str, ConstraintKind, &str)> {
    let (before, value) = text.rsplit_once(' ')?;
    let (before, name) = before.rsplit_once(' ')?;
    let kind = ConstraintKind::named(name).filter(|_| !value.is_empty())?;
    Some((before, kind, value))
}

impl fmt::Display for QuestionSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.source.fmt(f)?;
        match self.kind {
            Some(TourKind::Open) => f.write_str(OPEN)?,
            Some(TourKind::Closed) => f.write_str(CLOSED)?,
            None => {}
        }
        if let Some(start) = &self.start {
            write!(f, "{FROM}{start}")?;
        }
        self.end.iter().try_for_each(|end| write!(f, "{TO}{end}"))?;
        let mut constraints = self.constraints.iter();
        constraints.try_for_each(|constraint| write!(f, " {} {}", constraint.kind.name, constraint.value))
    }
}

/// Suggests a question for a text in which one word is mistyped.
pub fn meant(text: &str, files: &Files) -> Option<String> {
    let known: Vec<_> = keywords().chain([ANYWHERE]).collect();
    let words: Vec<&str> = text.split(' ').collect();
    // The first word belongs to the graph source.
    (1..words.len()).find_map(|k| {
        let right = most_alike(words[k], known.iter().copied())?;
        let mut meant = words.clone();
        meant[k] = right;
        let meant = meant.join(" ");
        (meant != text && parsed(&meant, files).is_ok()).then_some(meant)
    })
}
