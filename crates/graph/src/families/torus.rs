//! Grids on a torus: `torus:ROWSxCOLUMNS`. Each vertex is joined to the next vertex in its row and to the next vertex
//! in its column. The first vertex of a row or column is the next vertex after the last. All of these graphs have a
//! Hamiltonian cycle.

use super::*;

/// The family of toroidal grids.
pub const FAMILY: FamilyKind = FamilyKind {
    name: "torus",
    form: "ROWSxCOLUMNS",
    example: "torus:6x7",
    says: "torus: a grid that wraps around; its edges are grid steps, not knight's moves",
    make: |words, _| numbers(words, |[rows, columns]| torus(rows, columns)),
    ..FamilyKind::NONE
};

fn torus(rows: u32, columns: u32) -> Result<Graph, NoGraph> {
    refuse(rows < 3 || columns < 3 || u64::from(rows) * u64::from(columns) > MOST.into(), || {
        format!("a torus must have at least 3 rows, at least 3 columns and at most {MOST} vertices")
    })?;
    let at = move |row: u32, column: u32| (row % rows) * columns + column % columns;
    let vertices = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let edges = vertices.flat_map(|(row, column)| {
        let from = at(row, column);
        [(from, at(row, column + 1)), (from, at(row + 1, column))]
    });
    Graph::from_edges(rows * columns, edges).map_err(NoGraph::from)
}
