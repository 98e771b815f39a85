//! Benchmarks of writing proofs that no tour exists.
//!
//! ```sh
//! cargo bench --bench proofs
//! ```
//!
//! Each question is answered three times: without a proof, with a DRAT proof and with an LRAT proof. The method uses
//! either lazy constraints or the clauses of an encoding. Proofs are written in binary form to the null device. The
//! ratio to the time without a proof is the cost of `--proof`.

use divan::Bencher;
use hamcnf::method::Method;
use hamcnf::proof::{Form, Steps, Target};
use hamcnf::question::Question;
use hamcnf::record::Status;
use hamcnf::run::Settings;

fn main() {
    divan::main();
}

const WAYS: [&str; 3] = ["alone", "drat", "lrat"];

fn refuted(bencher: Bencher<'_, '_>, question: &str, method: &str, way: &str) {
    let steps = (way != WAYS[0]).then(|| way.parse().expect("a form of proofs"));
    let question = Question::load(question).expect("a question");
    let method: Method = method.parse().expect("a method");
    let settings = Settings {
        proof: steps.map(|steps: Steps| Target {
            file: "/dev/null".into(),
            form: Form::Steps(steps),
            is_binary: true,
            formula: None,
        }),
        ..Settings::default()
    };
    bencher.bench_local(|| {
        let answered = method.answer(&question, &settings);
        let record = answered;
        assert_eq!(record.status, Status::NoTour, "{}", record.message);
    });
}

#[divan::bench(args = WAYS, sample_count = 10)]
fn cuts_of_flower_11(bencher: Bencher<'_, '_>, way: &str) {
    refuted(bencher, "flower:11", "lazy", way);
}

#[divan::bench(args = WAYS, sample_count = 10)]
fn cuts_of_petersen_41_2(bencher: Bencher<'_, '_>, way: &str) {
    refuted(bencher, "petersen:41:2", "lazy", way);
}

#[divan::bench(args = WAYS, sample_count = 10)]
fn precedence_of_petersen_35_2(bencher: Bencher<'_, '_>, way: &str) {
    refuted(bencher, "petersen:35:2", "precedence", way);
}
