//! Trace of a solver's search: the clauses that the solver is given, derives and deletes, in order.

/// Receiver of a solver's trace. The solver numbers all clauses (`id`) in increasing order.
pub trait Tracer: Send {
    /// Receives a clause that was added to the solver. `restored` is true if the solver had [weakened](Self::weakened)
    /// the clause before, and now restores it.
    fn original(&mut self, id: i64, clause: &[i32], restored: bool);
    /// Receives a derived clause, with its antecedents if they were requested. If `witness` is 0, the clause follows by
    /// unit propagation. Otherwise `witness` is a literal of the clause; making it true satisfies the clause. In this
    /// case a negative number denotes an antecedent that contains the negation of `witness`.
    fn derived(&mut self, id: i64, witness: i32, clause: &[i32], antecedents: &[i64]);
    /// Receives a clause that the solver deleted.
    fn deleted(&mut self, id: i64, clause: &[i32]);
    /// Receives the number of a clause that the solver deletes next, and may restore later.
    fn weakened(&mut self, id: i64);
}
