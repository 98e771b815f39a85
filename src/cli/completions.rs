//! `hamcnf completions`: scripts that let shells complete the words after `hamcnf`.

use clap::ValueEnum;
use clap_complete::env::{EnvCompleter, Fish, Zsh};

use super::exit::DONE;
use super::{complete, output};

/// Print a script for shell completion of commands, options, names and files
///
/// The script calls hamcnf, which must be on the PATH. scripts/install installs the completion scripts of all three
/// shells.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  source <(hamcnf completions bash)                    in ~/.bashrc, or directly
  hamcnf completions zsh > ~/.zfunc/_hamcnf            a folder in $fpath
  hamcnf completions fish > ~/.config/fish/completions/hamcnf.fish")]
pub(crate) struct Args {
    /// Shell that runs the script
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Shell {
    Bash,
    Zsh,
    Fish,
}

const ZSH_CALLED: &str = "if [[ $funcstack[1] == _hamcnf ]]; then\n    _clap_dynamic_completer_hamcnf \"$@\"\nfi\n";

/// Name of the program on the `PATH`.
const NAME: &str = "hamcnf";

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let mut script = Vec::new();
    match args.shell {
        // clap's own script does not handle words with colons and equals signs, which bash splits.
        Shell::Bash => script.extend_from_slice(include_bytes!("completions.bash")),
        Shell::Zsh => {
            Zsh.write_registration(complete::ASKED, NAME, NAME, NAME, &mut script)?;
            // zsh loads this file when it calls the completion function for the first time, so the file must also call
            // the function.
            script.extend_from_slice(ZSH_CALLED.as_bytes());
        }
        Shell::Fish => Fish.write_registration(complete::ASKED, NAME, NAME, NAME, &mut script)?,
    }
    output::print(|out| out.write_all(&script))?;
    Ok(DONE)
}
