//! Circuits in random formulas: by the propagator and by cuts, against brute force.

use std::collections::BTreeSet;
use std::env::temp_dir;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use hamcnf::Clauses;
use hamcnf::budget::Budget;
use hamcnf::check::{Drat, Syntax};
use hamcnf::circuit::{Circuit, CircuitModel};
use hamcnf::cycle::Found;
use hamcnf::cycle::circuit::Search;
use hamcnf::proof::{Output, SharedLog, Steps, Writer};
use hamcnf::solve::{self, Outcome, search};
use hamcnf_encodings::hamcnf_tours::Term;
use hamcnf_encodings::{Lit, Var};

use crate::random_circuits::{Case, Random};

/// Random clauses over a circuit's variables and two others.
fn clauses(case: &Case, random: &mut Random) -> (u32, Vec<Vec<Lit>>) {
    let n_vars = case.n_vars + 2;
    let clause = |random: &mut Random| {
        let literals = (0..1 + random.below(3)).map(|_| Lit::new(random.below(n_vars), random.one_in(2)));
        literals.collect()
    };
    let clauses = (0..random.below(n_vars)).map(|_| clause(random)).collect();
    (n_vars, clauses)
}

fn holds(values: u64, l: Lit) -> bool {
    (values >> l.vidx() & 1 == 1) == l.is_pos()
}

fn is_circuit(circuit: &Circuit, values: u64) -> bool {
    circuit.read(|l| holds(values, l)).is_ok()
}

#[test]
fn the_propagator_and_cuts_agree_with_brute_force() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let (mut some, mut none) = (0, 0);
    let mut cuts = 0;
    while some + none < 3000 {
        let case = Case::random(&mut random);
        if case.n_vars > 12 {
            continue;
        }
        let (n_vars, clauses) = clauses(&case, &mut random);
        let circuit = case.circuit();
        let model = CircuitModel { n_vars, clauses: clauses.clone(), circuit: circuit.clone() };
        let mut solutions = case.solutions().into_iter().flat_map(|values| {
            let others = n_vars - case.n_vars;
            (0..1u64 << others).map(move |other| values | other << (n_vars - others))
        });
        let satisfies = |values: u64| clauses.iter().all(|clause| clause.iter().any(|&l| holds(values, l)));
        let is_satisfiable = solutions.any(satisfies);
        let Ok(mut searching) = Search::new(&model, 0, &Budget::default()) else {
            assert!(case.bounds.0 > case.n || case.bounds.0 > case.bounds.1);
            continue;
        };
        let by_propagator = searching.search();
        drop(searching);
        let relaxed = if case.directed { "relaxed" } else { "edges" };
        let formula = model.encode(&relaxed.parse().unwrap()).unwrap();
        let solved = search(&formula, &solve::Options::default(), &mut |_| ()).unwrap();
        cuts += solved.statistics.cuts;
        let by_cuts = match solved.outcome {
            Outcome::Found(model) => {
                Found::Cycle((0..n_vars).map(|v| model.value(Var::new(v)) == Some(true)).collect())
            }
            Outcome::None => Found::NoCycle,
            Outcome::Stopped(stopped) => Found::Unknown(stopped),
        };
        for found in [by_propagator, by_cuts] {
            match found {
                Found::Cycle(values) => {
                    let values = (0..).zip(values).map(|(k, value)| u64::from(value) << k).sum();
                    assert!(satisfies(values) && is_circuit(&circuit, values), "{values:b} of {case:?} {clauses:?}");
                    assert!(is_satisfiable, "{case:?} {clauses:?}");
                }
                Found::NoCycle => assert!(!is_satisfiable, "a model of {case:?} {clauses:?} is missing"),
                Found::Unknown(stopped) => panic!("{stopped:?}"),
            }
        }
        if is_satisfiable { some += 1 } else { none += 1 }
    }
    assert!(some > 300 && none > 300 && cuts > 5, "{some} {none} {cuts}");
}

#[test]
fn blocking_excludes_one_answer_and_no_other() {
    let mut random = Random(0xD1B5_4A32_D192_ED03);
    let mut several = 0;
    for _ in 0..1500 {
        let case = Case::random(&mut random);
        if case.n_vars > 10 {
            continue;
        }
        let circuit = case.circuit();
        let model = CircuitModel { n_vars: case.n_vars, clauses: Vec::new(), circuit: circuit.clone() };
        let Ok(mut search) = Search::new(&model, 0, &Budget::default()) else { continue };
        let read = |values: u64| circuit.read(|l| holds(values, l)).map(|visits| format!("{visits:?}"));
        // Two directions of a circuit are one answer, and so are assignments that differ in parallel arcs with one literal.
        let key = |values: u64| {
            let visits = read(values).unwrap();
            let links = circuit.links().iter().map(|link| match link.term {
                Term::Lit(literal) => holds(values, literal),
                constant => constant == Term::True,
            });
            match visits.as_str() {
                "Inactive" => (visits, Vec::new(), Vec::new()),
                _ => {
                    let skips = (0..case.n).map(|v| circuit.skips(v, |literal| holds(values, literal)));
                    (String::new(), links.collect::<Vec<_>>(), skips.collect::<Vec<_>>())
                }
            }
        };
        let expected: BTreeSet<_> = case.solutions().into_iter().map(key).collect();
        let mut found = BTreeSet::new();
        while let Found::Cycle(values) = search.search() {
            let values = (0..).zip(values).map(|(k, value)| u64::from(value) << k).sum();
            assert!(found.insert(key(values)), "{case:?} has {values:b} twice");
            search.add(&circuit.blocking(|l| holds(values, l)));
        }
        assert_eq!(found, expected, "{case:?}");
        several += usize::from(found.len() > 1);
    }
    assert!(several > 100, "{several}");
}

/// Proof in memory.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Output for Memory {
    fn finish(self: Box<Self>) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn every_base_agrees_and_proves_that_there_is_no_model() {
    const BASES: [&str; 9] = [
        "successor",
        "unary",
        "binary",
        "counting",
        "espresso",
        "lfsr",
        "remainder",
        "precedence",
        "binary+windows=full",
    ];
    let mut random = Random(0x9E6C_63D0_876A_68EE);
    let (mut some, mut none) = (0, 0);
    while some + none < 500 {
        let case = Case::random(&mut random);
        if case.n_vars > 12 {
            continue;
        }
        let (n_vars, clauses) = clauses(&case, &mut random);
        let model = CircuitModel { n_vars, clauses: clauses.clone(), circuit: case.circuit() };
        let satisfies = |values: u64| clauses.iter().all(|clause| clause.iter().any(|&l| holds(values, l)));
        let mut assignments = 0..1u64 << n_vars;
        let solutions = case.solutions();
        let is_solution = |values: u64| solutions.contains(&(values & ((1 << case.n_vars) - 1)));
        let expected = assignments.any(|values| is_solution(values) && satisfies(values));
        let Ok(formula) = model.encode(&BASES[(some + none) % BASES.len()].parse().unwrap()) else { continue };
        let proof = Memory::default();
        let clauses = formula.tally().total().clauses;
        let writer = Writer::new(Box::new(proof.clone()), Steps::Drat, false, clauses, &[], &temp_dir());
        let log = SharedLog::new(writer.unwrap());
        let options = solve::Options { proof: Some(log.clone()), ..solve::Options::default() };
        match search(&formula, &options, &mut |_| ()).unwrap().outcome {
            Outcome::Found(found) => {
                assert!(expected, "{case:?}");
                let values = (0..n_vars).map(|v| u64::from(found.value(Var::new(v)) == Some(true)) << v).sum();
                assert!(is_solution(values) && satisfies(values), "{case:?}");
                some += 1;
            }
            Outcome::None => {
                assert!(!expected, "{case:?}");
                log.end().unwrap();
                let mut checker = Drat::default();
                formula.emit(&mut checker);
                let proof = proof.0.lock().unwrap();
                assert!(checker.check(proof.as_slice(), Syntax::Text, &|| false).is_ok(), "{case:?}");
                none += 1;
            }
            Outcome::Stopped(stopped) => panic!("{stopped:?}"),
        }
    }
    assert!(some > 100 && none > 100, "{some} {none}");
}
