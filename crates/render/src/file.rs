//! Tours in files: written as JSON; read from JSON, numbered boards, and lists of squares.
//!
//! A tour in JSON is an object with the following fields; other fields are ignored:
//!
//! ```json
//! {"instance": "3x4", "tours": "open", "start": "a1",
//!  "order": ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"],
//!  "indices": [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]}
//! ```
//!
//! - `instance`: the board, such as `3x4`, `leaper:1,4:10x10` or `5x6-a1`; or the graph: a file, or a member of a
//!   family.
//! - `piece`: the piece, such as `king`, `2,5` or `1,2+1,4`, as in the option `--piece`. The board's name may contain
//!   the piece instead. Without either, the piece is a knight.
//! - `leaper`: the jump of the piece, such as `[1, 4]`, if the piece is a single leaper.
//! - `graph_crc32`: checksum of a graph's edges, 8 hexadecimal digits. A graph with another checksum is rejected.
//! - `tours`: `closed` or `open`. Without this field, the tour is closed if its last vertex is adjacent to the first.
//! - `start`: the name of the first vertex; optional. The order is checked against it.
//! - `order`: the names of the vertices in order, always strings: squares such as `"a1"`, or the names or numbers that
//!   vertices have in the graph's file.
//! - `indices`: the vertices in order as 0-based numbers. Squares of a board are numbered row by row from the top left,
//!   without holes; vertices of a graph in the order of its file. `order` or `indices` suffices; if both are given,
//!   they must agree.
//!
//! If a record must remain readable without the graph's file, it contains the graph ([`GraphRecord`]): `vertices` is
//! the number of vertices, `edges` contains pairs of 0-based numbers, and `first` or `names` define the names of the
//! vertices.
//!
//! The output of `hamcnf solve --json` is also a file with a tour. Its field `tour` replaces `order`, and its object
//! `details` contains the board or graph, the kind of tours and the start. With `--edges`, `details` also contains the
//! `graph`, whose edges are pairs of names according to `numbering`.
//!
//! A file may contain several tours as several objects, one per line or in an array, as in the output of `hamcnf
//! compare --json`. A text without JSON objects is one of the following:
//!
//! - a numbered board in box-drawing characters, as [`terminal`](super::terminal) draws it, counted from 1 or from 0,
//!   with holes filled with `█`;
//! - the numbers of a board alone, in rows with blanks or commas between them, `.` or `-` for a hole, and a blank line
//!   between two tours;
//! - one tour per line: the names of squares in order (`a1 b3 c5 …`), on the smallest board that contains all of them;
//! - a tour in TSPLIB's format ([`tsplib`]), which is recognized by its `TOUR_SECTION`.
//!
//! The first three kinds of text may begin with a [`Heading`] that contains the board, the piece, the kind of tours and
//! the start.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use hamcnf_graph::constraint::{self, ConstraintKind, Context, NotAConstraint};
use hamcnf_graph::{
    AnyGraph, Board, BoardError, Digraph, Graph, GraphError, HoledBoard, Instance, InstanceError, Leaper, NoSuchName,
    NotATour, NotNames, Numbering, Piece, Placement, Queens, Ranks, Tour, TourKind, Vertex, VertexNames, VertexWords,
};
use serde::{Deserialize, Serialize};

use super::tsplib::{self, TsplibError};

/// Character that fills a hole in a drawing.
pub(super) const HOLE: &str = "█";

/// Tour in the form of its JSON object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TourRecord {
    /// Name of the board, or the graph's file or family.
    pub instance: String,
    /// CRC-32 of the graph's edges; `None` for a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_crc32: Option<String>,
    /// Graph itself, if the record must remain readable without the graph's file.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphRecord>,
    /// Kind of the tour: `closed` or `open`.
    pub tours: String,
    /// Name of the start vertex.
    pub start: String,
    /// Constraints on the tour, such as `at c3=17`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub constraints: Vec<String>,
    /// Vertices of the tour.
    #[serde(flatten)]
    pub visits: Visits,
}

impl TourRecord {
    /// Creates the record of a tour.
    pub fn new(instance: &Instance, tour: &Tour) -> Self {
        Self {
            instance: instance.name().to_owned(),
            graph_crc32: graph_crc32(instance),
            graph: None,
            tours: instance.kind().to_string(),
            start: instance.vertex_name(instance.start()),
            constraints: constraint::texts(instance),
            visits: Visits::new(instance, tour),
        }
    }

    /// Creates the record of a tour, including its graph. The record can be read without the graph's file.
    pub fn with_graph(instance: &Instance, tour: &Tour) -> Self {
        Self { graph: GraphRecord::of(instance), ..Self::new(instance, tour) }
    }
}

/// Returns the value of the JSON field `graph_crc32`, the checksum of a graph's edges; `None` for a board.
pub fn graph_crc32(instance: &Instance) -> Option<String> {
    let graph = instance.without_constraints();
    let digraph = graph.squares().is_none().then(|| graph.digraph())?;
    Some(checksum(digraph))
}

/// Returns the CRC-32 of a graph's edges as 8 hexadecimal digits.
fn checksum(graph: &Digraph) -> String {
    format!("{:08x}", graph.crc32())
}

/// Graph with all its edges, as part of a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GraphRecord {
    /// Number of vertices.
    pub vertices: u32,
    /// True if the edges are arcs from the first vertex of each pair to the second.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub directed: bool,
    /// Edges as pairs of 0-based vertices.
    pub edges: Vec<(u32, u32)>,
    /// Number that names the first vertex; `None` for 1 or if the vertices have names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// Names of the vertices; `None` if the vertices are numbered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
}

impl GraphRecord {
    /// Returns the graph of an instance; `None` for a board, because its name defines the graph.
    pub fn of(instance: &Instance) -> Option<Self> {
        let instance = instance.without_constraints();
        if instance.squares().is_some() {
            return None;
        }
        let (graph, directed) = (instance.digraph(), instance.is_directed());
        let edges = graph.arcs_or_edges(directed);
        let names = instance.vertex_names();
        let numbering = Some(names.numbering()).filter(|_| names.words().is_none());
        let words = names.words();
        Some(Self {
            vertices: graph.n_vertices(),
            directed,
            edges: edges.map(|arc| (arc.tail.number(), arc.head.number())).collect(),
            first: numbering.filter(|&numbering| numbering != Numbering::default()).map(Numbering::first),
            names: words.map(|words| words.iter().map(str::to_owned).collect()),
        })
    }
}

/// Placement of queens in the form of its JSON object.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlacementRecord {
    /// Number of queens.
    pub queens: u32,
    /// Row of the queen in each column, 0-based.
    pub rows: Vec<u32>,
    /// Names of the queens' squares, column by column.
    pub squares: Vec<String>,
}

impl PlacementRecord {
    /// Creates the record of a placement.
    pub fn new(queens: &Queens, placement: &Placement) -> Self {
        let squares = placement.squares(queens).into_iter();
        Self {
            queens: queens.n(),
            rows: placement.rows().to_vec(),
            squares: squares.map(|v| queens.board().square_name(v)).collect(),
        }
    }
}

/// Vertices of a tour. They complete a record that already contains the instance, the kind of tours and the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Visits {
    /// Piece, as [`Piece::to_text`] writes it; `None` for a knight, and for a graph without a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// Jump of the piece, if the piece is a single leaper.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaper: Option<(u32, u32)>,
    /// Names of the vertices in order.
    pub order: Vec<String>,
    /// Vertices in order, 0-based.
    pub indices: Vec<u32>,
}

impl Visits {
    /// Creates the list of the vertices that a tour visits.
    pub fn new(instance: &Instance, tour: &Tour) -> Self {
        let piece = instance.squares().map(|board| board.board().piece());
        let piece = piece.filter(|&piece| piece != Piece::KNIGHT);
        let name = |&v: &Vertex| instance.vertex_name(v);
        Self {
            piece: piece.map(Piece::to_text),
            leaper: piece.and_then(Piece::leaper).map(Leaper::legs),
            order: tour.order().iter().map(name).collect(),
            indices: tour.order().iter().map(|v| v.number()).collect(),
        }
    }
}

/// Heading of tours on a board, as printed by `hamcnf solve`: `10x10 (2,3)-leaper, closed tours, start c4, at a1=3`. The
/// kind of tours, the start and the constraints are optional. Before lists of squares, the heading is a comment after `#`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    board: HoledBoard,
    kind: Option<TourKind>,
    start: Option<Vertex>,
    constraints: Vec<String>,
}

impl Heading {
    /// Returns the heading of an instance's tours, without a start; `None` if the instance is not on a board.
    pub fn of_tours(instance: &Instance) -> Option<Self> {
        let (board, constraints) = (instance.squares()?.clone(), constraint::texts(instance));
        Some(Self { board, kind: Some(instance.kind()), start: None, constraints })
    }

    /// Finds the heading in a line. Other text before or after it must be separated by colons.
    fn find(line: &str) -> Option<Self> {
        let line = line.trim_start().trim_start_matches('#');
        line.split(": ").find_map(|part| Self::parse(part.trim()))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(", ");
        let (sides, piece) = parts.next()?.split_once(' ')?;
        let piece = Piece::called(piece)?;
        let board = sides.parse::<HoledBoard>().ok()?.with(piece).ok()?;
        let kind = match parts.next() {
            Some(tours) => {
                let tours = tours.strip_suffix(FROM_ANYWHERE).unwrap_or(tours);
                Some(tours.strip_suffix(TOURS)?.parse().ok()?)
            }
            None => None,
        };
        let (mut start, mut constraints) = (None, Vec::new());
        for part in parts {
            match part.strip_prefix(START).or_else(|| part.strip_prefix(HERE)) {
                Some(square) => start = Some(board.vertex_named(square).ok()?),
                // A heading gives only the number of many constraints.
                None if part.ends_with(MANY) => {}
                None => constraints.push(part.to_owned()),
            }
        }
        Some(Self { board, kind, start, constraints })
    }
}

const TOURS: &str = " tours";
const FROM_ANYWHERE: &str = " from anywhere";
const START: &str = "start ";
const MANY: &str = " constraints";
/// Words before the start of one of the tours from anywhere.
const HERE: &str = "here from ";

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.board.sides(), self.board.board().piece())?;
        if let Some(kind) = self.kind {
            write!(f, ", {kind}{TOURS}")?;
        }
        if let Some(start) = self.start {
            write!(f, ", {START}{}", self.board.vertex_name(start))?;
        }
        self.constraints.iter().try_for_each(|constraint| write!(f, ", {constraint}"))
    }
}

/// Tour that a file claims to contain: an instance and an order of vertices, not checked yet.
#[derive(Clone, Debug)]
pub struct Claim {
    instance: Instance,
    order: Vec<Vertex>,
    /// Last vertex, if the text names it.
    end: Option<Vertex>,
}

impl Claim {
    /// Returns the instance to which the claimed tour belongs.
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Checks the claim and returns its tour.
    ///
    /// # Errors
    ///
    /// [`NotATour`], with the first wrong move.
    pub fn check(&self) -> Result<Tour, NotATour> {
        let tour = Tour::check(&self.instance, self.order.clone())?;
        let name = |v| self.instance.vertex_name(v);
        match (self.end, self.order.last()) {
            (Some(end), Some(&last)) if end != last => Err(NotATour::WrongEnd { found: name(last), end: name(end) }),
            _ => Ok(tour),
        }
    }

    /// Returns the claim that the vertices are an open tour, even if the last one is adjacent to the first.
    #[must_use]
    pub fn opened(self) -> Self {
        Self { instance: self.instance.opened(), ..self }
    }

    /// Adds constraints, such as `at c3=17`, which the tour must satisfy.
    fn constrained(self, texts: &[String]) -> Result<Self, Reason> {
        if texts.is_empty() {
            return Ok(self);
        }
        let given = texts.iter().map(|text| {
            let known = text.split_once(' ');
            let known = known.and_then(|(name, value)| Some((ConstraintKind::named(name)?, value)));
            known.ok_or_else(|| Reason::NoConstraint(text.clone()))
        });
        let given: Vec<_> = given.collect::<Result<_, _>>()?;
        let context = Context { instance: &self.instance, has_start: false };
        let constraints = constraint::parsed(&context, given);
        let constraints = constraints.map_err(|wrong| Reason::Constraint(Box::new(wrong)))?;
        Ok(Self { instance: self.instance.constrained(&constraints), ..self })
    }

    /// Replaces the direction in which the board's ranks are numbered.
    fn ranked(self, ranks: Ranks) -> Self {
        Self { instance: self.instance.ranked(ranks), ..self }
    }
}

/// Graph with its name and the names of its vertices.
#[derive(Clone, Debug)]
pub struct NamedGraph {
    /// Name of the file or of the family's member.
    pub name: String,
    pub graph: AnyGraph,
    /// Names of the vertices, as files write them.
    pub names: VertexNames,
}

impl NamedGraph {
    fn checksum(&self) -> String {
        checksum(self.graph.digraph())
    }
}

/// Function that finds a graph by its name, which is the value of the JSON field `instance`.
pub type FindGraph<'a> = dyn Fn(&str) -> Result<NamedGraph, Box<dyn Error + Send + Sync>> + 'a;

/// Facts about the tours of a file, for use if the file omits them.
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    pub piece: Option<Piece>,
    pub board: Option<&'a HoledBoard>,
    /// Direction in which ranks are numbered, for lists of squares without a heading. The boards of all returned claims
    /// use this direction.
    pub ranks: Option<Ranks>,
    /// Function that finds graphs by name; without it, no graph is found.
    pub find: Option<&'a FindGraph<'a>>,
}

/// Error while reading a tour, with the number of the tour.
#[derive(Debug, thiserror::Error)]
#[error("tour {number}: {reason}")]
pub struct ReadError {
    /// Number of the tour in the file, 1-based.
    pub number: usize,
    pub reason: Reason,
}

/// Reason why a tour cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    #[error("the text is empty")]
    Empty,
    /// Invalid JSON, or JSON that is not a tour.
    #[error("the JSON does not describe a tour: {0}")]
    Json(serde_json::Error),
    /// The object has no list of vertices. The value is the object's status, if any.
    #[error("the JSON object has no \"tour\", \"order\" or \"indices\"{}", .0.as_ref().map_or(String::new(), |s| format!("; the status is \"{s}\"")))]
    NoOrder(Option<String>),
    /// Two lists of the vertices differ. The values are the names of the lists and the first position at which they
    /// differ.
    #[error("the lists \"{0}\" and \"{1}\" differ at position {2}")]
    Disagreement(&'static str, &'static str, usize),
    /// The text names a graph without listing its edges, and the caller gave no function that finds graphs. The value
    /// is the graph's name.
    #[error("the tour is on the graph \"{0}\", which the text does not contain; name the graph with --graph")]
    NoGraph(String),
    /// The graph was not found under its name.
    #[error("the graph of the tour was not found: {0}; name the graph with --graph")]
    NotFound(Box<dyn Error + Send + Sync>),
    /// The graph's checksum differs from the checksum in the text, so the graph has other edges.
    #[error(
        "the tour is on a graph whose edges have CRC-32 \"{said}\", but \"{name}\" has {found}; name the right graph with --graph"
    )]
    OtherGraph {
        /// Checksum in the text.
        said: String,
        /// Name of the graph that was compared.
        name: String,
        /// Checksum of the graph that was compared.
        found: String,
    },
    /// The text names a board that differs from the given board.
    #[error("the tour is on the board {said}, but --graph names {given}")]
    NotThatBoard {
        /// Board that the text names.
        said: String,
        /// Board that the user gave.
        given: String,
    },
    #[error("the key \"edges\" requires the key \"vertices\" (number of vertices)")]
    NoVertices,
    /// The text has an invalid board, piece or square.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The kind of constraint does not exist.
    #[error("\"{0}\" is not a constraint; write its kind and its value, such as \"at c3=17\"")]
    NoConstraint(String),
    /// The constraint does not exist for the board or graph.
    #[error(transparent)]
    Constraint(Box<NotAConstraint>),
    /// The jump of the piece is (0, 0).
    #[error("a (0,0)-leaper cannot move; \"leaper\" must be a jump such as [1, 2]")]
    NoLeaper,
    /// Two sources specify different pieces.
    #[error("the board is for the {said}, but --piece, or the key \"piece\" or \"leaper\", names the {other}")]
    OtherPiece {
        /// Piece that the board's name or the heading specifies.
        said: Piece,
        /// Piece that `piece`, `leaper` or the user specifies.
        other: Piece,
    },
    /// The heading names a board of other dimensions than the board below it.
    #[error("the heading names a board of {said}, but the board below the heading is {drawn}")]
    OtherBoard {
        /// Dimensions of the board that the heading names.
        said: String,
        /// Dimensions of the board below the heading.
        drawn: String,
    },
    /// The edges do not define a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph is too small for this kind of tours, or the start is not a vertex of the graph.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The kind of tours is unknown.
    #[error(transparent)]
    Kind(#[from] NoSuchName),
    /// A number is not a vertex of the graph. The second value is the number that names the first vertex.
    #[error("\"{0}\" is not a vertex; vertices are numbered from {1}")]
    NotAVertex(String, u32),
    #[error("\"{0}\" is not the name of a vertex of the graph")]
    NotNamed(String),
    #[error("no tour found: no line contains only vertex numbers")]
    NoNumbers,
    #[error("no tour found: no line contains only vertex names")]
    NoNames,
    /// The names of a graph's vertices are invalid.
    #[error(transparent)]
    Names(#[from] NotNames),
    /// The number of names differs from the number of vertices.
    #[error("\"names\" has {found} names, but the graph has {n} vertices")]
    NamesOf {
        /// Number of names in the text.
        found: usize,
        /// Number of vertices.
        n: u32,
    },
    /// The text is an invalid TSPLIB file.
    #[error(transparent)]
    Tsplib(#[from] TsplibError),
    /// A TSPLIB file does not name its board, and the hints contain no board.
    #[error("the text does not name a board; name the board or graph with --graph")]
    OfNothing,
    #[error("\"first\" is {0}, but must be 0 or 1")]
    First(u32),
    /// The tour visits far fewer vertices than the graph has, so the graph is not even built.
    #[error("the tour visits {found} vertices, but {name} has {n}")]
    FarTooFew {
        /// Number of visited vertices.
        found: usize,
        /// Name of the board or graph.
        name: String,
        /// Number of vertices of the board or graph.
        n: u32,
    },
    /// A list of squares contains a word that is not the name of a square.
    #[error("\"{0}\" is not the name of a square, such as a1{hint}", hint = graph_hint(.0))]
    NotAName(String),
    /// A row and the first row have different numbers of squares.
    #[error("row {row} of the board has {found} squares, but the first row has {expected}")]
    Ragged {
        /// Number of the row, 1-based.
        row: usize,
        /// Number of squares in the row.
        found: usize,
        /// Number of squares in the first row.
        expected: usize,
    },
    /// The text of a square is not a number.
    #[error("\"{0}\" on the board is not a number; write the position of the square in the tour")]
    NotANumber(String),
    /// The numbers on the board are not consecutive. The value is the first missing number.
    #[error("number {0} is missing from the board, or a smaller number occurs twice")]
    Missing(usize),
}

/// Returns advice to name the graph, if the word begins with a digit like a vertex number; otherwise an empty string.
fn graph_hint(word: &str) -> &'static str {
    match word.starts_with(|c: char| c.is_ascii_digit()) {
        true => "; for a vertex of a graph, name the graph with --graph",
        false => "",
    }
}

impl Reason {
    /// True if the text has the form of a tour, but contains an impossible number, vertex or square, or lacks too many
    /// vertices. False if the text does not have the form of a tour.
    pub fn is_no_tour(&self) -> bool {
        matches!(
            self,
            Self::Missing(_)
                | Self::FarTooFew { .. }
                | Self::NotAVertex(..)
                | Self::NotNamed(_)
                | Self::Board(BoardError::OffBoard { .. })
        )
    }
}

/// Maximum number of vertices that a tour may lack. The graph of a tour that lacks more vertices is not built.
const MOST_MISSING: u64 = 1 << 16;

/// Reads all tours of a text. A text without tours is an error. The piece is the one that the text names, or else
/// `piece`, or else the knight. If a tour is on a graph instead of a board, the text must contain the graph.
///
/// # Errors
///
/// [`ReadError`] of the first unreadable tour.
pub fn read(text: &str, piece: Option<Piece>) -> Result<Vec<Claim>, ReadError> {
    read_with(text, &Hints { piece, ..Hints::default() })
}

/// Reads all tours of a text. A text without tours is an error. The hints supply facts that the text omits.
///
/// # Errors
///
/// [`ReadError`] of the first unreadable tour.
pub fn read_with(text: &str, hints: &Hints<'_>) -> Result<Vec<Claim>, ReadError> {
    let text = &*as_lines(text);
    let claims: Vec<Result<Claim, Reason>> = if let Some(objects) = objects(text) {
        let claims = objects.into_iter().map(|object| object?.claim(hints));
        claims.collect()
    } else if tsplib::is(text) {
        match tsplib::read(text) {
            Ok(tours) => tours.into_iter().map(|tour| of_tsplib(tour, hints)).collect(),
            Err(error) => vec![Err(error.into())],
        }
    } else if text.contains(BARS) {
        let boards = boards(text);
        boards.iter().map(|board| board.claim(hints)).collect()
    } else if let Some(grids) = grids(text) {
        grids.iter().map(|grid| grid.claim(hints)).collect()
    } else {
        lists(text, hints)
    };
    let claims = claims.into_iter().map(|claim| match hints.ranks {
        Some(ranks) => Ok(claim?.ranked(ranks)),
        None => claim,
    });
    numbered_from_one(claims.collect())
}

/// Header of the table of tours that `hamcnf list --format csv` writes.
const TABLE: &str = "rank,tour";

/// Converts a flat list in JSON or Python, such as `["a1", "b3"]` or `(1, 2)`, into a line of vertices, and a table of
/// tours into lines of vertices. Other texts are returned unchanged.
fn as_lines(text: &str) -> Cow<'_, str> {
    let inner = text.trim();
    let is_heading = |line: &&str| line.is_empty() || line.starts_with('#');
    if inner.lines().find(|line| !is_heading(line)) == Some(TABLE) {
        let tours = inner.lines().filter(|&line| line != TABLE);
        let tours = tours.map(|line| match line.split_once(',') {
            Some((_, tour)) if !is_heading(&line) => tour.trim_matches('"'),
            _ => line,
        });
        return Cow::Owned(tours.collect::<Vec<_>>().join("\n"));
    }
    let list = inner.strip_prefix('[').and_then(|list| list.strip_suffix(']'));
    let tuple = || inner.strip_prefix('(').and_then(|list| list.strip_suffix(')'));
    match list.or_else(tuple) {
        Some(list) if !list.contains(['[', ']', '(', ')', '{', '}']) => {
            let gap = |c: char| ['\'', '"', ','].contains(&c) || c.is_whitespace();
            let words = list.split(gap).filter(|word| !word.is_empty());
            Cow::Owned(words.collect::<Vec<_>>().join(" "))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Returns the JSON objects of a text, which follow each other or are in an array. If an object of the array has a
/// tour, removes the objects without a tour, such as records of counts, from the array.
fn objects(text: &str) -> Option<Vec<Result<Fields, Reason>>> {
    let text = text.trim_start();
    if text.starts_with('{') {
        let objects = serde_json::Deserializer::from_str(text).into_iter();
        return Some(objects.map(|object| object.map_err(Reason::Json)).collect());
    }
    let first = text.strip_prefix('[')?.trim_start();
    if !first.starts_with('{') {
        return None;
    }
    Some(match serde_json::from_str::<Vec<Fields>>(text) {
        Ok(mut objects) => {
            if objects.iter().any(Fields::have_tour) {
                objects.retain(Fields::have_tour);
            }
            objects.into_iter().map(Ok).collect()
        }
        Err(error) => vec![Err(Reason::Json(error))],
    })
}

/// Returns the claims, or the first error with the number of its tour. An empty list is an error.
fn numbered_from_one(claims: Vec<Result<Claim, Reason>>) -> Result<Vec<Claim>, ReadError> {
    if claims.is_empty() {
        let (number, reason) = (1, Reason::Empty);
        return Err(ReadError { number, reason });
    }
    let numbered = (1..).zip(claims);
    numbered.map(|(number, claim)| claim.map_err(|reason| ReadError { number, reason })).collect()
}

/// Reads all tours of the given graph from a text. A text without tours is an error. The text is JSON, TSPLIB, or lines
/// with names or numbers of vertices, as printed by `hamcnf solve`. Lines with other content are ignored. Unless JSON or
/// a comment in TSPLIB specifies the kind, a tour is closed if its last vertex is adjacent to the first, or if the first
/// vertex is repeated at the end.
///
/// # Errors
///
/// [`ReadError`] of the first unreadable tour.
pub fn read_on(text: &str, of: &NamedGraph) -> Result<Vec<Claim>, ReadError> {
    let text = &*as_lines(text);
    let NamedGraph { graph, names, .. } = of;
    if let Some(objects) = objects(text) {
        let claims = objects.into_iter().map(|object| object?.claim_on(of.clone()));
        return numbered_from_one(claims.collect());
    }
    let claims: Vec<Result<Claim, Reason>> = if tsplib::is(text) {
        // TSPLIB numbers vertices from 1, whatever their names are.
        let from_one = Numbering::FromOne;
        let known = |order: Vec<Vertex>| {
            let beyond = order.iter().find(|v| v.number() >= graph.n_vertices());
            match beyond {
                Some(&v) => {
                    let number = from_one.number(v).to_string();
                    Err(Reason::NotAVertex(number, from_one.first()))
                }
                None => Ok(order),
            }
        };
        match tsplib::read(text) {
            Ok(tours) => {
                let claim = |tour: tsplib::Listed| {
                    let kind = tour.comments.iter().find_map(|line| kind_in(line));
                    claim_on(of, known(tour.order)?, kind)
                };
                tours.into_iter().map(claim).collect()
            }
            Err(error) => vec![Err(error.into())],
        }
    } else {
        let lines = text.lines();
        let orders = lines.filter_map(|line| order_in(line, graph.digraph(), names));
        orders.map(|order| claim_on(of, order?, None)).collect()
    };
    if claims.is_empty() {
        let reason = match names {
            VertexNames::Numbers(_) => Reason::NoNumbers,
            VertexNames::Words(_) => Reason::NoNames,
        };
        let number = 1;
        return Err(ReadError { number, reason });
    }
    numbered_from_one(claims)
}

/// Returns the kind of tours in a comment that hamcnf writes, such as `graph.col, open tours, start 5`.
fn kind_in(comment: &str) -> Option<TourKind> {
    comment.split(", ").find_map(|part| part.strip_suffix(TOURS)?.parse().ok())
}

/// Returns the vertices of a line that contains nothing but names or numbers of vertices; `None` for another line.
fn order_in(line: &str, graph: &Digraph, names: &VertexNames) -> Option<Result<Vec<Vertex>, Reason>> {
    let words = line.split(|c: char| c.is_whitespace() || c == ',');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let vertices = words.iter().map(|word| names.vertex(word, graph.n_vertices()));
    match names {
        _ if words.is_empty() => None,
        VertexNames::Words(_) => vertices.collect::<Option<_>>().map(Ok),
        VertexNames::Numbers(numbering) => {
            let are_numbers = words.iter().all(|word| word.parse::<u32>().is_ok());
            let wrong = |word: &str| Reason::NotAVertex(word.to_owned(), numbering.first());
            let named = words.iter().zip(vertices);
            let order = named.map(|(word, vertex)| vertex.ok_or_else(|| wrong(word)));
            are_numbers.then(|| order.collect())
        }
    }
}

/// Returns the claim that a graph has a tour with its vertices in this order, which must not be empty. `kind` is the kind
/// of the tour, if the text specifies it.
fn claim_on(of: &NamedGraph, mut order: Vec<Vertex>, kind: Option<TourKind>) -> Result<Claim, Reason> {
    let NamedGraph { name, graph, names } = of;
    let start = order[0];
    // A list that repeats its first vertex at the end is a closed tour.
    let comes_back = order.len() == graph.n_vertices() as usize + 1 && order.last() == Some(&start);
    if comes_back {
        order.pop();
    }
    let kind = kind.unwrap_or_else(|| match comes_back {
        true => TourKind::Closed,
        false => kind_of(graph.digraph(), &order),
    });
    let instance = graph.clone().instance(name, kind, start)?;
    let instance = instance.called(names.clone());
    Ok(Claim { instance, order, end: None })
}

/// Returns the claimed tour of a TSPLIB file. The board comes from a comment, or else from `NAME`, or else from the
/// hints.
fn of_tsplib(tour: tsplib::Listed, hints: &Hints<'_>) -> Result<Claim, Reason> {
    let heading = tour.comments.iter().find_map(|line| Heading::find(line));
    if let Some(heading) = heading {
        let board = heading.board.clone();
        let piece = board.board().piece();
        return hints.place(board, Some(piece))?.headed(Some(&heading), tour.order);
    }
    let board = tour.name.and_then(|name| name.parse::<HoledBoard>().ok());
    let board = match (board, hints.board) {
        (Some(board), _) => board,
        (None, Some(given)) => given.clone(),
        (None, None) => return Err(Reason::OfNothing),
    };
    let said = Some(board.board().piece()).filter(|&piece| piece != Piece::KNIGHT);
    hints.place(board, said)?.headed(None, tour.order)
}

impl Hints<'_> {
    /// Returns the board that a text names, with its piece. If the hints contain a board, the two boards must be equal.
    fn place(&self, board: HoledBoard, said: Option<Piece>) -> Result<Place, Reason> {
        let given = self.board.map(|given| given.board().piece());
        let board = board.with(one_of(said, given.or(self.piece))?)?;
        if let Some(given) = self.board {
            // The direction in which ranks are numbered does not matter.
            let plain = |board: &HoledBoard| board.clone().ranked(Ranks::Down);
            if plain(given) != plain(&board) {
                return Err(Reason::NotThatBoard { said: board.to_string(), given: given.to_string() });
            }
        }
        Ok(Place::Board(board))
    }
}

/// Fields that are read from a tour's JSON or from a record with a tour.
#[derive(Deserialize)]
struct Object {
    instance: Option<String>,
    piece: Option<String>,
    leaper: Option<(u32, u32)>,
    graph_crc32: Option<String>,
    vertices: Option<u32>,
    #[serde(default)]
    directed: bool,
    edges: Option<Vec<(u32, u32)>>,
    first: Option<u32>,
    names: Option<Vec<String>>,
    tours: Option<String>,
    start: Option<String>,
    #[serde(default)]
    constraints: Vec<String>,
    tour: Option<Vec<String>>,
    order: Option<Vec<String>>,
    indices: Option<Vec<u32>>,
    status: Option<String>,
    numbering: Option<String>,
    #[serde(default)]
    details: RecordDetails,
}

/// Field `details` of a record.
#[derive(Default, Deserialize)]
struct RecordDetails {
    instance: Option<String>,
    piece: Option<String>,
    leaper: Option<(u32, u32)>,
    tours: Option<String>,
    start: Option<String>,
    end: Option<String>,
    #[serde(default)]
    constraints: Vec<String>,
    graph: Option<RecordGraph>,
}

/// Field `graph` of a record's details.
#[derive(Deserialize)]
struct RecordGraph {
    vertices: u32,
    #[serde(default)]
    directed: bool,
    edges: Vec<(String, String)>,
    names: Option<Vec<String>>,
}

/// Reason why a JSON object is not a tour.
#[derive(Debug, thiserror::Error)]
enum NotFields {
    #[error("missing field `instance`")]
    NoInstance,
    #[error("\"numbering\" is \"{0}\"; choose from from-0, from-1, names, squares")]
    Numbering(String),
    #[error("\"{0}\" in \"edges\" is not a vertex")]
    NotAVertex(String),
    /// The names of the vertices are invalid.
    #[error(transparent)]
    Names(#[from] NotNames),
}

/// Fields of a tour's JSON object, merged with the fields of its `details`.
#[derive(Deserialize)]
#[serde(try_from = "Object")]
struct Fields {
    instance: String,
    piece: Option<String>,
    leaper: Option<(u32, u32)>,
    graph_crc32: Option<String>,
    vertices: Option<u32>,
    directed: bool,
    edges: Option<Vec<(u32, u32)>>,
    first: Option<u32>,
    names: Option<Vec<String>>,
    tours: Option<String>,
    start: Option<String>,
    end: Option<String>,
    constraints: Vec<String>,
    tour: Option<Vec<String>>,
    order: Option<Vec<String>>,
    indices: Option<Vec<u32>>,
    status: Option<String>,
}

impl TryFrom<Object> for Fields {
    type Error = NotFields;

    fn try_from(object: Object) -> Result<Self, NotFields> {
        let details = object.details;
        let instance = object.instance.or(details.instance);
        let mut fields = Self {
            instance: instance.ok_or(NotFields::NoInstance)?,
            piece: object.piece.or(details.piece),
            leaper: object.leaper.or(details.leaper),
            graph_crc32: object.graph_crc32,
            vertices: object.vertices,
            directed: object.directed,
            edges: object.edges,
            first: object.first,
            names: object.names,
            tours: object.tours.or(details.tours),
            start: object.start.or(details.start),
            end: details.end,
            constraints: match object.constraints.is_empty() {
                true => details.constraints,
                false => object.constraints,
            },
            tour: object.tour,
            order: object.order,
            indices: object.indices,
            status: object.status,
        };
        let numbering = object.numbering.as_deref();
        // A board needs no list of edges: its name defines it.
        if let Some(graph) = details.graph.filter(|_| numbering != Some("squares")) {
            fields.take(graph, numbering)?;
        }
        Ok(fields)
    }
}

impl Fields {
    /// Copies the number of vertices, the edges and the names of the vertices from a record's graph.
    fn take(&mut self, graph: RecordGraph, numbering: Option<&str>) -> Result<(), NotFields> {
        let names: VertexNames = match (numbering, &graph.names) {
            (_, Some(names)) => VertexNames::Words(VertexWords::new(names.clone())?),
            (Some("from-0"), None) => Numbering::FromZero.into(),
            (Some("from-1") | None, None) => Numbering::FromOne.into(),
            (Some(other), None) => return Err(NotFields::Numbering(other.to_owned())),
        };
        let vertex = |name: &String| match names.vertex(name, graph.vertices) {
            Some(vertex) => Ok(vertex.number()),
            None => Err(NotFields::NotAVertex(name.clone())),
        };
        let edges = graph.edges.iter();
        let edges = edges.map(|(one, other)| Ok((vertex(one)?, vertex(other)?)));
        self.edges = Some(edges.collect::<Result<_, NotFields>>()?);
        self.directed = graph.directed;
        self.vertices = Some(graph.vertices);
        self.first = Some(names.numbering().first());
        self.names = graph.names;
        Ok(())
    }
}

impl Fields {
    /// True if the object has a list of vertices, in any of the fields for such a list.
    fn have_tour(&self) -> bool {
        self.tour.is_some() || self.order.is_some() || self.indices.is_some()
    }

    fn claim(self, hints: &Hints<'_>) -> Result<Claim, Reason> {
        let place = self.place(hints)?;
        self.claim_at(place)
    }

    /// Returns the claimed tour on the given graph. The text's edges and checksum, if any, must agree with the graph.
    fn claim_on(self, graph: NamedGraph) -> Result<Claim, Reason> {
        let of_edges = match self.own_graph()? {
            Some(own) => Some(own.made()?.checksum()),
            None => None,
        };
        self.is_of(&graph, of_edges.as_ref())?;
        self.is_of(&graph, self.graph_crc32.as_ref())?;
        self.claim_at(Place::Graph(graph))
    }

    /// Returns an error if the text has a checksum that differs from the graph's checksum.
    fn is_of(&self, graph: &NamedGraph, said: Option<&String>) -> Result<(), Reason> {
        let found = graph.checksum();
        match said {
            Some(said) if !said.eq_ignore_ascii_case(&found) => {
                Err(Reason::OtherGraph { said: said.clone(), name: graph.name.clone(), found })
            }
            _ => Ok(()),
        }
    }

    /// Returns the graph that the text contains, if any.
    fn own_graph(&self) -> Result<Option<Unmade>, Reason> {
        let (edges, n) = match (&self.edges, self.vertices) {
            (None, _) => return Ok(None),
            (Some(_), None) => return Err(Reason::NoVertices),
            (Some(edges), Some(n)) => (edges.clone(), n),
        };
        let first = self.first.unwrap_or(Numbering::default().first());
        let numbering = Numbering::of_first(first).ok_or(Reason::First(first))?;
        let names = match &self.names {
            Some(names) if names.len() != n as usize => {
                let found = names.len();
                return Err(Reason::NamesOf { found, n });
            }
            Some(names) => VertexNames::Words(VertexWords::new(names.clone())?),
            None => numbering.into(),
        };
        let name = self.instance.clone();
        Ok(Some(Unmade { name, edges, directed: self.directed, n, names }))
    }

    fn place(&self, hints: &Hints<'_>) -> Result<Place, Reason> {
        if let Some(graph) = self.own_graph()? {
            return Ok(Place::Unmade(graph));
        }
        let board = match self.instance.parse::<HoledBoard>() {
            Ok(board) if self.graph_crc32.is_none() => board,
            Ok(_) | Err(BoardError::Syntax(_)) => {
                let Some(find) = hints.find else {
                    return Err(Reason::NoGraph(self.instance.clone()));
                };
                let graph = find(&self.instance).map_err(Reason::NotFound)?;
                self.is_of(&graph, self.graph_crc32.as_ref())?;
                return Ok(Place::Graph(graph));
            }
            Err(error) => return Err(error.into()),
        };
        let leaper: Option<Piece> = match self.leaper {
            Some((a, b)) => Some(Leaper::new(a, b).ok_or(Reason::NoLeaper)?.into()),
            None => None,
        };
        let field = match self.piece.as_deref().map(str::parse).transpose().map_err(BoardError::from)? {
            Some(piece) => Some(one_of(Some(piece), leaper)?),
            None => leaper,
        };
        // A board whose name contains no piece is parsed as a knight's board, so a knight does not count as specified.
        let said = Some(board.board().piece()).filter(|&piece| piece != Piece::KNIGHT);
        let board = board.with(one_of(said, field)?)?;
        hints.place(board, said.or(field))
    }

    fn claim_at(self, place: Place) -> Result<Claim, Reason> {
        let of_names = |names: Vec<String>| {
            let vertices = names.iter().map(|name| place.vertex(name));
            vertices.collect::<Result<Vec<_>, _>>()
        };
        let of_indices = |indices: Vec<u32>| -> Vec<_> { indices.into_iter().map(Vertex::new).collect() };
        let lists = [
            ("tour", self.tour.map(of_names).transpose()?),
            ("order", self.order.map(of_names).transpose()?),
            ("indices", self.indices.map(of_indices)),
        ];
        let mut lists = lists.into_iter().filter_map(|(name, list)| Some((name, list?)));
        let Some((name, order)) = lists.next() else {
            return Err(Reason::NoOrder(self.status));
        };
        for (other, list) in lists {
            let differ = (0..order.len().max(list.len())).find(|&k| order.get(k) != list.get(k));
            if let Some(position) = differ {
                return Err(Reason::Disagreement(name, other, position));
            }
        }
        let kind = self.tours.map(|kind| kind.parse()).transpose()?;
        let start = self.start.map(|name| place.vertex(&name)).transpose()?;
        let end = self.end.map(|name| place.vertex(&name)).transpose()?;
        Ok(Claim { end, ..place.claim(kind, start, order)?.constrained(&self.constraints)? })
    }
}

/// Graph as listed in a text, before memory for its vertices is allocated.
struct Unmade {
    name: String,
    edges: Vec<(u32, u32)>,
    directed: bool,
    n: u32,
    names: VertexNames,
}

impl Unmade {
    fn made(self) -> Result<NamedGraph, Reason> {
        let Self { name, edges, directed, n, names } = self;
        let graph = match directed {
            true => Digraph::from_arcs(n, edges)?.into(),
            false => Graph::from_edges(n, edges)?.into(),
        };
        Ok(NamedGraph { name, graph, names })
    }
}

/// Board or graph that a claimed tour belongs to.
enum Place {
    Board(HoledBoard),
    Graph(NamedGraph),
    Unmade(Unmade),
}

impl Place {
    fn vertex(&self, name: &str) -> Result<Vertex, Reason> {
        let names = match self {
            Self::Board(board) => return Ok(board.vertex_named(name)?),
            Self::Graph(NamedGraph { names, .. }) | Self::Unmade(Unmade { names, .. }) => names,
        };
        // The check of the tour rejects numbers beyond the last vertex later.
        let vertex = names.vertex(name, u32::MAX);
        vertex.ok_or_else(|| match names {
            VertexNames::Numbers(numbering) => Reason::NotAVertex(name.to_owned(), numbering.first()),
            VertexNames::Words(_) => Reason::NotNamed(name.to_owned()),
        })
    }

    /// Returns the claim below a heading.
    fn headed(self, heading: Option<&Heading>, order: Vec<Vertex>) -> Result<Claim, Reason> {
        match heading {
            Some(Heading { kind, start, constraints, .. }) => {
                self.claim(*kind, *start, order)?.constrained(constraints)
            }
            None => self.claim(None, None, order),
        }
    }

    fn claim(self, kind: Option<TourKind>, start: Option<Vertex>, order: Vec<Vertex>) -> Result<Claim, Reason> {
        let (name, n) = match &self {
            Self::Board(board) => (board.to_string(), board.n_squares()),
            Self::Graph(of) => (of.name.clone(), of.graph.n_vertices()),
            Self::Unmade(of) => (of.name.clone(), of.n),
        };
        if u64::from(n) > order.len() as u64 + MOST_MISSING {
            let found = order.len();
            return Err(Reason::FarTooFew { found, name, n });
        }
        // The check of the tour rejects an invalid first vertex later.
        let first = order.first().copied().filter(|v| v.number() < n);
        let start = start.or(first).unwrap_or(Vertex::new(0));
        let NamedGraph { name, graph, names } = match self {
            Self::Board(board) => {
                let kind = kind.unwrap_or_else(|| kind_of(&board.graph(), &order));
                let instance = Instance::on_holed(board, kind, start)?;
                return Ok(Claim { instance, order, end: None });
            }
            Self::Graph(graph) => graph,
            Self::Unmade(graph) => graph.made()?,
        };
        let kind = kind.unwrap_or_else(|| kind_of(graph.digraph(), &order));
        let instance = graph.instance(name, kind, start)?.called(names);
        Ok(Claim { instance, order, end: None })
    }
}

/// Returns `Closed` if the last vertex is adjacent to the first, otherwise `Open`.
fn kind_of(graph: &Digraph, order: &[Vertex]) -> TourKind {
    let known = |&v: &Vertex| v.number() < graph.n_vertices();
    match (order.first(), order.last()) {
        (Some(first), Some(last)) if known(first) && known(last) && order.len() > 2 => match graph.arc(*last, *first) {
            Some(_) => TourKind::Closed,
            None => TourKind::Open,
        },
        _ => TourKind::Open,
    }
}

/// Returns `said`, the piece that the text specifies, or else `other`, or else the knight. If both are given, they must
/// be equal.
fn one_of(said: Option<Piece>, other: Option<Piece>) -> Result<Piece, Reason> {
    match (said, other) {
        (Some(said), Some(other)) if said != other => Err(Reason::OtherPiece { said, other }),
        _ => Ok(said.or(other).unwrap_or(Piece::KNIGHT)),
    }
}

/// Reads each line as a list of names of squares. The heading of a line is the last heading before it.
fn lists(text: &str, hints: &Hints<'_>) -> Vec<Result<Claim, Reason>> {
    let (mut heading, mut claims) = (None, Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with('#') {
            heading = Heading::find(line).or(heading);
        } else {
            claims.push(named(line, heading.as_ref(), hints));
        }
    }
    claims
}

/// Reads a line with names of squares. The board comes from the heading, or else from the hints. Otherwise it is the
/// smallest board that has all squares.
fn named(line: &str, heading: Option<&Heading>, hints: &Hints<'_>) -> Result<Claim, Reason> {
    // Names are parsed on a board of maximum size first, then on the actual board.
    let largest = Board::new(4000, 4000, Piece::KNIGHT)?;
    let words: Vec<_> = line.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty()).collect();
    let (mut rows, mut cols) = (0, 0);
    for word in &words {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Reason::NotAName((*word).to_owned()));
        }
        let square = largest.square(word).map_err(|error| match error {
            // The message of `SquareSyntax` would suggest numbers, which are not allowed here.
            BoardError::SquareSyntax(word) => Reason::NotAName(word),
            error => error.into(),
        })?;
        let (row, col) = largest.row_col(square);
        (rows, cols) = (rows.max(row + 1), cols.max(col + 1));
    }
    let said = heading.map(|heading| heading.board.board().piece());
    let board = match (heading, hints.board) {
        (Some(heading), _) => heading.board.clone(),
        (None, Some(given)) => given.clone(),
        (None, None) => {
            let piece = one_of(said, hints.piece)?;
            let board = Board::new(rows.into(), cols.into(), piece)?;
            board.ranked(hints.ranks.unwrap_or_default()).into()
        }
    };
    let place = hints.place(board, said)?;
    let order: Result<_, _> = words.iter().map(|word| place.vertex(word)).collect();
    place.headed(heading, order?)
}

/// Reads boards of numbers without lines between the squares; blank lines separate the boards. Returns `None` if a line
/// contains anything else, or if a board has only one row.
fn grids(text: &str) -> Option<Vec<Drawn<'_>>> {
    let (mut grids, mut heading, mut rows) = (Vec::new(), None, Vec::new());
    let mut end = |heading: &Option<Heading>, rows: &mut Vec<Vec<_>>| {
        if !rows.is_empty() {
            let (heading, rows) = (heading.clone(), std::mem::take(rows));
            grids.push(Drawn { heading, rows });
        }
    };
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            end(&heading, &mut rows);
            heading = Heading::find(line).or(heading);
            continue;
        }
        let cells = line.split(|c: char| c.is_whitespace() || ",;".contains(c));
        let cells: Vec<_> = cells.filter(|cell| !cell.is_empty()).collect();
        let is_cell = |cell: &&str| is_hole(cell) || cell.bytes().all(|b| b.is_ascii_digit());
        if !cells.iter().all(is_cell) {
            return None;
        }
        rows.push(cells);
    }
    end(&heading, &mut rows);
    let are_boards = !grids.is_empty() && grids.iter().all(|grid| grid.rows.len() > 1);
    are_boards.then_some(grids)
}

/// True if the text of a square marks a hole.
fn is_hole(cell: &str) -> bool {
    cell.contains(HOLE) || [".", "-"].contains(&cell)
}

/// Characters between the squares of a row: light, as this program draws them, or double.
const BARS: [char; 2] = ['│', '║'];

/// Characters that begin the last line of a board, and no other line.
const CORNERS: [char; 2] = ['└', '╚'];

/// Board drawn with numbers on its squares, with its heading.
struct Drawn<'t> {
    heading: Option<Heading>,
    /// Texts on the squares, row by row.
    rows: Vec<Vec<&'t str>>,
}

/// Returns all numbered boards of a text. The heading of a board is the last heading between the previous board and
/// this board.
fn boards(text: &str) -> Vec<Drawn<'_>> {
    let (mut boards, mut heading, mut rows) = (Vec::new(), None, Vec::new());
    for line in text.lines() {
        if line.contains(BARS) {
            // The name of the row stands before the first bar; the last bar ends the line.
            let mut cells: Vec<_> = line.split(BARS).skip(1).map(str::trim).collect();
            cells.pop();
            rows.push(cells);
        } else if line.contains(CORNERS) && !rows.is_empty() {
            boards.push(Drawn { heading: heading.take(), rows: std::mem::take(&mut rows) });
        } else if rows.is_empty() {
            heading = Heading::find(line).or(heading);
        }
    }
    if !rows.is_empty() {
        boards.push(Drawn { heading, rows });
    }
    boards
}

impl Drawn<'_> {
    fn claim(&self, hints: &Hints<'_>) -> Result<Claim, Reason> {
        let (order, holes) = numbered(&self.rows)?;
        let (rows, cols) = (self.rows.len() as u64, self.rows[0].len() as u64);
        let of_heading = self.heading.as_ref().map(|heading| *heading.board.board());
        let said = of_heading.map(|board| board.piece());
        let given = hints.board.map(|given| *given.board());
        let ranks = of_heading.or(given).map(|board| board.ranks());
        let piece = one_of(said, given.map(|board| board.piece()).or(hints.piece))?;
        let board = Board::new(rows, cols, piece)?.ranked(ranks.unwrap_or_default());
        let board = HoledBoard::new(board, holes)?;
        let place = hints.place(board.clone(), said)?;
        match &self.heading {
            Some(heading) if heading.board.sides() != board.sides() => {
                Err(Reason::OtherBoard { said: heading.board.sides(), drawn: board.sides() })
            }
            heading => place.headed(heading.as_ref(), order),
        }
    }
}

/// Returns the order in which the numbers on a board visit its squares, and the holes of the board.
fn numbered(rows: &[Vec<&str>]) -> Result<(Vec<Vertex>, Vec<Vertex>), Reason> {
    let cols = rows[0].len();
    for (row, cells) in (1..).zip(rows) {
        if cells.len() != cols {
            let (found, expected) = (cells.len(), cols);
            return Err(Reason::Ragged { row, found, expected });
        }
    }
    if cols == 0 {
        return Err(BoardError::Empty(rows.len() as u64, 0).into());
    }
    let mut visits = Vec::with_capacity(rows.len() * cols);
    let mut holes = Vec::new();
    for (square, cell) in (0..).zip(rows.iter().flatten()) {
        if is_hole(cell) {
            holes.push(Vertex::new(square));
            continue;
        }
        let number = cell.parse::<usize>();
        let number = number.map_err(|_| Reason::NotANumber((*cell).to_owned()))?;
        visits.push((number, Vertex::new(square - holes.len() as u32)));
    }
    visits.sort_unstable();
    // Numbers are counted from 0 if there is a 0, otherwise from 1.
    let first = visits.first().map_or(0, |visit| visit.0.min(1));
    let gap = (first..).zip(&visits).find(|(k, (number, _))| k != number);
    if let Some((k, _)) = gap {
        return Err(Reason::Missing(k));
    }
    let order = visits.into_iter().map(|(_, square)| square);
    Ok((order.collect(), holes))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDER: &str = "a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3";

    fn refused(text: &str) -> String {
        read(text, None).unwrap_err().to_string()
    }

    fn only(text: &str) -> Claim {
        let mut claims = read(text, None).unwrap();
        assert_eq!(claims.len(), 1);
        claims.remove(0)
    }

    #[test]
    fn a_table_of_tours_is_read() {
        let backwards: Vec<_> = ORDER.split(' ').rev().collect();
        let backwards = backwards.join(" ");
        let table = format!("# 3x4 knight\nrank,tour\n0,{ORDER}\n1,{backwards}\n");
        let claims = read(&table, None).unwrap();
        let starts = claims.iter().map(|claim| claim.check().unwrap().order()[0]);
        assert_eq!(starts.collect::<Vec<_>>(), [0, 11].map(Vertex::new));
    }

    #[test]
    fn what_is_written_is_read() {
        let petersen = (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
        let graph = Graph::from_edges(10, petersen).unwrap();
        let on_graph = Instance::on_graph("petersen", graph, TourKind::Open, Vertex::new(1)).unwrap();
        let order = [1, 0, 4, 3, 2, 7, 5, 8, 6, 9].map(Vertex::new).to_vec();
        let path = Tour::check(&on_graph, order).unwrap();
        let rook = Board::new(2, 3, Leaper::new(0, 1).unwrap()).unwrap();
        let on_board = Instance::on_board(rook, TourKind::Closed, Vertex::new(0)).unwrap();
        let order = [0, 1, 2, 5, 4, 3].map(Vertex::new).to_vec();
        let ring = Tour::check(&on_board, order).unwrap();
        let from_zero = on_graph.clone().numbered(Numbering::FromZero);
        let questions = [(from_zero, path.clone()), (on_graph, path), (on_board, ring)];
        for (instance, tour) in questions {
            let text = serde_json::to_string(&TourRecord::with_graph(&instance, &tour)).unwrap();
            let claim = only(&text);
            assert_eq!(claim.check(), Ok(tour));
            assert_eq!(claim.instance().to_string(), instance.to_string());
        }
    }

    #[test]
    fn objects_in_an_array_are_read_and_those_without_a_tour_left_out() {
        let tour = r#"{"instance": "3x4", "order": ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"],
            "tours": "open"}"#;
        let count = r#"{"instance": "3x4", "status": "count", "tour": null}"#;
        let claims = read(&format!(" [{count},\n{tour}, {tour}]\n"), None).unwrap();
        assert_eq!(claims.len(), 2);
        assert!(claims.iter().all(|claim| claim.check().is_ok()));
        assert!(read(&format!("[{count}]"), None).is_err());
        assert!(read(&format!("[{tour}, 3]"), None).is_err());
    }

    #[test]
    fn records_are_read() {
        let rings = [
            (r#""from-0""#, r#""vertices": 3"#, ["2", "0", "1"]),
            (r#""from-1""#, r#""vertices": 3"#, ["3", "1", "2"]),
            (r#""names""#, r#""vertices": 3, "names": ["x", "y", "z"]"#, ["z", "x", "y"]),
        ];
        for (numbering, vertices, [a, b, c]) in rings {
            let text = format!(
                r#"{{"question": "g", "graph_crc32": null, "tour": ["{a}", "{b}", "{c}"], "numbering": {numbering},
                    "details": {{"instance": "g", "tours": "closed", "start": "{a}", "statistics": {{}},
                    "graph": {{{vertices}, "edges": [["{b}", "{c}"], ["{a}", "{b}"], ["{a}", "{c}"]]}}}}}}"#
            );
            let claim = only(&text);
            assert_eq!(claim.check().unwrap().order(), [2, 0, 1].map(Vertex::new));
            assert_eq!(claim.instance().vertex_name(Vertex::new(2)), a);
        }
        let text = r#"{"tour": ["a1", "b1", "c1", "c2", "b2", "a2"], "numbering": "squares",
                       "details": {"instance": "2x3", "leaper": [0, 1]}}"#;
        assert_eq!(only(text).instance().kind(), TourKind::Closed);
    }

    #[test]
    fn orders_and_numbered_boards_are_read_as_the_same_tour() {
        let named = only(ORDER);
        assert_eq!(named.instance().to_string(), "3x4 knight, open tours, start a1");
        let tour = named.check().unwrap();
        let drawn = super::super::terminal::tour(named.instance(), &tour);
        let drawn = anstream::adapter::strip_str(&drawn).to_string();
        assert_eq!(only(&drawn).check(), Ok(tour.clone()));
        // The board as drawn in a notebook: double lines, no names, counted from 0.
        let double = "╔╗\n║ 0 ║ 3 ║  6 ║ 9 ║\n╠╣\n║ 7 ║ 10 ║ 1 ║ 4 ║\n╠╣\n║ 2 ║ 5 ║ 8 ║ 11 ║\n╚╝\n";
        assert_eq!(only(double).check(), Ok(tour));
        assert_eq!(read(&drawn.repeat(2), None).unwrap().len(), 2);
        assert_eq!(read(&format!("{ORDER}\n\n{ORDER}\n"), None).unwrap().len(), 2);
    }

    #[test]
    fn headings_say_the_board_the_piece_the_kind_and_the_start() {
        for text in [
            "3x4 knight",
            "3x4 knight, open tours",
            "10x10 (2,3)-leaper, closed tours, start c4",
            "5x5-a1 king, open tours, start b1",
            "9x9 (1,2)+(1,4)-leaper, closed tours",
            "6x6 knight, closed tours, start a1, force a1-b3, at c3=17",
        ] {
            let heading = Heading::parse(text).unwrap();
            assert_eq!(heading.to_string(), text);
            let shown = format!("two.json 2: {text}: a tour, checked move by move");
            assert_eq!(Heading::find(&shown), Some(heading));
        }
        for text in ["", "3x4", "3x4 pawn", "3x4 knight, round tours", "3x4 knight, open tours, start z9"] {
            assert_eq!(Heading::parse(text), None, "{text}");
        }
        let anywhere = Heading::parse("6x6 knight, open tours from anywhere, force a1-b3, here from e2").unwrap();
        assert_eq!(anywhere.to_string(), "6x6 knight, open tours, start e2, force a1-b3");
        let many = Heading::parse("3x4 knight, open tours, start a1, 10 constraints").unwrap();
        assert_eq!(many.to_string(), "3x4 knight, open tours, start a1");
        // A ring around the board, visited by a wazir, is also an open tour. From another start it is not a tour.
        let list = |heading: &str| format!("{heading}\na1 b1 c1 c2 b2 a2\n");
        let said = |text: &str, piece| read(text, piece).map(|c| c[0].instance().to_string());
        let wazir = Some("wazir".parse().unwrap());
        assert_eq!(
            said(&list("# 2x3 (0,1)-leaper, open tours"), None).unwrap(),
            "2x3 (0,1)-leaper, open tours, start a1"
        );
        assert_eq!(said(&list("# 2x3 wazir"), None).unwrap(), "2x3 (0,1)-leaper, closed tours, start a1");
        assert_eq!(said(&list("# made by hand"), wazir).unwrap(), "2x3 (0,1)-leaper, closed tours, start a1");
        assert_eq!(
            said(&list("# 2x3 knight"), wazir).unwrap_err().to_string(),
            "tour 1: the board is for the knight, but --piece, or the key \"piece\" or \"leaper\", names the (0,1)-leaper"
        );
        // Constraints of the heading are checked, and a forbidden move is a move.
        let violated = |constraint: &str| {
            let claims = read(&list(&format!("# 2x3 (0,1)-leaper, closed tours, {constraint}")), None).unwrap();
            claims[0].check().err().map(|wrong| wrong.to_string())
        };
        let ending = |end: &str| {
            let text = r#"{"instance": "2x3", "leaper": [0, 1], "order": ["a1", "b1", "c1", "c2", "b2", "a2"],
                "details": {"tours": "open", "end": "END"}}"#;
            read(&text.replace("END", end), None).unwrap()[0].check().err().map(|wrong| wrong.to_string())
        };
        assert_eq!(ending("a2"), None);
        assert_eq!(ending("b2").unwrap(), "the tour ends at a2, not at b2");
        assert_eq!(violated("at c1=3, forbid b1-b2"), None);
        assert_eq!(violated("forbid b1-c1").unwrap(), "the tour violates the constraint \"forbid b1-c1\"");
        assert_eq!(violated("at c1=3, at c2=5").unwrap(), "the tour violates the constraint \"at c2=5\"");
        let drawn = |heading: &str| format!("{heading}\n│ 1 │ 2 │ 3 │\n│ 6 │ 5 │ 4 │\n└\n");
        let start = read(&drawn("2x3 (0,1)-leaper, closed tours, start b1: a tour"), None).unwrap();
        assert!(start[0].check().is_err());
        assert_eq!(
            said(&drawn("3x3 (0,1)-leaper"), None).unwrap_err().to_string(),
            "tour 1: the heading names a board of 3x3, but the board below the heading is 2x3"
        );
    }

    #[test]
    fn the_kind_that_is_not_said_is_that_of_the_ends() {
        let text = r#"{"instance": "2x3", "leaper": [0, 1], "indices": [0, 1, 2, 5, 4, 3]}"#;
        assert_eq!(only(text).instance().kind(), TourKind::Closed);
        let text = r#"{"instance": "2x2", "piece": "king", "order": ["a1", "b2", "b1", "a2"]}"#;
        assert_eq!(only(text).instance().to_string(), "2x2 king, closed tours, start a1");
        let text = r#"{"instance": "2x3", "leaper": [1, 0], "indices": [0, 3, 4, 1, 2, 5]}"#;
        assert_eq!(only(text).instance().kind(), TourKind::Open);
        // Invalid vertices are reported by the check of the tour, not by the reader.
        let text = r#"{"instance": "2x3", "indices": [90, 91, 92]}"#;
        let wrong = only(text).check().unwrap_err().to_string();
        assert_eq!(wrong, "position 0 is vertex 91, which is not in 2x3");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, message) in [
            ("", "tour 1: the text is empty"),
            ("\n \n", "tour 1: the text is empty"),
            ("{", "tour 1: the JSON does not describe a tour: EOF while parsing"),
            (r#"{"indices": [1]}"#, "missing field `instance`"),
            (
                r#"{"instance": "5x5", "status": "no-tour"}"#,
                "tour 1: the JSON object has no \"tour\", \"order\" or \"indices\"; the status is \"no-tour\"",
            ),
            (
                r#"{"details": {"instance": "g", "graph": {"vertices": 2, "edges": [["1", "3"]]}}, "tour": ["1"]}"#,
                "\"3\" in \"edges\" is not a vertex",
            ),
            (
                r#"{"details": {"instance": "g", "graph": {"vertices": 2, "edges": []}}, "numbering": "from-2", "tour": ["1"]}"#,
                "\"numbering\" is \"from-2\"; choose from from-0, from-1, names, squares",
            ),
            (
                r#"{"instance": "3x3", "order": ["a1", "b3"], "indices": [0, 5]}"#,
                "tour 1: the lists \"order\" and \"indices\" differ at position 1",
            ),
            (r#"{"instance": "3x3", "order": ["a1"], "indices": [0, 5]}"#, "differ at position 1"),
            (
                r#"{"instance": "3x3", "order": [0, 5]}"#,
                "tour 1: the JSON does not describe a tour: invalid type: integer `0`, expected a string",
            ),
            (r#"{"instance": "3x3", "squares": ["a1"]}"#, "the JSON object has no \"tour\", \"order\" or \"indices\""),
            (
                r#"{"instance": "petersen", "indices": [0]}"#,
                "tour 1: the tour is on the graph \"petersen\", which the text does not contain; name the graph with --graph",
            ),
            (
                r#"{"instance": "g", "edges": [[0, 1]], "indices": [0]}"#,
                "tour 1: the key \"edges\" requires the key \"vertices\" (number of vertices)",
            ),
            (
                r#"{"instance": "g", "edges": [[0, 2]], "vertices": 2, "indices": [0, 1]}"#,
                "tour 1: edge 0-2 names vertex 2",
            ),
            (
                r#"{"instance": "g", "edges": [], "vertices": 4000000000, "indices": [0]}"#,
                "tour 1: the tour visits 1 vertices, but g has 4000000000",
            ),
            (
                r#"{"instance": "7000x7000", "order": ["a1", "b3"]}"#,
                "tour 1: the tour visits 2 vertices, but 7000x7000 has 49000000",
            ),
            (
                r#"{"instance": "1000x1000", "order": ["a1", "b3"]}"#,
                "tour 1: the tour visits 2 vertices, but 1000x1000 has 1000000",
            ),
            (r#"{"instance": "g", "edges": [[0, 1]], "vertices": 2, "order": ["0"]}"#, "tour 1: \"0\" is not a vertex"),
            (
                r#"{"instance": "g", "edges": [[0, 1]], "vertices": 2, "first": 2, "indices": [0]}"#,
                "tour 1: \"first\" is 2, but must be 0 or 1",
            ),
            (
                r#"{"instance": "g", "edges": [[0, 1]], "vertices": 2, "first": 0, "order": ["a"]}"#,
                "tour 1: \"a\" is not a vertex; vertices are numbered from 0",
            ),
            (
                r#"{"instance": "3x4", "leaper": [0, 0], "indices": [0]}"#,
                "tour 1: a (0,0)-leaper cannot move; \"leaper\" must be a jump such as [1, 2]",
            ),
            (
                r#"{"instance": "leaper:1,4:3x4", "leaper": [1, 3], "indices": [0]}"#,
                "tour 1: the board is for the (1,4)-leaper, but --piece, or the key \"piece\" or \"leaper\", names the (1,3)-leaper",
            ),
            (
                r#"{"instance": "3x4", "piece": "king", "leaper": [1, 3], "indices": [0]}"#,
                "tour 1: the board is for the king, but --piece, or the key \"piece\" or \"leaper\", names the (1,3)-leaper",
            ),
            (
                r#"{"instance": "king:3x4", "piece": "wazir", "indices": [0]}"#,
                "tour 1: the board is for the king, but --piece, or the key \"piece\" or \"leaper\", names the (0,1)-leaper",
            ),
            (
                r#"{"instance": "3x4", "piece": "kng", "indices": [0]}"#,
                "tour 1: unknown piece \"kng\": did you mean king?",
            ),
            (
                r#"{"instance": "3x4", "tours": "round", "indices": [0]}"#,
                "tour 1: unknown kind of tour \"round\"; choose from closed, open",
            ),
            (r#"{"instance": "3x4", "order": ["e1"]}"#, "tour 1: square e1 is not on the 3x4 board"),
            ("a1 b3\nhello", "tour 2: \"hello\" is not the name of a square, such as a1"),
            ("a1 17", "tour 1: \"17\" is not the name of a square"),
            ("│ 1 │ 2 │\n│ 3 │\n", "tour 1: row 2 of the board has 1 squares, but the first row has 2"),
            ("│ 1 │ x │\n", "tour 1: \"x\" on the board is not a number; write the position of the square in the tour"),
            ("│ 1 │ 3 │\n", "tour 1: number 2 is missing from the board, or a smaller number occurs twice"),
            ("│ 1 │ 1 │\n", "tour 1: number 2 is missing from the board, or a smaller number occurs twice"),
            ("│ 2 │ 3 │\n", "tour 1: number 1 is missing from the board, or a smaller number occurs twice"),
        ] {
            let said = refused(text);
            assert!(said.contains(message), "{text}: {said}");
        }
        // A single bar is read as a board without squares, and does not crash the reader.
        assert!(refused("│").contains("has no squares"));
    }
}
