//! Tours in files: written as JSON, read from JSON, from numbered boards and from orders of squares.
//!
//! The JSON of a tour is an object, whose other fields are not looked at:
//!
//! ```json
//! {"instance": "3x4", "tours": "open", "start": "a1",
//!  "order": ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"],
//!  "indices": [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11]}
//! ```
//!
//! - `instance`: the board, such as `3x4`, `leaper:1,4:10x10` or `5x6-a1`; or the graph, a file or one of a family.
//! - `leaper`: the piece's jump such as `[1, 4]`, which may also stand in the board; if it stands nowhere, the piece
//!   is the knight.
//! - `graph_crc32`: checksum of a graph's edges, 8 hexadecimal digits. A graph with another checksum is refused.
//! - `tours`: `closed` or `open`; without it, closed if the last vertex is adjacent to the first.
//! - `start`: the name of the first vertex, which the order is held against; it may be left out.
//! - `order`: the names of the vertices in order, always strings: squares such as `"a1"`, names or numbers of vertices as the
//!   graph's file has them.
//! - `indices`: the same vertices counted from 0: row by row from the top left of a board, holes left out; of a graph in the
//!   order of its file. One of the two lists is enough; both have to agree.
//!
//! A record that has to outlive the graph's file carries the graph itself ([`GraphRecord`]): `vertices`, how many there are;
//! `edges`, pairs counted from 0; and `first` or `names`, how vertices are called. Files of versions before 0.2 always do;
//! their `order` has numbers counted from 0, and their names are called `squares`.
//!
//! What `hamcnf solve --json` prints is such a file too: `tour` stands for `order`, the object `details` has the board or graph,
//! the kind of tours and the start, and with `--edges` the `graph`, whose edges are pairs of names as `numbering` says.
//!
//! Several objects in one file are several tours, one per line or in an array, as `hamcnf compare --json` prints them. A text that begins otherwise is a numbered board in box-drawing
//! characters, as [`terminal`](super::terminal) draws it, counted from 1 or from 0, holes filled with `█`; or the same
//! numbers alone, in rows with blanks or commas between them, `.` or `-` for a hole, a blank line between two tours; or, line by
//! line, the names of squares in order (`a1 b3 c5 …`) on the smallest board that has them all. Before all three may stand a
//! [`Heading`], which says the board, the piece, the kind of tours and the start. What has a `TOUR_SECTION` is TSPLIB's
//! ([`tsplib`]).

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use hamcnf_graph::{
    Board, BoardError, Graph, GraphError, HoledBoard, Instance, InstanceError, Leaper, NoSuchName,
    NotATour, NotNames, Numbering, Placement, Queens, Ranks, Tour, TourKind, Vertex, VertexNames,
    VertexWords,
};
use serde::{Deserialize, Serialize};

use super::tsplib::{self, TsplibError};

/// What fills a square that is not there.
pub(super) const HOLE: &str = "█";

/// A tour, to be written as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TourRecord {
    /// The board, or the graph's file or family.
    pub instance: String,
    /// Checksum of the graph's edges; `None` for a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub graph_crc32: Option<String>,
    /// The graph itself, in a record that has to outlive its file.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub graph: Option<GraphRecord>,
    /// Closed or open.
    pub tours: String,
    /// The start's name.
    pub start: String,
    /// The rest of it.
    #[serde(flatten)]
    pub visits: Visits,
}

impl TourRecord {
    /// The record of a tour.
    #[must_use]
    pub fn new(instance: &Instance, tour: &Tour) -> Self {
        Self {
            instance: instance.name().to_owned(),
            graph_crc32: graph_crc32(instance),
            graph: None,
            tours: instance.kind().to_string(),
            start: instance.vertex_name(instance.start()),
            visits: Visits::new(instance, tour),
        }
    }

    /// The record of a tour with its graph, which is read without the graph's file.
    #[must_use]
    pub fn with_graph(instance: &Instance, tour: &Tour) -> Self {
        Self {
            graph: GraphRecord::of(instance),
            ..Self::new(instance, tour)
        }
    }
}

/// The checksum of a graph's edges as JSON has it; `None` for a board.
#[must_use]
pub fn graph_crc32(instance: &Instance) -> Option<String> {
    let graph = instance.squares().is_none().then(|| instance.graph())?;
    Some(checksum(graph))
}

/// The CRC-32 of a graph's edges in 8 hexadecimal digits.
fn checksum(graph: &Graph) -> String {
    format!("{:08x}", graph.crc32())
}

/// A graph in a record.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GraphRecord {
    /// Number of vertices.
    pub vertices: u32,
    /// Pairs of vertices, counted from 0.
    pub edges: Vec<(u32, u32)>,
    /// The number of the first vertex in names, unless that is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// The names of the vertices, unless they are numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
}

impl GraphRecord {
    /// The graph of an instance; `None` for a board, whose name says it.
    #[must_use]
    pub fn of(instance: &Instance) -> Option<Self> {
        if instance.squares().is_some() {
            return None;
        }
        let graph = instance.graph();
        let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
        let names = instance.vertex_names();
        let numbering = Some(names.numbering()).filter(|_| names.words().is_none());
        let words = names.words();
        Some(Self {
            vertices: graph.n_vertices(),
            edges: edges
                .map(|arc| (arc.tail.number(), arc.head.number()))
                .collect(),
            first: numbering
                .filter(|&numbering| numbering != Numbering::default())
                .map(Numbering::first),
            names: words.map(|words| words.iter().map(str::to_owned).collect()),
        })
    }
}

/// A placement of queens, to be written as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlacementRecord {
    /// How many.
    pub queens: u32,
    /// The row of the queen in each column, counted from 0.
    pub rows: Vec<u32>,
    /// The names of their squares, column by column.
    pub squares: Vec<String>,
}

impl PlacementRecord {
    /// The record of a placement.
    #[must_use]
    pub fn new(queens: &Queens, placement: &Placement) -> Self {
        let squares = placement.squares(queens).into_iter();
        Self {
            queens: queens.n(),
            rows: placement.rows().to_vec(),
            squares: squares.map(|v| queens.board().square_name(v)).collect(),
        }
    }
}

/// Vertices of a tour in a record that says the instance, the kind of tours and the start already.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Visits {
    /// The piece's jump, unless it is a knight or there is no board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaper: Option<(u32, u32)>,
    /// The names of the vertices in order.
    pub order: Vec<String>,
    /// The vertices in order, counted from 0.
    pub indices: Vec<u32>,
}

impl Visits {
    /// The visits of a tour.
    #[must_use]
    pub fn new(instance: &Instance, tour: &Tour) -> Self {
        let leaper = instance.squares().map(|board| board.board().leaper());
        let name = |&v: &Vertex| instance.vertex_name(v);
        Self {
            leaper: leaper.filter(|&l| l != Leaper::KNIGHT).map(Leaper::legs),
            order: tour.order().iter().map(name).collect(),
            indices: tour.order().iter().map(|v| v.number()).collect(),
        }
    }
}

/// What stands before tours on a board in a text, as in what `hamcnf solve` prints:
/// `10x10 (2,3)-leaper, closed tours, start c4`. The kind of tours and the start may be left out. Before lists of
/// squares it is a comment, after `#`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    board: HoledBoard,
    kind: Option<TourKind>,
    start: Option<Vertex>,
}

impl Heading {
    /// That of tours of an instance from any start, if it is on a board.
    #[must_use]
    pub fn of_tours(instance: &Instance) -> Option<Self> {
        Some(Self {
            board: instance.squares()?.clone(),
            kind: Some(instance.kind()),
            start: None,
        })
    }

    /// The heading in a line, which may have something else before and after it, with colons between.
    fn find(line: &str) -> Option<Self> {
        let line = line.trim_start().trim_start_matches('#');
        line.split(": ").find_map(|part| Self::parse(part.trim()))
    }

    fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(", ");
        let (sides, piece) = parts.next()?.split_once(' ')?;
        let leaper = match piece.strip_prefix('(') {
            Some(jump) => jump.strip_suffix(")-leaper")?.parse().ok()?,
            None if piece == Leaper::KNIGHT.to_string() => Leaper::KNIGHT,
            None => return None,
        };
        let board = sides.parse::<HoledBoard>().ok()?.with(leaper).ok()?;
        let kind = match parts.next() {
            Some(tours) => Some(tours.strip_suffix(TOURS)?.parse().ok()?),
            None => None,
        };
        let start = match parts.next() {
            Some(start) => Some(board.vertex_named(start.strip_prefix(START)?).ok()?),
            None => None,
        };
        Some(Self { board, kind, start })
    }
}

const TOURS: &str = " tours";
const START: &str = "start ";

impl fmt::Display for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.board.sides(), self.board.board().leaper())?;
        if let Some(kind) = self.kind {
            write!(f, ", {kind}{TOURS}")?;
        }
        match self.start {
            Some(start) => write!(f, ", {START}{}", self.board.vertex_name(start)),
            None => Ok(()),
        }
    }
}

/// What a file says: an order of vertices and which tour it is said to be. Nothing of it is checked yet.
#[derive(Clone, Debug)]
pub struct Claim {
    instance: Instance,
    order: Vec<Vertex>,
}

impl Claim {
    /// Which tour it is said to be.
    #[must_use]
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// The tour, if it is one.
    ///
    /// # Errors
    ///
    /// [`NotATour`] names the first move that is wrong.
    pub fn check(&self) -> Result<Tour, NotATour> {
        Tour::check(&self.instance, self.order.clone())
    }

    /// Replaces the numbering of the ranks of its board.
    fn ranked(self, ranks: Ranks) -> Self {
        Self {
            instance: self.instance.ranked(ranks),
            ..self
        }
    }
}

/// A graph with the name that files call it by.
#[derive(Clone, Debug)]
pub struct NamedGraph {
    /// The file or family.
    pub name: String,
    /// The graph.
    pub graph: Graph,
    /// Names of the vertices.
    pub names: VertexNames,
}

impl NamedGraph {
    fn checksum(&self) -> String {
        checksum(&self.graph)
    }
}

/// Finds the graph that the JSON of a tour names.
pub type FindGraph<'a> = dyn Fn(&str) -> Result<NamedGraph, Box<dyn Error + Send + Sync>> + 'a;

/// Facts about tours that their file may leave out.
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    /// The piece.
    pub leaper: Option<Leaper>,
    /// The board.
    pub board: Option<&'a HoledBoard>,
    /// Direction of the ranks in lists of squares without a heading, and in what is made of all tours.
    pub ranks: Option<Ranks>,
    /// Looks graphs up by their names. Without it they are not looked up.
    pub find: Option<&'a FindGraph<'a>>,
}

/// A tour that cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("tour {number}: {reason}")]
pub struct ReadError {
    /// Which of the file's tours, counted from 1.
    pub number: usize,
    /// Why not.
    pub reason: Reason,
}

/// Why a tour cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Reason {
    /// There is nothing to read.
    #[error("there is none, the text is empty")]
    Empty,
    /// It is not JSON, or not of the form of a tour.
    #[error("it is not the JSON of a tour: {0}")]
    Json(serde_json::Error),
    /// No list of vertices.
    #[error("it has no 'tour', 'order' or 'indices'{}", .0.as_ref().map_or(String::new(), |s| format!(": its status is '{s}'")))]
    NoOrder(Option<String>),
    /// Two lists of the vertices are not the same.
    #[error("'{0}' and '{1}' disagree at position {2}")]
    Disagreement(&'static str, &'static str, usize),
    /// A graph that is not looked up.
    #[error("it is of the graph '{0}', which is not in it; name the graph with --graph")]
    NoGraph(String),
    /// A graph that is not where the text says.
    #[error("its graph is not found: {0}; name the graph with --graph")]
    NotFound(Box<dyn Error + Send + Sync>),
    /// A graph that has changed, or another one.
    #[error(
        "the CRC-32 of its graph's edges is '{said}', and that of '{name}' is {found}; name the right graph with --graph"
    )]
    OtherGraph {
        /// The checksum in the text.
        said: String,
        /// The graph that it was held against.
        name: String,
        /// The checksum of that graph.
        found: String,
    },
    /// Another board than the one that was given.
    #[error("it is of the board {said}, and --graph says {given}")]
    NotThatBoard {
        /// The board of the text.
        said: String,
        /// The given one.
        given: String,
    },
    /// There are edges, but no number of vertices.
    #[error("it has 'edges' without 'vertices', their number")]
    NoVertices,
    /// The board, the piece or a square is none.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The jump (0, 0).
    #[error("a (0,0)-leaper stays where it is")]
    NoLeaper,
    /// The piece is said twice, and not the same.
    #[error("its piece is the {said}, and --leaper or 'leaper' the {other}")]
    OtherPiece {
        /// The piece of its board.
        said: Leaper,
        /// The other.
        other: Leaper,
    },
    /// The heading is of another board than the one below it.
    #[error("its heading says {said}, and the board below it is {drawn}")]
    OtherBoard {
        /// The heading's.
        said: String,
        /// The one below.
        drawn: String,
    },
    /// The edges are not those of a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph, the start and the kind of tours are not a question.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// There is no such kind of tours.
    #[error(transparent)]
    Kind(#[from] NoSuchName),
    /// Not a vertex of a graph.
    #[error("'{0}' is not a vertex: vertices of graphs are numbers counted from {1}")]
    NotAVertex(String, u32),
    /// Not the name of a vertex of a graph.
    #[error("'{0}' is not the name of a vertex")]
    NotNamed(String),
    /// Where a tour of a graph was looked for.
    #[error("there is none: no line has numbers of vertices alone")]
    NoNumbers,
    /// Where a tour of a graph whose vertices have names was looked for.
    #[error("there is none: no line has names of vertices alone")]
    NoNames,
    /// The names of a graph's vertices cannot be.
    #[error(transparent)]
    Names(#[from] NotNames),
    /// Not as many names as vertices.
    #[error("it has {found} 'names' of {n} vertices")]
    NamesOf {
        /// Names.
        found: usize,
        /// Vertices.
        n: u32,
    },
    /// It is not one of TSPLIB's.
    #[error(transparent)]
    Tsplib(#[from] TsplibError),
    /// One of TSPLIB's that does not say of what it is.
    #[error("it does not say of which board it is; name its board or graph with --graph")]
    OfNothing,
    /// Neither 0 nor 1.
    #[error("'first' is {0}: vertices are numbered from 0 or from 1")]
    First(u32),
    /// Too few for the graph even to be made.
    #[error("it visits {found} vertices, and {name} has {n}")]
    FarTooFew {
        /// Vertices visited.
        found: usize,
        /// The board or graph.
        name: String,
        /// Its vertices.
        n: u32,
    },
    /// A square without letters in a line of names.
    #[error("'{0}' is not the name of a square, such as a1{hint}", hint = graph_hint(.0))]
    NotAName(String),
    /// A row is longer or shorter than the first.
    #[error("row {row} of the board has {found} squares, and the first has {expected}")]
    Ragged {
        /// The row, counted from 1.
        row: usize,
        /// Its squares.
        found: usize,
        /// Those of the first.
        expected: usize,
    },
    /// A square without a number.
    #[error("'{0}' is on the board, where a number should be")]
    NotANumber(String),
    /// The numbers on the board are not those of a tour.
    #[error("number {0} is missing on the board, or another one comes twice")]
    Missing(usize),
}

/// Advice on a number where the name of a square should be.
fn graph_hint(word: &str) -> &'static str {
    match word.starts_with(|c: char| c.is_ascii_digit()) {
        true => "; if it is a vertex of a graph, name the graph with --graph",
        false => "",
    }
}

impl Reason {
    /// Whether what was read is no tour whatever was meant: a number or a square that cannot be, as opposed to a
    /// text that is none of a tour.
    #[must_use]
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

/// A file of which more than this many vertices are missing is not held against its graph.
const MOST_MISSING: u64 = 1 << 16;

/// All tours that a text has; one at least. They are those of the piece that it says, else of this one, else of
/// the knight. Graphs that are not in the text are refused.
///
/// # Errors
///
/// [`ReadError`], of the first that cannot be read.
pub fn read(text: &str, piece: Option<Leaper>) -> Result<Vec<Claim>, ReadError> {
    let leaper = piece;
    read_with(
        text,
        &Hints {
            leaper,
            ..Hints::default()
        },
    )
}

/// Reads the tours of a text, at least one, with the graph that it may leave out.
///
/// # Errors
///
/// [`ReadError`], of the first that cannot be read.
pub fn read_with(text: &str, hints: &Hints<'_>) -> Result<Vec<Claim>, ReadError> {
    let text = &*without_brackets(text);
    let claims: Vec<Result<Claim, Reason>> = if let Some(objects) = objects(text) {
        let claims = objects.into_iter().map(|object| object?.claim(hints));
        claims.collect()
    } else if tsplib::is(text) {
        match tsplib::read(text) {
            Ok(tours) => tours
                .into_iter()
                .map(|tour| of_tsplib(tour, hints))
                .collect(),
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

/// Returns the line of vertices that a flat list of JSON or Python has: `["a1", "b3"]`, `(1, 2)`. Other texts stay as they are.
fn without_brackets(text: &str) -> Cow<'_, str> {
    let inner = text.trim();
    let list = inner
        .strip_prefix('[')
        .and_then(|list| list.strip_suffix(']'));
    let tuple = || {
        inner
            .strip_prefix('(')
            .and_then(|list| list.strip_suffix(')'))
    };
    match list.or_else(tuple) {
        Some(list) if !list.contains(['[', ']', '(', ')', '{', '}']) => {
            let gap = |c: char| ['\'', '"', ','].contains(&c) || c.is_whitespace();
            let words = list.split(gap).filter(|word| !word.is_empty());
            Cow::Owned(words.collect::<Vec<_>>().join(" "))
        }
        _ => Cow::Borrowed(text),
    }
}

/// Returns the JSON objects of a text, one after the other or in an array. Of an array, objects without a tour are left out, such
/// as records of counts, unless all are.
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

/// The tours, or the first error with its number; an error where there are none.
fn numbered_from_one(claims: Vec<Result<Claim, Reason>>) -> Result<Vec<Claim>, ReadError> {
    if claims.is_empty() {
        let (number, reason) = (1, Reason::Empty);
        return Err(ReadError { number, reason });
    }
    let numbered = (1..).zip(claims);
    numbered
        .map(|(number, claim)| claim.map_err(|reason| ReadError { number, reason }))
        .collect()
}

/// Reads the tours of a graph in a text, at least one: JSON, TSPLIB's, or lines of names or numbers of vertices, as `hamcnf
/// solve` prints them. Lines with anything else are not looked at. A tour is a closed one where its ends are adjacent,
/// or where its first vertex is there again at its end, unless JSON says its kind.
///
/// # Errors
///
/// [`ReadError`], of the first that cannot be read.
pub fn read_on(text: &str, of: &NamedGraph) -> Result<Vec<Claim>, ReadError> {
    let text = &*without_brackets(text);
    let NamedGraph { graph, names, .. } = of;
    if let Some(objects) = objects(text) {
        let claims = objects
            .into_iter()
            .map(|object| object?.claim_on(of.clone()));
        return numbered_from_one(claims.collect());
    }
    let orders: Vec<Result<Vec<Vertex>, Reason>> = if tsplib::is(text) {
        // These are numbered from 1 whatever their names are.
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
            Ok(tours) => tours.into_iter().map(|tour| known(tour.order)).collect(),
            Err(error) => vec![Err(error.into())],
        }
    } else {
        let lines = text.lines();
        lines
            .filter_map(|line| order_in(line, graph, names))
            .collect()
    };
    if orders.is_empty() {
        let reason = match names {
            VertexNames::Numbers(_) => Reason::NoNumbers,
            VertexNames::Words(_) => Reason::NoNames,
        };
        let number = 1;
        return Err(ReadError { number, reason });
    }
    let claims = orders.into_iter().map(|order| claim_on(of, order?));
    numbered_from_one(claims.collect())
}

/// The vertices in a line that has nothing but their names: numbers, or words that are names.
fn order_in(line: &str, graph: &Graph, names: &VertexNames) -> Option<Result<Vec<Vertex>, Reason>> {
    let words = line.split(|c: char| c.is_whitespace() || c == ',');
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let vertices = words
        .iter()
        .map(|word| names.vertex(word, graph.n_vertices()));
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

/// The tour of a graph that passes these vertices.
fn claim_on(of: &NamedGraph, mut order: Vec<Vertex>) -> Result<Claim, Reason> {
    let NamedGraph { name, graph, names } = of;
    let start = order[0];
    // A list that comes back to where it began is a closed tour, said once more.
    let comes_back = order.len() == graph.n_vertices() as usize + 1 && order.last() == Some(&start);
    if comes_back {
        order.pop();
    }
    let kind = match comes_back {
        true => TourKind::Closed,
        false => kind_of(graph, &order),
    };
    let instance = Instance::on_graph(name, graph.clone(), kind, start)?;
    let instance = instance.called(names.clone());
    Ok(Claim { instance, order })
}

/// The tour that TSPLIB's says, on the board of a comment or of its name, or else on the given one.
fn of_tsplib(tour: tsplib::Listed, hints: &Hints<'_>) -> Result<Claim, Reason> {
    let heading = tour.comments.iter().find_map(|line| Heading::find(line));
    if let Some(Heading { board, kind, start }) = heading {
        let leaper = board.board().leaper();
        return hints
            .place(board, Some(leaper))?
            .claim(kind, start, tour.order);
    }
    let board = tour.name.and_then(|name| name.parse::<HoledBoard>().ok());
    let board = match (board, hints.board) {
        (Some(board), _) => board,
        (None, Some(given)) => given.clone(),
        (None, None) => return Err(Reason::OfNothing),
    };
    let said = Some(board.board().leaper()).filter(|&leaper| leaper != Leaper::KNIGHT);
    hints.place(board, said)?.claim(None, None, tour.order)
}

impl Hints<'_> {
    /// The board that a text says, which has to be the given one if one is given.
    fn place(&self, board: HoledBoard, said: Option<Leaper>) -> Result<Place, Reason> {
        let given = self.board.map(|given| given.board().leaper());
        let board = board.with(one_of(said, given.or(self.leaper))?)?;
        if let Some(given) = self.board {
            // Whatever the squares are called.
            let plain = |board: &HoledBoard| board.clone().ranked(Ranks::Down);
            if plain(given) != plain(&board) {
                return Err(Reason::NotThatBoard {
                    said: board.to_string(),
                    given: given.to_string(),
                });
            }
        }
        Ok(Place::Board(board))
    }
}

/// Names of vertices, or their numbers counted from 0.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a list of names, or of numbers counted from 0")]
enum Order {
    /// Before version 0.2.
    Indices(Vec<u32>),
    Names(Vec<String>),
}

/// The fields of the JSON of a tour, or of a record with a tour, that are looked at.
#[derive(Deserialize)]
struct Object {
    instance: Option<String>,
    leaper: Option<(u32, u32)>,
    graph_crc32: Option<String>,
    vertices: Option<u32>,
    edges: Option<Vec<(u32, u32)>>,
    first: Option<u32>,
    names: Option<Vec<String>>,
    tours: Option<String>,
    start: Option<String>,
    tour: Option<Order>,
    order: Option<Order>,
    indices: Option<Vec<u32>>,
    /// The names before version 0.2.
    squares: Option<Vec<String>>,
    status: Option<String>,
    numbering: Option<String>,
    #[serde(default)]
    details: RecordDetails,
}

/// Details of a record.
#[derive(Default, Deserialize)]
struct RecordDetails {
    instance: Option<String>,
    leaper: Option<(u32, u32)>,
    tours: Option<String>,
    start: Option<String>,
    graph: Option<RecordGraph>,
}

/// The graph of a record.
#[derive(Deserialize)]
struct RecordGraph {
    vertices: u32,
    edges: Vec<(String, String)>,
    names: Option<Vec<String>>,
}

/// A JSON object that is not of a tour.
#[derive(Debug, thiserror::Error)]
enum NotFields {
    /// The text names no board or graph.
    #[error("missing field `instance`")]
    NoInstance,
    /// Names of vertices are of no kind.
    #[error("'numbering' is '{0}': it is from-0, from-1, names or squares")]
    Numbering(String),
    /// An edge has an end that is no vertex.
    #[error("'{0}' in 'edges' is not a vertex")]
    NotAVertex(String),
    /// The names of the vertices cannot be.
    #[error(transparent)]
    Names(#[from] NotNames),
}

/// Facts about a tour, from all places where the JSON has them.
#[derive(Deserialize)]
#[serde(try_from = "Object")]
struct Fields {
    instance: String,
    leaper: Option<(u32, u32)>,
    graph_crc32: Option<String>,
    vertices: Option<u32>,
    edges: Option<Vec<(u32, u32)>>,
    first: Option<u32>,
    names: Option<Vec<String>>,
    tours: Option<String>,
    start: Option<String>,
    tour: Option<Order>,
    order: Option<Order>,
    indices: Option<Vec<u32>>,
    squares: Option<Vec<String>>,
    status: Option<String>,
}

impl TryFrom<Object> for Fields {
    type Error = NotFields;

    fn try_from(object: Object) -> Result<Self, NotFields> {
        let details = object.details;
        let instance = object.instance.or(details.instance);
        let mut fields = Self {
            instance: instance.ok_or(NotFields::NoInstance)?,
            leaper: object.leaper.or(details.leaper),
            graph_crc32: object.graph_crc32,
            vertices: object.vertices,
            edges: object.edges,
            first: object.first,
            names: object.names,
            tours: object.tours.or(details.tours),
            start: object.start.or(details.start),
            tour: object.tour,
            order: object.order,
            indices: object.indices,
            squares: object.squares,
            status: object.status,
        };
        let numbering = object.numbering.as_deref();
        // A board is known by its name.
        if let Some(graph) = details.graph.filter(|_| numbering != Some("squares")) {
            fields.take(graph, numbering)?;
        }
        Ok(fields)
    }
}

impl Fields {
    /// Takes the graph of a record.
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
        self.vertices = Some(graph.vertices);
        self.first = Some(names.numbering().first());
        self.names = graph.names;
        Ok(())
    }
}

impl Fields {
    /// True if the object has a tour in any of its forms.
    fn have_tour(&self) -> bool {
        self.tour.is_some()
            || self.order.is_some()
            || self.indices.is_some()
            || self.squares.is_some()
    }

    fn claim(self, hints: &Hints<'_>) -> Result<Claim, Reason> {
        let place = self.place(hints)?;
        self.claim_at(place)
    }

    /// The tour on this graph, whose checksum has to be that of the text.
    fn claim_on(self, graph: NamedGraph) -> Result<Claim, Reason> {
        let of_edges = match self.own_graph()? {
            Some(own) => Some(own.made()?.checksum()),
            None => None,
        };
        self.is_of(&graph, of_edges.as_ref())?;
        self.is_of(&graph, self.graph_crc32.as_ref())?;
        self.claim_at(Place::Graph(graph))
    }

    /// Refuses a graph with another checksum than this one.
    fn is_of(&self, graph: &NamedGraph, said: Option<&String>) -> Result<(), Reason> {
        let found = graph.checksum();
        match said {
            Some(said) if !said.eq_ignore_ascii_case(&found) => Err(Reason::OtherGraph {
                said: said.clone(),
                name: graph.name.clone(),
                found,
            }),
            _ => Ok(()),
        }
    }

    /// The graph that the text has itself.
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
        Ok(Some(Unmade {
            name,
            edges,
            n,
            names,
        }))
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
        let field = match self.leaper {
            Some((a, b)) => Some(Leaper::new(a, b).ok_or(Reason::NoLeaper)?),
            None => None,
        };
        // A knight's board does not say so.
        let said = Some(board.board().leaper()).filter(|&leaper| leaper != Leaper::KNIGHT);
        let board = board.with(one_of(said, field)?)?;
        hints.place(board, said.or(field))
    }

    fn claim_at(self, place: Place) -> Result<Claim, Reason> {
        let of_names = |names: Vec<String>| {
            let vertices = names.iter().map(|name| place.vertex(name));
            vertices.collect::<Result<Vec<_>, _>>()
        };
        let of_indices =
            |indices: Vec<u32>| -> Vec<_> { indices.into_iter().map(Vertex::new).collect() };
        let listed = |order: Order| match order {
            Order::Indices(indices) => Ok(of_indices(indices)),
            Order::Names(names) => of_names(names),
        };
        let (tour, order) = (self.tour.map(listed), self.order.map(listed));
        let lists = [
            ("tour", tour.transpose()?),
            ("order", order.transpose()?),
            ("indices", self.indices.map(of_indices)),
            ("squares", self.squares.map(of_names).transpose()?),
        ];
        let mut lists = lists
            .into_iter()
            .filter_map(|(name, list)| Some((name, list?)));
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
        place.claim(kind, start, order)
    }
}

/// A graph in a text, before memory is taken for all of its vertices.
struct Unmade {
    name: String,
    edges: Vec<(u32, u32)>,
    n: u32,
    names: VertexNames,
}

impl Unmade {
    fn made(self) -> Result<NamedGraph, Reason> {
        let Self {
            name,
            edges,
            n,
            names,
        } = self;
        let graph = Graph::from_edges(n, edges)?;
        Ok(NamedGraph { name, graph, names })
    }
}

/// Board or graph that a tour is said to be of.
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
        // A number beyond the last is for the check to name.
        let vertex = names.vertex(name, u32::MAX);
        vertex.ok_or_else(|| match names {
            VertexNames::Numbers(numbering) => {
                Reason::NotAVertex(name.to_owned(), numbering.first())
            }
            VertexNames::Words(_) => Reason::NotNamed(name.to_owned()),
        })
    }

    fn claim(
        self,
        kind: Option<TourKind>,
        start: Option<Vertex>,
        order: Vec<Vertex>,
    ) -> Result<Claim, Reason> {
        let (name, n) = match &self {
            Self::Board(board) => (board.to_string(), board.n_squares()),
            Self::Graph(of) => (of.name.clone(), of.graph.n_vertices()),
            Self::Unmade(of) => (of.name.clone(), of.n),
        };
        if u64::from(n) > order.len() as u64 + MOST_MISSING {
            let found = order.len();
            return Err(Reason::FarTooFew { found, name, n });
        }
        // A first vertex that there is not is for the check to name.
        let first = order.first().copied().filter(|v| v.number() < n);
        let start = start.or(first).unwrap_or(Vertex::new(0));
        let NamedGraph { name, graph, names } = match self {
            Self::Board(board) => {
                let kind = kind.unwrap_or_else(|| kind_of(&board.graph(), &order));
                let instance = Instance::on_holed(board, kind, start)?;
                return Ok(Claim { instance, order });
            }
            Self::Graph(graph) => graph,
            Self::Unmade(graph) => graph.made()?,
        };
        let kind = kind.unwrap_or_else(|| kind_of(&graph, &order));
        let instance = Instance::on_graph(name, graph, kind, start)?.called(names);
        Ok(Claim { instance, order })
    }
}

/// Closed if the ends are adjacent, where it is not said.
fn kind_of(graph: &Graph, order: &[Vertex]) -> TourKind {
    let known = |&v: &Vertex| v.number() < graph.n_vertices();
    match (order.first(), order.last()) {
        (Some(first), Some(last)) if known(first) && known(last) && order.len() > 2 => {
            match graph.arc(*last, *first) {
                Some(_) => TourKind::Closed,
                None => TourKind::Open,
            }
        }
        _ => TourKind::Open,
    }
}

/// The piece that is said, or else the other, or else the knight.
fn one_of(said: Option<Leaper>, other: Option<Leaper>) -> Result<Leaper, Reason> {
    match (said, other) {
        (Some(said), Some(other)) if said != other => Err(Reason::OtherPiece { said, other }),
        _ => Ok(said.or(other).unwrap_or(Leaper::KNIGHT)),
    }
}

/// Every line of squares' names, with the last heading before it.
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

/// A line of squares' names, on the board of the heading, or else on the given one, or else on the smallest that has them all.
fn named(line: &str, heading: Option<&Heading>, hints: &Hints<'_>) -> Result<Claim, Reason> {
    // Names are read as those of a board that is as large as boards get, and then of their own.
    let largest = Board::new(4000, 4000, Leaper::KNIGHT)?;
    let words: Vec<_> = line
        .split(|c: char| c.is_whitespace() || c == ',')
        .filter(|word| !word.is_empty())
        .collect();
    let (mut rows, mut cols) = (0, 0);
    for word in &words {
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(Reason::NotAName((*word).to_owned()));
        }
        let square = largest.square(word).map_err(|error| match error {
            // Which would say that numbers will do.
            BoardError::SquareSyntax(word) => Reason::NotAName(word),
            error => error.into(),
        })?;
        let (row, col) = largest.row_col(square);
        (rows, cols) = (rows.max(row + 1), cols.max(col + 1));
    }
    let said = heading.map(|heading| heading.board.board().leaper());
    let board = match (heading, hints.board) {
        (Some(heading), _) => heading.board.clone(),
        (None, Some(given)) => given.clone(),
        (None, None) => {
            let leaper = one_of(said, hints.leaper)?;
            let board = Board::new(rows.into(), cols.into(), leaper)?;
            board.ranked(hints.ranks.unwrap_or_default()).into()
        }
    };
    let place = hints.place(board, said)?;
    let order: Result<_, _> = words.iter().map(|word| place.vertex(word)).collect();
    let kind = heading.and_then(|heading| heading.kind);
    place.claim(kind, heading.and_then(|heading| heading.start), order?)
}

/// Boards of numbers without lines between them, a blank line between two; `None` where a line is anything else or stands
/// alone.
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

/// True if nothing can stand on a square with this text.
fn is_hole(cell: &str) -> bool {
    cell.contains(HOLE) || [".", "-"].contains(&cell)
}

/// What stands between the squares of a row: light, as we draw it, or double.
const BARS: [char; 2] = ['│', '║'];

/// What only the last line of a board begins with.
const CORNERS: [char; 2] = ['└', '╚'];

/// A numbered board in a text.
struct Drawn<'t> {
    heading: Option<Heading>,
    /// What stands on the squares of every row.
    rows: Vec<Vec<&'t str>>,
}

/// Every numbered board in a text, with the heading since the one before it.
fn boards(text: &str) -> Vec<Drawn<'_>> {
    let (mut boards, mut heading, mut rows) = (Vec::new(), None, Vec::new());
    for line in text.lines() {
        if line.contains(BARS) {
            // Before the first bar is the row's name, behind the last nothing.
            let mut cells: Vec<_> = line.split(BARS).skip(1).map(str::trim).collect();
            cells.pop();
            rows.push(cells);
        } else if line.contains(CORNERS) && !rows.is_empty() {
            boards.push(Drawn {
                heading: heading.take(),
                rows: std::mem::take(&mut rows),
            });
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
        let said = of_heading.map(|board| board.leaper());
        let given = hints.board.map(|given| *given.board());
        let ranks = of_heading.or(given).map(|board| board.ranks());
        let leaper = one_of(said, given.map(|board| board.leaper()).or(hints.leaper))?;
        let board = Board::new(rows, cols, leaper)?.ranked(ranks.unwrap_or_default());
        let board = HoledBoard::new(board, holes)?;
        let place = hints.place(board.clone(), said)?;
        match &self.heading {
            Some(heading) if heading.board.sides() != board.sides() => Err(Reason::OtherBoard {
                said: heading.board.sides(),
                drawn: board.sides(),
            }),
            Some(heading) => place.claim(heading.kind, heading.start, order),
            None => place.claim(None, None, order),
        }
    }
}

/// The order of visits on a board whose squares have their numbers, and the holes.
fn numbered(rows: &[Vec<&str>]) -> Result<(Vec<Vertex>, Vec<Vertex>), Reason> {
    let cols = rows[0].len();
    for (row, cells) in (1..).zip(rows) {
        if cells.len() != cols {
            let (found, expected) = (cells.len(), cols);
            return Err(Reason::Ragged {
                row,
                found,
                expected,
            });
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
    // Counted from the smaller of 0 and 1 that there is.
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
    fn what_is_written_is_read() {
        let petersen =
            (0..5).flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)]);
        let graph = Graph::from_edges(10, petersen).unwrap();
        let on_graph =
            Instance::on_graph("petersen", graph, TourKind::Open, Vertex::new(1)).unwrap();
        let order = [1, 0, 4, 3, 2, 7, 5, 8, 6, 9].map(Vertex::new).to_vec();
        let path = Tour::check(&on_graph, order).unwrap();
        let rook = Board::new(2, 3, Leaper::new(0, 1).unwrap()).unwrap();
        let on_board = Instance::on_board(rook, TourKind::Closed, Vertex::new(0)).unwrap();
        let order = [0, 1, 2, 5, 4, 3].map(Vertex::new).to_vec();
        let ring = Tour::check(&on_board, order).unwrap();
        let from_zero = on_graph.clone().numbered(Numbering::FromZero);
        let questions = [
            (from_zero, path.clone()),
            (on_graph, path),
            (on_board, ring),
        ];
        for (instance, tour) in questions {
            let text = serde_json::to_string(&TourRecord::with_graph(&instance, &tour)).unwrap();
            let claim = only(&text);
            assert_eq!(claim.check(), Ok(tour));
            assert_eq!(claim.instance().to_string(), instance.to_string());
        }
    }

    #[test]
    fn records_are_read() {
        let rings = [
            (r#""from-0""#, r#""vertices": 3"#, ["2", "0", "1"]),
            (r#""from-1""#, r#""vertices": 3"#, ["3", "1", "2"]),
            (
                r#""names""#,
                r#""vertices": 3, "names": ["x", "y", "z"]"#,
                ["z", "x", "y"],
            ),
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
        assert_eq!(
            named.instance().to_string(),
            "3x4 knight, open tours, start a1"
        );
        let tour = named.check().unwrap();
        let drawn = super::super::terminal::tour(named.instance(), &tour);
        let drawn = anstream::adapter::strip_str(&drawn).to_string();
        assert_eq!(only(&drawn).check(), Ok(tour.clone()));
        // As the notebook draws: double lines, no names, counted from 0.
        let double = "╔╗\n║ 0 ║ 3 ║  6 ║ 9 ║\n╠╣\n║ 7 ║ 10 ║ 1 ║ 4 ║\n╠╣\n║ 2 ║ 5 ║ 8 ║ 11 ║\n╚╝\n";
        assert_eq!(only(double).check(), Ok(tour));
        assert_eq!(read(&drawn.repeat(2), None).unwrap().len(), 2);
        assert_eq!(
            read(&format!("{ORDER}\n\n{ORDER}\n"), None).unwrap().len(),
            2
        );
    }

    #[test]
    fn headings_say_the_board_the_piece_the_kind_and_the_start() {
        for text in [
            "3x4 knight",
            "3x4 knight, open tours",
            "10x10 (2,3)-leaper, closed tours, start c4",
        ] {
            let heading = Heading::parse(text).unwrap();
            assert_eq!(heading.to_string(), text);
            let shown = format!("two.json 2: {text}: a tour, checked move by move");
            assert_eq!(Heading::find(&shown), Some(heading));
        }
        for text in [
            "",
            "3x4",
            "3x4 rook",
            "3x4 knight, round tours",
            "3x4 knight, open tours, start z9",
        ] {
            assert_eq!(Heading::parse(text), None, "{text}");
        }
        // A wazir's ring, which may also be taken for an open tour, and is none from another start.
        let list = |heading: &str| format!("{heading}\na1 b1 c1 c2 b2 a2\n");
        let said = |text: &str, piece| read(text, piece).map(|c| c[0].instance().to_string());
        let wazir = Leaper::new(0, 1);
        assert_eq!(
            said(&list("# 2x3 (0,1)-leaper, open tours"), None).unwrap(),
            "2x3 (0,1)-leaper, open tours, start a1"
        );
        assert_eq!(
            said(&list("# made by hand"), wazir).unwrap(),
            "2x3 (0,1)-leaper, closed tours, start a1"
        );
        assert_eq!(
            said(&list("# 2x3 knight"), wazir).unwrap_err().to_string(),
            "tour 1: its piece is the knight, and --leaper or 'leaper' the (0,1)-leaper"
        );
        let drawn = |heading: &str| format!("{heading}\n│ 1 │ 2 │ 3 │\n│ 6 │ 5 │ 4 │\n└\n");
        let start = read(
            &drawn("2x3 (0,1)-leaper, closed tours, start b1: a tour"),
            None,
        )
        .unwrap();
        assert!(start[0].check().is_err());
        assert_eq!(
            said(&drawn("3x3 (0,1)-leaper"), None)
                .unwrap_err()
                .to_string(),
            "tour 1: its heading says 3x3, and the board below it is 2x3"
        );
    }

    #[test]
    fn the_kind_that_is_not_said_is_that_of_the_ends() {
        let text = r#"{"instance": "2x3", "leaper": [0, 1], "order": [0, 1, 2, 5, 4, 3]}"#;
        assert_eq!(only(text).instance().kind(), TourKind::Closed);
        let text = r#"{"instance": "2x3", "leaper": [1, 0], "order": [0, 3, 4, 1, 2, 5]}"#;
        assert_eq!(only(text).instance().kind(), TourKind::Open);
        // Not vertices at all: that is for the check to say.
        let text = r#"{"instance": "2x3", "order": [90, 91, 92]}"#;
        let wrong = only(text).check().unwrap_err().to_string();
        assert_eq!(wrong, "position 0 is vertex 91, which 2x3 does not have");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, message) in [
            ("", "tour 1: there is none, the text is empty"),
            ("\n \n", "tour 1: there is none, the text is empty"),
            (
                "{",
                "tour 1: it is not the JSON of a tour: EOF while parsing",
            ),
            (r#"{"order": [1]}"#, "missing field `instance`"),
            (
                r#"{"instance": "5x5", "status": "no-tour"}"#,
                "tour 1: it has no 'tour', 'order' or 'indices': its status is 'no-tour'",
            ),
            (
                r#"{"details": {"instance": "g", "graph": {"vertices": 2, "edges": [["1", "3"]]}}, "tour": ["1"]}"#,
                "'3' in 'edges' is not a vertex",
            ),
            (
                r#"{"details": {"instance": "g", "graph": {"vertices": 2, "edges": []}}, "numbering": "from-2", "tour": ["1"]}"#,
                "'numbering' is 'from-2': it is from-0, from-1, names or squares",
            ),
            (
                r#"{"instance": "3x3", "order": [0, 5], "squares": ["a1", "b3"]}"#,
                "tour 1: 'order' and 'squares' disagree at position 1",
            ),
            (
                r#"{"instance": "3x3", "order": [0, 5], "squares": ["a1"]}"#,
                "disagree at position 1",
            ),
            (
                r#"{"instance": "petersen", "order": [0]}"#,
                "tour 1: it is of the graph 'petersen', which is not in it; name the graph with --graph",
            ),
            (
                r#"{"instance": "g", "edges": [[0, 1]], "order": [0]}"#,
                "tour 1: it has 'edges' without 'vertices', their number",
            ),
            (
                r#"{"instance": "g", "edges": [[0, 2]], "vertices": 2, "order": [0, 1]}"#,
                "tour 1: edge 0-2 names vertex 2",
            ),
            (
                r#"{"instance": "g", "edges": [], "vertices": 4000000000, "order": [0]}"#,
                "tour 1: it visits 1 vertices, and g has 4000000000",
            ),
            (
                r#"{"instance": "7000x7000", "squares": ["a1", "b3"]}"#,
                "tour 1: it visits 2 vertices, and 7000x7000 has 49000000",
            ),
            (
                r#"{"instance": "1000x1000", "squares": ["a1", "b3"]}"#,
                "tour 1: it visits 2 vertices, and 1000x1000 has 1000000",
            ),
            (
                r#"{"instance": "g", "edges": [[0, 1]], "vertices": 2, "squares": ["0"]}"#,
                "tour 1: '0' is not a vertex",
            ),
            (
                r#"{"instance": "g", "edges": [[0, 1]], "vertices": 2, "first": 2, "order": [0]}"#,
                "tour 1: 'first' is 2: vertices are numbered from 0 or from 1",
            ),
            (
                r#"{"instance": "g", "edges": [[0, 1]], "vertices": 2, "first": 0, "squares": ["a"]}"#,
                "tour 1: 'a' is not a vertex: vertices of graphs are numbers counted from 0",
            ),
            (
                r#"{"instance": "3x4", "leaper": [0, 0], "order": [0]}"#,
                "tour 1: a (0,0)-leaper stays where it is",
            ),
            (
                r#"{"instance": "leaper:1,4:3x4", "leaper": [1, 3], "order": [0]}"#,
                "tour 1: its piece is the (1,4)-leaper, and --leaper or 'leaper' the (1,3)-leaper",
            ),
            (
                r#"{"instance": "3x4", "tours": "round", "order": [0]}"#,
                "tour 1: there is no kind of tour 'round'; there are closed, open",
            ),
            (
                r#"{"instance": "3x4", "squares": ["e1"]}"#,
                "tour 1: square e1 is not on the 3x4 board",
            ),
            (
                "a1 b3\nhello",
                "tour 2: 'hello' is not the name of a square, such as a1",
            ),
            ("a1 17", "tour 1: '17' is not the name of a square"),
            (
                "│ 1 │ 2 │\n│ 3 │\n",
                "tour 1: row 2 of the board has 1 squares, and the first has 2",
            ),
            ("│ 1 │ x │\n", "tour 1: 'x' is on the board"),
            ("│ 1 │ 3 │\n", "tour 1: number 2 is missing on the board"),
            ("│ 1 │ 1 │\n", "tour 1: number 2 is missing on the board"),
            ("│ 2 │ 3 │\n", "tour 1: number 1 is missing on the board"),
        ] {
            let said = refused(text);
            assert!(said.contains(message), "{text}: {said}");
        }
        // A bar and nothing else is a board of no squares, not a crash.
        assert!(refused("│").contains("has no squares"));
    }
}
