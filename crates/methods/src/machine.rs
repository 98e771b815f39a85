//! Description of the machine that produced results. It contains the properties that affect times, such as processor,
//! memory and system, but no host name and no paths. It also lists the graphs that were read on the machine, because a
//! file's name does not identify its contents.

use std::fs;
use std::sync::OnceLock;
use std::time::SystemTime;

use hamcnf_questions::GraphRead;
use hamcnf_tours::Instance;
use nix::sys::resource::{Resource, getrlimit};
use serde::{Deserialize, Serialize};

pub use hamcnf_questions::VERSION;

static COMMIT: OnceLock<&str> = OnceLock::new();

/// Sets the commit from which the program was built. Only the program calls this function: if the commit were compiled
/// into this crate, every new commit would recompile the crate. Only the first call has an effect.
pub fn set_commit(commit: &'static str) {
    COMMIT.get_or_init(|| commit);
}

/// Returns the commit from which the program was built; `unknown` unless [`set_commit`] was called.
pub fn commit() -> &'static str {
    COMMIT.get().copied().unwrap_or("unknown")
}

/// Description of a machine and of the program that runs there.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Machine {
    /// UTC time at which the description was written.
    pub date: String,
    /// Name of the processor.
    pub processor: String,
    /// Number of logical processors.
    pub processors: usize,
    pub memory_gib: f64,
    /// Operating system and kernel.
    pub system: String,
    /// Load: average number of runnable processes over the last minute. Reveals other work on the machine.
    pub load: Option<f64>,
    /// Version of this program.
    pub hamcnf: String,
    /// Commit of this program.
    pub commit: String,
    /// Name and version of the solver.
    pub solver: String,
    /// Graphs that were read from files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub graphs: Vec<GraphRead>,
    /// Further machines, if the rows come from several machines. Times of different machines should not be compared.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Machine>,
}

impl Machine {
    /// Describes the current machine, and lists each different graph of the instances once. Boards are not listed.
    pub fn with_graphs_of<'i>(instances: impl IntoIterator<Item = &'i Instance>) -> Self {
        let mut graphs: Vec<GraphRead> = Vec::new();
        for graph in instances.into_iter().filter_map(GraphRead::of) {
            if !graphs.contains(&graph) {
                graphs.push(graph);
            }
        }
        Self { graphs, ..Self::here() }
    }

    /// Returns the checksum that identifies the machine. The function [`id`] returns the checksum of the current
    /// machine.
    pub fn id(&self) -> String {
        let Self { processor, processors, memory_gib, system, .. } = self;
        let mut crc = flate2::Crc::new();
        crc.update(format!("{processor}|{processors}|{memory_gib}|{system}").as_bytes());
        format!("{:08x}", crc.sum())
    }

    /// Describes the current machine. Text fields that cannot be determined are `unknown`.
    pub fn here() -> Self {
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let memory_kib =
            field(&read("/proc/meminfo"), "MemTotal").and_then(|value| value.split(' ').next()?.parse::<f64>().ok());
        let system = read("/etc/os-release")
            .lines()
            .find_map(|line| Some(line.strip_prefix("PRETTY_NAME=")?.trim_matches('"').to_owned()))
            .unwrap_or_else(|| std::env::consts::OS.to_owned());
        let cpuinfo = read("/proc/cpuinfo");
        let kernel = read("/proc/sys/kernel/osrelease");
        Self {
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            processor: field(&cpuinfo, "model name").unwrap_or_else(|| "unknown".to_owned()),
            processors: match cpuinfo.lines().filter(|line| line.starts_with("processor")).count() {
                0 => std::thread::available_parallelism().map_or(1, usize::from),
                listed => listed,
            },
            memory_gib: memory_kib.map_or(0.0, |kib| (kib / f64::from(1 << 20) * 10.0).round() / 10.0),
            system: format!("{system}, kernel {}", kernel.trim()),
            load: read("/proc/loadavg").split(' ').next().and_then(|load| load.parse().ok()),
            hamcnf: VERSION.to_owned(),
            commit: commit().to_owned(),
            solver: hamcnf_sat::solve::signature().to_owned(),
            graphs: Vec::new(),
            others: Vec::new(),
        }
    }

    /// Returns this machine and the machines in `others`, each with an empty list `others`.
    pub fn all(&self) -> impl Iterator<Item = Self> {
        let alone = |machine: &Self| Self { others: Vec::new(), ..machine.clone() };
        std::iter::once(alone(self)).chain(self.others.iter().map(alone))
    }

    /// Adds a machine and the machines in its list `others`, unless they are already listed.
    pub fn add(&mut self, other: &Self) {
        for machine in other.all() {
            if self.all().all(|known| known.id() != machine.id()) {
                self.others.push(Self { graphs: Vec::new(), ..machine });
            }
        }
    }

    /// Returns a readable description of the processor, the memory and the system, which affect times.
    pub fn said(&self) -> String {
        let Self { processor, processors, memory_gib, system, .. } = self;
        let plural = if *processors == 1 { "" } else { "s" };
        format!("{processor}, {processors} logical processor{plural}, {memory_gib} GiB; {system}")
    }
}

/// Returns the checksum that identifies this machine in rows. It is computed from the processor, the number of
/// processors, the memory and the system.
pub fn id() -> &'static str {
    static ID: OnceLock<String> = OnceLock::new();
    ID.get_or_init(|| Machine::here().id())
}

/// Returns the available memory in bytes: memory that is free or can be freed, but at most the limit on the address space
/// of this process. Returns `None` if the system does not report it.
pub fn available_memory() -> Option<u64> {
    let meminfo = fs::read_to_string("/proc/meminfo").ok()?;
    let kib: u64 = field(&meminfo, "MemAvailable")?.split(' ').next()?.parse().ok()?;
    let (limit, _) = getrlimit(Resource::RLIMIT_AS).ok()?;
    Some(kib.checked_mul(1024)?.min(limit))
}

/// Returns the value of the first line `name : value` with the given name.
fn field(text: &str, name: &str) -> Option<String> {
    text.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        (key.trim() == name).then(|| value.trim().to_owned())
    })
}

/// Returns the peak resident memory of this process so far, in KiB.
pub fn peak_rss_kib() -> u64 {
    // On Linux, the peak that `getrusage` reports includes the peak of the parent process.
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    field(&status, "VmHWM").and_then(|value| value.split(' ').next()?.parse().ok()).unwrap_or_else(|| {
        use nix::sys::resource::{UsageWho, getrusage};
        let peak = getrusage(UsageWho::RUSAGE_SELF).map_or(0, |usage| usage.max_rss());
        // macOS reports the peak in bytes instead of KiB.
        let unit = if cfg!(target_os = "macos") { 1024 } else { 1 };
        u64::try_from(peak).unwrap_or(0) / unit
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_graph::{Graph, Vertex};
    use hamcnf_tours::TourKind;

    #[test]
    fn graphs_are_named_once_and_told_apart_by_their_edges() {
        let cycle = |name: &str, order: [u32; 4]| {
            let graph = Graph::from_edges(4, (0..4).map(|k| (order[k], order[(k + 1) % 4]))).unwrap();
            Instance::on_graph(name, graph, TourKind::Closed, Vertex::new(0)).unwrap()
        };
        let (a, b) = (cycle("a", [0, 1, 2, 3]), cycle("b", [0, 2, 1, 3]));
        let read = |instances: &[Instance]| Machine::with_graphs_of(instances).graphs;
        let graphs = read(&[a.clone(), b, a.clone()]);
        assert_eq!(graphs.iter().map(|g| &*g.file).collect::<Vec<_>>(), ["a", "b"]);
        assert_eq!((graphs[0].vertices, graphs[0].edges), (4, 4));
        assert_ne!(graphs[0].crc32, graphs[1].crc32);
        // The checksum does not depend on the order in which the edges were given.
        assert_eq!(read(&[a]), read(&[cycle("a", [2, 1, 0, 3])]));
    }

    #[test]
    fn fields_are_found_by_their_whole_name() {
        let text = "MemTotalX: 1 kB\nMemTotal:   24 kB\nMemFree: 2 kB\n";
        assert_eq!(field(text, "MemTotal").as_deref(), Some("24 kB"));
        assert_eq!(field(text, "Mem"), None);
    }
}
