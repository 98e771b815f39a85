//! Writes a formula in DIMACS, with the names of its variables and a projection set for model counters.
//!
//! ```sh
//! cargo run --example write_cnf -- 6x6 counting > 6x6.cnf
//! ```

use std::env;
use std::error::Error;
use std::io::{self, Write};

use hamcnf_encodings::{Clauses, Formula, ProjectionFormat};
use hamcnf_graph::Vertex;
use hamcnf_tours::{Board, Instance, TourKind};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = env::args().skip(1);
    let board: Board = words.next().as_deref().unwrap_or("6x6").parse()?;
    let encoding = words.next().as_deref().unwrap_or("counting").parse()?;

    let instance = Instance::on_board(board, TourKind::Closed, Vertex::new(0))?;
    let formula = Formula::new(encoding, &instance)?;
    let set = formula.project(&formula.counted_on())?;
    let set = set.as_deref().map(|set| (ProjectionFormat::Show, set));
    let comments = [format!("{instance}, by the encoding {}", formula.encoding())];
    // Clauses stream: at most one clause is in memory.
    let mut out = formula.write_dimacs(io::stdout().lock(), &comments, set, true)?;
    Ok(out.flush()?)
}
