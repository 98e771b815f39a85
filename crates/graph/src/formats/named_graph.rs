//! Graph with names of its vertices, as formats write it.

use super::*;

/// An undirected or directed graph with names of its vertices.
#[derive(Clone, Copy, Debug)]
pub struct NamedGraph<'a> {
    /// Arcs, all of them; an undirected graph has two opposite arcs for every edge.
    pub digraph: &'a Digraph,
    /// True if the arcs are not edges.
    pub is_directed: bool,
    /// Names of the vertices.
    pub names: &'a VertexNames,
    /// Edges that every tour uses, counted from 0. Only TSPLIB has them.
    pub fixed: &'a [(u32, u32)],
}

impl NamedGraph<'_> {
    /// Returns the number of vertices.
    pub fn n(&self) -> u32 {
        self.digraph.n_vertices()
    }

    /// Returns the number of edges of an undirected graph, or the number of arcs of a digraph.
    pub fn n_edges(&self) -> u32 {
        if self.is_directed { self.digraph.n_arcs() } else { self.digraph.n_arcs() / 2 }
    }

    /// Returns the ends of each edge, the lesser vertex first, or of each arc.
    pub fn pairs(&self) -> impl Iterator<Item = [Vertex; 2]> + '_ {
        self.digraph.arcs_or_edges(self.is_directed).map(|arc| [arc.tail, arc.head])
    }

    /// Returns the ends of each edge or arc as numbers, counted from 1.
    pub fn numbered_pairs(&self) -> impl Iterator<Item = [u64; 2]> + '_ {
        self.pairs().map(|pair| pair.map(|v| Numbering::FromOne.number(v)))
    }

    /// Returns the names of all vertices as `spell` writes them. A name that `spell` rejects is an error, so that
    /// nothing is written.
    pub(super) fn spelled(
        &self,
        format: Format,
        spell: impl Fn(&str) -> Option<String>,
    ) -> Result<Vec<String>, WriteError> {
        let all = self.digraph.vertices().map(|v| {
            let name = self.names.name(v);
            spell(&name).ok_or(WriteError::Name { format, name })
        });
        all.collect()
    }

    /// Calls `write` with the spelled names of the ends of each edge or arc.
    pub(super) fn write_pairs<'s>(
        &self,
        spelled: &'s [String],
        mut write: impl FnMut(&'s str, &'s str) -> io::Result<()>,
    ) -> io::Result<()> {
        self.pairs().try_for_each(|[a, b]| write(&spelled[a.index()], &spelled[b.index()]))
    }
}

/// Writes the comment line that names the format.
pub(super) fn write_title(format: Format, out: &mut dyn Write) -> io::Result<()> {
    format.title().map_or(Ok(()), |title| writeln!(out, "{title}"))
}
