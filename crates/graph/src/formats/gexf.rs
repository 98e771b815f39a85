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

use std::io::{self, Write};

use quick_xml::escape::escape;

use super::graphml::{self, Dialect};
use super::{Format, FormatKind, lines};
use crate::digraph::Digraph;
use crate::vertex_names::VertexNames;

impl Format {
    /// GEXF: nodes and edges in XML, as Gephi writes them.
    pub const GEXF: Self = Self::new(&FormatKind {
        name: "gexf",
        summary: "Gephi's GEXF",
        endings: &["gexf"],
        begins: |text| {
            let is_xml = lines(text).next().is_some_and(|(_, line)| line.starts_with('<'));
            is_xml && graphml::root(text).is_some_and(|root| root == "gexf")
        },
        read: |text| super::only(graphml::read(text, &DIALECT)?),
        write: |graph, names, out| Ok(write(graph, names, false, out)?),
        write_directed: Some(|digraph, names, out| Ok(write(digraph, names, true, out)?)),
        ..FormatKind::NONE
    });
}

const DIALECT: Dialect =
    Dialect { format: Format::GEXF, root: "gexf", of_graph: "defaultedgetype", of_edge: "type", label: Some("label") };

/// Writes the edges of an undirected graph, or, if `directed` is true, the arcs of a digraph.
fn write(graph: &Digraph, names: &VertexNames, directed: bool, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<gexf xmlns=\"http://gexf.net/1.3\" version=\"1.3\">")?;
    let edges = if directed { "directed" } else { "undirected" };
    writeln!(out, "<graph defaultedgetype=\"{edges}\">\n<nodes>")?;
    for v in graph.vertices() {
        let name = names.name(v);
        let name = escape(&name);
        writeln!(out, "<node id=\"{name}\" label=\"{name}\"/>")?;
    }
    writeln!(out, "</nodes>\n<edges>")?;
    for (id, arc) in graph.arcs_or_edges(directed).enumerate() {
        let [a, b] = [arc.tail, arc.head].map(|v| names.name(v));
        let (a, b) = (escape(a), escape(b));
        writeln!(out, "<edge id=\"{id}\" source=\"{a}\" target=\"{b}\"/>")?;
    }
    writeln!(out, "</edges>\n</graph>\n</gexf>")
}
