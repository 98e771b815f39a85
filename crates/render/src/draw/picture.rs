//! Pictures of tours on boards or graphs, of queens on boards, and of puzzles.

use hamcnf_tours::{Instance, Placement, Puzzle, Queens, Tour};

use super::scene::{Colour, Mark, Point, Scene, text_width};
use super::style::Style;
use super::{board, circle};

const CAPTION: f64 = 16.0;
const INK: Colour = Colour(0x33, 0x2f, 0x2a);

impl Scene {
    /// Draws a tour: arrows on a chessboard or, for a graph without a board, a ring of vertices. The graph's other edges
    /// cross the ring.
    pub fn tour(instance: &Instance, tour: &Tour, style: Style) -> Self {
        match instance.squares() {
            Some(board) => board::tour(board, title(instance), tour, style),
            None => circle::tour(instance, title(instance), tour, style),
        }
    }

    /// Draws queens on their squares.
    pub fn placement(queens: &Queens, placement: &Placement) -> Self {
        board::placement(queens.board(), &placement.squares(queens))
    }

    /// Draws a puzzle: a worksheet with the given numbers, or the solution with all numbers. The caption names the piece,
    /// which the numbers do not show.
    pub fn puzzle(puzzle: &Puzzle, solution: Option<&Tour>) -> Self {
        let (board, kind) = (puzzle.board(), puzzle.kind());
        let (piece, n) = (board.board().piece(), board.n_squares());
        board::puzzle(puzzle, solution).captioned(&format!("{piece}, {kind} tour, 1 to {n}"))
    }

    /// Puts a line of text above the scene. The result is as wide as the text or the scene, whichever is wider.
    pub fn captioned(self, caption: &str) -> Self {
        let height = 1.8 * CAPTION;
        let width = self.width.max(text_width(caption, CAPTION) + CAPTION);
        let middle = Point::new(width / 2.0, 0.6 * height);
        let mut captioned = Self {
            title: self.title.clone(),
            width,
            height: self.height + height,
            marks: vec![Mark::text(middle, CAPTION, caption, INK)],
        };
        let left = (width - self.width) / 2.0;
        captioned.put(self, Point::new(left, height));
        captioned
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draw::{pdf, png, svg};

    #[test]
    fn worksheets_name_the_piece() {
        let grid = "1 . .\n. # .\n. . 8\n";
        let [knight, king] = ["", "piece king\nclosed\n"].map(|head| {
            let puzzle = Puzzle::parse(&format!("{head}{grid}")).unwrap();
            Scene::puzzle(&puzzle, None)
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
