//! Constraints: conditions on tours in addition to those of the graph, such as forced edges or positions of vertices.
//!
//! A constraint is written as a name and a value, such as `force a1-c2` or `at c3=17`. The text is the same in
//! questions, on the command line, in files and in Python. Each constraint is one file of this folder with a
//! [`ConstraintKind`] and a type that implements [`Constraint`], and a line in [`ALL`].
//!
//! Constraints act in two ways:
//!
//! - They change the graph. Forbidden edges and arcs are removed from it, and forced edges and arcs can be
//!   [subdivided](crate::forced). Every method supports these constraints.
//! - They are clauses over the [literals](literals::Literals) of a formula. The file of each constraint documents its
//!   clauses and their number. Formulas without suitable variables do not support the constraint.
//!
//! A *directional* constraint distinguishes the two directions of a closed tour. It makes the instance directed: both
//! arcs of every edge remain, and the two directions of a closed tour count as two tours.

pub mod at;
pub mod before;
mod crowd;
pub mod except;
pub mod literals;
pub mod moves;
pub mod symmetry;
pub mod turns;

// Each constraint begins with `use super::*`. Some of these names are only for constraints.
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use std::sync::Arc as Shared;

use rustsat::types::Var;

use self::literals::*;
use self::turns::TurnNumbers;
use crate::forced::Forced;
use crate::sink::{ClauseSink, Disjunction, Family};
use crate::{BoardSymmetry, HoledBoard, Instance, Sequence, Symmetry, Term, TourKind};
use hamcnf_graph::graph::Vertex;
use hamcnf_graph::names::{Named, and_more, named};

/// The kinds of constraints; to add one, add a line here.
pub const ALL: &[ConstraintKind] =
    &[moves::FORCE, moves::FORBID, at::KIND, before::KIND, turns::KIND, turns::GREATEST, symmetry::KIND, except::KIND];

/// Kind of constraint: its name, its help and its parser.
#[derive(Clone, Copy, Debug)]
pub struct ConstraintKind {
    /// Name: letters and dashes.
    pub name: &'static str,
    /// Form of the value, for help texts.
    pub value: &'static str,
    /// Summary for help texts.
    pub summary: &'static str,
    /// Parses the value into constraints on the tours of the context's instance.
    pub parse: fn(&str, &Context<'_>) -> Parsed,
}

/// Result of parsing a value. A path of several moves gives several constraints.
pub type Parsed = Result<Vec<Shared<dyn Constraint>>, ConstraintError>;

impl ConstraintKind {
    /// Returns the kind with this name.
    pub fn named(name: &str) -> Option<Self> {
        ALL.iter().copied().find(|kind| kind.name == name)
    }
}

/// Instance for which constraints are parsed.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Instance, which may have other constraints already.
    pub instance: &'a Instance,
    /// True if tours begin at the start of the instance.
    pub has_start: bool,
}

impl Context<'_> {
    fn vertex(&self, name: &str) -> Result<Vertex, ConstraintError> {
        let vertex = self.instance.vertex_named(name);
        vertex.ok_or_else(|| ConstraintError::no_vertex(name))
    }

    /// Splits a text into names of vertices. Names may contain the separator. A text that can be split in several ways
    /// is an error.
    fn vertices(&self, text: &str, separator: &str) -> Result<Vec<Vertex>, ConstraintError> {
        let parts: Vec<&str> = text.split(separator).collect();
        // Indexed by k: number of ways to read the first k parts as names, capped at 2; and for one way, the first part
        // of the last name, and its vertex.
        let mut readings = vec![(0, 0, Vertex::new(0)); parts.len() + 1];
        readings[0].0 = 1;
        for last in 0..parts.len() {
            for first in (last + 1).saturating_sub(LONGEST)..=last {
                if let (ways @ 1.., ..) = readings[first]
                    && let Some(vertex) = self.instance.vertex_named(&parts[first..=last].join(separator))
                {
                    readings[last + 1] = (2.min(readings[last + 1].0 + ways), first, vertex);
                }
            }
        }
        if readings[parts.len()].0 > 1 {
            let why = "because names of vertices contain the character that separates vertices";
            return Err(ConstraintError(format!("\"{text}\" is ambiguous, {why}")));
        }
        let mut end = readings.iter().rposition(|&(ways, ..)| ways > 0).unwrap_or(0);
        if let Some(name) = parts.get(end) {
            return Err(ConstraintError::no_vertex(name));
        }
        let mut found = Vec::new();
        while end > 0 {
            let (_, first, vertex) = readings[end];
            found.push(vertex);
            end = first;
        }
        found.reverse();
        Ok(found)
    }
}

/// Greatest number of parts into which the separator may split the name of a vertex.
const LONGEST: usize = 8;

/// Condition on tours.
pub trait Constraint: fmt::Debug + Send + Sync {
    /// Returns the name of the constraint's kind.
    fn name(&self) -> &'static str;

    /// Returns the value of the constraint in the form that its kind parses.
    fn value(&self, instance: &Instance) -> String;

    /// Returns the name and the value, such as `at c3=17`.
    fn text(&self, instance: &Instance) -> String {
        format!("{} {}", self.name(), self.value(instance))
    }

    /// True if the constraint distinguishes the two directions of a closed tour.
    fn is_directional(&self) -> bool {
        false
    }

    /// Returns the constraint adapted to a directed or an undirected instance; `None` if the constraint is the same for
    /// both.
    fn on(&self, _is_directed: bool) -> Option<Shared<dyn Constraint>> {
        None
    }

    /// Returns the tails and heads of the arcs that no tour uses. They are removed from the graph.
    fn forbidden(&self) -> Vec<(Vertex, Vertex)> {
        Vec::new()
    }

    /// Returns the edges and arcs that every tour uses, if a change of the graph can express the constraint. These
    /// edges and arcs, together with the [forbidden](Self::forbidden) arcs, then express the whole constraint. Returns
    /// `None` for all other constraints.
    fn forced(&self) -> Option<Vec<Forced>> {
        None
    }

    /// Returns a vertex and its least and greatest position, 0-based, if the constraint restricts the position of one
    /// vertex.
    fn position(&self) -> Option<(Vertex, u32, u32)> {
        None
    }

    /// Returns two vertices if the constraint says that the tour visits the first before the second.
    fn ordered_pair(&self) -> Option<(Vertex, Vertex)> {
        None
    }

    /// Returns the kinds of turns that the constraint restricts, and the allowed numbers of such turns, an interval
    /// with both ends included; if there is no interval, all turns must be of these kinds. Returns `None` for other
    /// constraints.
    fn turns(&self) -> Option<TurnNumbers<'_>> {
        None
    }

    /// Returns the symmetry that the constraint demands of the tours; `None` for other constraints.
    fn symmetry(&self) -> Option<&Symmetry> {
        None
    }

    /// True if a tour of this kind satisfies the constraint.
    fn holds(&self, tour: &Sequence, kind: TourKind) -> bool;

    /// Returns the same constraint on an instance in which vertex v has the number `new[v]`.
    fn relabelled(&self, new: &[Vertex]) -> Shared<dyn Constraint>;

    /// Returns the same constraint for a graph with one more vertex, at which closed tours begin. The new vertex has
    /// the next free number.
    fn extended(&self) -> Shared<dyn Constraint>;

    /// True if the constraint can be expressed by clauses over the literals of this formula.
    fn fits(&self, literals: &dyn Literals) -> bool;

    /// Returns the number of auxiliary variables of the clauses over these literals.
    fn n_auxiliary(&self, _literals: &dyn Literals) -> u64 {
        0
    }

    /// Returns the meaning of the auxiliary variable with this number, counted from 0.
    fn meaning(&self, _instance: &Instance, _auxiliary: u64) -> Option<String> {
        None
    }

    /// Streams the clauses. The auxiliary variables begin at `first`. The constraint must [fit](Self::fits) the
    /// literals.
    fn emit(&self, literals: &dyn Literals, first: Var, out: &mut dyn ClauseSink);
}

/// Reason why a text is not a constraint of an instance, as a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ConstraintError(String);

impl ConstraintError {
    /// Returns the error for a value that does not have the form of its kind. `form` describes the form, with an
    /// example.
    fn form(name: &str, value: &str, form: &str) -> Self {
        Self(format!("\"{value}\" is not a value for \"{name}\"; write {form}"))
    }

    /// Returns the error for a constraint that needs vertices with coordinates. `what` is a plural noun for the subject
    /// of the constraint, such as `turns`.
    fn no_board(what: &str, instance: &Instance) -> Self {
        Self(format!("{what} exist only on boards, but {} is a graph", instance.name()))
    }

    fn no_vertex(name: &str) -> Self {
        Self(format!("there is no vertex \"{name}\""))
    }
}

/// Constraints in the order of [`ALL`], without duplicates.
pub type Constraints = Shared<[Shared<dyn Constraint>]>;

/// Returns the constraints of an instance as texts, such as `at c3=17`.
pub fn texts(instance: &Instance) -> Vec<String> {
    instance.constraints().iter().map(|constraint| constraint.text(instance)).collect()
}

/// Error for a text that is not a constraint of an instance.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{constraint}\": {error}")]
pub struct NotAConstraint {
    /// Name and value as given.
    pub constraint: String,
    /// Index of the constraint among the given ones; `None` if several constraints contradict each other.
    pub index: Option<usize>,
    /// Reason why the text is not a constraint.
    pub error: ConstraintError,
}

/// Parses constraints, given by their kinds and values. Sorts them by kind and text, and drops duplicates.
///
/// # Errors
///
/// [`NotAConstraint`] for the first text that is not a constraint.
pub fn parsed<'a>(
    context: &Context<'_>,
    given: impl IntoIterator<Item = (ConstraintKind, &'a str)>,
) -> Result<Constraints, NotAConstraint> {
    let mut all: Vec<(String, Shared<dyn Constraint>)> = Vec::new();
    for (index, (kind, value)) in given.into_iter().enumerate() {
        let parsed = (kind.parse)(value, context).map_err(|error| NotAConstraint {
            constraint: format!("{} {value}", kind.name),
            index: Some(index),
            error,
        })?;
        all.extend(parsed.into_iter().map(|constraint| (constraint.text(context.instance), constraint)));
    }
    let place = |name| ALL.iter().position(|kind| kind.name == name);
    all.sort_by_cached_key(|(text, constraint)| (place(constraint.name()), text.clone()));
    all.dedup_by(|(a, _), (b, _)| a == b);
    if let Some(contradiction) = contradiction(&all).or_else(|| crowd(context, &all)) {
        return Err(contradiction);
    }
    Ok(all.into_iter().map(|(_, constraint)| constraint).collect())
}

/// Returns an error for the first constraint on a position that contradicts an earlier one.
fn contradiction(all: &[(String, Shared<dyn Constraint>)]) -> Option<NotAConstraint> {
    // Intervals on a line have a common point if every two of them have one. So it is enough to keep the greatest lower
    // end and the least upper end.
    let mut of_vertex: HashMap<Vertex, [(u32, &str); 2]> = HashMap::new();
    let mut of_position: HashMap<u32, (Vertex, &str)> = HashMap::new();
    for (text, constraint) in all {
        let Some((vertex, low, high)) = constraint.position() else {
            continue;
        };
        let refused = |other: &str, what| {
            let error = ConstraintError(format!("contradicts \"{other}\": a {what}"));
            Some(NotAConstraint { constraint: text.clone(), index: None, error })
        };
        let [least, most] = of_vertex.entry(vertex).or_insert([(low, text), (high, text)]);
        if high < least.0 || low > most.0 {
            let (_, other) = if high < least.0 { least } else { most };
            return refused(other, "vertex has only one position");
        }
        *least = (*least).max((low, text));
        *most = (*most).min((high, text));
        if low == high {
            let (other, before) = *of_position.entry(low).or_insert((vertex, text));
            if other != vertex {
                return refused(before, "position has only one vertex");
            }
        }
    }
    None
}

/// Returns an error if an interval of positions must hold more vertices than it has positions. The start of the tours
/// has the first position. Requires that no constraint on a position contradicts another.
fn crowd(context: &Context<'_>, all: &[(String, Shared<dyn Constraint>)]) -> Option<NotAConstraint> {
    let Context { instance, has_start } = context;
    let start = has_start.then(|| (instance.start(), (0, 0)));
    let mut of_vertex: BTreeMap<Vertex, crowd::Interval> = start.into_iter().collect();
    let mut texts: Vec<(Vertex, &str)> = Vec::new();
    for (text, constraint) in all {
        if let Some((vertex, low, high)) = constraint.position() {
            let interval = of_vertex.entry(vertex).or_insert((low, high));
            *interval = (interval.0.max(low), interval.1.min(high));
            texts.push((vertex, text));
        }
    }
    let intervals: Vec<_> = of_vertex.values().copied().collect();
    let (from, to) = crowd::crowded(&intervals)?;
    let is_inside = |v: &Vertex| from <= of_vertex[v].0 && of_vertex[v].1 <= to;
    let (_, first) = texts.iter().find(|(v, _)| is_inside(v))?;
    let name = |&v: &Vertex| match *has_start && v == instance.start() {
        true => format!("the start {}", instance.vertex_name(v)),
        false => instance.vertex_name(v),
    };
    let inside: Vec<_> = of_vertex.keys().filter(|v| is_inside(v)).map(name).collect();
    let positions = match to - from + 1 {
        1 => format!("position {}", from + 1),
        n => format!("{n} positions, {} to {}", from + 1, to + 1),
    };
    let word = if instance.squares().is_some() { "squares" } else { "vertices" };
    let n = inside.len();
    let all = and_more(inside, n, 6);
    Some(NotAConstraint {
        constraint: (*first).to_owned(),
        index: None,
        error: ConstraintError(format!(
            "{n} {word}, {all}, must share {positions}; allow another position for one of them"
        )),
    })
}

/// Returns the forced edges and arcs of constraints, without those that others imply. Arcs come first, so that they win
/// over edges between the same vertices.
pub fn forced_moves(constraints: &[Shared<dyn Constraint>]) -> Vec<Forced> {
    let forced = constraints.iter().filter_map(|constraint| constraint.forced());
    let mut all: Vec<Forced> = forced.flatten().collect();
    all.sort_by_key(|forced| !forced.is_arc);
    let mut kept = HashSet::new();
    // An arc implies the same arc, and the edge between its ends. An edge implies only the same edge.
    all.retain(|&Forced { tail, head, is_arc }| {
        let is_implied = kept.contains(&(tail, head)) || !is_arc && kept.contains(&(head, tail));
        kept.insert((tail, head));
        !is_implied
    });
    all
}

/// Simplest way to express all constraints of an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Means {
    /// The graph alone, from which forbidden edges and arcs have been removed.
    Graph,
    /// [Subdivision](crate::forced) of these edges and arcs. The list has no duplicates. It has no edge between the
    /// ends of an arc in the list.
    Subdivision(Vec<Forced>),
    /// Clauses. The value is the name of a constraint that needs them.
    Clauses(&'static str),
}

impl Means {
    /// Returns the simplest way to express these constraints.
    pub fn of(constraints: &[Shared<dyn Constraint>]) -> Self {
        if let Some(other) = constraints.iter().find(|other| other.forced().is_none()) {
            return Self::Clauses(other.name());
        }
        match forced_moves(constraints) {
            forced if forced.is_empty() => Self::Graph,
            forced => Self::Subdivision(forced),
        }
    }
}

/// Parses an interval `A..B`, `..B`, `A..` or `A`. Both ends are included. A missing end is replaced by the
/// corresponding end of `all`.
fn interval<T: std::str::FromStr + Copy>(text: &str, all: (T, T)) -> Option<(T, T)> {
    let end = |word: &str, default: T| match word {
        "" => Some(default),
        word => word.parse().ok(),
    };
    match text.split_once("..") {
        Some((low, high)) => Some((end(low, all.0)?, end(high, all.1)?)),
        None => {
            let only = text.parse().ok()?;
            Some((only, only))
        }
    }
}
