//! Conversion of marks to paths, for PNG and PDF files. The path of a shape is its outline; the path of a text consists
//! of the strokes of its letters. A [`Brush`] draws the paths.

use tiny_skia::{Path, PathBuilder, Rect};

use super::glyphs;
use super::scene::{Anchor, Colour, Mark, Point, Shape};

/// Canvas that draws paths.
pub(super) trait Brush {
    /// Draws a line of this width along a path. `dashes` has alternating lengths of dashes and gaps.
    fn stroke(&mut self, path: &Path, ink: Colour, width: f64, dashes: &[f64]);

    /// Fills the inside of a path.
    fn fill(&mut self, path: &Path, colour: Colour);
}

/// Draws a mark. A shape without area and without length, such as a polygon without points, is invisible.
pub(super) fn draw(mark: &Mark, brush: &mut impl Brush) {
    if let Shape::Text { middle, anchor, size, text } = &mark.shape {
        if let (Some((path, width)), Some(ink)) = (written(text, *middle, *anchor, *size), mark.fill) {
            brush.stroke(&path, ink, width, &[]);
        }
        return;
    }
    let Some(path) = outline(&mark.shape) else { return };
    if let Some((ink, width)) = mark.outline {
        brush.stroke(&path, ink, mark.stroke_width(width), mark.dashes());
    }
    if let Some(fill) = mark.fill {
        brush.fill(&path, fill);
    }
}

/// Returns the outline of a shape; `None` if it has no area and no length, or if it is a text.
pub(super) fn outline(shape: &Shape) -> Option<Path> {
    let mut path = PathBuilder::new();
    match shape {
        Shape::Rectangle { corner, width, height, radius } => {
            let (x, y, w, h) = (corner.x, corner.y, *width, *height);
            if *radius > 0.0 {
                rounded(&mut path, (x, y, w, h), *radius);
            } else {
                path.push_rect(Rect::from_xywh(x as f32, y as f32, w as f32, h as f32)?);
            }
        }
        Shape::Circle { centre, radius } => path.push_circle(centre.x as f32, centre.y as f32, *radius as f32),
        Shape::Polygon(points) => {
            along(&mut path, points);
            path.close();
        }
        Shape::Polyline { points, .. } => along(&mut path, points),
        Shape::Text { .. } => return None,
    }
    path.finish()
}

fn along(path: &mut PathBuilder, points: &[Point]) {
    for (k, point) in points.iter().enumerate() {
        let (x, y) = (point.x as f32, point.y as f32);
        if k == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
}

fn rounded(path: &mut PathBuilder, (x, y, w, h): (f64, f64, f64, f64), r: f64) {
    let (left, right, top, bottom) = (x, x + w, y, y + h);
    let point = |x: f64, y: f64| (x as f32, y as f32);
    let start = point(left + r, top);
    path.move_to(start.0, start.1);
    for (line, corner, end) in [
        ((right - r, top), (right, top), (right, top + r)),
        ((right, bottom - r), (right, bottom), (right - r, bottom)),
        ((left + r, bottom), (left, bottom), (left, bottom - r)),
        ((left, top + r), (left, top), (left + r, top)),
    ] {
        let (line, corner, end) = (point(line.0, line.1), point(corner.0, corner.1), point(end.0, end.1));
        path.line_to(line.0, line.1);
        path.quad_to(corner.0, corner.1, end.0, end.1);
    }
    path.close();
}

/// Returns the strokes of a text at its position, and the width of the pen; `None` if the text has no strokes.
fn written(text: &str, middle: Point, anchor: Anchor, size: f64) -> Option<(Path, f64)> {
    let (strokes, width) = glyphs::strokes(text);
    let unit = size / glyphs::EM;
    let before = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => width / 2.0,
        Anchor::End => width,
    };
    let at = |x: f64, y: f64| {
        let place = middle.plus((x - before) * unit, (y - glyphs::BASELINE / 2.0) * unit);
        (place.x as f32, place.y as f32)
    };
    let mut path = PathBuilder::new();
    for stroke in strokes {
        match stroke {
            glyphs::Stroke::Move(x, y) => {
                let (x, y) = at(x, y);
                path.move_to(x, y);
            }
            glyphs::Stroke::Line(x, y) => {
                let (x, y) = at(x, y);
                path.line_to(x, y);
            }
            glyphs::Stroke::Curve([a, b, c, d, e, f]) => {
                let ((a, b), (c, d), (e, f)) = (at(a, b), at(c, d), at(e, f));
                path.cubic_to(a, b, c, d, e, f);
            }
        }
    }
    Some((path.finish()?, glyphs::PEN * unit))
}
