//! Questions: what is written is read as the same question.

use hamcnf::question::{self, Place, Question, StartWord, Words};

use super::is_large;

/// Any text.
pub fn questions(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if is_large(&text) {
        return;
    }
    drop(question::meant(&text));
    match text.parse::<Words>() {
        Ok(words) => {
            let written = words.to_string();
            assert_eq!(
                written.parse::<Words>().as_ref().ok(),
                Some(&words),
                "{written}"
            );
            // Files, and standard input, are not to be opened.
            if !matches!(words.place, Place::Graph(_)) {
                asked(words);
            }
        }
        Err(error) => {
            drop(error.to_string());
            // Queens are no words of tours.
            if let Some(n) = text.split(' ').next().filter(|_| text.contains("queen")) {
                assert!(n.len() < 1 << 12);
                if let Ok(question @ Question::Queens(_)) = text.parse::<Question>() {
                    is_read_again(&question);
                }
            }
        }
    }
}

fn asked(words: Words) {
    let anywhere = words.start == Some(StartWord::Anywhere);
    match words.tours() {
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
    let again: Question = written.parse().unwrap();
    assert_eq!(again.to_string(), written);
    assert_eq!(again.checksum(), question.checksum());
    assert_eq!(
        again.instance().map(|i| (i.graph(), i.start(), i.kind())),
        question
            .instance()
            .map(|i| (i.graph(), i.start(), i.kind())),
        "{written}"
    );
}
