//! Snapshots of CNF files. Small files are compared in full, with the names of their variables. For 5×6, the first and
//! last clause of each family and a checksum of the whole file are compared. A changed snapshot means that users get
//! different files.

use std::fmt::Write;

use hamcnf_encodings::{AtMostOne, Clauses, Encoding, Formula, Projection, ProjectionFormat, Pruning, encoding};
use hamcnf_graph::Named;
use hamcnf_tours::{ClauseSink, Family, Instance, TourKind};
use rustsat::types::Lit;

fn instance(board: &str, kind: TourKind, start: &str) -> Instance {
    let board: hamcnf_tours::Board = board.parse().unwrap();
    Instance::on_board(board, kind, board.square(start).unwrap()).unwrap()
}

fn file(instance: &Instance, encoding: Encoding, project: &str) -> String {
    let formula = Formula::new(encoding, instance).unwrap();
    let projection = formula.project(&project.parse::<Projection>().unwrap()).unwrap();
    let projection = projection.as_deref().map(|set| (ProjectionFormat::Show, set));
    let comments = [format!("{instance}: {}", formula.encoding())];
    let bytes = formula.write_dimacs(Vec::new(), &comments, projection, true).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Compares complete files of all bases for open tours on 2×3, which has only two moves, a1-c2 and c1-a2.
#[test]
fn open_tours_on_2x3_in_full() {
    let instance = instance("2x3", TourKind::Open, "a1");
    for base in encoding::bases() {
        let set = match base.name {
            "direct" => "positions:1,2",
            "step" => "all",
            "edges" => "edges",
            _ => "arcs",
        };
        insta::assert_snapshot!(format!("open_2x3_{}", base.name), file(&instance, base.name.parse().unwrap(), set));
    }
}

#[test]
fn closed_tours_on_3x3_with_everything_pruned_in_full() {
    let instance = instance("3x3", TourKind::Closed, "a1");
    for base in encoding::bases().iter().filter(|b| b.offers.positions) {
        let encoding: Encoding = base.name.parse().unwrap();
        insta::assert_snapshot!(
            format!("closed_3x3_full_{}", base.name),
            file(&instance, encoding.with("windows=full").unwrap(), "none")
        );
    }
}

/// Compares complete files on 3×4. Unlike on 2×3, `precedence` has clauses for triangles, and some vertices have three
/// edges.
#[test]
fn an_order_and_edges_on_3x4_in_full() {
    for (kind, name) in [(TourKind::Closed, "closed"), (TourKind::Open, "open")] {
        let instance = instance("3x4", kind, "b1");
        for (base, set) in [("precedence", "arcs"), ("edges", "edges")] {
            let encoding: Encoding = base.parse().unwrap();
            insta::assert_snapshot!(format!("{name}_3x4_{base}"), file(&instance, encoding, set));
        }
    }
}

/// The first and last clause of each family.
#[derive(Default)]
struct Endpoints {
    families: Vec<(Family, Vec<String>)>,
}

impl ClauseSink for Endpoints {
    fn family(&mut self, family: Family) {
        self.families.push((family, Vec::new()));
    }
    fn clause(&mut self, literals: &[Lit]) {
        let words: Vec<_> = literals.iter().map(|l| l.to_ipasir().to_string()).collect();
        let (_, clauses) = self.families.last_mut().unwrap();
        clauses.truncate(1);
        clauses.push(words.join(" "));
    }
}

/// Returns the 64-bit FNV-1a hash of some bytes.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[test]
fn closed_tours_on_5x6() {
    let instance = instance("5x6", TourKind::Closed, "a1");
    let mut text = String::new();
    for base in encoding::bases() {
        let windows = match base.offers.positions {
            true => Pruning::ALL,
            false => &[Pruning::None],
        };
        for pruning in windows {
            for at_most_one in AtMostOne::ALL {
                let published: Encoding = base.name.parse().unwrap();
                let encoding = published
                    .with(&format!("windows={pruning}"))
                    .and_then(|e| e.with(&format!("at-most-one={at_most_one}")))
                    .unwrap();
                let formula = Formula::new(encoding.clone(), &instance).unwrap();
                let file = formula.write_dimacs(Vec::new(), &[], None, false).unwrap();
                let clauses = formula.tally().total().clauses;
                let sum = checksum(&file);
                writeln!(text, "{encoding}: {} {clauses} {sum:016x}", formula.n_vars()).unwrap();
                if *at_most_one == AtMostOne::Pairwise {
                    let mut ends = Endpoints::default();
                    formula.emit(&mut ends);
                    for (family, clauses) in ends.families {
                        writeln!(text, "  {} {}", family.label, clauses.join(" ... ")).unwrap();
                    }
                }
            }
        }
    }
    insta::assert_snapshot!(text);
}

/// Compares the checksums of files with the recorded ones. The windows in these files contain only every other
/// position.
#[test]
fn windows_with_parity_on_5x6() {
    let instance = instance("5x6", TourKind::Closed, "a1");
    let mut text = String::new();
    for base in encoding::bases().iter().filter(|b| b.offers.positions) {
        for windows in Pruning::ALL {
            let word = format!("{}+windows={windows}+parity", base.name);
            let formula = Formula::new(word.parse().unwrap(), &instance).unwrap();
            let file = formula.write_dimacs(Vec::new(), &[], None, false).unwrap();
            let (clauses, sum) = (formula.tally().total().clauses, checksum(&file));
            writeln!(text, "{word}: {} {clauses} {sum:016x}", formula.n_vars()).unwrap();
        }
    }
    insta::assert_snapshot!(text);
}
