//! Options of `hamcnf count` that change settings of its method. Options that belong to other methods are rejected.

use std::collections::BTreeSet;

use anyhow::{anyhow, bail};
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use hamcnf::constraint;
use hamcnf::method::{self, AutoCount, Enumerate, Histogram, Method, MethodError, Operand, Profile, Transfer};
use hamcnf::question::{Question, Tours};
use hamcnf::run::Settings;
use hamcnf::solve::defaults;

use num_bigint::BigUint;

use super::Args;
use crate::cli::constraints::capitalized;
use crate::cli::instance::Variant;
use crate::cli::typed;

/// Returns the method with the settings of the options, or an error about an option that belongs to other methods.
fn method(args: &Args, asked: &Tours) -> anyhow::Result<Method> {
    let instance = asked.instance();
    // The method "transfer" has a modulus of its own.
    let by_transfer = |modulus: &BigUint| *modulus <= (1u64 << 63).into() && Transfer::counts(asked);
    let default = || match args.project {
        Some(_) => Enumerate::default().into(),
        None if args.histogram.is_some() => Histogram::default().into(),
        None if args.modulus.as_ref().is_some_and(by_transfer) => Transfer::default().into(),
        None => AutoCount::default().into(),
    };
    let method = with_settings(args.method.clone().unwrap_or_else(default))?;
    let variant = typed::of::<Variant>();
    let is_formula = |method: &Method| method.profile().operand != Operand::None;
    let is_seeded = |method: &Method| method.profile().random || method.engine().is_some();
    type Property<'a> = &'a dyn Fn(&Method) -> bool;
    let can = |ability: fn(Profile<'_>) -> bool| move |method: &Method| ability(method.profile());
    let options: [(Option<&'static str>, Property<'_>); 9] = [
        (typed::first(&["--seed"]), &is_seeded),
        (typed::first(&["--threads"]).filter(|_| args.threads != Some(1)), &can(|can| can.threads)),
        (typed::first(&["--try"]), &can(|can| can.try_hard)),
        (typed::first(&["--encoding"]), &is_formula),
        (variant, &is_formula),
        (typed::first(&["--by-start"]), &can(|can| can.by_start)),
        (typed::first(&["--dot"]), &can(|can| can.diagram)),
        (typed::first(&["--list"]), &can(|can| can.diagram)),
        (typed::first(&["--certificate"]), &can(|can| can.exact_count)),
    ];
    for (option, applies) in options {
        if let Some(option) = option.filter(|_| !applies(&method)) {
            return Err(refusal(option, applies, &method));
        }
    }
    let selecting = args.selecting().filter(|_| method.profile().boards_only);
    if let Some(option) = selecting.filter(|_| instance.squares().is_none()) {
        bail!("{option} counts the tours of boards, but {} is not a board: remove {option}", instance.name());
    }
    if let (true, None, None, Some(option)) = (method.engine().is_none(), &args.encoding, &args.project, variant)
        && method.encoding().is_none()
    {
        bail!("{option} changes an encoding: name the encoding with --encoding");
    }
    // If options change the encoding but the user names no encoding, they change the default encoding for counting.
    let own = method.encoding().cloned();
    let varied = variant.map(|_| defaults::encoding(defaults::COUNTED));
    match args.encoding.clone().or(own).or(varied) {
        Some(encoding) => Ok(method.with_encoding(args.variant.of(&encoding, instance)?)?),
        None => Ok(method),
    }
}

/// Options for the settings of counting methods that have no field in [`Args`].
pub(super) struct SettingOptions;

impl clap::Args for SettingOptions {
    fn augment_args(command: Command) -> Command {
        let methods: Vec<_> = counting_methods().collect();
        let settings = methods.iter().flat_map(Method::settings);
        settings.fold(command, |command, setting| {
            let name = setting.name;
            if command.get_arguments().any(|arg| arg.get_long() == Some(option_of(name))) {
                return command;
            }
            let having: Vec<_> = methods.iter().filter(|method| method.has_setting(name)).cloned().collect();
            let names: Vec<_> = having.iter().map(|method| format!("\"{}\"", method.name())).collect();
            let help = format!("{} (method {})", capitalized(setting.summary), names.join(", "));
            let parser = move |text: &str| match having.iter().find_map(|method| method.with_setting(name, text).err())
            {
                Some(MethodError::Value { why, .. }) => Err(anyhow!("--{name}: {why}")),
                Some(error) => Err(error.into()),
                None => Ok(text.to_owned()),
            };
            command.arg(Arg::new(name).long(name).value_name(setting.value).help(help).value_parser(parser))
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for SettingOptions {
    fn from_arg_matches(_: &ArgMatches) -> Result<Self, clap::Error> {
        Ok(Self)
    }

    fn update_from_arg_matches(&mut self, _: &ArgMatches) -> Result<(), clap::Error> {
        Ok(())
    }
}

/// Returns the name of the option for a setting.
fn option_of(setting: &str) -> &str {
    if setting == "of" { "histogram" } else { setting }
}

/// Returns the method with the settings that the user typed as options, or an error about an option that belongs to
/// other methods.
pub(super) fn with_settings(mut method: Method) -> anyhow::Result<Method> {
    let settings: BTreeSet<_> =
        counting_methods().flat_map(|method| method.settings()).map(|setting| setting.name).collect();
    for (option, value) in typed::values() {
        let Some(&name) = settings.iter().find(|name| option.strip_prefix("--") == Some(option_of(name))) else {
            continue;
        };
        if name == "at-most-one" {
            // For tours, the encoding of the at-most-one constraints is a refinement of the encoding.
            continue;
        }
        if method.has_setting(name) {
            method = method.with_setting(name, value)?;
        } else if name == "mod" {
            // Every exact count has a residue.
            let is_exact = |method: &Method| method.profile().exact_count;
            if !is_exact(&method) {
                return Err(refusal(option, &is_exact, &method));
            }
        } else {
            return Err(refusal(option, &|method| method.has_setting(name), &method));
        }
    }
    Ok(method)
}

/// Returns the error about an option that applies to other methods.
fn refusal(option: &str, applies: &dyn Fn(&Method) -> bool, method: &Method) -> anyhow::Error {
    anyhow!("{option} needs --method {}, but the method is \"{}\"", those_that(applies, "or"), method.name())
}

/// Returns the method for a question, with the settings of the options. Returns an error if the method cannot count the
/// tours of the question.
pub(super) fn suitable_method(args: &Args, asked: &Tours) -> anyhow::Result<Method> {
    let method = method(args, asked)?;
    expressing(args, &method, asked)?;
    if asked.end().is_some() && !method.profile().given_end {
        let question = Question::from(asked.clone());
        let can = those_that(|method| method.profile().given_end && method.accepts(&question), "or");
        bail!("--method {method} cannot count tours with a given end: use --method {can}");
    }
    Ok(method)
}

/// Returns an error if the method cannot express a constraint of the question. The error names the option that selected
/// the method, or the methods that can.
fn expressing(args: &Args, method: &Method, asked: &Tours) -> anyhow::Result<()> {
    let constraint = match method.replaced(asked, &Settings::default()) {
        Ok(able) if args.by_start && method.profile().by_start && !able.profile().by_start => {
            let constraints = constraint::texts(asked.instance()).join("\", \"");
            bail!("--by-start does not support the constraint \"{constraints}\": remove one of them")
        }
        Ok(_) => return Ok(()),
        Err(constraint) => constraint,
    };
    if let Some(option) = args.selecting() {
        bail!("{option} does not support the constraint \"{constraint}\": remove one of them");
    }
    let question = Question::from(asked.clone());
    let can = those_that(|method| method.accepts(&question), "or");
    bail!("--method {method} does not support the constraint \"{constraint}\": use --method {can}")
}

impl Args {
    /// Returns the option that selects a method without naming it.
    fn selecting(&self) -> Option<&'static str> {
        self.histogram.as_ref().map(|_| "--histogram")
    }
}

/// Returns the methods that count.
fn counting_methods() -> impl Iterator<Item = Method> {
    method::all().into_iter().filter(Method::is_count)
}

/// Lists the methods that count tours, except the default method. Methods for which `have` is false are left out.
/// `last` is the word before the last name.
fn those_that(have: impl Fn(&Method) -> bool, last: &str) -> String {
    let methods = counting_methods();
    let methods = methods.filter(|method| method.profile().tours && !method.is::<AutoCount>() && have(method));
    let names: Vec<_> = methods.map(|method| method.name().to_owned()).collect();
    match names.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, names)) => format!("{} {last} {end}", names.join(", ")),
        None => String::new(),
    }
}
