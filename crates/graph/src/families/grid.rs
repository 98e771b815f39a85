//! Grids: `grid:ROWSxCOLUMNS`. Each vertex is joined to the next vertex in its row and to the next vertex in its
//! column. A Hamiltonian cycle exists if and only if the numbers of rows and columns are both at least two and one of
//! them is even.

use super::*;

/// The family of grids.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "grid",
    form: "ROWSxCOLUMNS",
    example: "grid:6x7",
    says: "grid with edges along rows and columns",
    asks: &[Asked::NoCycle],
    make: |words, asked| {
        numbers(words, |[rows, columns]| {
            has_one(asked, has_cycle(rows, columns))?;
            grid(rows, columns)
        })
    },
    ..FamilyKind::NONE
};

fn has_cycle(rows: u32, columns: u32) -> bool {
    rows > 1 && columns > 1 && (rows.is_multiple_of(2) || columns.is_multiple_of(2))
}

fn grid(rows: u32, columns: u32) -> Result<Graph, NoGraph> {
    refuse(rows == 0 || columns == 0 || u64::from(rows) * u64::from(columns) > MOST.into(), || {
        format!("a grid must have at least 1 row, at least 1 column and at most {MOST} vertices")
    })?;
    let vertices = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let edges = vertices.flat_map(|(row, column)| {
        let from = row * columns + column;
        let right = (column + 1 < columns).then_some((from, from + 1));
        let down = (row + 1 < rows).then_some((from, from + columns));
        right.into_iter().chain(down)
    });
    Graph::from_edges(rows * columns, edges).map_err(NoGraph::from)
}
