//! Options that the user typed, for options that apply to some questions or methods only.

use std::sync::OnceLock;

use anyhow::bail;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use hamcnf::Queens;

/// Options in the order of the help, such as `--time-limit`, with their last values. They are set once.
static TYPED: OnceLock<Vec<(String, String)>> = OnceLock::new();

/// Records the options of the subcommand in the arguments of the program, without those of all commands.
pub(super) fn set(program: &Command, matches: &ArgMatches) {
    let Some((name, matches)) = matches.subcommand() else { return };
    let arguments = program.find_subcommand(name).into_iter().flat_map(Command::get_arguments);
    let typed = arguments.filter(|arg| {
        let is_typed = matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
        is_typed && !arg.is_global_set()
    });
    let options = typed.filter_map(|arg| {
        let value = matches.get_raw(arg.get_id().as_str()).and_then(Iterator::last);
        Some((format!("--{}", arg.get_long()?), value.unwrap_or_default().to_string_lossy().into_owned()))
    });
    let _ = TYPED.set(options.collect());
}

/// Returns the options that the user typed, with their values.
pub(super) fn values() -> impl Iterator<Item = (&'static str, &'static str)> {
    TYPED.get().into_iter().flatten().map(|(option, value)| (option.as_str(), value.as_str()))
}

/// Returns the options that the user typed.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    values().map(|(option, _)| option)
}

/// Returns the first of these options that the user typed; `None` if the user typed none of them.
pub(super) fn first(options: &[&str]) -> Option<&'static str> {
    options.iter().find_map(|option| all().find(|typed| typed == option))
}

/// Returns the first option of `A` that the user typed; `None` if the user typed none of them.
pub(super) fn of<A: Args>() -> Option<&'static str> {
    let options = A::augment_args(Command::new(""));
    let mut names = options.get_arguments().filter_map(Arg::get_long);
    names.find_map(|name| all().find(|typed| typed.strip_prefix("--") == Some(name)))
}

/// Rejects options of a command that apply to tours only. `options` are the options for placements, without the
/// dashes.
pub(super) fn only(queens: &Queens, command: &str, options: &str) -> anyhow::Result<()> {
    supported(command, options, &format!("placements, but \"{queens}\" asks for them"))
}

/// Rejects all options of a command except these, which are without the dashes. `what` is the requested output.
pub(super) fn supported(command: &str, options: &str, what: &str) -> anyhow::Result<()> {
    let is_wrong = |option: &&str| !options.split(' ').any(|known| option.strip_prefix("--") == Some(known));
    match all().find(is_wrong) {
        Some(option) => bail!("`hamcnf {command}` does not support {option} for {what}: remove {option}"),
        None => Ok(()),
    }
}
