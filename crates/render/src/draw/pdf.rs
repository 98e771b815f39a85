//! Scenes as PDF: one page with vector graphics. Texts are drawn as strokes, so no font is needed. Equal scenes give
//! equal bytes.
//!
//! One unit is 1/96 inch, as in SVG. Scenes that exceed the maximum size of a page are scaled down. Animations are
//! shown in their final state.
//!
//! # References
//!
//! - ISO 32000-1:2008, *Document management: Portable document format*. Annex C limits pages to 14 400 units of 1/72
//!   inch.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use pdf_writer::types::{LineCapStyle, LineJoinStyle};
use pdf_writer::{Content, Filter, Finish, Pdf, Rect, Ref, TextStr};
use tiny_skia::{Path, PathSegment, Point};

use super::path::{Brush, draw};
use super::scene::{Colour, PAPER, Scene};

/// Points (1/72 inch) per unit.
const SCALE: f64 = 0.75;

/// Maximum width and height of a page in points.
const LONGEST: f64 = 14_400.0;

/// Returns the bytes of a PDF file with the scene on its only page.
pub fn file(scene: &Scene) -> Vec<u8> {
    let scale = SCALE.min(LONGEST / scene.width.max(scene.height));
    let [width, height] = [scene.width, scene.height].map(|units| (units * scale) as f32);
    let [catalog, pages, page, contents, information] = [1, 2, 3, 4, 5].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(pages);
    pdf.pages(pages).kids([page]).count(1);
    pdf.page(page).media_box(Rect::new(0.0, 0.0, width, height)).parent(pages).contents(contents).resources().finish();
    let drawing = drawing(scene, scale as f32, height);
    match compressed(&drawing) {
        Ok(bytes) => drop(pdf.stream(contents, &bytes).filter(Filter::FlateDecode)),
        Err(_) => drop(pdf.stream(contents, &drawing)),
    }
    pdf.document_info(information).title(TextStr(&scene.title));
    pdf.finish()
}

fn compressed(bytes: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

fn drawing(scene: &Scene, scale: f32, height: f32) -> Vec<u8> {
    let mut content = Content::new();
    // In PDF, y grows upwards.
    content.transform([scale, 0.0, 0.0, -scale, 0.0, height]);
    content.set_line_join(LineJoinStyle::RoundJoin);
    fill_colour(&mut content, PAPER);
    content.rect(0.0, 0.0, scene.width as f32, scene.height as f32);
    content.fill_nonzero();
    for mark in &scene.marks {
        draw(mark, &mut content);
    }
    content.finish().to_vec()
}

impl Brush for Content {
    fn stroke(&mut self, path: &Path, ink: Colour, width: f64, dashes: &[f64]) {
        let [r, g, b] = components(ink);
        self.set_stroke_rgb(r, g, b);
        self.set_line_width(width as f32);
        // Round caps would fill the gaps between dashes.
        self.set_line_cap(match dashes {
            [] => LineCapStyle::RoundCap,
            _ => LineCapStyle::ButtCap,
        });
        self.set_dash_pattern(dashes.iter().map(|&dash| dash as f32), 0.0);
        trace(self, path);
        Content::stroke(self);
    }

    fn fill(&mut self, path: &Path, colour: Colour) {
        fill_colour(self, colour);
        trace(self, path);
        self.fill_nonzero();
    }
}

fn fill_colour(content: &mut Content, colour: Colour) {
    let [r, g, b] = components(colour);
    content.set_fill_rgb(r, g, b);
}

fn components(Colour(r, g, b): Colour) -> [f32; 3] {
    [r, g, b].map(|component| f32::from(component) / 255.0)
}

/// Adds a path. PDF has only cubic Bézier curves, so quadratic curves are written as cubic ones.
fn trace(content: &mut Content, path: &Path) {
    let mut at = Point::zero();
    for segment in path.segments() {
        match segment {
            PathSegment::MoveTo(to) => {
                content.move_to(to.x, to.y);
                at = to;
            }
            PathSegment::LineTo(to) => {
                content.line_to(to.x, to.y);
                at = to;
            }
            PathSegment::QuadTo(control, to) => {
                let third = |end: f32, control: f32| end + (control - end) * 2.0 / 3.0;
                content.cubic_to(
                    third(at.x, control.x),
                    third(at.y, control.y),
                    third(to.x, control.x),
                    third(to.y, control.y),
                    to.x,
                    to.y,
                );
                at = to;
            }
            PathSegment::CubicTo(first, second, to) => {
                content.cubic_to(first.x, first.y, second.x, second.y, to.x, to.y);
                at = to;
            }
            PathSegment::Close => {
                content.close_path();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::scene::{Mark, Point as Place, Shape};

    fn text(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }

    #[test]
    fn shapes_become_paths() {
        let square = Shape::Rectangle { corner: Place::new(10.0, 20.0), width: 30.0, height: 40.0, radius: 0.0 };
        let dashed =
            Shape::Polyline { points: vec![Place::new(0.0, 0.0), Place::new(50.0, 60.0)], dashes: &[4.0, 2.0] };
        let scene = Scene {
            title: "two shapes (and text)".to_owned(),
            width: 100.0,
            height: 80.0,
            marks: vec![
                Mark::filled(square, Colour(255, 0, 0)).outlined(Colour(0, 0, 255), 1.5),
                Mark::drawn(dashed, Colour(0, 255, 0), 2.0),
                Mark::text(Place::new(50.0, 40.0), 12.0, "17", Colour(0, 0, 0)),
            ],
        };
        let whole = text(&file(&scene));
        assert!(whole.starts_with("%PDF-"), "{whole}");
        for part in ["/MediaBox [0 0 75 60]", "(two shapes (and text))"] {
            assert!(whole.contains(part), "{part} is missing in {whole}");
        }
        let written = text(&drawing(&scene, 0.75, 60.0));
        for part in [
            "0.75 0 0 -0.75 0 60 cm",
            // Half of the stroke is beneath the fill.
            "0 0 1 RG\n3 w",
            "10 20 m\n40 20 l\n40 60 l\n10 60 l\nh\nf",
            "[4 2] 0 d\n0 0 m\n50 60 l\nS",
        ] {
            assert!(written.contains(part), "{part} is missing in {written}");
        }
        assert_eq!(file(&scene), file(&scene));
    }

    #[test]
    fn large_scenes_fit_a_page() {
        let scene = Scene { title: String::new(), width: 40_000.0, height: 20_000.0, marks: Vec::new() };
        assert!(text(&file(&scene)).contains("/MediaBox [0 0 14400 7200]"));
    }
}
