//! Grids on a torus: `torus:ROWS:COLUMNS`, each vertex joined to the next in its row and in its column, and the last to the
//! first. All of them have a Hamiltonian cycle.

use super::FamilyKind;
use crate::problem::graph::Graph;

/// `torus:6:7`
pub const FAMILY: FamilyKind = FamilyKind {
    name: "torus",
    form: "ROWS:COLUMNS",
    says: "a grid whose rows and columns are cycles",
    numbers: 2,
    make: |numbers| match *numbers {
        [rows, columns] => torus(rows, columns),
        _ => Err("it has two numbers".to_owned()),
    },
};

/// Past this the graph is no example any more.
const MOST: u64 = 10_000_000;

fn torus(rows: u32, columns: u32) -> Result<Graph, String> {
    if rows < 3 || columns < 3 || u64::from(rows) * u64::from(columns) > MOST {
        return Err(format!(
            "a torus has rows and columns from 3 on, and up to {MOST} vertices"
        ));
    }
    let at = move |row: u32, column: u32| (row % rows) * columns + column % columns;
    let vertices = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let edges = vertices.flat_map(|(row, column)| {
        let from = at(row, column);
        [(from, at(row, column + 1)), (from, at(row + 1, column))]
    });
    Graph::from_edges(rows * columns, edges).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_vertex_has_four_neighbours() {
        let graph = torus(3, 5).unwrap();
        assert_eq!((graph.n_vertices(), graph.n_edges()), (15, 30));
        assert!(graph.vertices().all(|v| graph.degree(v) == 4));
        assert!(torus(2, 5).is_err());
    }
}
