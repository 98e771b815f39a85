//! What work may take: wall time, CPU time, memory, conflicts. One type for commands, experiments, jobs and the
//! processes that they run.
//!
//! A limit is never an answer: what one of these ends has none, and says which it was.

use std::time::{Duration, Instant};

use hamcnf_encodings::named;
use serde::{Deserialize, Serialize};

/// What may be taken; without a figure as much as there is.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize,
)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Wall time.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds")]
    pub wall: Option<Duration>,
    /// CPU time of the process and of all that it starts, together.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds")]
    pub cpu: Option<Duration>,
    /// Bytes of memory, in the same way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Conflicts of a solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<u64>,
}

/// One of them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Limit {
    /// On wall time.
    Wall,
    /// On CPU time.
    Cpu,
    /// On memory.
    Memory,
    /// On conflicts.
    Conflicts,
}

named!(Limit, "limit", {
    Wall => "wall",
    Cpu => "cpu",
    Memory => "memory",
    Conflicts => "conflicts",
});

impl Limits {
    /// Of wall time only.
    #[must_use]
    pub fn wall(limit: Duration) -> Self {
        Self {
            wall: Some(limit),
            ..Self::default()
        }
    }

    /// When the wall time of what began then is over. Past the end of time is no limit.
    #[must_use]
    pub fn deadline(&self, began: Instant) -> Option<Instant> {
        began.checked_add(self.wall?)
    }
}

/// Durations as seconds.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(
        limit: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        limit.map(|limit| limit.as_secs_f64()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(from)?;
        let duration = seconds.map(Duration::try_from_secs_f64).transpose();
        duration.map_err(|_| D::Error::custom("a limit must be a number of seconds, at least 0"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        let limits = Limits {
            wall: Some(Duration::from_millis(1500)),
            cpu: None,
            memory: Some(200 << 20),
            conflicts: Some(7),
        };
        let text = serde_json::to_string(&limits).unwrap();
        assert_eq!(text, r#"{"wall":1.5,"memory":209715200,"conflicts":7}"#);
        assert_eq!(serde_json::from_str::<Limits>(&text).unwrap(), limits);
        assert_eq!(
            serde_json::from_str::<Limits>("{}").unwrap(),
            Limits::default()
        );
        assert!(serde_json::from_str::<Limits>(r#"{"wall":-1.0}"#).is_err());
        assert!(serde_json::from_str::<Limits>(r#"{"time":1.0}"#).is_err());
    }
}
