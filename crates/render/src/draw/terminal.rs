//! Tours and placements in the terminal: a grid of box-drawing characters. A square contains the number of its visit,
//! 1-based, or a piece. Columns and rows have names. If the terminal has colours, the start and the last square are
//! highlighted. The highlights use only bold and two named colours, which are readable in every theme, dark or light.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use hamcnf_graph::Vertex;
use hamcnf_tours::board::column_name;
use hamcnf_tours::{Board, Instance, Placement, Queens, Tour};

use crate::file::HOLE;

const START: Style = AnsiColor::Green.on_default().bold();
const LAST: Style = AnsiColor::Red.on_default().bold();

/// Formats a tour as text with ANSI sequences for styles; the caller removes the sequences if they are not wanted.
/// Without a board, the text is the list of the vertices.
pub fn tour(instance: &Instance, tour: &Tour) -> String {
    tour_within(instance, tour, usize::MAX)
}

/// Formats a tour for a terminal with the given number of columns. If the board is too wide, it is drawn without lines
/// between its squares. This takes two thirds of the width.
pub fn tour_within(instance: &Instance, tour: &Tour, columns: usize) -> String {
    match instance.squares() {
        Some(board) => {
            let last = board.n_squares() - 1;
            let digits = board.n_squares().to_string().len();
            let cell = |square| {
                let Some(v) = board.vertex(square) else { return (Style::new(), HOLE.repeat(digits)) };
                let position = tour.position(v);
                let style = match position {
                    0 => START,
                    p if p == last => LAST,
                    _ => Style::new(),
                };
                (style, (position + 1).to_string())
            };
            grid(board.board(), digits, columns, cell)
        }
        None => {
            let names: Vec<_> = tour.order().iter().map(|&v| instance.vertex_name(v)).collect();
            names.join(" ") + "\n"
        }
    }
}

/// Draws an instance's board with a text in every square; `texts` is indexed by vertex. Without a board, writes one
/// line per vertex.
pub fn values(instance: &Instance, texts: &[String]) -> String {
    let Some(board) = instance.squares() else {
        let vertices = instance.graph().vertices().zip(texts);
        return vertices.map(|(v, text)| format!("{}: {text}\n", instance.vertex_name(v))).collect();
    };
    let widest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0);
    grid(board.board(), widest, usize::MAX, |square| {
        let text = board.vertex(square).map(|v| texts[v.index()].clone());
        (Style::new(), text.unwrap_or_else(|| HOLE.repeat(widest)))
    })
}

/// Formats a placement; every queen is a Q.
pub fn placement(queens: &Queens, placement: &Placement) -> String {
    placement_within(queens, placement, usize::MAX)
}

/// Formats a placement for a terminal with the given number of columns. If the board is too wide, it is drawn without
/// lines.
pub fn placement_within(queens: &Queens, placement: &Placement, columns: usize) -> String {
    let board = queens.board();
    grid(board, 1, columns, |square| {
        let (row, column) = board.row_col(square);
        let here = placement.rows()[column as usize] == row;
        let text = if here { "Q" } else { "" };
        (Style::new().bold(), text.to_owned())
    })
}

/// Formats a board with a text on every square, each of at most `width` characters.
fn grid(board: &Board, width: usize, columns: usize, text_on: impl Fn(Vertex) -> (Style, String)) -> String {
    let cell = width.max(column_name(board.cols() - 1).len());
    let margin = board.rows().to_string().len();
    let squares = board.cols() as usize;
    let ruled = margin + 2 + squares * (cell + 3) <= columns;
    let (bar, left) = if ruled { (" │", " │") } else { ("", "") };
    let rule = |left: char, middle: char, right: char| {
        if !ruled {
            return String::new();
        }
        let bar = "─".repeat(cell + 2);
        let bars = vec![bar; squares].join(&middle.to_string());
        format!("{:margin$} {left}{bars}{right}\n", "")
    };

    let gap = if ruled { "  " } else { "" };
    let mut text = format!("{:margin$}{gap}", "");
    for col in 0..board.cols() {
        let _ = write!(text, " {:>cell$}{gap}", column_name(col));
    }
    let mut text = text.trim_end().to_owned() + "\n" + &rule('┌', '┬', '┐');
    for row in 0..board.rows() {
        if row > 0 {
            text += &rule('├', '┼', '┤');
        }
        let _ = write!(text, "{:>margin$}{left}", board.rank(row));
        for col in 0..board.cols() {
            let (style, content) = text_on(board.square_at(row, col));
            let _ = write!(text, " {style}{content:>cell$}{style:#}{bar}");
        }
        text += "\n";
    }
    text + &rule('└', '┴', '┘')
}

#[cfg(test)]
mod tests {
    use super::*;
    use hamcnf_tours::TourKind;

    #[test]
    fn a_board_has_names_numbers_and_marked_ends() {
        let board: Board = "3x4".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap();
        let order = ["a1", "c2", "a3", "b1", "d2", "b3", "c1", "a2", "c3", "d1", "b2", "d3"];
        let order = order.iter().map(|s| board.square(s).unwrap()).collect();
        let text = tour(&instance, &Tour::check(&instance, order).unwrap());
        insta::assert_snapshot!(anstream::adapter::strip_str(&text).to_string(), @"
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

    #[test]
    fn a_narrow_terminal_has_no_lines_and_a_wide_board_still_its_names() {
        let board: Board = "3x4".parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Open, Vertex::new(0)).unwrap();
        let order = [0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11].map(Vertex::new);
        let checked = Tour::check(&instance, order.to_vec()).unwrap();
        let plain = |columns| {
            let text = tour_within(&instance, &checked, columns);
            anstream::adapter::strip_str(&text).to_string()
        };
        assert_eq!(plain(23), anstream::adapter::strip_str(&tour(&instance, &checked)).to_string());
        insta::assert_snapshot!(plain(22), @r"
           a  b  c  d
        1  1  4  7 10
        2  8 11  2  5
        3  3  6  9 12
        ");
    }

    #[test]
    fn queens_are_letters() {
        let queens = Queens::new(4).unwrap();
        let checked = Placement::check(&queens, vec![1, 3, 0, 2]).unwrap();
        let text = placement(&queens, &checked);
        insta::assert_snapshot!(anstream::adapter::strip_str(&text).to_string(), @"
            a   b   c   d
          ┌───┬───┬───┬───┐
        1 │   │   │ Q │   │
          ├───┼───┼───┼───┤
        2 │ Q │   │   │   │
          ├───┼───┼───┼───┤
        3 │   │   │   │ Q │
          ├───┼───┼───┼───┤
        4 │   │ Q │   │   │
          └───┴───┴───┴───┘
        ");
    }
}
