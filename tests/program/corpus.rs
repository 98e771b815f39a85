//! Inputs that the fuzzers have found. Every input in `fuzz/corpus` is run, and each run must end within seconds.

use std::time::{Duration, Instant};

#[allow(dead_code, unreachable_pub, reason = "the fuzzers' own crate uses it too")]
#[path = "../../fuzz/src/corpus.rs"]
mod kept;
#[allow(unreachable_pub, reason = "the fuzzers' own crate uses it too")]
#[path = "../../fuzz/src/targets/mod.rs"]
mod targets;

/// Time limit for an input. Even on a busy machine, an input takes far less time.
const LONGEST: Duration = Duration::from_secs(30);

#[test]
fn every_input_that_is_kept_is_taken() {
    for (name, target, inputs) in targets::ALL {
        let inputs = kept::read(inputs).unwrap_or_else(|line| panic!("{name}: {line}"));
        assert!(!inputs.is_empty(), "{name}");
        for input in inputs {
            let began = Instant::now();
            // This line names the input if the target panics.
            println!("{name}: {}", kept::line(&input));
            target(&input);
            assert!(began.elapsed() < LONGEST, "{name}: {}", kept::line(&input));
        }
    }
}

#[test]
fn inputs_are_kept_as_they_are() {
    let all: Vec<u8> = (0..=u8::MAX).collect();
    for input in [&all[..], b"", b"#", b"# a", b"\\x41", b"a\r\n\t\"'"] {
        let line = kept::line(input);
        assert_eq!(line.lines().count().max(1), 1, "{line}");
        // The file represents an empty input as an empty line.
        let file = format!("# once broke\n{line}\n");
        assert_eq!(kept::read(&file), Ok(vec![input.to_vec()]));
    }
    assert_eq!(kept::read("\\q"), Err("\\q".to_owned()));
}
