//! Texts with several graphs: a command answers a question about each of them, in order, and prints a JSON object per line.

use std::process::ExitCode;

use anyhow::bail;
use hamcnf::question::{Files, QuestionSpec};

use super::exit::{BAD_INPUT, DONE, UNKNOWN, WITHOUT_PROOF};
use super::interrupt::is_interrupted;

/// Questions about the graphs of a text.
pub(super) type Questions = Box<dyn Iterator<Item = anyhow::Result<QuestionSpec>>>;

/// Returns a question about each graph of the specification's text; `None` if the text does not have several graphs.
pub(super) fn questions(spec: &QuestionSpec, files: &Files) -> anyhow::Result<Option<Questions>> {
    let Some(graphs) = spec.source.several(files)? else {
        return Ok(None);
    };
    let spec = spec.clone();
    let questions = graphs.map(move |source| {
        Ok(QuestionSpec {
            source: source?,
            ..spec.clone()
        })
    });
    Ok(Some(Box::new(questions)))
}

/// Returns an error for the first of these options that is given, because they apply to one graph only.
pub(super) fn only_for_one(options: &[(bool, &str)]) -> anyhow::Result<()> {
    match options.iter().find(|(is_given, _)| *is_given) {
        Some((_, option)) => bail!(
            "{option} is for one graph: name one board of a range, or choose a graph of a file with --graph-number 1 or with '#1' after the file name"
        ),
        None => Ok(()),
    }
}

/// Answers the questions. The exit code is 0 if all answers are known.
pub(super) fn each(
    questions: Questions,
    mut answer: impl FnMut(QuestionSpec) -> anyhow::Result<ExitCode>,
) -> anyhow::Result<ExitCode> {
    // From bad to worst.
    let codes = [DONE, UNKNOWN, WITHOUT_PROOF, BAD_INPUT].map(ExitCode::from);
    let mut worst = 0;
    for question in questions {
        let code = answer(question?)?;
        worst = worst.max(codes.iter().position(|&other| other == code).unwrap_or(0));
        if is_interrupted() {
            break;
        }
    }
    Ok(codes[worst])
}
