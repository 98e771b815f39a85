//! Figures in the READMEs follow from the committed rows. README's section "Results" is `experiments/figures.md`, and
//! `results/README.md` is `experiments/figures-results.md`, with these placeholders:
//!
//! - `{median conflicts: peers; 8x8; auto}` is a figure: the median of the conflicts in the rows of the experiment
//!   `peers` with this question and method. The question (`peers;; auto`) and the method may be left out, and so may the
//!   measure, which is then CPU time. Further words are `seed=…`, `status=…`, `digits=…`, `unit=…`, the number that is
//!   written as 1, and `letters`, which writes `three`. ` / ` divides two figures.
//! - `{=957}` is a number from elsewhere, such as a paper or a parameter. All other numbers are reported.
//!
//! Digits in code, in targets of links, and in names such as 8×8 and Z3 are not numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};

use hamcnf::harness::rows::read_rows;
use hamcnf::method::Method;
use hamcnf::named;
use hamcnf::record::{Number, Record, Status};
use hamcnf::report::measure::Measure;
use hamcnf::report::median::Figure;
use hamcnf::report::standing::Standing;

/// Statistic of a set of rows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Statistic {
    Rows,
    /// Number of rows that were not refused. A run is refused, for example, if a program is missing.
    Asked,
    Answered,
    /// Answer that all solved rows have in common.
    Answer,
    /// Value of the measure in the only row.
    Value,
    Least,
    Greatest,
    Median,
    GeometricMean,
    /// Time limit in seconds, which must be equal in all rows.
    Limit,
}

named!(Statistic, "statistic", {
    Rows => "rows",
    Asked => "asked",
    Answered => "answered",
    Answer => "answer",
    Value => "value",
    Least => "least",
    Greatest => "greatest",
    Median => "median",
    GeometricMean => "geometric-mean",
    Limit => "limit",
});

/// Rows of experiments, each read once.
struct Results {
    folder: PathBuf,
    rows: BTreeMap<String, Vec<Record>>,
}

impl Results {
    fn rows(&mut self, name: &str) -> Result<Vec<Record>, String> {
        if !self.rows.contains_key(name) {
            let file = self.folder.join(format!("{name}.csv"));
            let text = fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
            self.rows.insert(name.to_owned(), read_rows(&text).map_err(|error| error.to_string())?);
        }
        Ok(self.rows[name].clone())
    }
}

/// Returns the figure that a placeholder stands for.
fn figure(placeholder: &str, results: &mut Results) -> Result<String, String> {
    let (mut digits, mut unit, mut letters) = (None, None, false);
    let mut numbers = Vec::new();
    for part in placeholder.split(" / ") {
        let (take, rows) = part.split_once(": ").ok_or("write STATISTIC: ROWS")?;
        let (take, of) = take.split_once(' ').map_or((take, None), |(take, of)| (take, Some(of)));
        let take: Statistic = read(take)?;
        let measure: Measure = of.map_or(Ok(Measure::default()), read)?;
        let mut words = rows.split(';').map(str::trim);
        let mut rows = results.rows(words.next().unwrap_or_default())?;
        for (k, word) in words.enumerate() {
            match word.split_once('=') {
                _ if word == "letters" => letters = true,
                Some(("digits", number)) => digits = Some(read::<usize>(number)?),
                Some(("unit", number)) => unit = Some(read::<f64>(number)?),
                Some(("seed", seed)) => rows.retain(|row| seed == row.asked.seed.to_string()),
                Some(("status", status)) => {
                    let status: Status = read(status)?;
                    rows.retain(|row| row.status == status);
                }
                _ if k == 0 => rows.retain(|row| word.is_empty() || row.asked.question == word),
                _ => {
                    // A vertex order that depends on the row's seed may be left out.
                    let method: Method = read(word)?;
                    rows.retain(|row| {
                        row.asked.method == method || row.asked.method.without_order_of(row.asked.seed) == method
                    });
                }
            }
        }
        numbers.push(statistic(take, &measure, &rows)?);
    }
    let number = match &numbers[..] {
        [Number::Whole(a), Number::Whole(b)] if unit.is_none() && a % b == 0u32.into() => Number::Whole(a / b),
        [a, b] => Number::Real(a.as_f64() / b.as_f64()),
        _ => numbers.remove(0),
    };
    let number = unit.map_or(number.clone(), |unit| Number::Real(number.as_f64() / unit));
    let text = match (&number, digits) {
        (Number::Whole(whole), None) => whole.to_string(),
        (number, digits) => rounded(number.as_f64(), digits.unwrap_or(2).max(1)),
    };
    const LETTERS: [&str; 13] =
        ["none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
    let word = || text.parse().ok().and_then(|number: usize| LETTERS.get(number)).map(ToString::to_string);
    if letters { word().ok_or_else(|| format!("{text} is not written in letters")) } else { Ok(text) }
}

fn read<T: std::str::FromStr<Err: ToString>>(word: &str) -> Result<T, String> {
    word.parse().map_err(|error: T::Err| error.to_string())
}

fn statistic(take: Statistic, measure: &Measure, rows: &[Record]) -> Result<Number, String> {
    let standing = Standing(rows.iter().map(|row| measure.run(row)).collect());
    let whole = |value: f64| match value.fract() == 0.0 && (0.0..9e15).contains(&value) {
        true => Number::from(value as u64),
        false => Number::Real(value),
    };
    if rows.is_empty() {
        return Err("there are no such rows".to_owned());
    }
    let mut figures = Vec::new();
    match take {
        Statistic::Rows => return Ok(rows.len().into()),
        Statistic::Asked => return Ok(standing.asked().into()),
        Statistic::Answered => return Ok(standing.times().len().into()),
        Statistic::GeometricMean => {
            let mean = standing.geometric_mean(measure.floor()).filter(|mean| mean.is_finite());
            return mean.map(Number::Real).ok_or("they have no mean".to_owned());
        }
        Statistic::Answer => {
            let numbers: BTreeSet<_> = rows.iter().filter_map(Record::whole).collect();
            return match numbers.first() {
                Some(&one) if numbers.len() == 1 => Ok(one.into()),
                Some(_) => Err("they have come to different numbers".to_owned()),
                None => Err("none of them has a number".to_owned()),
            };
        }
        Statistic::Limit => {
            let limits: BTreeSet<_> =
                rows.iter().filter_map(|row| measure.limit(row)).map(|limit| limit.to_string()).collect();
            return match limits.first() {
                Some(one) if limits.len() == 1 => read(one).map(whole),
                _ => Err("their limits differ".to_owned()),
            };
        }
        Statistic::Value if rows.len() > 1 => return Err(format!("there are {} such rows", rows.len())),
        Statistic::Value | Statistic::Least | Statistic::Greatest | Statistic::Median => {}
    }
    for row in rows {
        figures.push(match measure.of(row) {
            Some(value) if measure.is_whole_at_a_limit() => Figure::Is(value),
            None if row.status.is_answer() => return Err(format!("they have no {measure}")),
            value => Figure::of(row, value),
        });
    }
    let is_open = figures.iter().any(|figure| matches!(figure, Figure::Exceeds(_)));
    let values = figures.iter().map(|figure| figure.value());
    let found = match take {
        Statistic::Median => match Figure::median(&figures) {
            Some(Figure::Is(value)) => Some(value),
            _ => None,
        },
        // The least value must be exact: a run that a limit ended might have taken longer.
        Statistic::Least => {
            Some(values.fold(f64::INFINITY, f64::min)).filter(|&least| figures.contains(&Figure::Is(least)))
        }
        _ => (!is_open).then(|| values.fold(f64::NEG_INFINITY, f64::max)),
    };
    let found = found.ok_or("limits leave it open")?;
    Ok(if measure.is_time() { Number::Real(found) } else { whole(found) })
}

/// Returns a number as text, rounded once to `digits` significant digits.
fn rounded(value: f64, digits: usize) -> String {
    let text = format!("{value:.*e}", digits - 1);
    let (_, exponent) = text.split_once('e').unwrap();
    let decimals = usize::try_from(digits as i32 - 1 - exponent.parse::<i32>().unwrap()).unwrap_or(0);
    format!("{:.decimals$}", text.parse::<f64>().unwrap())
}

/// Replaces the placeholders of a template. Returns the text and descriptions of the numbers that are not placeholders.
fn fill(template: &str, results: &mut Results) -> Result<(String, Vec<String>), String> {
    let mut pieces = template.split('{');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    let mut known: Vec<Range<usize>> = Vec::new();
    for piece in pieces {
        let (placeholder, rest) = piece.split_once('}').ok_or("a placeholder has no end")?;
        let begin = text.len();
        text += &match placeholder.strip_prefix('=') {
            Some(given) => given.to_owned(),
            None => figure(placeholder, results).map_err(|why| format!("{{{placeholder}}}: {why}"))?,
        };
        known.push(begin..text.len());
        text += rest;
    }
    let unknown = numbers(&text)
        .into_iter()
        .filter(|number| !known.iter().any(|known| known.start <= number.start && number.end <= known.end));
    let amiss = unknown.map(|number| {
        let before: Vec<_> = text[..number.start].split_whitespace().rev().take(5).collect();
        let before: Vec<_> = before.into_iter().rev().collect();
        let line = text[..number.start].matches('\n').count() + 1;
        let number = &text[number];
        format!("line {line}: {number} in '{} {number}' comes from no rows", before.join(" "))
    });
    let amiss = amiss.collect();
    Ok((text, amiss))
}

/// Returns the ranges of the numbers in a Markdown text.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut numbers = Vec::new();
    let (mut at, mut before) = (0, ' ');
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let end = if c == '`' {
            let (fence, behind) = rest.split_at(rest.len() - rest.trim_start_matches('`').len());
            behind.find(fence).map(|end| end + 2 * fence.len())
        } else if rest.starts_with("](") {
            rest.find(')').map(|end| end + 1)
        } else if c.is_ascii_digit() && !before.is_alphanumeric() && before != '_' {
            let is_part = |c: char| c.is_ascii_digit() || ".,".contains(c);
            let digits = rest.split(|c| !is_part(c)).next().unwrap_or_default().trim_end_matches(['.', ',']).len();
            if !rest[digits..].starts_with(|c: char| c.is_alphanumeric() || c == '×') {
                numbers.push(at..at + digits);
            }
            Some(digits)
        } else {
            None
        };
        let length = end.unwrap_or(c.len_utf8());
        // Digits inside a name, such as the second side of 8×8, are not a number.
        before = match rest[..length].chars().next_back() {
            Some('×') if before.is_ascii_digit() => '_',
            last => last.unwrap_or(' '),
        };
        at += length;
    }
    numbers
}

/// Tests the figures in the two READMEs. With `HAMCNF_UPDATE=1`, writes the figures instead.
#[test]
fn the_figures_of_readme_follow_from_the_rows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = |_: &str| 0;
    let results = |text: &str| text.find("\n## Results\n").unwrap() + 1;
    let mut rows = Results { folder: root.join("results"), rows: BTreeMap::new() };
    for (name, template, start) in [
        ("README.md", "experiments/figures.md", &results as &dyn Fn(&str) -> usize),
        ("results/README.md", "experiments/figures-results.md", &all),
    ] {
        let template = fs::read_to_string(root.join(template)).unwrap();
        let (made, amiss) = fill(&template, &mut rows).unwrap();
        assert!(amiss.is_empty(), "{name}: {amiss:#?}");
        let text = fs::read_to_string(root.join(name)).unwrap();
        let start = start(&text);
        let end = if start > 0 { start + text[start..].find("\n## ").unwrap() + 1 } else { text.len() };
        if std::env::var("HAMCNF_UPDATE").is_ok_and(|update| update == "1") {
            fs::write(root.join(name), text[..start].to_owned() + &made + &text[end..]).unwrap();
            continue;
        }
        for (there, made) in text[start..end].lines().zip(made.lines()) {
            assert_eq!(there, made, "{name} differs from its template and the rows");
        }
        assert_eq!(text[start..end], made, "{name}");
    }
}

/// Returns results with the rows `x`.
fn results() -> Results {
    let row = |seed: u64, method: &str, status: Status, seconds: f64| {
        let limits = hamcnf::limits::Limits { cpu: Some(std::time::Duration::from_secs(10)), ..Default::default() };
        let mut row = Record::new("8x8", "", &method.parse().unwrap(), seed, &limits);
        (row.cpu_seconds, row.clauses) = (Some(seconds), Some(12161));
        row.ended(status, "")
    };
    let rows = [
        row(0, "binary", Status::Tour, 1.0),
        row(1, "binary+order=seed-1", Status::Tour, 9.96),
        row(2, "binary+order=seed-2", Status::Timeout, 10.0),
        row(1, "binary+order=seed-2", Status::Tour, 0.5),
        row(0, "exact", Status::Tour, 3.0).with_value(Status::Count, 9862u64),
    ];
    Results { folder: "nowhere".into(), rows: [("x".to_owned(), rows.to_vec())].into() }
}

#[test]
fn placeholders_are_statistics_of_the_rows_that_are_meant() {
    let mut results = results();
    for (placeholder, expected) in [
        ("rows: x;; binary", "3"),
        ("answered: x;; binary", "2"),
        ("answered: x;; binary; letters", "two"),
        ("limit: x;; binary", "10"),
        ("median: x;; binary", "10"),
        ("median: x; 8x8; binary; digits=3", "9.96"),
        ("least: x;; binary", "1.0"),
        ("least: x;; binary; digits=1", "1"),
        // The cube root of 1 · 9.96 · 10.
        ("geometric-mean: x;; binary; digits=3", "4.64"),
        ("value clauses: x;; binary; seed=1", "12161"),
        ("median clauses: x;; binary; digits=2", "12000"),
        ("median clauses: x;; binary; unit=1000", "12"),
        ("least: x;; binary / answer: x;; exact", "0.00010"),
        ("answer: x; status=count", "9862"),
        ("answer: x / answered: x;; binary", "4931"),
    ] {
        assert_eq!(figure(placeholder, &mut results).as_deref(), Ok(expected), "{placeholder}");
    }
    for (placeholder, why) in [
        ("median: x; 9x9", "there are no such rows"),
        ("greatest: x;; binary", "limits leave it open"),
        ("value: x", "there are 5 such rows"),
        ("answer: x;; binary", "none of them has a number"),
        ("least conflicts: x;; binary", "they have no conflicts"),
        ("answer: x; letters", "9862 is not written in letters"),
        ("mean: x", "unknown statistic \"mean\""),
        ("rows", "write STATISTIC: ROWS"),
        ("rows: y", "y.csv: No such file or directory (os error 2)"),
    ] {
        assert!(figure(placeholder, &mut results).unwrap_err().contains(why), "{placeholder}");
    }
}

#[test]
fn a_figure_that_is_typed_by_hand_is_found() {
    let template = "On 8×8 and 10x10, Z3 {=4.8.12} took {least: x;; binary} s ({=2}) of `3 s`, [4](5.md) {=1,000}\nand 7.\n\
                    ```\n6\n```\n9";
    let (text, amiss) = fill(template, &mut results()).unwrap();
    assert_eq!(text, "On 8×8 and 10x10, Z3 4.8.12 took 1.0 s (2) of `3 s`, [4](5.md) 1,000\nand 7.\n```\n6\n```\n9");
    let said = |line: u32, number: &str| format!("line {line}: {number} in '");
    for (found, (line, number)) in amiss.iter().zip([(1, "4"), (2, "7"), (6, "9")]) {
        assert!(found.starts_with(&said(line, number)) && found.ends_with(" comes from no rows"), "{found}");
    }
    assert_eq!(amiss.len(), 3);
    assert_eq!(fill("{median: x; 9x9}", &mut results()).unwrap_err(), "{median: x; 9x9}: there are no such rows");
}
