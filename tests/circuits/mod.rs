//! Random circuits over literals, and brute force: all subsets of their arcs.

use std::collections::BTreeSet;

use hamcnf_encodings::Lit;
use hamcnf_encodings::circuit::Circuit;
use hamcnf_encodings::hamcnf_tours::Term;

/// Random numbers that are the same in every run.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % n
    }

    pub(crate) fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Shape {
    Closed,
    Path(Option<u32>, Option<u32>),
    Depot(u32),
}

/// Random circuit, with what is needed to decide by brute force which assignments satisfy it.
#[derive(Debug)]
pub(crate) struct Case {
    pub(crate) n: u32,
    pub(crate) directed: bool,
    pub(crate) links: Vec<(u32, u32, Term)>,
    /// `None` if the vertex is skipped exactly if it has no true arc.
    pub(crate) skip: Vec<Option<Term>>,
    pub(crate) shape: Shape,
    pub(crate) root: Option<u32>,
    pub(crate) empty: bool,
    pub(crate) condition: Option<Lit>,
    pub(crate) bounds: (u32, u32),
    pub(crate) n_vars: u32,
}

impl Case {
    pub(crate) fn random(random: &mut Random) -> Self {
        let n = 1 + random.below(8);
        let directed = random.one_in(2);
        let mut n_vars = 0;
        let mut term = |random: &mut Random| match random.below(24) {
            0 => Term::True,
            1 => Term::False,
            2 | 3 if n_vars > 0 => Term::Lit(Lit::new(random.below(n_vars), random.one_in(2))),
            _ => {
                n_vars += 1;
                Term::Lit(Lit::new(n_vars - 1, random.one_in(4)))
            }
        };
        let mut links = Vec::new();
        for _ in 0..if n == 1 { 0 } else { n + random.below(11 - n) } {
            let (u, mut v) = (random.below(n), random.below(n));
            if u == v {
                v = (v + 1) % n;
            }
            links.push((u, v, term(random)));
        }
        let all_optional = random.one_in(2);
        let skip = (0..n).map(|_| match random.below(if all_optional { 2 } else { 6 }) {
            0 => None,
            1 => Some(term(random)),
            _ => Some(Term::False),
        });
        let mut skip: Vec<Option<Term>> = skip.collect();
        let end = |random: &mut Random| (!random.one_in(3)).then(|| random.below(n));
        let shape = match random.below(6) {
            0 | 1 => {
                let (from, to) = (end(random), end(random));
                Shape::Path(from, to.filter(|_| from != to))
            }
            2 => {
                let depot = random.below(n);
                skip[depot as usize] = Some(Term::False);
                Shape::Depot(depot)
            }
            _ => Shape::Closed,
        };
        let root = (shape == Shape::Closed && random.one_in(4)).then(|| random.below(n));
        let at_least = if random.one_in(4) { random.below(n + 1) } else { 0 };
        let at_most = if random.one_in(4) { at_least + random.below(n + 1) } else { u32::MAX };
        let condition = random.one_in(5).then(|| {
            n_vars += 1;
            Lit::new(n_vars - 1, random.one_in(2))
        });
        let empty = random.one_in(2);
        Self { n, directed, links, skip, shape, root, empty, condition, bounds: (at_least, at_most), n_vars }
    }

    pub(crate) fn circuit(&self) -> Circuit {
        let mut circuit = if self.directed { Circuit::of_arcs(self.n) } else { Circuit::of_edges(self.n) };
        for &(u, v, term) in &self.links {
            circuit.link(u, v, term);
        }
        for (v, skip) in (0..).zip(&self.skip) {
            match skip {
                None => circuit.optional(v),
                Some(term) => circuit.skipped_if(v, *term),
            };
        }
        match self.shape {
            Shape::Closed => &mut circuit,
            Shape::Path(from, to) => circuit.path(from, to),
            Shape::Depot(v) => circuit.depot(v),
        };
        self.root.map(|root| circuit.root(root));
        self.condition.map(|condition| circuit.only_if(condition));
        if self.empty {
            circuit.allow_empty();
        }
        circuit.at_least(self.bounds.0).at_most(self.bounds.1);
        circuit
    }

    /// Returns the links at a vertex that lead to others.
    fn steps(&self, v: u32) -> impl Iterator<Item = (usize, u32)> {
        self.links.iter().enumerate().filter_map(move |(k, &(a, b, _))| match (a == v, b == v) {
            (true, _) => Some((k, b)),
            (_, true) if !self.directed => Some((k, a)),
            _ => None,
        })
    }

    /// Extends a path in all ways. Passes the links, the vertices, and the end of every path to `found`.
    fn paths(&self, at: u32, links: u32, vertices: u32, found: &mut dyn FnMut(u32, u32, u32)) {
        found(links, vertices, at);
        for (k, w) in self.steps(at) {
            if vertices >> w & 1 == 0 {
                self.paths(w, links | 1 << k, vertices | 1 << w, found);
            }
        }
    }

    /// Returns the links and vertices of all circuits through a vertex.
    fn circuits(&self, v: u32) -> BTreeSet<(u32, u32)> {
        let mut all = BTreeSet::new();
        let few = if self.directed { 2 } else { 3 };
        self.paths(v, 0, 1 << v, &mut |links, vertices, end| {
            for (k, w) in self.steps(end) {
                if w == v && links >> k & 1 == 0 && vertices.count_ones() >= few {
                    all.insert((links | 1 << k, vertices));
                }
            }
        });
        all
    }

    /// Returns the links and vertices of everything that the circuit allows, except the bounds and the rules for single
    /// vertices.
    fn allowed(&self) -> BTreeSet<(u32, u32)> {
        let mut all = BTreeSet::new();
        match self.shape {
            Shape::Closed => {
                (0..self.n).for_each(|v| all.extend(self.circuits(v)));
                all.retain(|(_, vertices)| self.root.is_none_or(|root| vertices >> root & 1 == 1));
                all.extend(self.empty.then_some((0, 0)));
            }
            Shape::Path(from, to) => {
                for v in (0..self.n).filter(|&v| from.is_none_or(|from| from == v)) {
                    self.paths(v, 0, 1 << v, &mut |links, vertices, end| {
                        if to.is_none_or(|to| to == end) {
                            all.insert((links, vertices));
                        }
                    });
                }
                all.extend(self.empty.then_some((0, 0)));
            }
            Shape::Depot(depot) => {
                let routes = self.circuits(depot);
                let mut more = BTreeSet::from([(0, 1u32 << depot)]);
                while !more.is_empty() {
                    all.extend(&more);
                    let pairs = more.iter().flat_map(|&a| routes.iter().map(move |&b| (a, b)));
                    let joined = pairs.filter(|(a, b)| a.1 & b.1 == 1 << depot && a.0 & b.0 == 0);
                    more = joined.map(|(a, b)| (a.0 | b.0, a.1 | b.1)).collect();
                }
                if !self.empty {
                    all.remove(&(0, 1 << depot));
                }
            }
        }
        all
    }

    /// Returns all satisfying assignments of the user's variables, bit by bit.
    pub(crate) fn solutions(&self) -> BTreeSet<u64> {
        let allowed = self.allowed();
        let holds = |values: u64, term: Term| match term {
            Term::False => false,
            Term::True => true,
            Term::Lit(l) => (values >> l.vidx() & 1 == 1) == l.is_pos(),
        };
        let satisfies = |&values: &u64| {
            if self.condition.is_some_and(|condition| !holds(values, Term::Lit(condition))) {
                return true;
            }
            let (mut links, mut touched, mut vertices) = (0u32, 0u32, 0u32);
            for (k, &(u, v, term)) in self.links.iter().enumerate() {
                if holds(values, term) {
                    links |= 1 << k;
                    touched |= 1 << u | 1 << v;
                }
            }
            for (v, skip) in self.skip.iter().enumerate() {
                let is_visited = skip.map_or(touched >> v & 1 == 1, |skip| !holds(values, skip));
                vertices |= u32::from(is_visited) << v;
            }
            let number = vertices.count_ones();
            allowed.contains(&(links, vertices)) && (self.bounds.0..=self.bounds.1).contains(&number)
        };
        (0..1u64 << self.n_vars).filter(satisfies).collect()
    }
}
