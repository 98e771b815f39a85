//! Consequences of vertices of degree 2.
//!
//! Both edges of a vertex of degree 2 are in every Hamiltonian cycle: they are *forced*. If a vertex has two forced
//! edges, its other edges can be removed. If a vertex has three forced edges, there is no Hamiltonian cycle. Adjacent
//! vertices of degree 2 form paths. The edge between the ends of a path can be removed, because it would close a cycle
//! that does not visit all vertices. The inner vertices of a path can be replaced by one vertex.

use super::{Interrupted, NONE, Undo, Work};
use hamcnf_graph::budget::Budget;

/// Number of vertices processed between two checks of the budget.
const STEPS: usize = 1 << 12;

impl Work {
    /// Processes the vertices in the queue until it is empty. Vertices whose edges change are added to the queue.
    pub(super) fn forced(&mut self, budget: &Budget) -> Result<(), Interrupted> {
        let mut looked = 0;
        while let Some(v) = self.queue.pop_front() {
            self.queued[v as usize] = false;
            looked += 1;
            if looked % STEPS == 0 {
                budget.check()?;
            }
            if !self.is_left(v) || self.closed[v as usize] {
                continue;
            }
            match self.degree(v) {
                0 | 1 => return Err(Interrupted::NoCycle),
                2 => {
                    for w in self.at[v as usize].clone() {
                        self.saturate(w)?;
                    }
                    self.contract(v)?;
                }
                _ => self.saturate(v)?,
            }
        }
        Ok(())
    }

    /// Removes the unforced edges of a vertex with two forced edges. Returns a contradiction if the vertex has three
    /// forced edges.
    fn saturate(&mut self, v: u32) -> Result<(), Interrupted> {
        if self.degree(v) <= 2 {
            return Ok(());
        }
        let ends = self.at[v as usize].iter().copied();
        let (forced, free): (Vec<u32>, Vec<u32>) = ends.partition(|&w| self.degree(w) <= 2);
        match forced.len() {
            0 | 1 => {}
            2 => {
                self.at[v as usize] = forced;
                for w in free {
                    self.at[w as usize].retain(|&there| there != v);
                    self.wake(w);
                }
                self.wake(v);
            }
            _ => return Err(Interrupted::NoCycle),
        }
        Ok(())
    }

    /// Replaces the path of degree-2 vertices around `v` by one vertex, and removes the edge between the ends of the
    /// path.
    fn contract(&mut self, v: u32) -> Result<(), Interrupted> {
        let [left, right] = [0, 1].map(|side| self.walk(v, self.at[v as usize][side]));
        let (Some((mut inside, from)), Some((after, to))) = (left, right) else {
            // The path is a cycle, and so a component. `is_whole` detects if there are too many components.
            self.close(v);
            return Ok(());
        };
        if from == to {
            return Err(Interrupted::NoCycle);
        }
        inside.reverse();
        inside.push(v);
        inside.extend(after);
        if inside.len() > 1 {
            for &w in &inside {
                self.gone[w as usize] = true;
                self.at[w as usize].clear();
            }
            let (first, last) = (inside[0], inside[inside.len() - 1]);
            let by = self.name(vec![from, to]);
            self.turn(from, first, by);
            self.turn(to, last, by);
            self.undo.push(Undo::Path { by, inside, from });
        }
        if self.at[from as usize].contains(&to) {
            self.remove(from, to);
        }
        Ok(())
    }

    /// Marks the vertices of the cycle through `v` as `closed`, so that none of them is processed again.
    fn close(&mut self, v: u32) {
        let mut at = v;
        while !std::mem::replace(&mut self.closed[at as usize], true) {
            let [a, b] = [0, 1].map(|k| self.at[at as usize][k]);
            at = if self.closed[a as usize] { b } else { a };
        }
    }

    /// Walks from the degree-2 vertex `v` to its neighbour `w`, and on through vertices of degree 2. Stops at the first
    /// vertex of another degree. Returns the degree-2 vertices after `v`, in the order of the walk, and the vertex at
    /// which the walk stops. Returns `None` if the walk returns to `v`, so that it is a cycle.
    fn walk(&self, v: u32, w: u32) -> Option<(Vec<u32>, u32)> {
        let (mut before, mut at, mut inside) = (v, w, Vec::new());
        while self.degree(at) == 2 {
            if at == v {
                return None;
            }
            inside.push(at);
            let [a, b] = [0, 1].map(|k| self.at[at as usize][k]);
            (before, at) = (at, if a == before { b } else { a });
        }
        debug_assert_ne!(at, NONE);
        Some((inside, at))
    }
}
