//! Blocks of groups of states in memory or on disk. When the states use half of their memory, complete blocks are moved
//! to temporary files.
//!
//! A block is written once, and read by the thread that processes its shard, and for every checkpoint. Files have no
//! names, so their space is free again after any end of the program. A file takes about [`LARGEST`] bytes of blocks, in
//! the order in which they were completed. Its space is free after the last of these blocks has been dropped.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Size in bytes from which on a file takes no more blocks.
const LARGEST: u64 = 1 << 30;

/// A temporary file cannot be written or read.
#[derive(Debug, thiserror::Error)]
#[error("cannot use temporary files in {}: {why}", folder.display())]
pub struct ScratchError {
    /// Folder of the temporary files.
    pub folder: PathBuf,
    pub why: io::Error,
}

/// Temporary files for blocks, in one folder.
pub(crate) struct Scratch {
    folder: PathBuf,
    /// File for the next block.
    file: Mutex<Option<Arc<Blocks>>>,
    /// Number of bytes of all files.
    bytes: Arc<AtomicU64>,
    /// Largest value of `bytes` so far.
    peak: AtomicU64,
    /// First error.
    failed: OnceLock<io::Error>,
}

impl Scratch {
    /// Returns the temporary files in a folder. Creates the first of them, so that errors are noticed before the count.
    pub(crate) fn new(folder: &Path) -> Result<Self, ScratchError> {
        let scratch = Self {
            folder: folder.to_owned(),
            file: Mutex::default(),
            bytes: Arc::default(),
            peak: AtomicU64::new(0),
            failed: OnceLock::new(),
        };
        let first = scratch.file(0);
        first.map(|_| ()).map_err(|why| ScratchError { folder: folder.to_owned(), why })?;
        Ok(scratch)
    }

    /// Returns a file with room for a block of `length` bytes, and the position of the block.
    fn file(&self, length: u64) -> io::Result<(Arc<Blocks>, u64)> {
        // The file is only ever replaced as a whole, so it is valid even if a thread panicked.
        let mut open = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let has_room = |file: &Arc<Blocks>| file.end.load(Ordering::Relaxed) < LARGEST;
        let file = match open.take().filter(has_room) {
            Some(file) => file,
            None => Arc::new(Blocks {
                file: tempfile::tempfile_in(&self.folder)?,
                end: AtomicU64::new(0),
                all: Arc::clone(&self.bytes),
            }),
        };
        let at = file.end.fetch_add(length, Ordering::Relaxed);
        *open = Some(Arc::clone(&file));
        Ok((file, at))
    }

    /// Moves a block to disk. After an error, the block stays in memory, and [`failed`](Self::failed) returns the error.
    pub(crate) fn store(&self, block: &mut Block) {
        let Block::Memory(bytes) = block else { return };
        if self.has_failed() {
            return;
        }
        let stored = self.file(bytes.len() as u64).and_then(|(file, at)| {
            let now = self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
            self.peak.fetch_max(now + bytes.len() as u64, Ordering::Relaxed);
            file.file.write_all_at(bytes, at)?;
            let length = bytes.len();
            Ok(Block::Disk { file, at, length })
        });
        match stored {
            Ok(stored) => *block = stored,
            Err(error) => self.fail(error),
        }
    }

    /// Keeps an error, if it is the first.
    pub(crate) fn fail(&self, error: io::Error) {
        // A later error is less informative.
        let _ = self.failed.set(error);
    }

    /// True if there was an error.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.get().is_some()
    }

    /// Returns the first error, if there was one.
    pub(crate) fn failed(&self) -> Option<ScratchError> {
        let error = self.failed.get()?;
        Some(ScratchError {
            folder: self.folder.clone(),
            why: match error.raw_os_error() {
                Some(code) => io::Error::from_raw_os_error(code),
                None => error.kind().into(),
            },
        })
    }

    /// Takes the largest number of bytes of an earlier part of the count into account.
    pub(crate) fn resume(&self, peak: u64) {
        self.peak.fetch_max(peak, Ordering::Relaxed);
    }

    /// Returns the largest number of bytes on disk at one time.
    pub(crate) fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

/// Temporary file with blocks.
pub(crate) struct Blocks {
    file: File,
    end: AtomicU64,
    /// Number of bytes of all files.
    all: Arc<AtomicU64>,
}

impl Drop for Blocks {
    fn drop(&mut self) {
        self.all.fetch_sub(self.end.load(Ordering::Relaxed), Ordering::Relaxed);
    }
}

/// Block of complete groups.
#[derive(Clone)]
pub(crate) enum Block {
    /// Block in memory. It never grows beyond its initial capacity.
    Memory(Vec<u8>),
    /// Part of a file, which begins at the byte `at`.
    Disk { file: Arc<Blocks>, at: u64, length: usize },
}

impl Block {
    /// Returns the groups as bytes.
    pub(crate) fn bytes(&self) -> io::Result<Cow<'_, [u8]>> {
        match self {
            Self::Memory(bytes) => Ok(Cow::Borrowed(bytes)),
            Self::Disk { file, at, length } => {
                let mut bytes = vec![0; *length];
                file.file.read_exact_at(&mut bytes, *at)?;
                Ok(Cow::Owned(bytes))
            }
        }
    }

    /// Returns the number of bytes of the groups.
    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Memory(bytes) => bytes.len(),
            Self::Disk { length, .. } => *length,
        }
    }

    /// Returns the number of bytes that the block takes in memory.
    pub(crate) fn in_memory(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.capacity() as u64,
            Self::Disk { .. } => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_as_they_were_written() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path()).unwrap();
        let contents: Vec<Vec<u8>> = (0..50u8).map(|k| vec![k; 100 * usize::from(k)]).collect();
        let blocks: Vec<_> = contents
            .iter()
            .map(|bytes| {
                let mut block = Block::Memory(bytes.clone());
                scratch.store(&mut block);
                assert_eq!((block.in_memory(), block.len()), (0, bytes.len()));
                block
            })
            .collect();
        for (block, bytes) in blocks.iter().zip(&contents) {
            assert_eq!(*block.bytes().unwrap(), **bytes);
        }
        let all: usize = contents.iter().map(Vec::len).sum();
        assert_eq!(scratch.peak(), all as u64);
        // The files have no names.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        *scratch.file.lock().unwrap() = None;
        drop(blocks);
        assert_eq!(scratch.bytes.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_block_that_cannot_be_written_stays_in_memory() {
        let folder = tempfile::tempdir().unwrap();
        let scratch = Scratch::new(folder.path()).unwrap();
        // A device without room.
        let full = File::options().write(true).open("/dev/full").unwrap();
        *scratch.file.lock().unwrap() =
            Some(Arc::new(Blocks { file: full, end: AtomicU64::new(0), all: Arc::default() }));
        let mut block = Block::Memory(vec![7; 100]);
        scratch.store(&mut block);
        assert!(matches!(&block, Block::Memory(bytes) if *bytes == [7; 100]));
        let said = scratch.failed().unwrap().to_string();
        assert!(said.contains("No space left"), "{said}");
    }

    #[test]
    fn a_missing_folder_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        assert!(Scratch::new(&folder.path().join("none")).is_err());
    }
}
