//! What model counters print.

use hamcnf::count::external::{ApproxMc, Ganak, ModelCounter, read};

/// Any text.
pub fn counters(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for counter in [
        ModelCounter::ApproxMc(ApproxMc::DEFAULT),
        ModelCounter::Ganak(Ganak::DEFAULT),
    ] {
        match read(&counter, &text) {
            Ok(reading) => {
                // A number past any formula is not to be written out in digits: that takes the square of its length.
                if reading.count.bits() < 1 << 12 {
                    let again = read(&counter, &format!("s mc {}\n", reading.count));
                    assert_eq!(again.map(|again| again.count), Ok(reading.count));
                }
            }
            Err(error) => drop(error.to_string()),
        }
    }
}
