//! Letters, digits and a few signs as strokes, for PNG pictures: they need no installed font and look alike everywhere.
//!
//! A glyph is drawn on a grid. Digits, capitals and letters with an ascender reach from y = 0 down to the baseline,
//! y = 7. Other letters begin at y = 2; descenders end at y = 9. `M x y` lifts the pen and moves it, `L x y` draws a
//! line, and `C` with two control points and an end point draws a Bézier curve.

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

/// Returns the width and the strokes of a character. An unsupported character gets the width and the strokes of a box.
fn glyph(c: char) -> (f64, &'static str) {
    match c {
        '0' => (4.0, "M 2 0 C -.7 0 -.7 7 2 7 C 4.7 7 4.7 0 2 0"),
        '1' => (4.0, "M .7 1.3 L 2.3 0 L 2.3 7"),
        '2' => (4.0, "M .1 1.8 C .3 -.6 3.9 -.6 3.9 1.9 C 3.9 3.6 1.5 4.8 0 7 L 4 7"),
        '3' => (
            4.0,
            "M .2 1.3 C .8 -.5 3.8 -.4 3.7 1.8 C 3.6 3.1 2.6 3.3 1.5 3.3 C 2.8 3.3 4 3.8 4 5.2 \
             C 4 7.6 .6 7.6 0 5.6",
        ),
        '4' => (4.0, "M 3 7 L 3 0 L 0 4.9 L 4.1 4.9"),
        '5' => (4.0, "M 3.7 0 L .6 0 L .3 3.2 C 1.5 2 4 2.3 4 4.6 C 4 7.4 .8 7.6 0 5.8"),
        '6' => (4.0, "M 3.6 .9 C 2.6 -.6 0 -.2 0 3.8 C 0 8.2 4 8 4 4.8 C 4 2 .8 1.9 .1 4.2"),
        '7' => (4.0, "M 0 0 L 4 0 C 2.6 2 1.6 4.4 1.4 7"),
        '8' => (
            4.0,
            "M 2 3.3 C -.2 3.2 -.2 0 2 0 C 4.2 0 4.2 3.2 2 3.3 C -.7 3.4 -.7 7 2 7 \
             C 4.7 7 4.7 3.4 2 3.3",
        ),
        '9' => (4.0, "M .4 6.1 C 1.4 7.6 4 7.2 4 3.2 C 4 -1.2 0 -1 0 2.2 C 0 5 3.2 5.1 3.9 2.8"),
        'a' => (4.0, "M 4 2.2 L 4 7 M 4 4.6 C 4 1.2 0 1.2 0 4.6 C 0 7.9 4 7.9 4 4.6"),
        'b' => (4.0, "M 0 0 L 0 7 M 0 4.6 C 0 1.2 4 1.2 4 4.6 C 4 7.9 0 7.9 0 4.6"),
        'c' => (3.7, "M 3.7 3.1 C 2.8 1.3 0 1.6 0 4.6 C 0 7.6 2.8 7.8 3.7 6.1"),
        'd' => (4.0, "M 4 0 L 4 7 M 4 4.6 C 4 1.2 0 1.2 0 4.6 C 0 7.9 4 7.9 4 4.6"),
        'e' => (4.0, "M 0 4.4 L 4 4.4 C 4 1.2 0 1.2 0 4.6 C 0 7.6 2.9 7.8 3.8 6"),
        'f' => (3.0, "M 3 .2 C 1.9 -.3 1.2 .3 1.2 1.5 L 1.2 7 M 0 2.3 L 2.8 2.3"),
        'g' => (
            4.0,
            "M 4 4.6 C 4 1.2 0 1.2 0 4.6 C 0 7.9 4 7.9 4 4.6 M 4 2.2 L 4 7.2 \
             C 4 9.5 1.2 9.6 .3 8.5",
        ),
        'h' => (3.8, "M 0 0 L 0 7 M 0 4.3 C .3 1.4 3.8 1.2 3.8 4.2 L 3.8 7"),
        'i' => (1.0, "M .5 2.2 L .5 7 M .5 .2 L .5 .3"),
        'j' => (1.5, "M 1.2 2.2 L 1.2 7.6 C 1.2 8.8 .6 9.1 -.2 9 M 1.2 .2 L 1.2 .3"),
        'k' => (3.7, "M 0 0 L 0 7 M 3.5 2.2 L 0 5 M 1.4 4 L 3.7 7"),
        'l' => (1.0, "M .5 0 L .5 7"),
        'm' => (6.0, "M 0 2.2 L 0 7 M 0 4 C .3 1.6 3 1.4 3 4 L 3 7 M 3 4 C 3.3 1.6 6 1.4 6 4 L 6 7"),
        'n' => (3.8, "M 0 2.2 L 0 7 M 0 4.3 C .3 1.4 3.8 1.2 3.8 4.2 L 3.8 7"),
        'o' => (4.0, "M 2 2.1 C -.7 2.1 -.7 7 2 7 C 4.7 7 4.7 2.1 2 2.1"),
        'p' => (4.0, "M 0 2.2 L 0 9.2 M 0 4.6 C 0 1.2 4 1.2 4 4.6 C 4 7.9 0 7.9 0 4.6"),
        'q' => (4.0, "M 4 2.2 L 4 9.2 M 4 4.6 C 4 1.2 0 1.2 0 4.6 C 0 7.9 4 7.9 4 4.6"),
        'r' => (2.6, "M 0 2.2 L 0 7 M 0 4.3 C .2 2.4 1.4 1.9 2.6 2.2"),
        's' => (3.6, "M 3.3 2.9 C 2.5 1.6 .2 1.9 .3 3.2 C .4 4.9 3.6 4 3.6 5.7 C 3.6 7.5 .6 7.5 0 6.1"),
        't' => (3.0, "M 1.2 .6 L 1.2 5.7 C 1.2 7 2 7.2 3 6.8 M 0 2.3 L 2.8 2.3"),
        'u' => (3.8, "M 0 2.2 L 0 5 C 0 7.9 3.6 7.7 3.8 4.8 M 3.8 2.2 L 3.8 7"),
        'v' => (4.0, "M 0 2.2 L 2 7 L 4 2.2"),
        'w' => (6.0, "M 0 2.2 L 1.4 7 L 3 2.8 L 4.6 7 L 6 2.2"),
        'x' => (3.6, "M 0 2.2 L 3.6 7 M 3.6 2.2 L 0 7"),
        'y' => (4.0, "M 0 2.2 L 2.05 6.9 M 4 2.2 L 1.6 8 C 1.3 8.9 .8 9.3 0 9"),
        'z' => (3.8, "M .2 2.2 L 3.6 2.2 L 0 7 L 3.8 7"),
        'A' => (4.4, "M 0 7 L 2.2 0 L 4.4 7 M .8 4.6 L 3.6 4.6"),
        'B' => (4.0, "M 0 3.3 L 2 3.3 C 4.2 3.3 4.2 0 2 0 L 0 0 L 0 7 L 2 7 C 4.7 7 4.7 3.3 2 3.3"),
        'C' => (4.4, "M 4.4 1.6 C 3.2 -.8 0 -.3 0 3.5 C 0 7.3 3.2 7.8 4.4 5.4"),
        'D' => (4.4, "M 0 0 L 0 7 L 1.6 7 C 5.4 7 5.4 0 1.6 0 L 0 0"),
        'E' => (3.6, "M 3.6 0 L 0 0 L 0 7 L 3.6 7 M 0 3.4 L 3 3.4"),
        'F' => (3.5, "M 3.5 0 L 0 0 L 0 7 M 0 3.4 L 2.9 3.4"),
        'G' => (4.5, "M 4.3 1.5 C 3 -.8 0 -.3 0 3.5 C 0 7.6 4 7.8 4.5 5.6 L 4.5 3.8 L 2.6 3.8"),
        'H' => (4.2, "M 0 0 L 0 7 M 4.2 0 L 4.2 7 M 0 3.4 L 4.2 3.4"),
        'I' => (1.0, "M .5 0 L .5 7"),
        'J' => (3.0, "M 3 0 L 3 5 C 3 7.6 .4 7.6 0 5.8"),
        'K' => (4.0, "M 0 0 L 0 7 M 3.9 0 L 0 4.2 M 1.4 2.8 L 4 7"),
        'L' => (3.4, "M 0 0 L 0 7 L 3.4 7"),
        'M' => (5.2, "M 0 7 L 0 0 L 2.6 5 L 5.2 0 L 5.2 7"),
        'N' => (4.2, "M 0 7 L 0 0 L 4.2 7 L 4.2 0"),
        'O' => (4.6, "M 2.3 0 C -.8 0 -.8 7 2.3 7 C 5.4 7 5.4 0 2.3 0"),
        'P' => (4.0, "M 0 7 L 0 0 L 2 0 C 4.6 0 4.6 3.8 2 3.8 L 0 3.8"),
        'Q' => (4.6, "M 2.3 0 C -.8 0 -.8 7 2.3 7 C 5.4 7 5.4 0 2.3 0 M 2.8 5.2 L 4.6 7.5"),
        'R' => (4.1, "M 0 7 L 0 0 L 2 0 C 4.6 0 4.6 3.8 2 3.8 L 0 3.8 M 2.2 3.8 L 4.1 7"),
        'S' => (3.9, "M 3.6 1.3 C 2.8 -.5 .2 -.3 .2 1.7 C .2 4 3.9 2.9 3.9 5.2 C 3.9 7.5 .6 7.6 0 5.6"),
        'T' => (4.2, "M 0 0 L 4.2 0 M 2.1 0 L 2.1 7"),
        'U' => (4.2, "M 0 0 L 0 4.6 C 0 7.8 4.2 7.8 4.2 4.6 L 4.2 0"),
        'V' => (4.4, "M 0 0 L 2.2 7 L 4.4 0"),
        'W' => (6.0, "M 0 0 L 1.5 7 L 3 1.4 L 4.5 7 L 6 0"),
        'X' => (4.2, "M 0 0 L 4.2 7 M 4.2 0 L 0 7"),
        'Y' => (4.2, "M 0 0 L 2.1 3.4 L 4.2 0 M 2.1 3.4 L 2.1 7"),
        'Z' => (4.0, "M 0 0 L 4 0 L 0 7 L 4 7"),
        ' ' => (1.5, ""),
        '.' => (0.6, "M .3 6.8 L .3 6.9"),
        ',' => (0.6, "M .4 6.8 L 0 8.2"),
        ':' => (0.6, "M .3 3 L .3 3.1 M .3 6.8 L .3 6.9"),
        ';' => (0.6, "M .3 3 L .3 3.1 M .4 6.8 L 0 8.2"),
        '-' => (3.0, "M 0 4.5 L 3 4.5"),
        '_' => (4.0, "M 0 8 L 4 8"),
        '+' => (3.4, "M 1.7 2.8 L 1.7 6.2 M 0 4.5 L 3.4 4.5"),
        '=' => (3.4, "M 0 3.5 L 3.4 3.5 M 0 5.7 L 3.4 5.7"),
        '×' => (3.0, "M .2 3 L 2.8 6 M 2.8 3 L .2 6"),
        '<' => (3.2, "M 3.2 2 L 0 4.5 L 3.2 7"),
        '>' => (3.2, "M 0 2 L 3.2 4.5 L 0 7"),
        '≥' => (3.2, "M 0 1 L 3.2 3.4 L 0 5.8 M 0 7.4 L 3.2 7.4"),
        '%' => (
            5.0,
            "M 4.6 0 L .4 7 M 1 0 C -.3 0 -.3 2.6 1 2.6 C 2.3 2.6 2.3 0 1 0 \
             M 4 4.4 C 2.7 4.4 2.7 7 4 7 C 5.3 7 5.3 4.4 4 4.4",
        ),
        '\'' => (0.8, "M .4 0 L .4 1.6"),
        '/' => (3.0, "M 0 8 L 3 -.5"),
        '(' => (1.6, "M 1.6 -.5 C -.5 2 -.5 6 1.6 8.5"),
        ')' => (1.6, "M 0 -.5 C 2.1 2 2.1 6 0 8.5"),
        _ => (4.0, "M 0 0 L 4 0 L 4 7 L 0 7 L 0 0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_glyph_is_read_to_its_end() {
        let all = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain(".,:-_/()é".chars());
        for c in all {
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
