//! Path that grows at its last vertex. The path stores the position of each of its vertices, and the number of
//! unvisited neighbours of every vertex of the graph. The search rules use both.

use hamcnf_graph::Vertex;

use super::order::Neighbours;

/// Marker of a vertex that is not on the path.
const UNVISITED: u32 = u32::MAX;

pub(super) struct Walk<'a> {
    neighbours: &'a Neighbours,
    /// Number of unvisited neighbours of each vertex, updated by every visit.
    onward: Vec<u32>,
    /// Position of each vertex on the path (0-based), or `UNVISITED`.
    position: Vec<u32>,
    path: Vec<Vertex>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(neighbours: &'a Neighbours, start: Vertex) -> Self {
        let onward = neighbours.degrees();
        let n = onward.len();
        let mut walk = Self { neighbours, onward, position: vec![UNVISITED; n], path: Vec::with_capacity(n) };
        walk.visit(start);
        walk
    }

    /// Appends a vertex to the path.
    pub(super) fn visit(&mut self, v: Vertex) {
        self.position[v.index()] = self.path.len() as u32;
        self.path.push(v);
        for &w in self.neighbours.of(v) {
            self.onward[w.index()] -= 1;
        }
    }

    /// Returns all neighbours of a vertex, in the order in which moves are tried.
    pub(super) fn neighbours(&self, v: Vertex) -> &'a [Vertex] {
        self.neighbours.of(v)
    }

    /// Returns the number of unvisited neighbours of a vertex.
    pub(super) fn onward(&self, v: Vertex) -> u32 {
        self.onward[v.index()]
    }

    /// Collects in `tied` the unvisited neighbours of the last vertex from which the fewest moves lead on, but at least
    /// `least`. Returns this number of moves.
    pub(super) fn fewest_onward(&self, least: u32, tied: &mut Vec<Vertex>) -> u32 {
        let mut fewest = u32::MAX;
        tied.clear();
        for &v in self.neighbours(self.last()) {
            let onward = self.onward(v);
            if self.is_visited(v) || onward < least {
                continue;
            }
            if onward < fewest {
                fewest = onward;
                tied.clear();
            }
            if onward == fewest {
                tied.push(v);
            }
        }
        fewest
    }

    pub(super) fn is_visited(&self, v: Vertex) -> bool {
        self.position[v.index()] != UNVISITED
    }

    /// Returns all vertices that are not on the path.
    pub(super) fn unvisited(&self) -> impl Iterator<Item = Vertex> + '_ {
        let numbered = (0..).zip(&self.position);
        numbered.filter(|&(_, &position)| position == UNVISITED).map(|(v, _)| Vertex::new(v))
    }

    /// Returns the 0-based position of a visited vertex on the path.
    pub(super) fn position(&self, v: Vertex) -> usize {
        self.position[v.index()] as usize
    }

    pub(super) fn path(&self) -> &[Vertex] {
        &self.path
    }

    pub(super) fn into_path(self) -> Vec<Vertex> {
        self.path
    }

    /// Returns the number of vertices of the graph.
    pub(super) fn n(&self) -> usize {
        self.position.len()
    }

    pub(super) fn is_complete(&self) -> bool {
        self.path.len() == self.n()
    }

    pub(super) fn first(&self) -> Vertex {
        self.path[0]
    }

    pub(super) fn last(&self) -> Vertex {
        self.path[self.path.len() - 1]
    }

    /// Reverses the section of the path from position `begin` to the end.
    pub(super) fn reverse_from(&mut self, begin: usize) {
        self.path[begin..].reverse();
        self.place_from(begin);
    }

    /// Rotates the path so that the vertex at position `first` comes first. The vertices before it move to the end.
    pub(super) fn rotate_to(&mut self, first: usize) {
        self.path.rotate_left(first);
        self.place_from(0);
    }

    fn place_from(&mut self, begin: usize) {
        for (position, v) in self.path.iter().enumerate().skip(begin) {
            self.position[v.index()] = position as u32;
        }
    }
}
