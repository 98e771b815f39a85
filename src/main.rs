//! The `hamcnf` program: see `hamcnf --help`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hamcnf::cli::main(std::env::args_os())
}
