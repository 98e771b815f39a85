//! Circuits in random formulas: by the propagator and by cuts, against brute force.

use hamcnf::budget::Budget;
use hamcnf::circuit::{Circuit, CircuitModel, Visits};
use hamcnf::cycle::Found;
use hamcnf::cycle::circuit::Search;
use hamcnf::solve::{self, Outcome, search};
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
    circuit.read(|l| holds(values, l)).is_ok_and(|visits| !matches!(visits, Visits::Several(_)))
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
            Outcome::None => Found::None,
            Outcome::Stopped(stopped) => Found::Nothing(stopped),
        };
        for found in [by_propagator, by_cuts] {
            match found {
                Found::Cycle(values) => {
                    let values = (0..).zip(values).map(|(k, value)| u64::from(value) << k).sum();
                    assert!(satisfies(values) && is_circuit(&circuit, values), "{values:b} of {case:?} {clauses:?}");
                    assert!(is_satisfiable, "{case:?} {clauses:?}");
                }
                Found::None => assert!(!is_satisfiable, "a model of {case:?} {clauses:?} is missing"),
                Found::Nothing(stopped) => panic!("{stopped:?}"),
            }
        }
        if is_satisfiable { some += 1 } else { none += 1 }
    }
    assert!(some > 300 && none > 300 && cuts > 5, "{some} {none} {cuts}");
}
