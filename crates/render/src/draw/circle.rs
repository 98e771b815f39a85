//! Drawing of tours on graphs without a board, in the usual layout for Hamiltonian graphs. The tour is a ring that
//! starts at the top and runs clockwise. The names of the vertices are outside the ring. The other edges of the graph
//! cross the ring in a pale colour.

use std::f64::consts::{PI, TAU};

use hamcnf_graph::Vertex;
use hamcnf_tours::{Instance, Tour};

use super::scene::{Colour, Mark, PAPER, Point, Scene, Shape, text_width};
use super::style::Style;
use super::trail;

/// Unit for the sizes of discs and arrows. Neighbouring vertices are farther apart, so that arrows fit between numbered
/// discs.
const UNIT: f64 = 44.0;
const APART: f64 = 1.7 * UNIT;
const NAME_SIZE: f64 = 14.0;
const EDGE: Colour = Colour(0xd3, 0xcc, 0xc0);
const NAME: Colour = Colour(0x5c, 0x54, 0x4a);

/// Maximum number of edges that are drawn; more edges would look like a grey disc.
const MOST_EDGES: u32 = 5000;

pub(super) fn tour(instance: &Instance, title: String, tour: &Tour, style: Style) -> Scene {
    let n = f64::from(instance.n());
    let name = |v: Vertex| instance.vertex_name(v);
    let widest = tour.order().iter().map(|&v| name(v).len()).max();
    let wide = text_width(&"0".repeat(widest.unwrap_or(0)), NAME_SIZE);
    let radius = (APART / 2.0 / (PI / n).sin()).max(APART);
    // Distance from the ring to the middle of a vertex name.
    let to_name = 0.5 * UNIT + wide.max(NAME_SIZE) / 2.0;
    let side = 2.0 * (radius + to_name + wide.max(NAME_SIZE) / 2.0 + NAME_SIZE / 2.0);
    let at = |v: Vertex, radius: f64| {
        let angle = TAU * f64::from(tour.position(v)) / n;
        Point::new(side / 2.0 + radius * angle.sin(), side / 2.0 - radius * angle.cos())
    };
    let mut marks = Vec::new();
    let graph = instance.graph();
    if graph.n_edges() <= MOST_EDGES {
        for arc in graph.arcs().filter(|arc| arc.tail < arc.head) {
            marks.push(Mark::drawn(Shape::line(at(arc.tail, radius), at(arc.head, radius)), EDGE, 1.0));
        }
    }
    for v in graph.vertices() {
        marks.push(Mark::text(at(v, radius + to_name), NAME_SIZE, name(v), NAME));
    }
    let place = |v| at(v, radius);
    marks.extend(trail::marks(tour, place, UNIT, PAPER, style));
    Scene { title, width: side, height: side, marks }
}
