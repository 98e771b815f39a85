//! Tours to look at, and tours in files.
//!
//! A [`Picture`] says what is drawn and a [`Style`] how; together they are a [`Scene`] of shapes, which
//! [`svg`] writes and [`png`](mod@png) paints, so that both show the same. Several pictures are one
//! [`sheet`]. [`terminal`] draws with characters, and [`file`](mod@file) writes tours and reads them
//! again, [`tsplib`] as TSPLIB has them.

mod board;
mod circle;
pub mod file;
mod glyphs;
mod picture;
pub mod png;
pub mod scene;
pub mod sheet;
mod style;
pub mod svg;
pub mod terminal;
mod trail;
pub mod tsplib;

pub use picture::Picture;
pub use scene::Scene;
pub use style::{Colours, Style};
