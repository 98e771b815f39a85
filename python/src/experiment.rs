//! Functions that run an experiment, and the program `hamcnf` itself.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use hamcnf::cancellation::CancellationToken;
use hamcnf::experiment::{Experiment, ExperimentError, Given};
use hamcnf::harness::earlier::Earlier;
use hamcnf::harness::rows::{RowsError, finished};
use hamcnf::harness::run::{Completion, Run};
use hamcnf::harness::worker::Host;
use hamcnf::record::Record;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::errors::{Kind, refused};
use crate::values::columns;
use crate::wait::wait;

/// Outcome of an experiment.
enum Came {
    Rows { rows: Vec<Record>, report: String, faults: Vec<String> },
    Unfinished(Vec<String>),
    Stopped,
}

/// Reason why an experiment did not run.
#[derive(Debug, thiserror::Error)]
enum NoRun {
    #[error(transparent)]
    Experiment(#[from] ExperimentError),
    #[error(transparent)]
    Rows(#[from] RowsError),
}

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
    let host = Host { arguments, stop: stop.clone(), ..Host::new(program) };
    let work = move || -> Result<Came, NoRun> {
        let given = Given { graphs, times, ..Given::default() };
        let experiment = Experiment::read(&experiment, &given)?;
        let earlier = match fresh {
            true => Earlier::Drop,
            false => Earlier::Keep,
        };
        let run = Run::begin(&experiment, &folder, None, earlier)?;
        Ok(match run.finish(&host, &mut |_| ())? {
            Completion::Complete { report, .. } => {
                Came::Rows { rows: finished(&folder, &experiment.name)?.0, report: report.text, faults: report.faults }
            }
            Completion::Unfinished(faults) => Came::Unfinished(faults),
            // Only a shard can end with `Completion::Part`, and this run is not a shard.
            Completion::Part { .. } | Completion::Stopped => Came::Stopped,
        })
    };
    match wait(py, None, &stop, work)? {
        Ok(Came::Rows { rows, report, faults }) => {
            let rows = rows.iter().map(|row| columns(py, row));
            Ok((rows.collect::<PyResult<_>>()?, report, faults))
        }
        Ok(Came::Unfinished(faults)) => Err(Kind::Failed.says(py, &faults.join("; "))),
        Ok(Came::Stopped) => Err(Kind::LimitReached.says(py, &"interrupt")),
        Err(error) => Err(refused(py, &error)),
    }
}

/// Runs the program `hamcnf` and returns its exit code. The first argument is the name of the program. The program
/// installs its own signal handlers, so the process must end after the call.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    let ended = py.detach(|| hamcnf::cli::main(arguments));
    // An `ExitCode` can be compared, but not converted to a number.
    let code = (0..=u8::MAX).find(|&code| ExitCode::from(code) == ended);
    code.unwrap_or(u8::MAX)
}
