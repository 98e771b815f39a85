//! Certified counts: a formula whose models are the tours, and a partitioned-operation graph of its models with a proof.
//!
//! The formula describes the choice of the edges along the order of a sweep; see `formula.rs` for the clauses. A
//! partitioned-operation graph (`graph.rs`) represents the same assignments by products of independent parts and by
//! sums of parts that exclude each other, so the number of models can be read off. The file contains the graph and a
//! proof that the formula implies it, in the format SCPOG. A checker verifies the proof, verifies that the graph
//! implies each clause, and computes the number of models. So the count rests on the formula and the checker alone.
//!
//! Open tours become Hamiltonian cycles of a larger graph, as in every sweep of the parent module.

mod formula;
mod graph;

use std::fmt;
use std::io::{self, BufWriter, Write};

use hamcnf_graph::Vertex;
use hamcnf_graph::budget::Budget;
use hamcnf_tours::Instance;
use hamcnf_tours::endpoints::Endpoints;
use num_bigint::BigUint;

use self::formula::Formula;
use self::graph::Search;
pub use self::graph::Size;
use crate::frontier::state::Degrees;
use crate::frontier::sweep::{Element, Sweep};

/// Maximum number of edges of a graph with a certificate. The search is nested this deep.
const MOST_EDGES: u32 = 2000;

/// Reason why no certificate was written.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// Some vertex has fewer than two edges, so there is no tour.
    #[error("a vertex has fewer than two edges, so there is no tour to certify")]
    NoTour,
    /// The graph is too wide or too large, or a limit was reached.
    #[error("{0}")]
    Refused(String),
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Formula whose models are the tours of an instance.
#[derive(Clone, Debug)]
pub struct Certificate {
    name: String,
    formula: Formula,
    /// Names of the edges, for which the first variables stand.
    edges: Vec<String>,
    tours_per_model: u32,
}

impl Certificate {
    /// Creates the formula for the tours of an instance's graph with the endpoints `ends`.
    ///
    /// # Errors
    ///
    /// [`CertificateError::Refused`] if the graph is too large or the frontier too wide, [`CertificateError::NoTour`] if a
    /// vertex has fewer than two edges.
    pub fn new(instance: &Instance, ends: Endpoints) -> Result<Self, CertificateError> {
        let n_edges = instance.graph().n_edges();
        if n_edges > MOST_EDGES {
            return Err(CertificateError::Refused(format!(
                "the graph has {n_edges} edges; certificates are written for graphs of up to {MOST_EDGES} edges"
            )));
        }
        let sweep = Sweep::new(instance, ends, Degrees::SLOTS);
        let sweep = sweep.map_err(|wide| CertificateError::Refused(wide.to_string()))?;
        let steps = (0..sweep.n()).map(|t| sweep.step(t));
        let edges = steps.flat_map(|step| {
            let later = step.later.iter();
            later.map(|seat| (step.vertex, seat.vertex))
        });
        let edges: Vec<(Vertex, Vertex)> = edges.collect();
        let mut degrees = vec![0; sweep.n()];
        for &(u, v) in &edges {
            degrees[u.index()] += 1;
            degrees[v.index()] += 1;
        }
        if degrees.iter().any(|&degree| degree < 2) {
            return Err(CertificateError::NoTour);
        }
        let named = |v: Vertex| instance.vertex_name(v);
        let text = |&(u, v): &(Vertex, Vertex)| match sweep.element(u, v, instance.n()) {
            Some(Element::Edge(a, b)) => format!("{} {}", named(a), named(b)),
            Some(Element::End(v)) => format!("end {}", named(v)),
            None => "on every tour".to_owned(),
        };
        Ok(Self {
            name: instance.to_string(),
            edges: edges.iter().map(text).collect(),
            formula: Formula::new(sweep.n(), &edges),
            tours_per_model: ends.directions(),
        })
    }

    /// Returns the number of tours that each model stands for: 2 for open tours without a given end, which count in both
    /// directions, else 1.
    pub fn tours_per_model(&self) -> u32 {
        self.tours_per_model
    }

    /// Returns the number of variables of the formula.
    pub fn variables(&self) -> usize {
        self.formula.variables as usize
    }

    /// Returns the clauses of the formula, with literals as in DIMACS. Variables from 1 on are the edges.
    pub fn clauses(&self) -> &[Vec<i32>] {
        &self.formula.clauses
    }

    /// Returns the names of the edges, as in the formula's comments.
    pub fn edges(&self) -> &[String] {
        &self.edges
    }

    /// Writes the formula in DIMACS, with the names of the edges as comments.
    ///
    /// # Errors
    ///
    /// I/O errors of `out`.
    pub fn write_formula(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        writeln!(out, "c {}", self.name)?;
        writeln!(out, "c each model stands for {} tour(s)", self.tours_per_model)?;
        for (variable, edge) in (1..).zip(&self.edges) {
            writeln!(out, "c {variable} {edge}")?;
        }
        let (variables, clauses) = (self.variables(), self.clauses());
        writeln!(out, "p cnf {variables} {}", clauses.len())?;
        for clause in clauses {
            write_list(&mut out, clause)?;
            writeln!(out)?;
        }
        out.flush()
    }

    /// Writes the graph of the formula's models and the proof. Returns the number of tours, and the size of the graph.
    ///
    /// # Errors
    ///
    /// [`CertificateError`] if a limit is reached, or if `out` fails. Then `out` has part of the certificate.
    pub fn write(&self, budget: &Budget, out: &mut dyn Write) -> Result<(BigUint, Size), CertificateError> {
        let (models, size) = Search::new(&self.formula, budget, out).run()?;
        Ok((models * self.tours_per_model, size))
    }
}

/// Writes literals or numbers, followed by the terminating zero.
fn write_list<T: fmt::Display>(out: &mut impl Write, list: impl IntoIterator<Item = T>) -> io::Result<()> {
    list.into_iter().try_for_each(|item| write!(out, "{item} "))?;
    write!(out, "0")
}
