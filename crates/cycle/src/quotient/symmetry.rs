//! Automorphisms of a quotient, by colour refinement with one individualised vertex.
//!
//! The quotient is seen as a graph with a vertex per group and a vertex per end of a way. A group is adjacent to the ends
//! of its ways, the two ends of a way are adjacent, and so are the two ends of a link; these are three kinds of edges.
//! Colour refinement repeatedly replaces the colour of each vertex by a hash of its own colour and of the colours of its
//! neighbours. If one vertex begins with a colour of its own and the refinement ends with different colours of all
//! vertices, then at most one automorphism maps this vertex to another given vertex: the map between vertices of equal
//! colour. The map is checked, so equal hashes of different vertices do no harm. Quotients that are not separated by one
//! individualised vertex are treated as having no automorphisms.
//!
//! An automorphism that maps a Hamiltonian cycle of the quotient to itself rotates or reflects the cycle. A rotation
//! moves all groups, in orbits of equal size. A reflection is an involution that fixes exactly two places of the cycle:
//! groups, or links whose two ends it exchanges. All other automorphisms are left out.
//!
//! # References
//!
//! - Brendan McKay, Adolfo Piperno: *Practical graph isomorphism, II*, Journal of Symbolic Computation 60, 2014.

use std::collections::{HashMap, HashSet};

use super::covering::Covering;
use super::structure::Quotient;
use hamcnf_graph::budget::Budget;

/// Automorphism of a quotient.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Automorphism {
    /// Indexed by way: the image of the way.
    pub(super) ways: Vec<u32>,
    /// Indexed by link: the image of the link.
    pub(super) links: Vec<u32>,
    /// True if entries are mapped to exits.
    is_reversing: bool,
}

impl Automorphism {
    /// Returns the number of the orbit of each group.
    fn orbits_of_groups(&self, quotient: &Quotient) -> Vec<u32> {
        let group_of = |way: u32| quotient.ways[way as usize].group;
        let groups = quotient.groups.iter().map(|ways| group_of(self.ways[ways[0] as usize]));
        orbits(&groups.collect::<Vec<u32>>())
    }

    /// Returns the map of ways and links to their orbits.
    pub(super) fn covering(&self) -> Covering {
        Covering { ways: orbits(&self.ways), links: orbits(&self.links) }
    }

    /// True if the sizes of the orbits allow the automorphism to map a Hamiltonian cycle to itself.
    fn may_keep_a_cycle(&self, quotient: &Quotient) -> bool {
        let orbits = self.orbits_of_groups(quotient);
        let mut sizes = vec![0; quotient.groups.len()];
        for &orbit in &orbits {
            sizes[orbit as usize] += 1;
        }
        let sizes: Vec<u32> = orbits.iter().map(|&orbit| sizes[orbit as usize]).collect();
        if self.is_reversing {
            let fixed = sizes.iter().filter(|&&size| size == 1).count();
            let is_exchanged = |(link, &image): (usize, &u32)| link == image as usize;
            let exchanged = (self.links.iter().enumerate()).filter(|&link| is_exchanged(link));
            sizes.iter().all(|&size| size <= 2) && fixed <= 2 && fixed + exchanged.count() >= 2
        } else {
            sizes.iter().all(|&size| size == sizes[0])
        }
    }
}

/// Returns, for each thing, the number of its orbit under a permutation. The orbits are numbered in the order of their
/// least things.
fn orbits(images: &[u32]) -> Vec<u32> {
    let mut orbits = vec![None; images.len()];
    let mut number = 0;
    for first in 0..images.len() {
        let mut thing = first;
        if orbits[thing].is_some() {
            continue;
        }
        while orbits[thing].is_none() {
            orbits[thing] = Some(number);
            thing = images[thing] as usize;
        }
        number += 1;
    }
    orbits.into_iter().flatten().collect()
}

/// Kinds of edges of the coloured graph, and the individualised vertex. Each is a constant to mix into colours.
#[derive(Clone, Copy)]
enum Kind {
    Member = 1,
    Way = 2,
    Link = 3,
    Individual = 4,
}

/// Graph with coloured vertices and edges whose automorphisms are those of the quotient.
struct Coloured<'q> {
    quotient: &'q Quotient,
    /// Indexed by vertex of the graph: its number in the coloured graph, in which the groups come first; `None` if the
    /// vertex is not the end of a way.
    place: Vec<Option<u32>>,
    /// Indexed by vertex of the coloured graph: its neighbours, each with the kind of the edge.
    at: Vec<Vec<(u32, Kind)>>,
}

/// Colours after each step of the refinement.
struct Refined {
    /// Indexed by step: the sum of the colours' hashes. Two vertices with different sums are not equivalent.
    sums: Vec<u64>,
    colours: Vec<u64>,
    n_colours: usize,
}

/// Returns at most `most` automorphisms other than the identity that may map a Hamiltonian cycle to itself. No two of
/// them have the same orbits of ways.
pub(super) fn automorphisms(quotient: &Quotient, most: usize, budget: &Budget) -> Vec<Automorphism> {
    let graph = Coloured::new(quotient);
    let n_groups = quotient.groups.len();
    let all = graph.refine(None, None);
    // The individualised vertex is the end of a way, since an automorphism may fix a group and exchange its ways.
    let mut classes: HashMap<u64, Vec<u32>> = HashMap::new();
    for v in n_groups..graph.at.len() {
        classes.entry(all.colours[v]).or_default().push(v as u32);
    }
    let smallest = classes.into_values().min_by_key(|class| (class.len(), class[0]));
    let Some((&first, others)) = smallest.as_deref().and_then(<[u32]>::split_first) else {
        return Vec::new();
    };
    let base = graph.refine(Some(first), None);
    let mut found: Vec<Automorphism> = Vec::new();
    let mut known = HashSet::new();
    if base.n_colours < graph.at.len() {
        return found;
    }
    for &other in others {
        if found.len() >= most || budget.over().is_some() {
            break;
        }
        let image = graph.refine(Some(other), Some(&base.sums));
        let automorphism = graph.automorphism(&base, &image);
        let automorphism = automorphism.filter(|map| map.may_keep_a_cycle(quotient));
        found.extend(automorphism.filter(|map| known.insert(orbits(&map.ways))));
    }
    found
}

impl<'q> Coloured<'q> {
    fn new(quotient: &'q Quotient) -> Self {
        let mut place = vec![None; quotient.n_vertices];
        let mut at = vec![Vec::new(); quotient.groups.len()];
        for way in &quotient.ways {
            for v in [way.entry(), way.exit()] {
                if place[v as usize].is_none() {
                    let new = at.len() as u32;
                    place[v as usize] = Some(new);
                    at.push(vec![(way.group, Kind::Member)]);
                    at[way.group as usize].push((new, Kind::Member));
                }
            }
        }
        let mut graph = Self { quotient, place, at };
        for way in &quotient.ways {
            graph.join(way.entry(), way.exit(), Kind::Way);
        }
        for link in &quotient.links {
            graph.join(link.exit, link.entry, Kind::Link);
        }
        graph
    }

    /// Adds an edge between two ends of ways, given as vertices of the original graph.
    fn join(&mut self, v: u32, w: u32, kind: Kind) {
        if let (Some(v), Some(w)) = (self.place[v as usize], self.place[w as usize]) {
            self.at[v as usize].push((w, kind));
            self.at[w as usize].push((v, kind));
        }
    }

    /// Refines the colours until their number no longer grows. `individual` is the individualised vertex, if there is
    /// one. Stops early at the first step at which the sum of colours differs from `sums`.
    fn refine(&self, individual: Option<u32>, sums: Option<&[u64]>) -> Refined {
        let n_groups = self.quotient.groups.len();
        let mut colours: Vec<u64> = (0..self.at.len()).map(|v| u64::from(v < n_groups)).collect();
        if let Some(v) = individual {
            colours[v as usize] = mix(Kind::Individual as u64, 0);
        }
        let mut refined = Refined { sums: Vec::new(), n_colours: number(&colours), colours };
        loop {
            let old = &refined.colours;
            let new: Vec<u64> = (self.at.iter().zip(old))
                .map(|(at, &colour)| {
                    // The sum does not depend on the order of the neighbours.
                    let around = at.iter().map(|&(w, kind)| mix(kind as u64, old[w as usize]));
                    mix(colour, around.fold(0, u64::wrapping_add))
                })
                .collect();
            let sum = new.iter().fold(0, |sum: u64, &colour| sum.wrapping_add(mix(5, colour)));
            let step = refined.sums.len();
            let differs = sums.is_some_and(|sums| sums.get(step) != Some(&sum));
            refined.sums.push(sum);
            refined.colours = new;
            let n_colours = number(&refined.colours);
            if differs || n_colours == refined.n_colours {
                return refined;
            }
            refined.n_colours = n_colours;
        }
    }

    /// Returns the map between vertices of equal colour, if it is an automorphism.
    fn automorphism(&self, from: &Refined, to: &Refined) -> Option<Automorphism> {
        let places: HashMap<u64, usize> = to.colours.iter().copied().zip(0..).collect();
        let image = |v: u32| {
            let place = self.place[v as usize]?;
            places.get(&from.colours[place as usize]).copied()
        };
        // Ways and links are identified by their ends, without regard to their directions.
        let key = |a: usize, b: usize| [a.min(b), a.max(b)];
        let ends = |v: u32| self.place[v as usize].map(|place| place as usize);
        let index = |pairs: &mut dyn Iterator<Item = [u32; 2]>| -> Option<HashMap<[usize; 2], u32>> {
            let pairs = pairs.zip(0..);
            pairs.map(|([v, w], k)| Some((key(ends(v)?, ends(w)?), k))).collect()
        };
        let map = |pairs: &mut dyn Iterator<Item = [u32; 2]>, index: &HashMap<[usize; 2], u32>| -> Option<Vec<u32>> {
            pairs.map(|[v, w]| index.get(&key(image(v)?, image(w)?)).copied()).collect()
        };
        let ways = || self.quotient.ways.iter().map(|way| [way.entry(), way.exit()]);
        let links = || self.quotient.links.iter().map(|link| [link.exit, link.entry]);
        let ways_to = map(&mut ways(), &index(&mut ways())?)?;
        let [entry, _] = ways().next()?;
        let [_, exit] = ways().nth(ways_to[0] as usize)?;
        let found = Automorphism {
            is_reversing: image(entry)? == ends(exit)?,
            ways: ways_to,
            links: map(&mut links(), &index(&mut links())?)?,
        };
        self.is_automorphism(&found).then_some(found)
    }

    /// True if both maps are permutations, and if ways of one group have images in one group.
    fn is_automorphism(&self, map: &Automorphism) -> bool {
        let is_permutation = |images: &[u32]| {
            let mut seen = vec![false; images.len()];
            images.iter().all(|&k| !std::mem::replace(&mut seen[k as usize], true))
        };
        let group = |way: &u32| self.quotient.ways[map.ways[*way as usize] as usize].group;
        let keeps_groups =
            self.quotient.groups.iter().all(|ways| ways.windows(2).all(|pair| group(&pair[0]) == group(&pair[1])));
        keeps_groups && is_permutation(&map.ways) && is_permutation(&map.links)
    }
}

/// Returns the number of different colours.
fn number(colours: &[u64]) -> usize {
    let mut sorted = colours.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    sorted.len()
}

/// Hashes two numbers: the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014) on a combination of them.
fn mix(a: u64, b: u64) -> u64 {
    let mut x = a.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(b);
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::super::structure::{Link, Way};
    use super::*;

    /// Returns a directed ring of groups with one way each. Way g leads from vertex 2g to vertex 2g + 1.
    fn ring(n: u32) -> Quotient {
        let way = |group| Way { group, path: vec![2 * group, 2 * group + 1] };
        let link = |group| Link { exit: 2 * group + 1, entry: 2 * ((group + 1) % n) };
        Quotient {
            n_vertices: 2 * n as usize,
            group_at: (0..2 * n).map(|v| v / 2).collect(),
            groups: (0..n).map(|group| vec![group]).collect(),
            ways: (0..n).map(way).collect(),
            links: (0..n).map(link).collect(),
            inner: Vec::new(),
        }
    }

    #[test]
    fn rotations_and_reflections_may_keep_a_cycle() {
        const N: u32 = 8;
        let quotient = ring(N);
        let may_keep = |ways: &dyn Fn(u32) -> u32, links: &dyn Fn(u32) -> u32, is_reversing| {
            let map =
                Automorphism { ways: (0..N).map(ways).collect(), links: (0..N).map(links).collect(), is_reversing };
            map.may_keep_a_cycle(&quotient)
        };
        let rotation = |k: u32| (k + 2) % N;
        assert!(may_keep(&rotation, &rotation, false));
        // The first reflection fixes two groups and no link, the second fixes two links and no group.
        let negative = |k: u32| (N - k) % N;
        let opposite = |k: u32| N - 1 - k;
        assert!(may_keep(&negative, &opposite, true));
        assert!(may_keep(&opposite, &|k| (2 * N - 2 - k) % N, true));
        // Reflections of the groups that do not reverse the ways, and a reflection without fixed places.
        assert!(!may_keep(&negative, &opposite, false));
        assert!(!may_keep(&opposite, &opposite, true));
        // An exchange of two groups.
        let exchange = |k: u32| if k < 2 { 1 - k } else { k };
        assert!(!may_keep(&exchange, &exchange, false));
        assert!(!may_keep(&exchange, &exchange, true));
        // A rotation that reverses the ways.
        assert!(!may_keep(&rotation, &rotation, true));
    }

    #[test]
    fn automorphisms_of_a_ring_are_found() {
        for n in 3..9 {
            // Each proper divisor of n is the shift of a rotation with other orbits.
            let divisors = (1..n).filter(|k| n % k == 0).count();
            let found = automorphisms(&ring(n), usize::MAX, &Budget::default());
            let rotations = found.iter().filter(|map| !map.is_reversing).count();
            assert_eq!((rotations, found.len()), (divisors, divisors + n as usize), "{n}");
        }
    }
}
