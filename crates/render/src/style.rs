//! How pictures are drawn.

/// Which colours a tour has.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Colours {
    /// From blue at the start through purple and red to orange at the last vertex.
    #[default]
    Along,
    /// Dark blue everywhere.
    One,
}

/// How pictures are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Style {
    /// Every vertex has the number of its visit, from 1.
    pub numbers: bool,
    /// The colours of tours.
    pub colours: Colours,
    /// The tour is drawn move by move, over and over. Only SVG moves.
    pub animate: bool,
}
