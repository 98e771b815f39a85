//! Features of a question's graph, computed before any method runs. Rows of features and result rows
//! ([records](crate::record)) share the column `question`, so features and results can be joined.
//!
//! | column | meaning |
//! |---|---|
//! | `question` | the question, as in the result rows |
//! | `graph_crc32` | CRC-32 of the edges, as in the result rows; empty for boards |
//! | `vertices`, `edges` | number of vertices and of edges |
//! | `least_degree`, `mean_degree`, `greatest_degree` | degrees of the vertices; empty if the graph has no vertices |
//! | `components` | number of connected components |
//! | `bipartite` | `true` if the graph is bipartite |
//! | `cut_vertices`, `bridges` | number of cut vertices and of bridges |
//! | `width_bound` | upper bound on the treewidth by a minimum-degree order; empty if its computation takes too many steps |
//! | `obstruction` | name of the obstruction that a cheap infeasibility check finds; empty if there is none |
//! | `gbd_hash` | hash that identifies a formula of the question in the Global Benchmark Database, if requested |
//!
//! All features except the width bound are computed in linear or nearly linear time.

use hamcnf_graph::connectivity::blocks;
use hamcnf_graph::{Facts, Vertex};
use serde::{Deserialize, Serialize};

use hamcnf_cycle::decomposition::Elimination;
use hamcnf_graph::budget::Budget;
use hamcnf_questions::Tours;

/// Features of a question's graph, as one row of a table. The fields are the columns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Features {
    /// Canonical text of the question, as in the result rows ([`Record`](crate::record::Record)).
    pub question: String,
    /// CRC-32 of the edges, as in the result rows ([`Record`](crate::record::Record)); empty for boards.
    #[serde(with = "crate::record::text_or_nothing")]
    pub graph_crc32: String,
    pub vertices: u32,
    pub edges: u32,
    /// Least degree; `None` if the graph has no vertices.
    pub least_degree: Option<usize>,
    /// Mean degree; `None` if the graph has no vertices.
    pub mean_degree: Option<f64>,
    /// Greatest degree; `None` if the graph has no vertices.
    pub greatest_degree: Option<usize>,
    /// Number of connected components.
    pub components: u32,
    /// True if the graph is bipartite.
    pub bipartite: bool,
    /// Number of cut vertices: vertices whose removal disconnects a component.
    pub cut_vertices: u32,
    /// Number of bridges: edges whose removal disconnects a component.
    pub bridges: u32,
    /// Upper bound on the treewidth; `None` if its computation exceeded a limit.
    pub width_bound: Option<u32>,
    /// Kind of the obstruction that a cheap infeasibility check finds; `None` if there is none.
    pub obstruction: Option<String>,
    /// Hash that identifies a formula of the question in the Global Benchmark Database, if requested.
    pub gbd_hash: Option<String>,
}

/// Maximum number of elimination steps for the width bound. This many steps take a few tenths of a second. The limit
/// counts steps instead of time, so the same graphs have a bound on every machine.
pub const BOUND_STEPS: u64 = 30_000_000;

const COLUMNS: [&str; 14] = [
    "question",
    "graph_crc32",
    "vertices",
    "edges",
    "least_degree",
    "mean_degree",
    "greatest_degree",
    "components",
    "bipartite",
    "cut_vertices",
    "bridges",
    "width_bound",
    "obstruction",
    "gbd_hash",
];

impl Features {
    /// Returns the names of the columns in order, as in the header of a CSV file.
    pub fn columns() -> &'static [&'static str] {
        &COLUMNS
    }

    /// Returns the features of a question, without `gbd_hash`. The width bound is omitted if its computation takes more
    /// than [`BOUND_STEPS`] steps or exceeds the budget.
    pub fn of(tours: &Tours, budget: &Budget) -> Self {
        let instance = tours.instance();
        let found = tours.obstruction();
        Self {
            graph_crc32: tours.checksum().to_owned(),
            ..Self::of_graph(tours.to_string(), instance.facts(), found.map(|found| found.kind), budget)
        }
    }

    /// Returns the features of a graph, in a row with the text `question`. The fields `graph_crc32` and `gbd_hash` are
    /// left empty. The caller supplies the obstruction, if there is one.
    pub fn of_graph(question: String, facts: &Facts, obstruction: Option<&str>, budget: &Budget) -> Self {
        let graph = facts.graph();
        let (vertices, edges) = (graph.n_vertices(), graph.n_edges());
        let degrees = || graph.vertices().map(|v| graph.degree(v));
        // An empty graph has no root to search from.
        let blocks = (vertices > 0).then(|| blocks(graph, Vertex::new(0)));
        let count = |of: Option<usize>| of.map_or(0, |n| n as u32);
        let width = Elimination::by_degree(graph, BOUND_STEPS, budget);
        Self {
            question,
            graph_crc32: String::new(),
            vertices,
            edges,
            least_degree: degrees().min(),
            mean_degree: (vertices > 0).then(|| 2.0 * f64::from(edges) / f64::from(vertices)),
            greatest_degree: degrees().max(),
            components: facts.components().count(),
            bipartite: facts.colours().is_some(),
            cut_vertices: count(blocks.as_ref().map(|blocks| blocks.cut_vertices().count())),
            bridges: count(blocks.as_ref().map(|blocks| blocks.bridges().count())),
            width_bound: width.ok().map(|order| order.width()),
            obstruction: obstruction.map(str::to_owned),
            gbd_hash: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_questions::{Files, QuestionSpec};

    fn of(text: &str) -> Features {
        let files = Files::default();
        let tours = QuestionSpec::settled(text, &files).unwrap().load(&files).unwrap();
        Features::of(&tours, &Budget::default())
    }

    #[test]
    fn columns_are_those_of_a_row() {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.serialize(of("6x6")).unwrap();
        let written = String::from_utf8(csv.into_inner().unwrap()).unwrap();
        assert_eq!(written.lines().next().unwrap(), Features::columns().join(","));
        let back = csv::Reader::from_reader(written.as_bytes()).deserialize::<Features>().next();
        assert_eq!(back.unwrap().unwrap(), of("6x6"));
    }

    #[test]
    fn features_of_known_graphs() {
        let petersen = of("petersen:5:2");
        assert_eq!((petersen.vertices, petersen.edges), (10, 15));
        assert_eq!((petersen.mean_degree, petersen.bipartite), (Some(3.0), false));
        // The treewidth of the Petersen graph is 4.
        assert!(petersen.width_bound.is_some_and(|width| (4..=5).contains(&width)));
        assert_eq!(petersen.graph_crc32.len(), 8);
        assert_eq!(of("cycle:12").width_bound, Some(2));
        assert_eq!(of("complete:9").width_bound, Some(8));
        let odd = of("5x5");
        assert_eq!((odd.obstruction.as_deref(), odd.graph_crc32.as_str()), (Some("colours"), ""));
        // The 25 squares have an open tour from a1, but none from b1, which has the rarer colour.
        assert_eq!(of("5x5 open from a1").obstruction, None);
        assert_eq!(of("5x5 open from b1").obstruction.as_deref(), Some("colours"));
        assert_eq!(of("5x5 open from b1").question, "5x5 open from b1");
    }

    #[test]
    fn trees_are_all_cut_vertices_and_bridges() {
        let edges = [(0, 1), (1, 2), (1, 3), (3, 4)];
        let facts = hamcnf_graph::Graph::from_edges(6, edges).unwrap().into();
        let tree = Features::of_graph("tree".to_owned(), &facts, None, &Budget::default());
        assert_eq!((tree.cut_vertices, tree.bridges, tree.components), (2, 4, 2));
        assert_eq!(tree.width_bound, Some(1));
        let facts = hamcnf_graph::Graph::from_edges(0, []).unwrap().into();
        let empty = Features::of_graph("nothing".to_owned(), &facts, None, &Budget::default());
        assert_eq!((empty.mean_degree, empty.cut_vertices), (None, 0));
    }
}
