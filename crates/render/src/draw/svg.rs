//! Scenes as SVG: plain shapes, and text in the viewer's sans-serif font, without scripts. Equal scenes give equal
//! bytes.
//!
//! Animations use `animate` elements, which browsers support in `img` elements too. Programs without animations show
//! the whole tour. Outlines are painted beneath the fill.

use std::fmt::{self, Display, Write};

use super::scene::{Anchor, Colour, Mark, PAPER, Scene, Shape, Timing};
use super::style::{Colours, Style};

/// Returns the scene as an SVG document.
pub fn document(scene: &Scene) -> String {
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = write(&mut text, scene);
    text
}

/// Estimates the size in bytes of a drawing that shows a tour with the given number of vertices. The estimate adds
/// average sizes of moves, numbers and animations.
pub fn bytes_of_tour(vertices: u64, style: Style) -> u64 {
    let moves = match (style.animate, style.colours) {
        (true, _) => 565,
        (false, Colours::Along) => 285,
        (false, Colours::One) => 240,
    };
    let number = if style.numbers { 50 } else { 0 };
    vertices * (moves + number)
}

/// Estimates the size in bytes of the drawing of queens on a board.
pub fn bytes_of_placement(squares: u64) -> u64 {
    squares * 30
}

fn write(out: &mut String, scene: &Scene) -> fmt::Result {
    let (width, height) = (Units(scene.width.ceil()), Units(scene.height.ceil()));
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica,Arial,sans-serif\" \
         text-anchor=\"middle\" paint-order=\"stroke\" stroke-linejoin=\"round\" role=\"img\">"
    )?;
    writeln!(out, "<title>{}</title>", Escaped(&scene.title))?;
    writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"{PAPER}\"/>")?;
    // Neighbouring marks with the same paint share a group, so that the paint is written once. Fills may differ within
    // a group.
    for group in scene.marks.chunk_by(|a, b| paint(a) == paint(b)) {
        let common = group[0].fill;
        let common = group.iter().all(|mark| mark.fill == common).then_some(common);
        write!(out, "<g")?;
        if let Some(fill) = common {
            filled(out, fill)?;
        }
        writeln!(out, "{}>", paint(&group[0]))?;
        for mark in group {
            shape(out, mark, common.is_none())?;
        }
        writeln!(out, "</g>")?;
    }
    writeln!(out, "</svg>")
}

fn filled(out: &mut String, fill: Option<Colour>) -> fmt::Result {
    match fill {
        Some(fill) => write!(out, " fill=\"{fill}\""),
        None => write!(out, " fill=\"none\""),
    }
}

/// Returns the attributes that all marks of a group share.
fn paint(mark: &Mark) -> String {
    let mut text = String::new();
    if let Some((colour, width)) = mark.outline {
        let width = Units(mark.stroke_width(width));
        let _ = write!(text, " stroke=\"{colour}\" stroke-width=\"{width}\"");
    }
    match &mark.shape {
        Shape::Text { size, anchor, .. } => {
            let _ = write!(text, " font-size=\"{}\"", Units(*size));
            match anchor {
                Anchor::Start => text.push_str(" text-anchor=\"start\""),
                Anchor::Middle => {}
                Anchor::End => text.push_str(" text-anchor=\"end\""),
            }
        }
        _ if !mark.dashes().is_empty() => {
            let dashes: Vec<_> = mark.dashes().iter().map(|&dash| Units(dash).to_string()).collect();
            let _ = write!(text, " stroke-dasharray=\"{}\"", dashes.join(" "));
        }
        _ => {}
    }
    text
}

fn shape(out: &mut String, mark: &Mark, own_fill: bool) -> fmt::Result {
    let name = match &mark.shape {
        Shape::Rectangle { corner, width, height, radius } => {
            let (x, y) = (Units(corner.x), Units(corner.y));
            let (width, height) = (Units(*width), Units(*height));
            write!(out, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"")?;
            if *radius > 0.0 {
                write!(out, " rx=\"{}\"", Units(*radius))?;
            }
            "rect"
        }
        Shape::Circle { centre, radius } => {
            let (x, y, r) = (Units(centre.x), Units(centre.y), Units(*radius));
            write!(out, "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\"")?;
            "circle"
        }
        Shape::Polygon(points) => {
            write!(out, "<polygon points=\"")?;
            for (k, point) in points.iter().enumerate() {
                let gap = if k > 0 { " " } else { "" };
                write!(out, "{gap}{},{}", Units(point.x), Units(point.y))?;
            }
            write!(out, "\"")?;
            "polygon"
        }
        Shape::Polyline { points, .. } => {
            write!(out, "<path d=\"")?;
            for (k, point) in points.iter().enumerate() {
                let to = if k == 0 { 'M' } else { 'L' };
                write!(out, "{to}{} {}", Units(point.x), Units(point.y))?;
            }
            write!(out, "\"")?;
            "path"
        }
        Shape::Text { middle, size, text, .. } => {
            // The height of capitals and digits is 0.7 times the font size.
            let (x, y) = (Units(middle.x), Units(middle.y + 0.35 * size));
            write!(out, "<text x=\"{x}\" y=\"{y}\"")?;
            if own_fill {
                filled(out, mark.fill)?;
            }
            return writeln!(out, ">{}</text>", Escaped(text));
        }
    };
    if own_fill {
        filled(out, mark.fill)?;
    }
    match &mark.timing {
        Timing::Always => writeln!(out, "/>"),
        Timing::From { at, cycle } => {
            let part = at / cycle;
            writeln!(
                out,
                "><animate attributeName=\"opacity\" values=\"0;1\" keyTimes=\"0;{part:.4}\" \
                 calcMode=\"discrete\" dur=\"{cycle:.2}s\" repeatCount=\"indefinite\"/></{name}>"
            )
        }
        Timing::Along { places, cycle } => {
            write!(out, ">")?;
            let xs: Vec<_> = places.iter().map(|p| Units(p.x).to_string()).collect();
            let ys: Vec<_> = places.iter().map(|p| Units(p.y).to_string()).collect();
            for (attribute, values) in [("cx", xs), ("cy", ys)] {
                write!(
                    out,
                    "<animate attributeName=\"{attribute}\" values=\"{}\" dur=\"{cycle:.2}s\" \
                     repeatCount=\"indefinite\"/>",
                    values.join(";")
                )?;
            }
            writeln!(out, "</{name}>")
        }
    }
}

impl Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Length, written with one decimal place. Differences below one decimal place are invisible.
struct Units(f64);

impl Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns a negative zero into a positive one.
        write!(f, "{}", (self.0 * 10.0).round() / 10.0 + 0.0)
    }
}

/// Text, written with the escapes of XML. Control characters, which XML cannot represent, are replaced.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c if c.is_control() => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
