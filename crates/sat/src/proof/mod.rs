//! Proofs that no tour exists, for independent checkers.
//!
//! [`Form`] lists the forms of proofs, and maps a file name to a form. A certificate is an obstruction of a few lines;
//! the module `method::evidence` of hamcnf-methods finds and writes it. The other forms derive a contradiction, step by
//! step, from the clauses that `hamcnf encode` writes.
//!
//! - DRAT: one clause or deletion per line. Each clause follows by unit propagation (RUP), or is redundant with respect
//!   to its first literal (RAT). All common checkers accept this format.
//! - LRAT: the same as DRAT, but with numbered clauses; each step names the clauses from which it follows. Checking
//!   takes less time than solving.
//! - VeriPB: the same derivation in pseudo-Boolean steps, for the checker VeriPB.
//!
//! `log.rs` turns a solver's trace of its search (`tracer.rs`) into steps, with the variables and clause numbers of the
//! formula. `writer.rs` writes the steps; in LRAT, `trim.rs` removes unnecessary steps first. The steps come from
//! [`solve`](crate::solve) if an encoding is solved directly, and from the crate hamcnf-refute.
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
pub use tracer::Tracer;
pub use writer::{Operation, Size, Writer};
