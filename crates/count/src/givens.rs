//! Choice of the givens of a puzzle: positions of some vertices on a tour, such that no other tour has the same
//! positions.
//!
//! Let F be the formula whose models are all tours except the given tour. For each vertex v, let the literal g_v imply
//! that v has its position on the given tour. F has no model under the assumptions g_v for all v, and the solver
//! returns the assumptions that it used, a *core*. A set of givens makes the tour unique if and only if F has no model
//! under its assumptions. The set is then reduced: vertex by vertex, in a random order, the solver searches without the
//! assumption of this vertex. If there is no model, the new core replaces the set. At the end, no given can be left
//! out, unless the search reached a limit.
//!
//! # References
//!
//! - Joao Marques-Silva: *Minimal Unsatisfiability: Models, Algorithms and Applications*, ISMVL 2010, for the reduction of
//!   cores by deletion.

use chacha20::ChaCha8Rng;
use hamcnf_encodings::{Clauses, Formula};
use hamcnf_graph::Vertex;
use hamcnf_graph::relabel::shuffle;
use hamcnf_tours::{Instance, Term, Tour};
use rustsat::types::{Lit, Var};

use crate::enumerate::FormulaError;
use hamcnf_graph::budget::Budget;
use hamcnf_sat::solve::cadical::FOR_MANY;
use hamcnf_sat::solve::{Cadical, SolverStatus, defaults, each_clause};

/// Givens of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Givens {
    /// Vertices whose positions are given, in increasing order. The start is one of them.
    pub vertices: Vec<Vertex>,
    /// True if leaving out any one of the givens, except the start, would allow another solution. False if a limit
    /// ended the choice before this was known.
    pub is_minimal: bool,
}

/// Maximum number of conflicts of one search. If the search without a given reaches this limit, the given is kept.
const CONFLICTS: u64 = 5_000;

/// Chooses vertices of a tour such that no other tour visits them at the same positions. Starts from all vertices, and
/// tries to leave them out in a random order, until at most `enough` givens are left.
///
/// # Errors
///
/// [`FormulaError`] if the formula is too large, or if the solver fails.
pub fn choose(
    instance: &Instance,
    tour: &Tour,
    enough: usize,
    budget: &Budget,
    random: &mut ChaCha8Rng,
) -> Result<Givens, FormulaError> {
    let encoding = defaults::encoding(defaults::FOUND_WITH_POSITIONS);
    let formula = Formula::new(encoding, instance)?;
    let polled = budget.clone();
    let mut solver = Cadical::new(0, FOR_MANY, None, move || polled.over().is_some())?;
    let n_vars = formula.n_vars();
    solver.reserve(n_vars + instance.n())?;
    each_clause(&formula, |clause| solver.add(clause))?;
    for clause in formula.blocking(tour) {
        solver.add(clause.as_ref())?;
    }
    // g_v implies that v has its position on the tour.
    let given = |v: Vertex| Var::new(n_vars + v.number()).pos_lit();
    let vertex = |l: &Lit| Vertex::new(l.var().idx32() - n_vars);
    for v in instance.others() {
        let position = tour.sequence().position(v);
        for term in formula.at(v, position).unwrap_or_default() {
            match term {
                Term::Lit(l) => solver.add(&[!given(v), l])?,
                Term::False => solver.add(&[!given(v)])?,
                Term::True => {}
            }
        }
    }
    let mut needed: Vec<Lit> = instance.others().map(given).collect();
    shuffle(&mut needed, random);
    let mut is_minimal = true;
    if let (SolverStatus::Unsatisfiable, core) = solver.solve_under(&needed, None)? {
        needed = core;
    }
    let mut order = needed.clone();
    shuffle(&mut order, random);
    for l in order {
        let Some(place) = needed.iter().position(|&other| other == l) else {
            continue;
        };
        // The start is also a given, but is not in `needed`.
        if budget.over().is_some() || needed.len() < enough {
            is_minimal = false;
            break;
        }
        let mut without = needed.clone();
        without.remove(place);
        match solver.solve_under(&without, Some(CONFLICTS))? {
            (SolverStatus::Unsatisfiable, core) => needed = core,
            (SolverStatus::Satisfiable, _) => {}
            (SolverStatus::Stopped, _) => is_minimal = false,
        }
    }
    let mut vertices: Vec<Vertex> = needed.iter().map(vertex).collect();
    vertices.push(instance.start());
    vertices.sort_unstable();
    Ok(Givens { vertices, is_minimal })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::enumerate;
    use chacha20::rand_core::{Rng, SeedableRng};
    use hamcnf_graph::cancellation::CancellationToken;
    use hamcnf_sat::solve::Options;
    use hamcnf_tours::TourKind;

    /// Tests on 3x4 and 5x5 that exactly one tour agrees with all givens. If any given except the start is left out,
    /// several tours must agree.
    #[test]
    fn the_givens_are_needed_and_enough() {
        for (board, start) in [("3x4", 0), ("5x5", 0), ("5x5", 12)] {
            let board = board.parse().unwrap();
            let start = Vertex::new(start);
            let instance = Instance::on_board(board, TourKind::Open, start).unwrap();
            let formula = Formula::new(defaults::listed(&instance), &instance).unwrap();
            let all = enumerate::tours_of(&formula, usize::MAX, &Options::default(), &mut |_| ()).unwrap();
            assert!(all.complete);
            for seed in 0..3 {
                let mut random = ChaCha8Rng::seed_from_u64(seed);
                let tour = &all.found[random.next_u32() as usize % all.found.len()];
                let budget = Budget::new(None, CancellationToken::default());
                let made = choose(&instance, tour, 0, &budget, &mut random).unwrap();
                assert!(made.is_minimal);
                let agree = |without: Option<Vertex>| {
                    let kept = made.vertices.iter().filter(|&&v| Some(v) != without);
                    let kept: Vec<Vertex> = kept.copied().collect();
                    let position = |t: &Tour, v: Vertex| t.sequence().position(v);
                    let agrees = |t: &&Tour| kept.iter().all(|&v| position(t, v) == position(tour, v));
                    all.found.iter().filter(agrees).count()
                };
                assert_eq!(agree(None), 1);
                for &v in made.vertices.iter().filter(|&&v| v != start) {
                    assert!(agree(Some(v)) > 1, "{v:?} is not needed");
                }
            }
        }
    }
}
