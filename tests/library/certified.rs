//! Certificates of counts, checked by a small checker of their format that shares no code with the program. It verifies
//! every lemma by unit propagation, the independence of products, the exclusion of sums, and that the root implies every
//! clause; then it counts.

use std::collections::{BTreeSet, HashMap};

use hamcnf::budget::Budget;
use hamcnf::count::frontier::certificate::Certificate;
use hamcnf::endpoints::Endpoints;
use hamcnf::{Board, Graph, Instance, TourKind, Vertex, graph_strategy::graphs};
use num_bigint::BigUint;
use proptest::prelude::*;

use crate::brute_force::brute_force;

enum Node {
    Product(Vec<i32>),
    Sum(i32, i32),
}

/// Formula and graph of a certificate.
struct Checker {
    variables: usize,
    clauses: HashMap<u32, Vec<i32>>,
    input: u32,
    nodes: HashMap<i32, (Node, BTreeSet<i32>)>,
}

impl Checker {
    fn new(variables: usize, clauses: &[Vec<i32>]) -> Self {
        Self {
            variables,
            clauses: (1..).zip(clauses.iter().cloned()).collect(),
            input: clauses.len() as u32,
            nodes: HashMap::new(),
        }
    }

    /// True if unit propagation along the hints finds a conflict with the literals `known`.
    fn conflicts(&self, known: impl Iterator<Item = i32>, hints: &[u32]) -> Result<bool, String> {
        let mut known: BTreeSet<i32> = known.collect();
        for hint in hints {
            let clause = self.clauses.get(hint).ok_or("no such clause")?;
            let mut open = clause.iter().filter(|&literal| !known.contains(&-literal));
            match (open.next(), open.next()) {
                (None, _) => return Ok(true),
                (Some(&unit), None) => _ = known.insert(unit),
                _ => return Err(format!("hint {hint} is no unit clause")),
            }
        }
        Ok(known.iter().any(|literal| known.contains(&-literal)))
    }

    fn dependencies(&self, literal: i32) -> Result<BTreeSet<i32>, String> {
        match literal.unsigned_abs() as usize <= self.variables {
            true => Ok([literal.abs()].into()),
            false => {
                let node = self.nodes.get(&literal).ok_or("no such node")?;
                Ok(node.1.clone())
            }
        }
    }

    /// Checks a certificate. Returns the number of models.
    fn check(&mut self, text: &str) -> Result<BigUint, String> {
        let (mut root, mut derived) = (None, BTreeSet::new());
        for line in text.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            if let ["r", name] = words[..] {
                root = name.parse::<i32>().ok();
                continue;
            }
            let numbers = words.iter().map(|word| word.parse().unwrap_or(0));
            let numbers: Vec<i32> = numbers.collect();
            let first = numbers[0] as u32;
            if self.clauses.contains_key(&first) {
                return Err(format!("clause {first} exists"));
            }
            let mut parts = numbers[2..].split(|&number| number == 0);
            let part = parts.next().unwrap_or_default();
            match words[1] {
                "a" => {
                    let hints = parts.next().unwrap_or_default();
                    let hints: Vec<_> = hints.iter().map(|&hint| hint as u32).collect();
                    if !self.conflicts(part.iter().map(|literal| -literal), &hints)? {
                        return Err(format!("clause {first} does not follow"));
                    }
                    self.clauses.insert(first, part.to_vec());
                    derived.insert(part.to_vec());
                }
                "p" => {
                    let (name, literals) = (part[0], &part[1..]);
                    let mut all = BTreeSet::new();
                    for &literal in literals {
                        for variable in self.dependencies(literal)? {
                            if !all.insert(variable) {
                                return Err(format!("product {name} is not independent"));
                            }
                        }
                    }
                    let negated = literals.iter().map(|literal| -literal);
                    self.clauses.insert(first, [name].into_iter().chain(negated).collect());
                    for (number, &literal) in (first + 1..).zip(literals) {
                        self.clauses.insert(number, vec![-name, literal]);
                    }
                    self.add(name, Node::Product(literals.to_vec()), all)?;
                }
                "s" => {
                    let [name, left, right, ref hints @ ..] = *part else {
                        return Err("a sum has two parts".to_owned());
                    };
                    let hints: Vec<_> = hints.iter().map(|&hint| hint as u32).collect();
                    if !self.conflicts([left, right].into_iter(), &hints)? {
                        return Err(format!("the parts of sum {name} do not exclude each other"));
                    }
                    self.clauses.insert(first, vec![-name, left, right]);
                    self.clauses.insert(first + 1, vec![name, -left]);
                    self.clauses.insert(first + 2, vec![name, -right]);
                    let mut all = self.dependencies(left)?;
                    all.extend(self.dependencies(right)?);
                    self.add(name, Node::Sum(left, right), all)?;
                }
                other => return Err(format!("unknown step {other}")),
            }
        }
        let root = root.ok_or("no root")?;
        let fact = if root == 0 { vec![] } else { vec![root] };
        if !derived.contains(&fact) {
            return Err("the formula does not imply the root".to_owned());
        }
        if root == 0 {
            return Ok(BigUint::ZERO);
        }
        let nodes = self.in_order();
        for number in 1..=self.input {
            if !self.implies(&nodes, root, &self.clauses[&number]) {
                return Err(format!("the root does not imply clause {number}"));
            }
        }
        let all = BigUint::from(1u8) << self.variables;
        let missing = self.variables - self.dependencies(root)?.len();
        let counts = self.counts();
        let count = counts.get(&root).cloned();
        Ok(count.unwrap_or(all >> 1) << missing)
    }

    fn add(&mut self, name: i32, node: Node, variables: BTreeSet<i32>) -> Result<(), String> {
        let is_new = name as usize > self.variables;
        match is_new && self.nodes.insert(name, (node, variables)).is_none() {
            true => Ok(()),
            false => Err(format!("{name} is no new node")),
        }
    }

    fn in_order(&self) -> Vec<(i32, &Node)> {
        let mut nodes: Vec<_> = self.nodes.iter().map(|(&name, (node, _))| (name, node)).collect();
        nodes.sort_unstable_by_key(|&(name, _)| name);
        nodes
    }

    /// True if the root is false whenever the clause is false.
    fn implies(&self, nodes: &[(i32, &Node)], root: i32, clause: &[i32]) -> bool {
        let last = nodes.last().map_or(0, |&(name, _)| name).max(self.variables as i32);
        let at = |literal: i32| (literal + last) as usize;
        let mut no = vec![false; 2 * last as usize + 1];
        clause.iter().for_each(|&literal| no[at(literal)] = true);
        for &(name, node) in nodes {
            no[at(name)] = match node {
                Node::Product(literals) => literals.iter().any(|&literal| no[at(literal)]),
                Node::Sum(left, right) => no[at(*left)] && no[at(*right)],
            };
        }
        no[at(root)]
    }

    /// Returns the number of assignments to its variables for each node.
    fn counts(&self) -> HashMap<i32, BigUint> {
        let mut counts: HashMap<i32, BigUint> = HashMap::new();
        for (name, node) in self.in_order() {
            let variables = &self.nodes[&name].1;
            let one = BigUint::from(1u8);
            let of = |literal: &i32| counts.get(literal).unwrap_or(&one).clone();
            let count = match node {
                Node::Product(literals) => literals.iter().map(of).product(),
                Node::Sum(left, right) => {
                    let parts = [left, right].map(|part| {
                        let own = self.dependencies(*part).unwrap().len();
                        of(part) << (variables.len() - own)
                    });
                    parts.into_iter().sum()
                }
            };
            counts.insert(name, count);
        }
        counts
    }
}

fn certificate(instance: &Instance, ends: Endpoints) -> (Certificate, String, BigUint) {
    let certificate = Certificate::new(instance, ends).unwrap();
    let options = Budget::default().with_memory(Some(1 << 30));
    let mut text = Vec::new();
    let (count, _) = certificate.write(&options, &mut text).unwrap();
    (certificate, String::from_utf8(text).unwrap(), count)
}

/// Checks the certificate of a count.
#[track_caller]
fn check(instance: &Instance, ends: Endpoints, expected: u64) {
    let (certificate, text, count) = certificate(instance, ends);
    assert_eq!(count, expected.into(), "{instance}");
    let mut checker = Checker::new(certificate.variables(), certificate.clauses());
    let models = checker.check(&text).unwrap();
    assert_eq!(models * certificate.tours_per_model(), expected.into(), "{instance}");
}

fn board(text: &str, kind: TourKind) -> Instance {
    Instance::on_board(text.parse::<Board>().unwrap(), kind, Vertex::new(0)).unwrap()
}

#[test]
fn certificates_of_boards_have_the_known_counts() {
    check(&board("3x10", TourKind::Closed), Endpoints::Closed, 16);
    check(&board("4x5", TourKind::Closed), Endpoints::Closed, 0);
    check(&board("3x4", TourKind::Open), Endpoints::ANYWHERE, 16);
    let open = board("3x7", TourKind::Open);
    check(&open, Endpoints::ANYWHERE, 104);
}

#[test]
#[ignore = "takes a minute"]
fn certificates_of_larger_boards_have_the_known_counts() {
    check(&board("5x6", TourKind::Closed), Endpoints::Closed, 8);
    let open = board("5x5", TourKind::Open);
    check(&open, Endpoints::of(&open), 304);
}

#[test]
fn changed_certificates_are_rejected() {
    let instance = board("3x10", TourKind::Closed);
    let (certificate, text, _) = certificate(&instance, Endpoints::Closed);
    let check = |text: &str| Checker::new(certificate.variables(), certificate.clauses()).check(text);
    assert_eq!(check(&text), Ok(16u8.into()));
    let lines: Vec<_> = text.lines().collect();
    let is_product = |line: &&&str| line.contains(" p ");
    let product = lines.iter().rposition(|line| is_product(&line)).unwrap();
    // A product with a flipped literal, a missing lemma, and another root.
    let flipped = lines[product].rsplit_once(' ').unwrap().0;
    let (head, last) = flipped.rsplit_once(' ').unwrap();
    let (head, literal) = head.rsplit_once(' ').unwrap();
    let literal: i32 = literal.parse().unwrap();
    let flipped = format!("{head} {} {last} 0", -literal);
    let without = |at: usize, new: Option<&str>| {
        let before = lines[..at].iter().copied();
        let all = before.chain(new).chain(lines[at + 1..].iter().copied());
        all.collect::<Vec<_>>().join("\n")
    };
    assert!(check(&without(product, Some(&flipped))).is_err());
    let lemma = lines.iter().position(|line| line.contains(" a ")).unwrap();
    assert!(check(&without(lemma, None)).is_err());
    let root = lines.iter().position(|line| line.starts_with("r "));
    let root = root.unwrap();
    let name: i32 = lines[root][2..].parse().unwrap();
    let other = format!("r {}", name - 1);
    assert!(check(&without(root, Some(&other))).is_err());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn certificates_of_random_graphs_have_the_counts_of_brute_force(graph in graphs(3..=6), start in 0u32..6) {
        let start = Vertex::new(start % graph.n_vertices());
        let on = |graph: &Graph, kind| Instance::on_graph("random", graph.clone(), kind, start).ok();
        for kind in [TourKind::Closed, TourKind::Open] {
            let Some(instance) = on(&graph, kind) else { continue };
            let ends = Endpoints::of(&instance);
            let expected = brute_force(&instance).len() as u64;
            match Certificate::new(&instance, ends) {
                Ok(_) => check(&instance, ends, expected),
                Err(_) => prop_assert_eq!(expected, 0),
            }
        }
    }
}
