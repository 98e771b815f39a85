//! Output of external model counters.

use hamcnf::count::external::{ApproxMc, Ganak, ModelCounter, read};

/// Fuzzes the parser of model counters' output with arbitrary text. Parsing a written count must return the same count.
pub fn counters(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for counter in [ModelCounter::ApproxMc(ApproxMc::DEFAULT), ModelCounter::Ganak(Ganak::DEFAULT)] {
        match read(&counter, &text) {
            Ok(reading) => {
                // A number far larger than the count of any formula is skipped: printing it takes time quadratic in its
                // length.
                if reading.count.bits() < 1 << 12 {
                    let again = read(&counter, &format!("s mc {}\n", reading.count));
                    assert_eq!(again.map(|again| again.count), Ok(reading.count));
                }
            }
            Err(error) => drop(error.to_string()),
        }
    }
}
