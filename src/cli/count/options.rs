//! Options of `hamcnf count` that change settings of its method. Options that belong to other methods are rejected.

use anyhow::bail;
use hamcnf::constraint;
use hamcnf::method::{self, AutoCount, Enumerate, Histogram, Method, Operand, Profile, Transfer};
use hamcnf::question::{Question, Tours};
use hamcnf::run::Settings;
use hamcnf::solve::defaults;

use num_bigint::BigUint;

use super::Args;

/// Returns the method with the settings of the options, or an error about an option that belongs to other methods.
pub(super) fn method(args: &Args, asked: &Tours) -> anyhow::Result<Method> {
    let instance = asked.instance();
    // The method "transfer" has a modulus of its own.
    let by_transfer = |modulus: &BigUint| *modulus <= (1u64 << 63).into() && Transfer::counts(asked);
    let default = || match args.project {
        Some(_) => Enumerate::default().into(),
        None if args.histogram.is_some() => Histogram::default().into(),
        None if args.modulus.as_ref().is_some_and(by_transfer) => Transfer::default().into(),
        None => AutoCount::default().into(),
    };
    let mut method = args.method.clone().unwrap_or_else(default);
    let name = method.name().to_owned();
    let refuse = |option: &str, methods: String| {
        anyhow::anyhow!("{option} needs --method {methods}, but the method is \"{name}\"")
    };
    for (setting, option, value) in args.of_settings() {
        let Some(value) = value else { continue };
        if setting == "mod" && !method.has_setting(setting) {
            // Every exact count has a residue.
            if !method.profile().exact_count {
                return Err(refuse(option, those_that(|method| method.profile().exact_count, "or")));
            }
            continue;
        }
        if !method.has_setting(setting) {
            let can = those_that(|method| method.has_setting(setting), "or");
            return Err(refuse(option, can));
        }
        method = method.with_setting(setting, &value)?;
    }
    let variant = args.variant.given();
    let is_formula = |method: &Method| method.profile().operand != Operand::None;
    let is_seeded = |method: &Method| method.profile().random || method.engine().is_some();
    type Property<'a> = &'a dyn Fn(&Method) -> bool;
    let can = |ability: fn(Profile<'_>) -> bool| move |method: &Method| ability(method.profile());
    let options: [(bool, &str, Property<'_>); 9] = [
        (args.seed.is_some(), "--seed", &is_seeded),
        (args.threads.is_some_and(|threads| threads != 1), "--threads", &can(|can| can.threads)),
        (args.try_it, "--try", &can(|can| can.try_hard)),
        (args.encoding.is_some(), "--encoding", &is_formula),
        (variant.is_some(), variant.unwrap_or_default(), &is_formula),
        (args.by_start, "--by-start", &can(|can| can.by_start)),
        (args.dot.is_some(), "--dot", &can(|can| can.diagram)),
        (args.list.is_some(), "--list", &can(|can| can.diagram)),
        (args.certificate.is_some(), "--certificate", &can(|can| can.exact_count)),
    ];
    for (is_given, option, applies) in options {
        if is_given && !applies(&method) {
            return Err(refuse(option, those_that(applies, "or")));
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

/// Returns an error if the method cannot express a constraint of the question. The error names the option that selected
/// the method, or the methods that can.
pub(super) fn expressing(args: &Args, method: &Method, asked: &Tours) -> anyhow::Result<()> {
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

    /// Returns the options that change a setting of the method. Each entry contains the name of the setting, the name
    /// of the option, and the value of the option.
    fn of_settings(&self) -> [(&'static str, &'static str, Option<String>); 9] {
        let text = |value: Option<usize>| value.map(|value| value.to_string());
        let (set, of) = (self.project.as_ref(), self.histogram.as_ref());
        let checkpoint = self.checkpoint.as_ref();
        [
            ("checkpoint", "--checkpoint", checkpoint.map(|file| file.display().to_string())),
            ("scratch", "--scratch", self.scratch.as_ref().map(|folder| folder.display().to_string())),
            ("states", "--states", text(self.states)),
            ("repetitions", "--repetitions", text(self.repetitions)),
            ("epsilon", "--epsilon", self.approximation.epsilon_text()),
            ("delta", "--delta", self.approximation.delta_text()),
            ("of", "--histogram", of.map(ToString::to_string)),
            ("mod", "--mod", self.modulus.as_ref().map(ToString::to_string)),
            ("project", "--project", set.map(ToString::to_string)),
        ]
    }
}

/// Lists the methods that count tours, except the default method. Methods for which `have` is false are left out.
/// `last` is the word before the last name.
pub(super) fn those_that(have: impl Fn(&Method) -> bool, last: &str) -> String {
    let methods = method::all().into_iter().filter(|method| {
        let counts = method.is_count() && method.profile().tours;
        counts && !method.is::<AutoCount>() && have(method)
    });
    let names: Vec<_> = methods.map(|method| method.name().to_owned()).collect();
    match names.split_last() {
        Some((end, [])) => end.clone(),
        Some((end, names)) => format!("{} {last} {end}", names.join(", ")),
        None => String::new(),
    }
}
