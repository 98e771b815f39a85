//! OPB, the input format of pseudo-Boolean solvers: linear constraints over variables that are 0 or 1. A clause is a
//! sum that is at least 1. "Exactly one" or "at most one" of some literals is a single constraint instead of many
//! clauses. A negated literal ¬x is written as 1 − x, so only positive literals occur, which every solver reads:
//!
//! ```text
//! * #variable= 3 #constraint= 2
//! +1 x1 +1 x2 +1 x3 = 1 ;
//! +1 x1 -1 x2 >= 0 ;
//! ```
//!
//! An objective `min: +5 x1 -3 x2 ;` may stand before the constraints.
//!
//! The models are those of the clauses, without the auxiliary variables of cardinality constraints. The auxiliary
//! variables do not occur in OPB files. They have the highest numbers, so the header does not announce them. A sum needs
//! at least one term, so the empty clause is `+0 x1 >= 1`, and then the header announces at least one variable. The header
//! needs the number of constraints before the first constraint, so formulas are emitted twice, as for
//! [DIMACS](super::dimacs).
//!
//! # References
//!
//! - O. Roussel, V. Manquinho: *Input/Output Format and Solver Requirements for the Competitions of Pseudo-Boolean
//!   Solvers*, 2012.

use std::io::Write;

use rustsat::types::{Lit, Var};

use super::clauses::Clauses;
use super::dimacs::WriteError;
use super::output::Output;
use super::sink::{Bound, ClauseSink, Family};

/// Contents of the file before the first constraint.
#[derive(Clone, Copy)]
pub struct OpbHeader<'a> {
    /// Comment lines, without their `*`.
    pub comments: &'a [String],
    /// Numbers of constraints and variables, as [`constraints`] returns them.
    pub constraints: Constraints,
    /// Names of variables, written as comments `* varname NUMBER NAME`; `None` for no such comments.
    pub names: Option<&'a dyn Fn(Var) -> String>,
    /// Positive literals with weights, whose sum a solver minimizes; `None` for no objective.
    pub objective: Option<&'a [(Lit, i64)]>,
}

/// Size of a formula in OPB, where each cardinality constraint counts once.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Constraints {
    /// Number of constraints.
    pub number: u64,
    /// Number of variables, which is the greatest variable number that occurs in a constraint. The empty sum has the term
    /// `+0 x1`.
    pub variables: u32,
}

impl ClauseSink for Constraints {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        self.number += 1;
        let last = literals.iter().map(|l| l.vidx32() + 1).max();
        self.variables = self.variables.max(last.unwrap_or(1));
    }

    fn takes_bounds(&self) -> bool {
        true
    }

    fn bound(&mut self, _: Bound, literals: &[Lit]) {
        self.clause(literals);
    }
}

/// Returns the number of constraints and variables of a formula in OPB.
pub fn constraints(formula: &impl Clauses) -> Constraints {
    let mut counted = Constraints::default();
    formula.emit(&mut counted);
    counted
}

/// Writes clauses and bounds as OPB. [`OpbWriter::finish`] returns the first error.
pub struct OpbWriter<'a>(Output<'a>);

impl<'a> OpbWriter<'a> {
    /// Creates a writer and writes the header. The constraints must follow.
    pub fn new(out: &'a mut dyn Write, header: &OpbHeader<'_>) -> Self {
        let Constraints { number: m, variables: n } = header.constraints;
        let mut out = Output::new(out, m);
        out.text(format_args!("* #variable= {n} #constraint= {m}\n"));
        out.comments('*', header.comments, n, header.names);
        if let Some(objective) = header.objective {
            let terms = objective.iter().map(|(literal, weight)| format!(" {weight:+} x{}", literal.vidx32() + 1));
            out.text(format_args!("min:{} ;\n", terms.collect::<String>()));
        }
        Self(out)
    }

    /// Writes the constraint that the sum of these weights of true positive literals is at most `most`.
    pub fn at_most(&mut self, terms: &[(Lit, i64)], most: i64) {
        self.0.written += 1;
        let term = |&(literal, weight): &(Lit, i64)| format!("{:+} x{} ", -weight, literal.vidx32() + 1);
        let terms = if terms.is_empty() { "+0 x1 ".to_owned() } else { terms.iter().map(term).collect() };
        self.0.text(format_args!("{terms}>= {} ;\n", -i128::from(most)));
    }

    /// Ends the file.
    ///
    /// # Errors
    ///
    /// The first error of writing, or [`WriteError::Miscounted`].
    pub fn finish(self) -> Result<(), WriteError> {
        self.0.finish()
    }

    /// Writes a constraint. The left side is the sum of the literals, times `sign`; the right side is `bound`.
    /// `relation` is `=` or `>=`.
    fn constraint(&mut self, literals: &[Lit], sign: i64, relation: &str, bound: i64) {
        self.0.written += 1;
        let mut digits = itoa::Buffer::new();
        let mut right = bound;
        for literal in literals {
            let coefficient = if literal.is_pos() { sign } else { -sign };
            // The literal ¬x is written as 1 − x.
            right -= if literal.is_neg() { sign } else { 0 };
            self.0.bytes(if coefficient > 0 { b"+1 x" } else { b"-1 x" });
            self.0.bytes(digits.format(literal.vidx32() + 1).as_bytes());
            self.0.bytes(b" ");
        }
        if literals.is_empty() {
            // A sum needs at least one term.
            self.0.bytes(b"+0 x1 ");
        }
        self.0.bytes(relation.as_bytes());
        self.0.bytes(b" ");
        self.0.bytes(digits.format(right).as_bytes());
        self.0.bytes(b" ;\n");
    }
}

impl ClauseSink for OpbWriter<'_> {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        self.constraint(literals, 1, ">=", 1);
    }

    fn takes_bounds(&self) -> bool {
        true
    }

    fn bound(&mut self, bound: Bound, literals: &[Lit]) {
        match bound {
            Bound::ExactlyOne => self.constraint(literals, 1, "=", 1),
            Bound::ExactlyTwo => self.constraint(literals, 1, "=", 2),
            // Solvers accept only ≥ and =.
            Bound::AtMostOne => self.constraint(literals, -1, ">=", -1),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::formula::Formula;
    use hamcnf_graph::graph::{Graph, Vertex};
    use hamcnf_tours::instance::{Instance, TourKind};
    use rustsat::instances::Cnf;
    use rustsat::lit;

    fn written(formula: &Formula) -> String {
        let header = OpbHeader {
            comments: &["a\nb".to_owned()],
            constraints: constraints(formula),
            names: None,
            objective: None,
        };
        let mut file = Vec::new();
        let mut writer = OpbWriter::new(&mut file, &header);
        formula.emit(&mut writer);
        writer.finish().unwrap();
        String::from_utf8(file).unwrap()
    }

    /// A parsed constraint: coefficients with their variables; true for `=`, false for `>=`; and the right side.
    type Constraint = (Vec<(i64, u32)>, bool, i64);

    fn parsed(text: &str) -> (u32, Vec<Constraint>) {
        let mut lines = text.lines();
        let header: Vec<_> = lines.next().unwrap().split(' ').collect();
        let ["*", "#variable=", n, "#constraint=", m] = header[..] else {
            panic!("{header:?}");
        };
        let lines = lines.skip_while(|line| line.starts_with('*'));
        let constraint = |line: &str| {
            let words: Vec<_> = line.split(' ').collect();
            let (terms, [relation, right, ";"]) = words.split_at(words.len() - 3) else {
                panic!("{line}");
            };
            let term = |pair: &[&str]| {
                let variable = pair[1].strip_prefix('x').unwrap();
                (pair[0].parse().unwrap(), variable.parse().unwrap())
            };
            let terms = terms.chunks(2).map(term).collect();
            (terms, *relation == "=", right.parse().unwrap())
        };
        let all: Vec<_> = lines.map(constraint).collect();
        assert_eq!(all.len(), m.parse::<usize>().unwrap());
        (n.parse().unwrap(), all)
    }

    /// Returns the assignments of `n` variables for which `holds` is true, as bit masks restricted to the variables in
    /// `support`.
    fn models(n: u32, support: u64, holds: impl Fn(u64) -> bool) -> BTreeSet<u64> {
        assert!(n < 24, "{n}");
        let all = (0..1 << n).filter(|&model| holds(model));
        all.map(|model| model & support).collect()
    }

    #[test]
    fn models_are_those_of_the_clauses() {
        let square = [(0, 1), (1, 2), (2, 3), (3, 0)];
        for (edges, encoding, kind) in [
            (&square[..], "binary", TourKind::Closed),
            (&square, "binary", TourKind::Open),
            (&square, "successor+orientation=fixed", TourKind::Closed),
            (&square, "unary", TourKind::Closed),
            (&square, "direct", TourKind::Closed),
            (&square, "counting", TourKind::Closed),
            (&[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)], "relaxed", TourKind::Closed),
            (&[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)], "relaxed+two-cycles", TourKind::Open),
            (&[(0, 1), (1, 2), (2, 3), (3, 0), (0, 2), (1, 3)], "edges", TourKind::Closed),
            (&square, "edges", TourKind::Open),
            (&[(0, 1), (1, 2), (2, 3)], "binary", TourKind::Closed),
            (&[(0, 1), (1, 2), (2, 0), (0, 3), (3, 1)], "relaxed+at-most-one=ladder", TourKind::Closed),
        ] {
            let graph = Graph::from_edges(4, edges.iter().copied()).unwrap();
            let instance = Instance::on_graph("g", graph, kind, Vertex::new(0)).unwrap();
            let formula = Formula::new(encoding.parse().unwrap(), &instance).unwrap();
            let mut cnf = Cnf::new();
            formula.emit(&mut cnf);
            let clauses: Vec<Vec<(u32, bool)>> =
                cnf.iter().map(|clause| clause.iter().map(|l| (l.vidx32(), l.is_pos())).collect()).collect();
            let support = formula.support().fold(0, |set, var| set | 1u64 << var.idx32());
            let bit = |model: u64, v: u32| model >> v & 1 == 1;
            let of_clauses = models(formula.n_vars(), support, |model| {
                clauses.iter().all(|c| c.iter().any(|&(v, value)| bit(model, v) == value))
            });
            let text = written(&formula);
            let (n, all) = parsed(&text);
            let last = all.iter().flat_map(|(terms, ..)| terms).map(|term| term.1);
            assert_eq!(last.max(), Some(n), "{encoding}");
            let of_opb = models(n, support, |model| {
                all.iter().all(|(terms, equal, right)| {
                    let sum: i64 = terms.iter().map(|&(a, x)| a * i64::from(bit(model, x - 1))).sum();
                    if *equal { sum == *right } else { sum >= *right }
                })
            });
            assert_eq!(of_opb, of_clauses, "{encoding}: {text}");
            // Every vertex has two equations: it has one successor and one predecessor. In `edges` it has one equation,
            // for its two edges.
            let equations = all.iter().filter(|(_, equal, _)| *equal).count();
            let fewest = match encoding {
                "direct" => 0,
                "edges" => 4,
                _ => 8,
            };
            assert!(equations >= fewest, "{text}");
        }
    }

    #[test]
    fn constraints_are_written_over_variables() {
        let header = OpbHeader {
            comments: &["a\nb".to_owned()],
            constraints: Constraints { number: 4, variables: 3 },
            names: Some(&|var| format!("v{}", var.idx32())),
            objective: None,
        };
        let mut file = Vec::new();
        let mut writer = OpbWriter::new(&mut file, &header);
        writer.clause(&[lit![0], !lit![1], !lit![2]]);
        writer.clause(&[]);
        writer.bound(Bound::ExactlyOne, &[lit![0], !lit![1]]);
        writer.bound(Bound::AtMostOne, &[lit![0], lit![2], !lit![1]]);
        writer.finish().unwrap();
        assert_eq!(
            String::from_utf8(file).unwrap(),
            "* #variable= 3 #constraint= 4\n* a\n* b\n* varname 1 v0\n* varname 2 v1\n* varname 3 v2\n\
             +1 x1 -1 x2 -1 x3 >= -1 ;\n+0 x1 >= 1 ;\n+1 x1 -1 x2 = 0 ;\n-1 x1 -1 x3 +1 x2 >= 0 ;\n"
        );
        // Solvers minimize sums, and accept only ≥ and =.
        let terms = [(lit![0], 5), (lit![2], -3)];
        let header = OpbHeader {
            comments: &[],
            constraints: Constraints { number: 2, variables: 3 },
            names: None,
            objective: Some(&terms),
        };
        let mut file = Vec::new();
        let mut writer = OpbWriter::new(&mut file, &header);
        writer.at_most(&terms, -2);
        writer.at_most(&[], i64::MIN);
        writer.finish().unwrap();
        assert_eq!(
            String::from_utf8(file).unwrap(),
            "* #variable= 3 #constraint= 2\nmin: +5 x1 -3 x3 ;\n-5 x1 +3 x3 >= 2 ;\n+0 x1 >= 9223372036854775808 ;\n"
        );
        // The empty clause has a term, so the header must announce its variable.
        let mut empty = Constraints::default();
        empty.clause(&[]);
        assert_eq!(empty, Constraints { number: 1, variables: 1 });
        let error = OpbWriter::new(&mut Vec::new(), &header).finish().unwrap_err();
        assert!(matches!(error, WriteError::Miscounted { announced: 2, written: 0 }));
    }
}
