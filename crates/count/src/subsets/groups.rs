//! Vertices that forced moves join to groups.
//!
//! A path of forced moves is a group. A tour passes it as a whole, from its entry to its exit. A path of forced edges
//! has two orientations if the graph has its moves in both directions. A vertex without forced moves is a group with
//! one orientation. In a digraph, an arc is also forced if it is the only arc that leaves its tail or enters its head:
//! for example, the arcs of the vertex that is added for open tours with given ends.

use hamcnf_graph::Digraph;
use hamcnf_graph::masks::low;
use hamcnf_tours::forced::Forced;

use super::too_large;
use crate::not_counted::NotCounted;

/// Maximum number of groups besides the group at which cycles begin. Numbers of cycles fit into 128 bits if each group
/// has one orientation.
pub const MOST_GROUPS: u32 = 32;
/// Maximum number of vertices.
pub(super) const MOST_VERTICES: usize = 127;

/// Groups, or the number of cycles if it is known without a count.
#[derive(Clone, Debug)]
pub(super) enum Joined {
    Groups(Groups),
    Known(u64),
}

/// Groups of vertices, without the group at which cycles begin. Lane `o`·g + r is group g in its orientation r.
#[derive(Clone, Debug)]
pub(super) struct Groups {
    /// Number of groups.
    pub(super) m: u32,
    /// Number of orientations that each group has room for, 1 or 2.
    pub(super) o: u32,
    /// Indexed by lane: the mask of the lanes to which an arc leads.
    pub(super) next: Vec<u64>,
    /// For each orientation of the first group, the masks of the lanes to which it leads and of those that lead to it.
    pub(super) ends: Vec<(u64, u64)>,
    /// True if each cycle is found in both directions, so that the number of cycles found is to be halved.
    pub(super) is_doubled: bool,
    /// True if the graph is undirected, and each group is a vertex.
    pub(super) is_symmetric: bool,
    /// Numbers of groups of each colour if the graph is bipartite: first the groups of the colour that the first group
    /// does not have, with the lowest numbers. Otherwise all groups have the first colour.
    pub(super) colours: [u32; 2],
}

/// Group of vertices: the entry and the exit of each orientation.
type Group = Vec<(usize, usize)>;

/// Arcs as masks of successors.
struct Arcs(Vec<u128>);

impl Arcs {
    fn has(&self, u: usize, v: usize) -> bool {
        self.0[u] >> v & 1 == 1
    }

    fn before(&self, v: usize) -> impl Iterator<Item = usize> {
        (0..self.0.len()).filter(move |&u| self.has(u, v))
    }

    /// Removes the arcs that contradict the forced arc (u, v). Returns true if there were any.
    fn force(&mut self, u: usize, v: usize) -> bool {
        let mut changed = false;
        for (w, to) in self.0.iter_mut().enumerate() {
            let keep = match w {
                _ if w == u => 1 << v,
                _ if w == v => !(1 << u | 1 << v),
                _ => !(1 << v),
            };
            changed |= *to & !keep != 0;
            *to &= keep;
        }
        changed
    }

    /// Returns the arcs that are the only ones to leave their tail or to enter their head.
    fn only(&self) -> impl Iterator<Item = (usize, usize)> {
        let n = self.0.len();
        let leaving = (0..n).filter(|&u| self.0[u].count_ones() == 1);
        let leaving = leaving.map(|u| (u, self.0[u].trailing_zeros() as usize));
        let entering = (0..n).filter_map(|v| {
            let mut before = self.before(v);
            Some((before.next()?, v)).filter(|_| before.next().is_none())
        });
        leaving.chain(entering)
    }
}

impl Joined {
    /// Joins the vertices of a digraph whose closed tours use all moves in `forced`. If `is_directed` is false, the
    /// digraph has the two arcs of each edge, and the two directions of a cycle count once.
    pub(super) fn of(digraph: &Digraph, forced: &[Forced], is_directed: bool) -> Result<Self, NotCounted> {
        let n = digraph.n_vertices() as usize;
        if n > MOST_VERTICES {
            return Err(too_large(n as u32));
        }
        let mut arcs = Arcs(vec![0; n]);
        for arc in digraph.arcs() {
            arcs.0[arc.tail.index()] |= 1 << arc.head.index();
        }
        if n <= 2 {
            let is_cycle = n == 2 && is_directed && arcs.has(0, 1) && arcs.has(1, 0);
            return Ok(Self::Known(is_cycle.into()));
        }
        let mut links: Vec<(usize, usize)> = Vec::new();
        for forced in forced {
            let (u, v) = (forced.tail.index(), forced.head.index());
            match (arcs.has(u, v), !forced.is_arc && arcs.has(v, u)) {
                (false, false) => return Ok(Self::Known(0)),
                (true, false) => _ = arcs.force(u, v),
                (false, true) => _ = arcs.force(v, u),
                (true, true) => {}
            }
            links.push((u.min(v), u.max(v)));
        }
        if is_directed {
            let mut only: Vec<_> = arcs.only().collect();
            // Each arc is looked at, even if an arc before it has changed others.
            while only.iter().fold(false, |changed, &(u, v)| (arcs.has(u, v) && arcs.force(u, v)) || changed) {
                only = arcs.only().collect();
            }
            links.extend(only.iter().map(|&(u, v)| (u.min(v), u.max(v))));
        }
        if (0..n).any(|v| arcs.0[v] == 0 || arcs.before(v).next().is_none()) {
            return Ok(Self::Known(0));
        }
        links.sort_unstable();
        links.dedup();
        let Some(groups) = groups(n, &links, &arcs) else {
            return Ok(Self::Known(0));
        };
        if let [only] = &groups[..] {
            let cycles = only.iter().filter(|&&(entry, exit)| arcs.has(exit, entry)).count();
            // A cycle of forced moves is a group whose entry and exit are the ends of one of its moves.
            let cycles = if is_directed { cycles } else { cycles.min(1) };
            return Ok(Self::Known(cycles as u64));
        }
        if groups.len() > MOST_GROUPS as usize + 1 {
            return Err(too_large(groups.len() as u32));
        }
        Ok(lanes(groups, &arcs, is_directed))
    }
}

/// Returns the groups that links between vertices make, with the orientations that the arcs allow. Returns `None` if no
/// cycle passes all links.
fn groups(n: usize, links: &[(usize, usize)], arcs: &Arcs) -> Option<Vec<Group>> {
    let mut linked = vec![Vec::new(); n];
    for &(u, v) in links {
        linked[u].push(v);
        linked[v].push(u);
    }
    if linked.iter().any(|linked| linked.len() > 2) {
        return None;
    }
    let mut groups = Vec::new();
    let mut seen = vec![false; n];
    // The ends of paths come first, so only the vertices of cycles are left after them.
    let ends = (0..n).filter(|&v| linked[v].len() < 2);
    for first in ends.chain(0..n).collect::<Vec<_>>() {
        if seen[first] {
            continue;
        }
        let mut path = vec![first];
        seen[first] = true;
        while let Some(&next) = linked[path[path.len() - 1]].iter().find(|&&v| !seen[v]) {
            seen[next] = true;
            path.push(next);
        }
        let is_ring = linked[first].len() == 2;
        if is_ring && path.len() < n {
            return None;
        }
        let passes = |path: &[usize]| path.windows(2).all(|step| arcs.has(step[0], step[1]));
        let mut group = Vec::new();
        let (entry, exit) = (path[0], path[path.len() - 1]);
        if passes(&path) {
            group.push((entry, exit));
        }
        path.reverse();
        if path.len() > 1 && passes(&path) {
            group.push((exit, entry));
        }
        if group.is_empty() {
            return None;
        }
        groups.push(group);
    }
    Some(groups)
}

/// Returns the lanes of at least two groups.
fn lanes(mut groups: Vec<Group>, arcs: &Arcs, is_directed: bool) -> Joined {
    let is_single = |group: &Group| group.len() == 1;
    let at = groups.iter().position(is_single).unwrap_or(0);
    let mut first = groups.remove(at);
    let is_doubled = !is_directed && first.len() == 1;
    if !is_directed {
        // One orientation of a path is in one direction of each cycle.
        first.truncate(1);
    }
    let m = groups.len() as u32;
    let o = groups.iter().map(Vec::len).max().unwrap_or(1) as u32;
    let mut colours = [m, 0];
    if o == 1 && first.len() == 1 {
        match by_colour(&first, &groups, arcs) {
            None => {}
            Some([others, alike]) if others.len() + alike.len() == groups.len() && others.len() == alike.len() + 1 => {
                colours = [others.len() as u32, alike.len() as u32];
                let order = others.into_iter().chain(alike);
                groups = order.map(|g| groups[g].clone()).collect();
            }
            Some(_) => return Joined::Known(0),
        }
    }
    let mut lanes = Vec::new();
    for group in &groups {
        lanes.extend((0..o as usize).map(|r| group.get(r).copied()));
    }
    let mask = |leads: &dyn Fn((usize, usize)) -> bool| {
        let these = (0..lanes.len()).filter(|&lane| lanes[lane].is_some_and(leads));
        these.fold(0u64, |mask, lane| mask | 1 << lane)
    };
    let next: Vec<u64> = (0..)
        .zip(&lanes)
        .map(|(lane, from): (u32, _)| {
            let own = low(o) << (lane / o * o);
            let exit = from.map(|(_, exit)| exit);
            exit.map_or(0, |exit| mask(&|(entry, _)| arcs.has(exit, entry)) & !own)
        })
        .collect();
    let ends = first.iter().map(|&(start, end)| {
        let after = mask(&|(entry, _)| arcs.has(end, entry));
        (after, mask(&|(_, exit)| arcs.has(exit, start)))
    });
    Joined::Groups(Groups { m, o, ends: ends.collect(), next, is_doubled, is_symmetric: is_doubled && o == 1, colours })
}

/// Returns the groups of the colour that the first group does not have, and those of its colour, if the graph of the
/// groups is bipartite. The groups have one orientation. Groups that arcs do not connect to the first group are left
/// out.
fn by_colour(first: &Group, groups: &[Group], arcs: &Arcs) -> Option<[Vec<usize>; 2]> {
    let all: Vec<_> = groups.iter().chain([first]).map(|group| group[0]).collect();
    let of_first = groups.len();
    let joins = |g: usize, h: usize| arcs.has(all[g].1, all[h].0) || arcs.has(all[h].1, all[g].0);
    let mut colour = vec![None; all.len()];
    colour[of_first] = Some(true);
    let mut reached = vec![of_first];
    while let Some(g) = reached.pop() {
        for h in (0..all.len()).filter(|&h| h != g && joins(g, h)) {
            match colour[h] {
                None => {
                    colour[h] = colour[g].map(|colour: bool| !colour);
                    reached.push(h);
                }
                other if other == colour[g] => return None,
                Some(_) => {}
            }
        }
    }
    let of = |this: bool| (0..of_first).filter(|&g| colour[g] == Some(this)).collect();
    Some([of(false), of(true)])
}
