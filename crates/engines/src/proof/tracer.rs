//! Trace of a solver's search: the clauses that it is given, derives and deletes, in order.

/// Receiver of a solver's trace: clauses with the solver's numbers, which increase.
pub(crate) trait Tracer: Send {
    /// Notes a clause that was added; `restored` if it had been weakened before.
    fn original(&mut self, id: i64, clause: &[i32], restored: bool);
    /// Notes a derived clause. Without a witness, it follows by unit propagation through the antecedents, as far as these were
    /// requested. With a witness, one of its literals, it is satisfied wherever this literal is made true; then
    /// antecedents with the negation of the literal are negative.
    fn derived(&mut self, id: i64, witness: i32, clause: &[i32], antecedents: &[i64]);
    /// Notes a clause that is no longer used.
    fn deleted(&mut self, id: i64, clause: &[i32]);
    /// Notes a clause that is deleted next, and may be restored.
    fn weakened(&mut self, id: i64);
}
