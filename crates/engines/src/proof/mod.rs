//! Proofs that there is no tour, for checkers of other people.
//!
//! [`Form`] lists the forms of proofs, and maps a file's name to one. A certificate is a reason of a few lines, which is found
//! and written by the `method::evidence` module of hamcnf-methods. The other forms are steps from clauses: those of an encoding,
//! as `hamcnf encode` writes them.
//!
//! - DRAT, a clause or a deletion a line. Each clause follows by unit propagation, or has a first literal that nothing
//!   speaks against (RAT). Any checker of the field takes it.
//! - LRAT, the same with numbers of clauses, and for each step those it follows from: checked in less time than it was found.
//! - VeriPB's, the same as pseudo-Boolean steps, for VeriPB.
//!
//! What a solver tells of its search (`tracer.rs`) becomes steps in `log.rs`, in the names of the formula's variables and the
//! numbers of its clauses; `writer.rs` writes them, LRAT after `trim.rs` has taken out what is not needed. Steps come from
//! [`solve`](crate::solve), for encodings that are solved as they are, and from the `refute` module of hamcnf-methods.
//!
//! # References
//!
//! - Nathan Wetzler, Marijn Heule, Warren Hunt: *DRAT-trim: Efficient Checking and Trimming Using Expressive Clausal
//!   Proofs*, SAT 2014.
//! - Luís Cruz-Filipe, Marijn Heule, Warren Hunt, Matt Kaufmann, Peter Schneider-Kamp: *Efficient Certified RAT
//!   Verification*, CADE 2017: LRAT.
//! - Bart Bogaerts, Stephan Gocht, Ciaran McCreesh, Jakob Nordström: *Certified Dominance and Symmetry Breaking for
//!   Combinatorial Optimisation*, JAIR 77, 2023: VeriPB.

mod antecedents;
mod form;
mod log;
mod tracer;
mod trim;
mod writer;

pub use form::{Form, FormError, Steps, Target};
pub use log::{Log, Numbers, Output, SharedLog};
pub(crate) use tracer::Tracer;
pub use writer::{Operation, Size, Writer};
