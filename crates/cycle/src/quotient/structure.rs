//! Recognition of groups, ways and links in a graph.
//!
//! Links are edges whose two ends both have at least a certain degree. Removing the links must leave components of 6 to
//! 64 vertices: the groups. The degree bounds 6 to 3 are tried in this order, so that the groups become as large as
//! possible. The ways through a group are enumerated by depth-first search, and one path is kept for each pair of ends.
//! Then the ends of the ways are 2-coloured, such that the two ends of each way and of each link have different
//! colours. Every Hamiltonian cycle that consists of ways and links enters all groups at ends of one colour and leaves
//! them at ends of the other colour. So the ways and links have a direction.

use std::collections::HashSet;

use hamcnf_graph::Graph;
use hamcnf_graph::facts::two_colouring;
use hamcnf_graph::masks::bits;

use crate::edges::Edges;
use hamcnf_graph::budget::Budget;

/// Bounds to try for the degrees of a link's ends, the greatest first. A link is an edge whose two ends both have at
/// least this degree.
const DEGREES: std::ops::RangeInclusive<usize> = 3..=6;
/// Minimum number of groups.
const FEWEST_GROUPS: usize = 8;
/// Minimum number of vertices of a group. With smaller groups, the propagator finds cycles sooner: on two graphs of the
/// FHCP Challenge Set with about 2000 groups of three vertices, it needs 12 and 17 s, and this search more than 20 s.
const SMALLEST_GROUP: usize = 6;
/// Maximum number of vertices of a group: the bits of a word.
const LARGEST_GROUP: usize = u64::BITS as usize;
/// Maximum number of ways through a group.
const MOST_WAYS: usize = 100;
/// Maximum number of steps of the depth-first search in one group.
const MOST_STEPS: u32 = 100_000;

/// Quotient of a graph: the groups with the ways through them, and the links between the ways.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Quotient {
    /// Number of vertices of the graph.
    pub(super) n_vertices: usize,
    /// Indexed by vertex of the graph: the number of its group.
    pub(super) group_at: Vec<u32>,
    /// Indexed by group: the ways through the group.
    pub(super) groups: Vec<Vec<u32>>,
    pub(super) ways: Vec<Way>,
    /// Edges between groups.
    pub(super) links: Vec<Link>,
    /// Edges from exits to entries of one group that would be links between groups. No cycle of the quotient uses them.
    pub(super) inner: Vec<Link>,
}

/// Path through all vertices of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) group: u32,
    /// Vertices of the graph, from the end at which a cycle enters the group to the end at which it leaves the group.
    pub(super) path: Vec<u32>,
}

impl Way {
    /// Returns the vertex at which a cycle enters the group.
    pub(super) fn entry(&self) -> u32 {
        self.path[0]
    }

    /// Returns the vertex at which a cycle leaves the group.
    pub(super) fn exit(&self) -> u32 {
        self.path[self.path.len() - 1]
    }
}

/// Edge between two groups, directed from the exit of a way to the entry of another way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link {
    pub(super) exit: u32,
    pub(super) entry: u32,
}

/// True if the graph consists of groups. The ways through the groups are not examined, so that the check is fast.
pub fn has_groups(graph: &Graph) -> bool {
    let edges = Edges::of(graph);
    DEGREES.rev().any(|least| groups(&edges, least).is_some())
}

/// Returns the vertices of each group, and for each vertex whether it has links. An edge is a link if both its ends have
/// degree `least` or more. Returns `None` if the graph does not consist of groups.
fn groups(edges: &Edges, least: usize) -> Option<(Vec<Vec<u32>>, Vec<bool>)> {
    let n = edges.n_vertices();
    let degree = |v: u32| edges.at(v).len();
    let is_link = |v: u32, w: u32| degree(v) >= least && degree(w) >= least;
    let mut seen = vec![false; n];
    let mut groups = Vec::new();
    let mut is_outer = vec![false; n];
    for first in 0..n as u32 {
        if seen[first as usize] {
            continue;
        }
        seen[first as usize] = true;
        let mut group = vec![first];
        let mut next = 0;
        while next < group.len() {
            let v = group[next];
            next += 1;
            for &(w, _) in edges.at(v) {
                if is_link(v, w) {
                    is_outer[v as usize] = true;
                } else if !std::mem::replace(&mut seen[w as usize], true) {
                    group.push(w);
                }
            }
            if group.len() > LARGEST_GROUP {
                return None;
            }
        }
        if group.len() < SMALLEST_GROUP {
            return None;
        }
        groups.push(group);
    }
    (groups.len() >= FEWEST_GROUPS).then_some((groups, is_outer))
}

impl Quotient {
    /// Returns the group that a link leaves.
    pub(super) fn leaves(&self, link: u32) -> usize {
        self.group_at[self.links[link as usize].exit as usize] as usize
    }

    /// Returns the group that a link enters.
    pub(super) fn enters(&self, link: u32) -> usize {
        self.group_at[self.links[link as usize].entry as usize] as usize
    }

    /// Returns the links that leave each way, indexed by way.
    pub(super) fn leaving(&self) -> Vec<Vec<u32>> {
        let mut at = vec![Vec::new(); self.n_vertices];
        for (k, link) in (0..).zip(&self.links) {
            at[link.exit as usize].push(k);
        }
        self.ways.iter().map(|way| at[way.exit() as usize].clone()).collect()
    }

    /// Returns the quotient with the inner links behind the others.
    pub(super) fn with_inner(&self) -> Self {
        let mut quotient = self.clone();
        quotient.links.append(&mut quotient.inner);
        quotient
    }

    /// Returns the quotient of a graph. Returns `None` if the graph does not have this structure, or at the deadline.
    pub(super) fn of(graph: &Graph, budget: &Budget) -> Option<Self> {
        let edges = Edges::of(graph);
        DEGREES.rev().find_map(|least| Self::with_links(&edges, least, budget))
    }

    /// Returns the quotient if the two ends of each link have at least the degree `least`.
    fn with_links(edges: &Edges, least: usize, budget: &Budget) -> Option<Self> {
        let n = edges.n_vertices();
        let (members, is_outer) = groups(edges, least)?;
        let mut group_at = vec![0; n];
        for (group, vertices) in (0u32..).zip(&members) {
            for &v in vertices {
                group_at[v as usize] = group;
            }
        }
        let mut ways = Vec::new();
        let mut groups = Vec::new();
        for (group, vertices) in (0u32..).zip(&members) {
            let first = ways.len() as u32;
            for path in Paths::through(vertices, edges, &is_outer)? {
                ways.push(Way { group, path });
            }
            let through: Vec<u32> = (first..ways.len() as u32).collect();
            if through.is_empty() || through.len() > MOST_WAYS || budget.over().is_some() {
                return None;
            }
            groups.push(through);
        }
        let mut is_end = vec![false; n];
        for way in &ways {
            is_end[way.entry() as usize] = true;
            is_end[way.exit() as usize] = true;
        }
        let degree = |v: u32| edges.at(v).len();
        let is_link =
            |[v, w]: &[u32; 2]| degree(*v).min(degree(*w)) >= least && is_end[*v as usize] && is_end[*w as usize];
        let all = (0..edges.len() as u32).map(|edge| edges.ends(edge)).filter(is_link);
        let (links, inner): (Vec<_>, Vec<_>) = all.partition(|&[v, w]| group_at[v as usize] != group_at[w as usize]);
        let pairs = ways.iter().map(|way| [way.entry(), way.exit()]);
        let mut pairs: Vec<_> = pairs.chain(links.iter().copied()).map(|[v, w]| (v.min(w), v.max(w))).collect();
        pairs.sort_unstable();
        pairs.dedup();
        let is_exit = two_colouring(&Graph::from_edges(n as u32, pairs).ok()?)?;
        for way in &mut ways {
            if is_exit[way.entry() as usize] {
                way.path.reverse();
            }
        }
        let directed = |[v, w]: [u32; 2]| match is_exit[v as usize] {
            true => Link { exit: v, entry: w },
            false => Link { exit: w, entry: v },
        };
        let links = links.into_iter().map(directed).collect();
        let inner = inner.into_iter().filter(|[v, w]| is_exit[*v as usize] != is_exit[*w as usize]);
        Some(Self { n_vertices: n, group_at, groups, links, inner: inner.map(directed).collect(), ways })
    }
}

/// Depth-first search for Hamiltonian paths of a group. Sets of vertices are words, with one bit per vertex of the
/// group.
struct Paths<'g> {
    group: &'g [u32],
    /// Indexed by vertex of the group: its neighbours in the group.
    at: Vec<u64>,
    /// Vertices at which paths may begin and end.
    outer: u64,
    path: Vec<usize>,
    /// Pairs of ends of the paths found so far.
    ends: HashSet<[usize; 2]>,
    found: Vec<Vec<u32>>,
    steps: u32,
}

impl<'g> Paths<'g> {
    /// Returns a path through all vertices of the group for each pair of outer vertices that are the ends of such a
    /// path; `None` if the search takes too many steps.
    fn through(group: &'g [u32], edges: &Edges, is_outer: &[bool]) -> Option<Vec<Vec<u32>>> {
        let place = |v: u32| group.iter().position(|&w| w == v);
        let is_link = |v: u32, w: u32| is_outer[v as usize] && is_outer[w as usize];
        let mut at = vec![0u64; group.len()];
        let mut outer = 0u64;
        for (k, &v) in group.iter().enumerate() {
            outer |= u64::from(is_outer[v as usize]) << k;
            for &(w, _) in edges.at(v) {
                match place(w) {
                    Some(l) if !is_link(v, w) => at[k] |= 1 << l,
                    _ => {}
                }
            }
        }
        let mut paths = Self {
            group,
            at,
            outer,
            path: Vec::with_capacity(group.len()),
            ends: HashSet::new(),
            found: Vec::new(),
            steps: 0,
        };
        let all = u64::MAX >> (LARGEST_GROUP - group.len());
        for first in bits(outer).map(|k| k as usize) {
            paths.path.push(first);
            paths.extend(first, all & !(1 << first));
            paths.path.pop();
        }
        (paths.steps < MOST_STEPS).then_some(paths.found)
    }

    /// Extends the path, which ends at `last`, by all vertices in `left`.
    fn extend(&mut self, last: usize, left: u64) {
        self.steps += 1;
        if self.steps >= MOST_STEPS {
            return;
        }
        if left == 0 {
            let first = self.path[0];
            let is_new = self.outer >> last & 1 == 1 && first < last && self.ends.insert([first, last]);
            if is_new {
                let path = self.path.iter().map(|&k| self.group[k]);
                self.found.push(path.collect());
            }
            return;
        }
        // A vertex with a single free neighbour must be the last one.
        let mut end = None;
        for v in bits(left).map(|k| k as usize) {
            match (self.at[v] & (left | 1 << last)).count_ones() {
                0 => return,
                1 if end.is_some() || self.outer >> v & 1 == 0 => return,
                1 => end = Some(v),
                _ => {}
            }
        }
        for v in bits(self.at[last] & left).map(|k| k as usize) {
            self.path.push(v);
            self.extend(v, left & !(1 << v));
            self.path.pop();
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::collections::BTreeSet;

    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::{Rng, SeedableRng};
    use hamcnf_graph::Vertex;
    use hamcnf_graph::relabel::shuffle;

    /// Edges in a group of the test graphs. A cycle enters at vertex 0 or 1 and leaves at vertex 2 or 3. There is
    /// exactly one way for each of these four pairs of ends.
    const INSIDE: [[u32; 2]; 9] = [[0, 4], [4, 1], [0, 5], [1, 5], [5, 6], [6, 2], [6, 3], [2, 7], [7, 3]];
    const GROUP: u32 = 8;

    /// Returns the graph of `n` groups with the given links. Each link is given by its exit and its entry, and each of
    /// these by the group and the number (0 or 1) of the end.
    fn linked(n: u32, links: impl IntoIterator<Item = [(u32, u32); 2]>) -> Graph {
        let inside = (0..n).flat_map(|g| INSIDE.map(|edge| edge.map(|v| GROUP * g + v)));
        let links = links.into_iter().map(|[(g, exit), (h, entry)]| [GROUP * g + 2 + exit, GROUP * h + entry]);
        let edges: BTreeSet<_> = inside.chain(links).map(|[v, w]| (v.min(w), v.max(w))).collect();
        Graph::from_edges(GROUP * n, edges).unwrap()
    }

    /// Returns a graph of groups in a ring. Rotations are its only automorphisms.
    pub(in crate::quotient) fn ring_of_groups(n: u32) -> Graph {
        let links = (0..n).flat_map(|g| {
            let to = |exit, shift, entry| [(g, exit), ((g + shift) % n, entry)];
            [to(0, 1, 0), to(0, 2, 1), to(1, 1, 1), to(1, 5, 0)]
        });
        linked(n, links)
    }

    /// Returns two separate rings of `n` groups each.
    pub(in crate::quotient) fn two_rings(n: u32) -> Graph {
        let links = (0..2 * n).flat_map(|g| {
            let (first, g) = (g / n * n, g % n);
            let to = |exit, shift, entry| [(first + g, exit), (first + (g + shift) % n, entry)];
            [to(0, 1, 0), to(0, 2, 1), to(1, 1, 1), to(1, 5, 0)]
        });
        linked(2 * n, links)
    }

    /// Returns a graph with a planted cycle through `n` groups in random order, and random further links. Each end of a
    /// way has two links.
    pub(in crate::quotient) fn random_groups(n: u32, seed: u32) -> Graph {
        let mut random = ChaCha8Rng::seed_from_u64(seed.into());
        let mut order: Vec<u32> = (0..n).collect();
        shuffle(&mut order, &mut random);
        let mut shuffled = || {
            let mut ends: Vec<(u32, u32)> = (0..n).flat_map(|g| [(g, 0), (g, 1)]).collect();
            shuffle(&mut ends, &mut random);
            ends
        };
        // One end of each group is on the planted cycle, and the other ends are joined at random.
        let (exits, entries) = (shuffled(), shuffled());
        let on_cycle = |ends: &[(u32, u32)], g: u32| ends.iter().copied().find(|end| end.0 == g);
        let following = |g: u32| order[(order.iter().position(|&h| h == g).unwrap() + 1) % order.len()];
        let planted: Vec<_> =
            (0..n).map(|g| [on_cycle(&exits, g).unwrap(), on_cycle(&entries, following(g)).unwrap()]).collect();
        let rest = |ends: Vec<(u32, u32)>, which: usize| {
            let is_free = |end: &(u32, u32)| !planted.iter().any(|link| link[which] == *end);
            ends.into_iter().filter(is_free).collect::<Vec<_>>()
        };
        let others = rest(exits, 0).into_iter().zip(rest(entries, 1)).map(|(a, b)| [a, b]);
        let first: Vec<_> = planted.iter().copied().chain(others).collect();
        loop {
            let second: Vec<_> = shuffled().into_iter().zip(shuffled()).map(|(a, b)| [a, b]).collect();
            if second.iter().all(|link| !first.contains(link)) {
                return linked(n, first.into_iter().chain(second));
            }
        }
    }

    /// Returns a random graph of groups with a rotation of this order: `orbits` groups, each of which is there `order`
    /// times. Each end of a way has about two links. The link from the copy r of an exit goes to the copy r + s of an
    /// entry, with the same random shift s for all r.
    pub(in crate::quotient) fn rotated_groups(orbits: u32, order: u32, seed: u32) -> Graph {
        let mut random = ChaCha8Rng::seed_from_u64(seed.into());
        let mut links = BTreeSet::new();
        for _ in 0..2 {
            let mut ends: Vec<(u32, u32)> = (0..orbits).flat_map(|g| [(g, 0), (g, 1)]).collect();
            let exits = ends.clone();
            shuffle(&mut ends, &mut random);
            for ((g, exit), (h, entry)) in exits.into_iter().zip(ends) {
                let shift = random.next_u32() % order;
                let copy = |g, r: u32| g * order + r % order;
                let is_inside = g == h && shift == 0;
                let copies = (0..order).filter(|_| !is_inside);
                links.extend(copies.map(|r| [(copy(g, r), exit), (copy(h, r + shift), entry)]));
            }
        }
        linked(orbits * order, links)
    }

    #[test]
    fn ways_have_all_vertices_of_their_group() {
        let graph = ring_of_groups(10);
        let quotient = Quotient::of(&graph, &Budget::default()).unwrap();
        assert_eq!((quotient.groups.len(), quotient.ways.len(), quotient.links.len()), (10, 40, 40));
        for way in &quotient.ways {
            let steps = way.path.windows(2).map(|step| [Vertex::new(step[0]), Vertex::new(step[1])]);
            assert!(steps.into_iter().all(|[v, w]| graph.arc(v, w).is_some()), "{way:?}");
            let mut vertices = way.path.clone();
            vertices.sort_unstable();
            assert!(vertices.into_iter().eq(GROUP * way.group..GROUP * (way.group + 1)), "{way:?}");
        }
        // All links run from an exit to an entry.
        for link in &quotient.links {
            assert!(quotient.ways.iter().any(|way| way.exit() == link.exit));
            assert!(quotient.ways.iter().any(|way| way.entry() == link.entry));
        }
    }

    #[test]
    fn groups_without_ways_are_refused() {
        // A pendant path at vertex 4 cannot be visited.
        let graph = ring_of_groups(10);
        let n = graph.n_vertices();
        let edges = graph.arcs().map(|arc| (arc.tail.number(), arc.head.number())).filter(|(v, w)| v < w);
        let graph = Graph::from_edges(n + 1, edges.chain([(4, n)])).unwrap();
        assert!(has_groups(&graph));
        assert_eq!(Quotient::of(&graph, &Budget::default()), None);
    }
}
