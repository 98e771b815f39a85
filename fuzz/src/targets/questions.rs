//! Questions. Parsing a written question must return the same question.

use hamcnf::question::{self, Files, GraphSource, Question, QuestionSpec, StartSpec};

use super::is_large;

/// Fuzzes the parser of questions with arbitrary text.
pub fn questions(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if is_large(&text) {
        return;
    }
    let files = Files::default();
    drop(question::meant(&text, &files));
    drop(question::queens_in(&text));
    match QuestionSpec::settled(&text, &files) {
        Ok(spec) => {
            let written = spec.to_string();
            let again = QuestionSpec::settled(&written, &files);
            assert_eq!(again.as_ref().ok(), Some(&spec), "{written}");
            // The target must not open files or standard input.
            if !matches!(spec.source, GraphSource::Graph(_)) {
                asked(spec);
            }
        }
        Err(error) => {
            drop(error.to_string());
            // A question about queens is not a question about tours, so it is tested separately.
            if let Some(n) = text.split(' ').next().filter(|_| text.contains("queen")) {
                assert!(n.len() < 1 << 12);
                if let Ok(question @ Question::Queens(_)) = Question::load(&text) {
                    is_read_again(&question);
                }
            }
        }
    }
}

fn asked(spec: QuestionSpec) {
    let anywhere = spec.start == Some(StartSpec::Anywhere);
    match spec.load(&Files::default()) {
        Ok(tours) => {
            let question = Question::from(tours);
            assert!(!anywhere || question.to_string().contains("anywhere"));
            is_read_again(&question);
        }
        Err(error) => drop(error.to_string()),
    }
}

fn is_read_again(question: &Question) {
    let written = question.to_string();
    let again = Question::load(&written).unwrap();
    assert_eq!(again.to_string(), written);
    assert_eq!(again.checksum(), question.checksum());
    assert_eq!(
        again.instance().map(|i| (i.graph(), i.start(), i.kind())),
        question.instance().map(|i| (i.graph(), i.start(), i.kind())),
        "{written}"
    );
}
