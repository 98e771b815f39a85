//! Tours as text: numbered boards, and lists of the names of squares or vertices.

use std::borrow::Cow;

use hamcnf_graph::{Digraph, Vertex, VertexNames};
use hamcnf_tours::{Board, BoardError, HoledBoard, Piece};

use super::{Claim, Claims, Heading, Hints, NamedGraph, Reason, on_graph, one_of};

/// Character that fills a hole in a drawing.
pub(crate) const HOLE: &str = "█";

/// Header of the table of tours that `hamcnf list --format csv` writes.
const TABLE: &str = "rank,tour";

/// Converts a flat list in JSON or Python, such as `["a1", "b3"]` or `(1, 2)`, into a line of vertices, and a table of
/// tours into lines of vertices. Other texts are returned unchanged.
pub(super) fn as_lines(text: &str) -> Cow<'_, str> {
    let inner = text.trim();
    let is_heading = |line: &&str| line.is_empty() || line.starts_with('#');
    if inner.lines().find(|line| !is_heading(line)) == Some(TABLE) {
        let tours = inner.lines().filter(|&line| line != TABLE).map(|line| match line.split_once(',') {
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
            Cow::Owned(list.split(gap).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
        }
        _ => Cow::Borrowed(text),
    }
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
            let wrong = |word: &str| Reason::not_a_vertex(word, *numbering);
            let order = words.iter().zip(vertices).map(|(word, vertex)| vertex.ok_or_else(|| wrong(word)));
            are_numbers.then(|| order.collect())
        }
    }
}

/// Reads each line as a list of names of squares. The heading of a line is the last heading before it. On a given graph,
/// a list has names or numbers of its vertices, and lines with other content are ignored.
pub(super) fn lists(text: &str, hints: &Hints<'_>) -> Option<Claims> {
    if let Some(of) = hints.graph {
        return Some(on_lines(text, of));
    }
    let (mut heading, mut claims) = (None, Vec::new());
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if line.starts_with('#') {
            heading = Heading::find(line).or(heading);
        } else {
            claims.push(named(line, heading.as_ref(), hints));
        }
    }
    Some(claims)
}

fn on_lines(text: &str, of: &NamedGraph) -> Claims {
    let orders = text.lines().filter_map(|line| order_in(line, of.graph.digraph(), &of.names));
    let claims: Vec<_> = orders.map(|order| on_graph(of, order?, None)).collect();
    if !claims.is_empty() {
        return claims;
    }
    let missing = if matches!(of.names, VertexNames::Words(_)) { "names" } else { "numbers" };
    vec![Err(Reason::Other(format!("no tour found: no line contains only vertex {missing}")))]
}

/// Returns the error for a word in a list of squares that is not the name of a square. If the word begins with a digit
/// like a vertex number, the error advises to name the graph.
fn not_a_name(word: &str) -> Reason {
    let hint = match word.starts_with(|c: char| c.is_ascii_digit()) {
        true => "; for a vertex of a graph, name the graph with --graph",
        false => "",
    };
    Reason::Other(format!("\"{word}\" is not the name of a square, such as a1{hint}"))
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
            return Err(not_a_name(word));
        }
        let square = largest.square(word).map_err(|error| match error {
            // The message of `SquareSyntax` would suggest numbers, which are not allowed here.
            BoardError::SquareSyntax(word) => not_a_name(&word),
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
            Board::new(rows.into(), cols.into(), piece)?.ranked(hints.ranks.unwrap_or_default()).into()
        }
    };
    let place = hints.place(board, said)?;
    let order: Result<_, _> = words.iter().map(|word| place.vertex(word)).collect();
    place.headed(heading, order?)
}

/// Reads boards of numbers without lines between the squares; blank lines separate the boards. Returns `None` if a line
/// contains anything else, or if a board has only one row.
pub(super) fn grids(text: &str, hints: &Hints<'_>) -> Option<Claims> {
    if hints.graph.is_some() {
        return None;
    }
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
    are_boards.then(|| grids.iter().map(|grid| grid.claim(hints)).collect())
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

/// Reads all numbered boards of a drawing. The heading of a board is the last heading between the previous board and
/// this board. Returns `None` if the text has no bars between squares.
pub(super) fn boards(text: &str, hints: &Hints<'_>) -> Option<Claims> {
    if hints.graph.is_some() || !text.contains(BARS) {
        return None;
    }
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
    Some(boards.iter().map(|board| board.claim(hints)).collect())
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
            Some(heading) if heading.board.sides() != board.sides() => Err(Reason::Other(format!(
                "the heading names a board of {}, but the board below the heading is {}",
                heading.board.sides(),
                board.sides()
            ))),
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
            return Err(Reason::Other(format!(
                "row {row} of the board has {found} squares, but the first row has {expected}"
            )));
        }
    }
    if cols == 0 {
        return Err(BoardError::empty(rows.len() as u64, 0).into());
    }
    let mut visits = Vec::with_capacity(rows.len() * cols);
    let mut holes = Vec::new();
    for (square, cell) in (0..).zip(rows.iter().flatten()) {
        if is_hole(cell) {
            holes.push(Vertex::new(square));
            continue;
        }
        let number = cell.parse::<usize>().map_err(|_| {
            Reason::Other(format!(
                "\"{cell}\" on the board is not a number; write the position of the square in the tour"
            ))
        })?;
        visits.push((number, Vertex::new(square - holes.len() as u32)));
    }
    visits.sort_unstable();
    // Numbers are counted from 0 if there is a 0, otherwise from 1.
    let first = visits.first().map_or(0, |visit| visit.0.min(1));
    if let Some((k, _)) = (first..).zip(&visits).find(|(k, (number, _))| k != number) {
        let sentence = format!("number {k} is missing from the board, or a smaller number occurs twice");
        return Err(Reason::NoTour(sentence));
    }
    Ok((visits.into_iter().map(|(_, square)| square).collect(), holes))
}
