//! The `hamcnf` program: see `hamcnf --help`.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main(std::env::args_os())
}
