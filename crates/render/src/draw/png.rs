//! Painting of scenes as PNG files. The painter reads no fonts or other files, and equal scenes give equal bytes.
//!
//! A picture has two pixels per unit of its scene, so that it is sharp on high-density screens as well. A scene is
//! scaled down if its picture would have more than about 24 million pixels, or a side of more than 30 000 pixels.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash, Transform};

use super::path::{Brush, draw, outline};
use super::scene::{Colour, Mark, PAPER, Point, Scene, Shape, hull};

/// Pixels per unit.
const SCALE: f64 = 2.0;

/// Maximum number of pixels of a picture. A pixel takes four bytes while the picture is painted.
const MOST_PIXELS: f64 = 24e6;

/// Maximum width and height of a picture in pixels.
const LONGEST: f64 = 30_000.0;

/// Reason why a picture was not painted, as a sentence.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct PngError(String);

/// Paints a scene and returns the bytes of a PNG file. Animations are shown in their final state, with the whole tour
/// drawn.
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
    let too_large = || PngError(format!("a picture of {width}x{height} pixels is too large"));
    let mut canvas = Pixmap::new(width, height).ok_or_else(too_large)?;
    canvas.fill(Color::from_rgba8(PAPER.0, PAPER.1, PAPER.2, 255));
    let scaled = Transform::from_scale(scale as f32, scale as f32);
    match scene.marks.len() > MANY {
        false => scene.marks.iter().for_each(|mark| paint(&mut canvas, mark, scaled)),
        true => paint_many(&mut canvas, &scene.marks, scale),
    }
    let png = canvas.encode_png();
    png.map_err(|error| PngError(format!("{width}x{height} pixels cannot be written as PNG: {error}")))
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
        let with = |batch: &Batch| hull(&[batch.low, batch.high, low, high]);
        let (all_low, all_high) = with(&batch);
        let area = (all_high.x - all_low.x) * (all_high.y - all_low.y) * scale * scale;
        if batch.of != of || area > TOGETHER {
            batch.paint(canvas, scaled);
            batch.of = of;
        }
        (batch.low, batch.high) = with(&batch);
        let path = match &mark.shape {
            Shape::Circle { centre, radius } if radius * scale < SMALL => outline(&octagon(*centre, *radius)),
            shape => outline(shape),
        };
        if let Some(path) = path {
            batch.path.push_path(&path);
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
        let (low, high) = hull(&[]);
        Self { path: PathBuilder::new(), of: None, low, high }
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

/// Returns an octagon with about the same area as the circle.
fn octagon(centre: Point, radius: f64) -> Shape {
    let radius = 1.054 * radius;
    let corner = |k: u32| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::FRAC_PI_4).sin_cos();
        centre.plus(radius * cos, radius * sin)
    };
    Shape::Polygon((0..8).map(corner).collect())
}

/// Canvas whose paths are scaled.
struct Scaled<'a> {
    canvas: &'a mut Pixmap,
    scaled: Transform,
}

impl Brush for Scaled<'_> {
    fn stroke(&mut self, path: &Path, ink: Colour, width: f64, dashes: &[f64]) {
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
        let paint = colour(ink);
        self.canvas.stroke_path(path, &paint, &stroke, self.scaled, None);
    }

    fn fill(&mut self, path: &Path, fill: Colour) {
        let paint = colour(fill);
        self.canvas.fill_path(path, &paint, FillRule::Winding, self.scaled, None);
    }
}

fn paint(canvas: &mut Pixmap, mark: &Mark, scaled: Transform) {
    draw(mark, &mut Scaled { canvas, scaled });
}

fn colour(Colour(r, g, b): Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}
