//! Compilation of a [formula in layers](super::formula) to a partitioned-operation graph, with a clausal proof.
//!
//! A *state* of layer k is an assignment to the variables that later layers use. It determines which choices of the edges
//! after e_k make a model. The search visits each state once, depth first, and tries the next edge with both values.
//!
//! - If neither value leads to a model, the state is *dead*. The search derives a clause over the variables of its layer,
//!   as a solver learns clauses: the clauses that failed under the two values are resolved with definitions and with each
//!   other. The clause excludes similar states too.
//! - Otherwise the state is *live*, and so is each value that leads to a model. If both values are live, the state gets
//!   a node: the product of the literals that the layer has defined and a sum over the values of the edge. If one value
//!   is live, the state gets a node only if several states lead to it. Otherwise, its literals become factors in the
//!   product of the previous state. The lemma of a node N is "the literals of the state imply N".
//!
//! The lemma of the first state, which has no literals, says that the formula implies the root. All clauses follow by
//! unit propagation from the hints. The other direction, that the root implies each clause of the formula, is left to
//! the checker: under the negation of a clause, some literal of every product chain is false, so the root is false.
//!
//! # References
//!
//! - Randal E. Bryant, Wojciech Nawrocki, Jeremy Avigad, Marijn J. H. Heule: *Certified Knowledge Compilation with
//!   Application to Verified Model Counting*, SAT 2023.
//! - Randal E. Bryant, Yong Kiam Tan, Marijn J. H. Heule: the format SCPOG and its checker, verified in HOL4 and CakeML.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write};
use std::rc::Rc;

use num_bigint::BigUint;

use super::formula::Formula;
use super::{CertificateError, write_list};
use crate::frontier::Bytes;
use hamcnf_graph::budget::{Budget, Stopped};

/// Values of the variables that a layer keeps, as bits in the order of the variables.
type State = Box<[u64]>;

/// Number of states visited between two checks of the limits.
const PATIENCE: usize = 256;

/// Result of the search from a state: the live state, or the index, in the list of the layer, of the clause that excludes
/// a dead state.
type Known = Result<Next, usize>;

/// Live state with a node of its own.
struct Node {
    /// Node, or literal of an edge; `None` after the last layer, where nothing is left to decide.
    name: Option<i32>,
    lemma: u32,
    /// Literals of the state that imply the node.
    need: Vec<i32>,
    count: BigUint,
}

/// Live state with one live value of the next edge.
struct Link {
    /// Literals of the variables that the state's layer defines, and the literal of the next edge.
    literals: Vec<i32>,
    /// Clause from which the literal of the edge follows.
    reason: u32,
    step: Step,
    need: Vec<i32>,
}

/// Transition to a live state.
struct Step {
    /// Clauses from which the needed literals of the next state follow.
    hints: Vec<u32>,
    /// Literals of the previous state. From them, these clauses derive the literals of the next state.
    need: Vec<i32>,
    next: Next,
}

/// Live state.
#[derive(Clone)]
enum Next {
    Node(Rc<Node>),
    /// State with one live value of the next edge, which has no node yet.
    Link(Rc<Link>),
}

impl Next {
    fn need(&self) -> &[i32] {
        match self {
            Self::Node(node) => &node.need,
            Self::Link(link) => &link.need,
        }
    }

    fn count(&self) -> &BigUint {
        match self {
            Self::Node(node) => &node.count,
            Self::Link(link) => link.step.next.count(),
        }
    }
}

/// Value of an edge that leads to no model.
struct Failure {
    /// True literals of the state that suffice for the failure.
    need: Vec<i32>,
    /// Clauses that lead to the conflict by unit propagation.
    hints: Vec<u32>,
    /// True if the value of the edge takes part in the conflict.
    is_by_edge: bool,
}

/// Clause that excludes states of a layer.
struct Exclusion {
    /// Variables that are true in all excluded states, and variables that are false in them.
    masks: [State; 2],
    name: u32,
    clause: Vec<i32>,
}

#[derive(Default)]
struct Table {
    known: HashMap<State, Known>,
    excluded: Vec<Exclusion>,
}

/// Product of a chain of states, with the hints of its lemma.
#[derive(Default)]
struct Chain {
    literals: Vec<i32>,
    /// Hints that derive all literals of the product.
    before: Vec<u32>,
    /// Hints that derive the node of the last state.
    after: Vec<u32>,
}

impl Chain {
    /// Follows a step to the first state with a node.
    fn of(step: &Step) -> Self {
        let mut chain = Self::default();
        let mut step = step;
        loop {
            match &step.next {
                Next::Link(link) => {
                    chain.before.extend(&step.hints);
                    chain.literals.extend(&link.literals);
                    chain.before.push(link.reason);
                    step = &link.step;
                }
                Next::Node(node) => {
                    if let Some(name) = node.name {
                        chain.literals.push(name);
                        chain.after.extend(&step.hints);
                        chain.after.push(node.lemma);
                    }
                    return chain;
                }
            }
        }
    }
}

/// Size of a written graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Size {
    /// Number of nodes of the graph.
    pub nodes: u64,
    /// Number of clauses that the proof derives.
    pub lemmas: u64,
    /// Number of states, live and dead, that the search visited.
    pub states: u64,
}

/// Search over the states of a formula, which writes nodes and lemmas.
pub(crate) struct Search<'a> {
    formula: &'a Formula,
    budget: &'a Budget,
    out: BufWriter<&'a mut dyn Write>,
    tables: Vec<Table>,
    /// Indexed by variable: its value. Only meaningful for the layer that was loaded last and for the layer after it.
    values: Vec<bool>,
    /// Number of the last clause.
    clauses: u32,
    /// Number of the last variable or node.
    nodes: i32,
    size: Size,
    /// True if the next node is the root. The root is named before its lemma.
    is_root: bool,
    /// Estimated number of bytes of the tables.
    bytes: u64,
    patience: usize,
}

impl<'a> Search<'a> {
    pub(crate) fn new(formula: &'a Formula, budget: &'a Budget, out: &'a mut dyn Write) -> Self {
        Self {
            formula,
            budget,
            out: BufWriter::new(out),
            tables: (0..formula.layers.len()).map(|_| Table::default()).collect(),
            values: vec![false; formula.variables as usize + 1],
            clauses: formula.clauses.len() as u32,
            nodes: formula.variables,
            size: Size::default(),
            is_root: false,
            bytes: 0,
            patience: PATIENCE,
        }
    }

    /// Writes the graph and the proof. Returns the number of models, and the size of the graph.
    pub(crate) fn run(mut self) -> Result<(BigUint, Size), CertificateError> {
        let count = match self.visit(0, &State::default())? {
            Err(_) => BigUint::ZERO,
            Ok(Next::Node(node)) => node.count.clone(),
            Ok(Next::Link(link)) => {
                self.is_root = true;
                self.node_of(&link)?.count.clone()
            }
        };
        self.out.flush()?;
        Ok((count, self.size))
    }

    /// Returns the variables that layer k keeps. Layer 0 keeps none.
    fn kept(&self, k: usize) -> &'a [i32] {
        match k {
            0 => &[],
            _ => &self.formula.layers[k - 1].kept,
        }
    }

    fn load(&mut self, k: usize, state: &State) {
        for (i, &variable) in self.kept(k).iter().enumerate() {
            self.values[variable as usize] = state[i / 64] >> (i % 64) & 1 == 1;
        }
    }

    fn is_true(&self, literal: i32) -> bool {
        self.values[literal.unsigned_abs() as usize] == (literal > 0)
    }

    /// Computes the values of layer k + 1 from those of layer k and the value of the next edge. Returns the clause from
    /// which each new value follows, in the order of the layer's new variables, and the first clause that is false.
    fn propagate(&mut self, k: usize, value: bool) -> (Vec<usize>, Option<usize>) {
        let formula = self.formula;
        let layer = &formula.layers[k];
        self.values[k + 1] = value;
        let mut from = Vec::with_capacity(layer.new.len());
        for (variable, clauses) in &layer.new {
            let is_unit = |&&clause: &&usize| {
                let mut others = formula.clauses[clause].iter();
                others.all(|&l| l.abs() == *variable || !self.is_true(l))
            };
            let clause = clauses.iter().find(is_unit).copied();
            let clause = clause.expect("a definition determines its variable");
            self.values[*variable as usize] = formula.clauses[clause].contains(variable);
            from.push(clause);
        }
        let is_false = |&&rule: &&usize| !formula.clauses[rule].iter().any(|&l| self.is_true(l));
        let failed = layer.rules.iter().find(is_false).copied();
        (from, failed)
    }

    /// Returns the literals of layer k that make `clause` false, a clause whose literals are about layer k + 1. Also
    /// returns the clauses that derive this, and true if the value of the edge takes part.
    fn resolve(&self, k: usize, clause: &[i32], from: &[usize]) -> (Vec<i32>, Vec<u32>, bool) {
        let (edge, layer) = (k as i32 + 1, &self.formula.layers[k]);
        let (mut need, mut hints, mut is_by_edge) = (Vec::new(), Vec::new(), false);
        let mut add = |literal: i32| match literal.abs() == edge {
            true => is_by_edge = true,
            false if !need.contains(&-literal) => need.push(-literal),
            false => {}
        };
        for &literal in clause {
            let new = layer.new.binary_search_by_key(&literal.abs(), |new| new.0);
            let Ok(place) = new else {
                add(literal);
                continue;
            };
            let reason = from[place];
            hints.push(name(reason));
            let others = self.formula.clauses[reason].iter();
            others.filter(|other| other.abs() != literal.abs()).for_each(|&other| add(other));
        }
        (need, hints, is_by_edge)
    }

    /// Returns the transition from a state of layer k if the next edge has this value, or the reason why the value
    /// leads to no model.
    fn branch(&mut self, k: usize, state: &State, value: bool) -> Result<Result<Step, Failure>, CertificateError> {
        self.load(k, state);
        let (from, failed) = self.propagate(k, value);
        let formula = self.formula;
        let fails = |this: &Self, clause: &[i32], name: u32| {
            let (need, mut hints, is_by_edge) = this.resolve(k, clause, &from);
            hints.push(name);
            Failure { need, hints, is_by_edge }
        };
        if let Some(clause) = failed {
            return Ok(Err(fails(self, &formula.clauses[clause], name(clause))));
        }
        let kept = self.kept(k + 1);
        let mut next = vec![0; kept.len().div_ceil(64)];
        for (i, &variable) in kept.iter().enumerate() {
            next[i / 64] |= u64::from(self.values[variable as usize]) << (i % 64);
        }
        let next = match self.visit(k + 1, &next.into())? {
            Err(place) => {
                let dead = &self.tables[k + 1].excluded[place];
                return Ok(Err(fails(self, &dead.clause, dead.name)));
            }
            Ok(next) => next,
        };
        let clause: Vec<_> = next.need().iter().map(|literal| -literal).collect();
        let (need, hints, _) = self.resolve(k, &clause, &from);
        Ok(Ok(Step { hints, need, next }))
    }

    /// Returns the result of the search from a state of layer k. Searches only if the result is not known yet.
    fn visit(&mut self, k: usize, state: &State) -> Result<Known, CertificateError> {
        if k == self.formula.layers.len() {
            return Ok(Ok(Next::Node(Rc::new(Node {
                name: None,
                lemma: 0,
                need: Vec::new(),
                count: BigUint::from(1u8),
            }))));
        }
        match self.tables[k].known.get(state).cloned() {
            // A second state leads here, so this state needs a node.
            Some(Ok(Next::Link(link))) => {
                let known = Ok(Next::Node(self.node_of(&link)?));
                self.tables[k].known.insert(state.clone(), known.clone());
                return Ok(known);
            }
            Some(known) => return Ok(known),
            None => {}
        }
        let excludes = |exclusion: &Exclusion| {
            let [yes, no] = &exclusion.masks;
            let words = state.iter().zip(yes.iter().zip(no));
            words.into_iter().all(|(&word, (&yes, &no))| word & yes == yes && word & no == 0)
        };
        if let Some(place) = self.tables[k].excluded.iter().position(excludes) {
            return Ok(Err(place));
        }
        self.check()?;
        let absent = self.branch(k, state, false)?;
        let present = self.branch(k, state, true)?;
        let edge = k as i32 + 1;
        self.is_root = k == 0;
        let known = match (present, absent) {
            (Err(failure), _) | (_, Err(failure)) if !failure.is_by_edge => {
                self.exclude(k, &failure.need, &failure.hints)?
            }
            (Err(present), Err(absent)) => {
                let first = self.reason(-edge, &present)?;
                let need = joined([&present.need, &absent.need]);
                let hints: Vec<_> = [first].into_iter().chain(absent.hints).collect();
                self.exclude(k, &need, &hints)?
            }
            (Ok(present), Ok(absent)) => {
                let new = self.new_literals(k, state);
                Ok(Next::Node(self.decision(edge, &new, &present, &absent)?))
            }
            (Ok(step), Err(failure)) => self.link(k, state, edge, step, &failure)?,
            (Err(failure), Ok(step)) => self.link(k, state, -edge, step, &failure)?,
        };
        let held = match &known {
            Err(_) => 0,
            Ok(Next::Node(node)) => 4 * node.need.len(),
            Ok(Next::Link(link)) => 4 * (link.need.len() + link.step.need.len() + link.step.hints.len()),
        };
        self.bytes += (held + 8 * state.len() + 256) as u64;
        self.tables[k].known.insert(state.clone(), known.clone());
        Ok(known)
    }

    /// Checks the limits from time to time.
    fn check(&mut self) -> Result<(), CertificateError> {
        self.size.states += 1;
        self.patience -= 1;
        if self.patience > 0 {
            return Ok(());
        }
        self.patience = PATIENCE;
        let why = match (self.budget.over(), self.budget.memory().filter(|&limit| self.bytes > limit)) {
            (Some(Stopped::Cancelled), _) => "the certificate was interrupted before it was complete".to_owned(),
            (Some(_), _) => "the time limit was reached before the certificate was complete".to_owned(),
            (None, Some(limit)) => {
                format!("the states of the certificate reached the memory limit of {}", Bytes(limit))
            }
            // Numbers of clauses are 32-bit in the formats of the checkers.
            (None, None) if self.clauses > i32::MAX as u32 - (1 << 24) => {
                "the certificate has too many clauses for the checkers".to_owned()
            }
            (None, None) => return Ok(()),
        };
        Err(CertificateError::Refused(why))
    }

    /// Returns the literals that are true in a state of layer k, for the variables that the layer defines.
    fn new_literals(&mut self, k: usize, state: &State) -> Vec<i32> {
        self.load(k, state);
        let Some(layer) = k.checked_sub(1).map(|k| &self.formula.layers[k]) else {
            return Vec::new();
        };
        let new = layer.new.iter().map(|&(variable, _)| variable);
        new.map(|variable| match self.is_true(variable) {
            true => variable,
            false => -variable,
        })
        .collect()
    }

    /// Derives the clause that excludes all states of layer k with these literals.
    fn exclude(&mut self, k: usize, need: &[i32], hints: &[u32]) -> Result<Known, CertificateError> {
        if self.is_root {
            // Without a model, the last lemma is the empty clause.
            writeln!(self.out, "r 0")?;
        }
        let clause: Vec<_> = need.iter().map(|literal| -literal).collect();
        let name = match hints {
            [only] if !clause.is_empty() => *only,
            _ => self.lemma(clause.iter().copied(), hints)?,
        };
        let kept = self.kept(k);
        let mut masks = [(); 2].map(|()| vec![0; kept.len().div_ceil(64)]);
        for &literal in need {
            let place = kept.binary_search(&literal.abs());
            let place = place.expect("states consist of kept variables");
            masks[usize::from(literal < 0)][place / 64] |= 1 << (place % 64);
        }
        self.bytes += (4 * need.len() + 16 * kept.len().div_ceil(64) + 96) as u64;
        let excluded = &mut self.tables[k].excluded;
        excluded.push(Exclusion { masks: masks.map(Vec::into_boxed_slice), name, clause });
        Ok(Err(excluded.len() - 1))
    }

    /// Returns a clause from which the literal `edge` follows, because the other value of the edge fails.
    fn reason(&mut self, edge: i32, failure: &Failure) -> io::Result<u32> {
        match failure.hints[..] {
            [only] => Ok(only),
            _ => {
                let need = failure.need.iter().map(|literal| -literal);
                self.lemma(need.chain([edge]), &failure.hints)
            }
        }
    }

    /// Returns the result for a state with one live value of the next edge. The literal `edge` stands for this value.
    fn link(
        &mut self,
        k: usize,
        state: &State,
        edge: i32,
        step: Step,
        failure: &Failure,
    ) -> Result<Known, CertificateError> {
        let reason = self.reason(edge, failure)?;
        let mut literals = self.new_literals(k, state);
        let need = joined([&literals, &failure.need, &step.need]);
        literals.push(edge);
        Ok(Ok(Next::Link(Rc::new(Link { literals, reason, step, need }))))
    }

    /// Writes the node and the lemma of a state with one live value.
    fn node_of(&mut self, link: &Rc<Link>) -> Result<Rc<Node>, CertificateError> {
        let step = Step { hints: Vec::new(), need: Vec::new(), next: Next::Link(Rc::clone(link)) };
        let chain = Chain::of(&step);
        let (name, hints) = match chain.literals[..] {
            // The reason of the literal is the lemma.
            [only] => (only, chain.before),
            _ => {
                let (name, definition) = self.product(&chain.literals)?;
                let hints = [chain.before, vec![definition], chain.after].concat();
                (name, hints)
            }
        };
        self.state_lemma(name, link.need.clone(), &hints, step.next.count())
    }

    /// Writes the node and the lemmas of a state from which both values of the next edge lead to models.
    fn decision(
        &mut self,
        edge: i32,
        new: &[i32],
        present: &Step,
        absent: &Step,
    ) -> Result<Rc<Node>, CertificateError> {
        let [yes, no] = [present, absent].map(Chain::of);
        let mut part = |literal: i32, chain: &Chain| -> io::Result<(i32, Option<u32>)> {
            if chain.literals.is_empty() {
                return Ok((literal, None));
            }
            let literals = [&[literal], &chain.literals[..]].concat();
            let (name, definition) = self.product(&literals)?;
            Ok((name, Some(definition)))
        };
        let (without, without_definition) = part(-edge, &no)?;
        let (with, with_definition) = part(edge, &yes)?;
        // The first literal of each product is the edge.
        let exclusive = [with_definition, without_definition];
        let exclusive: Vec<_> = exclusive.iter().flatten().map(|first| first + 1).collect();
        let (sum, sum_definition) = self.sum(without, with, &exclusive)?;
        let (name, definition) = match new.is_empty() {
            true => (sum, None),
            false => {
                let (name, definition) = self.product(&[new, &[sum]].concat())?;
                (name, Some(definition))
            }
        };
        let hints = |place: u32, chain: &Chain, part: Option<u32>| -> Vec<u32> {
            let head = definition.into_iter().chain([sum_definition + place]);
            let body = chain.before.iter().copied().chain(part);
            head.chain(body).chain(chain.after.iter().copied()).collect()
        };
        let need = joined([new, &present.need]);
        let clause = need.iter().map(|literal| -literal);
        let clause = [-edge].into_iter().chain(clause).chain([name]);
        let first = self.lemma(clause, &hints(2, &yes, with_definition))?;
        let need = joined([&need, &absent.need]);
        let rest = hints(1, &no, without_definition);
        let hints: Vec<_> = [first].into_iter().chain(rest).collect();
        let count = present.next.count() + absent.next.count();
        self.state_lemma(name, need, &hints, &count)
    }

    /// Writes the lemma that the literals of a state imply its node.
    fn state_lemma(
        &mut self,
        name: i32,
        need: Vec<i32>,
        hints: &[u32],
        count: &BigUint,
    ) -> Result<Rc<Node>, CertificateError> {
        if self.is_root {
            writeln!(self.out, "r {name}")?;
        }
        let clause = need.iter().map(|literal| -literal).chain([name]);
        let lemma = self.lemma(clause, hints)?;
        Ok(Rc::new(Node { name: Some(name), lemma, need, count: count.clone() }))
    }

    /// Writes a derived clause with its hints. Returns its number.
    fn lemma(&mut self, clause: impl Iterator<Item = i32>, hints: &[u32]) -> io::Result<u32> {
        self.clauses += 1;
        self.size.lemmas += 1;
        write!(self.out, "{} a ", self.clauses)?;
        write_list(&mut self.out, clause)?;
        write!(self.out, " ")?;
        write_list(&mut self.out, hints)?;
        writeln!(self.out)?;
        Ok(self.clauses)
    }

    /// Writes a product. Returns its node and the number of its first defining clause, which states that the literals
    /// together imply the node. The next clauses state that the node implies each of the literals.
    fn product(&mut self, literals: &[i32]) -> io::Result<(i32, u32)> {
        self.nodes += 1;
        self.size.nodes += 1;
        let first = self.clauses + 1;
        write!(self.out, "{first} p {} ", self.nodes)?;
        write_list(&mut self.out, literals)?;
        writeln!(self.out)?;
        self.clauses += 1 + literals.len() as u32;
        Ok((self.nodes, first))
    }

    /// Writes a sum of two nodes that exclude each other. Returns its node and the number of its first defining clause,
    /// which states that the node implies one of the two. The next clauses state that each of the two implies the node.
    fn sum(&mut self, left: i32, right: i32, hints: &[u32]) -> io::Result<(i32, u32)> {
        self.nodes += 1;
        self.size.nodes += 1;
        let first = self.clauses + 1;
        write!(self.out, "{first} s {} {left} {right} ", self.nodes)?;
        write_list(&mut self.out, hints)?;
        writeln!(self.out)?;
        self.clauses += 3;
        Ok((self.nodes, first))
    }
}

/// Returns the number of a clause of the formula in the proof.
fn name(clause: usize) -> u32 {
    clause as u32 + 1
}

/// Returns all literals of the lists, without repetition.
fn joined<const K: usize>(lists: [&[i32]; K]) -> Vec<i32> {
    let mut all = Vec::with_capacity(lists.iter().map(|list| list.len()).sum());
    for &literal in lists.into_iter().flatten() {
        if !all.contains(&literal) {
            all.push(literal);
        }
    }
    all
}
