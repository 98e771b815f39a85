//! Texts in files and on standard input, plain or compressed.
//!
//! The first bytes of a file, not its name, determine how it is compressed. Gzip (RFC 1952) and zstandard (RFC 8878)
//! are supported. A UTF-8 byte-order mark is skipped.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use flate2::bufread::MultiGzDecoder;

use super::lines::Lines;

/// File, or standard input.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum TextSource {
    /// File, with the path as the user typed it.
    File(PathBuf),
    /// Standard input, named `-`.
    StandardInput,
}

/// Largest size of a text that is read as a whole, in bytes.
const LARGEST: u64 = 1 << 31;

const GZIP: &[u8] = &[0x1f, 0x8b];
const ZSTANDARD: &[u8] = &[0x28, 0xb5, 0x2f, 0xfd];
/// Names and first bytes of unsupported compression formats.
const OTHERS: [(&str, &[u8]); 4] =
    [("xz", b"\xfd7zXZ\0"), ("bzip2", b"BZh"), ("zip", b"PK\x03\x04"), ("lz4", b"\x04\x22\x4d\x18")];
const MARK: &[u8] = &[0xef, 0xbb, 0xbf];

/// Base-2 logarithm of the largest zstandard window that is accepted. Files made with `--long=31` need this size.
const WINDOW_LOG: u32 = 31;

impl TextSource {
    /// Returns the file at this path; `-` means standard input.
    pub fn named(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::StandardInput } else { Self::File(path.to_owned()) }
    }

    /// Opens the text and decompresses it.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if the file cannot be opened, or its first bytes cannot be read.
    pub fn open(&self) -> io::Result<Box<dyn BufRead + Send>> {
        match self {
            // Headers of formulas and lines of tables name the file.
            Self::File(path) if path.to_string_lossy().contains(['\n', '\r']) => {
                let why = "its name contains a line end; rename the file";
                Err(io::Error::new(ErrorKind::InvalidFilename, why))
            }
            Self::File(path) => plain(BufReader::new(File::open(path)?)),
            Self::StandardInput => plain(BufReader::new(io::stdin())),
        }
    }

    /// Opens the text like [`open`](Self::open). Reading fails within a line that is too long for any graph or clause.
    ///
    /// # Errors
    ///
    /// Errors of [`open`](Self::open).
    pub fn lines(&self) -> io::Result<Box<dyn BufRead + Send>> {
        Ok(Box::new(Lines::new(self.open()?)))
    }

    /// True if the source is a regular file, which can be read again. Accesses the disk.
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::File(file) => file.metadata().is_ok_and(|metadata| metadata.is_file()),
            Self::StandardInput => false,
        }
    }

    /// Reads the whole text.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if the source cannot be read or is not a text.
    pub fn text(&self) -> io::Result<String> {
        text(self.open()?)
    }
}

/// Text that takes the place of a source, because the source cannot be read again or because only one of its graphs is
/// needed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stream {
    pub source: TextSource,
    /// Number of the only graph in `text`, counted from 1 in the source; `None` if `text` is the whole text.
    pub number: Option<usize>,
    pub text: Arc<str>,
}

/// Access to files and standard input. The caller may supply texts, which replace the contents of the files on disk.
///
/// Standard input and pipes can be read only once. `Files` keeps their texts for later loads and for a worker.
#[derive(Debug, Default)]
pub struct Files {
    texts: Mutex<Vec<Stream>>,
}

impl Files {
    /// Returns access to files in which `stream` replaces the contents of its source. The caller has already read
    /// `stream`.
    pub fn with(stream: Stream) -> Self {
        Self { texts: Mutex::new(vec![stream]) }
    }

    /// True if the source exists, or if only reading it can show whether it exists.
    pub fn has(&self, source: &TextSource) -> bool {
        match source {
            TextSource::File(file) => {
                // A long question is too long for the name of a file. After other errors, a file may exist.
                let may_exist = |error: &io::Error| error.kind() != ErrorKind::InvalidFilename;
                let exists = file.try_exists();
                let is_kept = self.texts().iter().any(|kept| kept.source == *source);
                is_kept || exists.unwrap_or_else(|error| may_exist(&error))
            }
            TextSource::StandardInput => true,
        }
    }

    /// Reads a text, or returns the kept text of the source.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if the source cannot be read or is not a text.
    pub fn text(&self, source: &TextSource) -> io::Result<Arc<str>> {
        match self.kept(source, None) {
            None if source.is_lasting() => Ok(source.text()?.into()),
            _ => self.read_and_keep(source),
        }
    }

    /// Reads a text, and keeps it for later loads, even if the source can be read again.
    pub(super) fn read_and_keep(&self, source: &TextSource) -> io::Result<Arc<str>> {
        match self.kept(source, None) {
            Some(text) => Ok(text),
            None => self.keep(source, source.open()?),
        }
    }

    /// Reads the whole text of a source from `bytes`, and keeps it for later loads.
    pub(super) fn keep(&self, source: &TextSource, bytes: impl Read) -> io::Result<Arc<str>> {
        let text: Arc<str> = text(bytes)?.into();
        self.texts().push(Stream { source: source.clone(), number: None, text: Arc::clone(&text) });
        Ok(text)
    }

    /// Returns the text of a source, or of the graph with this number in it, if it was kept: the caller supplied the
    /// text, or the text was read from a stream before.
    pub(super) fn kept(&self, source: &TextSource, number: Option<usize>) -> Option<Arc<str>> {
        let texts = self.texts();
        let kept = texts.iter().find(|kept| kept.source == *source && kept.number == number)?;
        Some(Arc::clone(&kept.text))
    }

    fn texts(&self) -> MutexGuard<'_, Vec<Stream>> {
        self.texts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Display for TextSource {
    /// Writes the path, or `standard input`, for messages.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => f.write_str(&path.display().to_string().replace('\n', "\\n")),
            Self::StandardInput => f.write_str("standard input"),
        }
    }
}

/// Returns the decompressed bytes without a byte-order mark.
fn plain<'a>(compressed: impl BufRead + Send + 'a) -> io::Result<Box<dyn BufRead + Send + 'a>> {
    let (head, bytes) = peek(compressed, ZSTANDARD.len())?;
    let bytes: Box<dyn BufRead + Send + 'a> = if head.starts_with(GZIP) {
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

/// Returns the first `n` bytes, or all bytes if there are fewer, and a reader that starts at the first byte. Reads
/// repeatedly, since a pipe may deliver the bytes one by one.
fn peek<R: BufRead>(mut bytes: R, n: usize) -> io::Result<(Vec<u8>, impl BufRead + use<R>)> {
    let mut head = Vec::new();
    bytes.by_ref().take(n as u64).read_to_end(&mut head)?;
    let whole = Cursor::new(head.clone()).chain(bytes);
    Ok((head, whole))
}

fn text(bytes: impl Read) -> io::Result<String> {
    let wrong = |what: String| Err(io::Error::new(ErrorKind::InvalidData, format!("the file is {what}")));
    let is_zero = |zero: usize| format!("not text: byte {} is zero", zero + 1);
    let mut all = Vec::new();
    // The beginning of most devices and files that are no texts shows what they are.
    let mut bytes = bytes.take(1 << 16);
    bytes.read_to_end(&mut all)?;
    if let Some((name, _)) = OTHERS.iter().find(|(_, head)| all.starts_with(head)) {
        return wrong(format!("compressed with {name}, but only gzip and zstandard are supported"));
    }
    if let Some(code) = all.strip_prefix(b">>").and_then(|rest| rest.split(|&byte| b"< ".contains(&byte)).next())
        && code.ends_with(b"_code")
    {
        let code = String::from_utf8_lossy(code);
        return wrong(format!("plantri's {code}, which is not supported; write graph6 with `plantri -g`"));
    }
    if !is_utf16(&all)
        && let Some(zero) = all.iter().position(|&byte| byte == 0)
        && str::from_utf8(&all[..zero]).is_ok()
    {
        return wrong(is_zero(zero));
    }
    bytes.set_limit(LARGEST);
    bytes.read_to_end(&mut all)?;
    if bytes.limit() == 0 {
        return Err(io::Error::other(format!("the file has more than {} GiB", LARGEST >> 30)));
    }
    if is_utf16(&all) {
        return wrong("UTF-16 text, but only UTF-8 is supported".to_owned());
    }
    match String::from_utf8(all) {
        Ok(text) => match text.find('\0') {
            Some(zero) => wrong(is_zero(zero)),
            None => Ok(text),
        },
        Err(error) => wrong(format!("not text: byte {} is not UTF-8", error.utf8_error().valid_up_to() + 1)),
    }
}

/// True if the bytes are text in UTF-16: the first character is a byte-order mark or in ASCII, and no character is a
/// control character or unassigned.
fn is_utf16(bytes: &[u8]) -> bool {
    let unit: fn([u8; 2]) -> u16 = match bytes {
        [0xff, 0xfe, ..] => u16::from_le_bytes,
        [0xfe, 0xff, ..] => u16::from_be_bytes,
        [0, 0, ..] => return false,
        [_, 0, ..] => u16::from_le_bytes,
        [0, _, ..] => u16::from_be_bytes,
        _ => return false,
    };
    let (units, rest) = bytes.as_chunks::<2>();
    let is_text = |c: char| c.is_whitespace() || !c.is_control() && c < '\u{e000}' || c == '\u{feff}';
    let mut characters = char::decode_utf16(units.iter().map(|&two| unit(two)));
    rest.is_empty() && characters.all(|c| c.is_ok_and(is_text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::read::GzEncoder;
    use hamcnf_graph::formats::{self, Format};
    use hamcnf_graph::graph_strategy::graphs;
    use proptest::prelude::*;

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut packed = Vec::new();
        let mut encoder = GzEncoder::new(bytes, Compression::default());
        encoder.read_to_end(&mut packed).unwrap();
        packed
    }

    fn read(bytes: &[u8]) -> io::Result<String> {
        text(plain(bytes)?)
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
            assert_eq!(read(&packed).unwrap(), "1 2\n2 3\n");
        }
        for (name, head) in OTHERS {
            let error = read(&[head, b" more"].concat()).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
        // Truncated files are rejected.
        for packed in [gzipped(&[b'1'; 5000]), pack(&[b'1'; 5000])] {
            assert!(read(&packed[..packed.len() - 5]).is_err());
        }
        assert_eq!(read(b"").unwrap(), "");
        assert_eq!(read(b"1").unwrap(), "1");
    }

    #[test]
    fn what_is_no_text_is_refused() {
        let utf16 = "the file is UTF-16 text, but only UTF-8 is supported";
        for (bytes, message) in [
            (&b"\xff\xfe1\0 \x002\0"[..], utf16),
            (b"\xfe\xff\x001\0 \x002", utf16),
            (b"1\0 \x002\0", utf16),
            (b"\x001\0 \x002", utf16),
            (b"1 2\n\xff", "the file is not text: byte 5 is not UTF-8"),
            (b"1 2\n\x003", "the file is not text: byte 5 is zero"),
            (
                b">>planar_code<<\x04\x02\x03\x00",
                "the file is plantri's planar_code, which is not supported; write graph6 with `plantri -g`",
            ),
            // Random bytes, with and without the beginning of UTF-16.
            (b"\xff\xfe\x03\xd8\x01\x02", "the file is not text: byte 1 is not UTF-8"),
            (b"\x07\x00\x12\x34", "the file is not text: byte 2 is zero"),
            (b"\xfe\xff\x00", "the file is not text: byte 1 is not UTF-8"),
        ] {
            assert_eq!(read(bytes).unwrap_err().to_string(), message);
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
                let listed = formats::Reading { format: Some(format), ..Default::default() }.of_text(&text).unwrap();
                prop_assert_eq!(&listed.graph, &graph);
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
