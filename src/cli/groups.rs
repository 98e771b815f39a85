//! Help in two lengths: `-h` shows the options that people need, in a line each, and `--help` shows all of them, in groups.
//! Commands stand in groups, too.

use std::fmt::Write as _;

use clap::{Arg, Command};

use super::GROUPS;

/// Groups of options, by their ids. Options without a group stand first.
const OPTIONS: [(&str, &str); 5] = [
    ("Reading a graph", "graph_format graph_number undirected arcs weights"),
    ("Tours and boards", "open start to piece ranks"),
    (
        "Formulas and proofs",
        "encoding pruning at_most_one orientation minimize max_cost cost longest project projection_format varnames proof require_proof binary cnf \
         certificate",
    ),
    (
        "Methods and limits",
        "method methods engines explain phases seed threads offline epsilon delta time_limit cpu_limit memory_limit \
         scratch checkpoint try_it",
    ),
    ("Output", "output format json dimacs edges heading gbd_hash keep_going render numbers plain animate"),
];

/// Options that `-h` shows, if a command has them. A command with few options shows all.
const NEEDED: &str = "open start to piece encoding method methods seed number limit random unique proof time_limit render \
                      output format json dimacs project histogram varnames";

/// True if one of the words is the id of an option.
fn names(words: &str, id: &str) -> bool {
    words.split(' ').any(|word| word == id)
}

/// Group that also has the command `help`.
const LAST: &str = "This program";

/// Number of options up to which `-h` shows all of them.
const FEW: usize = 16;

/// Gives the help of each command two lengths.
pub(super) fn with_lengths(root: Command) -> Command {
    root.mut_args(|arg| if arg.is_global_set() { arg.hide_short_help(true) } else { arg }).mut_subcommands(|command| {
        let has_few = command.get_arguments().count() <= FEW;
        let examples = command.get_after_help().map(ToString::to_string);
        let command = match examples {
            Some(examples) => {
                let name = command.get_name().to_owned();
                let few: Vec<_> = examples.lines().take(3).collect();
                let more = format!("{}\n\n`hamcnf {name} --help` shows all options and examples.", few.join("\n"));
                command.after_help(more).after_long_help(examples)
            }
            None => command,
        };
        command.mut_args(|arg| in_lengths(arg, has_few))
    })
}

/// Gives an option its group, and a line for `-h`, or none.
fn in_lengths(arg: Arg, has_few: bool) -> Arg {
    let id = arg.get_id().as_str().to_owned();
    let group = OPTIONS.iter().find(|(_, ids)| names(ids, &id) && !arg.is_positional());
    let arg = match group {
        Some((group, _)) if arg.get_help_heading().is_none() && !has_few => arg.help_heading(*group),
        _ => arg,
    };
    let Some(help) = arg.get_long_help().or(arg.get_help()).map(ToString::to_string) else {
        return arg;
    };
    let values: Vec<_> = arg.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect();
    let shows_values = !values.is_empty() && !arg.is_hide_possible_values_set() && arg.get_action().takes_values();
    let whole = match shows_values {
        true => format!("{help} [possible values: {}]", values.join(", ")),
        false => help.clone(),
    };
    let is_needed = has_few || arg.is_positional() || names(NEEDED, &id);
    let arg = if shows_values { arg.hide_possible_values(true) } else { arg };
    arg.help(line(&help)).long_help(whole).hide_short_help(!is_needed)
}

/// Returns the first sentence or clause of a help text.
fn line(help: &str) -> String {
    let first = help.lines().next().unwrap_or_default();
    let end =
        ["; ", ": ", ". ", " [", ", optionally"].iter().filter_map(|end| first.find(end)).filter(|&at| at > 8).min();
    first[..end.unwrap_or(first.len())].trim_end_matches(':').to_owned()
}

/// Shows the commands of the help in groups.
pub(super) fn grouped(root: Command) -> Command {
    let styles = root.get_styles();
    let (header, literal) = (*styles.get_header(), *styles.get_literal());
    let mut shown = String::new();
    for &(group, names) in GROUPS {
        // Writing to a string does not fail.
        let _ = writeln!(shown, "{header}{group}:{header:#}");
        for command in names.iter().filter_map(|name| root.find_subcommand(name)).filter(|found| !found.is_hide_set()) {
            let (name, about) = (command.get_name(), command.get_about().map(ToString::to_string).unwrap_or_default());
            let _ = writeln!(shown, "  {literal}{name:<12}{literal:#} {about}");
        }
        if group == LAST {
            let _ = writeln!(shown, "  {literal}{:<12}{literal:#} Print the help of a command or of a topic", "help");
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
    fn short_help_fits_on_a_screen() {
        let mut root = super::super::program();
        root.build();
        for command in root.get_subcommands().filter(|command| !command.is_hide_set()) {
            let short = command.clone().term_width(100).render_help().to_string();
            assert!(short.lines().count() <= 40, "{short}");
        }
    }

    #[test]
    fn every_option_in_a_table_exists() {
        let mut root = super::super::program();
        root.build();
        let all: Vec<_> = root.get_subcommands().flat_map(Command::get_arguments).collect();
        let tables = OPTIONS.iter().map(|(_, ids)| *ids).chain([NEEDED]);
        for id in tables.flat_map(|ids| ids.split(' ')) {
            assert!(all.iter().any(|arg| arg.get_id() == id), "{id}");
        }
    }
}
