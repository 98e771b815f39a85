//! Elements of the sets that stand for tours: edges, and the ends of open tours.

use hamcnf_graph::Vertex;
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, Tour};

/// Part of a tour.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Element {
    /// Edge between two vertices.
    Edge(Vertex, Vertex),
    /// End of an open tour at this vertex.
    End(Vertex),
}

/// Returns the tour whose edges and ends are in `set`. A closed tour begins at the start vertex and continues to the
/// smaller of the two neighbours on the tour. An open tour without a given first vertex begins at the smaller end, or at
/// the greater end if `backwards` is true.
pub(crate) fn ordered(instance: &Instance, ends: Endpoints, set: &[Element], backwards: bool) -> Tour {
    let mut neighbours = vec![Vec::with_capacity(2); instance.n() as usize];
    let mut last = Vec::new();
    for element in set {
        match *element {
            Element::Edge(a, b) => {
                neighbours[a.index()].push(b);
                neighbours[b.index()].push(a);
            }
            Element::End(v) => last.push(v),
        }
    }
    last.sort_unstable();
    let first = match ends {
        Endpoints::Closed => instance.start(),
        Endpoints::Open { from: Some(from), .. } => from,
        Endpoints::Open { from: None, .. } => last[usize::from(backwards)],
    };
    let mut order = vec![first];
    let mut next = neighbours[first.index()].iter().min().copied();
    while let Some(at) = next {
        let from = order[order.len() - 1];
        order.push(at);
        let onwards = neighbours[at.index()].iter().find(|&&w| w != from);
        next = onwards.copied().filter(|&w| w != first);
    }
    let from_first = instance.starting_at(first);
    from_first.ok().and_then(|instance| Tour::check(&instance, order).ok()).expect("every set of the diagram is a tour")
}
