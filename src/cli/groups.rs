//! Groups of commands in `hamcnf --help`.

use std::fmt::Write as _;

use clap::Command;

const GROUPS: [(&str, &[&str]); 6] = [
    ("Find tours", &["solve", "list", "sample-tour", "puzzle", "show", "check"]),
    ("Count", &["count", "queens"]),
    ("Formulas and proofs", &["encode", "decode", "sizes", "verify", "encodings"]),
    ("Graphs", &["graph", "filter"]),
    ("Experiments", &["compare", "run", "report", "merge", "submit", "benchmark", "methods"]),
    ("This program", &["completions", "man", "help"]),
];

/// Shows the commands of the help in groups.
pub(super) fn grouped(root: Command) -> Command {
    let styles = root.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let mut shown = String::new();
    for (group, names) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(shown, "{header}{group}:{header:#}");
        for name in names {
            let command = root.find_subcommand(name);
            let about = command
                .and_then(Command::get_about)
                .map_or_else(|| "Print the help of a command or of a topic".to_owned(), ToString::to_string);
            let _ = writeln!(shown, "  {literal}{name:<12}{literal:#} {about}");
        }
        shown.push('\n');
    }
    root.help_template(format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{shown}{header}Options:{header:#}\n{{options}}{{after-help}}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let root = super::super::program();
        let shown = root.get_subcommands().filter(|command| !command.is_hide_set());
        let mut commands: Vec<_> = shown.map(Command::get_name).chain(["help"]).collect();
        let mut grouped: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        commands.sort_unstable();
        grouped.sort_unstable();
        assert_eq!(grouped, commands);
    }
}
