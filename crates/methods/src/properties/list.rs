//! List of properties, one entry per property.

#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "a method's path has a lifetime of its own, which `Test` does not accept"
)]

use super::{Property, Subject, Undecided};

/// All properties, in the order in which help lists them.
pub static PROPERTIES: &[Property] = &[
    Property {
        name: "hamiltonian",
        summary: "has a Hamiltonian cycle",
        holds: |graph| graph.has_cycle(),
        holds_directed: Some(|digraph| digraph.has_cycle()),
    },
    Property {
        name: "traceable",
        summary: "has a Hamiltonian path",
        holds: |graph| graph.has_path(),
        holds_directed: Some(|digraph| digraph.has_path()),
    },
    Property {
        name: "hypohamiltonian",
        summary: "has no Hamiltonian cycle, but has one after the removal of any one vertex",
        holds: hypohamiltonian,
        holds_directed: None,
    },
    Property {
        name: "hypotraceable",
        summary: "has no Hamiltonian path, but has one after the removal of any one vertex",
        holds: hypotraceable,
        holds_directed: None,
    },
    Property {
        name: "uniquely-hamiltonian",
        summary: "has exactly one Hamiltonian cycle",
        holds: |graph| Ok(graph.cycles(2)? == 1u32.into()),
        holds_directed: Some(|digraph| Ok(digraph.cycles(2)? == 1u32.into())),
    },
    Property {
        name: "maximally-nonhamiltonian",
        summary: "has no Hamiltonian cycle, but has one after the addition of any one edge",
        holds: maximally_nonhamiltonian,
        holds_directed: None,
    },
];

/// Returns the property with this name.
pub fn property(name: &str) -> Option<&'static Property> {
    PROPERTIES.iter().find(|property| property.name == name)
}

fn hypohamiltonian(graph: &mut Subject<'_>) -> Result<bool, Undecided> {
    // If a vertex has at most two neighbours, removing a neighbour leaves it with at most one.
    Ok(graph.n() > 0 && !graph.has_cycle()? && graph.has_degrees(3) && graph.all_deleted(|graph| graph.has_cycle())?)
}

fn hypotraceable(graph: &mut Subject<'_>) -> Result<bool, Undecided> {
    Ok(graph.n() > 0 && !graph.has_path()? && graph.all_deleted(|graph| graph.has_path())?)
}

fn maximally_nonhamiltonian(graph: &mut Subject<'_>) -> Result<bool, Undecided> {
    Ok(graph.n() > 0 && !graph.has_cycle()? && graph.all_joined(|graph| graph.has_cycle())?)
}
