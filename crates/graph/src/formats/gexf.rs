//! GEXF, Gephi's format: within `<graph defaultedgetype="undirected">`, elements `<node id="…" label="…"/>` and
//! `<edge source="…" target="…"/>`.
//!
//! The type of an edge may be `directed`, `undirected`, or `mutual` for arcs in both directions. If all vertices have
//! distinct labels, vertices are named by their labels, otherwise by their ids. Everything else is ignored. Nodes within
//! nodes are vertices, too.
//!
//! # References
//!
//! - Bastian, Heymann, Jacomy: *Gephi: An Open Source Software for Exploring and Manipulating Networks*, ICWSM 2009.

use super::*;

impl Format {
    /// GEXF: nodes and edges in XML, as Gephi writes them.
    pub const GEXF: Self = Self::new(&FormatKind {
        name: "gexf",
        summary: "Gephi's GEXF",
        endings: &["gexf"],
        begins: |text| graphml::is_xml(text) && graphml::root(text).is_some_and(|root| root == DIALECT.root),
        read: |text| super::only(graphml::read(text, &DIALECT)?),
        has_arcs: true,
        write: |graph, out| graphml::write(graph, &DIALECT, out),
        ..FormatKind::NONE
    });
}

const DIALECT: Dialect = Dialect {
    format: Format::GEXF,
    root: "gexf",
    of_graph: "defaultedgetype",
    of_edge: "type",
    label: Some("label"),
    head: "<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">",
    lists: Some(["nodes", "edges"]),
};
