//! Tours in files: written as JSON, read from JSON, from numbered boards and from orders of squares.
//!
//! The JSON of a tour is an object, whose other fields are not looked at, so that what
//! `hamcnf solve --json` prints is such a file too:
//!
//! ```json
//! {"instance": "3x4", "tours": "open", "start": "a1",
//!  "order": [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11],
//!  "squares": ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"]}
//! ```
//!
//! - `instance`: the board, such as `3x4`, `leaper:1,4:10x10` or `5x6-a1`; or the name of a graph, if there are `edges`.
//! - `leaper`: the piece's jump such as `[1, 4]`, which may also stand in the board; if it stands nowhere, the piece
//!   is the knight.
//! - `edges`, `vertices`: pairs of vertices counted from 0, and how many vertices there are.
//! - `first`: the number of the first vertex of a graph in names, 0 or 1; without it 1.
//! - `names`: the names of its vertices, if they are no numbers.
//! - `tours`: `closed` or `open`; without it, closed if the last vertex is adjacent to the first.
//! - `start`: the name of the first vertex, which the order is held against; it may be left out.
//! - `order`: the vertices in order, counted from 0, row by row from the top left of a board, holes left out.
//! - `squares`: their names in order. One of the two is enough; both have to agree. Vertices of graphs have
//!   their numbers counted from `first` as names, or `names`.
//!
//! Several objects in one file are several tours. A text that begins otherwise is a numbered board in box-drawing
//! characters, as [`terminal`](super::terminal) draws it, counted from 1 or from 0, holes filled with `█`; or, line by
//! line, the names of squares in order (`a1 b3 c5 …`) on the smallest board that has them all. Before both may stand a
//! [`Heading`], which says the board, the piece, the kind of tours and the start. What has a `TOUR_SECTION` is TSPLIB's
//! ([`tsplib`]).

use std::fmt;

use hamcnf_encodings::{
    Board, BoardError, Graph, GraphError, HoledBoard, Instance, InstanceError, Leaper, NoSuchName,
    NotATour, NotNames, Numbering, Placement, Queens, Tour, TourKind, Vertex, VertexNames,
    VertexWords,
};
use serde::{Deserialize, Serialize};

use super::tsplib::{self, TsplibError};

/// What fills a square that is not there.
pub(super) const HOLE: &str = "█";

/// A tour, to be written as JSON.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TourRecord {
    /// The board, or the graph's name.
    pub instance: String,
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
            tours: instance.kind().to_string(),
            start: instance.vertex_name(instance.start()),
            visits: Visits::new(instance, tour),
        }
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

/// What makes a tour of a record that says the instance, the kind of tours and the start already.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Visits {
    /// The piece's jump, unless it is a knight or there is no board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaper: Option<(u32, u32)>,
    /// How many vertices the graph has, if there is no board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vertices: Option<u32>,
    /// Its edges, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edges: Option<Vec<(u32, u32)>>,
    /// The number of its first vertex in names, unless that is 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<u32>,
    /// The names of its vertices, if these are no numbers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// The vertices in order, counted from 0.
    pub order: Vec<u32>,
    /// Their names in order.
    pub squares: Vec<String>,
}

impl Visits {
    /// The visits of a tour.
    #[must_use]
    pub fn new(instance: &Instance, tour: &Tour) -> Self {
        let leaper = instance.squares().map(|board| board.board().leaper());
        let graph = instance.squares().is_none().then(|| instance.graph());
        let edges = |graph: &Graph| {
            let edges = graph.arcs().filter(|arc| arc.tail < arc.head);
            edges
                .map(|arc| (arc.tail.number(), arc.head.number()))
                .collect()
        };
        let name = |&v: &Vertex| instance.vertex_name(v);
        let names = graph.map(|_| instance.vertex_names());
        let numbering = names.map(VertexNames::numbering);
        let words = names.and_then(VertexNames::words);
        Self {
            leaper: leaper.filter(|&l| l != Leaper::KNIGHT).map(Leaper::legs),
            vertices: graph.map(Graph::n_vertices),
            edges: graph.map(edges),
            first: numbering
                .filter(|&numbering| numbering != Numbering::default())
                .map(Numbering::first),
            names: words.map(|words| words.iter().map(str::to_owned).collect()),
            order: tour.order().iter().map(|v| v.number()).collect(),
            squares: tour.order().iter().map(name).collect(),
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
    /// It has neither `order` nor `squares`.
    #[error("it has neither 'order' nor 'squares'{}", .0.as_ref().map_or(String::new(), |s| format!(": its status is '{s}'")))]
    NoOrder(Option<String>),
    /// `order` and `squares` are not the same.
    #[error("'order' and 'squares' disagree at position {0}")]
    Disagreement(usize),
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
    #[error("it does not say of which board it is: name its graph with --graph")]
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
    #[error("'{0}' is not the name of a square, such as a1")]
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
/// the knight.
///
/// # Errors
///
/// [`ReadError`], of the first that cannot be read.
pub fn read(text: &str, piece: Option<Leaper>) -> Result<Vec<Claim>, ReadError> {
    let claims: Vec<Result<Claim, Reason>> = if text.trim_start().starts_with('{') {
        let objects = serde_json::Deserializer::from_str(text).into_iter::<Fields>();
        objects
            .map(|object| object.map_err(Reason::Json)?.claim(piece))
            .collect()
    } else if tsplib::is(text) {
        match tsplib::read(text) {
            Ok(tours) => tours
                .into_iter()
                .map(|tour| of_tsplib(tour, piece))
                .collect(),
            Err(error) => vec![Err(error.into())],
        }
    } else if text.contains(BARS) {
        let boards = boards(text);
        boards.iter().map(|board| board.claim(piece)).collect()
    } else {
        lists(text, piece)
    };
    if claims.is_empty() {
        let (number, reason) = (1, Reason::Empty);
        return Err(ReadError { number, reason });
    }
    let numbered = (1..).zip(claims);
    numbered
        .map(|(number, claim)| claim.map_err(|reason| ReadError { number, reason }))
        .collect()
}

/// All tours of a graph that a text has, one at least: TSPLIB's, or lines of names or numbers of vertices, as `hamcnf
/// solve` prints them. Lines with anything else are not looked at. A tour is a closed one where its ends are adjacent,
/// or where its first vertex is there again at its end.
///
/// # Errors
///
/// [`ReadError`], of the first that cannot be read.
pub fn read_on(
    text: &str,
    name: &str,
    graph: &Graph,
    names: &VertexNames,
) -> Result<Vec<Claim>, ReadError> {
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
    let numbered = (1..).zip(orders);
    numbered
        .map(|(number, order)| {
            let claim = order.and_then(|order| claim_on(name, graph, names, order));
            claim.map_err(|reason| ReadError { number, reason })
        })
        .collect()
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
fn claim_on(
    name: &str,
    graph: &Graph,
    names: &VertexNames,
    mut order: Vec<Vertex>,
) -> Result<Claim, Reason> {
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
    let instance = Instance::on_graph(name, graph.clone(), kind, start)?.called(names.clone());
    Ok(Claim { instance, order })
}

/// The tour that TSPLIB's says, on the board of a comment or of its name.
fn of_tsplib(tour: tsplib::Listed, piece: Option<Leaper>) -> Result<Claim, Reason> {
    let heading = tour.comments.iter().find_map(|line| Heading::find(line));
    let place = |board: HoledBoard, said| -> Result<Place, Reason> {
        Ok(Place::Board(board.with(one_of(said, piece)?)?))
    };
    if let Some(Heading { board, kind, start }) = heading {
        let leaper = board.board().leaper();
        return place(board, Some(leaper))?.claim(kind, start, tour.order);
    }
    let board = tour.name.and_then(|name| name.parse::<HoledBoard>().ok());
    let board = board.ok_or(Reason::OfNothing)?;
    let said = Some(board.board().leaper()).filter(|&leaper| leaper != Leaper::KNIGHT);
    place(board, said)?.claim(None, None, tour.order)
}

/// The fields of the JSON that are looked at.
#[derive(Deserialize)]
struct Fields {
    instance: String,
    leaper: Option<(u32, u32)>,
    vertices: Option<u32>,
    edges: Option<Vec<(u32, u32)>>,
    first: Option<u32>,
    names: Option<Vec<String>>,
    tours: Option<String>,
    start: Option<String>,
    order: Option<Vec<u32>>,
    squares: Option<Vec<String>>,
    status: Option<String>,
}

impl Fields {
    fn claim(self, piece: Option<Leaper>) -> Result<Claim, Reason> {
        let place = match (self.edges, self.vertices) {
            (Some(_), None) => return Err(Reason::NoVertices),
            (Some(edges), Some(n)) => {
                let first = self.first.unwrap_or(Numbering::default().first());
                let numbering = Numbering::of_first(first).ok_or(Reason::First(first))?;
                let names = match self.names {
                    Some(names) if names.len() != n as usize => {
                        let found = names.len();
                        return Err(Reason::NamesOf { found, n });
                    }
                    Some(names) => VertexNames::Words(VertexWords::new(names)?),
                    None => numbering.into(),
                };
                Place::Graph(self.instance, edges, n, names)
            }
            (None, _) => {
                let field = match self.leaper {
                    Some((a, b)) => Some(Leaper::new(a, b).ok_or(Reason::NoLeaper)?),
                    None => None,
                };
                let board: HoledBoard = self.instance.parse()?;
                // A knight's board does not say so.
                let said = Some(board.board().leaper()).filter(|&leaper| leaper != Leaper::KNIGHT);
                let board = board.with(one_of(said, field)?)?;
                let said = said.or(field);
                Place::Board(board.with(one_of(said, piece)?)?)
            }
        };
        let named = match self.squares {
            Some(names) => {
                let vertices = names.iter().map(|name| place.vertex(name));
                Some(vertices.collect::<Result<Vec<_>, _>>()?)
            }
            None => None,
        };
        let numbered = self
            .order
            .map(|order| order.into_iter().map(Vertex::new).collect::<Vec<_>>());
        let order = match (numbered, named) {
            (Some(order), Some(named)) => {
                let differ =
                    (0..order.len().max(named.len())).find(|&k| order.get(k) != named.get(k));
                match differ {
                    Some(position) => return Err(Reason::Disagreement(position)),
                    None => order,
                }
            }
            (Some(order), None) | (None, Some(order)) => order,
            (None, None) => return Err(Reason::NoOrder(self.status)),
        };
        let kind = self.tours.map(|kind| kind.parse()).transpose()?;
        let start = self.start.map(|name| place.vertex(&name)).transpose()?;
        place.claim(kind, start, order)
    }
}

/// Where a tour is said to be.
enum Place {
    Board(HoledBoard),
    Graph(String, Vec<(u32, u32)>, u32, VertexNames),
}

impl Place {
    fn vertex(&self, name: &str) -> Result<Vertex, Reason> {
        match self {
            Self::Board(board) => Ok(board.vertex_named(name)?),
            // A number beyond the last is for the check to name.
            Self::Graph(_, _, _, names) => {
                let vertex = names.vertex(name, u32::MAX);
                vertex.ok_or_else(|| match names {
                    VertexNames::Numbers(numbering) => {
                        Reason::NotAVertex(name.to_owned(), numbering.first())
                    }
                    VertexNames::Words(_) => Reason::NotNamed(name.to_owned()),
                })
            }
        }
    }

    fn claim(
        self,
        kind: Option<TourKind>,
        start: Option<Vertex>,
        order: Vec<Vertex>,
    ) -> Result<Claim, Reason> {
        let (name, n) = match &self {
            Self::Board(board) => (board.to_string(), board.n_squares()),
            Self::Graph(name, _, n, _) => (name.clone(), *n),
        };
        if u64::from(n) > order.len() as u64 + MOST_MISSING {
            let found = order.len();
            return Err(Reason::FarTooFew { found, name, n });
        }
        // A first vertex that there is not is for the check to name.
        let first = order.first().copied().filter(|v| v.number() < n);
        let start = start.or(first).unwrap_or(Vertex::new(0));
        let instance = match self {
            Self::Board(board) => {
                let kind = kind.unwrap_or_else(|| kind_of(&board.graph(), &order));
                Instance::on_holed(board, kind, start)
            }
            Self::Graph(name, edges, n, names) => {
                let graph = Graph::from_edges(n, edges)?;
                let kind = kind.unwrap_or_else(|| kind_of(&graph, &order));
                let instance = Instance::on_graph(name, graph, kind, start);
                instance.map(|instance| instance.called(names))
            }
        };
        let instance = instance?;
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
fn lists(text: &str, piece: Option<Leaper>) -> Vec<Result<Claim, Reason>> {
    let (mut heading, mut claims) = (None, Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with('#') {
            heading = Heading::find(line).or(heading);
        } else {
            claims.push(named(line, heading.as_ref(), piece));
        }
    }
    claims
}

/// A line of squares' names, on the board of the heading, or else on the smallest that has them all.
fn named(line: &str, heading: Option<&Heading>, piece: Option<Leaper>) -> Result<Claim, Reason> {
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
    let leaper = one_of(heading.map(|heading| heading.board.board().leaper()), piece)?;
    let board = match heading {
        Some(heading) => heading.board.clone(),
        None => Board::new(rows.into(), cols.into(), leaper)?.into(),
    };
    let place = Place::Board(board);
    let order: Result<_, _> = words.iter().map(|word| place.vertex(word)).collect();
    let kind = heading.and_then(|heading| heading.kind);
    place.claim(kind, heading.and_then(|heading| heading.start), order?)
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
    fn claim(&self, piece: Option<Leaper>) -> Result<Claim, Reason> {
        let (order, holes) = numbered(&self.rows)?;
        let (rows, cols) = (self.rows.len() as u64, self.rows[0].len() as u64);
        let said = self
            .heading
            .as_ref()
            .map(|heading| heading.board.board().leaper());
        let board = Board::new(rows, cols, one_of(said, piece)?)?;
        let board = HoledBoard::new(board, holes)?;
        let place = Place::Board(board.clone());
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
        if cell.contains(HOLE) {
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
            let text = serde_json::to_string(&TourRecord::new(&instance, &tour)).unwrap();
            let claim = only(&text);
            assert_eq!(claim.check(), Ok(tour));
            assert_eq!(claim.instance().to_string(), instance.to_string());
        }
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
            ("{", "tour 1: it is not the JSON of a tour: EOF"),
            (r#"{"order": [1]}"#, "missing field `instance`"),
            (
                r#"{"instance": "5x5", "status": "no-tour"}"#,
                "tour 1: it has neither 'order' nor 'squares': its status is 'no-tour'",
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
                "tour 1: 'petersen' is not a board",
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
                "a1",
                "tour 1: open tours need at least 2 vertices, and 1x1 has 1",
            ),
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
