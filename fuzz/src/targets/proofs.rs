//! DIMACS formulas with proofs that they have no model. No checker may accept a proof for a formula that has a model,
//! whatever the bytes are. An input is a formula, a line `%`, and a proof, which is read in every format. An input
//! without the line `%` is read as a certificate for graphs that have tours, and must be rejected.

use hamcnf::check::certificate::{Asked, Limits, Reading, check};
use hamcnf::check::{CuttingPlanes, Drat, Lrat, Syntax, read_dimacs};
use hamcnf::endpoints::Endpoints;
use hamcnf::{ClauseSink, Family, Graph, Instance, Named, TourKind, Vertex};
use rustsat::types::Lit;

/// Maximum number of variables of a formula for which all assignments are tried.
const MOST: u32 = 10;

/// Fuzzes the checkers of proofs with arbitrary bytes.
pub fn proofs(bytes: &[u8]) {
    const BETWEEN: &[u8] = b"\n%\n";
    let between = bytes.windows(BETWEEN.len()).position(|part| part == BETWEEN);
    let (formula, proof) = match between {
        Some(at) => (&bytes[..=at], &bytes[at + BETWEEN.len()..]),
        None => return certificates(bytes),
    };
    let mut clauses = Clauses(Vec::new());
    let variables = match read_dimacs(formula, &mut clauses) {
        Ok(variables) => variables,
        Err(error) => return drop(error.to_string()),
    };
    let has_model = variables <= MOST && clauses.has_model(variables);
    let _ = Syntax::of(proof);
    let mut planes = CuttingPlanes::default();
    read_dimacs(formula, &mut planes).unwrap();
    match planes.check(proof, &|| false) {
        Ok(checked) => assert!(!has_model, "{checked:?}"),
        Err(error) => drop(error.to_string()),
    }
    for &syntax in Syntax::ALL {
        let (mut drat, mut lrat) = (Drat::default(), Lrat::default());
        read_dimacs(formula, &mut drat).unwrap();
        read_dimacs(formula, &mut lrat).unwrap();
        for checked in [drat.check(proof, syntax, &|| false), lrat.check(proof, syntax, &|| false)] {
            match checked {
                Ok(checked) => assert!(!has_model, "{checked:?}"),
                Err(error) => drop(error.to_string()),
            }
        }
    }
}

/// Checks that no certificate is accepted for a graph with tours of all kinds: a cycle of five vertices with a chord.
fn certificates(bytes: &[u8]) {
    let edges = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2)];
    let graph = Graph::from_edges(5, edges).unwrap();
    let first = Vertex::new(0);
    let open = |from, to| Endpoints::Open { from, to };
    for (kind, ends) in [
        (TourKind::Closed, Endpoints::Closed),
        (TourKind::Open, open(Some(first), None)),
        (TourKind::Open, open(None, None)),
        (TourKind::Open, open(Some(first), Some(Vertex::new(1)))),
    ] {
        let instance = Instance::on_graph("five", graph.clone(), kind, first).unwrap();
        let asked = Asked::new("five", &instance, ends);
        let reason = match Reading::begin(bytes).and_then(|reading| reading.reason(&asked)) {
            Ok(reason) => reason,
            Err(error) => {
                drop(error.to_string());
                continue;
            }
        };
        match check(&asked, &reason, &Limits::default()) {
            Ok(verified) => panic!("there is a tour: {verified}"),
            Err(error) => drop(error.to_string()),
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
