//! Published claims about times, compared with the medians of runs.

use super::cells::Cell;
use super::median::Figure;
use crate::experiment::{Claim, On, Under};
use hamcnf_methods::method::Method;

/// Compares a claim with the medians of the cells. Returns the claim with the verdict and with the medians on which the
/// verdict rests, in words.
pub fn judge(claim: &Claim, cells: &[Cell<'_>]) -> String {
    let of = |method: &Method| cells.iter().filter(|cell| cell.method == *method).collect::<Vec<_>>();
    let (mut details, mut verdicts) = (Vec::new(), Vec::new());
    if let Some(Under { method, seconds }) = &claim.under {
        for cell in of(method) {
            let median = cell.solve_seconds();
            verdicts.push(median.and_then(|median| median.less_than(Figure::Is(*seconds))));
            details.push(match median {
                None => format!("{} no usable run", cell.question),
                Some(median) => format!("{} {median} s", cell.question),
            });
        }
    } else if let Some([first, second]) = &claim.faster {
        for one in of(first) {
            let Some(other) = of(second).into_iter().find(|other| other.question == one.question) else { continue };
            let medians = one.solve_seconds().zip(other.solve_seconds());
            let less = medians.and_then(|(a, b)| a.less_than(b));
            verdicts.push(less);
            let sign = match less {
                Some(true) => "less than",
                Some(false) => "not less than",
                None => "and",
            };
            details.push(match medians {
                None => format!("{} no usable run", one.question),
                Some((a, b)) => format!("{} {a} {sign} {b} s", one.question),
            });
        }
    }
    let count = |less| verdicts.iter().filter(|verdict| **verdict == Some(less)).count();
    let (holds, fails, questions) = (count(true), count(false), verdicts.len());
    let (reproduced, refuted) = match claim.on {
        On::All => (questions > 0 && holds == questions, fails > 0),
        On::Most => (2 * holds > questions, questions > 0 && 2 * fails >= questions),
    };
    let verdict = match (reproduced, refuted) {
        (true, _) => "Reproduced",
        (_, true) => "**Did not reproduce**",
        _ => "**Not decided**",
    };
    format!("{} {verdict} (medians): {}.", claim.says.trim(), details.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::cells::cells;
    use hamcnf_graph::limits::Limits;
    use hamcnf_methods::record::{Record, Status};

    /// Returns a row with this solve time. `None` gives the row of a run that reached its limit of 60 s.
    fn row(question: &str, method: &str, seconds: Option<f64>) -> Record {
        let mut record = Record::new(question, "", &named(method), 0, &Limits::default());
        record.status = if seconds.is_some() { Status::Tour } else { Status::Timeout };
        record.solve_seconds = Some(seconds.unwrap_or(60.0));
        record
    }

    fn named(method: &str) -> Method {
        method.parse().unwrap()
    }

    fn said(claim: &Claim, rows: &[Record]) -> String {
        judge(claim, &cells(rows, |_| false))
    }

    #[test]
    fn claims_are_judged_question_by_question() {
        let claim = |under: Option<f64>| Claim {
            says: "So.".to_owned(),
            under: under.map(|seconds| Under { method: named("binary"), seconds }),
            faster: under.is_none().then(|| [named("binary"), named("unary")]),
            on: if under.is_some() { On::All } else { On::Most },
        };
        let (fast, slow, late) = (Some(1.0), Some(3.0), None);
        let two = |binary, unary| [row("6x6", "binary", binary), row("6x6", "unary", unary)];
        let verdict = |claim: &Claim, binary, unary| said(claim, &two(binary, unary));
        assert_eq!(verdict(&claim(None), fast, slow), "So. Reproduced (medians): 6x6 1.00 less than 3.00 s.");
        assert!(verdict(&claim(None), slow, fast).starts_with("So. **Did not reproduce**"));
        assert!(verdict(&claim(None), late, late).starts_with("So. **Not decided**"));
        assert!(verdict(&claim(Some(2.0)), fast, late).starts_with("So. Reproduced"));
        assert!(verdict(&claim(Some(2.0)), late, fast).starts_with("So. **Did not reproduce**"));
        // Two questions are decided in opposite ways and one is undecided: no majority.
        let mut rows = two(fast, slow).to_vec();
        rows.extend([row("8x8", "unary", fast), row("8x8", "binary", slow)]);
        rows.extend([row("9x9", "binary", late), row("9x9", "unary", late)]);
        assert!(said(&claim(None), &rows).starts_with("So. **Not decided**"));
        // A majority of the questions is not all questions.
        for question in ["5x5", "4x4"] {
            rows.extend([row(question, "unary", slow), row(question, "binary", fast)]);
        }
        assert!(said(&claim(None), &rows).starts_with("So. Reproduced"));
        let on_all = Claim { on: On::All, ..claim(None) };
        assert!(said(&on_all, &rows).starts_with("So. **Did not reproduce**"));
    }
}
