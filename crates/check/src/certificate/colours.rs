//! Certificate reason `colours`: the sizes of the two classes in a 2-colouring of the graph allow no tour.
//!
//! A connected bipartite graph has a unique 2-colouring, up to swapping the colours. Every step of a tour changes the
//! colour. So a closed tour has equally many vertices of both colours. In an open tour of n vertices, n/2 vertices,
//! rounded up, have the colour of the first vertex. The last vertex has the same colour if n is odd, and the other
//! colour if n is even.

use super::{Asked, Limits, ReasonKind, Unverified};
use hamcnf_graph::graph::{Graph, Vertex};
use hamcnf_tours::endpoints::Endpoints;

/// Kind of reason `colours`.
pub static KIND: ReasonKind = ReasonKind { name: "colours", vertices: None, check };

/// Computes the 2-colouring of the graph, and checks that the sizes of the two colour classes allow no tour.
fn check(asked: &Asked<'_>, _: &[Vertex], _: &Limits<'_>) -> Result<String, Unverified> {
    let colours = colours(asked.graph)?;
    let second = colours.iter().filter(|&&colour| colour).count();
    let counts = [colours.len() - second, second];
    let n = colours.len();
    let is = |end: Option<Vertex>, colour: bool| end.is_none_or(|v| colours[v.index()] == colour);
    let fits = match asked.ends {
        Endpoints::Closed => counts[0] == counts[1],
        Endpoints::Open { from, to } => [false, true].into_iter().any(|first| {
            let last = if n % 2 == 1 { first } else { !first };
            counts[usize::from(first)] == n.div_ceil(2) && is(from, first) && is(to, last)
        }),
    };
    match fits {
        true => Err(Unverified::invalid(format_args!(
            "the colours prove nothing: {} vertices of one colour and {} of the other allow a tour",
            counts[0], counts[1]
        ))),
        false => Ok(format!(
            "every move changes colour, but no such tour visits {} vertices of one colour and {} of the other",
            counts[0], counts[1]
        )),
    }
}

/// Returns the colour of every vertex in a 2-colouring. Vertex 0 has the colour `false`.
fn colours(graph: &Graph) -> Result<Vec<bool>, Unverified> {
    let mut colours = vec![None; graph.n_vertices() as usize];
    let mut waiting: Vec<_> = graph.vertices().take(1).map(|v| (v, false)).collect();
    for &(v, colour) in &waiting {
        colours[v.index()] = Some(colour);
    }
    while let Some((v, colour)) = waiting.pop() {
        for &w in graph.neighbours(v) {
            match colours[w.index()] {
                None => {
                    colours[w.index()] = Some(!colour);
                    waiting.push((w, !colour));
                }
                Some(other) if other == colour => return Err(requires("bipartite")),
                Some(_) => {}
            }
        }
    }
    let all = colours.into_iter().collect::<Option<Vec<bool>>>();
    all.ok_or_else(|| requires("connected"))
}

fn requires(property: &str) -> Unverified {
    Unverified::invalid(format_args!("this reason applies only to {property} graphs, but the graph is not {property}"))
}
