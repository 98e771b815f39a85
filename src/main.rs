//! The `hamcnf` program: see `hamcnf --help`.

#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    hamcnf::cli::main(std::env::args_os())
}
