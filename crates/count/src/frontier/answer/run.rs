//! Sweeps of an exact count, from the first vertex or from a checkpoint to the answers of all questions.
//!
//! Questions about boards that differ only in the length of one side share a sweep along the longest board. Where the
//! sweep of a shorter board branches off, its states are copied, and its own last steps come first. If the weights do
//! not fit into memory, they are reduced to [residues](crate::frontier::state::residues), and further sweeps
//! follow.

use std::io;

use crate::frontier::answer::expected::expected;
use crate::frontier::answer::options::{ExactError, Options};
use crate::frontier::answer::relaxed::Relaxed;
use crate::frontier::state::{Completable, Primes, Residues, Several, Tables, modulus};
use crate::frontier::step::{Along, Position};
use crate::frontier::store::{Checkpoint, CheckpointError, LayerError, OfQuestion, Saved, Scratch, Usage};
use crate::frontier::sweep::{Question, Sweep};
use crate::frontier::{Exact, Progress};

/// Weights are reduced only if this saves one in `WORTH_SAVING` bytes of the states.
const WORTH_SAVING: u64 = 8;
/// Bounds on counts may use one in `PART_FOR_BOUNDS` bytes of the memory limit, which are not reserved for states.
const PART_FOR_BOUNDS: u64 = 8;

/// Questions that are answered by one sweep, exactly or modulo the primes of this sweep.
pub(crate) struct Shared<'a> {
    /// Index of the question about the longest board.
    pub(crate) last: usize,
    pub(crate) sweep: &'a Sweep,
    pub(crate) completable: Completable,
    /// The other questions, until each is answered. The question with the next branch is at the end of the list.
    pub(crate) endings: Vec<Ending<'a>>,
}

/// Question whose sweep begins with the same steps as the last question's sweep, but has its own last steps.
pub(crate) struct Ending<'a> {
    /// Index of the question.
    question: usize,
    /// Number of steps that the sweep has in common with the last question's sweep.
    branch: usize,
    sweep: &'a Sweep,
    completable: Completable,
}

impl<'a> Shared<'a> {
    /// Prepares the sweep for the questions with these indices. `first` is the position from which the sweep resumes.
    /// Returns `None` if the deadline passes first.
    fn new(
        questions: &'a [Question],
        open: &[usize],
        first: Option<&Position>,
        held: u64,
        options: &Options,
    ) -> Option<Self> {
        let (&last, others) = open.split_last()?;
        let sweep = &questions[last].sweep;
        let sweeps = others.iter().map(|&other| &questions[other].sweep);
        let sweeps: Vec<_> = sweeps.chain([sweep]).collect();
        let branches: Vec<_> = sweeps[..others.len()].iter().map(|other| other.branch(sweep)).collect();
        let completable = match options.prune {
            true => Several::new(
                &sweeps,
                &branches,
                // A resumed count needs no degree vectors of the layers before.
                first.map_or(0, Position::t),
                options.for_sets(held),
                options.threads,
                &options.budget,
            )?,
            false => Several {
                common: Completable::Unknown,
                endings: branches.iter().map(|_| Completable::Unknown).collect(),
            },
        };
        let endings = others.iter().zip(&branches).zip(completable.endings);
        let endings = endings.map(|((&question, &branch), completable)| Ending {
            question,
            branch,
            sweep: &questions[question].sweep,
            completable,
        });
        let mut endings: Vec<_> = endings.collect();
        // The next branch is the last entry.
        endings.sort_by_key(|ending| std::cmp::Reverse((ending.branch, ending.question)));
        Some(Self { last, sweep, completable: completable.common, endings })
    }

    /// Returns the progress before the first vertex, with estimates for all sweeps that begin there.
    fn expected(&self, questions: &[Question], options: &Options) -> Result<Progress, ExactError> {
        // Sweeps with common steps have common states.
        let others = self.endings.iter().filter(|ending| ending.branch == 0);
        let others = others.map(|ending| (ending.sweep, &ending.completable));
        let all: Vec<_> = others.chain([(self.sweep, &self.completable)]).collect();
        expected(&questions[self.last], &all, options)
    }

    /// Returns the number of bytes of all sets.
    fn bytes(&self) -> u64 {
        let endings = self.endings.iter().map(|ending| &ending.completable);
        Completable::bytes(endings.chain([&self.completable]))
    }
}

/// Count of the tours of all questions, with its current states and everything that it reports to.
pub(crate) struct Run<'a> {
    pub(crate) questions: &'a [Question],
    /// Primes of residues, if exact weights do not fit into memory.
    pub(crate) primes: Primes,
    pub(crate) options: &'a Options,
    pub(crate) now: Saved,
    pub(crate) usage: Usage,
    pub(crate) tables: Tables,
    pub(crate) checkpoint: Option<Checkpoint>,
    pub(crate) progress: &'a mut dyn FnMut(Progress),
    pub(crate) found: &'a mut dyn FnMut(usize, Exact),
    pub(crate) warn: &'a mut dyn FnMut(&CheckpointError),
    /// True if the last checkpoint could not be written.
    pub(crate) has_warned: bool,
}

impl Run<'_> {
    /// Answers all questions, by one sweep, or by several modulo primes.
    pub(crate) fn counted(mut self) -> Result<(), ExactError> {
        let questions = self.questions;
        loop {
            let open: Vec<_> = self.now.open(questions.len()).collect();
            let Some(&last) = open.last() else {
                if let Some(checkpoint) = &self.checkpoint {
                    checkpoint.remove();
                }
                return Ok(());
            };
            let at = Progress::before(&questions[last].sweep);
            let (first, held) = (self.now.positions.first(), self.now.in_memory());
            let shared = Shared::new(questions, &open, first, held, self.options);
            let shared = shared.ok_or_else(|| ExactError::Time { at: self.at(at) })?;
            self.run_sweep(shared)?;
            let now = &mut self.now;
            now.finished_sweeps += 1;
            if let Some(used) = now.residues.iter().map(|of| of.known.primes).min() {
                now.used_primes = used;
                let primes = self.primes.skipping(used);
                now.primes = primes.take(now.primes.len()).collect();
                // The residues of this sweep would be lost if the next one is interrupted before its first checkpoint.
                self.save_now();
            }
        }
    }

    /// Sweeps along the last open question, until each open question has an answer, or a residue.
    pub(crate) fn run_sweep(&mut self, mut shared: Shared<'_>) -> Result<(), ExactError> {
        let limit = self.options.memory;
        // A count that has begun goes on, even if the layers left have a higher estimate than a sample of all layers had.
        let has_begun = !self.now.positions.is_empty() || self.now.finished_sweeps > 0;
        let options = Options { try_hard: self.options.try_hard || has_begun, ..self.options.clone() };
        let before = shared.expected(self.questions, &options)?;
        self.usage.memory = self.options.for_states(shared.bytes());
        if self.now.positions.is_empty() {
            let first = Position::first(shared.sweep, &self.usage);
            self.now.positions.push(first);
        }
        let mut at = self.at(before);
        loop {
            let Self { now, usage, .. } = self;
            let is_branched = now.positions.len() > 1;
            let Some(position) = now.positions.last() else {
                return Ok(());
            };
            let t = position.t();
            now.peak_states = now.peak_states.max(position.states());
            if let Some(ending) = shared.endings.last().filter(|_| !is_branched)
                && ending.branch == t
            {
                let branch = position.branch(ending.sweep, &ending.completable, usage);
                let branch = branch.map_err(|error| ExactError::of_layer(usage.unread(error), limit, at, usage))?;
                now.positions.push(branch);
                continue;
            }
            if !is_branched {
                shared.completable.forget(t);
            }
            let ending = shared.endings.last().filter(|_| is_branched);
            let (question, sweep, completable) = match ending {
                Some(ending) => (ending.question, ending.sweep, &ending.completable),
                None => (shared.last, shared.sweep, &shared.completable),
            };
            // The few own steps of a shorter board are no progress of the sweep.
            if t < sweep.n() && ending.is_none_or(|ending| ending.branch == 0) {
                let layers = sweep.n();
                at = self.at(Progress { layers, ..before });
                (self.progress)(at);
            }
            if t == sweep.n() {
                self.answer(question).map_err(|error| {
                    let usage = &self.usage;
                    ExactError::of_layer(usage.unread(error), limit, at, usage)
                })?;
                if is_branched {
                    shared.endings.pop();
                }
                continue;
            }
            let Self { now, usage, .. } = self;
            let along = Along { sweep, completable, tables: &self.tables, modulus: modulus(&now.primes) };
            let Some(position) = now.positions.last_mut() else {
                return Ok(());
            };
            let is_due = || self.checkpoint.as_ref().is_some_and(Checkpoint::is_due);
            let mut advanced = position.advance(along, usage, &is_due);
            if let Err(error) = advanced {
                advanced = self.reduce(&shared, error).map(|()| false);
            }
            let unsaved = self.save(advanced.err());
            let Err(error) = advanced else {
                continue;
            };
            let error = ExactError::of_layer(error, limit, at, &self.usage);
            return Err(match unsaved {
                Some(why) => ExactError::NotSaved { limit: Box::new(error), why },
                None => error,
            });
        }
    }

    /// Returns the progress of the count. `before` is its progress before the first vertex.
    fn at(&self, before: Progress) -> Progress {
        let now = &self.now;
        let position = now.positions.last();
        // The current sweep adds residues to the questions that have none of its primes yet.
        let missing = now.residues.iter().map(|OfQuestion { known, .. }| {
            let sweeps = known.missing(self.primes.bits).div_ceil(now.primes.len().max(1));
            sweeps + usize::from(known.primes > now.used_primes)
        });
        Progress {
            finished_sweeps: now.finished_sweeps,
            sweeps: now.finished_sweeps + missing.max().unwrap_or(1),
            layer: position.map_or(0, Position::t),
            states: position.map_or(1, Position::states),
            bytes: self.usage.bytes(),
            ..before
        }
    }

    /// Reduces the weights to residues modulo two primes or one, so that a sweep that ended with `error` can go on. If the
    /// weights are exact, bounds the number of cycles of each open question first. Returns an error if nothing was done.
    fn reduce(&mut self, shared: &Shared<'_>, error: LayerError) -> Result<(), LayerError> {
        let Self { now, usage, .. } = self;
        let unread = |error| usage.unread(error);
        let worth_saving = match error {
            LayerError::Memory => usage.bytes() / WORTH_SAVING,
            LayerError::Overflow => 0,
            _ => return Err(error),
        };
        if !self.options.residues {
            return Err(error);
        }
        let most = match now.primes.len() {
            0 => Primes::MOST,
            primes => primes - 1,
        };
        let mut reduced = None;
        for primes in (1..=most).rev() {
            let bytes = self.primes.bytes(primes);
            let saved = now.positions.iter().map(|position| position.saved_by(bytes));
            let saved: u64 = saved.sum::<io::Result<_>>().map_err(unread)?;
            if saved >= worth_saving {
                reduced = Some(primes);
                break;
            }
        }
        let primes = self.primes.skipping(now.used_primes);
        let primes: Vec<_> = primes.take(reduced.unwrap_or(0)).collect();
        let modulus = modulus(&primes).ok_or(error)?;
        if now.primes.is_empty() {
            let bounds = now.bounds(shared, self.options.memory / PART_FOR_BOUNDS, usage)?;
            let residues = |(question, bits)| OfQuestion { question, known: Residues::below(bits) };
            now.residues = bounds.into_iter().map(residues).collect();
            now.residues.sort_by_key(|of| of.question);
        }
        now.primes = primes;
        for position in &mut now.positions {
            position.reduce(modulus, usage).map_err(unread)?;
        }
        Ok(())
    }

    /// Writes a checkpoint if one is due, or if the sweep ends with `error`. Returns the reason if that fails.
    fn save(&mut self, error: Option<LayerError>) -> Option<CheckpointError> {
        let is_due = self.checkpoint.as_ref().is_some_and(Checkpoint::is_due);
        match error {
            Some(LayerError::Unread) => None,
            None if !is_due => None,
            _ => self.save_now(),
        }
    }

    /// Writes a checkpoint. Returns the reason if that fails.
    fn save_now(&mut self) -> Option<CheckpointError> {
        let Self { now, usage, .. } = self;
        let checkpoint = self.checkpoint.as_mut()?;
        now.used(usage);
        let unsaved = checkpoint.save(now).err();
        if let Some(why) = unsaved.as_ref().filter(|_| !self.has_warned) {
            (self.warn)(why);
        }
        self.has_warned = unsaved.is_some();
        unsaved
    }

    /// Takes the number of cycles from the last position, which is at the end of a question's sweep, and removes the
    /// position. The question is answered if this number is exact, or if enough residues are known.
    fn answer(&mut self, question: usize) -> io::Result<()> {
        let Self { now, usage, .. } = self;
        let (of, Some(position)) = (&self.questions[question], now.positions.last()) else {
            return Ok(());
        };
        let sum = position.sum()?;
        usage.remove(position.in_memory());
        now.positions.pop();
        now.used(usage);
        // Without primes, the sum is exact.
        let residues = now.residues.iter_mut().find(|of| of.question == question);
        let sum = match residues.filter(|_| !now.primes.is_empty()) {
            None => sum,
            Some(OfQuestion { known: residues, .. }) => {
                for &prime in &now.primes {
                    residues.add(prime, &sum);
                }
                if !residues.is_exact() {
                    return Ok(());
                }
                std::mem::take(&mut residues.numbers)
            }
        };
        now.residues.retain(|of| of.question != question);
        let exact = Exact {
            count: of.tours(&sum),
            by_value: of.by_value(&sum),
            peak_states: now.peak_states,
            peak_bytes: now.peak_bytes,
            generated: now.generated,
            width: of.sweep.slots(),
            scratch_bytes: now.scratch_bytes,
            sweeps: now.finished_sweeps + 1,
        };
        (self.found)(question, exact.clone());
        now.answers.push(OfQuestion { question, known: exact });
        Ok(())
    }
}

impl Saved {
    /// Returns the indices of the questions that need the current sweep, in increasing order. `questions` is the number
    /// of all questions.
    fn open(&self, questions: usize) -> impl Iterator<Item = usize> {
        (0..questions).filter(|&k| {
            let is_answered = self.answers.iter().any(|of| of.question == k);
            let residues = self.residues.iter().find(|of| of.question == k);
            !is_answered && residues.is_none_or(|of| of.known.primes <= self.used_primes)
        })
    }

    /// Returns b for each open question of a sweep, such that the coefficients of its sum are below 2^b. The weights must be
    /// exact. The computation may use `memory` bytes.
    fn bounds(&self, shared: &Shared<'_>, memory: u64, usage: &Usage) -> Result<Vec<(usize, u64)>, LayerError> {
        let mut bounds = Vec::new();
        let mut endings: &[_] = &shared.endings;
        if let ([_, position], [others @ .., ending]) = (&self.positions[..], endings) {
            let (sweep, completable) = (ending.sweep, &ending.completable);
            let mut relaxed = Relaxed::of(position, memory, usage)?;
            relaxed.advance(sweep.n(), sweep, completable, usage)?;
            bounds.push((ending.question, relaxed.bits()));
            endings = others;
        }
        let Some(first) = self.positions.first() else {
            return Ok(bounds);
        };
        let mut relaxed = Relaxed::of(first, memory, usage)?;
        for ending in endings.iter().rev() {
            relaxed.advance(ending.branch, shared.sweep, &shared.completable, usage)?;
            let mut own = relaxed.clone();
            own.advance(ending.sweep.n(), ending.sweep, &ending.completable, usage)?;
            bounds.push((ending.question, own.bits()));
        }
        relaxed.advance(shared.sweep.n(), shared.sweep, &shared.completable, usage)?;
        bounds.push((shared.last, relaxed.bits()));
        Ok(bounds)
    }

    /// Returns the number of bytes that the states take in memory.
    pub(crate) fn in_memory(&self) -> u64 {
        self.positions.iter().map(Position::in_memory).sum()
    }

    /// Updates the resources that the count has used.
    fn used(&mut self, usage: &Usage) {
        (self.peak_bytes, self.generated) = (usage.peak(), usage.children());
        self.scratch_bytes = usage.scratch().map_or(0, Scratch::peak);
    }
}
