//! DIMACS files with comments that ask for a circuit.

use hamcnf::Clauses;
use hamcnf::question::ModelFile;

/// Fuzzes the reader of models with arbitrary bytes. A model that is read can be encoded, unless it is refused with a reason,
/// and its assignments can be read. The clause that blocks an answer is false for the answer.
pub fn models(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let Some(Ok(file)) = ModelFile::read(&text) else { return };
    let circuit = &file.model.circuit;
    for all in [false, true] {
        if circuit.read(|literal| literal.is_pos() == all).is_ok() {
            let blocking = circuit.blocking(|literal| literal.is_pos() == all);
            assert!(blocking.iter().all(|literal| literal.is_pos() != all), "{blocking:?}");
        }
    }
    if circuit.n_vertices() > 20 || file.model.n_vars > 1000 {
        return;
    }
    for encoding in ["successor", "unary", "precedence", "relaxed", "edges"] {
        let encoding = encoding.parse().expect("the base is built in");
        match file.model.clone().encode(&encoding) {
            Ok(formula) => assert!(formula.n_vars() >= file.model.n_vars),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}
