//! Tours to look at, and tours in files.
//!
//! A [`Picture`] says what is drawn and a [`Style`] how; together they are a [`Scene`] of shapes, which
//! [`svg`] writes and [`png`](mod@png) paints, so that both show the same. Several pictures are one
//! [`sheet`]. [`terminal`] draws with characters, and [`file`](mod@file) writes tours and reads them
//! again, [`tsplib`] as TSPLIB has them.

#![forbid(unsafe_code)]
#![allow(
    missing_docs,
    reason = "the inside of the program: a name that says enough needs no more"
)]

#[cfg(feature = "draw")]
mod board;
#[cfg(feature = "draw")]
mod circle;
pub mod file;
#[cfg(feature = "draw")]
mod glyphs;
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
