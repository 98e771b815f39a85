//! Tests of the derivations of subtour-elimination constraints (cuts) from an order: every step follows by unit
//! propagation, and every derived clause holds on every tour.

use std::io::Write;

use hamcnf_check::{Drat, Rejected, Syntax, Unproved};
use hamcnf_encodings::derivation::{Derivation, Lacking, Step};
use hamcnf_encodings::{Clauses, Formula};
use hamcnf_graph::chordal::Elimination;
use hamcnf_graph::graph_strategy::graphs;
use hamcnf_graph::{Graph, Vertex};
use hamcnf_tours::{ClauseSink, Instance, TourKind};
use proptest::prelude::*;
use proptest::sample::Index;
use rustsat::types::Lit;

use crate::values::tours;

const BOTH: [Lacking; 2] = [Lacking::Leaving, Lacking::Entering];

/// Step of a derivation, with its own copy of the literals.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Line {
    Add(Vec<Lit>),
    Delete(Vec<Lit>),
}

fn derived(of: &mut Derivation<'_>, set: &[Vertex], lacking: Lacking, under: &[Lit]) -> Vec<Line> {
    let mut lines = Vec::new();
    of.derive(set, lacking, under, &mut |step| {
        lines.push(match step {
            Step::Add(clause) => Line::Add(clause.to_vec()),
            Step::Delete(clause) => Line::Delete(clause.to_vec()),
        });
    });
    lines
}

fn checker<'a>(clauses: impl Iterator<Item = &'a Vec<Lit>>) -> Drat {
    let mut checker = Drat::default();
    clauses.for_each(|clause| checker.clause(clause));
    checker
}

/// True if a clause follows from others by unit propagation. The negations of its literals are added as unit clauses,
/// and the empty clause is checked instead. The checker can accept the empty clause only by unit propagation, not as
/// RAT.
fn follows(clauses: &[Vec<Lit>], derived: &[Vec<Lit>], clause: &[Lit]) -> bool {
    let negated: Vec<_> = clause.iter().map(|&l| vec![!l]).collect();
    let all = clauses.iter().chain(derived).chain(&negated);
    let checked = checker(all).check(&b"0\n"[..], Syntax::Text, &|| false);
    checked.is_ok()
}

/// Checks that each line of a derivation follows from the clauses before it, and that only `under` remains at the end.
fn check_lines(clauses: &[Vec<Lit>], lines: &[Line], under: &[Lit]) {
    let mut derived: Vec<Vec<Lit>> = Vec::new();
    let mut text = Vec::new();
    for line in lines {
        let (begin, literals) = match line {
            Line::Add(clause) => {
                assert!(follows(clauses, &derived, clause), "{clause:?} of {lines:?}");
                derived.push(clause.clone());
                ("", clause)
            }
            Line::Delete(clause) => {
                let found = derived.iter().position(|c| c == clause);
                derived.remove(found.expect("what is deleted is there"));
                ("d ", clause)
            }
        };
        write!(text, "{begin}").unwrap();
        for literal in literals {
            write!(text, "{} ", literal.to_ipasir()).unwrap();
        }
        writeln!(text, "0").unwrap();
    }
    assert_eq!(derived, [under.to_vec()]);
    // A check of all lines as one proof fails only because the empty clause is missing. It succeeds if `under` is
    // empty.
    let ends = under.is_empty().then_some(lines.len() as u64);
    let whole = checker(clauses.iter()).check(&text[..], Syntax::Text, &|| false);
    match whole {
        Ok(checked) => {
            assert!(under.is_empty());
            assert!(Some(checked.steps) <= ends);
            assert_eq!((checked.extensions, checked.missing), (0, 0));
        }
        Err(Unproved::Rejected(Rejected::NoEmptyClause { steps })) => {
            assert_eq!((steps, ends), (lines.len() as u64, None));
        }
        Err(error) => panic!("{error}"),
    }
}

/// Returns all non-empty sets of vertices without the start.
fn sets(instance: &Instance) -> Vec<Vec<Vertex>> {
    let others: Vec<_> = instance.others().collect();
    let chosen = |bits: u32| {
        let is_in = (0..).zip(&others).filter(move |(k, _)| bits >> k & 1 == 1);
        is_in.map(|(_, &v)| v).collect()
    };
    (1_u32..1 << others.len()).map(chosen).collect()
}

/// Returns the literals that the formula has for the arcs that leave a set, or enter it, depending on `lacking`.
fn arcs_across(formula: &Formula, set: &[Vertex], lacking: Lacking) -> Vec<Lit> {
    let all = formula.instance().graph().vertices();
    let outside: Vec<_> = all.filter(|v| !set.contains(v)).collect();
    let pairs = set.iter().flat_map(|&v| outside.iter().map(move |&w| (v, w)));
    let arc = |(v, w)| match lacking {
        Lacking::Leaving if w == formula.instance().start() => formula.arc(v, w).or(formula.last(v)),
        Lacking::Leaving => formula.arc(v, w),
        Lacking::Entering => formula.arc(w, v),
    };
    let mut found: Vec<_> = pairs.filter_map(arc).collect();
    found.sort_unstable();
    found
}

/// Checks the size of a derivation. It adds at most one clause more than the chordal completion has edges within the
/// set. Besides the literals of `under`, a clause has at most as many literals as the maximum degree within the set.
fn check_size(instance: &Instance, set: &[Vertex], lines: &[Line], under: &[Lit]) {
    let chordal = Elimination::without(instance.graph(), instance.start(), u64::MAX).unwrap();
    let adjacent = |v: Vertex, w: Vertex| chordal.later(v).contains(&w) || chordal.later(w).contains(&v);
    let beside = |v: &Vertex| set.iter().filter(|&&w| adjacent(*v, w)).count();
    let degrees: Vec<_> = set.iter().map(beside).collect();
    let added = lines.iter().filter_map(|line| match line {
        Line::Add(clause) => Some(clause.len()),
        Line::Delete(_) => None,
    });
    assert!(added.clone().count() <= degrees.iter().sum::<usize>() / 2 + 1);
    let most = degrees.iter().max().unwrap();
    assert!(added.max().unwrap() <= under.len() + most);
}

fn check(instance: &Instance, more: &[(u32, bool)]) {
    let formula = Formula::new("precedence".parse().unwrap(), instance).unwrap();
    let mut clauses = Vec::new();
    formula.emit(&mut clauses);
    let tours = tours(instance);
    let mut derivation = formula.derivation().unwrap();
    for set in sets(instance) {
        for lacking in BOTH {
            let mut cut = derivation.cut(&set, lacking);
            let lines = derived(&mut derivation, &set, lacking, &cut);
            check_lines(&clauses, &lines, &cut);
            check_size(instance, &set, &lines, &cut);
            for tour in &tours {
                let holds = |l: &Lit| formula.value(tour, l.var()) == Some(l.is_pos());
                for line in &lines {
                    if let Line::Add(clause) = line {
                        // Every derived clause must hold on every tour.
                        assert!(clause.iter().any(holds), "{clause:?}");
                    }
                }
            }
            // Derives a clause that has more literals than the cut. The result must not depend on earlier derivations.
            let n = formula.n_vars();
            let others = more.iter().filter(|_| n > 0);
            let others = others.map(|&(var, negated)| Lit::new(var % n, negated));
            let mut under = cut.clone();
            under.extend(others.filter(|l| !cut.contains(l) && !cut.contains(&!*l)));
            let lines = derived(&mut derivation, &set, lacking, &under);
            check_lines(&clauses, &lines, &under);
            let mut fresh = formula.derivation().unwrap();
            assert_eq!(derived(&mut fresh, &set, lacking, &under), lines);

            cut.sort_unstable();
            assert_eq!(cut, arcs_across(&formula, &set, lacking));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn cuts_follow_step_by_step(
        graph in graphs(3..=7),
        start: Index,
        closed: bool,
        more: [(u32, bool); 2],
    ) {
        let start = Vertex::new(start.index(graph.n_vertices() as usize) as u32);
        let kind = if closed { TourKind::Closed } else { TourKind::Open };
        check(&Instance::on_graph("random", graph, kind, start).unwrap(), &more);
    }
}

/// Tests derivations of cuts on complete graphs and on a wheel, where the degree of the hub exceeds the width of the
/// chordal completion.
#[test]
fn cuts_of_wheels_and_of_complete_graphs_follow() {
    let wheel = (1..7).flat_map(|v| [(0, v), (v, v % 6 + 1)]);
    let complete = (0..6).flat_map(|a| (0..a).map(move |b| (a, b)));
    for graph in [Graph::from_edges(7, wheel).unwrap(), Graph::from_edges(6, complete).unwrap()] {
        for start in [0, 5] {
            for kind in [TourKind::Closed, TourKind::Open] {
                let start = Vertex::new(start);
                check(&Instance::on_graph("known", graph.clone(), kind, start).unwrap(), &[]);
            }
        }
    }
}

/// Tests that the formula has no derivations if vertices are relabelled or if the encoding has positions.
#[test]
fn an_order_of_the_graphs_own_vertices_has_derivations() {
    let cycle = Graph::from_edges(5, (0..5).map(|v| (v, (v + 1) % 5))).unwrap();
    let instance = Instance::on_graph("cycle", cycle, TourKind::Closed, Vertex::new(0)).unwrap();
    for (word, has) in [
        ("precedence", true),
        ("precedence+two-cycles+orientation=fixed", true),
        ("precedence+order=far", false),
        ("unary", false),
        ("relaxed", false),
        ("edges", false),
        ("direct", false),
    ] {
        let formula = Formula::new(word.parse().unwrap(), &instance).unwrap();
        assert_eq!(formula.derivation().is_some(), has, "{word}");
    }
}
