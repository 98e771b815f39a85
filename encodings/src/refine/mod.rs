//! Refinements. A refinement combines with any encoding that has the feature it needs. Each file says what its
//! refinement adds, for which bases it is sound, and which tours it admits.
//!
//! A refinement is sound if every tour still has a model; for a closed tour, a model of one direction suffices. It may
//! leave out clauses and variables that no tour needs, add implied clauses, or choose one direction of each tour. It
//! never changes whether a tour exists.

pub mod at_most_one;
pub mod edges;
pub mod order;
pub mod orientation;
pub mod parity;
pub mod phases;
pub mod two_cycles;
pub mod windows;

use std::fmt;
use std::sync::Arc;

use crate::base::{BadArgument, Encoded, Offers, Plan};
use crate::cnf::sink::ClauseSink;
use hamcnf_graph::graph::Vertex;
use hamcnf_graph::names::Named;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// Refinement with its name, possible values and constructor.
#[derive(Clone, Copy, Debug)]
pub struct Refinement {
    /// Name: letters and dashes.
    pub name: &'static str,
    /// Short description, shown in lists of refinements.
    pub says: &'static str,
    /// List of the possible values, for help texts.
    pub values: &'static str,
    /// Value that the refinement has if only its name is written.
    pub plain: &'static str,
    /// Value that is equivalent to leaving the refinement out.
    pub absent: &'static str,
    /// True if the refinement changes the clauses. If false, it only advises the solvers that this program runs, and
    /// files with formulas do not contain it.
    pub in_clauses: bool,
    /// Name of the feature that a base must have, such as `arcs`.
    pub needs: &'static str,
    /// Function that returns true if a base has the feature.
    pub is_for: fn(&Offers) -> bool,
    /// Function that parses a value and returns the refinement with this value.
    pub make: fn(&str) -> Result<Arc<dyn Refine>, BadArgument>,
}

impl Refinement {
    /// Settings that refinements which are on or off have in common.
    const SWITCH: Self = Self {
        name: "",
        says: "",
        values: "on, off",
        plain: "on",
        absent: "off",
        in_clauses: true,
        needs: "arcs",
        is_for: |offers| offers.arcs,
        make: |name| Err(BadArgument(name.to_owned())),
    };
}

/// Parses a value that is a name.
fn choice<T: Named>(value: &str) -> Result<T, BadArgument> {
    hamcnf_graph::names::find(value).map_err(|error| BadArgument(error.to_string()))
}

/// Refinement with a value. All methods except `value` have default implementations, which change nothing.
pub trait Refine: fmt::Debug + Send + Sync + 'static {
    /// Returns the value as text.
    fn value(&self) -> String;

    /// Returns new labels for the vertices; `None` if the refinement does not relabel them. The base and all
    /// refinements then work on the relabelled instance.
    fn relabels(&self, _instance: &Instance) -> Option<Labels> {
        None
    }

    /// Narrows the plan that bases follow. Earlier refinements may have narrowed the plan already.
    fn plan(&self, _instance: &Instance, _plan: &mut Plan) {}

    /// Streams the clauses of the refinement, after the clauses of the base.
    fn emit(&self, _encoded: &dyn Encoded, _out: &mut dyn ClauseSink) {}

    /// True if the refinement excludes one direction of every tour.
    fn excludes_a_direction(&self, _encoded: &dyn Encoded) -> bool {
        false
    }

    /// True if the refinement's clauses hold on the tour in the direction of this sequence.
    fn admits(&self, _encoded: &dyn Encoded, _sequence: &Sequence) -> bool {
        true
    }

    /// Returns the values that a solver should try first.
    fn prefers(&self, _encoded: &dyn Encoded) -> Preference {
        Preference::None
    }
}

/// Labels for the vertices of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    /// Old vertices, indexed by new label.
    pub old: Vec<Vertex>,
    /// Vertex at position 0, given by its old number. For open tours, this vertex is the start.
    pub start: Vertex,
}

/// Values that a solver should try first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Preference {
    /// The solver's own choice.
    None,
    /// False for all variables.
    False,
    /// Values of the variables if the vertices are visited in this order.
    Visiting(Sequence),
}

/// The built-in refinements; to add one, add a line here.
pub(crate) const ALL: &[Refinement] = &[
    order::REFINEMENT,
    windows::REFINEMENT,
    parity::REFINEMENT,
    at_most_one::REFINEMENT,
    edges::REFINEMENT,
    two_cycles::REFINEMENT,
    orientation::REFINEMENT,
    phases::REFINEMENT,
];

/// Parses the value of a refinement that has a fixed list of names as values.
pub(crate) fn one_of<T: Named + Refine>(value: &str) -> Result<Arc<dyn Refine>, BadArgument> {
    Ok(Arc::new(choice::<T>(value)?))
}

/// Value of a refinement that is either on or off.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Switch {
    /// The refinement is used.
    On,
    /// The refinement is not used.
    Off,
}

hamcnf_graph::names::named!(Switch, "switch", {
    On => "on",
    Off => "off",
});
