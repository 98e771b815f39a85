//! Charts: values on two axes, and their drawing.
//!
//! A chart is drawn as a [`Scene`], which becomes SVG or PNG like the scene of a tour, without a font or another
//! program. Charts are readable in greyscale: every series has its own dashes and mark shape, in addition to its
//! colour. The colours are those of Okabe and Ito, in an order in which neighbours differ in lightness too. If a limit
//! ended a run, the mark of the run is hollow. Limits are drawn as labelled dashed lines.
//!
//! Two plotting libraries were tried. Kuva draws well, but takes half as long to compile as this whole program.
//! Plotters needs a font for PNG. Neither can mark censored points. A library would be needed only for axes, which
//! [`axis`] implements.
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

/// Maximum number of values for which a series has bars; more bars would hide each other.
pub const MOST_BARRED: usize = 40;

/// Chart of values on two axes.
#[derive(Clone, PartialEq, Debug)]
pub struct Chart {
    /// Name of the chart's files, without extension.
    pub name: String,
    pub title: String,
    /// Explanations below the chart, one per line.
    pub notes: Vec<String>,
    /// Horizontal axis, from left to right.
    pub x: Axis,
    /// Vertical axis, from bottom to top.
    pub y: Axis,
    /// Lines and points of the chart. The first series is painted last, on top of the others.
    pub series: Vec<Series>,
    /// Dashed reference lines.
    pub guides: Vec<Guide>,
    /// True if the area between the axes is a square.
    pub square: bool,
}

/// Series of values that are drawn in the same style.
#[derive(Clone, PartialEq, Debug)]
pub struct Series {
    /// Name of the series; `None` to draw the series in grey behind the others.
    pub name: Option<String>,
    /// Index of the style, which consists of colour, dashes and mark shape. A report uses the same index for a name in
    /// all charts. If `None`, the position among the named series of the chart is used.
    pub look: Option<usize>,
    /// True if a line joins the values, except censored ones.
    pub joined: bool,
    /// Values of the series, in the order of the line.
    pub dots: Vec<Dot>,
}

impl Series {
    /// Creates a series whose style depends on its name.
    pub fn new(name: String, joined: bool, dots: Vec<Dot>) -> Self {
        Self { name: Some(name), look: None, joined, dots }
    }
}

/// Value of a series, drawn as a mark.
#[derive(Clone, PartialEq, Debug)]
pub struct Dot {
    pub x: f64,
    pub y: f64,
    /// Lower and upper y of the error bar: an estimated error, or the minimum and the maximum of the runs.
    pub bar: Option<(f64, f64)>,
    /// True if the value is only a lower bound, because a limit ended the run.
    pub censored: bool,
    /// Tooltip of the value.
    pub about: About,
}

/// Content of a value's tooltip.
#[derive(Clone, PartialEq, Debug)]
pub enum About {
    /// Single row, given by its index in the data.
    Row(usize),
    /// Two rows to compare, given by their indices in the data.
    Rows(usize, usize),
    /// Median of several rows.
    Median {
        /// Number of rows.
        of: usize,
        /// Number of solved rows.
        answered: usize,
    },
    /// Text that is shown as it is.
    Words(String),
}

/// Dashed reference line with a label.
#[derive(Clone, PartialEq, Debug)]
pub enum Guide {
    /// Horizontal line at this y, with a label.
    Across(f64, String),
    /// Vertical line at this x, with a label.
    Upright(f64, String),
    /// Line on which y is this multiple of x, with a label.
    Times(f64, String),
}

/// Drawn chart, with the points that have tooltips.
#[derive(Clone, PartialEq, Debug)]
pub struct Drawn {
    pub scene: Scene,
    /// Points that have tooltips.
    pub hot: Vec<Hot>,
}

/// Position of a drawn value in the scene.
#[derive(Clone, PartialEq, Debug)]
pub struct Hot {
    /// Distance from the left edge, in units of the scene.
    pub x: f64,
    /// Distance from the top edge, in units of the scene.
    pub y: f64,
    /// Index of the value's series in the chart.
    pub series: usize,
    /// Index of the value in the series.
    pub dot: usize,
}
