//! Where texts come from: files and standard input, as they are or compressed.
//!
//! What is compressed is seen from its first bytes, whatever its name: gzip (RFC 1952) and zstandard (RFC 8878).
//! A byte-order mark of UTF-8 is skipped.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use flate2::bufread::MultiGzDecoder;

/// A file, or standard input.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Source {
    /// The file, as it was named by the user.
    File(PathBuf),
    /// Standard input.
    StandardInput,
}

/// Why there is no text.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// It cannot be read, or not be decompressed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It is compressed in another way.
    #[error("it is compressed with {0}, and only gzip and zstandard are read here")]
    Compressed(&'static str),
    /// It is in the other encoding of Unicode.
    #[error("it is UTF-16, and only UTF-8 is read here")]
    Utf16,
    /// It is something else.
    #[error("it is not text: byte {0} is not UTF-8")]
    NotText(usize),
    /// It is UTF-8, but not a text that anybody writes.
    #[error("it is not text: byte {0} is zero")]
    Zero(usize),
}

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// What files begin with that are compressed in other ways.
const OTHERS: [(&str, &[u8]); 4] = [
    ("xz", b"\xfd7zXZ\0"),
    ("bzip2", b"BZh"),
    ("zip", b"PK\x03\x04"),
    ("lz4", b"\x04\x22\x4d\x18"),
];
const MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// The largest window that zstandard has: files made with `--long=31` need it.
const WINDOW_LOG: u32 = 31;

impl Source {
    /// That of this name; `-` is standard input.
    #[must_use]
    pub fn named(path: &Path) -> Self {
        if path.as_os_str() == "-" {
            Self::StandardInput
        } else {
            Self::File(path.to_owned())
        }
    }

    /// Its bytes, decompressed.
    ///
    /// # Errors
    ///
    /// If it cannot be opened or its beginning not be read.
    pub fn open(&self) -> io::Result<Box<dyn BufRead>> {
        match self {
            Self::File(path) => plain(BufReader::new(File::open(path)?)),
            Self::StandardInput => plain(io::stdin().lock()),
        }
    }

    /// Whether it can be read again and again: a file that is no pipe.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::File(file) => file.metadata().is_ok_and(|metadata| metadata.is_file()),
            Self::StandardInput => false,
        }
    }

    /// Whether there is something to read.
    #[must_use]
    pub fn is_there(&self) -> bool {
        match self {
            // Where it cannot be told, reading it says why.
            Self::File(file) => file.try_exists().unwrap_or(true) || self.kept().is_some(),
            Self::StandardInput => true,
        }
    }

    /// All of its text. What is gone when it has been read is read once: it is the same each time.
    ///
    /// # Errors
    ///
    /// [`SourceError`].
    pub fn text(&self) -> Result<String, SourceError> {
        if let Some(text) = self.kept() {
            return Ok(text);
        }
        let text = text(self.open()?)?;
        if !self.is_lasting() {
            self.keep(text.clone());
        }
        Ok(text)
    }

    /// Takes this for its text from now on: for a process that is given what another has read.
    pub fn keep(&self, text: String) {
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((self.clone(), text));
    }

    fn kept(&self) -> Option<String> {
        let kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().find(|(source, _)| source == self);
        found.map(|(_, text)| text.clone())
    }
}

/// The texts of what cannot be read again.
static KEPT: Mutex<Vec<(Source, String)>> = Mutex::new(Vec::new());

impl fmt::Display for Source {
    /// What it is called in messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => path.display().fmt(f),
            Self::StandardInput => f.write_str("standard input"),
        }
    }
}

/// Decompressed, without a byte-order mark.
fn plain<'a>(compressed: impl BufRead + 'a) -> io::Result<Box<dyn BufRead + 'a>> {
    let (head, bytes) = peek(compressed, ZSTANDARD.len())?;
    let bytes: Box<dyn BufRead + 'a> = if head.starts_with(GZIP) {
        Box::new(BufReader::new(MultiGzDecoder::new(bytes)))
    } else if head == ZSTANDARD {
        let mut decoder = zstd::Decoder::with_buffer(bytes)?;
        decoder.window_log_max(WINDOW_LOG)?;
        Box::new(BufReader::new(decoder))
    } else {
        Box::new(bytes)
    };
    let (head, mut bytes) = peek(bytes, MARK.len())?;
    if head == MARK {
        bytes.consume(MARK.len());
    }
    Ok(Box::new(bytes))
}

/// The first bytes, as many if there are as many, and all of them. A pipe may give them one by one.
fn peek<R: BufRead>(mut bytes: R, n: usize) -> io::Result<(Vec<u8>, impl BufRead + use<R>)> {
    let mut head = Vec::new();
    bytes.by_ref().take(n as u64).read_to_end(&mut head)?;
    let whole = Cursor::new(head.clone()).chain(bytes);
    Ok((head, whole))
}

fn text(mut bytes: impl Read) -> Result<String, SourceError> {
    let mut all = Vec::new();
    bytes.read_to_end(&mut all)?;
    if let Some((name, _)) = OTHERS.iter().find(|(_, head)| all.starts_with(head)) {
        return Err(SourceError::Compressed(name));
    }
    if all.starts_with(&[0xff, 0xfe]) || all.starts_with(&[0xfe, 0xff]) {
        return Err(SourceError::Utf16);
    }
    let text = String::from_utf8(all)
        .map_err(|error| SourceError::NotText(error.utf8_error().valid_up_to() + 1))?;
    match text.find('\0') {
        // Without a mark, digits have one byte that is zero.
        Some(0 | 1) if text.len() % 2 == 0 => Err(SourceError::Utf16),
        Some(zero) => Err(SourceError::Zero(zero + 1)),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::GzEncoder;
    use hamcnf_encodings::formats::{self, Format};
    use hamcnf_encodings::graph_strategy::graphs;
    use proptest::prelude::*;

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let mut encoder = GzEncoder::new(bytes, Compression::default());
        encoder.read_to_end(&mut packed).unwrap();
        packed
    }

    fn read(bytes: &[u8]) -> Result<String, String> {
        let bytes = plain(bytes).map_err(|error| error.to_string())?;
        text(bytes).map_err(|error| error.to_string())
    }

    #[test]
    fn compressed_texts_are_read_in_all_their_parts() {
        let pack = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
        for packed in [
            [gzipped(b"1 2\n"), gzipped(b"2 3\n")].concat(),
            [pack(b"1 2\n"), pack(b"2 3\n")].concat(),
            gzipped(b"\xef\xbb\xbf1 2\n2 3\n"),
            b"\xef\xbb\xbf1 2\n2 3\n".to_vec(),
        ] {
            assert_eq!(read(&packed), Ok("1 2\n2 3\n".to_owned()));
        }
        for (name, head) in OTHERS {
            let error = read(&[head, b" more"].concat()).unwrap_err();
            assert!(error.contains(name), "{error}");
        }
        // What was cut off is not taken for less.
        for packed in [gzipped(&[b'1'; 5000]), pack(&[b'1'; 5000])] {
            assert!(read(&packed[..packed.len() - 5]).is_err());
        }
        assert_eq!(read(b""), Ok(String::new()));
        assert_eq!(read(b"1"), Ok("1".to_owned()));
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let utf16 = "it is UTF-16, and only UTF-8 is read here";
        for (bytes, message) in [
            (&b"\xff\xfe1\0 \x002\0"[..], utf16),
            (b"\xfe\xff\x001\0 \x002", utf16),
            (b"1\0 \x002\0", utf16),
            (b"\x001\0 \x002", utf16),
            (b"1 2\n\xff", "it is not text: byte 5 is not UTF-8"),
            (b"1 2\n\x003", "it is not text: byte 5 is zero"),
        ] {
            assert_eq!(read(bytes), Err(message.to_owned()));
        }
    }

    proptest! {
        #[test]
        fn graphs_are_the_same_however_they_are_packed(
            graph in graphs(2..=8),
            mark in any::<bool>(),
            packing in 0..3u8,
        ) {
            for format in [Format::DIMACS, Format::TSPLIB, Format::EDGES_HEADER] {
                let mut bytes = if mark { MARK.to_vec() } else { Vec::new() };
                formats::write(format, &graph, &mut bytes).unwrap();
                let bytes = match packing {
                    0 => bytes,
                    1 => gzipped(&bytes),
                    _ => zstd::encode_all(&*bytes, 1).unwrap(),
                };
                let text = read(&bytes).unwrap();
                let listed = formats::read_as(&text, Some(format)).unwrap();
                prop_assert_eq!(listed.graph, graph.clone());
            }
        }

        #[test]
        fn any_bytes_are_text_or_an_error(
            head in proptest::sample::select(vec![GZIP, ZSTANDARD, MARK, &b""[..]]),
            rest in proptest::collection::vec(any::<u8>(), 0..40),
        ) {
            let _ = read(&[head, &rest].concat());
        }
    }
}
