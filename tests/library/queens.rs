//! Placements of queens by the decision diagram and by clauses, compared with plain backtracking and with known counts.

use std::ops::ControlFlow;
use std::time::Instant;

use hamcnf::budget::{Budget, Stopped};
use hamcnf::count::enumerate::{every_model, placements, without};
use hamcnf::count::not_counted::Cause;
use hamcnf::count::queens::{Options, Solutions};
use hamcnf::limits::Limits;
use hamcnf::solve::{self, Outcome, search};
use hamcnf::{AtMostOne, Clauses, Count, Named, Placement, Queens, QueensFormula, Tally};
use num_bigint::BigUint;
use rustsat::types::Var;

/// Numbers of placements of N queens from N = 1, OEIS A000170.
const COUNTS: [u32; 12] = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200];

fn queens(n: u32) -> Queens {
    Queens::new(n).unwrap()
}

fn solutions(queens: &Queens) -> Solutions {
    Solutions::new(queens, &Options::enough_for(queens), &mut |_| ()).unwrap()
}

/// Returns all placements of n queens by backtracking over columns, in lexicographic order.
fn backtracked(n: u32) -> Vec<Vec<u32>> {
    fn extend(n: u32, rows: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
        let column = rows.len() as u32;
        if column == n {
            found.push(rows.clone());
            return;
        }
        for row in 0..n {
            let attacks = |(c, &r): (u32, &u32)| r == row || r.abs_diff(row) == column - c;
            if !(0..).zip(rows.iter()).any(attacks) {
                rows.push(row);
                extend(n, rows, found);
                rows.pop();
            }
        }
    }
    let mut found = Vec::new();
    extend(n, &mut Vec::new(), &mut found);
    found
}

fn listed(solutions: &mut Solutions) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    let mut found = |placement: Placement| {
        all.push(placement.rows().to_vec());
        ControlFlow::Continue(())
    };
    solutions.list(&mut found).unwrap();
    all
}

#[test]
fn the_diagram_counts_and_lists_what_backtracking_finds() {
    for n in 1..=9 {
        let queens = queens(n);
        let mut solutions = solutions(&queens);
        let expected = backtracked(n);
        assert_eq!(expected.len() as u32, COUNTS[n as usize - 1]);
        assert_eq!(solutions.count(), BigUint::from(expected.len()), "{n}");
        assert_eq!(listed(&mut solutions), expected, "{n}");
        assert!(solutions.nodes() <= solutions.peak_nodes());
    }
}

#[test]
fn ten_and_eleven_queens() {
    for n in [10, 11] {
        let queens = queens(n);
        let solutions = solutions(&queens);
        assert_eq!(solutions.count(), COUNTS[n as usize - 1].into());
        // The construction in the documentation proceeds row by row, and has diagrams of these sizes.
        let (nodes, peak) = [(25_947, 212_598), (94_824, 1_027_601)][n as usize - 10];
        assert_eq!((solutions.nodes(), solutions.peak_nodes()), (nodes, peak));
    }
}

#[test]
#[ignore = "takes ten seconds and 500 MB"]
fn twelve_queens() {
    let queens = queens(12);
    assert_eq!(solutions(&queens).count(), COUNTS[11].into());
}

#[test]
fn a_list_stops_where_it_is_told() {
    let queens = queens(8);
    let mut found = 0;
    let mut three = |_| {
        found += 1;
        if found == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    solutions(&queens).list(&mut three).unwrap();
    assert_eq!(found, 3);
}

#[test]
fn limits_of_the_diagram() {
    let queens = queens(8);
    let with = |node_capacity, budget| {
        let options = Options { node_capacity, budget };
        Solutions::new(&queens, &options, &mut |_| ()).err().unwrap()
    };
    let few = with(4000, Budget::default());
    assert_eq!(few.cause, Cause::Limit(Stopped::Memory));
    let few = few.to_string();
    assert!(few.starts_with("the decision diagram reached its limit of 4000 nodes after ") && !few.contains("after 0"));
    let late = with(1 << 16, Budget::default().until(Instant::now()));
    assert_eq!(
        (late.cause, late.to_string().as_str()),
        (Cause::Limit(Stopped::Time), "the time limit was reached after 0 of 8 rows")
    );
    let none = with(64, Budget::default());
    assert!(none.to_string().starts_with("64 variables are more than the 64 nodes"), "{none}");
    let many = Queens::new(1001).unwrap();
    let error = Solutions::new(&many, &Options::enough_for(&queens), &mut |_| ()).err();
    assert_eq!(error.unwrap().to_string(), "1001 queens: decision diagrams support at most 1000 queens");
}

/// Tests that the sizes of the clause families follow the closed forms in the documentation of the module.
#[test]
fn sizes() {
    for n in 1..=30u64 {
        let queens = queens(n as u32);
        let formula = QueensFormula::new(&queens, AtMostOne::Pairwise);
        assert_eq!(u64::from(formula.n_vars()), n * n);
        let line = |clause: u64, pairs: u64| {
            let mut count = Count::of(n * clause, n);
            count += Count::of(pairs, 2);
            count
        };
        let across = line(1, n * n * (n - 1) / 2);
        let diagonal = line(0, n * (n - 1) * (2 * n - 1) / 6);
        let expected = [("(r)", across), ("(c)", across), ("(d)", diagonal), ("(a)", diagonal)];
        let tally = formula.tally();
        let found: Vec<_> = tally.families().iter().map(|(f, c)| (f.label, *c)).collect();
        assert_eq!(found, expected, "{n}");
    }
}

/// Tests that each placement has exactly one model. For every at-most-one encoding, the models are compared on the
/// variables of the squares. For the pairwise encoding, the models are also counted on all variables.
#[test]
fn clauses_have_a_model_for_each_placement() {
    for n in 1..=7 {
        let queens = queens(n);
        let mut expected = backtracked(n);
        expected.sort_unstable();
        for &at_most_one in AtMostOne::ALL {
            let formula = QueensFormula::new(&queens, at_most_one);
            let mut found = Vec::new();
            let mut push = |placement: Placement| {
                found.push(placement.rows().to_vec());
                ControlFlow::Continue(())
            };
            assert!(placements(&formula, &solve::Options::default(), &mut push).unwrap());
            found.sort_unstable();
            assert_eq!(found, expected, "{n} {at_most_one}");
            let largest = largest_variable(&formula);
            assert!(largest < formula.n_vars(), "{n} {at_most_one}");
        }
        let formula = QueensFormula::new(&queens, AtMostOne::Pairwise);
        let all: Vec<_> = (0..formula.n_vars()).map(Var::new).collect();
        let mut models = 0;
        let complete = every_model(&formula, &solve::Options::default(), |model| {
            models += 1;
            Ok::<_, solve::SolveError>(ControlFlow::Continue(vec![without(model, &all)]))
        });
        assert!(complete.unwrap());
        assert_eq!(models, expected.len(), "{n}");
    }
}

fn largest_variable(formula: &QueensFormula) -> u32 {
    let mut cnf = rustsat::instances::Cnf::new();
    formula.emit(&mut (&mut cnf, &mut Tally::default()));
    let literals = cnf.iter().flat_map(|clause| clause.iter());
    literals.map(|l| l.vidx32()).max().unwrap()
}

#[test]
fn listing_by_clauses_stops_where_it_is_told() {
    let queens = queens(8);
    let formula = QueensFormula::new(&queens, AtMostOne::Pairwise);
    let mut found = 0;
    let complete = placements(&formula, &solve::Options::default(), &mut |_| {
        found += 1;
        if found == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((complete.unwrap(), found), (false, 5));
    let expired = solve::Options { limits: Limits::wall(std::time::Duration::ZERO), ..solve::Options::default() };
    let none = placements(&formula, &expired, &mut |_| ControlFlow::Continue(()));
    assert!(!none.unwrap());
}

#[test]
fn a_model_of_a_larger_board_is_a_placement() {
    let queens = queens(40);
    for &at_most_one in AtMostOne::ALL {
        let formula = QueensFormula::new(&queens, at_most_one);
        let solved = search(&formula, &solve::Options::default(), &mut |_| ()).unwrap();
        let Outcome::Found(model) = solved.outcome else {
            panic!("{at_most_one}");
        };
        assert_eq!(formula.placement(&model).unwrap().rows().len(), 40);
    }
}

/// Tests the whole DIMACS file for four queens, the smallest board above 1x1 that has placements.
#[test]
fn four_queens_in_full() {
    let queens = queens(4);
    let formula = QueensFormula::new(&queens, AtMostOne::Pairwise);
    let file = formula.write_dimacs(Vec::new(), &[], None, true).unwrap();
    insta::assert_snapshot!(String::from_utf8(file).unwrap());
}
