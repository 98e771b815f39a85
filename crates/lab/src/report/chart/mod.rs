//! Charts: values on two axes, and their drawing.
//!
//! A chart is drawn as a [`Scene`], from which SVG and PNG are made as for tours, without a font or another program. Charts are
//! readable in grey: besides its colour, every series has its own dashes and mark shape. The colours are those of Okabe and
//! Ito, in an order that makes neighbours differ in lightness too. Runs that a limit ended are open marks, and a limit is a
//! labelled dashed line.
//!
//! Plot libraries were tried: kuva draws well, but takes half as long to compile as this whole program, and plotters needs a
//! font for PNG; neither marks censored points. The only part needed from them is axes, which are [here](axis).
//!
//! # References
//!
//! - Masataka Okabe, Kei Ito: *Color Universal Design*, 2002.
//! - Edward Tufte: *The Visual Display of Quantitative Information*, 1983: names next to the lines, no boxes.

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

/// Maximum number of values of a series with bars; more bars would hide each other.
pub const MOST_BARRED: usize = 40;

/// Values on two axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// File name without extension.
    pub name: String,
    /// Title in one line.
    pub title: String,
    /// Notes, one per line.
    pub notes: Vec<String>,
    /// Horizontal axis, from left to right.
    pub x: Axis,
    /// Vertical axis, from bottom to top.
    pub y: Axis,
    /// Lines and points; the first series is painted last.
    pub series: Vec<Series>,
    /// Dashed lines for comparison.
    pub guides: Vec<Guide>,
    /// True if the plane is a square.
    pub square: bool,
}

/// Series of values.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Name of the series; series without a name are drawn in grey behind the others.
    pub name: Option<String>,
    /// Number of the look, which is the same for equal names in all charts of a report; `None` to use the index among the
    /// series with a name.
    pub look: Option<usize>,
    /// True if a line joins the values that are not censored.
    pub joined: bool,
    /// Values of the series.
    pub dots: Vec<Dot>,
}

/// Value of a series.
#[derive(Clone, PartialEq, Debug)]
pub struct Dot {
    /// Position on the x axis.
    pub x: f64,
    /// Position on the y axis.
    pub y: f64,
    /// Range of the value on the y axis: an error estimate, or the minimum and maximum.
    pub bar: Option<(f64, f64)>,
    /// True if a limit ended the run, so that the value is only a lower bound.
    pub censored: bool,
    /// Tooltip of the value.
    pub about: About,
}

/// Tooltip of a value.
#[derive(Clone, PartialEq, Debug)]
pub enum About {
    /// Single row, by its index.
    Row(usize),
    /// Comparison of two rows, by their indices.
    Rows(usize, usize),
    /// Median of several rows.
    Median {
        /// Number of rows.
        of: usize,
        /// Number of solved rows.
        answered: usize,
    },
    /// Text that is shown unchanged.
    Words(String),
}

/// Line for comparison, with a label.
#[derive(Clone, PartialEq, Debug)]
pub enum Guide {
    /// Horizontal line at this y.
    Across(f64, String),
    /// Vertical line at this x.
    Upright(f64, String),
    /// Line where y is this multiple of x.
    Times(f64, String),
}

/// Drawn chart with the places that have tooltips.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    pub scene: Scene,
    /// Places of values, in units of the scene.
    pub hot: Vec<Hot>,
}

/// Place of a value in the picture.
#[derive(Clone, PartialEq, Debug)]
pub struct Hot {
    /// Units from the left.
    pub x: f64,
    /// Units from the top.
    pub y: f64,
    /// Index of the series.
    pub series: usize,
    /// Index of the value in the series.
    pub dot: usize,
}

impl Chart {
    /// Draws the chart.
    #[must_use]
    pub fn drawn(&self) -> Drawn {
        draw::drawn(self)
    }
}
