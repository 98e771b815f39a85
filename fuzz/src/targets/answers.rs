//! Answers of SAT solvers and other programs. An answer contains a model or an order of the vertices.

use hamcnf::answer;
use hamcnf::engine;
use rustsat::types::Var;

const VARIABLES: u32 = 20;

/// Fuzzes the parser of answers with arbitrary bytes. Parsing a written answer must return the same answer.
pub fn answers(bytes: &[u8]) {
    for needed in [0, 3, VARIABLES] {
        let needed = || (0..needed).map(Var::new);
        match answer::read(bytes, VARIABLES, needed()) {
            Ok(answer) => {
                let mut text = Vec::new();
                answer::write(&mut text, &answer, VARIABLES).unwrap();
                let again = answer::read(&text[..], VARIABLES, needed()).unwrap();
                assert_eq!(again, answer);
            }
            Err(error) => drop(error.to_string()),
        }
    }
    let _ = engine::order_in(&String::from_utf8_lossy(bytes));
}
