//! Output of external model counters.

use hamcnf::engine::count::read;

/// Fuzzes the parser of model counters' output with arbitrary text. Parsing a written count must return the same count.
pub fn counters(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for name in ["approxmc", "ganak"] {
        match read(name, &text) {
            Ok((count, _)) => {
                // A number far larger than the count of any formula is skipped: printing it takes time quadratic in its
                // length.
                if count.bits() < 1 << 12 {
                    assert_eq!(read(name, &format!("s mc {count}\n")), Ok((count, None)));
                }
            }
            Err(error) => drop(error.to_string()),
        }
    }
}
