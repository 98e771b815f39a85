//! Headers of formula files, which state how a formula was made.

use hamcnf::cli;

use super::is_large;

/// Fuzzes the parser of formula headers with arbitrary bytes.
pub fn headers(bytes: &[u8]) {
    if !is_large(&String::from_utf8_lossy(bytes)) {
        let _ = cli::names_its_question(bytes);
    }
}
