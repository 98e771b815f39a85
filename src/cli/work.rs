//! `hamcnf work`: runs one job of an experiment, in a child process of this program.

use std::io::{self, Read};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use cpu_time::ProcessTime;
use hamcnf::cancellation::CancellationToken;
use hamcnf::harness::job::Job;
use hamcnf::harness::worker::{ENGINES, WITH_PARENT, printed};
use hamcnf::method::Engine;
use hamcnf::process::share_group;
use hamcnf::run::Settings;

use super::ask::answer;
use super::exit::DONE;
use super::output;

/// Run a job from standard input and print its record
#[derive(clap::Args)]
#[command(hide = true)]
pub(crate) struct Args {}

pub(crate) fn run(_: &Args) -> anyhow::Result<u8> {
    let began = Instant::now();
    let mut text = String::new();
    let read = io::stdin().lock().read_to_string(&mut text);
    read.context("cannot read standard input")?;
    if let Some(file) = std::env::var_os(ENGINES) {
        Engine::add(file.as_ref())?;
    }
    let job = Job::read(&text)?;
    // The process that started this worker ends all children of the worker.
    if std::env::var_os(WITH_PARENT).is_some() {
        share_group();
    }
    let stop = job.limits.cpu.map(stop_after).unwrap_or_default();
    let settings = Settings { seed: job.seed, limits: job.limits, stop, ..Settings::default() };
    let answered = answer(&job.question, &job.method, settings, began, &mut |_| (), |_| ());
    output::print(|out| writeln!(out, "{}", printed(&answered)))?;
    Ok(DONE)
}

/// Returns a token that is set when this process has used `limit` of CPU time. Work that checks the token stops then
/// and reports its progress. Work that does not check it is killed by the process that started this worker.
fn stop_after(limit: Duration) -> CancellationToken {
    let stop = CancellationToken::default();
    let flag = stop.clone();
    thread::spawn(move || {
        let clock = ProcessTime::now();
        while clock.elapsed() < limit {
            thread::sleep(Duration::from_millis(5));
        }
        flag.expire();
    });
    stop
}
