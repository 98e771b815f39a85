//! Circuit constraint over literals of another model: "the arcs whose literals are true are one circuit".
//!
//! A [`Circuit`] has vertices from 0 and arcs or undirected edges, each with a literal of your model. Literals may be
//! constants, may be negative, and may stand on several arcs; several arcs may join the same two vertices.
//! [`Circuit::encode`] adds the clauses of an [`Encoding`] with arcs, such as `successor`, to a [`ClauseDatabase`].
//!
//! ```
//! use hamcnf_encodings::circuit::{Circuit, RustSat};
//! use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
//!
//! let (mut variables, mut clauses) = (BasicVarManager::default(), Cnf::new());
//! let mut circuit = Circuit::of_edges(4);
//! for (u, v) in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)] {
//!     circuit.link(u, v, variables.new_lit().into());
//! }
//! circuit.optional(3);
//! let mut database = RustSat { variables: &mut variables, clauses: &mut clauses };
//! let encoded = circuit.encode(&"successor".parse()?, &mut database)?;
//! let visits_3 = encoded.visited(3);
//! # let _ = visits_3;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Meaning
//!
//! - Every vertex is visited exactly once, unless it is optional. An optional vertex may be skipped; then none of its arcs
//!   is true. The literal of an arc from a vertex to itself means "skipped", as in OR-tools.
//! - A circuit of arcs has at least two vertices, and a circuit of edges at least three.
//! - If all vertices are optional, the empty circuit (no arc is true) is a solution only after [`Circuit::allow_empty`].
//! - [`Circuit::path`] asks for a path instead, whose ends are given or free. A path may have a single vertex.
//! - [`Circuit::depot`] asks for one or more circuits that have only the depot in common.
//! - [`Circuit::only_if`] makes the constraint hold only if a literal is true. If it is false, the arcs are free.
//!
//! # Encoding
//!
//! With S_v for "v is skipped" and H for the arcs, where an arc of an undirected edge has a new variable:
//!
//! - (1), (2) Σ_j H_vj + S_v = 1 and Σ_i H_iv + S_v = 1 for every v but a depot: see [`arcs`](crate::bases::arcs)
//! - (E) E_uv ↔ H_uv ∨ H_vu, and ¬H_uv ∨ ¬H_vu, for an edge; at most one of the edges between the same vertices
//! - (V) S_r → S_v for an optional root r; some vertex is visited, unless the circuit may be empty
//! - (8) positions increase along arcs, except those into the root: see [`positions`](crate::positions)
//! - (L) no arc leaves the last position, except into the root, in encodings whose positions do not repeat
//! - (N) a skipped vertex has the first position of its window, so that each circuit has one model
//! - (O) the edge that leaves the root comes before the edge that returns to it in the order of the edges
//!
//! The root is a vertex that must be visited, or the vertex of [`Circuit::root`]. A path begins and ends at a vertex that
//! is added, which is its root. If all vertices are optional, the root is the least visited vertex. M_v says that some
//! vertex up to v is visited, and F_v that v is the root:
//!
//! - (M) M_v ↔ M_v−1 ∨ ¬S_v; F_v ↔ ¬S_v ∧ ¬M_v−1; M of the last vertex, unless the empty circuit is allowed
//! - (6) F_v → P(v) = 1; (8) H_uv → P(v) = P(u) + 1 ∨ F_v
//!
//! Bounds on the number of visited vertices are a counter C_vj, "at least j of the vertices up to v are visited", or the same
//! for skipped vertices, with S_v instead of ¬S_v, if fewer variables suffice for them:
//!
//! - (K) C_vj ↔ C_v−1,j ∨ (C_v−1,j−1 ∧ ¬S_v)
//!
//! If the encoding is relaxed, some models have several circuits, and [`EncodedCircuit::cuts`] excludes them. Every other
//! base has exactly one model for each circuit. Several circuits through a depot may have more models: `precedence` has one
//! for each order in which they interleave, and circuits of edges have two directions each.
//!
//! # Size
//!
//! A circuit of A arcs on N vertices that must all be visited has the variables and clauses of the base for the digraph of
//! these arcs, as the base's page counts them, without the clauses for the last position: (7) of words of bits. An edge has
//! two arcs and 4 clauses (E). An optional vertex adds a literal to its two clauses of (1) and (2), with m bits m clauses (N),
//! and one variable if it has no literal of its own. A least root takes 2N variables and 6N − 2 clauses (M). Bounds up to k
//! take NK variables, with K = min(k + 1, N − k) for an upper bound and K = min(k, N − k + 1) for a lower one, and at most 4NK
//! clauses (K). A condition adds its negation to every clause, and one clause for each auxiliary variable.
//!
//! # References
//!
//! - Neng-Fa Zhou: _In Pursuit of an Efficient SAT Encoding for the Hamiltonian Cycle Problem_, CP 2020.
//! - Laurent Perron, Frédéric Didier: *CP-SAT*, <https://developers.google.com/optimization>, for arcs to oneself.
//! - Nicolas Beldiceanu, Mats Carlsson, Jean-Xavier Rampon: *Global Constraint Catalog*, SICS T2005-08: `circuit`, `path`.

mod database;
mod encoded;
mod layout;
mod model;
#[cfg(feature = "pindakaas")]
mod pindakaas;
mod read;

use rustsat::types::Lit;

#[cfg(feature = "pindakaas")]
pub use self::pindakaas::{Pindakaas, from_pindakaas, to_pindakaas};
pub use database::{ClauseDatabase, RustSat, Sink};
pub use encoded::EncodedCircuit;
pub use model::{CircuitFormula, CircuitModel};
pub use read::{NotACircuit, Visits};

use crate::Encoding;
use hamcnf_graph::{Vertex, VertexNames};
use hamcnf_tours::Term;

/// Circuit constraint: a graph whose arcs or edges have literals of a model.
#[derive(Clone, Debug)]
pub struct Circuit {
    n: u32,
    directed: bool,
    links: Vec<Link>,
    presence: Vec<Presence>,
    shape: Shape,
    root: Option<u32>,
    empty: bool,
    condition: Option<Lit>,
    at_least: u32,
    at_most: u32,
    names: VertexNames,
    /// First vertex of a contradictory call.
    mistake: Option<Mistake>,
}

/// Contradiction between calls, which is reported when the circuit is encoded.
#[derive(Clone, Copy, Debug)]
enum Mistake {
    NoVertex(u32),
    SkippedTwice(u32),
}

/// Arc or edge with its literal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Link {
    /// Tail of the arc, or one end of the edge.
    pub tail: u32,
    /// Head of the arc, or the other end of the edge.
    pub head: u32,
    /// Literal or constant.
    pub term: Term,
}

/// Rule for a vertex.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Presence {
    Visited,
    /// The vertex is skipped exactly if the term is true.
    SkippedIf(Term),
    /// The vertex is skipped exactly if none of its arcs is true.
    Optional,
}

/// Shape of the true arcs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Closed,
    /// Path between two ends, which are free if they are `None`.
    Path(Option<u32>, Option<u32>),
    /// Circuits that have exactly this vertex in common.
    Depot(u32),
}

/// Reason why a circuit is wrong, or why it cannot be encoded.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CircuitError<E = std::convert::Infallible> {
    /// The circuit is contradictory, or the encoding does not support it. The value is the reason in words.
    #[error("{0}")]
    Circuit(String),
    /// The database rejected a variable or a clause.
    #[error("the clauses of the circuit are incomplete, because their receiver rejected a variable or a clause")]
    Database(E),
}

/// Returns an error about the circuit itself.
fn wrong<T, E>(why: impl Into<String>) -> Result<T, CircuitError<E>> {
    Err(CircuitError::Circuit(why.into()))
}

impl Circuit {
    /// Returns a circuit of arcs on `vertices` vertices, all of which must be visited.
    pub fn of_arcs(vertices: u32) -> Self {
        Self {
            n: vertices,
            directed: true,
            links: Vec::new(),
            presence: vec![Presence::Visited; vertices as usize],
            shape: Shape::Closed,
            root: None,
            empty: false,
            condition: None,
            at_least: 0,
            at_most: u32::MAX,
            names: VertexNames::default(),
            mistake: None,
        }
    }

    /// Returns a circuit of undirected edges on `vertices` vertices, all of which must be visited.
    pub fn of_edges(vertices: u32) -> Self {
        Self { directed: false, ..Self::of_arcs(vertices) }
    }

    /// Adds an arc from `tail` to `head`, or an edge between them. An arc from a vertex to itself is the vertex's literal
    /// for "skipped".
    pub fn link(&mut self, tail: u32, head: u32, term: Term) -> &mut Self {
        if tail == head {
            return self.skipped_if(tail, term);
        }
        self.links.push(Link { tail, head, term });
        self
    }

    /// Makes a vertex optional. It is skipped exactly if the term is true.
    pub fn skipped_if(&mut self, v: u32, term: Term) -> &mut Self {
        match self.presence.get_mut(v as usize) {
            None => self.mistake = self.mistake.or(Some(Mistake::NoVertex(v))),
            Some(Presence::SkippedIf(_)) => self.mistake = self.mistake.or(Some(Mistake::SkippedTwice(v))),
            Some(presence) => *presence = Presence::SkippedIf(term),
        }
        self
    }

    /// Makes a vertex optional. It is skipped exactly if none of its arcs is true. A vertex with a literal for "skipped"
    /// keeps it.
    pub fn optional(&mut self, v: u32) -> &mut Self {
        match self.presence.get_mut(v as usize) {
            None => self.mistake = self.mistake.or(Some(Mistake::NoVertex(v))),
            Some(Presence::SkippedIf(_)) => {}
            Some(presence) => *presence = Presence::Optional,
        }
        self
    }

    /// Makes all vertices optional that must be visited so far.
    pub fn all_optional(&mut self) -> &mut Self {
        for v in 0..self.n {
            self.optional(v);
        }
        self
    }

    /// Asks for a path from `from` to `to`. `None` leaves an end free.
    pub fn path(&mut self, from: Option<u32>, to: Option<u32>) -> &mut Self {
        self.shape = Shape::Path(from, to);
        self
    }

    /// Asks for one or more circuits that all visit the depot and have no other vertex in common.
    pub fn depot(&mut self, v: u32) -> &mut Self {
        self.shape = Shape::Depot(v);
        self
    }

    /// Names a vertex that every circuit visits, unless it is empty. Positions are counted from it.
    pub fn root(&mut self, v: u32) -> &mut Self {
        self.root = Some(v);
        self
    }

    /// Allows the empty circuit, if no vertex must be visited.
    pub fn allow_empty(&mut self) -> &mut Self {
        self.empty = true;
        self
    }

    /// Makes the constraint hold only if the literal is true.
    pub fn only_if(&mut self, condition: Lit) -> &mut Self {
        self.condition = Some(condition);
        self
    }

    /// Bounds the number of visited vertices from below.
    pub fn at_least(&mut self, vertices: u32) -> &mut Self {
        self.at_least = vertices;
        self
    }

    /// Bounds the number of visited vertices from above.
    pub fn at_most(&mut self, vertices: u32) -> &mut Self {
        self.at_most = vertices;
        self
    }

    /// Names the vertices in messages; without names, they have their numbers, from 0.
    pub fn called(&mut self, names: VertexNames) -> &mut Self {
        self.names = names;
        self
    }

    /// Returns the name of a vertex.
    pub fn name(&self, v: u32) -> String {
        self.names.name(Vertex::new(v))
    }

    /// Returns the literal of [`Self::only_if`].
    pub fn condition(&self) -> Option<Lit> {
        self.condition
    }

    /// Returns the vertex of [`Self::depot`].
    pub fn depot_vertex(&self) -> Option<u32> {
        match self.shape {
            Shape::Depot(v) => Some(v),
            Shape::Closed | Shape::Path(..) => None,
        }
    }

    /// Returns the literals of the arcs, of skipped vertices, and of the condition.
    pub fn literals(&self) -> impl Iterator<Item = Lit> + Clone {
        let skips = self.presence.iter().filter_map(|presence| match presence {
            Presence::SkippedIf(term) => Some(*term),
            Presence::Visited | Presence::Optional => None,
        });
        let terms = self.links.iter().map(|link| link.term).chain(skips);
        let literals = terms.filter_map(|term| match term {
            Term::Lit(literal) => Some(literal),
            Term::False | Term::True => None,
        });
        literals.chain(self.condition)
    }

    /// Returns the clause that excludes all assignments with the same visits. `value` says which literals are true; the
    /// assignment must satisfy the constraint.
    ///
    /// No circuit contains another one, so the true arcs of a single circuit suffice. Other shapes need all literals. If
    /// the condition is false, all assignments with a false condition have the same visits, namely none.
    pub fn blocking(&self, value: impl Fn(Lit) -> bool) -> Vec<Lit> {
        if let Some(condition) = self.condition.filter(|&condition| !value(condition)) {
            return vec![condition];
        }
        let links: Vec<Lit> = self
            .links
            .iter()
            .filter_map(|link| match link.term {
                Term::Lit(literal) if value(literal) => Some(literal),
                _ => None,
            })
            .collect();
        let mut clause: Vec<Lit> = match self.shape == Shape::Closed && !links.is_empty() {
            true => links.into_iter().chain(self.condition).collect(),
            false => self.literals().collect(),
        };
        for literal in &mut clause {
            *literal = if value(*literal) { !*literal } else { *literal };
        }
        clause.sort_unstable();
        clause.dedup();
        clause
    }

    /// Returns the rule for a vertex. A depot must be visited, even if all vertices are optional.
    fn presence(&self, v: u32) -> Presence {
        match self.presence[v as usize] {
            Presence::Optional if self.shape == Shape::Depot(v) => Presence::Visited,
            Presence::SkippedIf(Term::False) => Presence::Visited,
            presence => presence,
        }
    }

    /// Returns the number of vertices.
    pub fn n_vertices(&self) -> u32 {
        self.n
    }

    /// True if the circuit has arcs, false if it has edges.
    pub fn is_directed(&self) -> bool {
        self.directed
    }

    /// Returns the arcs or edges in the order in which they were added.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Adds the clauses of the circuit to a database, which also provides the auxiliary variables.
    ///
    /// # Errors
    ///
    /// [`CircuitError`], before anything is added if the circuit is contradictory or the encoding does not support it, or
    /// with the first error of the database.
    pub fn encode<D: ClauseDatabase>(
        &self,
        encoding: &Encoding,
        database: &mut D,
    ) -> Result<EncodedCircuit, CircuitError<D::Error>> {
        EncodedCircuit::add(layout::Layout::new(self, encoding)?, database)
    }

    /// Checks that the parts of the circuit fit together.
    fn checked<E>(&self) -> Result<(), CircuitError<E>> {
        let known = |v: u32, role: &str| match v < self.n {
            true => Ok(()),
            false => wrong(format!("{role}, {v}, is not a vertex; the circuit has {} vertices, from 0", self.n)),
        };
        match self.mistake {
            None => {}
            Some(Mistake::NoVertex(v)) => known(v, "the optional vertex")?,
            Some(Mistake::SkippedTwice(v)) => {
                return wrong(format!("vertex {} has two literals for \"skipped\"", self.name(v)));
            }
        }
        for link in &self.links {
            known(link.tail, "the end of an arc")?;
            known(link.head, "the end of an arc")?;
        }
        if let Some(root) = self.root {
            known(root, "the root")?;
            match self.shape {
                Shape::Closed => {}
                Shape::Path(..) => return wrong("a path has ends, not a root; remove the root"),
                Shape::Depot(_) => return wrong("a depot is visited by every circuit; remove the root"),
            }
        }
        match self.shape {
            Shape::Closed => {}
            Shape::Path(from, to) => {
                from.into_iter().try_for_each(|v| known(v, "the start"))?;
                to.into_iter().try_for_each(|v| known(v, "the end"))?;
                if from.is_some() && from == to && self.n > 1 {
                    let v = self.name(from.unwrap_or_default());
                    return wrong(format!("the path begins and ends at vertex {v}; ask for a circuit instead"));
                }
            }
            Shape::Depot(v) => {
                known(v, "the depot")?;
                if self.presence(v) != Presence::Visited {
                    return wrong(format!(
                        "the depot {} must be visited, but has a literal for \"skipped\"",
                        self.name(v)
                    ));
                }
            }
        }
        if self.at_least > self.n {
            return wrong(format!("at least {} of {} vertices cannot be visited", self.at_least, self.n));
        }
        if self.at_least > self.at_most {
            return wrong(format!(
                "at least {} and at most {} vertices are contradictory",
                self.at_least, self.at_most
            ));
        }
        Ok(())
    }
}
