//! Models of formulas, enumerated one by one. Tests compare those of an encoding with the tours of its instance.

#![allow(dead_code, reason = "every test file uses a part of it")]

use std::collections::HashSet;
use std::ops::ControlFlow;

use hamcnf::count::enumerate::{every_model, undirected, without};
use hamcnf::solve::{Options, SolveError};
use hamcnf::{Formula, Vertex};
use rustsat::types::{Clause, Var};

/// Models of a formula.
#[derive(Default)]
pub(crate) struct Models {
    /// Number of different assignments that the models give to the projection variables.
    pub(crate) projections: u64,
    /// Different tours among the enumerated models; the two directions of a closed tour count as one. If the projection
    /// variables are an independent support, the set contains all tours.
    pub(crate) tours: HashSet<Vec<Vertex>>,
}

/// Enumerates the models of a formula, projected on some of its variables. Checks that a list of the tours is complete
/// without repetition: the clauses after a tour exclude exactly its models. Such a clause has the values of one model on
/// the support, or those that are true if all models have as many of them, so that no model has those of another.
pub(crate) fn models(formula: &Formula, projection: &[Var]) -> Models {
    let support: Vec<_> = formula.support().collect();
    let mut found = Models::default();
    let mut lengths = HashSet::new();
    let all = every_model(formula, &Options::default(), |model| {
        let tour = formula.tour(model)?;
        let values = without(model, &support);
        let are_true: Clause = values.iter().copied().filter(|literal| literal.is_neg()).collect();
        let excluded = formula.blocking(&tour);
        let of_model = excluded.iter().find(|clause| [&values, &are_true].contains(clause));
        lengths.insert(of_model.unwrap_or_else(|| panic!("{}: {tour:?} is listed again", formula.encoding())).len());
        assert_eq!(excluded.len(), formula.models_per_tour() as usize, "{}", formula.encoding());
        found.projections += 1;
        found.tours.insert(undirected(&tour));
        Ok::<_, SolveError>(ControlFlow::Continue(vec![without(model, projection)]))
    });
    assert!(all.unwrap() && lengths.len() <= 1, "{}", formula.encoding());
    found
}

/// Enumerates the models of a formula, projected on its support.
pub(crate) fn all_models(formula: &Formula) -> Models {
    models(formula, &formula.support().collect::<Vec<_>>())
}

/// Checks that a formula has exactly these tours, each with the expected number of models.
pub(crate) fn has_tours(formula: &Formula, tours: &HashSet<Vec<Vertex>>, what: &str) {
    let found = all_models(formula);
    assert_eq!(&found.tours, tours, "{what}");
    assert_eq!(found.projections, tours.len() as u64 * u64::from(formula.models_per_tour()), "{what}");
}
