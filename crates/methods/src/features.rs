//! What is known of a question's graph before anybody works on it, in columns beside those of [records](crate::record): so
//! rows of results are joined with them by their question.
//!
//! | column | what it is |
//! |---|---|
//! | `question` | the question, as a row has it |
//! | `graph_crc32` | CRC-32 of the edges, as a row has it: empty for boards |
//! | `vertices`, `edges` | how many |
//! | `least_degree`, `mean_degree`, `greatest_degree` | of the vertices; empty without any |
//! | `components` | how many |
//! | `bipartite` | whether it is |
//! | `cut_vertices`, `bridges` | how many |
//! | `width_bound` | the width of the order of elimination by least degree: the treewidth is no greater; empty where that takes too many steps |
//! | `obstruction` | the name of a reason why there is no such tour that is seen at once, or empty |
//! | `gbd_hash` | the hash of a formula of the question in the Global Benchmark Database, where one was asked for |
//!
//! All but the bound take linear time, or nearly so.

use hamcnf_encodings::connectivity::blocks;
use hamcnf_encodings::{Facts, ObstructionKind, Shape, Vertex};
use serde::{Deserialize, Serialize};

use crate::question::Tours;
use hamcnf_engines::budget::Budget;
use hamcnf_engines::cycle::decomposition::Elimination;

/// The features of a question's graph: a row, whose columns are these fields.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Features {
    /// The question in its one text, as a row has it.
    pub question: String,
    /// CRC-32 of the edges, as a row has it: empty for boards.
    #[serde(with = "crate::record::text_or_nothing", alias = "graph")]
    pub graph_crc32: String,
    /// How many vertices.
    pub vertices: u32,
    /// How many edges.
    pub edges: u32,
    /// The least degree, if there is a vertex.
    pub least_degree: Option<usize>,
    /// The mean degree, if there is a vertex.
    pub mean_degree: Option<f64>,
    /// The greatest degree, if there is a vertex.
    pub greatest_degree: Option<usize>,
    /// How many connected components.
    pub components: u32,
    /// Whether it is bipartite.
    pub bipartite: bool,
    /// How many vertices there are without which a component falls into parts.
    pub cut_vertices: u32,
    /// How many edges there are without which one does.
    pub bridges: u32,
    /// An upper bound of the treewidth, if it came in time.
    pub width_bound: Option<u32>,
    /// A reason why there is no such tour, if one is seen at once.
    #[serde(with = "named")]
    pub obstruction: Option<ObstructionKind>,
    /// The hash of a formula, if one was asked for.
    pub gbd_hash: Option<String>,
}

/// A kind of obstruction as its name.
mod named {
    use hamcnf_encodings::ObstructionKind;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        kind: &Option<ObstructionKind>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        kind.map(|kind| kind.to_string()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<ObstructionKind>, D::Error> {
        let name = Option::<String>::deserialize(from)?;
        let kind = name.map(|name| name.parse()).transpose();
        kind.map_err(de::Error::custom)
    }
}

/// The most steps of elimination that a bound of the width may take, some tenths of a second: the same graphs have one on
/// every machine.
pub const BOUND_STEPS: u64 = 30_000_000;

/// The columns in order.
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
    /// The names of the columns, in order: those of a row as CSV.
    #[must_use]
    pub fn columns() -> &'static [&'static str] {
        &COLUMNS
    }

    /// The features of what is asked, without a formula. The bound of the width is left out where it takes more than
    /// [`BOUND_STEPS`], or longer than the budget allows.
    #[must_use]
    pub fn of(tours: &Tours, budget: &Budget) -> Self {
        let instance = tours.instance();
        let found = tours.ends().obstruction(instance);
        Self {
            graph_crc32: tours.checksum().to_owned(),
            ..Self::of_graph(
                tours.to_string(),
                instance.facts(),
                found.map(|found| found.kind()),
                budget,
            )
        }
    }

    /// The features of a graph that a question of this name is about, without a checksum and a formula; which obstruction
    /// there is, if any, has to be known.
    #[must_use]
    pub fn of_graph(
        question: String,
        facts: &Facts,
        obstruction: Option<ObstructionKind>,
        budget: &Budget,
    ) -> Self {
        let graph = facts.graph();
        let (vertices, edges) = (graph.n_vertices(), graph.n_edges());
        let shape = Shape::of(facts);
        // Without a vertex there is no root to search from.
        let blocks = (vertices > 0).then(|| blocks(graph, Vertex::new(0)));
        let count = |of: Option<usize>| of.map_or(0, |n| n as u32);
        let width = Elimination::by_degree(graph, BOUND_STEPS, budget);
        Self {
            question,
            graph_crc32: String::new(),
            vertices,
            edges,
            least_degree: shape.degrees.map(|(least, _)| least),
            mean_degree: (vertices > 0).then(|| 2.0 * f64::from(edges) / f64::from(vertices)),
            greatest_degree: shape.degrees.map(|(_, greatest)| greatest),
            components: shape.components,
            bipartite: shape.colours.is_some(),
            cut_vertices: count(blocks.as_ref().map(|blocks| blocks.cut_vertices().count())),
            bridges: count(blocks.as_ref().map(|blocks| blocks.bridges().count())),
            width_bound: width.ok().map(|order| order.width()),
            obstruction,
            gbd_hash: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::{Files, QuestionSpec};

    fn of(text: &str) -> Features {
        let files = Files::default();
        let spec = QuestionSpec::settled(text, &files).unwrap();
        let tours = spec.load(&files).unwrap();
        Features::of(&tours, &Budget::default())
    }

    #[test]
    fn columns_are_those_of_a_row() {
        let mut csv = csv::Writer::from_writer(Vec::new());
        csv.serialize(of("6x6")).unwrap();
        let written = String::from_utf8(csv.into_inner().unwrap()).unwrap();
        let head = written.lines().next().unwrap();
        assert_eq!(head, Features::columns().join(","));
        let back = csv::Reader::from_reader(written.as_bytes())
            .deserialize::<Features>()
            .next();
        assert_eq!(back.unwrap().unwrap(), of("6x6"));
    }

    #[test]
    fn features_of_known_graphs() {
        let petersen = of("petersen:5:2");
        assert_eq!((petersen.vertices, petersen.edges), (10, 15));
        assert_eq!(
            (petersen.mean_degree, petersen.bipartite),
            (Some(3.0), false)
        );
        // Its treewidth is 4.
        assert!(
            petersen
                .width_bound
                .is_some_and(|width| (4..=5).contains(&width))
        );
        assert_eq!(petersen.graph_crc32.len(), 8);
        assert_eq!(of("cycle:12").width_bound, Some(2));
        assert_eq!(of("complete:9").width_bound, Some(8));
        let odd = of("5x5");
        assert_eq!(
            (odd.obstruction, odd.graph_crc32.as_str()),
            (Some(ObstructionKind::Colours), "")
        );
        // An open tour of as many squares is there, and begins on the right colour.
        assert_eq!(of("5x5 open from a1").obstruction, None);
        assert_eq!(
            of("5x5 open from b1").obstruction,
            Some(ObstructionKind::Colours)
        );
        assert_eq!(of("5x5 open from b1").question, "5x5 open from b1");
    }

    #[test]
    fn trees_are_all_cut_vertices_and_bridges() {
        let edges = [(0, 1), (1, 2), (1, 3), (3, 4)];
        let facts = hamcnf_encodings::Graph::from_edges(6, edges)
            .unwrap()
            .into();
        let tree = Features::of_graph("tree".to_owned(), &facts, None, &Budget::default());
        assert_eq!(
            (tree.cut_vertices, tree.bridges, tree.components),
            (2, 4, 2)
        );
        assert_eq!(tree.width_bound, Some(1));
        let facts = hamcnf_encodings::Graph::from_edges(0, []).unwrap().into();
        let empty = Features::of_graph("nothing".to_owned(), &facts, None, &Budget::default());
        assert_eq!((empty.mean_degree, empty.cut_vertices), (None, 0));
    }
}
