//! Circuits over literals of another model, in every base with arcs, against all subsets of the arcs of small graphs.

use std::collections::{BTreeMap, BTreeSet};

use hamcnf_encodings::circuit::{Circuit, ClauseDatabase};
use hamcnf_encodings::hamcnf_graph::{Digraph, Vertex};
use hamcnf_encodings::hamcnf_tours::{Instance, Tally, TourKind};
use hamcnf_encodings::{Clauses, Encoding, Formula, Lit, Var};

use crate::random_circuits::{Case, Random, Shape};

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
        let mut variables: Vec<Var> = literals.iter().map(|l| l.var()).collect();
        variables.sort_unstable();
        assert!(!variables.windows(2).any(|pair| pair[0] == pair[1]), "a variable occurs twice in {literals:?}");
        self.clauses.push(literals.to_vec());
        Ok(())
    }
}

impl Memory {
    /// Returns all models. Each says of every literal if it is true.
    fn models(&self) -> Vec<Vec<bool>> {
        let n_lits = 2 * self.n_vars as usize;
        let clauses: Vec<Vec<usize>> = self.clauses.iter().map(|c| c.iter().map(|l| l.lidx()).collect()).collect();
        let mut with: Vec<Vec<&[usize]>> = vec![Vec::new(); n_lits];
        for clause in &clauses {
            clause.iter().for_each(|&l| with[l].push(clause));
        }
        // A condition is in most clauses. If it is false, nothing follows from the other variables.
        let mut order: Vec<usize> = (0..n_lits).step_by(2).collect();
        order.sort_by_key(|&l| std::cmp::Reverse(with[l].len() + with[l ^ 1].len()));
        let mut search = Models { with, order, is_true: vec![false; n_lits], trail: Vec::new(), found: Vec::new() };
        if !clauses.iter().any(Vec::is_empty) {
            search.extend(clauses.iter().filter(|clause| clause.len() == 1).map(|clause| clause[0]).collect(), 0);
        }
        search.found
    }
}

/// Search for models. Literals are indices: the last bit is set if the literal is negative.
struct Models<'a> {
    /// For each literal, the clauses with it.
    with: Vec<Vec<&'a [usize]>>,
    /// Positive literals of all variables, those in the most clauses first.
    order: Vec<usize>,
    is_true: Vec<bool>,
    /// True literals, in the order in which they became true.
    trail: Vec<usize>,
    found: Vec<Vec<bool>>,
}

impl Models<'_> {
    /// Finds all models in which these literals are true, and those that are so already. The first `decided` variables of
    /// the order have values.
    fn extend(&mut self, literals: Vec<usize>, decided: usize) {
        let before = self.trail.len();
        if self.propagate(literals) {
            let is_open = |&k: &usize| !self.is_true[self.order[k]] && !self.is_true[self.order[k] ^ 1];
            match (decided..self.order.len()).find(is_open) {
                None => self.found.push(self.is_true.clone()),
                Some(k) => [1, 0].into_iter().for_each(|sign| self.extend(vec![self.order[k] ^ sign], k)),
            }
        }
        self.trail.drain(before..).for_each(|l| self.is_true[l] = false);
    }

    /// Makes these literals true, and all that follow from them. Returns false if a clause becomes false.
    fn propagate(&mut self, mut literals: Vec<usize>) -> bool {
        while let Some(l) = literals.pop() {
            if self.is_true[l] {
                continue;
            }
            if self.is_true[l ^ 1] {
                return false;
            }
            self.is_true[l] = true;
            self.trail.push(l);
            for &clause in &self.with[l ^ 1] {
                let mut others = clause.iter().filter(|&&other| !self.is_true[other ^ 1]);
                match (others.next(), others.next()) {
                    (None, _) => return false,
                    (Some(&only), None) => literals.push(only),
                    _ => {}
                }
            }
        }
        true
    }
}

#[test]
fn every_base_has_exactly_the_circuits_as_models() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let (mut with_solutions, mut refused) = (0, 0);
    for round in 0..3800 {
        let case = Case::random(&mut random);
        if case.n_vars > 12 {
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
        let user = |model: &[bool]| (0..case.n_vars).map(|k| u64::from(model[2 * k as usize]) << k).sum::<u64>();
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
                let holds = |model: &[bool], l: &Lit| model[l.lidx()];
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
        let mut next = solutions.iter().peekable();
        for values in 0..1u64 << case.n_vars {
            let read = circuit.read(|l| (values >> l.vidx() & 1 == 1) == l.is_pos());
            assert_eq!(read.is_ok(), next.next_if_eq(&&values).is_some(), "{values:b} {read:?} {case:?}");
        }
    }
    assert!(with_solutions > 600 && refused < 600, "{with_solutions} {refused}");
}

/// Returns the numbers of variables and clauses of a circuit on 11 vertices with 40 arcs, of which `optional` are optional and
/// have no literals.
fn sizes(encoding: &Encoding, optional: u32) -> (u32, u64) {
    let (_, arcs) = digraph();
    let mut circuit = Circuit::of_arcs(11);
    for (k, &(u, v)) in (0..).zip(&arcs) {
        circuit.link(u, v, Lit::positive(k).into());
    }
    for v in 0..optional {
        circuit.optional(10 - v);
    }
    let mut memory = Memory { n_vars: arcs.len() as u32, clauses: Vec::new() };
    let encoded = circuit.encode(encoding, &mut memory).unwrap();
    let mut tally = Tally::default();
    encoded.emit(&mut tally);
    assert_eq!(tally.total().clauses, memory.clauses.len() as u64);
    (memory.n_vars, tally.total().clauses)
}

fn digraph() -> (Digraph, Vec<(u32, u32)>) {
    let mut random = Random(7);
    let mut arcs: BTreeSet<(u32, u32)> = (0..11).map(|v| (v, (v + 1) % 11)).collect();
    while arcs.len() < 40 {
        let (u, v) = (random.below(11), random.below(11));
        if u != v {
            arcs.insert((u, v));
        }
    }
    let arcs: Vec<_> = arcs.into_iter().collect();
    (Digraph::from_arcs(11, arcs.iter().copied()).unwrap(), arcs)
}

#[test]
fn sizes_are_those_of_the_base_without_the_last_position() {
    let (digraph, _) = digraph();
    let instance = Instance::on_digraph("digraph", digraph, TourKind::Closed, Vertex::new(0)).unwrap();
    for name in ["binary+windows=none", "successor", "espresso", "lfsr", "precedence", "relaxed"] {
        let encoding: Encoding = name.parse().unwrap();
        let formula = Formula::new(encoding.clone(), &instance).unwrap();
        let tally = formula.tally();
        let last = tally.families().iter().filter(|(family, _)| ["(7)", "(4t)"].contains(&family.label));
        let last: u64 = last.map(|(_, count)| count.clauses).sum();
        let all = sizes(&encoding, 0);
        assert_eq!(all, (formula.n_vars(), tally.total().clauses - last), "{name}");
        if ["(6)", "(7)"].iter().all(|label| tally.families().iter().any(|(family, _)| family.label == *label)) {
            // Three optional vertices: a variable each, 4 clauses (N) for 4 bits, and a literal more in (1) and (2), which is
            // in a pair with each arc.
            let degree = |v: u32| {
                let (_, arcs) = self::digraph();
                arcs.iter().filter(|&&(a, b)| a == v || b == v).count() as u64
            };
            let pairs: u64 = (8..11).map(degree).sum();
            assert_eq!(sizes(&encoding, 3), (all.0 + 3, all.1 + 3 * 4 + pairs), "{name}");
        }
    }
}

#[cfg(feature = "pindakaas")]
#[test]
fn the_models_of_a_pindakaas_cnf_are_the_circuits() {
    use hamcnf_encodings::circuit::{CircuitError, Pindakaas, from_pindakaas, to_pindakaas};
    use pindakaas::{ClauseDatabase, Cnf};
    let mut random = Random(0xB5AD_4ECE_DA1C_E2A9);
    let (mut compared, mut contradictions) = (0, 0);
    for _ in 0..300 {
        let case = Case::random(&mut random);
        if !case.directed || case.n_vars > 14 {
            continue;
        }
        // The last variable is in no clause of the circuit.
        let mut cnf = Cnf::default();
        let given: Vec<pindakaas::Lit> =
            cnf.new_var_range(case.n_vars as usize + 1).map(pindakaas::Lit::from).collect();
        for (k, &literal) in (0..).zip(&given) {
            assert_eq!((from_pindakaas(literal), to_pindakaas(Lit::negative(k))), (Lit::positive(k), !literal));
        }
        let encoded = case.circuit().encode(&"successor".parse().unwrap(), &mut Pindakaas(&mut cnf));
        let clauses = cnf.iter().map(|clause| clause.iter().copied().map(from_pindakaas).collect()).collect();
        let models = Memory { n_vars: cnf.num_vars() as u32, clauses }.models();
        let user = |model: &Vec<bool>| (0..case.n_vars).map(|k| u64::from(model[2 * k as usize]) << k).sum::<u64>();
        match encoded {
            Ok(_) => assert_eq!(models.len(), 2 * case.solutions().len(), "{case:?}"),
            Err(CircuitError::Database(pindakaas::Unsatisfiable)) => contradictions += 1,
            Err(CircuitError::Circuit(_)) => continue,
        }
        assert_eq!(models.iter().map(user).collect::<BTreeSet<_>>(), case.solutions(), "{case:?}");
        compared += 1;
    }
    assert!(compared > 80 && contradictions > 0, "{compared} {contradictions}");
}
