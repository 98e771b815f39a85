//! Drawing of a chart as a scene: axes, dashed reference lines, lines, marks, and a legend below.

use std::collections::HashSet;

use super::axis::{Range, label};
use super::{Chart, Drawn, Guide, Hot, MOST_BARRED};
use hamcnf_render::Scene;
use hamcnf_render::scene::{Anchor, Colour, Mark, PAPER, Point, Shape, text_width};

const INK: Colour = Colour(0x22, 0x22, 0x22);
const FAINT: Colour = Colour(0xdd, 0xda, 0xd4);
const GREY: Colour = Colour(0x9a, 0x9a, 0x9a);

const COLOURS: [Colour; 7] = [
    Colour(0x00, 0x00, 0x00),
    Colour(0xd5, 0x5e, 0x00),
    Colour(0x00, 0x72, 0xb2),
    Colour(0xe6, 0x9f, 0x00),
    Colour(0x00, 0x9e, 0x73),
    Colour(0xcc, 0x79, 0xa7),
    Colour(0x56, 0xb4, 0xe9),
];

const DASHES: [&[f64]; 4] = [&[], &[7.0, 3.0], &[2.0, 3.0], &[9.0, 3.0, 2.0, 3.0]];

/// Number of different mark shapes.
const FORMS: usize = 5;

const LEFT: f64 = 68.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 58.0;
/// Width and height of the area between the axes, if the area is not a square. All areas have the same width, so that a
/// page shows all texts in the same size.
const PLANE: (f64, f64) = (SIDE, 300.0);
/// Width and height of the area between the axes, if the area is a square.
const SIDE: f64 = 460.0;
const TEXT: f64 = 12.0;
const LINE: f64 = 17.0;
const RADIUS: f64 = 3.6;

/// Maximum number of values for which a line has marks.
const MOST_MARKED: usize = 80;

/// Appearance of a series in the chart.
#[derive(Clone, Copy)]
struct Look {
    colour: Colour,
    dashes: &'static [f64],
    form: usize,
}

impl Look {
    /// Returns the look (colour, dashes and mark shape) with this number. Two looks with numbers below 28 differ in
    /// dashes or colour. Two looks with neighbouring numbers differ in colour, dashes and mark shape.
    fn of(number: usize) -> Self {
        Self { colour: COLOURS[number % COLOURS.len()], dashes: DASHES[number % DASHES.len()], form: number % FORMS }
    }

    const BEHIND: Self = Self { colour: GREY, dashes: &[], form: 0 };
}

/// Area between the axes, with the ranges of both.
struct Plane {
    x: Range,
    y: Range,
    width: f64,
    height: f64,
}

impl Plane {
    fn of(chart: &Chart) -> Self {
        let dots = || chart.series.iter().flat_map(|series| &series.dots);
        let xs = dots().map(|dot| dot.x);
        let bars = dots().filter_map(|dot| dot.bar);
        let ys = dots().map(|dot| dot.y).chain(bars.flat_map(|(a, b)| [a, b]));
        let guide = |guide: &Guide| match guide {
            Guide::Across(y, _) => (None, Some(*y)),
            Guide::Upright(x, _) => (Some(*x), None),
            Guide::Times(..) => (None, None),
        };
        let guides: Vec<_> = chart.guides.iter().map(guide).collect();
        let (width, height) = if chart.square { (SIDE, SIDE) } else { PLANE };
        Self {
            width,
            height,
            x: chart.x.range(xs.chain(guides.iter().filter_map(|g| g.0))),
            y: chart.y.range(ys.chain(guides.iter().filter_map(|g| g.1))),
        }
    }

    fn at(&self, x: f64, y: f64) -> Point {
        let (x, y) = (self.x.share(x), self.y.share(y));
        Point::new(LEFT + x * self.width, TOP + (1.0 - y) * self.height)
    }

    /// Returns the point with these coordinates. Values below the floor of an axis are drawn at the floor.
    fn place(&self, chart: &Chart, x: f64, y: f64) -> Option<Point> {
        Some(self.at(chart.x.place(x)?, chart.y.place(y)?))
    }
}

impl Chart {
    /// Draws the chart as a scene.
    pub fn drawn(&self) -> Drawn {
        let plane = Plane::of(self);
        let mut marks = Vec::new();
        axes(self, &plane, &mut marks);
        for guide in &self.guides {
            guide_line(self, &plane, guide, &mut marks);
        }
        let mut named = 0..;
        let looks: Vec<_> = self
            .series
            .iter()
            .map(|series| {
                let place = series.name.as_ref().and_then(|_| named.next());
                place.map_or(Look::BEHIND, |place| Look::of(series.look.unwrap_or(place)))
            })
            .collect();
        let mut hot = Vec::new();
        for (number, (series, look)) in self.series.iter().zip(&looks).enumerate().rev() {
            // A censored value is only a lower bound, so the line is interrupted there.
            let mut lines = vec![Vec::new()];
            let mut seen = HashSet::new();
            let mut own = Vec::new();
            for (k, dot) in series.dots.iter().enumerate() {
                let Some(point) = plane.place(self, dot.x, dot.y) else { continue };
                match (dot.censored, lines.last_mut()) {
                    (false, Some(line)) => line.push(point),
                    _ => lines.push(Vec::new()),
                }
                hot.push(Hot { x: point.x, y: point.y, series: number, dot: k });
                if series.dots.len() <= MOST_BARRED
                    && let Some((low, high)) = dot.bar
                    && let (Some(low), Some(high)) = (plane.place(self, dot.x, low), plane.place(self, dot.x, high))
                {
                    own.extend(bar(low, high, look.colour));
                }
                let marked = !series.joined || series.dots.len() <= MOST_MARKED || dot.censored;
                // Marks that cover each other look like one mark, so only one of them is drawn.
                let cell = ((point.x * 2.0) as i32, (point.y * 2.0) as i32, dot.censored);
                if marked && series.name.is_some() && seen.insert(cell) {
                    if series.joined && dot.censored {
                        own.extend(upwards(point, look.colour));
                    }
                    own.push(form(point, look, dot.censored));
                }
            }
            let width = if series.name.is_some() { 1.7 } else { 0.8 };
            marks.extend(lines.into_iter().filter(|line| series.joined && line.len() > 1).map(|points| {
                let dashes = look.dashes;
                Mark::drawn(Shape::Polyline { points, dashes }, look.colour, width)
            }));
            marks.extend(own);
        }
        let width = LEFT + plane.width + RIGHT;
        let height = legend(self, &plane, &looks, &mut marks);
        let scene = Scene { title: self.title.clone(), width, height, marks };
        Drawn { scene, hot }
    }
}

fn axes(chart: &Chart, plane: &Plane, marks: &mut Vec<Mark>) {
    let (x_low, x_high) = plane.x.ends();
    let (y_low, y_high) = plane.y.ends();
    let left = |size: f64, at: Point, text: &str, colour: Colour| Mark::text_at(at, Anchor::Start, size, text, colour);
    marks.push(left(15.0, Point::new(12.0, 18.0), &chart.title, INK));
    marks.push(left(TEXT, Point::new(12.0, 40.0), &chart.y.label, INK));
    for &tick in &plane.y.ticks {
        let (from, to) = (plane.at(x_low, tick), plane.at(x_high, tick));
        marks.push(Mark::drawn(Shape::line(from, to), FAINT, 1.0));
        marks.push(Mark::text_at(from.plus(-7.0, 0.0), Anchor::End, TEXT, label(tick), INK));
    }
    for &tick in &plane.x.ticks {
        let (from, to) = (plane.at(tick, y_low), plane.at(tick, y_high));
        marks.push(Mark::drawn(Shape::line(from, to), FAINT, 1.0));
        marks.push(Mark::text(from.plus(0.0, 13.0), TEXT, label(tick), INK));
    }
    let corner = plane.at(x_low, y_low);
    for end in [plane.at(x_high, y_low), plane.at(x_low, y_high)] {
        marks.push(Mark::drawn(Shape::line(corner, end), INK, 1.0));
    }
    marks.push(Mark::text_at(plane.at(x_high, y_low).plus(0.0, 31.0), Anchor::End, TEXT, &chart.x.label, INK));
}

fn guide_line(chart: &Chart, plane: &Plane, guide: &Guide, marks: &mut Vec<Mark>) {
    let (x_low, x_high) = plane.x.ends();
    let (y_low, y_high) = plane.y.ends();
    let mut line = |from: Point, to: Point| {
        let points = vec![from, to];
        let dashes = &[4.0, 4.0];
        marks.push(Mark::drawn(Shape::Polyline { points, dashes }, GREY, 1.2));
    };
    let (at, anchor, text) = match guide {
        Guide::Across(y, text) => {
            let Some(y) = chart.y.place(*y) else { return };
            let (from, to) = (plane.at(x_low, y), plane.at(x_high, y));
            line(from, to);
            (from.plus(6.0, -8.0), Anchor::Start, text)
        }
        Guide::Upright(x, text) => {
            let Some(x) = chart.x.place(*x) else { return };
            let (from, to) = (plane.at(x, y_low), plane.at(x, y_high));
            line(from, to);
            (from.plus(-4.0, -10.0), Anchor::End, text)
        }
        Guide::Times(factor, text) => {
            // The label is where the line leaves the area.
            let (low, high) = (x_low.max(y_low / factor), x_high.min(y_high / factor));
            if low >= high {
                return;
            }
            let end = plane.at(high, high * factor);
            line(plane.at(low, low * factor), end);
            (end.plus(-22.0, 0.0), Anchor::End, text)
        }
    };
    if !text.is_empty() {
        marks.push(Mark::text_at(at, anchor, TEXT - 1.0, text, GREY));
    }
}

fn bar(low: Point, high: Point, colour: Colour) -> [Mark; 3] {
    let line = |from: Point, to: Point| Mark::drawn(Shape::line(from, to), colour, 1.0);
    let cap = |at: Point| line(at.plus(-3.0, 0.0), at.plus(3.0, 0.0));
    [line(low, high), cap(low), cap(high)]
}

/// Returns an upward arrow, which marks a lower bound.
fn upwards(at: Point, colour: Colour) -> [Mark; 3] {
    let line = |from: Point, to: Point| Mark::drawn(Shape::line(from, to), colour, 1.2);
    let tip = at.plus(0.0, -15.0);
    [line(at, tip), line(tip, tip.plus(-3.0, 4.0)), line(tip, tip.plus(3.0, 4.0))]
}

/// Returns the mark of a value, in the shape of its series. The mark is hollow if `open` is true.
fn form(at: Point, look: &Look, open: bool) -> Mark {
    let around =
        |places: &[(f64, f64)]| Shape::Polygon(places.iter().map(|(x, y)| at.plus(x * RADIUS, y * RADIUS)).collect());
    let shape = match look.form {
        0 => Shape::Circle { centre: at, radius: RADIUS },
        1 => around(&[(0.0, -1.2), (1.15, 0.9), (-1.15, 0.9)]),
        2 => around(&[(-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)]),
        3 => around(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]),
        _ => around(&[(0.0, 1.2), (1.15, -0.9), (-1.15, -0.9)]),
    };
    match open {
        true => Mark::filled(shape, PAPER).outlined(look.colour, 1.3),
        false => Mark::filled(shape, look.colour).outlined(PAPER, 0.5),
    }
}

/// Draws the legend below the plot: the names of the series with their looks, and the notes. Returns the height of the
/// whole picture.
fn legend(chart: &Chart, plane: &Plane, looks: &[Look], marks: &mut Vec<Mark>) -> f64 {
    let mut y = TOP + plane.height + 54.0;
    let named = chart.series.iter().zip(looks);
    let named: Vec<_> = named.filter_map(|(series, look)| Some((series, series.name.as_ref()?, look))).collect();
    let widest = 52.0 + named.iter().map(|(_, name, _)| text_width(name, TEXT)).fold(0.0, f64::max);
    let columns = ((plane.width + RIGHT) / widest).floor().clamp(1.0, 4.0);
    let width = (plane.width + RIGHT) / columns;
    // A single series needs no entry.
    let many = named.len() > 1 || chart.series.len() > 1;
    if many {
        for (k, (series, name, look)) in named.iter().enumerate() {
            let column = (k as f64) % columns;
            if k > 0 && column == 0.0 {
                y += LINE;
            }
            let at = Point::new(LEFT + column * width, y);
            if series.joined {
                let shape = Shape::Polyline { points: vec![at, at.plus(30.0, 0.0)], dashes: look.dashes };
                marks.push(Mark::drawn(shape, look.colour, 1.7));
            }
            marks.push(form(at.plus(15.0, 0.0), look, false));
            marks.push(Mark::text_at(at.plus(38.0, 0.0), Anchor::Start, TEXT, *name, INK));
        }
        y += LINE;
    }
    for note in &chart.notes {
        marks.push(Mark::text_at(Point::new(LEFT, y), Anchor::Start, TEXT - 1.0, note, GREY));
        y += LINE - 1.0;
    }
    y + 4.0
}
