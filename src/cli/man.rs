//! `hamcnf man`: manual pages, one per command, generated from the help.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, roman};
use hamcnf::atomic_file::AtomicFile;
use hamcnf::machine::VERSION;
use hamcnf::names::instead;

use super::exit::DONE;
use super::{complete, output, program};

/// Print a manual page, or write all manual pages into a folder
///
/// Pages are in roff, for man. Without a command, prints the page of hamcnf itself. scripts/install installs all pages.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf man | man -l -
  hamcnf man solve | man -l -
  hamcnf man -o ~/.local/share/man/man1")]
pub(crate) struct Args {
    /// Command
    #[arg(value_name = "COMMAND", add = complete::commands(program))]
    command: Option<String>,
    /// Folder for all pages, created if missing
    #[arg(long, short, value_name = "FOLDER", conflicts_with = "command")]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    // The `help` command gets no page.
    let mut root = program().disable_help_subcommand(true);
    root.build();
    if let Some(folder) = &args.output {
        write_all(&root, folder)?;
        return Ok(DONE);
    }
    let commands = || root.get_subcommands().filter(|sub| !sub.is_hide_set());
    let command = match &args.command {
        None => &root,
        Some(word) => match commands().find(|sub| sub.get_name() == word) {
            Some(command) => command,
            None => {
                let known: Vec<_> = commands().map(Command::get_name).collect();
                bail!("unknown command \"{word}\"{}", instead(word, &known.join(", ")))
            }
        },
    };
    let page = page(command)?;
    output::print(|out| out.write_all(&page))?;
    Ok(DONE)
}

/// Writes the page of a command, and the pages of its subcommands.
fn write_all(command: &Command, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        write_all(sub, folder)?;
    }
    let file = folder.join(man(command).get_filename());
    let cannot = || format!("cannot write {}", file.display());
    let mut whole = AtomicFile::create(&file)?;
    whole.write_all(&page(command)?).with_context(cannot)?;
    whole.finish().with_context(cannot)
}

fn man(command: &Command) -> Man {
    Man::new(command.clone())
}

/// Returns the manual page of a command. Keeps the line breaks of examples, which clap_mangen would join into one
/// paragraph.
fn page(command: &Command) -> io::Result<Vec<u8>> {
    let man = man(command);
    let mut page = Vec::new();
    // The page has no date, so the same text gives the same bytes. clap_mangen would leave out the empty date.
    let title = command.get_display_name().unwrap_or_else(|| command.get_name());
    writeln!(page, ".TH {title} 1 \"\" \"hamcnf {VERSION}\" \"hamcnf\"")?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.get_subcommands().any(|sub| !sub.is_hide_set()) {
        man.render_subcommands_section(&mut page)?;
    }
    if let Some(examples) = command.get_after_help() {
        let mut roff = Roff::new();
        roff.control("SH", ["NOTES AND EXAMPLES"]).control("nf", []);
        for line in examples.to_string().lines() {
            roff.text([roman(line)]);
        }
        roff.control("fi", []);
        roff.to_writer(&mut page)?;
    }
    Ok(page)
}
