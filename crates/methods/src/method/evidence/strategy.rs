//! Strategies for step-by-step proofs, and the choice among them. Each strategy can write every format of steps.

use std::fmt;

use hamcnf_tours::{Instance, Obstruction, TourKind};

use hamcnf_cycle::portfolio::Argument;
use hamcnf_graph::budget::Budget;
use hamcnf_questions::Tours;
use hamcnf_refute::certificate::Known;
use hamcnf_refute::counted::{self, Counting};

/// Strategy that derives "no tour" from the clauses of a formula, step by step.
#[derive(Clone)]
pub(in crate::method) enum ProofStrategy {
    /// Counting argument (pigeonhole principle), see [`counted`].
    Counting(Counting),
    /// CaDiCaL on all clauses of the formula.
    Solver {
        /// Limit on the number of conflicts, after which the solver gives up.
        conflicts: Option<u64>,
    },
    /// Propagator for circuits; for closed tours only.
    Propagator {
        /// Limit on the number of literals that the propagator receives, after which it gives up.
        literals: Option<u64>,
    },
    /// Lazy subtour-elimination constraints. This strategy works for every question without a tour.
    Lazy,
}

impl fmt::Display for ProofStrategy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Counting(_) => "counting",
            Self::Solver { .. } => "CaDiCaL alone",
            Self::Propagator { .. } => "a propagator",
            Self::Lazy => "cuts",
        })
    }
}

/// Facts on which the choice of proof strategies depends.
pub(in crate::method) struct ProofTask<'t> {
    pub tours: &'t Tours,
    /// Instance whose clauses the proof starts from, see [`proof_instance`](hamcnf_refute::instance::proof_instance).
    pub instance: &'t Instance,
    /// Number of clauses of the formula.
    pub clauses: u64,
    /// True if the format of the proof names the antecedents of each step.
    pub has_hints: bool,
    /// Budget for the search for a counting argument.
    pub budget: &'t Budget,
}

/// Limits for the propagator and for the solver alone, which are tried alternately. The first number of a pair limits
/// the literals that the propagator receives. The second number limits the product of two quantities: the number of
/// clauses in the formula and the number of conflicts. The first pair takes tenths of a second (cubic graphs of 2000
/// vertices need 1400 literals). The last pair takes half a minute (GP(101, 2), a generalized Petersen graph, needs
/// 10⁹).
const TRIES: [(u64, u64); 2] = [(10_000, 200_000_000), (100_000, 5_000_000_000)];

/// Smallest limit on conflicts with which the solver alone is tried. With a smaller limit, generating the clauses does
/// not pay off.
const FEWEST_CONFLICTS: u64 = 10_000;

impl ProofTask<'_> {
    /// Returns the counting strategy; empty if there is no counting argument.
    pub(in crate::method) fn counting(&self) -> Vec<ProofStrategy> {
        self.counted(self.tours.obstruction().as_ref()).into_iter().collect()
    }

    /// Returns the strategy `Propagator` for closed tours, and `Lazy` for open tours.
    pub(in crate::method) fn propagator(&self) -> Vec<ProofStrategy> {
        vec![match self.instance.kind() {
            TourKind::Closed => ProofStrategy::Propagator { literals: None },
            TourKind::Open => ProofStrategy::Lazy,
        }]
    }

    /// Returns the counting strategy if there is a counting argument, otherwise the strategy `Lazy`.
    pub(in crate::method) fn counting_or_lazy(&self) -> Vec<ProofStrategy> {
        vec![self.counted(self.tours.obstruction().as_ref()).unwrap_or(ProofStrategy::Lazy)]
    }

    /// Returns the strategies to try in turn after a method has answered "no tour". All strategies except the last may
    /// give up.
    pub(in crate::method) fn after(&self, known: Known<'_>) -> Vec<ProofStrategy> {
        match (known.obstruction, known.by) {
            (None, by) if by != Some(Argument::NoFactor) => self.after_search(by),
            // A bipartite graph without a 2-factor has a counting argument, too: removing some vertices leaves too many
            // parts.
            (found, _) => vec![self.counted(found).unwrap_or(ProofStrategy::Lazy)],
        }
    }

    /// Returns the strategies to try after a search answered "no tour" and no obstruction is known. `by` is the
    /// kind of reasoning used by the portfolio strategy that gave the answer; `None` if no portfolio strategy gave it.
    ///
    /// The propagator has the shortest proofs if it needs few clauses, as for a random cubic graph of 1000 vertices.
    /// The solver alone has shorter proofs if many clauses are needed. For GP(101, 2), its proof is a twentieth as long
    /// as the propagator's.
    fn after_search(&self, by: Option<Argument>) -> Vec<ProofStrategy> {
        /// Number of vertices above which DRAT proofs avoid the long clauses of the propagator. DRAT checkers must find
        /// the antecedents of each clause. They need ten times as long for the propagator's clauses as for short
        /// constraints (1000 vertices: 47 s and 4 s).
        const LARGE: u32 = 300;
        let counting = self.counting();
        if !counting.is_empty() {
            return counting;
        }
        let large = !self.has_hints && self.instance.n() > LARGE;
        let last = match (self.instance.kind(), by) {
            (TourKind::Open, _) | (_, Some(Argument::Cuts)) => ProofStrategy::Lazy,
            (_, Some(Argument::Propagator)) => ProofStrategy::Propagator { literals: None },
            _ if large => ProofStrategy::Lazy,
            _ => ProofStrategy::Propagator { literals: None },
        };
        let mut strategies = Vec::new();
        for (literals, work) in TRIES {
            if self.instance.kind() == TourKind::Closed && !large {
                let literals = Some(literals);
                strategies.push(ProofStrategy::Propagator { literals });
            }
            let conflicts = work / self.clauses.max(1);
            if conflicts >= FEWEST_CONFLICTS {
                let conflicts = Some(conflicts);
                strategies.push(ProofStrategy::Solver { conflicts });
            }
        }
        strategies.push(last);
        strategies
    }

    fn counted(&self, found: Option<&Obstruction>) -> Option<ProofStrategy> {
        counted::of(self.tours, found, self.instance, self.budget).map(ProofStrategy::Counting)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::cancellation::CancellationToken;
    use hamcnf_questions::Question;
    use hamcnf_refute::instance::proof_instance;

    fn chosen(question: &str, has_hints: bool, choose: impl Fn(ProofTask<'_>) -> Vec<ProofStrategy>) -> Vec<String> {
        let Question::Tours(tours) = Question::load(question).unwrap() else { unreachable!("nobody asks for queens") };
        let task = ProofTask {
            tours: &tours,
            instance: &proof_instance(&tours).unwrap(),
            clauses: 1000,
            has_hints,
            budget: &Budget::new(None, CancellationToken::default()),
        };
        choose(task).iter().map(ProofStrategy::to_string).collect()
    }

    #[test]
    fn drat_of_a_large_graph_has_no_long_clauses_unless_they_found_the_answer() {
        use Argument::{Cuts, Propagator, Tables};
        let [propagator, solver, cuts] = ["a propagator", "CaDiCaL alone", "cuts"];
        let tries = [propagator, solver, propagator, solver];
        for (question, argument, has_hints, expected) in [
            ("petersen:11:2", Tables, false, [&tries[..], &[propagator]].concat()),
            ("petersen:11:2", Cuts, false, [&tries[..], &[cuts]].concat()),
            ("cubic:400:1", Cuts, true, [&tries[..], &[cuts]].concat()),
            ("cubic:400:1", Cuts, false, vec![solver, solver, cuts]),
            ("cubic:400:1", Propagator, false, vec![solver, solver, propagator]),
            ("petersen:11:2 open from 1", Tables, true, vec![solver, solver, cuts]),
            ("5x5", Cuts, true, vec!["counting"]),
        ] {
            let ways = chosen(question, has_hints, |task| task.after_search(Some(argument)));
            assert_eq!(ways, expected, "{question}");
        }
    }

    #[test]
    fn a_propagator_is_for_closed_tours() {
        let asked = |question: &str| chosen(question, true, |task| task.propagator());
        assert_eq!(asked("petersen:11:2"), ["a propagator"]);
        assert_eq!(asked("petersen:11:2 open from 1"), ["cuts"]);
    }
}
