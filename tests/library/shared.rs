//! Properties that threads and bindings to other languages need: formulas, diagrams and results own or share their
//! data.

use hamcnf::count::enumerate::Tours;
use hamcnf::count::frontier::diagram::Diagram;
use hamcnf::count::queens::Solutions;
use hamcnf::{Encoding, Facts, Formula, Instance, Obstruction, Placement, Queens, QueensFormula, Reading, Tour};

fn is_shared<T: Send + Sync + 'static>() {}
fn is_sent<T: Send + 'static>() {}

#[test]
fn what_is_found_may_go_to_another_thread() {
    is_shared::<Instance>();
    is_shared::<Facts>();
    is_shared::<Encoding>();
    is_shared::<Formula>();
    is_shared::<Reading>();
    is_shared::<Tour>();
    is_shared::<Tours>();
    is_shared::<Obstruction>();
    is_shared::<Diagram>();
    is_shared::<Queens>();
    is_shared::<Placement>();
    is_shared::<QueensFormula>();
    is_sent::<Solutions>();
}

#[test]
fn another_start_shares_the_graph() {
    let board = "50x50".parse().unwrap();
    let first = hamcnf::Vertex::new(0);
    let instance = Instance::on_board(board, hamcnf::TourKind::Open, first).unwrap();
    let other = instance.starting_at(hamcnf::Vertex::new(77)).unwrap();
    assert!(std::ptr::eq(instance.graph(), other.graph()));
    assert!(std::ptr::eq(instance.facts(), other.facts()));
    assert_ne!(instance.distances(), other.distances());
}
