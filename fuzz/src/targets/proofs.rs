//! Formulas in DIMACS files with proofs that they have no model: whatever the bytes, a formula that has one is never
//! proved to have none. An input is a file, a line `%`, and a proof, which is read in every way.

use hamcnf::check::{Drat, Lrat, Syntax, read_dimacs};
use hamcnf::{ClauseSink, Family, Named};
use rustsat::types::Lit;

/// A formula of no more variables is held against all of their values.
const MOST: u32 = 10;

/// Any bytes.
pub fn proofs(bytes: &[u8]) {
    const BETWEEN: &[u8] = b"\n%\n";
    let between = bytes
        .windows(BETWEEN.len())
        .position(|part| part == BETWEEN);
    let (formula, proof) = match between {
        Some(at) => (&bytes[..=at], &bytes[at + BETWEEN.len()..]),
        None => (bytes, &b"0\n"[..]),
    };
    let mut clauses = Clauses(Vec::new());
    let variables = match read_dimacs(formula, &mut clauses) {
        Ok(variables) => variables,
        Err(error) => return drop(error.to_string()),
    };
    let has_model = variables <= MOST && clauses.has_model(variables);
    let _ = Syntax::of(proof);
    for &syntax in Syntax::ALL {
        let (mut drat, mut lrat) = (Drat::default(), Lrat::default());
        read_dimacs(formula, &mut drat).unwrap();
        read_dimacs(formula, &mut lrat).unwrap();
        for checked in [
            drat.check(proof, syntax, &|| false),
            lrat.check(proof, syntax, &|| false),
        ] {
            match checked {
                Ok(checked) => assert!(!has_model, "{checked:?}"),
                Err(error) => drop(error.to_string()),
            }
        }
    }
}

struct Clauses(Vec<Vec<Lit>>);

impl ClauseSink for Clauses {
    fn family(&mut self, _: Family) {}

    fn clause(&mut self, literals: &[Lit]) {
        self.0.push(literals.to_vec());
    }
}

impl Clauses {
    fn has_model(&self, variables: u32) -> bool {
        let holds = |values: u32, lit: &Lit| (values >> lit.vidx32() & 1 == 1) == lit.is_pos();
        (0..1u32 << variables).any(|values| {
            let mut clauses = self.0.iter();
            clauses.all(|clause| clause.iter().any(|lit| holds(values, lit)))
        })
    }
}
