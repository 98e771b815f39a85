//! Drawings of tours, and files with tours.
//!
//! A [`Scene`] of shapes shows a tour in a [`Style`]. [`svg`], [`pdf`] and [`png`](mod@png) write the
//! scene, so that all files look alike. A [`sheet`] combines several pictures. [`terminal`] draws with characters.
//! [`file`](mod@file) writes and reads tours; [`tsplib`] writes and reads them in TSPLIB's format.

#![forbid(unsafe_code)]
#![allow(missing_docs, reason = "internal crate: self-explanatory names need no docs")]

#[cfg(feature = "draw")]
mod draw;
pub mod file;
pub mod tsplib;

#[cfg(feature = "draw")]
pub use draw::{Colours, Scene, Style, pdf, png, scene, sheet, svg, terminal};
