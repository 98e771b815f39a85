//! Circuits over literals of another model, in every base with arcs, against all subsets of the arcs of small graphs.

use std::collections::{BTreeMap, BTreeSet};

use hamcnf_encodings::circuit::{Circuit, ClauseDatabase, Visits};
use hamcnf_encodings::hamcnf_tours::Term;
use hamcnf_encodings::{Encoding, Lit, Var};

/// Encodings in the suite: every base with arcs, and refinements that change the clauses.
const ENCODINGS: [&str; 19] = [
    "unary",
    "unary+windows=full",
    "unary+windows=none",
    "unary+parity",
    "binary",
    "binary+windows=full",
    "binary+at-most-one=ladder",
    "counting",
    "successor",
    "successor+windows=full+parity",
    "successor+at-most-one=bitwise",
    "espresso",
    "lfsr",
    "remainder",
    "remainder=2x3+windows=full",
    "precedence",
    "precedence+at-most-one=two-product",
    "relaxed",
    "edges",
];

/// Random numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % n
    }

    fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

/// Clauses and variables in memory.
#[derive(Default)]
struct Memory {
    n_vars: u32,
    clauses: Vec<Vec<Lit>>,
}

impl ClauseDatabase for Memory {
    type Error = std::convert::Infallible;

    fn new_var(&mut self) -> Result<Var, Self::Error> {
        self.n_vars += 1;
        Ok(Var::new(self.n_vars - 1))
    }

    fn add_clause(&mut self, literals: &[Lit]) -> Result<(), Self::Error> {
        let variables: BTreeSet<_> = literals.iter().map(|l| l.var()).collect();
        assert_eq!(variables.len(), literals.len(), "a variable occurs twice in {literals:?}");
        self.clauses.push(literals.to_vec());
        Ok(())
    }
}

impl Memory {
    /// Returns all models, each with the values of all variables.
    fn models(&self) -> Vec<Vec<bool>> {
        let mut found = Vec::new();
        self.extend(vec![None; self.n_vars as usize], &mut found);
        found
    }

    fn extend(&self, mut values: Vec<Option<bool>>, found: &mut Vec<Vec<bool>>) {
        loop {
            let mut changed = false;
            for clause in &self.clauses {
                let value = |l: &Lit| values[l.vidx()].map(|value| value == l.is_pos());
                if clause.iter().any(|l| value(l) == Some(true)) {
                    continue;
                }
                let mut open = clause.iter().filter(|l| value(l).is_none());
                match (open.next(), open.next()) {
                    (None, _) => return,
                    (Some(only), None) => {
                        values[only.vidx()] = Some(only.is_pos());
                        changed = true;
                    }
                    _ => {}
                }
            }
            if !changed {
                break;
            }
        }
        match values.iter().position(Option::is_none) {
            None => found.push(values.into_iter().flatten().collect()),
            Some(open) => {
                for value in [false, true] {
                    let mut values = values.clone();
                    values[open] = Some(value);
                    self.extend(values, found);
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Shape {
    Closed,
    Path(Option<u32>, Option<u32>),
    Depot(u32),
}

/// Random circuit, with what is needed to decide by brute force which assignments satisfy it.
#[derive(Debug)]
struct Case {
    n: u32,
    directed: bool,
    links: Vec<(u32, u32, Term)>,
    /// `None` if the vertex is skipped exactly if it has no true arc.
    skip: Vec<Option<Term>>,
    shape: Shape,
    root: Option<u32>,
    empty: bool,
    condition: Option<Lit>,
    bounds: (u32, u32),
    n_vars: u32,
}

impl Case {
    fn random(random: &mut Random) -> Self {
        let n = 1 + random.below(7);
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
        for _ in 0..if n == 1 { 0 } else { n + random.below(10 - n) } {
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

    fn circuit(&self) -> Circuit {
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
    fn solutions(&self) -> BTreeSet<u64> {
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

#[test]
fn every_base_has_exactly_the_circuits_as_models() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut with_solutions, mut refused) = (0, 0);
    for round in 0..3800 {
        let case = Case::random(&mut random);
        if case.n_vars > 14 {
            continue;
        }
        let name = ENCODINGS[round % ENCODINGS.len()];
        let encoding: Encoding = name.parse().unwrap();
        let circuit = case.circuit();
        let mut memory = Memory { n_vars: case.n_vars, clauses: Vec::new() };
        let encoded = match circuit.encode(&encoding, &mut memory) {
            Ok(encoded) => encoded,
            Err(why) => {
                let why = why.to_string();
                assert!(why.contains("at least") || name == "edges" && case.directed, "{why}: {case:?}");
                refused += 1;
                continue;
            }
        };
        let solutions = case.solutions();
        with_solutions += usize::from(solutions.len() > 1);
        let user =
            |model: &[bool]| (0..).zip(&model[..case.n_vars as usize]).map(|(k, &v)| u64::from(v) << k).sum::<u64>();
        let models = memory.models();
        let mut found: BTreeMap<u64, usize> = BTreeMap::new();
        models.iter().for_each(|model| *found.entry(user(model)).or_default() += 1);
        let missing = solutions.iter().find(|solution| !found.contains_key(solution));
        assert_eq!(missing, None, "{name} lacks a solution of {case:?}");
        if encoded.is_exact() {
            let extra = found.keys().find(|model| !solutions.contains(model));
            assert_eq!(extra, None, "{name} has a model that is no solution of {case:?}");
            let many = (!case.directed || name.starts_with("precedence")) && matches!(case.shape, Shape::Depot(_));
            let twice = found.iter().find(|&(_, &times)| times > 1 && !many);
            assert_eq!(twice, None, "{name} has two models of one solution of {case:?}");
        } else {
            // Cuts exclude every model with several circuits, and no solution.
            for model in models.iter().filter(|model| !solutions.contains(&user(model))) {
                let holds = |model: &[bool], l: &Lit| model[l.vidx()] == l.is_pos();
                let cuts = encoded.cuts(|l| holds(model, &l));
                assert!(
                    !cuts.is_empty(),
                    "{name} has no cut for a model of {case:?}: {:?}",
                    circuit.read(|l| holds(model, &l))
                );
                for cut in &cuts {
                    assert!(!cut.iter().any(|l| holds(model, l)), "{name}: a cut holds in the model of {case:?}");
                    let right = models.iter().filter(|model| solutions.contains(&user(model)));
                    let excluded = right.clone().find(|model| !cut.iter().any(|l| holds(model, l)));
                    assert_eq!(excluded, None, "{name}: a cut excludes a solution of {case:?}");
                }
            }
        }
        for values in 0..1u64 << case.n_vars {
            let read = circuit.read(|l| (values >> l.vidx() & 1 == 1) == l.is_pos());
            let is_circuit = read.as_ref().is_ok_and(|visits| !matches!(visits, Visits::Several(_)));
            assert_eq!(is_circuit, solutions.contains(&values), "{values:b} {read:?} {case:?}");
        }
    }
    assert!(with_solutions > 600 && refused < 600, "{with_solutions} {refused}");
}
