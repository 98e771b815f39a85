//! Solves a graph with a solver that this crate does not depend on, here batsat, and returns a checked tour.
//!
//! Clauses stream into any implementation of `ClauseSink`. The solver's model is passed back as DIMACS literals.

use std::error::Error;

use batsat::{BasicSolver, Lit, SolverInterface, lbool};
use hamcnf_encodings::{Clauses, Formula, Model};
use hamcnf_graph::{Graph, Vertex, families};
use hamcnf_tours::{ClauseSink, Family, Instance, TourKind};

/// Clause sink that passes the clauses to a solver of batsat. DIMACS variable 1 is the solver's variable 0.
struct Batsat(BasicSolver);

impl ClauseSink for Batsat {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[hamcnf_encodings::Lit]) {
        let solver = &mut self.0;
        let literal = |l: &hamcnf_encodings::Lit| Lit::new(solver.var_of_int(l.vidx32()), l.is_pos());
        let mut clause = literals.iter().map(literal).collect();
        solver.add_clause_reuse(&mut clause);
    }
}

impl Batsat {
    /// Returns the DIMACS literals that are true in the model.
    fn model(&mut self, n_vars: u32) -> impl Iterator<Item = i32> {
        (0..n_vars).map(|index| {
            let var = self.0.var_of_int(index);
            let literal = index as i32 + 1;
            if self.0.value_var(var) == lbool::TRUE { literal } else { -literal }
        })
    }
}

/// Returns a Hamiltonian cycle from vertex 0, if there is one.
fn cycle(name: &str, graph: Graph) -> Result<Option<Vec<Vertex>>, Box<dyn Error>> {
    let instance = Instance::on_graph(name, graph, TourKind::Closed, Vertex::new(0))?;
    let formula = Formula::new("successor".parse()?, &instance)?;
    let mut solver = Batsat(BasicSolver::default());
    formula.emit(&mut solver);
    match solver.0.solve_limited(&[]) {
        answer if answer == lbool::TRUE => {}
        answer if answer == lbool::FALSE => return Ok(None),
        // A run that stops at a limit has no answer.
        _ => return Err("the solver gave up".into()),
    }
    let model = Model::from_literals(solver.model(formula.n_vars()))?;
    // The tour is checked edge by edge: a wrong model is an error here.
    Ok(Some(formula.tour(&model)?.order().to_vec()))
}

fn main() -> Result<(), Box<dyn Error>> {
    for word in ["petersen:7:2", "petersen:5:2"] {
        let family: families::Family = word.parse()?;
        match cycle(word, family.graph().underlying().into_owned())? {
            Some(order) => println!("{word}: {order:?}"),
            None => println!("{word}: no Hamiltonian cycle"),
        }
    }
    Ok(())
}

#[test]
fn a_tour_comes_back() -> Result<(), Box<dyn Error>> {
    let graph = |word: &str| -> Result<Graph, families::FamilyError> {
        Ok(word.parse::<families::Family>()?.graph().underlying().into_owned())
    };
    assert_eq!(cycle("gp", graph("petersen:7:2")?)?.map(|order| order.len()), Some(14));
    assert_eq!(cycle("gp", graph("petersen:5:2")?)?, None);
    Ok(())
}
