//! Scenes as PNG, painted without fonts or other files of the machine. Equal scenes give equal bytes.
//!
//! Pictures have two pixels per unit, for screens of any density. Larger scenes are scaled down to 24 million pixels.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};

use super::glyphs;
use super::scene::{Anchor, Colour, Mark, PAPER, Point, Scene, Shape};

/// Pixels per unit.
const SCALE: f64 = 2.0;

/// Maximum number of pixels of a picture. A pixel takes four bytes while the picture is painted.
const MOST_PIXELS: f64 = 24e6;

/// Maximum width and height of a picture in pixels.
const LONGEST: f64 = 30_000.0;

/// Reason why a picture was not painted.
#[derive(Debug, thiserror::Error)]
pub enum PngError {
    /// The canvas is too large, or has no area.
    #[error("a picture of {0}x{1} pixels is too large")]
    Size(u32, u32),
    /// The pixels cannot be written as PNG.
    #[error("{0}x{1} pixels cannot be written as PNG: {2}")]
    Encoding(u32, u32, String),
}

/// Paints a scene and returns the bytes of a PNG file. Animations are shown in their final state, with the whole tour drawn.
///
/// # Errors
///
/// [`PngError`], with the size of the picture.
pub fn file(scene: &Scene) -> Result<Vec<u8>, PngError> {
    let fitting = (MOST_PIXELS / (scene.width * scene.height)).sqrt();
    let longest = LONGEST / scene.width.max(scene.height);
    let scale = SCALE.min(fitting).min(longest);
    let pixels = |units: f64| (units * scale).ceil().max(1.0) as u32;
    let (width, height) = (pixels(scene.width), pixels(scene.height));
    let mut canvas = Pixmap::new(width, height).ok_or(PngError::Size(width, height))?;
    canvas.fill(Color::from_rgba8(PAPER.0, PAPER.1, PAPER.2, 255));
    let scaled = Transform::from_scale(scale as f32, scale as f32);
    match scene.marks.len() > MANY {
        false => scene
            .marks
            .iter()
            .for_each(|mark| paint(&mut canvas, mark, scaled)),
        true => paint_many(&mut canvas, &scene.marks, scale),
    }
    canvas
        .encode_png()
        .map_err(|error| PngError::Encoding(width, height, error.to_string()))
}

/// Maximum number of marks of a scene that are painted one by one. In larger scenes, neighbouring marks are painted
/// together if the difference is invisible, because every path costs microseconds, however small it is.
const MANY: usize = 100_000;

/// Maximum area, in pixels, of a region whose shapes are painted together.
const TOGETHER: f64 = 4_000.0;

/// Width in pixels below which a rim is invisible.
const UNSEEN: f64 = 0.3;

/// Radius in pixels below which circles are painted as octagons.
const SMALL: f64 = 3.0;

/// Paints the marks of a large scene: neighbouring shapes of equal form and colour as one path.
fn paint_many(canvas: &mut Pixmap, marks: &[Mark], scale: f64) {
    let scaled = Transform::from_scale(scale as f32, scale as f32);
    let mut batch = Batch::default();
    for mark in marks {
        let rim = mark.outline.map_or(0.0, |(_, width)| 2.0 * width * scale);
        let form = match mark.shape {
            Shape::Rectangle { .. } => Some(Form::Rectangle),
            Shape::Circle { .. } => Some(Form::Circle),
            Shape::Polygon(_) => Some(Form::Polygon),
            _ => None,
        };
        let (Some(fill), Some(form), true) = (mark.fill, form, rim < UNSEEN) else {
            batch.paint(canvas, scaled);
            paint(canvas, mark, scaled);
            continue;
        };
        let (low, high) = mark.shape.bounds();
        let of = Some((form, fill));
        let with = |batch: &Batch| {
            let low = Point::new(batch.low.x.min(low.x), batch.low.y.min(low.y));
            let high = Point::new(batch.high.x.max(high.x), batch.high.y.max(high.y));
            (low, high)
        };
        let (all_low, all_high) = with(&batch);
        let area = (all_high.x - all_low.x) * (all_high.y - all_low.y) * scale * scale;
        if batch.of != of || area > TOGETHER {
            batch.paint(canvas, scaled);
            batch.of = of;
        }
        (batch.low, batch.high) = with(&batch);
        match &mark.shape {
            Shape::Circle { centre, radius } if radius * scale < SMALL => {
                octagon(&mut batch.path, *centre, *radius);
            }
            shape => {
                if let Some(path) = outline(shape) {
                    batch.path.push_path(&path);
                }
            }
        }
    }
    batch.paint(canvas, scaled);
}

/// Kinds of shapes. All outlines of a kind have the same direction. So overlapping shapes of one kind can be filled
/// together, as one path, without leaving holes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Rectangle,
    Circle,
    Polygon,
}

/// Shapes that are painted together.
struct Batch {
    path: PathBuilder,
    of: Option<(Form, Colour)>,
    low: Point,
    high: Point,
}

impl Default for Batch {
    fn default() -> Self {
        Self {
            path: PathBuilder::new(),
            of: None,
            low: Point::new(f64::INFINITY, f64::INFINITY),
            high: Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY),
        }
    }
}

impl Batch {
    fn paint(&mut self, canvas: &mut Pixmap, scaled: Transform) {
        let Self { path, of, .. } = std::mem::take(self);
        if let (Some(path), Some((_, fill))) = (path.finish(), of) {
            canvas.fill_path(&path, &colour(fill), FillRule::Winding, scaled, None);
        }
    }
}

/// Adds an octagon with about the same area as the circle.
fn octagon(path: &mut PathBuilder, centre: Point, radius: f64) {
    let radius = 1.054 * radius;
    let corner = |k: u32| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
        (
            (centre.x + radius * cos) as f32,
            (centre.y + radius * sin) as f32,
        )
    };
    let (x, y) = corner(0);
    path.move_to(x, y);
    for k in 1..8 {
        let (x, y) = corner(k);
        path.line_to(x, y);
    }
    path.close();
}

fn paint(canvas: &mut Pixmap, mark: &Mark, scaled: Transform) {
    if let Shape::Text {
        middle,
        anchor,
        size,
        text,
    } = &mark.shape
    {
        let written = written(text, *middle, *anchor, *size);
        if let (Some((path, width)), Some(fill)) = (written, mark.fill) {
            draw(canvas, &path, fill, width, &[], scaled);
        }
        return;
    }
    // A shape without area, such as a polygon without points, has no path, so it is invisible.
    let Some(path) = outline(&mark.shape) else {
        return;
    };
    if let Some((colour, width)) = mark.outline {
        // As in SVG, the outline is painted beneath the fill, which hides half of it.
        let width = if mark.fill.is_some() {
            2.0 * width
        } else {
            width
        };
        let dashes: &[f64] = match &mark.shape {
            Shape::Polyline { dashes, .. } => dashes,
            _ => &[],
        };
        draw(canvas, &path, colour, width, dashes, scaled);
    }
    if let Some(fill) = mark.fill {
        canvas.fill_path(&path, &colour(fill), FillRule::Winding, scaled, None);
    }
}

fn draw(
    canvas: &mut Pixmap,
    path: &Path,
    ink: Colour,
    width: f64,
    dashes: &[f64],
    scaled: Transform,
) {
    // Round caps would fill the gaps between dashes.
    let line_cap = match dashes {
        [] => LineCap::Round,
        _ => LineCap::Butt,
    };
    let stroke = Stroke {
        width: width as f32,
        line_cap,
        dash: StrokeDash::new(dashes.iter().map(|&dash| dash as f32).collect(), 0.0),
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    canvas.stroke_path(path, &colour(ink), &stroke, scaled, None);
}

fn colour(Colour(r, g, b): Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

fn outline(shape: &Shape) -> Option<Path> {
    let mut path = PathBuilder::new();
    match shape {
        Shape::Rectangle {
            corner,
            width,
            height,
            radius,
        } => {
            let (x, y, w, h) = (corner.x, corner.y, *width, *height);
            if *radius > 0.0 {
                rounded(&mut path, (x, y, w, h), *radius);
            } else {
                path.push_rect(Rect::from_xywh(x as f32, y as f32, w as f32, h as f32)?);
            }
        }
        Shape::Circle { centre, radius } => {
            path.push_circle(centre.x as f32, centre.y as f32, *radius as f32);
        }
        Shape::Polygon(points) => {
            along(&mut path, points);
            path.close();
        }
        Shape::Polyline { points, .. } => along(&mut path, points),
        Shape::Line(from, to) => {
            path.move_to(from.x as f32, from.y as f32);
            path.line_to(to.x as f32, to.y as f32);
        }
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
        let (line, corner, end) = (
            point(line.0, line.1),
            point(corner.0, corner.1),
            point(end.0, end.1),
        );
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
