//! Cost of tours: the sum of the weights of the arcs or edges on the tour, as a sum over variables of a formula. Solvers
//! for MaxSAT and pseudo-Boolean optimization minimize such sums. They are no match for solvers of the travelling
//! salesman problem, such as Concorde and LKH.

use rustsat::types::{Lit, Var};

use crate::base::EncodeError;
use crate::cnf::clauses::{Clauses, auxiliary_name};
use crate::cnf::sink::{ClauseSink, Tally};
use crate::cnf::vars::Allocator;
use crate::cnf::weighted_sum::at_most;
use crate::formula::Formula;
use hamcnf_graph::Weights;

/// Cost of the tours of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objective {
    terms: Vec<(Lit, i64)>,
}

impl Objective {
    /// Returns the sum of the weights of the moves along the graph's arcs or edges.
    ///
    /// # Errors
    ///
    /// [`EncodeError`] if the encoding has neither arc nor edge variables.
    pub fn new(formula: &Formula, weights: &Weights) -> Result<Self, EncodeError> {
        let moves = formula.moves().ok_or_else(|| {
            let encoding = formula.encoding();
            EncodeError::Instance(format!(
                "encoding \"{encoding}\" has neither arc nor edge variables, so the cost of a tour is no sum over its variables; use an encoding with arcs, such as \"binary\""
            ))
        })?;
        let terms = moves.into_iter().filter_map(|(literal, from, to)| Some((literal, weights.get(from, to)?)));
        Ok(Self { terms: terms.filter(|&(_, weight)| weight != 0).collect() })
    }

    /// Returns minus the number of these positive literals that are true, so that a solver maximizes this number.
    pub fn to_maximize(literals: impl IntoIterator<Item = Lit>) -> Self {
        Self { terms: literals.into_iter().map(|literal| (literal, -1)).collect() }
    }

    /// Returns the literals with their weights, which are not 0. The cost of a tour is the sum of the weights of its true
    /// literals.
    pub fn terms(&self) -> &[(Lit, i64)] {
        &self.terms
    }

    /// Returns the literals with positive weights. The sum of the weights of its true literals is the cost of a tour plus
    /// [`offset`](Self::offset): a literal with a negative weight is negated.
    pub fn costs(&self) -> Vec<(Lit, u64)> {
        let cost = |&(literal, weight): &(Lit, i64)| {
            let costly = if weight > 0 { literal } else { !literal };
            (costly, weight.unsigned_abs())
        };
        self.terms.iter().map(cost).collect()
    }

    /// Returns the sum of the absolute values of negative weights.
    pub fn offset(&self) -> u64 {
        self.terms.iter().filter(|&&(_, weight)| weight < 0).map(|&(_, weight)| weight.unsigned_abs()).sum()
    }

    /// Returns the soft clauses of one literal each. The sum of the weights of violated clauses is the cost of a tour plus
    /// [`offset`](Self::offset).
    pub fn soft(&self) -> Vec<(Lit, u64)> {
        self.costs().into_iter().map(|(literal, weight)| (!literal, weight)).collect()
    }
}

/// Formula whose models are the tours of another formula that cost at most a bound.
#[derive(Clone, Debug)]
pub struct Bounded<'f> {
    formula: &'f Formula,
    costs: Vec<(Lit, u64)>,
    /// Maximum of the sum of `costs`.
    most: i128,
    n_vars: u32,
}

impl<'f> Bounded<'f> {
    /// Returns the formula with clauses that bound the cost.
    ///
    /// # Errors
    ///
    /// [`EncodeError`] if there are more variables than DIMACS solvers accept.
    pub fn new(formula: &'f Formula, objective: &Objective, max_cost: i64) -> Result<Self, EncodeError> {
        let most = i128::from(max_cost) + i128::from(objective.offset());
        let bounded = Self { formula, costs: objective.costs(), most, n_vars: formula.n_vars() };
        let mut fresh = 0;
        let mut count = || {
            fresh += 1;
            Lit::positive(0)
        };
        at_most(&bounded.costs, most, &mut count, &mut Tally::default());
        let mut variables = Allocator::default();
        variables.take(formula.n_vars().into());
        variables.take(fresh);
        let n_vars = variables.fits().map_err(|error| EncodeError::Instance(error.to_string()))?;
        Ok(Self { n_vars, ..bounded })
    }
}

impl Clauses for Bounded<'_> {
    fn n_vars(&self) -> u32 {
        self.n_vars
    }

    fn emit<S: ClauseSink>(&self, out: &mut S) {
        self.formula.emit(out);
        let mut variables = Allocator::default();
        variables.take(self.formula.n_vars().into());
        at_most(&self.costs, self.most, &mut || Lit::positive(variables.take(1).start), out);
    }

    fn variable_name(&self, var: Var) -> String {
        if var.idx32() < self.formula.n_vars() { self.formula.variable_name(var) } else { auxiliary_name(var) }
    }
}
