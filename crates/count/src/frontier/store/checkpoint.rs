//! Checkpoints: files from which an interrupted count resumes.
//!
//! A checkpoint holds the position of a sweep, and the answers that are already known, be it only modulo some primes.
//! The first line is a JSON object that identifies the count, and the positions follow as bytes. The file ends with the
//! CRC-32 of all bytes before. A file is written under a temporary name, put on disk and renamed, so a killed program
//! loses at most the time since the previous checkpoint.
//!
//! A count locks a file beside its checkpoint, so that no other process uses the same checkpoint. The operating system
//! releases the lock of a killed program.
//!
//! The first checkpoint is due after a second. The time until the next one doubles up to a minute, but is at least nine
//! times the time that the last one took. So checkpoints take at most a tenth of the time.

use std::fs::{self, File, TryLockError};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use flate2::bufread::MultiGzDecoder;
use flate2::{CrcReader, CrcWriter};
use serde::{Deserialize, Serialize};

use crate::frontier::state::Residues;
use crate::frontier::step::Position;
use crate::frontier::store::Scratch;
use crate::frontier::sweep::Question;
use crate::frontier::{Bytes, Exact};
use hamcnf_programs::atomic_file::{AtomicFile, CannotWrite};
use hamcnf_programs::temporary::folder_of;

/// Number of the file format. Files with another number are rejected.
const FORMAT: u32 = 5;
/// Time until the first checkpoint.
const FIRST: Duration = Duration::from_secs(1);
/// Longest time between two checkpoints, unless a checkpoint takes more than a tenth of the time.
const LONGEST: Duration = Duration::from_secs(60);
/// Time to wait for the lock of another count.
const UNLOCKED: Duration = Duration::from_secs(2);
/// Maximum length in bytes of the first line of a file.
const LONGEST_HEAD: u64 = 1 << 24;

/// Reason why a checkpoint cannot be written or read.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    #[error("cannot read the checkpoint {}: {why}", file.display())]
    Read { file: PathBuf, why: io::Error },
    #[error(transparent)]
    Write(#[from] CannotWrite),
    /// Another count holds the lock.
    #[error("another count is using the checkpoint {}; wait for it, or choose another file", .0.display())]
    InUse(PathBuf),
    /// The file has another format.
    #[error("{} is not a checkpoint of this version of hamcnf; choose another file", .0.display())]
    Foreign(PathBuf),
    /// The checksum is wrong, or bytes are missing.
    #[error("the checkpoint {} is damaged; remove the file to start again", .0.display())]
    Damaged(PathBuf),
    /// The states in the file need more memory than allowed.
    #[error(
        "the states in the checkpoint {} need more than the memory limit of {}; allow more memory, or give a folder for temporary files with --scratch",
        file.display(), Bytes(*limit)
    )]
    Memory { file: PathBuf, limit: u64 },
    /// The file belongs to another count.
    #[error(
        "{} is the checkpoint of another count, of \"{question}\"; choose another file",
        file.display()
    )]
    Other { file: PathBuf, question: String },
}

/// First line of a file.
#[derive(Serialize, Deserialize)]
struct Head<S> {
    hamcnf: String,
    format: u32,
    /// Name of the question, for messages.
    question: String,
    /// CRC-32 of the sweeps, in hexadecimal digits.
    sweep: String,
    /// Number of vertices swept, for readers of the file.
    swept: usize,
    vertices: usize,
    #[serde(flatten)]
    saved: S,
    /// Number of positions that follow.
    positions: usize,
}

/// Answer to one of several questions, or residues of the answer.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct OfQuestion<T> {
    /// Index of the question.
    pub(crate) question: usize,
    #[serde(flatten)]
    pub(crate) known: T,
}

/// Content of a checkpoint.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// Position in the last question's sweep, followed by the position in the sweep of the question that is being
    /// answered, if it has branched off. The first line of a file does not have them.
    #[serde(skip)]
    pub(crate) positions: Vec<Position>,
    pub(crate) peak_states: usize,
    pub(crate) peak_bytes: u64,
    pub(crate) scratch_bytes: u64,
    pub(crate) generated: u64,
    /// Answers that are already known.
    pub(crate) answers: Vec<OfQuestion<Exact>>,
    /// Number of complete sweeps.
    pub(crate) finished_sweeps: usize,
    /// Number of primes of these sweeps.
    pub(crate) used_primes: usize,
    /// Primes modulo whose product the weights of the current sweep are taken; none if the weights are exact.
    pub(crate) primes: Vec<NonZero<u64>>,
    /// Answers that are known modulo some primes, in the order of their questions.
    pub(crate) residues: Vec<OfQuestion<Residues>>,
}

/// Numbers of any size in JSON: a text of decimal digits, or a list of them.
pub(crate) mod decimal {
    use num_bigint::BigUint;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(crate) fn serialize<S: Serializer>(number: &BigUint, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(number)
    }

    pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<BigUint, D::Error> {
        String::deserialize(from)?.parse().map_err(D::Error::custom)
    }

    pub(crate) mod list {
        use super::*;

        pub(crate) fn serialize<S: Serializer>(numbers: &[BigUint], to: S) -> Result<S::Ok, S::Error> {
            to.collect_seq(numbers.iter().map(BigUint::to_string))
        }

        pub(crate) fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Vec<BigUint>, D::Error> {
            let numbers = Vec::<String>::deserialize(from)?;
            numbers.iter().map(|number| number.parse().map_err(D::Error::custom)).collect()
        }
    }
}

/// Memory for the states of a checkpoint.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// Memory limit of the count in bytes, for messages.
    pub(crate) limit: u64,
    /// Number of bytes that the states may use.
    pub(crate) for_states: u64,
}

/// Writer of a count's checkpoints.
pub(crate) struct Checkpoint {
    file: PathBuf,
    question: String,
    sweep: String,
    vertices: usize,
    due: Instant,
    interval: Duration,
    /// Held until the end of the count.
    _lock: Lock,
}

impl Checkpoint {
    /// Returns the writer of a count's checkpoints, and the content of an existing file of the same count.
    pub(crate) fn open(
        file: &Path,
        questions: &[Question],
        scratch: Option<&Scratch>,
        room: Room,
    ) -> Result<(Self, Option<Saved>), CheckpointError> {
        let mut names: Vec<_> = questions.iter().map(|question| &*question.name).collect();
        // The turned and the flipped tours of a question are two questions of the same name.
        names.dedup();
        let new = Self {
            file: file.to_owned(),
            question: names.join(", "),
            sweep: checksum(questions),
            vertices: questions.last().map_or(0, |last| last.sweep.n()),
            due: Instant::now() + FIRST,
            interval: FIRST,
            _lock: Lock::on(file)?,
        };
        new.remove_unfinished();
        let saved = new.read(scratch, room)?;
        if saved.is_none() {
            // If the file cannot be written, the error occurs before the count, not after it.
            drop(AtomicFile::create(file)?);
        }
        Ok((new, saved))
    }

    /// Removes unfinished files of the same name, which a killed program left behind. Call this only with the lock:
    /// otherwise a running count could lose its file.
    fn remove_unfinished(&self) {
        let name = self.file.file_name().unwrap_or_default().to_string_lossy();
        for entry in fs::read_dir(folder_of(&self.file)).into_iter().flatten().flatten() {
            let other = entry.file_name();
            let other = other.to_string_lossy();
            let random = other
                .strip_prefix('.')
                .and_then(|rest| rest.strip_prefix(&*name)?.strip_prefix('.'))
                .and_then(|rest| rest.strip_suffix(".part"));
            if random.is_some_and(|random| random.len() == 6) {
                // If the file cannot be removed, it does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// True if the next checkpoint is due.
    pub(crate) fn is_due(&self) -> bool {
        Instant::now() >= self.due
    }

    /// Writes a checkpoint. The next one is due later, even if this one fails.
    pub(crate) fn save(&mut self, saved: &Saved) -> Result<(), CheckpointError> {
        let began = Instant::now();
        let written = self.write(saved);
        let took = began.elapsed();
        self.interval = (2 * self.interval).min(LONGEST).max(9 * took);
        self.due = Instant::now() + self.interval;
        Ok(written?)
    }

    fn write(&self, saved: &Saved) -> Result<(), CannotWrite> {
        let head = Head {
            hamcnf: "checkpoint".to_owned(),
            format: FORMAT,
            question: self.question.clone(),
            sweep: self.sweep.clone(),
            swept: saved.positions.first().map_or(0, Position::t),
            vertices: self.vertices,
            saved,
            positions: saved.positions.len(),
        };
        let io = CannotWrite::to(&self.file);
        let mut file = CrcWriter::new(AtomicFile::create(&self.file)?);
        let mut write = || {
            serde_json::to_writer(&mut file, &head)?;
            file.write_all(b"\n")?;
            for position in &saved.positions {
                position.write(&mut file)?;
            }
            let sum = file.crc().sum();
            file.get_mut().write_all(&sum.to_le_bytes())
        };
        write().map_err(&io)?;
        file.into_inner().finish_on_disk().map_err(io)
    }

    /// Reads the file. Returns `None` if there is no file.
    fn read(&self, scratch: Option<&Scratch>, room: Room) -> Result<Option<Saved>, CheckpointError> {
        let file = &self.file;
        let unreadable = |why| CheckpointError::Read { file: file.clone(), why };
        let damaged = || CheckpointError::Damaged(file.clone());
        let open = match File::open(file) {
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Ok(None),
            opened => opened.map_err(unreadable)?,
        };
        if !open.metadata().map_err(unreadable)?.is_file() {
            let why = io::Error::new(io::ErrorKind::InvalidInput, "the path is not a file");
            return Err(unreadable(why));
        }
        let plain = decompressed(BufReader::new(open)).map_err(unreadable)?;
        let mut from = CrcReader::new(plain);
        let foreign = || CheckpointError::Foreign(file.clone());
        let mut line = Vec::new();
        // A damaged compressed file, whose bytes cannot be read, is no checkpoint either.
        let read = from.by_ref().take(LONGEST_HEAD).read_until(b'\n', &mut line);
        read.map_err(|_| damaged())?;
        let head: Head<Saved> = serde_json::from_slice(&line).map_err(|_| foreign())?;
        if head.hamcnf != "checkpoint" || head.format != FORMAT {
            return Err(foreign());
        }
        if head.sweep != self.sweep {
            return Err(CheckpointError::Other { file: file.clone(), question: head.question });
        }
        let mut left = room.for_states;
        let mut is_too_large = false;
        let mut saved = head.saved;
        let mut rest = || -> Option<()> {
            for _ in 0..head.positions {
                let position = Position::read(&mut from, scratch, &mut left);
                let is_memory = |error: &io::Error| error.kind() == io::ErrorKind::OutOfMemory;
                is_too_large = position.as_ref().is_err_and(is_memory);
                saved.positions.push(position.ok()?);
            }
            let sum = from.crc().sum();
            let mut end = Vec::new();
            from.get_mut().read_to_end(&mut end).ok()?;
            (end == sum.to_le_bytes()).then_some(())
        };
        match rest() {
            None if is_too_large => Err(CheckpointError::Memory { file: file.clone(), limit: room.limit }),
            None => Err(damaged()),
            Some(()) => Ok(Some(saved)),
        }
    }

    /// Removes the file after the count.
    pub(crate) fn remove(&self) {
        // A file that cannot be removed does no harm: it resumes the count near its end.
        let _ = fs::remove_file(&self.file);
    }
}

/// Lock on a checkpoint, held by one count at a time. Dropping the value removes the file.
struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Locks a checkpoint.
    fn on(checkpoint: &Path) -> Result<Self, CheckpointError> {
        let name = checkpoint.file_name().unwrap_or_default();
        let name = format!(".{}.lock", name.to_string_lossy());
        let path = folder_of(checkpoint).join(name);
        let io = CannotWrite::to(checkpoint);
        let began = Instant::now();
        loop {
            let mut options = File::options();
            let options = options.write(true).create(true).truncate(false);
            let file = options.open(&path).map_err(&io)?;
            match file.try_lock() {
                // Another count may have removed the file before it was locked.
                Ok(()) if is_at(&file, &path) => return Ok(Self { path, _file: file }),
                Ok(()) => {}
                // A killed count holds its lock until its memory is free.
                Err(TryLockError::WouldBlock) => {}
                // Without locks, the user has to keep counts apart.
                Err(TryLockError::Error(why)) if why.kind() == io::ErrorKind::Unsupported => {
                    return Ok(Self { path, _file: file });
                }
                Err(TryLockError::Error(why)) => return Err(io(why).into()),
            }
            if began.elapsed() > UNLOCKED {
                return Err(CheckpointError::InUse(checkpoint.to_owned()));
            }
            std::thread::sleep(UNLOCKED / 100);
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // A file that is left behind does no harm. The file is unlocked after it is removed.
        let _ = fs::remove_file(&self.path);
    }
}

/// True if the path leads to the open file.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(open), Ok(named)) => id(open) == id(named),
        _ => false,
    }
}

/// True if the path leads to a file.
#[cfg(not(unix))]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// Returns the decompressed bytes of a file. The first bytes select the compression.
fn decompressed(mut file: BufReader<File>) -> io::Result<Box<dyn BufRead>> {
    let head = file.fill_buf()?;
    Ok(if head.starts_with(&[0x1f, 0x8b]) {
        Box::new(BufReader::new(MultiGzDecoder::new(file)))
    } else if head.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]) {
        Box::new(BufReader::new(zstd::Decoder::with_buffer(file)?))
    } else {
        Box::new(file)
    })
}

/// Returns the CRC-32 of the questions' sweeps, and of what is counted.
fn checksum(questions: &[Question]) -> String {
    let mut all = CrcWriter::new(io::sink());
    for question in questions {
        let Question { sweep, counted, directions, name: _ } = question;
        // Writing to a sink cannot fail.
        let _ = write!(all, "{directions} {counted:?} {sweep:?}");
    }
    format!("{:08x}", all.crc().sum())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frontier::Progress;
    use crate::frontier::answer::exact::tests::{closed, options};
    use crate::frontier::answer::exact::{ExactError, Options, counts};
    use crate::frontier::sweep::{Counted, Sweep};

    /// Tests that a second count of the same checkpoint is refused and removes no unfinished file, and that a file of an
    /// earlier lock does not matter.
    #[test]
    fn a_checkpoint_belongs_to_one_count() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("checkpoint");
        let unfinished = folder.path().join(".checkpoint.abcdef.part");
        fs::write(folder.path().join(".checkpoint.lock"), "").unwrap();
        let (instance, ends) = closed("5x6");
        let question = Question {
            name: instance.to_string(),
            sweep: Sweep::new(&instance, ends, 32).unwrap(),
            counted: Counted::All,
            directions: 1,
        };
        let room = Room { limit: u64::MAX, for_states: u64::MAX };
        let open = || Checkpoint::open(&file, std::slice::from_ref(&question), None, room);
        let (first, _) = open().unwrap();
        fs::write(&unfinished, "").unwrap();
        let second = open();
        let said = second.err().unwrap().to_string();
        let expected =
            format!("another count is using the checkpoint {}; wait for it, or choose another file", file.display());
        assert_eq!(said, expected);
        assert!(unfinished.exists());
        drop(first);
        drop(open().unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    /// Tests that a count goes on if no checkpoint can be written, and that a count ended by a limit names both reasons.
    #[test]
    fn a_checkpoint_that_cannot_be_written_ends_no_count() {
        let folder = tempfile::tempdir().unwrap();
        let run = |memory| {
            let inner = folder.path().join("inner");
            fs::create_dir(&inner).unwrap();
            let options = Options { memory, checkpoint: Some(inner.join("checkpoint")), ..options() };
            let mut remove = |at: Progress| {
                let _ = fs::remove_dir_all(&inner);
                if at.layer == 0 {
                    // The first checkpoint is due.
                    std::thread::sleep(FIRST);
                }
            };
            let (mut known, mut warnings) = (None, 0);
            let ended =
                counts(&[closed("5x6")], &options, &mut remove, &mut |_, exact| known = Some(exact.count), &mut |_| {
                    warnings += 1;
                });
            (ended, known, warnings)
        };
        let (ended, known, warnings) = run(1 << 30);
        ended.unwrap();
        assert_eq!((known, warnings), (Some(8u8.into()), 1));
        let (ended, _, warnings) = run(1 << 12);
        let error = ended.unwrap_err();
        assert!(matches!(error, ExactError::NotSaved { .. }), "{error}");
        let said = error.to_string();
        assert!(said.starts_with("the memory limit of "), "{said}");
        assert!(said.contains("; cannot write "), "{said}");
        assert_eq!(warnings, 1);
    }

    #[test]
    fn other_files_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("checkpoint");
        let stopped = Options { memory: 1 << 12, checkpoint: Some(file.clone()), ..options() };
        let error =
            |text: &str| counts(&[closed(text)], &stopped, &mut |_| (), &mut |_, _| (), &mut |_| ()).unwrap_err();
        assert!(matches!(error("5x6"), ExactError::Memory { .. }));
        let whole = fs::read(&file).unwrap();
        let said = |text: &str| match error(text) {
            ExactError::Checkpoint(error) => error.to_string(),
            error => panic!("{error}"),
        };
        assert!(said("6x5").contains("of another count, of \"5x6"));
        for length in [0, 1, whole.len() / 2, whole.len() - 1] {
            fs::write(&file, &whole[..length]).unwrap();
            let said = said("5x6");
            assert!(said.contains("is damaged") || said.contains("is not"), "{said}");
        }
        for at in (0..whole.len()).step_by(whole.len() / 97) {
            let mut changed = whole.clone();
            changed[at] ^= 1 << (at % 8);
            fs::write(&file, changed).unwrap();
            said("5x6");
        }
        fs::write(&file, [whole.as_slice(), b"\n"].concat()).unwrap();
        assert!(said("5x6").contains("is damaged"));
        fs::write(&file, &whole).unwrap();
        assert!(matches!(error("5x6"), ExactError::Memory { .. }));
    }
}
