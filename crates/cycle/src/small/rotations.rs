//! Search for a Hamiltonian cycle of a small graph by extension and rotation. The search finds a cycle of most graphs
//! that have one, in about a microsecond. A failure proves nothing.
//!
//! The path grows at its end to a free neighbour with the fewest free neighbours (Warnsdorff's rule). A path v₀ … vᵢ
//! vᵢ₊₁ … vₖ that cannot grow is rotated at a neighbour vᵢ of its end, to v₀ … vᵢ vₖ … vᵢ₊₁. Rotations are preferred if
//! the new end has a free neighbour or closes the cycle. Otherwise, the rotation is random.
//!
//! # References
//!
//! - Lajos Pósa: *Hamiltonian circuits in random graphs*, Discrete Mathematics 14, 1976.
//! - H. C. von Warnsdorff: *Des Rösselsprungs einfachste und allgemeinste Lösung*, 1823.

use hamcnf_graph::masks::{Masks, bits};

/// Limit on the rotations, as a multiple of the number of vertices of the graph; with more, the search gives up.
const ROTATIONS: u32 = 4;

/// Path in a graph. `order` lists its vertices in order.
struct Path {
    order: [u8; Masks::MOST as usize],
    /// Indexed by vertex of the path: its position in `order`.
    place: [u8; Masks::MOST as usize],
    length: usize,
    visited: u64,
}

impl Path {
    fn push(&mut self, v: u32) {
        self.order[self.length] = v as u8;
        self.place[v as usize] = self.length as u8;
        self.length += 1;
        self.visited |= 1 << v;
    }

    fn end(&self) -> u32 {
        self.order[self.length - 1].into()
    }

    /// Reverses the path from position `first` to its end.
    fn turn(&mut self, first: usize) {
        self.order[first..self.length].reverse();
        for (place, &v) in self.order.iter().enumerate().take(self.length).skip(first) {
            self.place[v as usize] = place as u8;
        }
    }
}

/// Searches for a Hamiltonian cycle, and returns its vertices in order. Returns `None` if the search gives up, although
/// a cycle may exist.
pub(super) fn find(graph: &Masks) -> Option<Vec<u32>> {
    let n = graph.n() as usize;
    let first = (0..graph.n()).min_by_key(|&v| graph.row(v).count_ones())?;
    let mut path = Path { order: [0; Masks::MOST as usize], place: [0; Masks::MOST as usize], length: 0, visited: 0 };
    path.push(first);
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut rotations = ROTATIONS * graph.n();
    let mut was_turned = false;
    loop {
        let end = path.end();
        let free = graph.row(end) & !path.visited;
        if free != 0 {
            let ways = |v: &u32| (graph.row(*v) & !path.visited).count_ones();
            path.push(bits(free).min_by_key(ways)?);
            was_turned = false;
            continue;
        }
        let start: u32 = path.order[0].into();
        if path.length == n && graph.row(end) >> start & 1 == 1 {
            return Some(path.order[..n].iter().map(|&v| v.into()).collect());
        }
        // If the end has no free neighbour, but the start has one, let the path grow at its start.
        if !was_turned && graph.row(start) & !path.visited != 0 {
            path.turn(0);
            was_turned = true;
            continue;
        }
        rotations = rotations.checked_sub(1)?;
        // A rotation at the last vertex but one would not change the path.
        let last = path.order[path.length.checked_sub(2)?];
        let pivots = graph.row(end) & path.visited & !(1 << last);
        if pivots == 0 {
            return None;
        }
        let new_end = |v: u32| u32::from(path.order[usize::from(path.place[v as usize]) + 1]);
        let wanted = match path.length == n {
            true => 1 << start,
            false => !path.visited,
        };
        let best = bits(pivots).find(|&v| graph.row(new_end(v)) & wanted != 0);
        let pivot = match best {
            Some(v) => v,
            None => {
                random ^= random << 13;
                random ^= random >> 7;
                random ^= random << 17;
                let skipped = random % u64::from(pivots.count_ones());
                bits(pivots).nth(skipped as usize)?
            }
        };
        path.turn(usize::from(path.place[pivot as usize]) + 1);
        was_turned = false;
    }
}
