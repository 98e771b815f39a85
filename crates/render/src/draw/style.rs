//! Styles of pictures.

/// Colours of a tour.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Colours {
    /// Gradient from blue at the start through purple and red to orange at the last vertex.
    #[default]
    Along,
    /// Dark blue throughout.
    One,
}

/// Style of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// True if every vertex shows the number of its visit, 1-based.
    pub numbers: bool,
    /// Colours of tours.
    pub colours: Colours,
    /// True if the tour is drawn move by move, repeatedly. Only SVG is animated.
    pub animate: bool,
}
