//! A tour on a board in the terminal: every square with the number of its visit, from 1, in a grid of
//! box-drawing characters. Columns and rows carry their names; the start and the last square stand out
//! where the terminal has colours. Only bold and the two named colours are used, which every theme, dark
//! or light, has to keep readable.

use std::fmt::{Display, Write};

use anstyle::{AnsiColor, Style};
use hamcnf_encodings::problem::board::column_name;
use hamcnf_encodings::{Board, Instance, Tour, Vertex};

const START: Style = AnsiColor::Green.on_default().bold();
const LAST: Style = AnsiColor::Red.on_default().bold();

/// The tour as text, with styles as ANSI sequences: strip them where there are to be none. On an instance
/// without a board it is the list of its vertices.
#[must_use]
pub fn tour(instance: &Instance, tour: &Tour) -> String {
    match instance.board() {
        Some(board) => numbered(board, tour),
        None => {
            let names: Vec<_> = tour
                .order()
                .iter()
                .map(|&v| instance.vertex_name(v))
                .collect();
            names.join(" ") + "\n"
        }
    }
}

/// A text on every square of an instance's board, given by vertex; without a board, a line for each vertex.
#[must_use]
pub fn values(instance: &Instance, texts: &[String]) -> String {
    let Some(board) = instance.board() else {
        let vertices = instance.graph().vertices().zip(texts);
        let lines = vertices.map(|(v, text)| format!("{}: {text}\n", instance.vertex_name(v)));
        return lines.collect();
    };
    let widest = texts.iter().map(|text| text.chars().count()).max();
    grid(board, widest.unwrap_or(0), |v| {
        (&texts[v.index()], Style::new())
    })
}

fn numbered(board: &Board, tour: &Tour) -> String {
    let last = board.n_squares() - 1;
    grid(board, board.n_squares().to_string().len(), |v| {
        let position = tour.position(v);
        let style = match position {
            0 => START,
            p if p == last => LAST,
            _ => Style::new(),
        };
        (position + 1, style)
    })
}

/// The board with what `square` says on every square, in columns of `width` at least.
fn grid<T: Display>(board: &Board, width: usize, square: impl Fn(Vertex) -> (T, Style)) -> String {
    let cell = width.max(column_name(board.cols() - 1).len());
    let margin = board.rows().to_string().len();
    let rule = |left: char, middle: char, right: char| {
        let bar = "─".repeat(cell + 2);
        let bars = vec![bar; board.cols() as usize].join(&middle.to_string());
        format!("{:margin$} {left}{bars}{right}\n", "")
    };

    let mut text = format!("{:margin$}  ", "");
    for col in 0..board.cols() {
        let _ = write!(text, " {:>cell$}  ", column_name(col));
    }
    let mut text = text.trim_end().to_owned() + "\n" + &rule('┌', '┬', '┐');
    for row in 0..board.rows() {
        if row > 0 {
            text += &rule('├', '┼', '┤');
        }
        let _ = write!(text, "{:>margin$} │", row + 1);
        for col in 0..board.cols() {
            let (content, style) = square(board.square_at(row, col));
            let _ = write!(text, " {style}{content:>cell$}{style:#} │");
        }
        text += "\n";
    }
    text + &rule('└', '┴', '┘')
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_encodings::{TourKind, Vertex};

    #[test]
    fn a_board_has_names_numbers_and_marked_ends() {
        let board: Board = "3x4".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap();
        let order = [
            "a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3",
        ];
        let order = order.iter().map(|s| board.square(s).unwrap()).collect();
        let text = tour(&instance, &Tour::check(&instance, order).unwrap());
        let plain = anstream::adapter::strip_str(&text).to_string();
        insta::assert_snapshot!(plain, @"
             a    b    c    d
          ┌────┬────┬────┬────┐
        1 │  1 │  4 │  7 │ 10 │
          ├────┼────┼────┼────┤
        2 │  8 │ 11 │  2 │  5 │
          ├────┼────┼────┼────┤
        3 │  3 │  6 │  9 │ 12 │
          └────┴────┴────┴────┘
        ");
        assert!(text.contains("\u{1b}[1m\u{1b}[32m 1\u{1b}[0m"), "{text:?}");
        assert!(text.contains("\u{1b}[1m\u{1b}[31m12\u{1b}[0m"), "{text:?}");
    }
}
