//! Rest of a graph that a partial tour leaves: the vertices that still lack edges, and the paths between some of them.

use hamcnf_graph::masks::Masks;
use hamcnf_graph::{Facts, Graph, Vertex};
use hamcnf_tours::endpoints::Endpoints;
use hamcnf_tours::{Instance, TourKind};

use hamcnf_cycle::portfolio::{self, Options, Verdict};
use hamcnf_cycle::small::has_cycle_with;
use hamcnf_graph::budget::{Budget, Stopped};

/// Graph with paths between pairs of its vertices. A tour is a Hamiltonian cycle that contains all paths.
pub(crate) struct Rest {
    pub(crate) n: u32,
    pub(crate) edges: Vec<(u32, u32)>,
    /// Ends of the paths. No two paths have a common end.
    pub(crate) paths: Vec<(u32, u32)>,
}

impl Rest {
    /// Searches for a tour by backtracking. Returns `None` if the graph is too large, or after `nodes` nodes.
    pub(crate) fn has_tour(&self, nodes: u64, budget: &Budget) -> Result<Option<bool>, Stopped> {
        let Some(mut graph) = Masks::edgeless(self.n) else {
            return Ok(None);
        };
        for &(v, w) in self.edges.iter().chain(&self.paths) {
            graph.join(v, w);
        }
        has_cycle_with(&graph, &self.paths, nodes, budget)
    }

    /// Searches for a tour by the portfolio, or only by the turns with which it opens. One or two new vertices replace each
    /// path, so that a bipartite graph stays bipartite.
    pub(crate) fn tour(&self, opening_only: bool, budget: &Budget) -> Result<Option<Vec<u32>>, Stopped> {
        let graph = |n: u32, edges| Graph::from_edges(n, edges).expect("a part of a graph has few edges");
        let facts = Facts::from(graph(self.n, self.edges.clone()));
        let (mut n, mut edges) = (self.n, self.edges.clone());
        for &(v, w) in &self.paths {
            edges.push((v, n));
            if facts.colours().is_some_and(|of| of[v as usize] != of[w as usize]) {
                edges.push((n, n + 1));
                n += 1;
            }
            edges.push((n, w));
            n += 1;
        }
        let rest = Instance::on_graph("rest", graph(n, edges), TourKind::Closed, Vertex::new(0));
        let rest = rest.map_err(|_| Stopped::GaveUp)?;
        let options = Options { opening_only, ..Options::default() };
        let answer = portfolio::answer(&rest, Endpoints::Closed, &options, budget, &|_| ());
        match answer.map_err(|_| Stopped::GaveUp)?.verdict {
            Verdict::Tour(tour) => {
                let cycle = tour.order().iter().map(|v| v.number());
                Ok(Some(cycle.filter(|&v| v < self.n).collect()))
            }
            Verdict::Obstructed(_) | Verdict::NoTour => Ok(None),
            Verdict::Unknown(why) => Err(why),
        }
    }
}
