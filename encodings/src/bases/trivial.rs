//! Formulas of graphs that are too small for degrees and positions: closed tours of fewer than three vertices (two in a
//! digraph), and open tours of a single vertex. All encodings have the same formula, without variables:
//!
//! - (0) the empty clause, if there is no tour
//!
//! An open tour of one vertex makes no moves, so its formula has no clauses.

use rustsat::types::Var;

use crate::base::Encoded;
use crate::cnf::model::Model;
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Block, Term};
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;
use hamcnf_tours::tour::{NotATour, Tour};

/// Clause family (0): no tour.
pub const NO_TOUR: Family = Family { label: "(0)", says: "the graph is too small for a tour" };

/// Formula of an instance that is too small to need variables.
#[derive(Debug)]
pub(crate) struct EncodedTrivial(pub(crate) Instance);

impl EncodedTrivial {
    fn order(&self) -> Vec<Vertex> {
        vec![self.0.start()]
    }
}

impl Encoded for EncodedTrivial {
    fn instance(&self) -> &Instance {
        &self.0
    }

    fn emit(&self, out: &mut dyn ClauseSink) {
        if Tour::check(&self.0, self.order()).is_err() {
            // (0) ⊥
            out.family(NO_TOUR);
            out.clause(&[]);
        }
    }

    fn support(&self) -> Block {
        0..0
    }

    fn ends(&self, _: Vertex) -> Option<[Term; 2]> {
        None
    }

    fn meaning(&self, _: Var) -> Option<String> {
        None
    }

    fn value(&self, _: &Sequence, _: Var) -> Option<bool> {
        None
    }

    fn read(&self, _: &Model) -> Result<Vec<Vec<Vertex>>, NotATour> {
        Ok(vec![self.order()])
    }

    fn models_per_tour(&self) -> u32 {
        1
    }
}
