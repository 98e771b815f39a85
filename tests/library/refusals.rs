//! Wording of refusals: a name of a method, an encoding, a setting or a refinement may be an English word, such as
//! "exact", "edges" or "order". In each message, the first occurrence of such a name must be in quotation marks or part
//! of what the user types. All names come from the lists of methods and encodings, so new entries are tested too.

use std::fmt::Display;

use hamcnf::method::{self, Method};
use hamcnf::question::Question;
use hamcnf::{Encoding, Formula, Instance, Projection, encoding};

/// Value that no setting, refinement or base accepts.
const INVALID: &str = "%";

/// Returns the words of a message that are neither quoted nor typed. Lists after "choose from", suggestions and commands
/// in backticks are typed, as are options and words such as `size:binary`.
fn bare(message: &str) -> Vec<&str> {
    let outside = |text, mark| str::split(text, mark).step_by(2);
    let parts = outside(message, '`').flat_map(|part| outside(part, '"'));
    let without_lists = parts.flat_map(|part| part.split([';', '?']).map(before_list));
    let words = without_lists.flat_map(str::split_whitespace);
    let trimmed = words.map(|word| word.trim_matches([',', '.', '(', ')', ';', ':']));
    trimmed.filter(|word| !word.starts_with('-') && !word.contains([':', '=', '+'])).collect()
}

/// Returns the text before a list of names.
fn before_list(text: &str) -> &str {
    let lists = ["choose from ", "Choose from ", "did you mean "];
    let begins = lists.iter().filter_map(|list| text.find(list));
    &text[..begins.min().unwrap_or(text.len())]
}

/// Messages with the names that occur in them.
#[derive(Default)]
struct Refusals(Vec<(String, Vec<String>)>);

impl Refusals {
    fn add<T, E: Display>(&mut self, result: Result<T, E>, names: &[&str]) {
        if let Err(error) = result {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            self.0.push((error.to_string(), names));
        }
    }

    fn assert_quoted(&self) {
        for (message, names) in &self.0 {
            for name in names {
                let is_bare = bare(message).contains(&name.as_str());
                let quoted = message.find(&format!("\"{name}"));
                let first = message.find(name.as_str());
                let is_quoted_first = quoted.is_some_and(|at| Some(at + 1) == first);
                assert!(!is_bare || is_quoted_first, "{name} is bare: {message}");
            }
        }
    }
}

#[test]
fn refusals_of_methods_quote_names() {
    let mut refusals = Refusals::default();
    let questions = ["6x6", "6 queens"].map(|text| Question::load(text).unwrap());
    for method in method::all() {
        let name = method.name();
        let mut refuse = |text: String, names: &[&str]| {
            let parsed = text.parse::<Method>();
            refusals.add(parsed, &[&[name], names].concat());
        };
        refuse(name.to_owned(), &[]);
        refuse(format!("{name}+unknown"), &[]);
        refuse(format!("{name}:unknown"), &[]);
        for setting in method.settings() {
            let setting = setting.name;
            refuse(format!("{name}+{setting}={INVALID}"), &[setting]);
            refuse(format!("{name}+{setting}+{setting}"), &[setting]);
        }
        for base in encoding::bases() {
            for text in [base.name.to_owned(), format!("{}+unknown", base.name)] {
                refuse(format!("{name}:{text}"), &[base.name]);
            }
        }
        for question in &questions {
            refusals.add(method.suits(question), &[name]);
        }
    }
    assert!(refusals.0.len() > 200, "{}", refusals.0.len());
    refusals.assert_quoted();
}

#[test]
fn refusals_of_encodings_quote_names() {
    let mut refusals = Refusals::default();
    let questions = [
        "6x6",
        "5x5 open",
        "5x5-c3",
        "petersen:5:2",
        "circulant:7:1,2",
        "cycle:3 open",
        "6x6 at c3=17",
        "6x6 force a1-c2",
    ];
    let instances: Vec<Instance> = questions
        .iter()
        .map(|text| match Question::load(text).unwrap() {
            Question::Tours(tours) => tours.instance().clone(),
            Question::Queens(_) => unreachable!(),
        })
        .collect();
    let projections = ["arcs", "edges", "co-tree", "paper", "all", "positions:0", "positions:99", "vars:99999999"];
    for base in encoding::bases() {
        let mut parse = |text: String, names: &[&str]| {
            let parsed = text.parse::<Encoding>();
            refusals.add(parsed, &[&[base.name], names].concat());
        };
        parse(format!("{}={INVALID}", base.name), &[]);
        parse(format!("{}+unknown", base.name), &[]);
        for refinement in encoding::refinements() {
            let name = refinement.name;
            for text in [name.to_owned(), format!("{name}={INVALID}"), format!("{name}+{name}")] {
                parse(format!("{}+{text}", base.name), &[name]);
            }
        }
        let plain: Encoding = base.name.parse().unwrap();
        for instance in &instances {
            let formula = match Formula::new(plain.clone(), instance) {
                Ok(formula) => formula,
                Err(error) => {
                    refusals.add::<(), _>(Err(error), &[base.name]);
                    continue;
                }
            };
            for projection in projections {
                let parsed: Projection = projection.parse().unwrap();
                refusals.add(formula.project(&parsed), &[base.name]);
            }
        }
    }
    assert!(refusals.0.len() > 200, "{}", refusals.0.len());
    refusals.assert_quoted();
}

#[test]
fn bare_names_are_found() {
    for (message, words) in [
        ("method exact has no setting", 5),
        ("method \"exact\" has no setting", 4),
        ("method has none; choose from exact, zdd; remove it", 5),
        ("use `hamcnf solve` or --order, not size:binary", 3),
    ] {
        assert_eq!(bare(message).len(), words, "{message}");
    }
    let mut refusals = Refusals::default();
    refusals.add::<(), _>(Err("encoding \"relaxed\" is relaxed"), &["relaxed"]);
    refusals.assert_quoted();
    refusals.add::<(), _>(Err("relaxed has no positions"), &["relaxed"]);
    assert!(std::panic::catch_unwind(|| refusals.assert_quoted()).is_err());
}
