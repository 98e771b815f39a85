//! What a picture consists of: shapes on a plane, in the order in which they are painted.
//!
//! Lengths are in units, which are the pixels of the SVG's nominal size; x grows to the right and y
//! downwards. Text is placed by its middle and given 0.64 of its size a character, which is as wide as the
//! digits of common sans-serif fonts get: the font itself is the viewer's.

/// A colour: red, green, blue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Colour(pub u8, pub u8, pub u8);

/// What everything is painted on. Pictures bring their own ground, so that they are as readable on a dark
/// page as on a light one.
pub const PAPER: Colour = Colour(0xff, 0xfd, 0xf9);

/// A place.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Units from the left.
    pub x: f64,
    /// Units from the top.
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

/// A shape.
#[derive(Clone, PartialEq, Debug)]
pub enum Shape {
    /// An upright rectangle.
    Rectangle {
        /// Its top left corner.
        corner: Point,
        /// Its width.
        width: f64,
        /// Its height.
        height: f64,
        /// The radius of its rounded corners.
        radius: f64,
    },
    /// A circle.
    Circle {
        /// Its centre.
        centre: Point,
        /// Its radius.
        radius: f64,
    },
    /// A polygon.
    Polygon(Vec<Point>),
    /// A straight line, which has an outline only.
    Line(Point, Point),
    /// Straight lines from one place to the next, which have an outline only.
    Polyline {
        /// The places.
        points: Vec<Point>,
        /// How long the line is there, is not, is there, ... again and again; without any it is whole.
        dashes: &'static [f64],
    },
    /// A line of text.
    Text {
        /// What [`Anchor`] says of it, and its middle in height, for digits.
        middle: Point,
        /// What of it is at the place.
        anchor: Anchor,
        /// The font's size.
        size: f64,
        /// The text.
        text: String,
    },
}

/// What of a text is at its place.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Anchor {
    /// Its beginning.
    Start,
    /// Its middle.
    #[default]
    Middle,
    /// Its end.
    End,
}

/// How wide a text of this size is at most.
#[must_use]
pub fn text_width(text: &str, size: f64) -> f64 {
    0.64 * size * text.chars().count() as f64
}

impl Shape {
    /// The corners of the upright rectangle that holds the shape, without its outline.
    #[must_use]
    pub fn bounds(&self) -> (Point, Point) {
        let around = |centre: Point, dx: f64, dy: f64| (centre.plus(-dx, -dy), centre.plus(dx, dy));
        let hull = |points: &[Point]| {
            let infinite = f64::INFINITY;
            points.iter().fold(
                (
                    Point::new(infinite, infinite),
                    Point::new(-infinite, -infinite),
                ),
                |(low, high), p| {
                    (
                        Point::new(low.x.min(p.x), low.y.min(p.y)),
                        Point::new(high.x.max(p.x), high.y.max(p.y)),
                    )
                },
            )
        };
        match self {
            Self::Rectangle {
                corner,
                width,
                height,
                ..
            } => (*corner, corner.plus(*width, *height)),
            Self::Circle { centre, radius } => around(*centre, *radius, *radius),
            Self::Polygon(points) | Self::Polyline { points, .. } => hull(points),
            Self::Line(from, to) => hull(&[*from, *to]),
            Self::Text {
                middle,
                anchor,
                size,
                text,
            } => {
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
            Self::Polygon(points) | Self::Polyline { points, .. } => {
                points.iter_mut().for_each(shift);
            }
            Self::Line(from, to) => [from, to].into_iter().for_each(shift),
            Self::Text { middle, .. } => shift(middle),
        }
    }
}

/// When a mark is seen, where pictures move. Pictures that stand still show all of it.
#[derive(Clone, PartialEq, Debug)]
pub enum Timing {
    /// Always.
    Always,
    /// From then on, again in every cycle.
    From {
        /// Seconds from the cycle's beginning.
        at: f64,
        /// Seconds of a cycle.
        cycle: f64,
    },
    /// A circle that moves through these places, in straight lines and equal times.
    Along {
        /// Where it is, the place of its shape first.
        places: Vec<Point>,
        /// Seconds of a cycle.
        cycle: f64,
    },
}

/// A shape with its paint.
#[derive(Clone, PartialEq, Debug)]
pub struct Mark {
    /// The shape.
    pub shape: Shape,
    /// The colour inside.
    pub fill: Option<Colour>,
    /// The colour of a rim around the shape, and its width.
    pub outline: Option<(Colour, f64)>,
    /// When it is seen.
    pub timing: Timing,
}

impl Mark {
    pub fn filled(shape: Shape, fill: Colour) -> Self {
        Self {
            shape,
            fill: Some(fill),
            outline: None,
            timing: Timing::Always,
        }
    }

    pub fn outlined(self, colour: Colour, width: f64) -> Self {
        Self {
            outline: Some((colour, width)),
            ..self
        }
    }

    /// What has no inside.
    pub fn drawn(shape: Shape, colour: Colour, width: f64) -> Self {
        Self {
            shape,
            fill: None,
            outline: Some((colour, width)),
            timing: Timing::Always,
        }
    }

    pub fn text(middle: Point, size: f64, text: impl Into<String>, fill: Colour) -> Self {
        Self::text_at(middle, Anchor::Middle, size, text, fill)
    }

    pub fn text_at(
        middle: Point,
        anchor: Anchor,
        size: f64,
        text: impl Into<String>,
        fill: Colour,
    ) -> Self {
        let text = text.into();
        let shape = Shape::Text {
            middle,
            anchor,
            size,
            text,
        };
        Self::filled(shape, fill)
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

/// All that is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// What it shows, in words.
    pub title: String,
    /// Its width.
    pub width: f64,
    /// Its height.
    pub height: f64,
    /// What is painted, first to last.
    pub marks: Vec<Mark>,
}

impl Scene {
    /// Puts another scene here with its top left corner at this place.
    pub(super) fn put(&mut self, scene: Self, corner: Point) {
        self.marks.extend(scene.marks.into_iter().map(|mut mark| {
            mark.shift(corner.x, corner.y);
            mark
        }));
    }
}
