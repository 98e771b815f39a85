//! Coverings: maps of the quotient to smaller quotients, whose covers are covers of the quotient, too.
//!
//! A covering maps groups to groups, ways to ways and links to links. Ways of one group have different images, and the links
//! at an end of a way have those at the image of the end as images, each once. If a cover of the smaller quotient is given,
//! all ways and links with images in it are a cover of the quotient. An automorphism maps each way to its orbit, which is a
//! covering, except that ways of a group which it fixes may share an image; no cover that it keeps has these. There are
//! coverings that no automorphism shows.
//!
//! # Letters
//!
//! To find coverings, one must know which link at an end of a way corresponds to which link at the end of another way. If
//! two links leave each way and two enter it, they correspond by *letters*: one of the two links has the first letter, and
//! one the second. Each letter is then a permutation of the ways. The letters are not in the graph, but they show in its
//! short directed cycles where the permutations have a small order, as in quotients of Cayley graphs. So the letters are
//! models of a formula. If all cycles of the first permutation have a length that divides a, and all of the second one a
//! length that divides b, it has a variable w for each way, which is true if the first link that leaves the way has the
//! first letter, and a variable c for each directed cycle and each letter whose order the length of the cycle divides:
//!
//! 1. For each link of a cycle: if c is true, the link has the letter of c.
//! 2. For each way and each letter: one of the variables c of the cycles through the way is true.
//!
//! So a link with each letter enters each way, too. Pairs (a, b) are tried in the order of their sums. Links between ways of
//! one group belong to the cycles here, although no Hamiltonian cycle uses them.
//!
//! # Congruences
//!
//! If two ways have the same image, so have the ways to which the same letter leads from them. The smallest such
//! equivalence relation that identifies two given ways is found by Atkinson's algorithm, and is a covering if it keeps the
//! ways of each group apart and maps groups to groups.
//!
//! # Measurements
//!
//! In the graphs of the FHCP Challenge Set with 84 to 210 groups, the letters have the orders 10 and 14 (bobs and plain
//! sixes of Stedman Triples), and no other pair with a sum up to theirs has a model. They are found within 0.1 to 0.2 s, and
//! three to eight coverings in 0.02 to 0.05 s more. Graph 960 has 210 groups, and two coverings by 42 groups that come from
//! no automorphism. Both have 44 covers, and some of these become a single cycle of 210 groups, so that `quotient` takes
//! 1.6 s with three seeds instead of 1 to 6 s. In 479, 788 and 868, all covers of such coverings have more cycles.
//!
//! # References
//!
//! - M. D. Atkinson: *An algorithm for finding the blocks of a permutation group*, Mathematics of Computation 29, 1975.

use std::collections::{BTreeMap, BTreeSet};

use hamcnf_graph::budget::Budget;
use hamcnf_sat::solve::{Cadical, SolveError, SolverStatus, cadical};
use rustsat::types::Lit;

use super::QuotientStatistics;
use super::cycles::Cycles;
use super::structure::Quotient;

/// Maximum order of the permutation of a letter.
const HIGHEST_ORDER: usize = 16;
/// Maximum number of conflicts for all pairs of orders.
const MOST_CONFLICTS: u64 = 20_000;
/// Maximum number of coverings.
const MOST_COVERINGS: usize = 16;
/// Maximum number of coverings with the same number of ways in the smaller quotient. Many of them are equivalent.
const MOST_OF_A_SIZE: usize = 8;

/// Map of the ways and links of a quotient to those of a smaller one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Covering {
    /// Indexed by way: its image.
    pub(super) ways: Vec<u32>,
    /// Indexed by link: its image.
    pub(super) links: Vec<u32>,
}

impl Covering {
    /// Returns the number of ways of the smaller quotient.
    fn n_ways(&self) -> u32 {
        self.ways.iter().max().map_or(0, |last| last + 1)
    }

    /// Returns the number of groups of the smaller quotient.
    pub(super) fn n_groups(&self, quotient: &Quotient) -> usize {
        let least = |ways: &Vec<u32>| ways.iter().map(|&way| self.ways[way as usize]).min();
        quotient.groups.iter().map(least).collect::<BTreeSet<_>>().len()
    }
}

/// Returns coverings of the quotient, those by the fewest ways first; none if it has no letters, or at a limit. Adds the
/// conflicts to the statistics.
pub(super) fn coverings(
    quotient: &Quotient,
    budget: &Budget,
    statistics: &mut QuotientStatistics,
) -> Result<Vec<Covering>, SolveError> {
    let Some(letters) = Letters::of(quotient, budget, statistics)? else {
        return Ok(Vec::new());
    };
    // By number of ways in the smaller quotient.
    let mut found: BTreeMap<u32, BTreeSet<Covering>> = BTreeMap::new();
    for way in 1..quotient.ways.len() as u32 {
        if budget.over().is_some() {
            return Ok(Vec::new());
        }
        if let Some(covering) = letters.covering(quotient, [0, way]) {
            let of_size = found.entry(covering.n_ways()).or_default();
            if of_size.len() < MOST_OF_A_SIZE {
                of_size.insert(covering);
            }
        }
    }
    Ok(found.into_values().flatten().take(MOST_COVERINGS).collect())
}

/// Link that leaves a way, and the way to which it leads.
#[derive(Clone, Copy)]
struct Step {
    link: u32,
    to: u32,
}

/// Letters of the links.
struct Letters {
    /// Indexed by way: the links that leave it, with the first and with the second letter.
    leaving: Vec<[Step; 2]>,
}

impl Letters {
    /// Finds letters of low orders; `None` if there are none, or at a limit.
    fn of(
        quotient: &Quotient,
        budget: &Budget,
        statistics: &mut QuotientStatistics,
    ) -> Result<Option<Self>, SolveError> {
        let quotient = &quotient.with_inner();
        let Some(steps) = steps(quotient) else {
            return Ok(None);
        };
        let ways: Vec<u32> = (0..quotient.ways.len() as u32).collect();
        let Some(cycles) = Cycles::up_to(HIGHEST_ORDER, quotient, &quotient.leaving(), &ways, budget) else {
            return Ok(None);
        };
        // Indexed by link: the way that it leaves, and true for the way's first link.
        let mut way_of = vec![(0, false); quotient.links.len()];
        for (way, leaving) in (0..).zip(&steps) {
            for (step, is_first) in leaving.iter().zip([true, false]) {
                way_of[step.link as usize] = (way, is_first);
            }
        }
        let mut left = MOST_CONFLICTS;
        for sum in 2..=2 * HIGHEST_ORDER {
            for a in sum.saturating_sub(HIGHEST_ORDER).max(1)..=sum / 2 {
                let before = statistics.conflicts;
                let found = Self::of_orders([a, sum - a], &steps, &way_of, &cycles, left, budget, statistics)?;
                left = left.saturating_sub(statistics.conflicts - before);
                if found.is_some() || left == 0 || budget.over().is_some() {
                    return Ok(found);
                }
            }
        }
        Ok(None)
    }

    /// Finds letters whose orders divide these, in at most `most` conflicts.
    fn of_orders(
        orders: [usize; 2],
        steps: &[[Step; 2]],
        way_of: &[(u32, bool)],
        cycles: &[Vec<u32>],
        most: u64,
        budget: &Budget,
        statistics: &mut QuotientStatistics,
    ) -> Result<Option<Self>, SolveError> {
        // Indexed by way, for each letter: the variables of the cycles through the way.
        let mut through = vec![[Vec::new(), Vec::new()]; steps.len()];
        let mut letters_of = Vec::new();
        let n = steps.len() as u32;
        for cycle in cycles {
            for letter in (0..2).filter(|&letter| orders[letter].is_multiple_of(cycle.len())) {
                let variable = Lit::positive(n + letters_of.len() as u32);
                cycle.iter().for_each(|&link| through[way_of[link as usize].0 as usize][letter].push(variable));
                letters_of.push((variable, letter, cycle));
            }
        }
        if through.iter().flatten().any(Vec::is_empty) {
            return Ok(None);
        }
        let has_letter = |link: u32, letter: usize| {
            let (way, is_first) = way_of[link as usize];
            if is_first == (letter == 0) { Lit::positive(way) } else { Lit::negative(way) }
        };
        let mut solver = Cadical::new(0, cadical::FOR_MANY, None, || budget.over().is_some())?;
        // 1.
        for (variable, letter, cycle) in letters_of {
            cycle.iter().try_for_each(|&link| solver.add(&[!variable, has_letter(link, letter)]))?;
        }
        // 2.
        through.iter().flatten().try_for_each(|variables| solver.add(variables))?;
        let status = solver.solve(Some(most))?;
        statistics.conflicts += solver.counters().conflicts;
        Ok((status == SolverStatus::Satisfiable).then(|| {
            let leaving = steps.iter().zip(0..).map(|(&[first, second], way)| {
                if solver.value(Lit::positive(way)) { [first, second] } else { [second, first] }
            });
            Self { leaving: leaving.collect() }
        }))
    }

    /// Returns the smallest covering that identifies two ways; `None` if there is none.
    fn covering(&self, quotient: &Quotient, pair: [u32; 2]) -> Option<Covering> {
        let mut parent: Vec<u32> = (0..self.leaving.len() as u32).collect();
        let mut pairs = vec![pair];
        while let Some(pair) = pairs.pop() {
            let [a, b] = pair.map(|way| root(&mut parent, way));
            if a != b {
                parent[a.max(b) as usize] = a.min(b);
                pairs.extend((0..2).map(|letter| [a, b].map(|way| self.leaving[way as usize][letter].to)));
            }
        }
        // Images are numbered in the order of their least ways, which are the roots.
        let mut n = 0;
        let mut ways: Vec<u32> = Vec::with_capacity(parent.len());
        for way in 0..parent.len() as u32 {
            let root = root(&mut parent, way);
            let image = if root == way { n } else { ways[root as usize] };
            n += u32::from(root == way);
            ways.push(image);
        }
        // Groups stay whole, and their images are equal or have no way in common.
        let images: Vec<BTreeSet<u32>> =
            (quotient.groups.iter()).map(|group| group.iter().map(|&way| ways[way as usize]).collect()).collect();
        let are_whole = quotient.groups.iter().zip(&images).all(|(group, image)| group.len() == image.len());
        if !are_whole
            || images.iter().collect::<BTreeSet<_>>().into_iter().map(BTreeSet::len).sum::<usize>() != n as usize
        {
            return None;
        }
        let mut links = vec![0; quotient.links.len()];
        for (leaving, &image) in self.leaving.iter().zip(&ways) {
            for (step, letter) in leaving.iter().zip(0..) {
                // Links between ways of one group are not among the links of the quotient.
                if let Some(link) = links.get_mut(step.link as usize) {
                    *link = 2 * image + letter;
                }
            }
        }
        Some(Covering { ways, links })
    }
}

/// Returns the root of a way's class, and shortens the path to it.
fn root(parent: &mut [u32], mut way: u32) -> u32 {
    while parent[way as usize] != way {
        parent[way as usize] = parent[parent[way as usize] as usize];
        way = parent[way as usize];
    }
    way
}

/// Returns the two links that leave each way; `None` if not all ways have two links at both ends, and the ends for
/// themselves.
fn steps(quotient: &Quotient) -> Option<Vec<[Step; 2]>> {
    let mut begins = vec![None; quotient.n_vertices];
    let mut is_exit = vec![false; quotient.n_vertices];
    for (k, way) in (0..).zip(&quotient.ways) {
        let is_shared = begins[way.entry() as usize].replace(k).is_some();
        if is_shared || std::mem::replace(&mut is_exit[way.exit() as usize], true) {
            return None;
        }
    }
    let mut entering = vec![0; quotient.n_vertices];
    quotient.links.iter().for_each(|link| entering[link.entry as usize] += 1);
    if quotient.ways.iter().any(|way| entering[way.entry() as usize] != 2) {
        return None;
    }
    let step = |link: u32| Some(Step { link, to: begins[quotient.links[link as usize].entry as usize]? });
    let leaving = quotient.leaving();
    leaving.iter().map(|links| if let [a, b] = links[..] { Some([step(a)?, step(b)?]) } else { None }).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::structure::{Link, Way};
    use super::*;

    use chacha20::ChaCha8Rng;
    use chacha20::rand_core::SeedableRng;
    use hamcnf_graph::relabel::shuffle;

    const POINTS: usize = 5;
    type Permutation = [u8; POINTS];

    /// Returns the product: first `a`, then `b`.
    fn product(a: Permutation, b: Permutation) -> Permutation {
        a.map(|point| b[usize::from(point)])
    }

    /// Returns the elements of the group that these permutations generate, the identity first.
    fn generated(generators: &[Permutation]) -> Vec<Permutation> {
        let mut elements = vec![std::array::from_fn(|k| k as u8)];
        let mut next = 0;
        while let Some(&element) = elements.get(next) {
            next += 1;
            for &generator in generators {
                let new = product(element, generator);
                if !elements.contains(&new) {
                    elements.push(new);
                }
            }
        }
        elements
    }

    /// Quotient of a Cayley graph.
    pub(in crate::quotient) struct Cosets {
        /// A way is an element of a group of permutations, two links lead from x to x·a and x·b, and the groups of ways are
        /// the cosets x·⟨h⟩.
        pub(in crate::quotient) quotient: Quotient,
        elements: Vec<Permutation>,
        letters: [Permutation; 2],
        subgroup: Vec<Permutation>,
    }

    /// Returns a quotient with random a, b and h.
    pub(in crate::quotient) fn random_cosets(seed: u64) -> Cosets {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut permutation = || {
            let mut points: Vec<u8> = (0..POINTS as u8).collect();
            shuffle(&mut points, &mut random);
            <Permutation>::try_from(points).unwrap()
        };
        let (letters, elements) = loop {
            let letters = [permutation(), permutation()];
            if letters[0] != letters[1] {
                break (letters, generated(&letters));
            }
        };
        let mut order: Vec<usize> = (0..elements.len()).collect();
        shuffle(&mut order, &mut random);
        let subgroup = generated(&[elements[order[0]]]);

        let number = |element: Permutation| elements.iter().position(|other| *other == element).unwrap() as u32;
        let coset = |way: u32| {
            let mut ways: Vec<u32> = subgroup.iter().map(|&h| number(product(elements[way as usize], h))).collect();
            ways.sort_unstable();
            ways
        };
        let n = elements.len() as u32;
        let groups: Vec<Vec<u32>> =
            (0..n).map(coset).zip(0..).filter(|(ways, k)| ways[0] == *k).map(|(ways, _)| ways).collect();
        let group = |way: u32| groups.iter().position(|ways| ways.contains(&way)).unwrap() as u32;
        let links = (0..n).flat_map(|way| letters.map(|letter| [way, number(product(elements[way as usize], letter))]));
        let (links, inner): (Vec<_>, Vec<_>) = links.partition(|&[from, to]| group(from) != group(to));
        let directed = |[from, to]: [u32; 2]| Link { exit: 2 * from + 1, entry: 2 * to };
        let quotient = Quotient {
            n_vertices: 2 * n as usize,
            group_at: (0..2 * n).map(|v| group(v / 2)).collect(),
            ways: (0..n).map(|way| Way { group: group(way), path: vec![2 * way, 2 * way + 1] }).collect(),
            links: links.into_iter().map(directed).collect(),
            inner: inner.into_iter().map(directed).collect(),
            groups: groups.clone(),
        };
        Cosets { quotient, elements, letters, subgroup }
    }

    #[test]
    fn congruences_are_the_subgroups_that_keep_cosets_apart() {
        let mut with_coverings = 0;
        for seed in 0..100 {
            let Cosets { quotient, elements, letters, subgroup } = random_cosets(seed);
            let number = |element: Permutation| elements.iter().position(|other| *other == element).unwrap() as u32;
            let steps = elements.iter().map(|&element| {
                // The links themselves do not matter here.
                letters.map(|letter| Step { link: u32::MAX, to: number(product(element, letter)) })
            });
            let found = Letters { leaving: steps.collect() };
            let found: BTreeSet<Covering> =
                (1..elements.len() as u32).filter_map(|way| found.covering(&quotient, [0, way])).collect();
            // Ways x and y have one image if x = c·y for an element c of a subgroup. No c may be conjugate to an element of ⟨h⟩.
            let conjugates: BTreeSet<Permutation> = (elements.iter())
                .flat_map(|&g| {
                    let inverse = elements.iter().copied().find(|&x| product(g, x) == elements[0]).unwrap();
                    subgroup[1..].iter().map(move |&h| product(product(inverse, h), g))
                })
                .collect();
            let subgroups: BTreeSet<Vec<u32>> = (elements[1..].iter())
                .map(|&element| generated(&[element]))
                .filter(|subgroup| subgroup.iter().all(|element| !conjugates.contains(element)))
                .map(|subgroup| {
                    let mut subgroup: Vec<u32> = subgroup.into_iter().map(number).collect();
                    subgroup.sort_unstable();
                    subgroup
                })
                .collect();
            assert_eq!(found.len(), subgroups.len(), "{seed}");
            with_coverings += u32::from(!found.is_empty());
        }
        assert!(with_coverings > 20, "{with_coverings}");
    }

    #[test]
    fn letters_are_permutations_of_the_ways() {
        let mut with_letters = 0;
        for seed in 0..100 {
            let quotient = random_cosets(seed).quotient;
            let budget = Budget::default();
            let letters = Letters::of(&quotient, &budget, &mut QuotientStatistics::default()).unwrap();
            let Some(letters) = letters else { continue };
            with_letters += 1;
            for letter in 0..2 {
                let reached: BTreeSet<u32> = letters.leaving.iter().map(|steps| steps[letter].to).collect();
                assert_eq!(reached.len(), quotient.ways.len(), "{seed}");
            }
            assert!(letters.leaving.iter().all(|[a, b]| a.link != b.link), "{seed}");
        }
        assert!(with_letters > 50, "{with_letters}");
    }
}
