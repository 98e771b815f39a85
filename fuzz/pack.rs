//! Converts the saved inputs of a fuzz target. The repository has one file per target, and libFuzzer uses a folder with
//! one file per input. The program needs no crate, so rustc alone can compile it:
//!
//! ```text
//! pack unpack FILE FOLDER    writes one file into the folder for each input
//! pack pack FILE FOLDER      keeps some inputs of the folder, of all lengths, after those that once broke something
//! ```

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs, io};

#[path = "src/corpus.rs"]
mod corpus;

use corpus::{FOUND, line, read};

/// Maximum total size in bytes of the saved inputs of a target, without the inputs that once broke something.
const ROOM: usize = 12 << 10;

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words[..] {
        ["unpack", file, folder] => unpack(Path::new(file), Path::new(folder)),
        ["pack", file, folder] => pack(Path::new(file), Path::new(folder)),
        _ => Err(io::Error::other("unpack FILE FOLDER, or pack FILE FOLDER")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pack: {error}");
            ExitCode::FAILURE
        }
    }
}

fn unpack(file: &Path, folder: &Path) -> io::Result<()> {
    let inputs = read(&fs::read_to_string(file)?).map_err(io::Error::other)?;
    fs::create_dir_all(folder)?;
    for (number, input) in inputs.iter().enumerate() {
        fs::write(folder.join(format!("kept-{number:04}")), input)?;
    }
    Ok(())
}

fn pack(file: &Path, folder: &Path) -> io::Result<()> {
    let text = fs::read_to_string(file)?;
    let regressions = text.split(FOUND).next().unwrap_or_default();
    let broke = read(regressions).map_err(io::Error::other)?;
    let mut lines = Vec::new();
    for entry in fs::read_dir(folder)? {
        let input = fs::read(entry?.path())?;
        if !broke.contains(&input) {
            lines.push(line(&input));
        }
    }
    lines.sort_by_key(|line| (line.len(), line.clone()));
    lines.dedup();
    // The saved inputs are of all lengths.
    let all: usize = lines.iter().map(|line| line.len() + 1).sum();
    let kept = lines.iter().step_by(all.div_ceil(ROOM).max(1));
    let mut text = format!("{regressions}{FOUND}\n");
    for line in kept {
        text += line;
        text.push('\n');
    }
    fs::write(file, text)
}
