//! Scenes: shapes on a plane, in the order in which they are painted.
//!
//! Lengths are in units, the pixels of the SVG's nominal size; x grows to the right and y downwards. The vertical
//! position of a text is the position of its middle. The viewer chooses the font, so each character is assumed to be
//! 0.64 of the text size wide: the maximum width of digits in common sans-serif fonts.

/// Colour as red, green and blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u8, pub u8, pub u8);

/// Colour of the background of all pictures. It keeps pictures readable on dark and light pages.
pub const PAPER: Colour = Colour(0xff, 0xfd, 0xf9);

/// Point of the plane.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Distance from the left in units.
    pub x: f64,
    /// Distance from the top in units.
    pub y: f64,
}

impl Point {
    pub const fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub fn plus(self, dx: f64, dy: f64) -> Self {
        Self::new(self.x + dx, self.y + dy)
    }
}

/// Shape of a scene.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// Rectangle with sides parallel to the axes.
    Rectangle {
        /// Top left corner.
        corner: Point,
        width: f64,
        height: f64,
        /// Radius of the rounded corners; 0 for square corners.
        radius: f64,
    },
    Circle {
        centre: Point,
        radius: f64,
    },
    Polygon(Vec<Point>),
    /// Straight lines from point to point; drawn by their outline, without interior.
    Polyline {
        points: Vec<Point>,
        /// Alternating lengths of dashes and gaps, repeated; empty for a solid line.
        dashes: &'static [f64],
    },
    /// Line of text.
    Text {
        /// Position of the text: the horizontal position of the part that `anchor` selects, and the vertical position
        /// of the middle of a digit.
        middle: Point,
        /// Part of the text that is placed at `middle`.
        anchor: Anchor,
        /// Font size in units.
        size: f64,
        text: String,
    },
}

/// Part of a text that is placed at the text's position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Anchor {
    /// Beginning of the text.
    Start,
    /// Middle of the text.
    #[default]
    Middle,
    /// End of the text.
    End,
}

/// Returns the maximum width of a text with the given font size.
pub fn text_width(text: &str, size: f64) -> f64 {
    0.64 * size * text.chars().count() as f64
}

/// Returns the corners of the smallest upright rectangle around points, with the least and the greatest coordinates.
pub(super) fn hull(points: &[Point]) -> (Point, Point) {
    let infinite = f64::INFINITY;
    points.iter().fold((Point::new(infinite, infinite), Point::new(-infinite, -infinite)), |(low, high), p| {
        (Point::new(low.x.min(p.x), low.y.min(p.y)), Point::new(high.x.max(p.x), high.y.max(p.y)))
    })
}

impl Shape {
    /// Returns a straight line.
    pub fn line(from: Point, to: Point) -> Self {
        Self::Polyline { points: vec![from, to], dashes: &[] }
    }

    /// Returns the top left and the bottom right corner of the shape's bounding box, without its outline.
    pub fn bounds(&self) -> (Point, Point) {
        let around = |centre: Point, dx: f64, dy: f64| (centre.plus(-dx, -dy), centre.plus(dx, dy));
        match self {
            Self::Rectangle { corner, width, height, .. } => (*corner, corner.plus(*width, *height)),
            Self::Circle { centre, radius } => around(*centre, *radius, *radius),
            Self::Polygon(points) | Self::Polyline { points, .. } => hull(points),
            Self::Text { middle, anchor, size, text } => {
                let half = text_width(text, *size) / 2.0;
                let shift = match anchor {
                    Anchor::Start => half,
                    Anchor::Middle => 0.0,
                    Anchor::End => -half,
                };
                around(middle.plus(shift, 0.0), half, size / 2.0)
            }
        }
    }

    fn shift(&mut self, dx: f64, dy: f64) {
        let shift = |point: &mut Point| *point = point.plus(dx, dy);
        match self {
            Self::Rectangle { corner, .. } => shift(corner),
            Self::Circle { centre, .. } => shift(centre),
            Self::Polygon(points) | Self::Polyline { points, .. } => points.iter_mut().for_each(shift),
            Self::Text { middle, .. } => shift(middle),
        }
    }
}

/// Times at which a mark is visible in animations. Still pictures show all marks.
#[derive(Clone, PartialEq, Debug)]
pub enum Timing {
    /// Visible at all times.
    Always,
    /// Visible from the time `at` until the end of each animation cycle.
    From {
        /// Seconds from the beginning of each animation cycle.
        at: f64,
        /// Duration of one animation cycle, in seconds.
        cycle: f64,
    },
    /// Circle that moves from point to point in straight lines. All moves take the same time.
    Along {
        /// Points in order. The first is the centre of the circle.
        places: Vec<Point>,
        /// Duration of one animation cycle, in seconds.
        cycle: f64,
    },
}

/// Shape with its colours and timing.
#[derive(Clone, PartialEq, Debug)]
pub struct Mark {
    pub shape: Shape,
    /// Colour of the interior; `None` for no interior.
    pub fill: Option<Colour>,
    /// Colour and width of the outline. If the shape has no fill, the outline is a line centred on the boundary.
    pub outline: Option<(Colour, f64)>,
    pub timing: Timing,
}

impl Mark {
    pub fn filled(shape: Shape, fill: Colour) -> Self {
        Self { shape, fill: Some(fill), outline: None, timing: Timing::Always }
    }

    pub fn outlined(self, colour: Colour, width: f64) -> Self {
        Self { outline: Some((colour, width)), ..self }
    }

    /// Creates a mark with an outline and without an interior.
    pub fn drawn(shape: Shape, colour: Colour, width: f64) -> Self {
        Self { shape, fill: None, outline: Some((colour, width)), timing: Timing::Always }
    }

    pub fn text(middle: Point, size: f64, text: impl Into<String>, fill: Colour) -> Self {
        Self::text_at(middle, Anchor::Middle, size, text, fill)
    }

    pub fn text_at(middle: Point, anchor: Anchor, size: f64, text: impl Into<String>, fill: Colour) -> Self {
        let text = text.into();
        let shape = Shape::Text { middle, anchor, size, text };
        Self::filled(shape, fill)
    }

    /// Returns the width of the stroke that shows an outline of the given width. Outlines are painted beneath the fill,
    /// which hides half of the stroke.
    pub(super) fn stroke_width(&self, outline: f64) -> f64 {
        match self.fill {
            Some(_) => 2.0 * outline,
            None => outline,
        }
    }

    /// Returns the lengths of dashes and gaps, alternating; empty for a solid line.
    pub(super) fn dashes(&self) -> &'static [f64] {
        match self.shape {
            Shape::Polyline { dashes, .. } => dashes,
            _ => &[],
        }
    }

    pub fn disc(centre: Point, radius: f64, fill: Colour) -> Self {
        Self::filled(Shape::Circle { centre, radius }, fill)
    }

    fn shift(&mut self, dx: f64, dy: f64) {
        self.shape.shift(dx, dy);
        if let Timing::Along { places, .. } = &mut self.timing {
            for place in places {
                *place = place.plus(dx, dy);
            }
        }
    }
}

/// Finished drawing, ready to be written.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// Description of the drawing in words.
    pub title: String,
    /// Width in units.
    pub width: f64,
    /// Height in units.
    pub height: f64,
    /// Marks in painting order.
    pub marks: Vec<Mark>,
}

impl Scene {
    /// Adds another scene, with its top left corner at the given point.
    pub(super) fn put(&mut self, scene: Self, corner: Point) {
        self.marks.extend(scene.marks.into_iter().map(|mut mark| {
            mark.shift(corner.x, corner.y);
            mark
        }));
    }
}
