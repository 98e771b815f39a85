//! Pictures of tours on boards or graphs, and of queens on boards.

use hamcnf_tours::{Instance, Placement, Puzzle, Queens, Tour};

use super::scene::{Colour, Mark, Point, Scene, text_width};
use super::style::Style;
use super::{board, circle};

/// Tour or placement to draw, with an optional caption.
#[derive(Clone, Debug)]
pub struct Picture<'a> {
    subject: Subject<'a>,
    caption: Option<String>,
}

#[derive(Clone, Copy, Debug)]
enum Subject<'a> {
    Tour(&'a Instance, &'a Tour),
    Queens(&'a Queens, &'a Placement),
    Puzzle(&'a Puzzle, Option<&'a Tour>),
}

const CAPTION: f64 = 16.0;
const INK: Colour = Colour(0x33, 0x2f, 0x2a);

impl<'a> Picture<'a> {
    /// Creates a picture of a tour: arrows on a chessboard or, for a graph without a board, a ring of vertices. The
    /// graph's other edges cross the ring.
    pub fn tour(instance: &'a Instance, tour: &'a Tour) -> Self {
        Self { subject: Subject::Tour(instance, tour), caption: None }
    }

    /// Creates a picture of queens on their squares.
    pub fn placement(queens: &'a Queens, placement: &'a Placement) -> Self {
        Self { subject: Subject::Queens(queens, placement), caption: None }
    }

    /// Creates a picture of a puzzle: a worksheet with the given numbers, or the solution with all numbers. Its caption
    /// names the piece, which the numbers do not show.
    pub fn puzzle(puzzle: &'a Puzzle, solution: Option<&'a Tour>) -> Self {
        let (board, kind) = (puzzle.board(), puzzle.kind());
        let (piece, n) = (board.board().piece(), board.n_squares());
        Self { subject: Subject::Puzzle(puzzle, solution), caption: Some(format!("{piece}, {kind} tour, 1 to {n}")) }
    }

    /// Adds a caption above the picture.
    pub fn captioned(self, caption: impl Into<String>) -> Self {
        Self { caption: Some(caption.into()), ..self }
    }

    /// Draws the picture in a style.
    pub fn scene(&self, style: Style) -> Scene {
        let scene = match self.subject {
            Subject::Tour(instance, tour) => match instance.squares() {
                Some(board) => board::tour(board, title(instance), tour, style),
                None => circle::tour(instance, title(instance), tour, style),
            },
            Subject::Queens(queens, placement) => board::placement(queens.board(), &placement.squares(queens)),
            Subject::Puzzle(puzzle, solution) => board::puzzle(puzzle, solution),
        };
        match &self.caption {
            Some(caption) => under(caption, scene),
            None => scene,
        }
    }
}

fn title(instance: &Instance) -> String {
    let place = match instance.squares() {
        Some(board) => format!("{} {}", board.sides(), board.board().piece()),
        None => instance.name().to_owned(),
    };
    let start = instance.vertex_name(instance.start());
    format!("{place}, {} tour from {start}", instance.kind())
}

/// Puts a line of text above a scene. The result is as wide as the text or the scene, whichever is wider.
fn under(caption: &str, scene: Scene) -> Scene {
    let height = 1.8 * CAPTION;
    let width = scene.width.max(text_width(caption, CAPTION) + CAPTION);
    let middle = Point::new(width / 2.0, 0.6 * height);
    let mut captioned = Scene {
        title: scene.title.clone(),
        width,
        height: scene.height + height,
        marks: vec![Mark::text(middle, CAPTION, caption, INK)],
    };
    let left = (width - scene.width) / 2.0;
    captioned.put(scene, Point::new(left, height));
    captioned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{pdf, png, svg};

    #[test]
    fn worksheets_name_the_piece() {
        let grid = "1 . .\n. # .\n. . 8\n";
        let [knight, king] = ["", "piece king\nclosed\n"].map(|head| {
            let puzzle = Puzzle::parse(&format!("{head}{grid}")).unwrap();
            Picture::puzzle(&puzzle, None).scene(Style::default())
        });
        assert!(svg::document(&knight).contains(">knight, open tour, 1 to 8</text>"));
        assert!(svg::document(&king).contains(">king, closed tour, 1 to 8</text>"));
        assert_ne!(png::file(&knight).unwrap(), png::file(&king).unwrap());
        // The titles of the files are made equal, so that only the captions differ.
        let titled = |scene: &Scene| Scene { title: String::new(), width: 500.0, ..scene.clone() };
        assert_ne!(pdf::file(&titled(&knight)), pdf::file(&titled(&king)));
        assert_eq!(pdf::file(&titled(&king)), pdf::file(&titled(&king)));
    }
}
