//! Options that limit the time and the memory of a command.

use std::thread;
use std::time::Duration;

use cpu_time::ProcessTime;
use hamcnf::count::frontier::Bytes;
use hamcnf::limits::Limits;
use hamcnf::machine::available_memory;

use super::interrupt;
use super::number::MustBe;

/// Parses a time limit, a number of seconds or a number with a unit.
pub(crate) fn time(text: &str) -> Result<Duration, MustBe> {
    let with_unit = || Some(humantime::parse_duration(text.trim()).ok()?.as_secs_f64());
    match text.parse().ok().or_else(with_unit) {
        Some(value) if value > 0.0 && value < 1e9 => Ok(Duration::from_secs_f64(value)),
        _ => Err(MustBe(
            "a positive number of seconds, less than a billion, or a number with a unit such as 500ms, 5s, 2m or 1h"
                .to_owned(),
        )),
    }
}

/// Limit on the wall time of a command.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct WallLimit {
    /// Stop after this wall time: seconds, or a number with a unit such as 500ms, 2m or 1h
    #[arg(long, alias = "timeout", value_name = "TIME", value_parser = time)]
    time_limit: Option<Duration>,
}

impl WallLimit {
    pub(crate) fn limit(self) -> Option<Duration> {
        self.time_limit
    }
}

/// Limits on the wall time and the CPU time of a command.
#[derive(Clone, Copy, clap::Args)]
pub(crate) struct TimeLimits {
    #[command(flatten)]
    wall: WallLimit,
    /// Stop after this CPU time: of all threads together, or of an external program. Unlike wall time, it is not used up
    /// by other programs
    #[arg(long, value_name = "TIME", value_parser = time)]
    cpu_limit: Option<Duration>,
}

impl TimeLimits {
    pub(crate) fn wall(self) -> Option<Duration> {
        self.wall.limit()
    }

    pub(crate) fn limits(self) -> Limits {
        Limits { wall: self.wall(), cpu: self.cpu_limit, ..Limits::default() }
    }

    /// Starts a thread that sets the command's cancellation token when the limit on CPU time is reached.
    pub(crate) fn watch(self) {
        const TICK: Duration = Duration::from_millis(100);
        let Some(limit) = self.cpu_limit else { return };
        let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u32);
        thread::spawn(move || {
            while let Some(left) = limit.checked_sub(ProcessTime::now().as_duration())
                && !left.is_zero()
            {
                thread::sleep((left / threads).clamp(Duration::from_millis(1), TICK));
            }
            interrupt::stop().expire();
        });
    }
}

/// Limit on memory.
#[derive(clap::Args)]
pub(crate) struct Memory {
    /// Limit on the memory for states and nodes: bytes, or a number with a unit such as 500MB or 2G. Exact counts leave
    /// a quarter of it to the allocator [default: three quarters of the free memory]
    #[arg(long, value_name = "BYTES")]
    memory_limit: Option<Bytes>,
}

impl Memory {
    /// Returns the limit in bytes; `None` if the option is not given.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.memory_limit.map(|limit| limit.0)
    }

    /// Returns the number of bytes that may be used: the limit or, if no limit is given, three quarters of the free
    /// memory.
    pub(crate) fn bytes(&self) -> u64 {
        let most = || available_memory().map_or(u64::MAX, |free| free / 4 * 3);
        self.limit().unwrap_or_else(most)
    }
}
