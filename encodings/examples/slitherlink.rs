//! Solves a Slitherlink: one loop along the grid, in which a number tells how many sides of its square belong to the loop.
//!
//! The solver, here batsat, is a `ClauseDatabase`: it gives variables to the circuit, and takes its clauses.

use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;

use batsat::{BasicSolver, SolverInterface, lbool};
use hamcnf_encodings::circuit::{Circuit, ClauseDatabase, Visits};
use hamcnf_encodings::{Lit, Var};

const PUZZLE: [&str; 6] = ["..3.2.", "2.1.02", "....2.", "3.23.1", ".2....", "12..21"];

/// Solver of batsat. Its variables have the same numbers here, from 0.
#[derive(Default)]
struct Batsat(BasicSolver);

impl ClauseDatabase for Batsat {
    type Error = Infallible;

    fn new_var(&mut self) -> Result<Var, Infallible> {
        Ok(Var::new(self.0.new_var_default().idx()))
    }

    fn add_clause(&mut self, literals: &[Lit]) -> Result<(), Infallible> {
        let solver = &mut self.0;
        let mut clause = literals.iter().map(|l| batsat::Lit::new(solver.var_of_int(l.vidx32()), l.is_pos())).collect();
        solver.add_clause_reuse(&mut clause);
        Ok(())
    }
}

/// Returns up to `most` loops. Points are numbered from 0, row by row.
fn solutions(rows: &[&str], most: usize) -> Result<Vec<Vec<u32>>, Box<dyn Error>> {
    let (height, width) = (rows.len(), rows[0].len());
    let mut solver = Batsat::default();
    let mut circuit = Circuit::of_edges(((height + 1) * (width + 1)) as u32);
    let mut edges = HashMap::new();
    for (r, c) in (0..=height).flat_map(|r| (0..=width).map(move |c| (r, c))) {
        for (s, d) in [(r, c + 1), (r + 1, c)].into_iter().filter(|&(s, d)| s <= height && d <= width) {
            let edge = solver.new_var()?.pos_lit();
            circuit.link((r * (width + 1) + c) as u32, (s * (width + 1) + d) as u32, edge.into());
            edges.insert([(r, c), (s, d)], edge);
        }
    }
    for (r, row) in rows.iter().enumerate() {
        for (c, clue) in row.chars().enumerate() {
            let Some(clue) = clue.to_digit(10) else { continue };
            let [a, b, d, e] = [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)];
            let sides = [[a, b], [a, d], [b, e], [d, e]].map(|side| edges[&side]);
            // Each assignment of the four sides with another number of true sides violates a clause.
            for wrong in (0..16_u32).filter(|wrong| wrong.count_ones() != clue) {
                let clause = [0, 1, 2, 3].map(|k| if wrong >> k & 1 == 1 { !sides[k] } else { sides[k] });
                solver.add_clause(&clause)?;
            }
        }
    }
    circuit.all_optional().encode(&"successor".parse()?, &mut solver)?;
    let mut loops = Vec::new();
    while loops.len() < most && solver.0.solve_limited(&[]) == lbool::TRUE {
        let variables = (0..solver.0.num_vars()).map(|index| solver.0.var_of_int(index)).collect::<Vec<_>>();
        let value = |l: Lit| (solver.0.value_var(variables[l.vidx()]) == lbool::TRUE) == l.is_pos();
        let Visits::Circuit(points) = circuit.read(value)? else { return Err("no single loop".into()) };
        loops.push(points);
        let other = circuit.blocking(value);
        solver.add_clause(&other)?;
    }
    Ok(loops)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("{:?}", solutions(&PUZZLE, 2)?);
    Ok(())
}

#[test]
fn the_loop_is_unique() -> Result<(), Box<dyn Error>> {
    let loops = solutions(&PUZZLE, 2)?;
    assert_eq!(loops.iter().map(Vec::len).collect::<Vec<_>>(), [42]);
    Ok(())
}
