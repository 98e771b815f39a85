//! Drawings of tours.

mod board;
mod circle;
mod glyphs;
mod path;
pub mod pdf;
mod picture;
pub mod png;
pub mod scene;
pub mod sheet;
mod style;
pub mod svg;
pub mod terminal;
mod trail;

pub use scene::Scene;
pub use style::{Colours, Style};
