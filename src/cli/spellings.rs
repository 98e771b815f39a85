//! Older spellings of commands. They are rewritten before the arguments are parsed, so help shows only the new ones:
//!
//! ```text
//! hamcnf tour 8x8 --order article --node-limit 9    hamcnf solve 8x8 --method warnsdorff+order=article+ties=order+nodes=9
//! ```

use std::ffi::OsString;

/// Options of `hamcnf tour`, and the settings of the method that replace them.
const OF_TOUR: [(&str, &str); 4] =
    [("--order", "order"), ("--ties", "ties"), ("--restart-limit", "restarts"), ("--node-limit", "nodes")];

/// Returns the arguments, which begin with the program's name, in the present spelling.
pub(super) fn present(mut args: Vec<OsString>) -> Vec<OsString> {
    let mut words = (1..args.len()).filter(|&k| !args[k].to_string_lossy().starts_with('-'));
    let first = words.next();
    match (first, words.next()) {
        (Some(at), _) if args[at] == "tour" => {
            let behind = args.split_off(at + 1);
            args[at] = "solve".into();
            args.extend(solved(behind));
        }
        (Some(at), Some(of)) if args[at] == "help" && args[of] == "tour" => args[of] = "solve".into(),
        _ => {}
    }
    args
}

/// Returns the arguments of `hamcnf solve` for those of `hamcnf tour`.
fn solved(args: Vec<OsString>) -> Vec<OsString> {
    let (mut others, mut method, mut settings) = (Vec::new(), "warnsdorff".to_owned(), String::new());
    let mut args = args.into_iter();
    while let Some(arg) = args.next() {
        let word = arg.to_string_lossy().into_owned();
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None => (word.as_str(), None),
        };
        let setting = OF_TOUR.iter().find(|(name, _)| *name == option);
        match setting {
            None if option == "--no-rotations" => settings += "+rotations=no",
            None if option != "--method" => others.push(arg),
            _ => {
                let Some(value) = value.or_else(|| Some(args.next()?.to_string_lossy().into_owned())) else {
                    // The parser names the missing value.
                    others.push(option.into());
                    continue;
                };
                match setting {
                    Some((_, name)) => settings += &format!("+{name}={value}"),
                    None => method = value,
                }
            }
        }
    }
    // An order that the user gives also breaks ties.
    if method == "warnsdorff" && settings.contains("+order=") && !settings.contains("+ties=") {
        settings += "+ties=order";
    }
    others.splice(0..0, [format!("--method={method}{settings}").into()]);
    others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_a_search_become_settings() {
        for (typed, meant) in [
            ("tour 8x8", "solve --method=warnsdorff 8x8"),
            ("-q tour 8x8 --open --json", "-q solve --method=warnsdorff 8x8 --open --json"),
            ("tour --method=backtrack --node-limit 9 8x8", "solve --method=backtrack+nodes=9 8x8"),
            ("tour 8x8 --order article", "solve --method=warnsdorff+order=article+ties=order 8x8"),
            ("tour 8x8 --order graph --ties roth", "solve --method=warnsdorff+order=graph+ties=roth 8x8"),
            ("tour 8x8 --no-rotations --restart-limit=0", "solve --method=warnsdorff+rotations=no+restarts=0 8x8"),
            ("tour 8x8 --ties", "solve --method=warnsdorff 8x8 --ties"),
            ("help tour", "help solve"),
            ("tour --help", "solve --method=warnsdorff --help"),
            ("solve tour", "solve tour"),
            ("show tour --order 3", "show tour --order 3"),
        ] {
            let words = |text: &str| -> Vec<OsString> {
                let all = ["hamcnf"].into_iter().chain(text.split(' '));
                all.map(OsString::from).collect()
            };
            assert_eq!(present(words(typed)), words(meant), "{typed}");
        }
    }
}
