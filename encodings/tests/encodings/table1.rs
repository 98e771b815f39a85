//! Compares the numbers of variables and clauses with Table 1 of the paper *Knights Tour*.

use hamcnf_encodings::{Clauses, Encoding, Formula};
use hamcnf_graph::Vertex;
use hamcnf_tours::{Board, Instance, TourKind};

/// Board size, then the numbers of variables and clauses of the direct, unary and binary encodings.
const TABLE_1: [(u32, [(u32, u64); 3]); 5] = [
    (6, [(1296, 46692), (1291, 22784), (370, 5605)]),
    (8, [(4096, 262208), (4055, 127236), (714, 12161)]),
    (10, [(10000, 1000100), (9855, 482250), (1269, 24669)]),
    (12, [(20736, 2986128), (20375, 1433980), (2024, 43385)]),
    (14, [(38416, 7529732), (37699, 3610940), (2808, 62021)]),
];

#[test]
fn all_thirty_numbers() {
    for (n, row) in TABLE_1 {
        let board: Board = format!("{n}x{n}").parse().unwrap();
        let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0)).unwrap();
        // Number of unit clauses that the paper does not count. A DIMACS header counts them.
        let units = [2, 1, 0];
        let columns = row.into_iter().zip(units);
        for (name, (expected, units)) in Encoding::PAPER.into_iter().zip(columns) {
            let formula = Formula::new(name.parse().unwrap(), &instance).unwrap();
            let total = formula.tally().total();
            assert_eq!((formula.n_vars(), total.without_units()), expected, "{name} {n}x{n}");
            assert_eq!(total.units, units, "{name} {n}x{n}");
        }
    }
}
