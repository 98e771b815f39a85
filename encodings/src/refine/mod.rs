//! Refinements: what combines with any encoding that has what they work on. One file each, which says what it adds,
//! for which bases it is sound, and which tours it admits.
//!
//! A refinement is sound where every tour keeps a model, a closed one in one of its directions at least: it may leave
//! out what no tour needs, say twice what holds already, or choose one of a tour's directions. It never changes
//! whether there is a tour.

pub mod at_most_one;
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
use crate::graph::Vertex;
use crate::instance::Instance;
use crate::names::Named;
use crate::sequence::Sequence;

/// A refinement under its name.
#[derive(Clone, Copy, Debug)]
pub struct Refinement {
    /// What it is called: letters and dashes.
    pub name: &'static str,
    /// What it does, in half a line.
    pub says: &'static str,
    /// Its values, in words.
    pub values: &'static str,
    /// The value that its name alone stands for.
    pub plain: &'static str,
    /// The value that is as good as to leave it out.
    pub absent: &'static str,
    /// Whether it is in the clauses. If not, it asks a solver in this program for something, which no file says.
    pub in_clauses: bool,
    /// What it needs of a base, in words, such as `arcs`.
    pub needs: &'static str,
    /// Whether a base has it.
    pub is_for: fn(&Offers) -> bool,
    /// Makes it with one of its values.
    pub make: fn(&str) -> Result<Arc<dyn Refine>, BadArgument>,
}

/// A refinement with its value. Everything but its value has a default that does nothing.
pub trait Refine: fmt::Debug + Send + Sync + 'static {
    /// Its value, as it is written.
    fn value(&self) -> String;

    /// Other labels for the vertices, from which everything else follows as if they were the graph's own.
    fn relabels(&self, _instance: &Instance) -> Option<Labels> {
        None
    }

    /// Settles what bases keep to. Several refinements narrow what others have left.
    fn plan(&self, _instance: &Instance, _plan: &mut Plan) {}

    /// Its clauses, after those of the base.
    fn emit(&self, _encoded: &dyn Encoded, _out: &mut dyn ClauseSink) {}

    /// Whether it excludes one direction of every tour.
    fn excludes_a_direction(&self, _instance: &Instance) -> bool {
        false
    }

    /// Whether it leaves a tour in this direction.
    fn admits(&self, _instance: &Instance, _sequence: &Sequence) -> bool {
        true
    }

    /// Which values a solver is to try first.
    fn prefers(&self, _encoded: &dyn Encoded) -> Preference {
        Preference::None
    }
}

/// Labels for the vertices of a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Labels {
    /// The old vertex of every new one.
    pub old: Vec<Vertex>,
    /// Where positions are counted from, an old vertex: the start itself for open tours.
    pub start: Vertex,
}

/// Values of variables to try first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Preference {
    /// The solver's own.
    None,
    /// False, all of them.
    False,
    /// Those of the vertices visited in this order.
    Visiting(Sequence),
}

/// The refinements there are; a new one is a line here.
pub(crate) const ALL: &[Refinement] = &[
    order::REFINEMENT,
    windows::REFINEMENT,
    parity::REFINEMENT,
    at_most_one::REFINEMENT,
    two_cycles::REFINEMENT,
    orientation::REFINEMENT,
    phases::REFINEMENT,
];

/// A value that is one of some names.
pub(crate) fn one_of<T: Named + Refine>(value: &str) -> Result<Arc<dyn Refine>, BadArgument> {
    let choice: T = crate::names::find(value).map_err(|error| BadArgument(error.to_string()))?;
    Ok(Arc::new(choice))
}

/// Whether a refinement without other values is used.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Switch {
    /// It is.
    On,
    /// It is not.
    Off,
}

crate::names::named!(Switch, "switch", {
    On => "on",
    Off => "off",
});
