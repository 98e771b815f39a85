//! What a solver tells of its search: the clauses that it is given, derives and deletes, one after the other.

/// Who is told what a proof is made of: clauses with the solver's numbers, which go up.
pub(crate) trait Tracer: Send {
    /// A clause that was added; `restored` where it had been weakened before.
    fn original(&mut self, id: i64, clause: &[i32], restored: bool);
    /// A clause that follows: by unit propagation through these antecedents, as far as they are asked for, or with a
    /// witness, one of its literals, because it is satisfied wherever that literal is made true. Antecedents of the latter
    /// are negative where they have its negation.
    fn derived(&mut self, id: i64, witness: i32, clause: &[i32], antecedents: &[i64]);
    /// A clause that is used no more.
    fn deleted(&mut self, id: i64, clause: &[i32]);
    /// A clause that is deleted next, and may be restored.
    fn weakened(&mut self, id: i64);
}
