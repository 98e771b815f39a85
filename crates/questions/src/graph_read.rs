//! Identity of a graph that was read: a file's name does not identify its contents.

use hamcnf_tours::Instance;
use serde::{Deserialize, Serialize};

/// Graph that was read from a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct GraphRead {
    /// Path of the file, as the user typed it.
    pub file: String,
    pub vertices: u32,
    /// Number of edges; for a digraph, number of arcs.
    pub edges: u32,
    /// [Checksum](hamcnf_graph::Digraph::crc32) of the edges.
    pub crc32: u32,
}

impl GraphRead {
    /// Returns the CRC-32 as 8 hexadecimal digits.
    pub fn checksum(&self) -> String {
        format!("{:08x}", self.crc32)
    }

    /// Returns the description of an instance's graph; `None` for a board.
    pub fn of(instance: &Instance) -> Option<Self> {
        if instance.squares().is_some() {
            return None;
        }
        Some(Self {
            file: instance.name().to_owned(),
            vertices: instance.n(),
            edges: if instance.is_directed() { instance.digraph().n_arcs() } else { instance.graph().n_edges() },
            crc32: instance.digraph().crc32(),
        })
    }
}
