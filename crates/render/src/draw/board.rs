//! Drawing of chessboards: squares with pieces or tours, and names of rows and columns at the margins. `a1` is at the
//! top left.

use hamcnf_graph::Vertex;
use hamcnf_tours::board::column_name;
use hamcnf_tours::{Board, HoledBoard, Puzzle, Tour};

use super::scene::{Colour, Mark, Point, Scene, Shape, text_width};
use super::style::Style;
use super::trail;

const LIGHT: Colour = Colour(0xf5, 0xf0, 0xe6);
const DARK: Colour = Colour(0xdf, 0xd5, 0xc4);
/// Colour of holes, the missing squares.
const HOLE: Colour = Colour(0x4a, 0x44, 0x3c);
const FRAME: Colour = Colour(0x8a, 0x7f, 0x70);
const NAME: Colour = Colour(0x5c, 0x54, 0x4a);
/// Colour of squares with given numbers in the solution of a puzzle.
const GIVEN: Colour = Colour(0xf2, 0xcf, 0x8a);
const QUEEN: Colour = Colour(0x2b, 0x2a, 0x3d);

/// Positions of a board's squares in the drawing.
struct Layout {
    board: Board,
    square: f64,
    left: f64,
    top: f64,
}

impl Layout {
    /// Chooses a size of 36 to 64 units for the squares. The longer side of the board takes about a thousand units,
    /// unless numbers with `digits` digits need larger squares.
    fn of(board: &Board, digits: usize) -> Self {
        let longer = f64::from(board.rows().max(board.cols()));
        let square = (1080.0 / longer).floor().clamp((12.0 * digits as f64).clamp(36.0, 64.0), 64.0);
        let size = name_size(square);
        let rows = text_width(&board.rows().to_string(), size);
        Self { board: *board, square, left: rows + size, top: 1.8 * size }
    }

    fn middle(&self, square: Vertex) -> Point {
        let (row, col) = self.board.row_col(square);
        Point::new(self.left + (f64::from(col) + 0.5) * self.square, self.top + (f64::from(row) + 0.5) * self.square)
    }

    /// Returns a mark that fills a square with a colour.
    fn filled(&self, square: Vertex, colour: Colour) -> Mark {
        let side = self.square;
        Mark::filled(rectangle(self.middle(square).plus(-side / 2.0, -side / 2.0), side, side), colour)
    }

    /// Returns a scene of the empty board.
    fn scene(&self, title: String) -> Scene {
        let (rows, cols) = (self.board.rows(), self.board.cols());
        let (left, top, side) = (self.left, self.top, self.square);
        let size = name_size(side);
        let (width, height) = (f64::from(cols) * side, f64::from(rows) * side);
        let whole = rectangle(Point::new(left, top), width, height);
        let mut marks = vec![Mark::filled(whole, LIGHT).outlined(FRAME, 1.5)];
        for row in 0..rows {
            for col in (0..cols).filter(|col| (row + col) % 2 == 1) {
                marks.push(self.filled(self.board.square_at(row, col), DARK));
            }
        }
        for col in 0..cols {
            let at = Point::new(self.middle(self.board.square_at(0, col)).x, top - 0.8 * size);
            marks.push(Mark::text(at, size, column_name(col), NAME));
        }
        for row in 0..rows {
            let at = Point::new(left / 2.0, self.middle(self.board.square_at(row, 0)).y);
            marks.push(Mark::text(at, size, self.board.rank(row).to_string(), NAME));
        }
        Scene { title, width: left + width + size, height: top + height + size, marks }
    }
}

fn rectangle(corner: Point, width: f64, height: f64) -> Shape {
    Shape::Rectangle { corner, width, height, radius: 0.0 }
}

/// Returns the font size of the names at the margins.
fn name_size(square: f64) -> f64 {
    (0.3 * square).clamp(12.0, 16.0)
}

/// Draws a tour as a trail on the board.
pub(super) fn tour(board: &HoledBoard, title: String, tour: &Tour, style: Style) -> Scene {
    let digits = if style.numbers { board.n_squares().to_string().len() } else { 0 };
    let layout = Layout::of(board.board(), digits);
    let mut scene = layout.scene(title);
    scene.marks.extend(board.holes().iter().map(|&hole| layout.filled(hole, HOLE)));
    let place = |v| layout.middle(board.square(v));
    scene.marks.extend(trail::marks(tour, place, layout.square, LIGHT, style));
    scene
}

/// Draws a puzzle: the given numbers or, if the solution is given, all numbers, the given ones on a darker ground.
pub(super) fn puzzle(puzzle: &Puzzle, solution: Option<&Tour>) -> Scene {
    let board = puzzle.board();
    let layout = Layout::of(board.board(), board.n_squares().to_string().len());
    let what = if solution.is_some() { "solution" } else { "puzzle" };
    let mut scene = layout.scene(format!("{} {what}", board.board()));
    scene.marks.extend(board.holes().iter().map(|&hole| layout.filled(hole, HOLE)));
    let size = 0.42 * layout.square;
    for v in (0..board.n_squares()).map(Vertex::new) {
        let square = board.square(v);
        let solved = || solution.map(|tour| tour.sequence().position(v) + 1);
        let given = puzzle.given(v);
        if given.is_some() && solution.is_some() {
            scene.marks.push(layout.filled(square, GIVEN));
        }
        if let Some(number) = given.or_else(solved) {
            let ink = if given.is_some() { QUEEN } else { NAME };
            scene.marks.push(Mark::text(layout.middle(square), size, number.to_string(), ink));
        }
    }
    scene
}

/// Draws queens on squares of the board.
pub(super) fn placement(board: &Board, queens: &[Vertex]) -> Scene {
    let layout = Layout::of(board, 0);
    let count = match queens.len() {
        1 => "1 queen".to_owned(),
        many => format!("{many} queens"),
    };
    let mut scene = layout.scene(format!("{count} on {board}"));
    for &square in queens {
        queen(layout.middle(square), layout.square, &mut scene.marks);
    }
    scene
}

/// Draws a crown with five points, a ball on each point, and a base.
fn queen(middle: Point, square: f64, marks: &mut Vec<Mark>) {
    let at = |x: f64, y: f64| middle.plus(x * square, y * square);
    let rim = |mark: Mark| mark.outlined(LIGHT, 0.02 * square);
    let points = [(-0.34, -0.14), (-0.17, -0.24), (0.0, -0.28), (0.17, -0.24), (0.34, -0.14)];
    let valleys = [(-0.145, 0.04), (-0.05, 0.0), (0.05, 0.0), (0.145, 0.04)];
    let mut crown = vec![at(-0.22, 0.2)];
    for (k, &(x, y)) in points.iter().enumerate() {
        crown.push(at(x, y));
        crown.extend(valleys.get(k).map(|&(x, y)| at(x, y)));
    }
    crown.push(at(0.22, 0.2));
    marks.push(rim(Mark::filled(Shape::Polygon(crown), QUEEN)));
    for (x, y) in points {
        marks.push(rim(Mark::disc(at(x, y - 0.02), 0.05 * square, QUEEN)));
    }
    let base =
        Shape::Rectangle { corner: at(-0.25, 0.23), width: 0.5 * square, height: 0.09 * square, radius: 0.03 * square };
    marks.push(rim(Mark::filled(base, QUEEN)));
}
