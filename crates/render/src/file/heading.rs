//! Headings of tours on a board: the line that names the board, the piece, the kind of tours and the start.

use std::fmt;

use hamcnf_graph::Vertex;
use hamcnf_graph::names::most_alike;
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{HoledBoard, Instance, Piece, TourKind, constraint};

/// Heading of tours on a board, as printed by `hamcnf solve`: `10x10 (2,3)-leaper, closed tours, start c4, at a1=3`. The
/// kind of tours, the start, the end and the constraints are optional. Before lists of squares, the heading is a comment after `#`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Heading {
    pub(super) board: HoledBoard,
    pub(super) kind: Option<TourKind>,
    pub(super) start: Option<Vertex>,
    pub(super) end: Option<Vertex>,
    pub(super) constraints: Vec<String>,
}

impl Heading {
    /// Returns the heading of tours of an instance between these ends; `None` if the instance is not on a board. The first
    /// square is the start of closed tours without saying so.
    pub fn of_tours(instance: &Instance, ends: Endpoints) -> Option<Self> {
        let (board, constraints) = (instance.squares()?.clone(), constraint::texts(instance));
        let (start, end) = match ends {
            Endpoints::Closed => (Some(instance.start()).filter(|start| start.number() > 0), None),
            Endpoints::Open { from, to } => (from, to),
        };
        Some(Self { board, kind: Some(instance.kind()), start, end, constraints })
    }

    /// Finds the heading in a line. Other text before or after it must be separated by colons.
    pub(super) fn find(line: &str) -> Option<Self> {
        line.trim_start().trim_start_matches('#').split(": ").find_map(|part| Self::parse(part.trim()))
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(", ");
        let (sides, piece) = parts.next()?.split_once(' ')?;
        let piece = Piece::called(piece)?;
        let board = sides.parse::<HoledBoard>().ok()?.with(piece).ok()?;
        // A mistyped part stays among the constraints, where it is an error, so a constraint is never lost.
        let (mut kind, mut start, mut end, mut constraints) = (None, None, None, Vec::new());
        if let Some(tours) = parts.next() {
            let named = tours.strip_suffix(FROM_ANYWHERE).unwrap_or(tours).strip_suffix(TOURS);
            kind = named.and_then(|kind| kind.parse().ok());
            match kind {
                None if tours.contains("tour") || most_alike(tours, KINDS.into_iter()).is_some() => {
                    constraints.push(tours.to_owned());
                }
                None => return None,
                Some(_) => {}
            }
        }
        for part in parts {
            let first = part.strip_prefix(START).or_else(|| part.strip_prefix(HERE));
            let square = first.or_else(|| part.strip_prefix(END));
            match square.map(|square| board.vertex_named(square)) {
                Some(Ok(square)) if first.is_some() => start = Some(square),
                Some(Ok(square)) => end = Some(square),
                // A heading gives only the number of many constraints.
                _ if part.ends_with(MANY) => {}
                _ => constraints.push(part.to_owned()),
            }
        }
        Some(Self { board, kind, start, end, constraints })
    }
}

const TOURS: &str = " tours";
const KINDS: [&str; 2] = ["closed tours", "open tours"];
const FROM_ANYWHERE: &str = " from anywhere";
const START: &str = "start ";
const END: &str = "end ";
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
        if let Some(end) = self.end {
            write!(f, ", {END}{}", self.board.vertex_name(end))?;
        }
        self.constraints.iter().try_for_each(|constraint| write!(f, ", {constraint}"))
    }
}

/// Returns the kind of tours in a comment that hamcnf writes, such as `graph.col, open tours, start 5`.
pub(super) fn kind_in(comment: &str) -> Option<TourKind> {
    comment.split(", ").find_map(|part| part.strip_suffix(TOURS)?.parse().ok())
}
