//! Questions. The text of a question is the same on the command line, in experiments, in rows and for a worker:
//!
//! ```text
//! 8x8                             a closed knight's tour
//! 8x8 from c3                     the same tour, written with c3 first
//! 8x8 open from a1                an open tour that begins at a1
//! 8x8 open from a1 to h7          an open tour that begins at a1 and ends at h7
//! 8x8 open                        open tours that begin on any square, also written `8x8 open from anywhere`
//! 8x8 force a1-c2 at c3=17        tours with constraints
//! puzzle:puzzle.txt               the solutions of a puzzle: numbers and blank squares in a file
//! leaper:2,3:10x10 open from a1   a tour of another piece
//! 8x8-a1-h8                       a board without two of its squares
//! edges:my graph.txt open from 7  a graph in a file
//! gnp:30,0.2:7                    a graph of a family, also written gnp 30 .2 7
//! gnp:30,0.2:7+planted+relabel=3  the same with a planted cycle, and the vertices in another order
//! 12 queens                       placements of queens
//! ```
//!
//! A text is parsed from its end, so that names of files may contain blanks. Questions are written in the shortest
//! form: a closed question omits a start at the first vertex, an open question always names its start.
//!
//! A text becomes a question in two steps. Parsing, [`QuestionSpec::settled`], checks which files exist, because a file
//! may have any name, even `8x8 open`. Loading, [`QuestionSpec::load`], reads the graph and returns a question that holds
//! the graph. Graphs are cached nowhere else: code that needs the graph again must receive the question or its
//! [`Files`].

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

mod error;
mod files;
mod graph_read;
mod graph_source;
mod head;
mod lines;
mod load;
mod model;
mod several;
mod spec;

use std::fmt;
use std::sync::Arc;

use hamcnf_graph::Vertex;
use hamcnf_graph::formats::Remark;
use hamcnf_tours::constraint::{self, Context, NotAConstraint};
use hamcnf_tours::split::{self, SplitError};
use hamcnf_tours::{Instance, InstanceError, NoSuchNumber, NotATour, Obstruction, Queens, Tour, TourKind, obstruction};

pub use error::GraphSourceError;
pub use files::{Files, Stream, TextSource};
pub use graph_read::GraphRead;
pub use graph_source::{GivenGraph, GraphSource, GraphText, Origin};
pub use head::{Head, HeadError, LONGEST, MOST_HEAD};
pub use load::LoadedGraph;
pub use model::{ModelError, ModelFile};
pub use several::SeveralGraphs;
use spec::{ANYWHERE, FROM, OPEN, TO};
pub use spec::{ConstraintSpec, QuestionSpec, StartSpec, meant, puzzle_source, queens_in};

use hamcnf_tours::endpoints::{Endpoints, Start};

/// Version of the program. Proofs and rows state it.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Question with its graph. Copies share the graph.
#[derive(Clone, Debug)]
pub enum Question {
    /// Question about tours of a graph.
    Tours(Arc<Tours>),
    /// Question about placements of queens.
    Queens(Queens),
}

/// Question about tours of a graph, with the start, the end and the constraints.
#[derive(Clone, Debug)]
pub struct Tours {
    source: GraphSource,
    start: Start,
    end: Option<Vertex>,
    instance: Instance,
    remarks: Vec<Remark>,
    stream: Option<Stream>,
    checksum: String,
    /// Question about the digraph, if this question is its undirected form.
    directed: Option<Arc<Tours>>,
}

/// Reason why a text is not a question, or why the question cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// Graph that cannot be loaded, or that lacks a vertex named in the question.
    #[error(transparent)]
    Graph(#[from] GraphSourceError),
    /// Start or end that tours of this kind do not have.
    #[error("{0}")]
    Ends(String),
    /// Text that is not a constraint of the graph's tours.
    #[error("{graph}, {wrong}")]
    Constraint { graph: String, wrong: Box<NotAConstraint> },
    /// Invalid number of queens.
    #[error(transparent)]
    Queens(#[from] NoSuchNumber),
}

/// Reason why an order of vertices is not a tour that a question asks for.
#[derive(Debug, thiserror::Error)]
pub enum WrongTour {
    #[error(transparent)]
    Start(#[from] InstanceError),
    #[error(transparent)]
    Tour(#[from] NotATour),
    #[error("the tour does not end at {0}")]
    End(String),
}

impl QuestionError {
    /// True if the graph has no vertices.
    pub fn is_of_empty_graph(&self) -> bool {
        let Self::Graph(GraphSourceError::Instance(error)) = self else { return false };
        matches!(error, InstanceError::TooSmall { .. })
    }
}

impl Tours {
    /// Loads a graph, and returns a question about tours of this kind on the graph. Without a start, open tours begin
    /// anywhere, and closed tours are written from the first vertex.
    ///
    /// # Errors
    ///
    /// [`QuestionError`] if the graph cannot be loaded, or if the tours are closed and the start is `anywhere`.
    pub fn load(
        source: GraphSource,
        kind: TourKind,
        start: Option<&StartSpec>,
        files: &Files,
    ) -> Result<Self, QuestionError> {
        let (name, start) = match start {
            Some(StartSpec::Named(name)) => (Some(name.as_str()), Start::Given),
            // The mistake in the question is found before a large file is read.
            Some(StartSpec::Anywhere) if kind == TourKind::Closed => {
                return Err(QuestionError::Ends(format!(
                    "{source}: \"from anywhere\" requires open tours; closed tours visit every vertex"
                )));
            }
            Some(StartSpec::Anywhere) => (None, Start::Anywhere),
            None if kind == TourKind::Open => (None, Start::Anywhere),
            None => (None, Start::Given),
        };
        let loaded = source.load(files)?;
        let (source, remarks, stream) = (loaded.source.clone(), loaded.remarks.clone(), loaded.stream.clone());
        let instance = loaded.instance(kind, name)?;
        let read = GraphRead::of(&instance);
        let tours = Self {
            source,
            start,
            end: None,
            instance,
            remarks,
            stream,
            checksum: read.map_or_else(String::new, |read| read.checksum()),
            directed: None,
        };
        tours.constrained(&[])
    }

    /// Restricts the question to open tours that end at this vertex.
    ///
    /// # Errors
    ///
    /// [`QuestionError`] if the tours are closed, the vertex does not exist, or the vertex is the start.
    pub fn ending_at(self, name: &str) -> Result<Self, QuestionError> {
        if self.instance.kind() == TourKind::Closed {
            return Err(QuestionError::Ends(format!(
                "{}: \"to\" requires open tours; closed tours return to their start",
                self.source
            )));
        }
        let end = self.source.vertex(&self.instance, name)?;
        if self.start == Start::Given && end == self.instance.start() {
            let end = self.instance.vertex_name(end);
            return Err(QuestionError::Ends(format!(
                "{}: an open tour cannot both start and end at {end}; choose another end",
                self.source
            )));
        }
        Ok(Self { end: Some(end), ..self })
    }

    /// Returns the vertex where the tours must end, if the question names one.
    pub fn end(&self) -> Option<Vertex> {
        self.end
    }

    /// Restricts the question to tours with these constraints, and with the edges that the graph's text fixes.
    ///
    /// # Errors
    ///
    /// [`QuestionError`] if the graph lacks a vertex, or a constraint does not exist.
    pub fn constrained(self, constraints: &[ConstraintSpec]) -> Result<Self, QuestionError> {
        let name = |v| self.instance.vertex_name(Vertex::new(v));
        let fixed = self.remarks.iter().filter_map(Remark::fixed).flatten();
        let fixed: Vec<_> = fixed.map(|&(a, b)| format!("{}-{}", name(a.min(b)), name(a.max(b)))).collect();
        if constraints.is_empty() && fixed.is_empty() {
            return Ok(self);
        }
        let context = Context { instance: &self.instance, has_start: self.start == Start::Given };
        let given = constraints.iter().map(|ConstraintSpec { kind, value }| (*kind, value.as_str()));
        let fixed = fixed.iter().map(|edge| (constraint::moves::FORCE, edge.as_str()));
        let all = constraint::parsed(&context, given.chain(fixed))
            .map_err(|wrong| QuestionError::Constraint { graph: self.source.to_string(), wrong: Box::new(wrong) })?;
        Ok(Self { instance: self.instance.constrained(&all), ..self })
    }

    /// Returns the endpoints that the question allows.
    pub fn ends(&self) -> Endpoints {
        match (Endpoints::of(&self.instance), self.start) {
            (Endpoints::Closed, _) => Endpoints::Closed,
            (Endpoints::Open { from, .. }, start) => {
                Endpoints::Open { from: from.filter(|_| start == Start::Given), to: self.end }
            }
        }
    }

    /// Checks that the vertices with these numbers, in this order, are a tour of the question. Returns the tour, with an
    /// instance that starts at the tour's first vertex.
    ///
    /// # Errors
    ///
    /// [`WrongTour`], with the first wrong move.
    pub fn checked(&self, order: &[u32]) -> Result<(Instance, Tour), WrongTour> {
        let order: Vec<Vertex> = order.iter().copied().map(Vertex::new).collect();
        // A tour from anywhere is checked with its own first vertex as the start.
        let start = match (self.start, order.first()) {
            (Start::Anywhere, Some(&first)) => first,
            _ => self.instance.start(),
        };
        let instance = self.instance.starting_at(start)?;
        let tour = Tour::check(&instance, order)?;
        match self.end {
            Some(end) if tour.order().last() != Some(&end) => Err(WrongTour::End(instance.vertex_name(end))),
            _ => Ok((instance, tour)),
        }
    }

    /// Returns an obstruction that excludes all tours of the question, if a cheap check finds one. `None` does not prove
    /// that a tour exists.
    pub fn obstruction(&self) -> Option<Obstruction> {
        obstruction(&self.instance, self.ends())
    }

    /// Returns the question without the constraints that need clauses. If it has no tour, this question has none.
    pub fn without_clauses(&self) -> Self {
        Self { instance: self.instance.without_clauses(), ..self.clone() }
    }

    /// Returns the undirected form of a question about a digraph or with constraints. This form is a question about
    /// closed tours, without constraints, of the undirected graph that [vertex splitting](split) or subdivision
    /// produces. Returns a copy of the question if its graph is undirected and no edges are forced. Both questions have
    /// the same text, and their tours correspond one to one.
    ///
    /// # Errors
    ///
    /// [`SplitError`] if the new graph has too many arcs, or if a constraint needs clauses.
    pub fn undirected(&self) -> Result<Self, SplitError> {
        if !self.instance.is_directed() && !self.instance.is_constrained() {
            return Ok(self.clone());
        }
        Ok(Self {
            start: Start::Given,
            end: None,
            instance: split::split(&self.instance, self.ends())?,
            directed: Some(Arc::new(self.clone())),
            ..self.clone()
        })
    }

    /// True if this is the [undirected](Self::undirected) form of a question that is directed or forces edges.
    pub fn is_split(&self) -> bool {
        self.directed.is_some()
    }

    /// True if this is the [undirected](Self::undirected) form of a question whose vertices were [split], not only subdivided.
    pub fn has_parts(&self) -> bool {
        let split = |directed: &Arc<Self>| !split::is_only_subdivided(&directed.instance, directed.ends());
        self.directed.as_ref().is_some_and(split)
    }

    /// Says which vertices the [undirected](Self::undirected) form of a question has beside its own, if vertices were not
    /// [split].
    pub fn added_vertices(&self) -> &'static str {
        match self.directed.as_ref().map(|directed| directed.ends()) {
            Some(Endpoints::Open { .. }) => "a vertex between the ends, and one on each forced edge",
            _ => "a vertex on each forced edge",
        }
    }

    /// Converts a tour of the [undirected](Self::undirected) form to a tour of the original question. If this question
    /// is not an undirected form, returns the tour unchanged.
    ///
    /// # Errors
    ///
    /// [`NotATour`] if `tour` is not a tour of this question.
    pub fn directed_tour(&self, tour: Tour) -> Result<Tour, NotATour> {
        match &self.directed {
            Some(directed) => split::joined(&directed.instance, directed.ends(), &tour),
            None => Ok(tour),
        }
    }

    /// Returns the source of the graph.
    pub fn source(&self) -> &GraphSource {
        &self.source
    }

    /// Returns the text that another process needs instead of the source: the text was read from a stream, the caller
    /// handed it over, or the graph is one of several in a text. Returns `None` for other sources.
    pub fn stream(&self) -> Option<&Stream> {
        self.stream.as_ref()
    }

    /// Returns the instance: the graph, the start and the kind of tour. The instance of open tours from anywhere starts
    /// at the first vertex.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Returns the start of the tours: the instance's start, or anywhere.
    pub fn start(&self) -> Start {
        self.start
    }

    /// Returns the checksum of the graph's edges; empty for a board. The checksum distinguishes graphs that were read
    /// from files of the same name.
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// Returns the remarks on oddities of the text that the graph was read from.
    pub fn remarks(&self) -> &[Remark] {
        &self.remarks
    }
}

impl Question {
    /// Returns the question, if it is about tours.
    #[must_use]
    pub fn tours(&self) -> Option<&Tours> {
        match self {
            Self::Tours(tours) => Some(tours),
            Self::Queens(_) => None,
        }
    }

    /// Returns the instance, if the question is about tours.
    pub fn instance(&self) -> Option<&Instance> {
        self.tours().map(Tours::instance)
    }

    /// Parses a text, and loads its graph from the disk or from standard input.
    ///
    /// # Errors
    ///
    /// [`QuestionError`] if the text is not a question or the graph cannot be loaded.
    pub fn load(text: &str) -> Result<Self, QuestionError> {
        Self::load_with(text, &Files::default())
    }

    /// Parses a text, and loads its graph with this access to files. By default, tours are closed.
    ///
    /// # Errors
    ///
    /// Errors of [`load`](Self::load).
    pub fn load_with(text: &str, files: &Files) -> Result<Self, QuestionError> {
        match queens_in(text) {
            Some(queens) => Ok(Self::Queens(queens?)),
            None => Ok(QuestionSpec::settled(text, files)?.load(files)?.into()),
        }
    }

    /// Returns the checksum of the graph's edges; empty for boards and queens. The checksum distinguishes graphs that
    /// were read from files of the same name.
    pub fn checksum(&self) -> &str {
        self.tours().map_or("", Tours::checksum)
    }
}

impl fmt::Display for Tours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(directed) = &self.directed {
            return directed.fmt(f);
        }
        let (source, instance) = (&self.source, &self.instance);
        let start = instance.start();
        match (instance.kind(), self.start) {
            (TourKind::Closed, _) if start == Vertex::new(0) => write!(f, "{source}"),
            (TourKind::Closed, _) => write!(f, "{source}{FROM}{}", instance.vertex_name(start)),
            (TourKind::Open, Start::Given) => {
                write!(f, "{source}{OPEN}{FROM}{}", instance.vertex_name(start))
            }
            (TourKind::Open, Start::Anywhere) => write!(f, "{source}{OPEN}{FROM}{ANYWHERE}"),
        }?;
        let end = self.end.map(|end| instance.vertex_name(end));
        end.iter().try_for_each(|end| write!(f, "{TO}{end}"))?;
        let mut constraints = instance.constraints().iter();
        constraints.try_for_each(|constraint| write!(f, " {}", constraint.text(instance)))
    }
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tours(tours) => tours.fmt(f),
            Self::Queens(queens) => queens.fmt(f),
        }
    }
}

/// Questions are equal if their texts are equal.
impl PartialEq for Question {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl From<Tours> for Question {
    fn from(tours: Tours) -> Self {
        Self::Tours(Arc::new(tours))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn written(text: &str) -> String {
        match Question::load(text) {
            Ok(question) => question.to_string(),
            Err(error) => panic!("{text}: {error}"),
        }
    }

    #[test]
    fn questions_are_read_as_they_are_written() {
        for text in [
            "8x8",
            "8x8 from c3",
            "8x8 open from a1",
            "8x8 open from anywhere",
            "8x8 open from a1 to h7",
            "8x8 open from anywhere to c3",
            "leaper:2,3:10x10 open from a1",
            "leaper:0,1:4x4",
            "8x8-a1-h8",
            "leaper:0,1:4x4-a1-b1 open from c1 to d4",
            "8x8+relabel=3",
            "8x8+relabel=3+relabel=4 open from 9",
            "leaper:2,3:10x10+relabel=3",
            "cubic:20:3+planted+relabel=5 from 7",
            "12 queens",
            "1 queen",
        ] {
            assert_eq!(written(text), text);
        }
        for (text, canonical) in [
            ("8x8 closed", "8x8"),
            ("8X8 from a1", "8x8"),
            ("8x8 closed from 0", "8x8"),
            ("8x8 open", "8x8 open from anywhere"),
            ("8x8 to h7", "8x8 open from anywhere to h7"),
            ("8x8 from b1 to c1", "8x8 open from b1 to c1"),
            ("8x8 open from 9", "8x8 open from b2"),
            ("leaper:1,2:8x8 from b1", "8x8 from b1"),
            ("8x8-63-a1 open", "8x8-a1-h8 open from anywhere"),
            ("gnp 30 .2 7 from 3", "gnp:30,0.2:7 from 3"),
            ("gnp 30 .2 open", "gnp:30,0.2:0 open from anywhere"),
            ("gnp 30 .2 7 planted relabel 4 open to 9", "gnp:30,0.2:7+planted+relabel=4 open from anywhere to 9"),
            ("gnp 30 .2 7 relabel 4 planted", "gnp:30,0.2:7+planted+relabel=4"),
            ("grid 4 x 5 closed", "grid:4x5"),
            ("8x8 relabel=04", "8x8+relabel=4"),
        ] {
            assert_eq!(written(text), canonical);
        }
    }

    #[test]
    fn files_may_be_called_anything() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for name in ["g.txt", "my graph.txt", "8x8 open", "here from there", "8x8-a1", "g+relabel=9"] {
            fs::write(path(name), "1 2\n2 3\n3 1\n").unwrap();
            let file = path(name);
            for rest in ["", " from 2", " open from 3", " open from anywhere"] {
                for format in ["", "edges:"] {
                    for order in ["", "+relabel=2"] {
                        let text = format!("{format}{file}{order}{rest}");
                        assert_eq!(written(&text), text);
                    }
                }
            }
            assert_eq!(written(&format!("{file} open")), format!("{file} open from anywhere"));
        }
    }

    #[test]
    fn weights_and_their_graph_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("roads.txt");
        fs::write(&file, "1 2 3\n2 3 5\n3 1 4\n").unwrap();
        let files = Files::default();
        let source = GraphSource::settled(&format!("{}+weights", file.display()), &files).unwrap();
        assert!(source.weights(&files).unwrap().is_some());
        fs::remove_file(file).unwrap();
        assert!(source.several(&files).unwrap().is_none());
        assert_eq!(source.load(&files).unwrap().graph().n_vertices(), 3);
    }

    #[test]
    fn edges_that_a_file_fixes_are_forced() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("fixed.hcp").display().to_string();
        let header = "TYPE : HCP\nDIMENSION : 4\nEDGE_DATA_FORMAT : EDGE_LIST\n";
        let edges = "EDGE_DATA_SECTION\n1 2\n1 3\n1 4\n2 3\n-1\n";
        for fixed in ["2 1\n3 2\n-1", "2 1 3 2 -1"] {
            fs::write(&file, format!("{header}FIXED_EDGES_SECTION\n{fixed}\n{edges}EOF\n")).unwrap();
            assert_eq!(written(&file), format!("{file} force 1-2 force 2-3"));
            assert_eq!(
                written(&format!("{file} open force 1-2 force 1-4")),
                format!("{file} open from anywhere force 1-2 force 1-4 force 2-3")
            );
        }
        // The degrees are 3, 2, 2 and 1.
        for seed in 0..4 {
            let question = Question::load(&format!("{file}+relabel={seed}")).unwrap();
            let instance = question.instance().unwrap();
            let forced = constraint::forced_moves(instance.constraints());
            let degree = |v| instance.graph().degree(v);
            let mut degrees: Vec<_> = forced.iter().map(|edge| [degree(edge.tail), degree(edge.head)]).collect();
            degrees.iter_mut().for_each(|ends| ends.sort_unstable());
            degrees.sort_unstable();
            assert_eq!(degrees, [[2, 2], [2, 3]]);
        }
    }

    #[test]
    fn questions_may_be_longer_than_names_of_files() {
        let constraints: String = (10..=59).map(|p| format!(" at h8={p}..60")).collect();
        let text = format!("8x8 open from a1{constraints}");
        assert_eq!(written(&text), text);
    }

    #[test]
    fn the_meaning_of_a_text_depends_on_the_files_that_exist() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        let text = path("g.txt open from 3");
        let kind = || Question::load(&text).unwrap().instance().unwrap().kind();
        fs::write(path("g.txt"), "1 2\n2 3\n3 1\n").unwrap();
        assert_eq!((written(&text), kind()), (text.clone(), TourKind::Open));
        fs::write(&text, "1 2\n2 3\n3 1\n").unwrap();
        assert_eq!((written(&text), kind()), (text.clone(), TourKind::Closed));
        // These texts are invalid whatever files exist.
        for text in ["-graph.txt", "0 queens", "0x5"] {
            assert!(Question::load(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_text_that_was_handed_over_is_read_in_place_of_a_file() {
        let source = TextSource::named("/nowhere/pipe".as_ref());
        let stream = Stream { source, number: None, text: "0 1\n1 2\n".into() };
        let files = Files::with(stream.clone());
        let text = "/nowhere/pipe open from 0";
        let question = Question::load_with(text, &files).unwrap();
        let Question::Tours(tours) = question else { panic!("{text} is about queens") };
        assert_eq!(tours.stream(), Some(&stream));
        assert!(Question::load(text).is_err());
    }

    #[test]
    fn what_is_no_question_is_said() {
        let wrong = |text: &str| Question::load(text).unwrap_err().to_string();
        for (text, message) in [
            ("8x8 opne", "\"8x8 opne\" is neither a board"),
            ("nowhere open from 3", "\"nowhere\" is neither a board"),
            ("gryphon:8x8", "unknown piece \"gryphon\""),
            ("gryphon:8x8.col", "\"gryphon:8x8.col\" is neither a board"),
            ("8x8 from z9", "square z9 is not on the 8x8 board"),
            ("8x8 open from a1 b2", "\"8x8 open from a1 b2\" is neither"),
            ("8x8 open from", "\"8x8 open from\" lacks a vertex after \"from\", and is not an existing file"),
            ("8x8 open from a1 to", "\"8x8 open from a1 to\" lacks a vertex after \"to\""),
            ("8x8 from to h7", "\"8x8 from to h7\" lacks a vertex after \"from\""),
            ("8x8 open from at c3=17", "\"8x8 open from at c3=17\" lacks a vertex after \"from\""),
            ("petersen open from", "\"petersen open from\" lacks a vertex after \"from\""),
            ("named:tutte to", "\"named:tutte to\" lacks a vertex after \"to\""),
            ("0x8 open", "board 0x8 has no squares"),
            ("8x8 from anywhere", "8x8: \"from anywhere\" requires open tours; closed tours visit every vertex"),
            ("8x8 closed to b3", "8x8: \"to\" requires open tours; closed tours return to their start"),
            ("8x8 from a1 to a1", "8x8: an open tour cannot both start and end at a1; choose another end"),
            ("8x8-c3 from c3", "square c3 is missing from the board 8x8-c3"),
            ("8x8-i9", "square i9 is not on the 8x8 board"),
            ("0 queens", "\"0\" is not a number of queens"),
            ("99999999999 queens", "\"99999999999\" is not a number"),
            ("0x5", "board 0x5 has no squares"),
            ("8x8+relabel=x", "\"8x8+relabel=x\": \"x\" is not a seed for relabel"),
            ("8x8+relabel=3 from a1", "\"a1\" is not a vertex of 8x8+relabel=3"),
        ] {
            assert!(wrong(text).starts_with(message), "{}", wrong(text));
        }
    }
}
