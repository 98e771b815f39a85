//! `hamcnf work`: one job, for the harness.

use std::io::{self, Read};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context;
use hamcnf::count::external::Fetch;
use hamcnf::harness::job::Job;
use hamcnf::harness::worker::{WITH_PARENT, printed};
use hamcnf::machine::peak_kib;
use hamcnf::process::share_group;
use hamcnf::record::{Record, Status};
use hamcnf::work::{Answered, Settings};

use super::deadline::{self, Waited};
use super::output;

/// Do a job that comes on standard input, and print its record
#[derive(clap::Args)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> anyhow::Result<ExitCode> {
    let began = Instant::now();
    let mut text = String::new();
    let read = io::stdin().lock().read_to_string(&mut text);
    read.context("cannot read standard input")?;
    let job = Job::read(&text)?;
    // Whoever started it ends all that it has started.
    if std::env::var_os(WITH_PARENT).is_some() {
        share_group();
    }
    let settings = Settings {
        seed: job.seed,
        limits: job.limits,
        fetch: Fetch::Never,
        ..Settings::default()
    };
    let deadline = job.limits.deadline(began);
    let doing = job.clone();
    let waited =
        deadline::wait::<Option<Record>, Answered>(deadline, None, &mut |_| (), move |worker| {
            let told = |record: &Record| worker.know(|known| *known = Some(record.clone()));
            worker.answer(doing.method.answer(&doing.question, &settings, &told));
        });
    let answered = match waited {
        Waited::Answer(answered) => answered,
        Waited::Late(known) => late(&job, known, began).into(),
    };
    output::print(|out| writeln!(out, "{}", printed(&answered)))?;
    Ok(ExitCode::SUCCESS)
}

/// The record of a method that did not look at its time, as far as it is known.
fn late(job: &Job, known: Option<Record>, began: Instant) -> Record {
    let late = || job.record().ended(Status::Timeout, "time limit");
    let mut record = known.unwrap_or_else(late);
    record.wall_seconds = Some(began.elapsed().as_secs_f64());
    record.peak_kib = Some(peak_kib());
    record
}
