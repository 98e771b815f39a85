//! The report of a decision experiment: a table of medians over seeds, and the claims of papers.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use hamcnf_encodings::Named;

use super::median::{Figure, Median, seconds};
use super::{Report, Results, front, row, said, table};
use crate::harness::experiment::Experiment;
use crate::harness::plan::decision::{Bound, Claim, DecisionPlan, Expect, On};
use hamcnf_methods::machine::Machine;
use hamcnf_methods::method::{Class, Method};
use hamcnf_methods::question::Question;
use hamcnf_methods::record::{Record, Statistics, Status};

/// What is wrong with a record, if anything: that the run failed, or an answer that cannot be.
fn verdict(record: &Record, expect: Expect) -> Option<&'static str> {
    match (record.status, expect) {
        (Status::Failed, _) => Some("failed"),
        (Status::Refused, _) => Some("was refused"),
        (Status::Tour, Expect::NoTour) => Some("found a tour, where none was expected"),
        (Status::NoTour, Expect::Tour) => {
            Some("says that there is no tour, where one was expected")
        }
        _ => None,
    }
}

/// The runs of one cell that can be counted on: those that failed or gave an answer that cannot be are
/// left out.
struct Group<'a> {
    question: &'a Question,
    method: &'a Method,
    runs: usize,
    records: Vec<&'a Record>,
}

impl<'a> Group<'a> {
    fn all(plan: &'a DecisionPlan, results: &'a Results) -> Vec<Self> {
        let group = |(question, method): (&'a Question, &'a Method)| {
            let all = results.of(&plan.jobs_of(question, method));
            let runs = all.len();
            let is_right = |record: &&Record| verdict(record, plan.expect).is_none();
            Self {
                question,
                method,
                runs,
                records: all.into_iter().filter(is_right).collect(),
            }
        };
        plan.cells().map(group).collect()
    }

    fn solved(&self) -> usize {
        let solved = self
            .records
            .iter()
            .filter(|record| record.status.is_answer());
        solved.count()
    }

    /// How many different searches the runs made, told apart by their counters.
    fn searches(&self) -> usize {
        let counter = |effort: &Statistics, name| effort.get::<u64>(name);
        let counters = self.records.iter().map(|r| {
            ["conflicts", "decisions", "propagations"].map(|name| counter(&r.effort, name))
        });
        counters.collect::<BTreeSet<_>>().len()
    }

    fn figures(&self, figure: impl Fn(&Record) -> Option<f64>) -> Vec<Figure> {
        let one = |record: &&Record| Figure::of(record, figure(record));
        self.records.iter().map(one).collect()
    }

    fn median(&self, figure: impl Fn(&Record) -> Option<f64>) -> Median {
        Median::of(&self.figures(figure))
    }

    fn counter(&self, name: &str) -> Median {
        self.median(|record| record.effort.get(name))
    }

    fn median_seconds(&self) -> Median {
        self.median(solve_seconds)
    }

    /// The least and the greatest time.
    fn range(&self) -> String {
        let times = self.figures(solve_seconds);
        let censored = times
            .iter()
            .any(|figure| matches!(figure, Figure::Exceeds(_)));
        let least = times.iter().min_by(|a, b| a.value().total_cmp(&b.value()));
        let most = times.iter().map(|figure| figure.value()).reduce(f64::max);
        match (least, most) {
            (Some(Figure::Exceeds(least)), _) => format!("≥ {}", seconds(*least)),
            (Some(least), Some(most)) => {
                let open = if censored { "≥ " } else { "" };
                let (least, most) = (seconds(least.value()), format!("{open}{}", seconds(most)));
                if least == most {
                    least
                } else {
                    format!("{least} to {most}")
                }
            }
            _ => "no runs".to_owned(),
        }
    }

    fn line(&self) -> Vec<String> {
        let whole = |value: f64| format!("{value:.0}");
        let mut line = row([
            &self.question.to_string(),
            &self.method.to_string(),
            &format!("{}/{}", self.solved(), self.runs),
        ]);
        let encode = self.records.iter().map(|r| Figure::encode_seconds(r));
        let encode = match Median::of(&encode.collect::<Vec<_>>()) {
            // Nothing is known.
            Median::AtLeast(0.0) | Median::Unknown => String::new(),
            known => known.to_string(),
        };
        let times = [self.median_seconds().to_string(), self.range()];
        // A search has no clauses, and a solver no nodes.
        let (searches, effort) = match self.method.class() {
            Class::Search => {
                let nodes = self.counter("nodes").show(whole);
                (
                    String::new(),
                    [String::new(), String::new(), String::new(), nodes],
                )
            }
            Class::Program | Class::Solver => (String::new(), Default::default()),
            _ => {
                let millions = |value: f64| format!("{:.1}", value / 1e6);
                let effort = [
                    encode,
                    self.counter("conflicts").show(whole),
                    self.counter("ticks").show(millions),
                    String::new(),
                ];
                (self.searches().to_string(), effort)
            }
        };
        line.push(searches);
        line.extend(times);
        line.extend(effort);
        let peak = self.records.iter().filter_map(|r| r.peak_rss_kib).max();
        line.push(peak.map_or_else(String::new, |kib| whole(kib as f64 / 1024.0)));
        line
    }

    /// How runs ended that neither answered nor came to their time limit, in words.
    fn other_ends(&self) -> Option<String> {
        let mut ends: BTreeMap<Status, usize> = BTreeMap::new();
        for record in &self.records {
            if !record.status.is_answer() && record.status != Status::Timeout {
                *ends.entry(record.status).or_default() += 1;
            }
        }
        let said = |(&status, &runs): (&Status, &usize)| {
            let how = match status {
                Status::Memout => "at the memory limit",
                Status::ConflictLimit => "at the conflict limit",
                Status::GaveUp => "by giving up",
                other => other.as_str(),
            };
            format!("{runs} of {} ended {how}", self.runs)
        };
        let said: Vec<_> = ends.iter().map(said).collect();
        (!said.is_empty()).then(|| {
            let (question, method) = (self.question, self.method);
            format!("{question}, {method}: {}.", said.join(", "))
        })
    }
}

/// CPU seconds in the solver; of a run that was ended in its middle all that it had, and else its wall time.
fn solve_seconds(record: &Record) -> Option<f64> {
    let whole = record.cpu_seconds.or(record.wall_seconds);
    record.solve_seconds.or(whole)
}

/// The report.
#[must_use]
pub(super) fn report(
    experiment: &Experiment,
    plan: &DecisionPlan,
    results: &Results,
    machine: &Machine,
) -> Report {
    let groups = Group::all(plan, results);
    let mut lines = vec![row([
        "board",
        "method",
        "solved",
        "searches",
        "median s",
        "range s",
        "encode s",
        "conflicts",
        "ticks / 10⁶",
        "nodes",
        "peak MiB",
    ])];
    lines.extend(groups.iter().map(Group::line));
    let mut text = front(experiment, &plan.heading, machine);
    let _ = write!(
        text,
        "\nEvery cell is run with {} seeds, each time in a process of its own with {} for encoding and solving. Seconds \
         are CPU seconds in the solver, encoding apart. A run that timed out took longer than what it had used by then, \
         written as ≥. Every tour was checked move by move. `searches` is how many of the runs differ{}.{}\n\n{}",
        plan.seeds.len(),
        said(&plan.limits),
        if plan.relabel {
            ": every seed but 0 puts the vertices, and so the variables and clauses of an encoding, in another random \
             order"
        } else {
            ": CaDiCaL does not look at its seed before its first local search, so easy formulas are searched alike \
             with every seed"
        },
        if plan.methods.iter().any(Method::is_search) {
            " The searches have no clauses: `nodes` are the vertices that they put on a path, and their \
             seconds are wall seconds; backtracking does not look at the seed. A search that gave up at its limit on \
             restarts counts as one that took longer, too."
        } else {
            ""
        },
        table(lines, 2)
    );
    let ends: Vec<_> = groups.iter().filter_map(Group::other_ends).collect();
    if !ends.is_empty() {
        text += "\nNot all that has no answer timed out; what they had used by then is a lower bound too:\n\n";
        for end in ends {
            let _ = writeln!(text, "- {end}");
        }
    }
    let mut faults = Vec::new();
    for record in results.of(&plan.jobs()) {
        if let Some(fault) = verdict(record, plan.expect) {
            let run = format!(
                "{}, {}, seed {}",
                record.question, record.method, record.seed
            );
            let _ = write!(text, "\n**{run} {fault}** and is left out.\n");
            // That a program is not there, or not for such tours, is no wrong answer.
            if record.status != Status::Refused {
                faults.push(format!("{run} {fault}"));
            }
        }
    }
    if !plan.claims.is_empty() {
        text += "\n## What was published, and what came out here\n\n";
        for claim in &plan.claims {
            let _ = writeln!(text, "- {}", judged(claim, &groups));
        }
    }
    Report { text, faults }
}

/// A claim with the verdict of the groups that it is about.
fn judged(claim: &Claim, groups: &[Group<'_>]) -> String {
    let of = |method: &Method| {
        let method = method.clone();
        groups.iter().filter(move |group| *group.method == method)
    };
    let mut details = Vec::new();
    let (mut holds, mut fails, mut boards) = (0, 0, 0);
    let mut count = |less: Option<bool>| {
        boards += 1;
        holds += usize::from(less == Some(true));
        fails += usize::from(less == Some(false));
    };
    match &claim.bound {
        Bound::Under(method, seconds) => {
            for group in of(method) {
                let median = group.median_seconds();
                count(median.less_than(Median::At(*seconds)));
                details.push(format!("{} {median} s", group.question));
            }
        }
        Bound::Faster(first, second) => {
            for one in of(first) {
                let same_board = |other: &&Group<'_>| other.question == one.question;
                let Some(other) = of(second).find(same_board) else {
                    continue;
                };
                let (a, b) = (one.median_seconds(), other.median_seconds());
                let less = a.less_than(b);
                count(less);
                let sign = match less {
                    Some(true) => "less than",
                    Some(false) => "not less than",
                    None => "and",
                };
                details.push(format!("{} {a} {sign} {b} s", one.question));
            }
        }
    }
    let (reproduced, refuted) = match claim.on {
        On::All => (boards > 0 && holds == boards, fails > 0),
        On::Most => (2 * holds > boards, boards > 0 && 2 * fails >= boards),
    };
    let verdict = match (reproduced, refuted) {
        (true, _) => "Reproduced",
        (_, true) => "**Did not reproduce**",
        _ => "**Not decided**",
    };
    format!(
        "{} {verdict} (medians): {}.",
        claim.says.trim(),
        details.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_engines::limits::Limits;

    fn record(status: Status, solve_seconds: f64) -> Record {
        let method = "binary".parse().unwrap();
        let mut record = Record::new("6x6", "", &method, 0, &Limits::default());
        (record.status, record.solve_seconds) = (status, Some(solve_seconds));
        record
    }

    /// What groups are about.
    struct About(Vec<(Question, Method)>);

    impl About {
        fn new(cells: &[(&str, &str)]) -> Self {
            let read = |(q, m): &(&str, &str)| (q.parse().unwrap(), m.parse().unwrap());
            Self(cells.iter().map(read).collect())
        }

        /// Groups of these records each.
        fn groups<'a>(&'a self, records: &[&'a [Record]]) -> Vec<Group<'a>> {
            let cells = self.0.iter().zip(records);
            let group =
                |((question, method), records): (&'a (Question, Method), &&'a [Record])| Group {
                    question,
                    method,
                    runs: records.len(),
                    records: records.iter().collect(),
                };
            cells.map(group).collect()
        }
    }

    #[test]
    fn a_range_is_open_where_a_run_was_censored() {
        let about = About::new(&[("6x6", "binary")]);
        let range = |records: &[Record]| about.groups(&[records])[0].range();
        let (tour, late) = (|s| record(Status::Tour, s), |s| record(Status::Timeout, s));
        assert_eq!(range(&[tour(1.0), tour(3.0)]), "1.00 to 3.00");
        assert_eq!(
            range(&[tour(1.0), tour(59.5), late(57.0)]),
            "1.00 to ≥ 59.5"
        );
        assert_eq!(range(&[tour(3.0), late(2.0)]), "≥ 2.00");
        assert_eq!(range(&[]), "no runs");
    }

    #[test]
    fn what_else_ended_a_run_is_said_and_what_is_not_known_is_left_out() {
        let about = About::new(&[("6x6", "binary")]);
        let encoded = |status, encode: Option<f64>, decisions: Option<u64>| {
            let mut record = record(status, 1.0);
            record.encode_seconds = encode;
            if let Some(decisions) = decisions {
                record.effort.set("conflicts", 0);
                record.effort.set("decisions", decisions);
            }
            record
        };
        let records = [
            record(Status::Memout, 1.0),
            record(Status::Memout, 2.0),
            record(Status::ConflictLimit, 3.0),
            record(Status::Timeout, 4.0),
            record(Status::Tour, 0.5),
        ];
        let group = &about.groups(&[&records])[0];
        assert_eq!(
            group.other_ends().as_deref(),
            Some(
                "6x6, binary: 2 of 5 ended at the memory limit, 1 of 5 ended at the conflict limit."
            )
        );
        assert_eq!(group.line().last().map(String::as_str), Some(""));
        let encode = |record: Record| Figure::encode_seconds(&record);
        assert_eq!(
            encode(encoded(Status::Timeout, Some(2.0), Some(7))),
            Figure::Is(2.0)
        );
        assert_eq!(
            encode(encoded(Status::Timeout, Some(2.0), None)),
            Figure::Is(2.0)
        );
        assert_eq!(
            encode(encoded(Status::Timeout, Some(2.0), Some(0))),
            Figure::Exceeds(2.0)
        );
        assert_eq!(
            encode(encoded(Status::Memout, None, None)),
            Figure::Exceeds(0.0)
        );
    }

    #[test]
    fn claims_are_judged_board_by_board() {
        let (fast, slow) = ([record(Status::Tour, 1.0)], [record(Status::Tour, 3.0)]);
        let late = [record(Status::Timeout, 60.0)];
        let method = |name: &str| name.parse::<Method>().unwrap();
        let claim = |under: Option<f64>| Claim {
            says: "So.".to_owned(),
            bound: match under {
                Some(seconds) => Bound::Under(method("binary"), seconds),
                None => Bound::Faster(method("binary"), method("unary")),
            },
            on: if under.is_some() { On::All } else { On::Most },
        };
        let mut cells = vec![("6x6", "binary"), ("6x6", "unary")];
        let two = About::new(&cells);
        let verdict = |claim: &Claim, binary: &[Record], unary: &[Record]| {
            judged(claim, &two.groups(&[binary, unary]))
        };
        assert_eq!(
            verdict(&claim(None), &fast, &slow),
            "So. Reproduced (medians): 6x6 1.00 less than 3.00 s."
        );
        assert!(verdict(&claim(None), &slow, &fast).starts_with("So. **Did not reproduce**"));
        assert!(verdict(&claim(None), &late, &late).starts_with("So. **Not decided**"));
        assert!(verdict(&claim(Some(2.0)), &fast, &late).starts_with("So. Reproduced"));
        assert!(verdict(&claim(Some(2.0)), &late, &fast).starts_with("So. **Did not reproduce**"));
        // Two boards decided, one each way, and one not: no majority. Boards are matched by name.
        cells.extend([
            ("8x8", "unary"),
            ("8x8", "binary"),
            ("9x9", "binary"),
            ("9x9", "unary"),
        ]);
        let mut records: Vec<&[Record]> = vec![&fast, &slow, &fast, &slow, &late, &late];
        let three = About::new(&cells);
        assert!(judged(&claim(None), &three.groups(&records)).starts_with("So. **Not decided**"));
        // On most boards is not on all.
        cells.extend([
            ("5x5", "unary"),
            ("5x5", "binary"),
            ("4x4", "unary"),
            ("4x4", "binary"),
        ]);
        records.extend([&slow[..], &fast[..], &slow[..], &fast[..]]);
        let five = About::new(&cells);
        assert!(judged(&claim(None), &five.groups(&records)).starts_with("So. Reproduced"));
        let on_all = Claim {
            on: On::All,
            ..claim(None)
        };
        let said = judged(&on_all, &five.groups(&records));
        assert!(said.starts_with("So. **Did not reproduce**"));
    }
}
