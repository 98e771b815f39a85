//! Functions that run an experiment, and the program `hamcnf` itself.

use std::error::Error;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use hamcnf::cancellation::CancellationToken;
use hamcnf::experiment::{Experiment, Given};
use hamcnf::harness::earlier::Earlier;
use hamcnf::harness::files::RunFiles;
use hamcnf::harness::run::{Completion, Run};
use hamcnf::harness::worker::Host;
use hamcnf::record::Record;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Kind, refused};
use crate::values::columns;
use crate::wait::wait;

/// Runs an experiment, and writes its results into a folder. `program` with `arguments` is the command that starts the
/// process of each job. Returns the rows, the report, and errors in the answers.
#[pyfunction]
#[pyo3(signature = (experiment, folder, program, arguments, fresh, graphs, times))]
#[allow(clippy::type_complexity, reason = "the tuple becomes a class in Python")]
#[allow(clippy::too_many_arguments, reason = "Python names the arguments")]
pub(crate) fn run<'py>(
    py: Python<'py>,
    experiment: PathBuf,
    folder: PathBuf,
    program: PathBuf,
    arguments: Vec<OsString>,
    fresh: bool,
    graphs: Option<PathBuf>,
    times: Option<PathBuf>,
) -> PyResult<(Vec<Bound<'py, PyDict>>, String, Vec<String>)> {
    let stop = CancellationToken::default();
    let host = Host { hamcnf: program, arguments, stop: stop.clone() };
    let work = move || -> Result<(Completion, Vec<Record>), Box<dyn Error + Send + Sync>> {
        let given = Given { graphs, times, ..Given::default() };
        let experiment = Experiment::read(&experiment, &given)?;
        let earlier = if fresh { Earlier::Drop } else { Earlier::Keep };
        let completion = Run::begin(&experiment, &folder, None, earlier)?.finish(&host, &mut |_| ())?;
        let is_complete = matches!(completion, Completion::Complete { .. });
        let rows = if is_complete { RunFiles::new(&folder, &experiment.name).finished()?.0 } else { Vec::new() };
        Ok((completion, rows))
    };
    match wait(py, None, &stop, work)? {
        Ok((Completion::Complete { report, .. }, rows)) => {
            let rows = rows.iter().map(|row| columns(py, row));
            Ok((rows.collect::<PyResult<_>>()?, report.text, report.faults))
        }
        Ok((Completion::Unfinished(faults), _)) => Err(Kind::Failed.says(py, &faults.join("; "))),
        // Only a shard can end with `Completion::Part`, and this run is not a shard.
        Ok((Completion::Part { .. } | Completion::Stopped, _)) => Err(Kind::LimitReached.says(py, &"interrupt")),
        Err(error) => Err(refused(py, &error)),
    }
}

/// Runs the program `hamcnf` and returns its exit code. The first argument is the name of the program. The program
/// installs its own signal handlers, so the process must end after the call.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let ended = py.detach(|| hamcnf::cli::main(arguments));
    // An `ExitCode` can be compared, but not converted to a number.
    (0..=u8::MAX).find(|&code| ExitCode::from(code) == ended).unwrap_or(u8::MAX)
}
