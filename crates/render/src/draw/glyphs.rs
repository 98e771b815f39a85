//! Letters, digits and a few signs as strokes, for PNG pictures: they need no installed font and look alike everywhere.
//!
//! A glyph is drawn on a grid. Digits, capitals and letters with an ascender reach from y = 0 down to the baseline,
//! y = 7. Other letters begin at y = 2; descenders end at y = 9. `M x y` lifts the pen and moves it, `L x y` draws a
//! line, and `C` with two control points and an end point draws a Bézier curve.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Font size in grid units.
pub(super) const EM: f64 = 10.0;

/// y coordinate of the baseline in grid units.
pub(super) const BASELINE: f64 = 7.0;

/// Width of the pen in grid units.
pub(super) const PEN: f64 = 0.95;

/// Gap between glyphs in grid units.
const SPACE: f64 = 1.7;

/// Move of the pen, in grid units.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Stroke {
    /// Move without drawing.
    Move(f64, f64),
    /// Straight line to a point.
    Line(f64, f64),
    /// Bézier curve, as x and y of two control points and of the end.
    Curve([f64; 6]),
}

/// Returns the strokes of a text that begins at x = 0, and the width of the text in grid units.
pub(super) fn strokes(text: &str) -> (Vec<Stroke>, f64) {
    let (mut strokes, mut x) = (Vec::new(), 0.0);
    for c in text.chars() {
        let (width, path) = glyph(c);
        strokes.extend(parse(path).map(|stroke| match stroke {
            Stroke::Move(a, b) => Stroke::Move(a + x, b),
            Stroke::Line(a, b) => Stroke::Line(a + x, b),
            Stroke::Curve([a, b, c, d, e, f]) => Stroke::Curve([a + x, b, c + x, d, e + x, f]),
        }));
        x += width + SPACE;
    }
    (strokes, (x - SPACE).max(0.0))
}

fn parse(path: &'static str) -> impl Iterator<Item = Stroke> {
    let mut words = path.split_ascii_whitespace();
    std::iter::from_fn(move || {
        let pen = words.next()?;
        // Parsing does not fail at run time, because the tests parse every glyph.
        let mut number = || words.next()?.parse().ok();
        Some(match pen {
            "M" => Stroke::Move(number()?, number()?),
            "L" => Stroke::Line(number()?, number()?),
            _ => Stroke::Curve([number()?, number()?, number()?, number()?, number()?, number()?]),
        })
    })
}

/// Characters with their widths and strokes, one per line.
static GLYPHS: LazyLock<HashMap<char, (f64, &str)>> = LazyLock::new(|| {
    let glyph = |line: &'static str| {
        let mut chars = line.chars();
        let (c, rest) = (chars.next()?, chars.as_str());
        let rest = rest.strip_prefix(' ')?;
        let (width, path) = rest.split_once(' ').unwrap_or((rest, ""));
        Some((c, (width.parse().ok()?, path)))
    };
    include_str!("glyphs.txt").lines().filter_map(glyph).collect()
});

/// Returns the width and the strokes of a character. An unsupported character gets the width and the strokes of a box.
fn glyph(c: char) -> (f64, &'static str) {
    GLYPHS.get(&c).copied().unwrap_or((4.0, "M 0 0 L 4 0 L 4 7 L 0 7 L 0 0"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_read_to_its_end() {
        for c in ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(".,:-_/()é".chars()) {
            let path = glyph(c).1;
            let pens = path.split_ascii_whitespace().filter(|w| w.parse::<f64>().is_err());
            assert_eq!(parse(path).count(), pens.count(), "{c}");
            assert!(matches!(parse(path).next(), Some(Stroke::Move(..))), "{c}");
        }
    }

    /// Tests that texts of digits or letters fit into the width that scenes reserve for them.
    #[test]
    fn digits_and_letters_are_as_narrow_as_scenes_expect() {
        for text in ["8", "900", "10000", "aaa", "zzz"] {
            let width = strokes(text).1 + PEN;
            assert!(width <= EM * super::super::scene::text_width(text, 1.0), "{text}");
        }
    }
}
