//! Programs outside this process, and files: child processes and their limits, temporary files, atomic writing, and
//! the external programs that solve or count, which a TOML file lists.
//!
//! - [`process`]: a child process with limits on time and memory, which leaves no orphans.
//! - [`temporary`], [`atomic_file`]: files that vanish, and files that are either whole or absent.
//! - [`engine`]: external programs. [`config`]: parser of TOML files.
//!
//! This crate prints nothing.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

pub mod atomic_file;
pub mod config;
pub mod engine;
pub mod process;
pub mod temporary;
