//! Stands in for bindgen when rustsat-cadical is built in this workspace.
//!
//! Its build script asks bindgen for Rust declarations of three C headers. bindgen needs libclang for them, and takes 25
//! seconds to compile. `cadical.rs` contains the same declarations, for all platforms. They are given only for the headers
//! that they were written for, so another version of rustsat-cadical, or of CaDiCaL, cannot get them: its build fails with
//! the name of the header. Then either bring `cadical.rs` and `HEADERS` up to date, or remove `[patch.crates-io]` from
//! Cargo.toml, and the real bindgen is used again.

#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// Headers whose declarations are in `cadical.rs`, with their checksums (FNV-1a, 64 bits).
const HEADERS: [(&str, u64); 3] = [
    ("ccadical.h", 0x0759_0875_5559_25f1),
    ("ccadical_extension.h", 0x0b43_4810_658c_fd39),
    ("ctracer.h", 0xfe56_9786_4a02_b158),
];

/// Requested headers.
#[derive(Default)]
pub struct Builder(Vec<PathBuf>);

impl Builder {
    /// Does nothing: the declarations suit all versions of Rust.
    pub fn rust_target(self, _: String) -> Self {
        self
    }

    /// Does nothing: the macros are those of CaDiCaL 2.2.1 without the feature "tracing" of rustsat-cadical.
    pub fn clang_arg(self, _: impl AsRef<str>) -> Self {
        self
    }

    /// Notes a header whose declarations are needed.
    pub fn allowlist_file(self, path: impl AsRef<str>) -> Self {
        self.header(path.as_ref())
    }

    /// Does nothing: `cadical.rs` lacks the item.
    pub fn blocklist_item(self, _: impl AsRef<str>) -> Self {
        self
    }

    /// Does nothing: `cadical.rs` lacks the function.
    pub fn blocklist_function(self, _: impl AsRef<str>) -> Self {
        self
    }

    /// Notes a header whose declarations are needed.
    pub fn header(mut self, path: impl Into<String>) -> Self {
        self.0.push(path.into().into());
        self
    }

    /// Returns the declarations.
    ///
    /// # Errors
    ///
    /// If a header is another than those of `cadical.rs`, or cannot be read.
    pub fn generate(self) -> Result<Bindings, Error> {
        self.0.iter().try_for_each(|path| check_header(path))?;
        Ok(Bindings)
    }
}

/// Checks that `cadical.rs` has the declarations of a header.
fn check_header(path: &Path) -> Result<(), Error> {
    let text = fs::read(path).map_err(|error| Error(format!("{}: {error}", path.display())))?;
    let lines = text.into_iter().filter(|byte| *byte != b'\r');
    let sum = lines.fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    if HEADERS.iter().any(|(name, checksum)| path.ends_with(name) && *checksum == sum) {
        return Ok(());
    }
    Err(Error(format!(
        "{} (checksum {sum:#x}) is not a header with known declarations: see the stand-in for bindgen",
        path.display()
    )))
}

/// Declarations of all headers.
pub struct Bindings;

impl Bindings {
    /// Writes the declarations to a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be written.
    pub fn write_to_file(&self, path: impl AsRef<Path>) -> io::Result<()> {
        fs::write(path, include_str!("cadical.rs"))
    }
}

/// Error for an unreadable or unknown header.
pub struct Error(String);

impl fmt::Debug for Error {
    /// Writes the reason as a sentence: the build script prints it so.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.0)
    }
}
