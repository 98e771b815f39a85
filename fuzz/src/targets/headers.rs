//! Headers of formula files, which state how the formula was made.

use hamcnf::cli;

use super::is_large;

/// Fuzzes the reader of formula headers with any bytes.
pub fn headers(bytes: &[u8]) {
    if !is_large(&String::from_utf8_lossy(bytes)) {
        let _ = cli::says_how_it_was_made(bytes);
    }
}
