//! Charts: what is to be seen on two axes, and how that is drawn.
//!
//! A chart is drawn as a [`Scene`], of which the same SVG and PNG come as of a tour's, without a font or another program. It
//! reads in grey: every series has its own dashes and its own shape of marks beside its colour, which are those of
//! Okabe and Ito in an order that keeps neighbours apart in lightness too. What was ended by a limit is an open mark, and a
//! limit is a dashed line with its name.
//!
//! Libraries for plots were tried: kuva draws well, but takes as long to compile as half of this program, and plotters needs a
//! font for its PNG; neither marks censored points. What is needed of them is axes, and these are [here](axis).
//!
//! # References
//!
//! - Masataka Okabe, Kei Ito: *Color Universal Design*, 2002.
//! - Edward Tufte: *The Visual Display of Quantitative Information*, 1983: names stand with the lines, no boxes.

pub mod axis;
pub mod cactus;
mod draw;
pub mod estimate;
mod kind;
pub mod scaling;
pub mod scatter;

pub use axis::{Axis, Scale};
pub use kind::{Input, Kind, LIST};

use hamcnf_render::Scene;

/// Series of more values than these have no bars: they would hide one another.
pub const MOST_BARRED: usize = 40;

/// What is to be seen on two axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// What its file is called, without an ending.
    pub name: String,
    /// What it shows, in a line.
    pub title: String,
    /// What is to be known of it, in lines.
    pub notes: Vec<String>,
    /// From left to right.
    pub x: Axis,
    /// From below upwards.
    pub y: Axis,
    /// Lines and points, first those that are painted last.
    pub series: Vec<Series>,
    /// Dashed lines for comparison.
    pub guides: Vec<Guide>,
    /// Whether the plane is as high as it is wide.
    pub square: bool,
}

/// Values with a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// What they are of; without a name they stand behind the others, in grey.
    pub name: Option<String>,
    /// How it looks, by a number that is the same for the same name in all charts of a report; else its place among those that
    /// have a name.
    pub look: Option<usize>,
    /// Whether a line joins them, as far as they are known.
    pub joined: bool,
    /// They.
    pub dots: Vec<Dot>,
}

/// A value.
#[derive(Clone, PartialEq, Debug)]
pub struct Dot {
    /// Its place on the x axis.
    pub x: f64,
    /// Its place on the y axis.
    pub y: f64,
    /// From where to where it may be, or was seen, on the y axis.
    pub bar: Option<(f64, f64)>,
    /// A limit ended it: it is only known not to be smaller.
    pub censored: bool,
    /// What is said of it under the pointer.
    pub about: About,
}

/// What is said of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum About {
    /// It is that of a row, by its number.
    Row(usize),
    /// It compares two rows, by their numbers.
    Rows(usize, usize),
    /// It is the median of several rows.
    Median {
        /// How many.
        of: usize,
        /// How many of them were answered.
        answered: usize,
    },
    /// These words.
    Words(String),
}

/// A line for comparison.
#[derive(Clone, PartialEq, Debug)]
pub enum Guide {
    /// Across, at this y.
    Across(f64, String),
    /// Upright, at this x.
    Upright(f64, String),
    /// y is so many times x.
    Times(f64, String),
}

/// A chart on its plane, and where on it something is said under the pointer.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    /// The picture.
    pub scene: Scene,
    /// Values by their places in it, in its units.
    pub hot: Vec<Hot>,
}

/// A place of a picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Hot {
    /// Units from the left.
    pub x: f64,
    /// Units from the top.
    pub y: f64,
    /// The series, by its number.
    pub series: usize,
    /// Its value that is there, by its number.
    pub dot: usize,
}

impl Chart {
    /// As a picture.
    #[must_use]
    pub fn drawn(&self) -> Drawn {
        draw::drawn(self)
    }
}
