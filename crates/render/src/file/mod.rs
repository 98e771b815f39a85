//! Tours in files: written as JSON; read from JSON, numbered boards, and lists of squares.
//!
//! A tour in JSON has the fields of a record, as `hamcnf solve --json` prints it ([`JsonTour`]); other fields are ignored:
//!
//! ```json
//! {"tour": ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"], "numbering": "squares",
//!  "details": {"instance": "3x4", "tours": "open", "start": "a1"}}
//! ```
//!
//! - `tour`: the names of the vertices in order, always strings: squares such as `"a1"`, or the names or numbers that
//!   vertices have in the graph's file.
//! - `numbering`: the kind of the names; needed only beside `graph`.
//! - `graph_crc32`: checksum of a graph's edges, 8 hexadecimal digits. A graph with another checksum is rejected.
//! - `details`: an object with the board or graph `instance`, such as `3x4`, `leaper:1,4:10x10` or `5x6-a1`; the `piece`
//!   unless it is a knight or part of the board's name; the kind of tours, `closed` or `open`, which otherwise follows
//!   from the ends of the tour; `start`, `end` and `constraints`, against which the tour is checked; and the `graph`, if
//!   the tour must remain readable without the graph's file. Its `edges` are pairs of names.
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

use std::error::Error;

use hamcnf_graph::{AnyGraph, Digraph, GraphError, NoSuchName, NotNames, Numbering, Vertex, VertexNames};
use hamcnf_tours::constraint::{self, ConstraintKind, Context};
use hamcnf_tours::{
    BoardError, HoledBoard, Instance, InstanceError, NotATour, Piece, Placement, Queens, Ranks, Tour, TourKind,
};
use serde::Serialize;

mod heading;
mod json;
mod text;

pub use self::heading::Heading;
pub use self::json::{JsonTour, TourFile, numbering};
#[cfg(feature = "draw")]
pub(super) use self::text::HOLE;
use super::tsplib::{self, TsplibError};

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
            (Some(end), Some(&last)) if end != last => {
                let (found, end) = (name(last), name(end));
                Err(NotATour::new(format!("the tour ends at {found}, not at {end}")))
            }
            _ => Ok(tour),
        }
    }

    /// Returns the claim that the vertices are an open tour, even if the last one is adjacent to the first.
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
            known.ok_or_else(|| {
                Reason::Other(format!(
                    "\"{text}\" is neither a constraint, such as \"at c3=17\", nor another part of a heading, such as \"open tours\""
                ))
            })
        });
        let given: Vec<_> = given.collect::<Result<_, _>>()?;
        let context = Context { instance: &self.instance, has_start: false };
        let constraints = constraint::parsed(&context, given);
        let constraints = constraints.map_err(|wrong| Reason::Other(wrong.to_string()))?;
        Ok(Self { instance: self.instance.constrained(&constraints), ..self })
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
    /// Constraints that the graph's text imposes, such as `force a-b`.
    pub constraints: Vec<String>,
}

impl NamedGraph {
    /// Returns an error if the text has a checksum that differs from the graph's checksum.
    fn is_of(&self, said: Option<&String>) -> Result<(), Reason> {
        let found = checksum(self.graph.digraph());
        match said {
            Some(said) if !said.eq_ignore_ascii_case(&found) => {
                let name = &self.name;
                Err(Reason::Other(format!(
                    "the tour is on a graph whose edges have CRC-32 \"{said}\", but \"{name}\" has {found}; name the right graph with --graph"
                )))
            }
            _ => Ok(()),
        }
    }
}

/// Function that finds a graph by its name, which is the value of the JSON field `instance`.
pub type FindGraph<'a> = dyn Fn(&str) -> Result<NamedGraph, Box<dyn Error + Send + Sync>> + 'a;

/// Facts about the tours of a file, for use if the file omits them.
#[derive(Clone, Copy, Default)]
pub struct Hints<'a> {
    pub piece: Option<Piece>,
    pub board: Option<&'a HoledBoard>,
    /// Graph of all tours. A line of text is a tour if it has only names or numbers of its vertices, and a tour is
    /// closed if its first vertex is repeated at the end.
    pub graph: Option<&'a NamedGraph>,
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
    /// The text has an invalid board, piece or square.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The edges do not define a graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// The graph is too small for this kind of tours, or the start is not a vertex of the graph.
    #[error(transparent)]
    Instance(#[from] InstanceError),
    /// The kind of tours is unknown.
    #[error(transparent)]
    Kind(#[from] NoSuchName),
    /// The names of a graph's vertices are invalid.
    #[error(transparent)]
    Names(#[from] NotNames),
    /// The text is an invalid TSPLIB file.
    #[error(transparent)]
    Tsplib(#[from] TsplibError),
    /// The text has the form of a tour, but contains an impossible number or vertex, or lacks too many vertices. The
    /// value is a sentence.
    #[error("{0}")]
    NoTour(String),
    /// Other mistake, as a sentence.
    #[error("{0}")]
    Other(String),
}

impl Reason {
    /// True if the text has the form of a tour, but contains an impossible number, vertex or square, or lacks too many
    /// vertices. False if the text does not have the form of a tour.
    pub fn is_no_tour(&self) -> bool {
        matches!(self, Self::NoTour(_) | Self::Board(BoardError::OffBoard(_)))
    }

    fn not_a_vertex(number: &str, numbering: Numbering) -> Self {
        let first = numbering.first();
        Self::NoTour(format!("\"{number}\" is not a vertex; vertices are numbered from {first}"))
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

/// Claimed tours of a text.
type Claims = Vec<Result<Claim, Reason>>;

/// Forms of tours in a text, each with a function that reads it. The function returns `None` if the text has another
/// form.
const FORMS: [fn(&str, &Hints<'_>) -> Option<Claims>; 5] =
    [json::read, of_tsplib, text::boards, text::grids, text::lists];

/// Reads all tours of a text. A text without tours is an error. The hints supply facts that the text omits.
///
/// # Errors
///
/// [`ReadError`] of the first unreadable tour.
pub fn read_with(text: &str, hints: &Hints<'_>) -> Result<Vec<Claim>, ReadError> {
    let text = &*text::as_lines(text);
    let mut claims = FORMS.iter().find_map(|read| read(text, hints)).unwrap_or_default();
    if claims.is_empty() {
        claims.push(Err(Reason::Other("the text is empty".to_owned())));
    }
    (1..)
        .zip(claims)
        .map(|(number, claim)| {
            let claim = claim.map_err(|reason| ReadError { number, reason })?;
            Ok(match hints.ranks {
                Some(ranks) => Claim { instance: claim.instance.ranked(ranks), ..claim },
                None => claim,
            })
        })
        .collect()
}

/// Reads the tours of a TSPLIB file. On a board, the board comes from a comment, or else from `NAME`, or else from the
/// hints.
fn of_tsplib(text: &str, hints: &Hints<'_>) -> Option<Claims> {
    if !tsplib::is(text) {
        return None;
    }
    let claim = |tour: tsplib::Listed| {
        if let Some(graph) = hints.graph {
            // TSPLIB numbers vertices from 1, whatever their names are.
            if let Some(&v) = tour.order.iter().find(|v| v.number() >= graph.graph.n_vertices()) {
                let numbering = Numbering::FromOne;
                return Err(Reason::not_a_vertex(&numbering.number(v).to_string(), numbering));
            }
            return on_graph(graph, tour.order, tour.comments.iter().find_map(|line| heading::kind_in(line)));
        }
        let heading = tour.comments.iter().find_map(|line| Heading::find(line));
        if let Some(heading) = heading {
            let board = heading.board.clone();
            let piece = board.board().piece();
            return hints.place(board, Some(piece))?.headed(Some(&heading), tour.order);
        }
        let board = tour.name.and_then(|name| name.parse::<HoledBoard>().ok());
        let unknown = "the text does not name a board; name the board or graph with --graph";
        let board = board.or_else(|| hints.board.cloned()).ok_or_else(|| Reason::Other(unknown.to_owned()))?;
        let said = Some(board.board().piece()).filter(|&piece| piece != Piece::KNIGHT);
        hints.place(board, said)?.headed(None, tour.order)
    };
    Some(match tsplib::read(text) {
        Ok(tours) => tours.into_iter().map(claim).collect(),
        Err(error) => vec![Err(error.into())],
    })
}

/// Returns the claim that a graph has a tour with its vertices in this order. `kind` is the kind of the tour, if the text
/// specifies it.
fn on_graph(of: &NamedGraph, mut order: Vec<Vertex>, kind: Option<TourKind>) -> Result<Claim, Reason> {
    // A list that repeats its first vertex at the end is a closed tour.
    let comes_back = order.len() == of.graph.n_vertices() as usize + 1 && order.last() == order.first();
    if comes_back {
        order.pop();
    }
    let closed = comes_back.then_some(TourKind::Closed);
    Place::Graph(of.clone()).claim(kind.or(closed), None, order)?.constrained(&of.constraints)
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
                return Err(Reason::Other(format!("the tour is on the board {board}, but --graph names {given}")));
            }
        }
        Ok(Place::Board(board))
    }
}

/// Returns an error if a tour of `found` vertices visits far fewer than the `n` vertices of its graph.
fn has_enough(found: usize, name: &str, n: u32) -> Result<(), Reason> {
    match u64::from(n) > found as u64 + MOST_MISSING {
        true => Err(Reason::NoTour(format!("the tour visits {found} vertices, but {name} has {n}"))),
        false => Ok(()),
    }
}

/// Board or graph that a claimed tour belongs to.
enum Place {
    Board(HoledBoard),
    Graph(NamedGraph),
}

impl Place {
    fn vertex(&self, name: &str) -> Result<Vertex, Reason> {
        let names = match self {
            Self::Board(board) => return Ok(board.vertex_named(name)?),
            Self::Graph(NamedGraph { names, .. }) => names,
        };
        // The check of the tour rejects numbers beyond the last vertex later.
        names.vertex(name, u32::MAX).ok_or_else(|| match names {
            VertexNames::Numbers(numbering) => Reason::not_a_vertex(name, *numbering),
            VertexNames::Words(_) => Reason::NoTour(format!("\"{name}\" is not the name of a vertex of the graph")),
        })
    }

    /// Returns the claim below a heading.
    fn headed(self, heading: Option<&Heading>, order: Vec<Vertex>) -> Result<Claim, Reason> {
        match heading {
            Some(Heading { kind, start, end, constraints, .. }) => {
                let claim = self.claim(*kind, *start, order)?.constrained(constraints)?;
                Ok(Claim { end: *end, ..claim })
            }
            None => self.claim(None, None, order),
        }
    }

    fn claim(self, kind: Option<TourKind>, start: Option<Vertex>, order: Vec<Vertex>) -> Result<Claim, Reason> {
        let (name, n) = match &self {
            Self::Board(board) => (board.to_string(), board.n_squares()),
            Self::Graph(of) => (of.name.clone(), of.graph.n_vertices()),
        };
        has_enough(order.len(), &name, n)?;
        // The check of the tour rejects an invalid first vertex later.
        let first = order.first().copied().filter(|v| v.number() < n);
        let start = start.or(first).unwrap_or(Vertex::new(0));
        let instance = match self {
            Self::Board(board) => {
                let kind = kind.unwrap_or_else(|| kind_of(&board.graph(), &order));
                Instance::on_holed(board, kind, start)?
            }
            Self::Graph(NamedGraph { graph, names, .. }) => {
                let kind = kind.unwrap_or_else(|| kind_of(graph.digraph(), &order));
                Instance::on(name, graph, kind, start)?.called(names)
            }
        };
        Ok(Claim { instance, order, end: None })
    }
}

/// Returns `Closed` if the last vertex is adjacent to the first, otherwise `Open`.
fn kind_of(graph: &Digraph, order: &[Vertex]) -> TourKind {
    let known = |&v: &Vertex| v.number() < graph.n_vertices();
    match order {
        [first, _, .., last] if known(first) && known(last) && graph.arc(*last, *first).is_some() => TourKind::Closed,
        _ => TourKind::Open,
    }
}

/// Returns `said`, the piece that the text specifies, or else `other`, or else the knight. If both are given, they must
/// be equal.
fn one_of(said: Option<Piece>, other: Option<Piece>) -> Result<Piece, Reason> {
    match (said, other) {
        (Some(said), Some(other)) if said != other => Err(Reason::Other(format!(
            "the board is for the {said}, but --piece, or the key \"piece\", names the {other}"
        ))),
        _ => Ok(said.or(other).unwrap_or(Piece::KNIGHT)),
    }
}

#[cfg(test)]
mod tests {
    use hamcnf_graph::Graph;
    use hamcnf_tours::{Board, Leaper};

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
        let ring = Tour::check(&on_board, [0, 1, 2, 5, 4, 3].map(Vertex::new).to_vec()).unwrap();
        let from_zero = on_graph.clone().called(Numbering::FromZero.into());
        for (instance, tour) in [(from_zero, path.clone()), (on_graph, path), (on_board, ring)] {
            let text = serde_json::to_string(&TourFile::with_graph(&instance, &tour)).unwrap();
            let claim = only(&text);
            assert_eq!(claim.check(), Ok(tour));
            assert_eq!(claim.instance().to_string(), instance.to_string());
        }
    }

    #[test]
    fn objects_in_an_array_are_read_and_those_without_a_tour_left_out() {
        let tour = r#"{"tour": ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"],
            "details": {"instance": "3x4", "tours": "open"}}"#;
        let count = r#"{"status": "count", "tour": null, "details": {"instance": "3x4"}}"#;
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
                       "details": {"instance": "2x3", "piece": "wazir"}}"#;
        assert_eq!(only(text).instance().kind(), TourKind::Closed);
    }

    #[cfg(feature = "draw")]
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
            "3x4 knight, open tours, start a1, end d3",
            "9x9 (1,2)+(1,4)-leaper, closed tours",
            "6x6 knight, closed tours, start a1, force a1-b3, at c3=17",
        ] {
            let heading = Heading::parse(text).unwrap();
            assert_eq!(heading.to_string(), text);
            let shown = format!("two.json 2: {text}: a tour, checked move by move");
            assert_eq!(Heading::find(&shown), Some(heading));
        }
        for text in ["", "3x4", "3x4 pawn", "3x4 knight, from a book"] {
            assert_eq!(Heading::parse(text), None, "{text}");
        }
        for (heading, part) in [
            ("3x4 knight, opn tours", "opn tours"),
            ("3x4 knight, closed toors", "closed toors"),
            ("3x4 knight, open tours, start z9", "start z9"),
            ("3x4 knight, open tours, end z9", "end z9"),
            ("3x4 knight, open tours, att a1=1", "att a1=1"),
        ] {
            let error = read(&format!("# {heading}\n{ORDER}\n"), None).unwrap_err();
            assert!(error.to_string().contains(&format!("\"{part}\"")), "{error}");
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
            "tour 1: the board is for the knight, but --piece, or the key \"piece\", names the (0,1)-leaper"
        );
        // Constraints of the heading are checked, and a forbidden move is a move.
        let violated = |constraint: &str| {
            let claims = read(&list(&format!("# 2x3 (0,1)-leaper, closed tours, {constraint}")), None).unwrap();
            claims[0].check().err().map(|wrong| wrong.to_string())
        };
        let ending = |end: &str| {
            let text = r#"{"tour": ["a1", "b1", "c1", "c2", "b2", "a2"],
                "details": {"instance": "2x3", "piece": "0,1", "tours": "open", "end": "END"}}"#;
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
        let tour = |instance: &str, piece: &str, tour: &str| {
            let tour: Vec<_> = tour.split(' ').collect();
            let text = serde_json::json!({"tour": tour, "details": {"instance": instance, "piece": piece}}).to_string();
            only(&text)
        };
        assert_eq!(tour("2x3", "wazir", "a1 b1 c1 c2 b2 a2").instance().kind(), TourKind::Closed);
        let king = tour("2x2", "king", "a1 b2 b1 a2");
        assert_eq!(king.instance().to_string(), "2x2 king, closed tours, start a1");
        assert_eq!(tour("2x3", "1,0", "a1 a2 b2 b1 c1 c2").instance().kind(), TourKind::Open);
        // Vertices beyond the last are reported by the check of the tour, not by the reader.
        let text =
            r#"{"tour": ["9", "10", "11"], "details": {"instance": "g", "graph": {"vertices": 3, "edges": []}}}"#;
        let wrong = only(text).check().unwrap_err().to_string();
        assert_eq!(wrong, "position 0 is vertex 9, which is not in g");
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (text, message) in [
            ("", "tour 1: the text is empty"),
            ("\n \n", "tour 1: the text is empty"),
            ("{", "tour 1: the JSON does not describe a tour: EOF while parsing"),
            (r#"{"tour": ["1"]}"#, "missing field `details`"),
            (r#"{"tour": ["1"], "details": {}}"#, "the JSON object does not name the instance of the tour"),
            (
                r#"{"tour": null, "details": {"class": "placements"}}"#,
                "tour 1: the JSON object is about placements of queens, not about tours",
            ),
            (
                r#"{"status": "no-tour", "details": {"instance": "5x5"}}"#,
                "tour 1: the JSON object has no \"tour\"; the status is \"no-tour\"",
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
                r#"{"tour": [0, 5], "details": {"instance": "3x3"}}"#,
                "tour 1: the JSON does not describe a tour: invalid type: integer `0`, expected a string",
            ),
            (r#"{"squares": ["a1"], "details": {"instance": "3x3"}}"#, "the JSON object has no \"tour\""),
            (
                r#"{"tour": ["1"], "details": {"instance": "petersen"}}"#,
                "tour 1: the tour is on the graph \"petersen\", which the text does not contain; name the graph with --graph",
            ),
            (
                r#"{"tour": ["1"], "details": {"instance": "g", "graph": {"edges": [["1", "2"]]}}}"#,
                "missing field `vertices`",
            ),
            (
                r#"{"tour": ["1"], "details": {"instance": "g", "graph": {"vertices": 4000000000, "edges": []}}}"#,
                "tour 1: the tour visits 1 vertices, but g has 4000000000",
            ),
            (
                r#"{"tour": ["1"], "details": {"instance": "g", "graph": {"vertices": 2, "names": ["a"], "edges": []}}}"#,
                "tour 1: \"names\" has 1 names, but the graph has 2 vertices",
            ),
            (
                r#"{"tour": ["a1", "b3"], "details": {"instance": "7000x7000"}}"#,
                "tour 1: the tour visits 2 vertices, but 7000x7000 has 49000000",
            ),
            (
                r#"{"tour": ["a1", "b3"], "details": {"instance": "1000x1000"}}"#,
                "tour 1: the tour visits 2 vertices, but 1000x1000 has 1000000",
            ),
            (
                r#"{"tour": ["0"], "details": {"instance": "g", "graph": {"vertices": 2, "edges": [["1", "2"]]}}}"#,
                "tour 1: \"0\" is not a vertex; vertices are numbered from 1",
            ),
            (
                r#"{"tour": ["a"], "numbering": "from-0", "details": {"instance": "g", "graph": {"vertices": 2, "edges": []}}}"#,
                "tour 1: \"a\" is not a vertex; vertices are numbered from 0",
            ),
            (
                r#"{"tour": ["a1"], "details": {"instance": "leaper:1,4:3x4", "piece": "1,3"}}"#,
                "tour 1: the board is for the (1,4)-leaper, but --piece, or the key \"piece\", names the (1,3)-leaper",
            ),
            (
                r#"{"tour": ["a1"], "details": {"instance": "king:3x4", "piece": "wazir"}}"#,
                "tour 1: the board is for the king, but --piece, or the key \"piece\", names the (0,1)-leaper",
            ),
            (
                r#"{"tour": ["a1"], "details": {"instance": "3x4", "piece": "kng"}}"#,
                "tour 1: unknown piece \"kng\": did you mean king?",
            ),
            (
                r#"{"tour": ["a1"], "details": {"instance": "3x4", "tours": "round"}}"#,
                "tour 1: unknown kind of tour \"round\"; choose from closed, open",
            ),
            (r#"{"tour": ["e1"], "details": {"instance": "3x4"}}"#, "tour 1: square e1 is not on the 3x4 board"),
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
