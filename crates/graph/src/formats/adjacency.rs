//! Adjacency lists: one line for each vertex, with the name of the vertex and names of its neighbours, separated by
//! blanks.
//!
//! networkx lists each edge of an undirected graph once, in the line of the end that comes first, so the last line has
//! only a vertex. For a digraph, it lists each arc in the line of its tail. The reader also accepts lists in which each
//! edge is in the lines of both ends, lists with one line for each neighbour ([`multiline`]), and lists with a colon
//! after each vertex, as the House of Graphs and nauty's showg write them: `1: 2 3`. `#` and `%` begin a comment; lists
//! by networkx begin with three comment lines.
//!
//! # References
//!
//! - Hagberg, Schult, Swart: *Exploring Network Structure, Dynamics, and Function using NetworkX*, SciPy 2008; the
//!   functions `read_adjlist` and `write_adjlist`.

use std::collections::HashMap;

use super::*;

impl Format {
    /// networkx adjacency lists: each line has a vertex and its neighbours, except for neighbours with an earlier line.
    pub const ADJACENCY_LIST: Self = Self::new(&FormatKind {
        name: "adjlist",
        summary: "networkx's adjacency lists",
        endings: &["adjlist"],
        comment: Some('#'),
        begins: |text| {
            // networkx writes a date above adjacency lists, but not above lists of edges, in the second comment line.
            lines(text).take(3).any(|(_, line)| line.starts_with("# GMT "))
        },
        read,
        read_strictly: Some(read_surely),
        write,
        ..FormatKind::NONE
    });
}

const LINE: &str = "a vertex and its neighbours, separated by blanks, with an optional colon after the vertex";

/// Lines of an adjacency list, each with its line number.
struct Rows<'t> {
    rows: Vec<(usize, Cow<'t, str>)>,
    has_colons: bool,
}

impl<'t> Rows<'t> {
    fn new(text: &'t str) -> Self {
        let rows: Vec<_> = entries(text).filter(|(_, row)| !is_caption(row)).collect();
        let has_colons = !rows.is_empty() && rows.iter().all(|(_, row)| has_colon(row));
        let rows = rows.into_iter().map(|(line, row)| match has_colons {
            true => (line, Cow::Owned(row.replace([':', ',', ';', '[', ']'], " "))),
            false => (line, Cow::Borrowed(row)),
        });
        Self { rows: rows.collect(), has_colons }
    }

    /// Returns the line number of each row, its vertex and the neighbours.
    fn iter(&self) -> impl Iterator<Item = (usize, &str, impl Iterator<Item = &str>)> {
        self.rows.iter().filter_map(|(line, row)| {
            let mut names = with_tuples(row);
            Some((*line, names.next()?, names))
        })
    }
}

/// True if a row has a colon after its vertex, and no other colon.
fn has_colon(row: &str) -> bool {
    let mut parts = row.split(':');
    let vertex = parts.next().unwrap_or_default().trim();
    !vertex.is_empty() && !vertex.contains(char::is_whitespace) && parts.next().is_some() && parts.next().is_none()
}

/// True if each row has a colon and a blank after its vertex, and some neighbours have commas between them.
pub(super) fn has_colons_and_commas(text: &str) -> bool {
    let mut rows = entries(text).filter(|(_, row)| !is_caption(row)).peekable();
    let has_rows = rows.peek().is_some();
    let is_spaced = |row: &str| row.ends_with(':') || row.contains(": ");
    has_rows && text.contains(',') && rows.all(|(_, row)| has_colon(row) && is_spaced(row))
}

/// True for the line that nauty's showg writes before a graph, such as `Graph 1, order 4.`
pub(super) fn is_caption(row: &str) -> bool {
    row.starts_with("Graph ") && row.contains(", order ")
}

/// Reads an adjacency list in which every vertex has a line.
pub(super) fn read(text: &str) -> Result<TextGraph, FormatError> {
    if let Some(listed) = multiline::read(text) {
        return listed;
    }
    let captions = entries(text).filter(|(_, row)| is_caption(row)).count();
    if captions > 1 {
        return Err(at(
            0,
            format!("the text contains {captions} graphs; keep one, or use the graph6 file that it comes from"),
        ));
    }
    let rows = Rows::new(text);
    let mut edges = NamedEdges::default();
    // Place of the line of each vertex. The vertices are numbered in the order in which they are named.
    let mut order = HashMap::new();
    for (place, (line, name, neighbours)) in rows.iter().enumerate() {
        edges.declare(line, name, None)?;
        let vertex = edges.vertex(line, name)?;
        order.insert(vertex, place);
        let of_digits = |name: &str| name.bytes().all(|byte| byte.is_ascii_digit() || byte == b':');
        for neighbour in neighbours {
            let w = edges.vertex(line, neighbour)?;
            edges.push(line, false, vertex, w);
        }
        // A list such as "0:1:2" has another form.
        if !rows.has_colons && name.contains(':') && of_digits(name) {
            return Err(not(line, name, LINE));
        }
    }
    // Every neighbour must have a line, so a truncated list is not mistaken for a smaller graph.
    let pairs = &edges.pairs;
    if let Some((&line, &(_, w))) = pairs.lines.iter().zip(&pairs.edges).find(|(_, (_, w))| !order.contains_key(w)) {
        let name = edges.name(w);
        return Err(at(
            line,
            format!(
                "vertex {name} is a neighbour on this line, but no later line begins with {name}; add a line for vertex {name}"
            ),
        ));
    }
    if rows.rows.is_empty() && !Format::ADJACENCY_LIST.is_title_of(text) {
        return Err(at(0, EMPTY));
    }
    let backward = pairs.edges.iter().position(|(v, w)| order[w] < order[v]);
    edges.graph(Format::ADJACENCY_LIST, Declared::Neighbours { backward })
}

/// Reads a text that can only be an adjacency list: each vertex has a line, and one of these holds. The vertices have
/// colons; each edge is in the lines of both ends; or the lines have different numbers of neighbours. Other texts are
/// errors.
fn read_surely(text: &str) -> Result<TextGraph, FormatError> {
    if let Some(listed) = multiline::read(text) {
        return listed;
    }
    let graph = read(text)?;
    let rows = Rows::new(text);
    let lengths: Vec<_> = rows.iter().map(|(.., names)| names.count()).collect();
    let (line, _) = rows.rows.last().ok_or_else(|| at(0, EMPTY))?;
    if graph.pairs.all().all(|(a, b)| a == b) {
        return Err(at(0, "the text contains no edge"));
    }
    if rows.has_colons {
        return Ok(graph);
    }
    let pairs = lengths.iter().filter(|&&length| length == 1).count();
    if lengths.last() == Some(&0) && pairs > 0 && pairs + 1 == lengths.len() {
        return Err(at(*line, "the last line may be a truncated edge; is the file complete?"));
    }
    // The rows of a matrix or of a table may have commas.
    if rows.rows.iter().any(|(_, row)| row.contains(',') && !row.contains('(')) {
        return Err(not(*line, &rows.rows[0].1, LINE));
    }
    // All lines of a matrix, or of a list of edges with weights, have the same length.
    if lengths.iter().any(|length| *length != lengths[0]) || graph.is_symmetric() {
        return Ok(graph);
    }
    Err(at(*line, "each line could be an edge with weights: every line has the same number of words"))
}

fn write(graph: &NamedGraph<'_>, out: &mut dyn Write) -> Result<(), WriteError> {
    let spell = |name: &str| (!is_comment(name) && !name.contains(':')).then(|| name.to_owned());
    let names = graph.spelled(Format::ADJACENCY_LIST, spell)?;
    write_title(Format::ADJACENCY_LIST, out)?;
    for v in graph.digraph.vertices() {
        write!(out, "{}", names[v.index()])?;
        for &w in graph.digraph.successors(v).iter().filter(|&&w| w > v) {
            write!(out, " {}", names[w.index()])?;
        }
        writeln!(out)?;
    }
    Ok(())
}
