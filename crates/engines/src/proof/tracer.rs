//! Trace of a solver's search: the clauses that the solver is given, derives and deletes, in order.

/// Receiver of a solver's trace. Each clause has the solver's own number; the numbers increase.
pub(crate) trait Tracer: Send {
    /// Receives a clause that was added to the solver. `restored` is true if the solver had [weakened](Self::weakened)
    /// the clause before, and now restores it.
    fn original(&mut self, id: i64, clause: &[i32], restored: bool);
    /// Receives a derived clause. If `witness` is 0, the clause follows by unit propagation through the clauses
    /// `antecedents`, which are given if they were requested. Otherwise `witness` is a literal of the clause; making it
    /// true satisfies the clause. Then the numbers of antecedents that contain the negation of this literal are
    /// negative.
    fn derived(&mut self, id: i64, witness: i32, clause: &[i32], antecedents: &[i64]);
    /// Receives a clause that the solver deleted.
    fn deleted(&mut self, id: i64, clause: &[i32]);
    /// Receives the number of a clause that the solver deletes next, and may restore later.
    fn weakened(&mut self, id: i64);
}
