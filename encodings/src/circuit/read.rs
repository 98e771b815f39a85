//! Reading of circuits: from the values of the user's literals, the order of the visited vertices, checked against every
//! part of the constraint.

use rustsat::types::Lit;

use super::{Circuit, Presence, Shape};
use crate::cnf::vars::Term;

/// Vertices in the order of their visits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Visits {
    /// The condition of the constraint is false, so that the arcs need not be a circuit.
    Inactive,
    /// Nothing is visited.
    Empty,
    /// A circuit; the last vertex leads back to the first.
    Circuit(Vec<u32>),
    /// A path.
    Path(Vec<u32>),
    /// Circuits through the depot, which is first in each.
    Routes(Vec<Vec<u32>>),
}

/// Reason why the true arcs are no circuit.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotACircuit {
    /// Several circuits, or a path (which is first) and circuits, although one was asked for. Only relaxed encodings have
    /// such models.
    #[error("the true arcs are {} circuits instead of one", .0.len())]
    Several(Vec<Vec<u32>>),
    /// The assignment is a model of no encoding. The value is the reason in words.
    #[error("{0}")]
    Other(String),
}

/// Returns an error in words.
fn wrong<T>(why: String) -> Result<T, NotACircuit> {
    Err(NotACircuit::Other(why))
}

impl Circuit {
    /// Reads the circuit of an assignment, and checks it. `value` says which literals are true.
    ///
    /// # Errors
    ///
    /// [`NotACircuit`], with the vertex or the number that is wrong.
    pub fn read(&self, value: impl Fn(Lit) -> bool) -> Result<Visits, NotACircuit> {
        self.read_by(&value)
    }

    /// Does what [`read`](Self::read) does. Compiled once for all callers.
    fn read_by(&self, value: &dyn Fn(Lit) -> bool) -> Result<Visits, NotACircuit> {
        let is_true = |term: Term| match term {
            Term::False => false,
            Term::True => true,
            Term::Lit(literal) => value(literal),
        };
        if self.condition.is_some_and(|condition| !value(condition)) {
            return Ok(Visits::Inactive);
        }
        let n = self.n as usize;
        let mut leaving: Vec<Vec<(usize, u32)>> = vec![Vec::new(); n];
        let mut entering = vec![0; n];
        for (k, link) in self.links.iter().enumerate().filter(|(_, link)| is_true(link.term)) {
            let [tail, head] = [link.tail, link.head];
            leaving[tail as usize].push((k, head));
            match self.directed {
                true => entering[head as usize] += 1,
                false => leaving[head as usize].push((k, tail)),
            }
        }
        let visited = (0..n).map(|v| match self.presence(v as u32) {
            Presence::Optional => entering[v] + leaving[v].len() > 0,
            Presence::Visited | Presence::SkippedIf(_) => !self.skips(v as u32, value),
        });
        let visited: Vec<bool> = visited.collect();
        let number = visited.iter().filter(|&&is| is).count();
        let (mut starts, mut ends) = self.degrees(&visited, &leaving, &entering)?;
        if number == 0 {
            return match self.empty && self.at_least == 0 {
                true => Ok(Visits::Empty),
                false => wrong("nothing is visited".to_owned()),
            };
        }
        if let Some(root) = self.root.filter(|&root| !visited[root as usize]) {
            return wrong(format!("the circuit does not visit the root {}", self.name(root)));
        }
        if number < self.at_least as usize || number > self.at_most as usize {
            return wrong(format!("{number} vertices are visited, which the bounds do not allow"));
        }
        let mut parts = Vec::new();
        if let Shape::Path(from, to) = self.shape {
            if !self.directed && from.is_some_and(|v| starts.get(1) == Some(&v))
                || to.is_some() && ends.first() == to.as_ref()
            {
                starts.reverse();
                ends.reverse();
            }
            let (&[start, ..], &[.., end]) = (&starts[..], &ends[..]) else {
                return wrong("the arcs have no path, but only circuits".to_owned());
            };
            if starts.len() > if self.directed { 1 } else { 2 } {
                return wrong(format!("paths begin at {} and {}", self.name(start), self.name(starts[1])));
            }
            for (given, found, role) in [(from, start, "begins"), (to, end, "ends")] {
                if let Some(given) = given.filter(|&given| given != found) {
                    return wrong(format!("the path {role} at {}, not at {}", self.name(found), self.name(given)));
                }
            }
            parts.push(walk(start, &mut leaving));
        }
        let depot = self.depot_vertex();
        if let Some(depot) = depot {
            while !leaving[depot as usize].is_empty() {
                parts.push(walk(depot, &mut leaving));
            }
            if parts.is_empty() && !self.empty {
                return wrong(format!("no circuit visits the depot {}", self.name(depot)));
            }
        }
        let routes = parts.len();
        let mut done = vec![false; n];
        parts.iter().flatten().for_each(|&v| done[v as usize] = true);
        for v in 0..self.n {
            if visited[v as usize] && !std::mem::replace(&mut done[v as usize], true) && Some(v) != depot {
                let part = walk(v, &mut leaving);
                part.iter().for_each(|&v| done[v as usize] = true);
                parts.push(part);
            }
        }
        let few = if self.directed { 2 } else { 3 };
        let is_circuit = |k: usize| !self.is_path() || k > 0;
        if let Some((_, part)) = parts.iter().enumerate().find(|&(k, part)| is_circuit(k) && part.len() < few) {
            return wrong(format!("the circuit through {} has too few vertices", self.name(part[0])));
        }
        match (depot, parts.len()) {
            (Some(_), all) if all == routes && routes > 0 => Ok(Visits::Routes(parts)),
            (Some(_), 0) => Ok(Visits::Empty),
            (None, 1) if self.is_path() => Ok(Visits::Path(parts.swap_remove(0))),
            (None, 1) => Ok(Visits::Circuit(parts.swap_remove(0))),
            _ => Err(NotACircuit::Several(parts)),
        }
    }

    /// True if the literal of a vertex says that it is skipped.
    pub fn skips(&self, v: u32, value: impl Fn(Lit) -> bool) -> bool {
        match self.presence(v) {
            Presence::SkippedIf(Term::Lit(literal)) => value(literal),
            Presence::SkippedIf(constant) => constant == Term::True,
            Presence::Visited | Presence::Optional => false,
        }
    }

    /// Checks the number of true arcs at every vertex. Returns the vertices at which paths begin and end; if the links
    /// are edges, both lists are the same.
    fn degrees(
        &self,
        visited: &[bool],
        leaving: &[Vec<(usize, u32)>],
        entering: &[usize],
    ) -> Result<(Vec<u32>, Vec<u32>), NotACircuit> {
        let (mut starts, mut ends) = (Vec::new(), Vec::new());
        for v in 0..self.n {
            let (out, into) = (leaving[v as usize].len(), entering[v as usize]);
            let (least, most) = match (visited[v as usize], self.is_path(), self.directed) {
                (false, ..) => (0, 0),
                (true, true, true) => (0, 1),
                (true, true, false) => (0, 2),
                (true, false, true) => (1, 1),
                (true, false, false) => (2, 2),
            };
            if self.shape == Shape::Depot(v) {
                if self.directed && out != into {
                    return wrong(format!("{out} arcs leave the depot {}, but {into} enter it", self.name(v)));
                }
                continue;
            }
            if !(least..=most).contains(&out) || self.directed && !(least..=most).contains(&into) {
                let found = if self.directed { out.max(into) } else { out };
                let links = match (self.directed, found) {
                    (true, 1) => "arc",
                    (true, _) => "arcs",
                    (false, 1) => "edge",
                    (false, _) => "edges",
                };
                let name = self.name(v);
                return wrong(match visited[v as usize] {
                    true => format!("vertex {name} has {found} {links} instead of {most}"),
                    false => format!("vertex {name} is skipped, but has {found} {links}"),
                });
            }
            let (is_start, is_end) = match self.directed {
                true => (into < most, out < most),
                false => (out < most, out < most),
            };
            // A vertex without edges is both ends of its path.
            let times = if !self.directed && out == 0 { 2 } else { 1 };
            starts.extend(std::iter::repeat_n(v, if is_start { times } else { 0 }));
            ends.extend(std::iter::repeat_n(v, if is_end { times } else { 0 }));
        }
        Ok(if self.is_path() { (starts, ends) } else { (Vec::new(), Vec::new()) })
    }

    /// True if the constraint asks for a path.
    pub(super) fn is_path(&self) -> bool {
        matches!(self.shape, Shape::Path(..))
    }

    /// Returns the depot or the root; `None` if the circuit has neither.
    pub(super) fn fixed_root(&self) -> Option<u32> {
        match self.shape {
            Shape::Depot(depot) => Some(depot),
            Shape::Closed => self.root,
            Shape::Path(..) => None,
        }
    }
}

/// Returns the vertices in the order in which links lead from `start`, until there is none or it leads to `start`, and
/// removes these links.
fn walk(start: u32, leaving: &mut [Vec<(usize, u32)>]) -> Vec<u32> {
    let mut order = vec![start];
    let mut v = start;
    while let Some((link, next)) = leaving[v as usize].pop() {
        leaving[next as usize].retain(|&(other, _)| other != link);
        if next == start {
            break;
        }
        order.push(next);
        v = next;
    }
    order
}
