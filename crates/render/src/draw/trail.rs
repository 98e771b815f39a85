//! Trails of tours: an arrow for every move and a disc on every vertex. The ends of a tour differ from the other
//! vertices in shape and colour: the start is a green disc and the last vertex a red square.
//!
//! Discs with numbers are large enough for the numbers, and arrows run from rim to rim. A knight's move passes the
//! middle of a square at a distance of at least 1/√5 = 0.447 squares. The radius of the discs is smaller, so no arrow
//! touches a number.

use hamcnf_graph::Vertex;
use hamcnf_tours::{Tour, TourKind};

use super::scene::{Colour, Mark, PAPER, Point, Shape, Timing, text_width};
use super::style::{Colours, Style};

const START: Colour = Colour(0x1a, 0x7f, 0x37);
const LAST: Colour = Colour(0xc6, 0x28, 0x28);
const NUMBER: Colour = Colour(0x22, 0x20, 0x1e);
const ONE: Colour = Colour(0x1f, 0x3f, 0x99);

/// Colours at equal distances along a tour, dark enough to be visible on light and dark squares.
const ALONG: [Colour; 5] =
    [ONE, Colour(0x66, 0x2d, 0xa8), Colour(0xa3, 0x1f, 0x85), Colour(0xc4, 0x30, 0x4a), Colour(0xc2, 0x5e, 0x0a)];

// Radii, lengths and widths, relative to the distance between neighbouring vertices.

/// Radius of a disc with a number.
const NUMBERED: f64 = 0.34;
/// Radius of a disc without a number.
const PLAIN: f64 = 0.1;
/// Radius of the start's disc without a number; the square on the last vertex has about the same size.
const END: f64 = 0.24;
/// Width of an arrow's shaft.
const SHAFT: f64 = 0.075;
/// Length of an arrow's head.
const HEAD_LENGTH: f64 = 0.24;
/// Width of an arrow's head.
const HEAD_WIDTH: f64 = 0.23;

/// Returns the marks of a tour. `place` gives the position of a vertex; neighbouring vertices are `unit` apart. Rims in
/// the colour of the `ground` separate crossing arrows.
pub(super) fn marks(
    tour: &Tour,
    place: impl Fn(Vertex) -> Point,
    unit: f64,
    ground: Colour,
    style: Style,
) -> Vec<Mark> {
    let n = tour.order().len();
    let places: Vec<_> = tour.order().iter().map(|&v| place(v)).collect();
    let moves = match tour.kind() {
        TourKind::Closed => n,
        TourKind::Open => n - 1,
    };
    let colour = |position: usize| match style.colours {
        Colours::Along => along(position as f64 / (n - 1) as f64),
        Colours::One => ONE,
    };
    let reach = |position: usize| {
        unit * match position {
            _ if style.numbers => NUMBERED,
            0 => END,
            p if p == n - 1 => END,
            _ => PLAIN,
        }
    };
    let pace = Pace::of(moves);
    let mut marks = Vec::with_capacity(4 * n);
    let mut heads = Vec::with_capacity(n);
    for position in 0..moves {
        let next = (position + 1) % n;
        let ends = (places[position], places[next]);
        let Some((whole, head)) = arrow(ends, (reach(position), reach(next)), unit) else { continue };
        let timing = if style.animate { pace.after(position + 1) } else { Timing::Always };
        let painted = |shape| Mark { timing: timing.clone(), ..Mark::filled(shape, colour(position)) };
        marks.push(painted(whole).outlined(ground, 0.025 * unit));
        heads.push(painted(head));
    }
    // The heads of arrows matter most where arrows are dense, so they are painted once more, above all shafts.
    marks.append(&mut heads);
    let digits = n.to_string();
    let size = (0.4 * unit).min(1.76 * NUMBERED * unit / text_width(&digits, 1.0));
    let mut numbers = Vec::new();
    for (position, &at) in places.iter().enumerate() {
        let end = match position {
            0 => Some(Mark::disc(at, reach(0), START)),
            p if p == n - 1 => Some(Mark::filled(square(at, 0.85 * reach(p)), LAST)),
            _ => None,
        };
        let (marked, ink) = match end {
            Some(end) => (end.outlined(PAPER, 0.03 * unit), PAPER),
            None if style.numbers => {
                let rim = 0.035 * unit;
                (Mark::disc(at, reach(position) - rim, PAPER).outlined(colour(position), rim), NUMBER)
            }
            None => (Mark::disc(at, reach(position), colour(position)), NUMBER),
        };
        marks.push(marked);
        if style.numbers {
            numbers.push(Mark::text(at, size, (position + 1).to_string(), ink));
        }
    }
    marks.append(&mut numbers);
    if style.animate {
        // Unlike a disc, a ring does not hide the number inside it.
        let ring = Mark {
            fill: None,
            timing: pace.along(&places, tour.kind()),
            ..Mark::disc(places[0], reach(1).max(END * unit) + 0.04 * unit, NUMBER)
        };
        marks.push(ring.outlined(NUMBER, 0.05 * unit));
    }
    marks
}

/// Returns the colour at a point of the tour. `part` is the fraction of the tour before the point, from 0 to 1.
fn along(part: f64) -> Colour {
    let at = part * (ALONG.len() - 1) as f64;
    let from = (at as usize).min(ALONG.len() - 2);
    let (a, b, t) = (ALONG[from], ALONG[from + 1], at - from as f64);
    let mix = |a: u8, b: u8| (f64::from(a) + t * (f64::from(b) - f64::from(a))).round() as u8;
    Colour(mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2))
}

fn square(centre: Point, half: f64) -> Shape {
    Shape::Rectangle { corner: centre.plus(-half, -half), width: 2.0 * half, height: 2.0 * half, radius: 0.3 * half }
}

/// Returns an arrow between two points and, separately, its head. The arrow keeps the given distances from the points.
/// Returns `None` if the distances leave no room for an arrow.
fn arrow((from, to): (Point, Point), (before, after): (f64, f64), unit: f64) -> Option<(Shape, Shape)> {
    let (dx, dy) = (to.x - from.x, to.y - from.y);
    let length = (dx * dx + dy * dy).sqrt();
    let (begin, tip) = (before, length - after - 0.03 * unit);
    if begin >= tip {
        return None;
    }
    let (ux, uy) = (dx / length, dy / length);
    let neck = begin.max(tip - HEAD_LENGTH * unit);
    let at = |along: f64, aside: f64| from.plus(along * ux - aside * unit * uy, along * uy + aside * unit * ux);
    let (shaft, head) = (SHAFT / 2.0, HEAD_WIDTH / 2.0);
    let tip = [at(neck, head), at(tip, 0.0), at(neck, -head)];
    let whole = [&[at(begin, shaft), at(neck, shaft)][..], &tip];
    let whole = [whole.concat(), vec![at(neck, -shaft), at(begin, -shaft)]].concat();
    Some((Shape::Polygon(whole), Shape::Polygon(tip.to_vec())))
}

/// Speed of an animation: a third of a second per move, but at most a minute for the whole tour. A pause follows.
struct Pace {
    step: f64,
    moves: usize,
    rest: usize,
}

impl Pace {
    fn of(moves: usize) -> Self {
        let step = (60.0 / moves as f64).min(1.0 / 3.0);
        let rest = (3.0 / step).ceil() as usize;
        Self { step, moves, rest }
    }

    fn cycle(&self) -> f64 {
        self.step * (self.moves + self.rest) as f64
    }

    /// Returns the timing of a mark that appears at the end of move `number`.
    fn after(&self, number: usize) -> Timing {
        Timing::From { at: self.step * number as f64, cycle: self.cycle() }
    }

    /// Returns the timing of a circle that moves through all positions and pauses at the last one.
    fn along(&self, places: &[Point], kind: TourKind) -> Timing {
        let last = match kind {
            TourKind::Closed => places[0],
            TourKind::Open => places[places.len() - 1],
        };
        let mut places = places.to_vec();
        places.resize(self.moves + self.rest + 1, last);
        Timing::Along { places, cycle: self.cycle() }
    }
}
