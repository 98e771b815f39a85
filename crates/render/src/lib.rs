//! Drawings of tours, and files with tours.
//!
//! A [`Picture`] and a [`Style`] determine a [`Scene`] of shapes. [`svg`], [`pdf`] and [`png`](mod@png) write the
//! scene, so that all files look alike. A [`sheet`] combines several pictures. [`terminal`] draws with characters.
//! [`file`](mod@file) writes and reads tours; [`tsplib`] writes and reads them in TSPLIB's format.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

#[cfg(feature = "draw")]
mod board;
#[cfg(feature = "draw")]
mod circle;
pub mod file;
#[cfg(feature = "draw")]
mod glyphs;
#[cfg(feature = "draw")]
mod path;
#[cfg(feature = "draw")]
pub mod pdf;
#[cfg(feature = "draw")]
mod picture;
#[cfg(feature = "draw")]
pub mod png;
#[cfg(feature = "draw")]
pub mod scene;
#[cfg(feature = "draw")]
pub mod sheet;
#[cfg(feature = "draw")]
mod style;
#[cfg(feature = "draw")]
pub mod svg;
#[cfg(feature = "draw")]
pub mod terminal;
#[cfg(feature = "draw")]
mod trail;
pub mod tsplib;

#[cfg(feature = "draw")]
pub use picture::Picture;
#[cfg(feature = "draw")]
pub use scene::Scene;
#[cfg(feature = "draw")]
pub use style::{Colours, Style};
