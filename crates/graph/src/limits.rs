//! Resource limits: wall time, CPU time, memory, conflicts. Commands, experiments, jobs and their child processes all
//! use the type [`Limits`].
//!
//! Reaching a limit is never an answer: work that was stopped by a limit reports the limit and no result.

use std::time::{Duration, Instant};

use crate::named;
use serde::{Deserialize, Serialize};

/// Resource limits; `None` means unlimited.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Wall time.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds")]
    pub wall: Option<Duration>,
    /// CPU time of the process and all its children together.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "seconds")]
    pub cpu: Option<Duration>,
    /// Memory of the process and all its children together, in bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Maximum number of conflicts of a SAT solver.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conflicts: Option<u64>,
}

named! {
    /// Kind of resource limit.
    #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
    pub enum Limit: "limit" {
        /// Wall time.
        Wall => "wall",
        /// CPU time, with child processes.
        Cpu => "cpu",
        /// Memory, with child processes.
        Memory => "memory",
        /// Conflicts of a SAT solver.
        Conflicts => "conflicts",
    }
}

impl Limits {
    /// Creates a limit on wall time, without any other limits.
    pub fn wall(limit: Duration) -> Self {
        Self { wall: Some(limit), ..Self::default() }
    }

    /// Returns the time at which the limit on wall time is reached, if the work started at `began`. Returns `None` if there
    /// is no limit, or if this time is too far in the future to represent.
    pub fn deadline(&self, began: Instant) -> Option<Instant> {
        began.checked_add(self.wall?)
    }
}

/// Serialization of durations as seconds.
mod seconds {
    use std::time::Duration;

    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(limit: &Option<Duration>, to: S) -> Result<S::Ok, S::Error> {
        limit.map(|limit| limit.as_secs_f64()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
        let seconds = Option::<f64>::deserialize(from)?;
        let duration = seconds.map(Duration::try_from_secs_f64).transpose();
        duration.map_err(|_| D::Error::custom("a limit must be a number of seconds that is at least 0"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_read_as_they_are_written() {
        let limits =
            Limits { wall: Some(Duration::from_millis(1500)), cpu: None, memory: Some(200 << 20), conflicts: Some(7) };
        let text = serde_json::to_string(&limits).unwrap();
        assert_eq!(text, r#"{"wall":1.5,"memory":209715200,"conflicts":7}"#);
        assert_eq!(serde_json::from_str::<Limits>(&text).unwrap(), limits);
        assert_eq!(serde_json::from_str::<Limits>("{}").unwrap(), Limits::default());
        assert!(serde_json::from_str::<Limits>(r#"{"wall":-1.0}"#).is_err());
        assert!(serde_json::from_str::<Limits>(r#"{"time":1.0}"#).is_err());
    }
}
