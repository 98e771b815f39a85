//! Decision diagrams: Boolean functions, or families of sets, over variables 0, 1, 2, … as directed acyclic graphs.
//!
//! A node (x, f₁, f₀) stands for the function that is f₁ if the variable x is true and f₀ if it is false; its children f₁
//! and f₀ depend only on variables after x. There are two ways to omit nodes (`Rule`). With either rule, and with one
//! node for each triple, equal functions are the same node, so equality is a comparison of numbers.
//!
//! Operations recurse on pairs of children. A direct-mapped cache of results makes the number of steps at most the
//! product of the sizes, unless it forgets a pair. The recursion is as deep as there are variables, so its stack is a
//! vector.
//!
//! Children are created before their parents, so the numbers of nodes are a topological order. A collection removes
//! nodes that are not needed, and renumbers the others in the same order.
//!
//! # References
//!
//! - Randal E. Bryant: _Graph-Based Algorithms for Boolean Function Manipulation_, IEEE Transactions on Computers 35
//!   (1986), reduced ordered diagrams and operations.
//! - Karl S. Brace, Richard L. Rudell, Randal E. Bryant: _Efficient Implementation of a BDD Package_, DAC 1990, the table
//!   of nodes and the cache.
//! - Shin-ichi Minato: _Zero-Suppressed BDDs for Set Manipulation in Combinatorial Problems_, DAC 1993.

use hamcnf_graph::budget::{Budget, Stopped};
use num_bigint::BigUint;

use crate::not_counted::NotCounted;

/// Memory per node in bytes: the node itself, and its shares of the table of nodes, of the cache of results, and of what a
/// collection needs. A count takes memory beside it.
pub const BYTES_A_NODE: u64 = 48;

/// Maximum number of nodes, whose numbers have 32 bits.
const MOST_NODES: usize = 1 << 31;
/// Number of steps of operations between two checks of the budget.
const STEPS_A_CHECK: u64 = 1 << 16;
/// Number of nodes below which garbage is not worth a collection.
const FEW_NODES: usize = 1 << 16;

/// Root of a diagram: the number of a node of one [`Diagrams`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Diagram(u32);

impl Diagram {
    /// The function that is always false; the family without sets.
    pub(crate) const FALSE: Self = Self(0);
    /// The function that is always true; or the family {∅}, whose only set is empty.
    pub(crate) const TRUE: Self = Self(1);
}

/// Result of building a diagram: its root, or the limit that was reached.
pub(crate) type DiagramResult = Result<Diagram, Stopped>;

/// Rule that says which nodes are omitted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rule {
    /// A node with two equal children: the function does not depend on the variable.
    Equal,
    /// A node whose child for true is false: no set of the family contains the variable.
    ZeroSuppressed,
}

/// Operation on two diagrams. Each belongs to one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Operation {
    /// Conjunction of functions ([`Rule::Equal`]).
    And,
    /// Disjunction of functions ([`Rule::Equal`]).
    Or,
    /// Function under the literals of a conjunction, which is the second diagram ([`Rule::Equal`]).
    Restrict,
    /// Intersection of families ([`Rule::ZeroSuppressed`]).
    Intersection,
}

#[derive(Clone, Copy)]
struct Node {
    variable: u32,
    with: u32,
    without: u32,
    /// Next node with the same hash, or 0.
    next: u32,
}

impl Node {
    /// Terminals come after all variables.
    const TERMINAL: Self = Self { variable: u32::MAX, with: 0, without: 0, next: 0 };
}

/// Result of an operation. All zeros is a valid entry: false and false is false.
#[derive(Clone, Copy, Default)]
struct Entry {
    operation: u32,
    operands: (u32, u32),
    result: u32,
}

/// Operation on two nodes that waits for the results of their children.
struct Waiting {
    operands: (u32, u32),
    variable: u32,
    without: (u32, u32),
    /// Result for the variable being true, once it is known.
    with: Option<u32>,
}

/// Store of the nodes of diagrams, each of them once.
pub(crate) struct Diagrams {
    rule: Rule,
    variables: u32,
    capacity: usize,
    budget: Budget,
    nodes: Vec<Node>,
    /// Indexed by hash: the first node with this hash, or 0.
    table: Vec<u32>,
    cache: Vec<Entry>,
    /// Number of nodes that the last collection kept.
    kept: usize,
    steps: u64,
}

impl Diagrams {
    /// Creates diagrams with these variables, and at most `capacity` nodes at one time.
    ///
    /// # Errors
    ///
    /// Returns [`NotCounted`] if there are more variables than nodes.
    pub(crate) fn new(rule: Rule, variables: u64, capacity: usize, budget: Budget) -> Result<Self, NotCounted> {
        let capacity = capacity.min(MOST_NODES);
        let fitting = u32::try_from(variables).ok().filter(|&variables| (variables as usize) < capacity);
        let variables = fitting.ok_or_else(|| {
            NotCounted::memory(format!(
                "{variables} variables are more than the {capacity} nodes that the memory limit allows"
            ))
        })?;
        let mut nodes = Vec::with_capacity(FEW_NODES.min(capacity));
        nodes.extend([Node::TERMINAL; 2]);
        Ok(Self {
            rule,
            variables,
            capacity,
            budget,
            nodes,
            table: vec![0; FEW_NODES],
            cache: vec![Entry::default(); FEW_NODES / 2],
            kept: 0,
            steps: 0,
        })
    }

    /// Returns the diagram of the function that is `with` if the variable is true and `without` if it is false, which
    /// depend only on later variables.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped::Memory`] if there are too many nodes.
    pub(crate) fn node(&mut self, variable: u32, with: Diagram, without: Diagram) -> DiagramResult {
        self.unique(variable, with.0, without.0).map(Diagram)
    }

    fn unique(&mut self, variable: u32, with: u32, without: u32) -> Result<u32, Stopped> {
        let omitted = match self.rule {
            Rule::Equal => with == without,
            Rule::ZeroSuppressed => with == Diagram::FALSE.0,
        };
        if omitted {
            return Ok(without);
        }
        let mut index = self.table_index(variable, with, without);
        let mut at = self.table[index];
        while at != 0 {
            let node = self.nodes[at as usize];
            if (node.variable, node.with, node.without) == (variable, with, without) {
                return Ok(at);
            }
            at = node.next;
        }
        if self.nodes.len() >= self.capacity {
            return Err(Stopped::Memory);
        }
        if self.nodes.len() == self.table.len() {
            self.grow()?;
            index = self.table_index(variable, with, without);
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node { variable, with, without, next: self.table[index] });
        self.table[index] = new;
        Ok(new)
    }

    fn table_index(&self, variable: u32, with: u32, without: u32) -> usize {
        index(self.table.len(), variable, with, without)
    }

    fn cache_index(&self, operation: u32, (f, g): (u32, u32)) -> usize {
        index(self.cache.len(), operation, f, g)
    }

    /// Doubles the table and the cache, and the room for nodes up to the capacity, if the system has the memory.
    fn grow(&mut self) -> Result<(), Stopped> {
        let cache = zeros(2 * self.cache.len())?;
        for entry in std::mem::replace(&mut self.cache, cache) {
            let index = self.cache_index(entry.operation, entry.operands);
            self.cache[index] = entry;
        }
        let size = 2 * self.table.len();
        let more = size.min(self.capacity) - self.nodes.len();
        self.nodes.try_reserve_exact(more).map_err(|_| Stopped::Memory)?;
        self.table = zeros(size)?;
        self.link();
        Ok(())
    }

    /// Enters all nodes into the table, which is empty.
    fn link(&mut self) {
        for at in 2..self.nodes.len() {
            let Node { variable, with, without, .. } = self.nodes[at];
            let index = self.table_index(variable, with, without);
            self.nodes[at].next = self.table[index];
            self.table[index] = at as u32;
        }
    }

    /// Computes an operation on two diagrams.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub(crate) fn apply(&mut self, operation: Operation, f: Diagram, g: Diagram) -> DiagramResult {
        debug_assert_eq!(operation == Operation::Intersection, self.rule == Rule::ZeroSuppressed);
        let mut operands = (f.0, g.0);
        let mut waiting: Vec<Waiting> = Vec::new();
        loop {
            let mut result = loop {
                match self.known_result(operation, &mut operands) {
                    Some(result) => break result,
                    None => {
                        self.steps += 1;
                        if self.steps.is_multiple_of(STEPS_A_CHECK) {
                            self.budget.check()?;
                        }
                        let (f, g) = (self.nodes[operands.0 as usize], self.nodes[operands.1 as usize]);
                        let variable = f.variable.min(g.variable);
                        let children = |node: Node, at| {
                            if node.variable == variable { (node.with, node.without) } else { (at, at) }
                        };
                        let (f, g) = (children(f, operands.0), children(g, operands.1));
                        waiting.push(Waiting { operands, variable, without: (f.1, g.1), with: None });
                        operands = (f.0, g.0);
                    }
                }
            };
            loop {
                let Some(last) = waiting.last_mut() else {
                    return Ok(Diagram(result));
                };
                let Some(with) = last.with else {
                    last.with = Some(result);
                    operands = last.without;
                    break;
                };
                let (variable, operands) = (last.variable, last.operands);
                waiting.pop();
                result = self.unique(variable, with, result)?;
                let index = self.cache_index(operation as u32, operands);
                self.cache[index] = Entry { operation: operation as u32, operands, result };
            }
        }
    }

    /// Returns the result of an operation if it is obvious or in the cache. Otherwise replaces the operands by others that
    /// have the same result, and of which neither is a terminal.
    fn known_result(&self, operation: Operation, operands: &mut (u32, u32)) -> Option<u32> {
        const FALSE: u32 = Diagram::FALSE.0;
        const TRUE: u32 = Diagram::TRUE.0;
        let (mut f, mut g) = *operands;
        match operation {
            Operation::And | Operation::Or => {
                let (absorbing, neutral) = if operation == Operation::And { (FALSE, TRUE) } else { (TRUE, FALSE) };
                if f == absorbing || g == absorbing {
                    return Some(absorbing);
                }
                if f == neutral || f == g {
                    return Some(g);
                }
                if g == neutral {
                    return Some(f);
                }
                (f, g) = (f.min(g), f.max(g));
            }
            Operation::Restrict => loop {
                if f <= TRUE || g == TRUE {
                    return Some(f);
                }
                let (node, literal) = (self.nodes[f as usize], self.nodes[g as usize]);
                if node.variable < literal.variable {
                    break;
                }
                let positive = literal.with != FALSE;
                g = if positive { literal.with } else { literal.without };
                if node.variable == literal.variable {
                    f = if positive { node.with } else { node.without };
                }
            },
            Operation::Intersection => loop {
                if f == FALSE || g == FALSE || f == g {
                    return Some(if g == FALSE { g } else { f });
                }
                let (left, right) = (self.nodes[f as usize], self.nodes[g as usize]);
                if left.variable == right.variable {
                    (f, g) = (f.min(g), f.max(g));
                    break;
                }
                if left.variable < right.variable {
                    f = left.without;
                } else {
                    g = right.without;
                }
            },
        }
        *operands = (f, g);
        let entry = self.cache[self.cache_index(operation as u32, *operands)];
        (entry.operands == *operands && entry.operation == operation as u32).then_some(entry.result)
    }

    /// Returns the variable at the root, and the diagrams for this variable being true and false. `None` for terminals.
    pub(crate) fn children(&self, f: Diagram) -> Option<(u32, Diagram, Diagram)> {
        let node = self.nodes[f.0 as usize];
        (f.0 > Diagram::TRUE.0).then_some((node.variable, Diagram(node.with), Diagram(node.without)))
    }

    /// Returns the number of nodes of a diagram, including both terminals.
    pub(crate) fn size(&self, f: Diagram) -> usize {
        self.reachable(&[f]).iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Returns the number of assignments of all variables under which a function is true, or the number of sets of a
    /// family.
    pub(crate) fn count(&self, f: Diagram) -> BigUint {
        // Variables that are omitted above a node are true or false in functions, and false in sets.
        let omitted = |above: Option<u32>, below: u32| match self.rule {
            Rule::Equal => below.min(self.variables) - above.map_or(0, |above| above + 1),
            Rule::ZeroSuppressed => 0,
        };
        let mut counts = vec![BigUint::ZERO, BigUint::from(1u32)];
        // Indexed by node: the place of its count, if it is reachable.
        let mut places = vec![0u32; self.nodes.len()];
        places[1] = 1;
        for at in in_order(&self.reachable(&[f])).skip(2) {
            let node = self.nodes[at];
            let of = |child: u32| {
                &counts[places[child as usize] as usize]
                    << omitted(Some(node.variable), self.nodes[child as usize].variable)
            };
            let count = of(node.with) + of(node.without);
            places[at] = counts.len() as u32;
            counts.push(count);
        }
        &counts[places[f.0 as usize] as usize] << omitted(None, self.nodes[f.0 as usize].variable)
    }

    /// Returns the number of nodes, including terminals and nodes that are no longer needed.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Builds a diagram from others. Before, removes all nodes that the others do not need, if there are many. Does so, and
    /// builds the diagram once more, if there was no room for it. Checks the budget first.
    ///
    /// # Errors
    ///
    /// Returns the limit that was reached.
    pub(crate) fn with_room(
        &mut self,
        kept: &mut [Diagram],
        build: &dyn Fn(&mut Self, &[Diagram]) -> DiagramResult,
    ) -> DiagramResult {
        self.budget.check()?;
        if self.nodes.len() > FEW_NODES.max(4 * self.kept) {
            self.collect(kept)?;
        }
        let has_garbage = self.nodes.len() > self.kept;
        build(self, kept).or_else(|limit| match limit {
            Stopped::Memory if has_garbage => {
                self.collect(kept)?;
                build(self, kept)
            }
            limit => Err(limit),
        })
    }

    /// Returns the reason that a diagram was not built. `when` says how far the work came.
    pub(crate) fn not_built(&self, limit: Stopped, when: &str) -> NotCounted {
        let (nodes, capacity) = (self.nodes.len(), self.capacity);
        match limit {
            Stopped::Memory if nodes < capacity => NotCounted::memory(format!(
                "there is no memory for more than {nodes} nodes of the decision diagram {when}"
            )),
            Stopped::Memory => {
                NotCounted::memory(format!("the decision diagram reached its limit of {capacity} nodes {when}"))
            }
            limit => NotCounted::over(limit, when),
        }
    }

    /// Removes all nodes that these diagrams do not need. All other diagrams become invalid.
    ///
    /// # Errors
    ///
    /// Returns [`Stopped::Memory`] if the system has no memory for the new numbers. All diagrams are then valid.
    pub(crate) fn collect(&mut self, kept: &mut [Diagram]) -> Result<(), Stopped> {
        let reachable = self.reachable(kept);
        let mut new: Vec<u32> = zeros(self.nodes.len())?;
        let mut next = 0;
        for at in in_order(&reachable) {
            new[at] = next as u32;
            let node = self.nodes[at];
            self.nodes[next] = Node { with: new[node.with as usize], without: new[node.without as usize], ..node };
            next += 1;
        }
        self.nodes.truncate(next);
        for diagram in kept {
            diagram.0 = new[diagram.0 as usize];
        }
        self.kept = next;
        self.table.fill(0);
        self.link();
        self.cache.fill(Entry::default());
        Ok(())
    }

    /// Returns the nodes of these diagrams, and both terminals, as a set of bits.
    fn reachable(&self, roots: &[Diagram]) -> Vec<u64> {
        let mut reached = vec![0u64; self.nodes.len().div_ceil(64)];
        reached[0] = 0b11;
        let mut open: Vec<u32> = roots.iter().map(|root| root.0).collect();
        while let Some(at) = open.pop() {
            let (word, bit) = (at as usize / 64, 1 << (at % 64));
            if reached[word] & bit == 0 {
                reached[word] |= bit;
                let node = self.nodes[at as usize];
                open.extend([node.without, node.with]);
            }
        }
        reached
    }
}

fn zeros<T: Clone + Default>(len: usize) -> Result<Vec<T>, Stopped> {
    let mut zeros = Vec::new();
    zeros.try_reserve_exact(len).map_err(|_| Stopped::Memory)?;
    zeros.resize(len, T::default());
    Ok(zeros)
}

/// Returns the places of the bits that are 1, in increasing order.
fn in_order(bits: &[u64]) -> impl Iterator<Item = usize> {
    let places = |(word, &bits): (usize, &u64)| {
        let rest = std::iter::successors(Some(bits), |rest| Some(rest & rest.wrapping_sub(1)));
        rest.take_while(|&rest| rest != 0).map(move |rest| 64 * word + rest.trailing_zeros() as usize)
    };
    bits.iter().enumerate().flat_map(places)
}

/// Returns an index below `len`, a power of two. It depends on the lower bits of `b`, on all bits of `c`, and on `a`: nodes
/// with near numbers have near indices, which is a tenth faster than indices that depend on all bits.
fn index(len: usize, a: u32, b: u32, c: u32) -> usize {
    let mixed = (u64::from(b) << 32 | u64::from(c)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ u64::from(a);
    (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32) as usize & (len - 1)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::time::Instant;

    use proptest::prelude::*;

    use super::*;

    const VARIABLES: u32 = 5;
    const ROWS: u32 = 1 << VARIABLES;

    fn diagrams(rule: Rule) -> Diagrams {
        Diagrams::new(rule, VARIABLES.into(), 1 << 16, Budget::default()).unwrap()
    }

    /// Builds the diagram of a truth table: bit r is the value if variable x has the bit x of r.
    fn of_table(diagrams: &mut Diagrams, table: u32) -> Diagram {
        fn below(diagrams: &mut Diagrams, table: u32, variable: u32, row: u32) -> Diagram {
            if variable == VARIABLES {
                return if table >> row & 1 == 1 { Diagram::TRUE } else { Diagram::FALSE };
            }
            let with = below(diagrams, table, variable + 1, row | 1 << variable);
            let without = below(diagrams, table, variable + 1, row);
            diagrams.node(variable, with, without).unwrap()
        }
        below(diagrams, table, 0, 0)
    }

    /// Returns the values of a function for the rows in which the literals are true, at all rows with the same other bits.
    fn restricted(table: u32, literals: &[(u32, bool)]) -> u32 {
        let row = |row: u32| {
            let set = |row, &(x, is): &(u32, bool)| if is { row | 1 << x } else { row & !(1 << x) };
            literals.iter().fold(row, set)
        };
        (0..ROWS).filter(|&at| table >> row(at) & 1 == 1).fold(0, |values, at| values | 1 << at)
    }

    proptest! {
        #[test]
        fn operations_are_those_of_truth_tables(f: u32, g: u32, literals: [Option<bool>; VARIABLES as usize]) {
            let mut functions = diagrams(Rule::Equal);
            let (left, right) = (of_table(&mut functions, f), of_table(&mut functions, g));
            let literals: Vec<_> = (0..).zip(literals).filter_map(|(x, is)| Some((x, is?))).collect();
            let cube = literals.iter().rev().fold(Diagram::TRUE, |rest, &(x, is)| {
                let (with, without) = if is { (rest, Diagram::FALSE) } else { (Diagram::FALSE, rest) };
                functions.node(x, with, without).unwrap()
            });
            for (operation, other, table) in [
                (Operation::And, right, f & g),
                (Operation::Or, right, f | g),
                (Operation::Restrict, cube, restricted(f, &literals)),
            ] {
                let found = functions.apply(operation, left, other).unwrap();
                prop_assert_eq!(found, of_table(&mut functions, table));
                prop_assert_eq!(functions.count(found), table.count_ones().into());
            }
            let mut families = diagrams(Rule::ZeroSuppressed);
            let (left, right) = (of_table(&mut families, f), of_table(&mut families, g));
            let both = families.apply(Operation::Intersection, left, right).unwrap();
            prop_assert_eq!(both, of_table(&mut families, f & g));
            prop_assert_eq!(families.count(both), (f & g).count_ones().into());
        }

        #[test]
        fn kept_diagrams_stay_and_others_go(f: u32, g: u32) {
            for rule in [Rule::Equal, Rule::ZeroSuppressed] {
                let mut diagrams = diagrams(rule);
                of_table(&mut diagrams, g);
                let mut kept = [of_table(&mut diagrams, f)];
                let (size, count) = (diagrams.size(kept[0]), diagrams.count(kept[0]));
                diagrams.collect(&mut kept).unwrap();
                prop_assert_eq!((diagrams.len(), diagrams.size(kept[0])), (size, size));
                prop_assert_eq!(diagrams.count(kept[0]), count);
                prop_assert_eq!(of_table(&mut diagrams, f), kept[0]);
                prop_assert_eq!(diagrams.len(), size);
            }
        }
    }

    /// Builds the family of all sets of k variables, which has about k · (n − k) nodes.
    fn of_size(diagrams: &mut Diagrams, n: u32, k: usize) -> DiagramResult {
        let mut with = vec![Diagram::FALSE; k + 1];
        with[0] = Diagram::TRUE;
        for x in (0..n).rev() {
            for size in (1..=k).rev() {
                with[size] = diagrams.node(x, with[size - 1], with[size])?;
            }
        }
        Ok(with[k])
    }

    /// Tests that a diagram is built once more after the nodes of others are removed, if there is room for it then; and
    /// counts that exceed 64 bits.
    #[test]
    fn room_is_made_where_it_suffices() {
        const N: u32 = 600;
        // Returns the number of nodes with all diagrams, and without the one that is not kept.
        let made = |capacity| {
            let mut diagrams = Diagrams::new(Rule::ZeroSuppressed, N.into(), capacity, Budget::default()).unwrap();
            of_size(&mut diagrams, N - 1, 40)?;
            let mut kept = [of_size(&mut diagrams, N, 20)?];
            let built = diagrams.with_room(&mut kept, &|diagrams, _| of_size(diagrams, N, 100))?;
            assert_eq!(diagrams.count(built).bits(), 386);
            let all = diagrams.len();
            diagrams.collect(&mut kept)?;
            of_size(&mut diagrams, N, 100)?;
            assert_eq!(kept[0], of_size(&mut diagrams, N, 20)?);
            Ok((all, diagrams.len()))
        };
        let (all, fewer) = made(1 << 20).unwrap();
        assert!(fewer < all);
        for capacity in [all, all - 1, fewer] {
            assert!(made(capacity).is_ok());
        }
        assert_eq!(made(fewer - 1), Err(Stopped::Memory));
    }

    #[test]
    fn an_operation_ends_with_the_budget() {
        let late = Budget::default().until(Instant::now());
        let mut diagrams = Diagrams::new(Rule::ZeroSuppressed, 2000, 1 << 22, late).unwrap();
        let all = of_size(&mut diagrams, 2000, 60).unwrap();
        let some = of_size(&mut diagrams, 2000, 59).unwrap();
        assert_eq!(diagrams.apply(Operation::Intersection, all, some), Err(Stopped::Time));
    }
}
