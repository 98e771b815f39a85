//! Example of a new encoding: positions in reflected binary Gray code, where consecutive positions differ in one bit.
//!
//! A position encoding says how positions are represented, here as a [`Code`]: words of bits. [`Arcs`] adds the arcs
//! and their degree constraints. P(v) has m bits, G(p) is the Gray code of p, and ⟨x⟩ ≠ G(p) is written as one clause:
//!
//! - (6) H_si → P(i) = G(1)
//! - (7) H_is → P(i) = G(N − 1)
//! - (8) H_ij → (⟨x⟩ = G(p) → ⟨y⟩ = G(p + 1)), m clauses for each of the 2^m values of p
//!
//! (6), (7), and the names and values of the variables follow from the number whose bits stand for a position.
//!
//! # References
//!
//! - Frank Gray: *Pulse Code Communication*, US patent 2632058, 1953.

use std::error::Error;

use hamcnf_encodings::base::{Base, Offers, Plan, Unfit};
use hamcnf_encodings::bases::arcs::Arcs;
use hamcnf_encodings::cnf::vars::{Allocator, BitVars, Word};
use hamcnf_encodings::positions::code::{self, Code};
use hamcnf_encodings::positions::{PositionEncoding, Positions};
use hamcnf_encodings::{Clauses, Encoding, Formula, Lit, encoding};
use hamcnf_graph::Vertex;
use hamcnf_tours::{ClauseSink, Instance, TourKind};

/// Returns the p-th word of the reflected binary Gray code.
fn gray(p: u32) -> u32 {
    p ^ (p >> 1)
}

#[derive(Clone, Copy, Debug)]
struct Gray;

impl PositionEncoding for Gray {
    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let x = BitVars::new(instance, variables);
        code::positions(instance, plan, variables, x, *self)
    }
}

impl Code for Gray {
    const LETTER: char = 'G';

    fn number(&self, p: u32) -> u32 {
        gray(p)
    }

    fn step(&self, h: Lit, _: Vertex, x: Word, y: Word, out: &mut dyn ClauseSink) {
        let period = 1u32 << x.m();
        for p in 0..period {
            for next in y.is(gray((p + 1) % period)) {
                // ¬H ∨ ⟨x⟩ ≠ G(p) ∨ y_k = bit k of G(p + 1)
                let mut clause = vec![!h, next];
                clause.extend(x.is(gray(p)).map(|l| !l));
                out.clause(&clause);
            }
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    encoding::register(Base {
        name: "gray",
        says: "positions in reflected binary Gray code",
        with: &[],
        // The encoding does not restrict positions to windows.
        offers: Offers { positions: false, ..Offers::ALL },
        make: |argument| Base::plain(Arcs::with(Gray), argument),
    })?;
    // The registered base is used like a built-in one, and combines with refinements.
    let encoding: Encoding = "gray+two-cycles".parse()?;
    let start = Vertex::new(0);
    let instance = Instance::on_board("6x6".parse()?, TourKind::Closed, start)?;
    let formula = Formula::new(encoding, &instance)?;
    println!("{}: {}", formula.encoding(), formula.instance());
    for (family, count) in formula.tally().families() {
        println!("{:>8} {} {}", count.clauses, family.label, family.says);
    }
    Ok(())
}

#[test]
fn a_tour_is_a_model_and_two_cycles_are_none() -> Result<(), Box<dyn Error>> {
    use hamcnf_encodings::{Model, Var};
    use hamcnf_graph::Graph;
    use hamcnf_tours::Tour;

    main()?;
    let edges = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)];
    let prism = Graph::from_edges(6, edges)?;
    let start = Vertex::new(0);
    let instance = Instance::on_graph("prism", prism, TourKind::Closed, start)?;
    let formula = Formula::new("gray".parse()?, &instance)?;
    let order = [0, 1, 2, 5, 4, 3].map(Vertex::new).to_vec();
    let tour = Tour::check(&instance, order)?;
    let variables = || (0..formula.n_vars()).map(Var::new);
    let values = formula.values(&tour, variables());
    let model: Model = values.map(|(_, value)| value).collect();
    assert!(formula.hold_in(&model), "a tour is a model");
    assert_eq!(formula.tour(&model)?, tour);
    // Two triangles: for any positions, (8) is violated somewhere in the triangle without the start.
    let cycles = [(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)];
    for positions in 0u32..1 << 15 {
        let value = |var: Var| match instance.graph().arcs().nth(var.idx()) {
            Some(arc) => cycles.contains(&(arc.tail.number(), arc.head.number())),
            None => positions >> (var.idx() - 18) & 1 == 1,
        };
        let model: Model = variables().map(value).collect();
        assert!(!formula.hold_in(&model), "positions {positions:b}");
    }
    Ok(())
}
