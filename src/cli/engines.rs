//! `--engines FILE`: makes user-defined solvers available as methods. The file is read before the other options are
//! parsed, because the other options may name these solvers as methods.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::PathBuf;

use hamcnf::engine::EnginesError;
use hamcnf::method::Engine;

/// Option that adds the user's own solvers.
#[derive(clap::Args)]
pub(crate) struct Engines {
    /// TOML file that adds your own solvers as methods, like experiments/engines.toml: name = "mysat" and command =
    /// "mysat {cnf}" add the method mysat:ENCODING, such as mysat:binary
    #[arg(long, value_name = "FILE")]
    pub(crate) engines: Option<PathBuf>,
}

/// Reads the file that `--engines` names, if this option is in the arguments, and registers its solvers.
pub(super) fn add(args: &[OsString]) -> Result<(), EnginesError> {
    let mut words = args.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = words.next() {
        let file = match word.strip_prefix("--engines") {
            _ if word == "--" => break,
            Some("") => words.next().map(Cow::into_owned),
            Some(rest) => rest.strip_prefix('=').map(str::to_owned),
            None => None,
        };
        if let Some(file) = file {
            return Engine::add(file.as_ref());
        }
    }
    Ok(())
}
