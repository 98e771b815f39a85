//! Order of decisions: a binary heap of variables, with the most active variable at the top.
//!
//! The activity of a variable is a sum over the conflicts that it took part in. Each conflict counts more than the
//! conflict before, by a constant factor: the exponential form of VSIDS.
//!
//! # References
//!
//! - Matthew Moskewicz, Conor Madigan, Ying Zhao, Lintao Zhang, Sharad Malik: *Chaff: Engineering an Efficient SAT
//!   Solver*, DAC 2001.
//! - Niklas Eén, Niklas Sörensson: *An Extensible SAT-solver*, SAT 2003.

/// Factor between the weights of a conflict and of the next conflict.
const DECAY: f64 = 0.95;
/// Activities are scaled down when one of them exceeds this number.
const LARGEST: f64 = 1e100;
/// Marker for a variable that is not in the heap.
const ABSENT: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct Order {
    heap: Vec<u32>,
    /// Indexed by variable: the place in the heap.
    place: Vec<u32>,
    /// Indexed by variable.
    activity: Vec<f64>,
    /// Weight of the next conflict.
    weight: f64,
}

impl Order {
    /// Creates the order of all variables with the given activities.
    pub(super) fn new(activity: Vec<f64>) -> Self {
        let n = activity.len();
        let mut order = Self { heap: Vec::with_capacity(n), place: vec![ABSENT; n], activity, weight: 1.0 };
        for variable in 0..n as u32 {
            order.insert(variable);
        }
        order
    }

    /// Removes and returns the most active variable.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let top = *self.heap.first()?;
        self.place[top as usize] = ABSENT;
        let last = self.heap.pop()?;
        if !self.heap.is_empty() {
            self.sink(last);
        }
        Some(top)
    }

    /// Inserts a variable. Has no effect if the variable is in the heap.
    pub(super) fn insert(&mut self, variable: u32) {
        if self.place[variable as usize] == ABSENT {
            self.heap.push(variable);
            self.rise(self.heap.len() - 1);
        }
    }

    /// Increases the activity of a variable in the current conflict.
    pub(super) fn bump(&mut self, variable: usize) {
        self.activity[variable] += self.weight;
        if self.activity[variable] > LARGEST {
            for activity in &mut self.activity {
                *activity /= LARGEST;
            }
            self.weight /= LARGEST;
        }
        if self.place[variable] != ABSENT {
            self.rise(self.place[variable] as usize);
        }
    }

    /// Begins the next conflict.
    pub(super) fn decay(&mut self) {
        self.weight /= DECAY;
    }

    fn is_before(&self, a: u32, b: u32) -> bool {
        self.activity[a as usize] > self.activity[b as usize]
    }

    fn put(&mut self, variable: u32, place: usize) {
        self.heap[place] = variable;
        self.place[variable as usize] = place as u32;
    }

    /// Moves the variable at a place up until no less active variable is above it.
    fn rise(&mut self, mut place: usize) {
        let variable = self.heap[place];
        while place > 0 {
            let above = (place - 1) / 2;
            if !self.is_before(variable, self.heap[above]) {
                break;
            }
            self.put(self.heap[above], place);
            place = above;
        }
        self.put(variable, place);
    }

    /// Puts a variable at the top, and moves it down until no more active variable is below it.
    fn sink(&mut self, variable: u32) {
        let mut place = 0;
        loop {
            let mut below = 2 * place + 1;
            if below + 1 < self.heap.len() && self.is_before(self.heap[below + 1], self.heap[below]) {
                below += 1;
            }
            if below >= self.heap.len() || !self.is_before(self.heap[below], variable) {
                break;
            }
            self.put(self.heap[below], place);
            place = below;
        }
        self.put(variable, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_most_active_variable_is_first(
            n in 1usize..20,
            moves in proptest::collection::vec((0usize..20, 0u32..4), 0..60),
        ) {
            let mut order = Order::new(vec![0.0; n]);
            let mut present = vec![true; n];
            for (variable, kind) in moves {
                let variable = variable % n;
                match kind {
                    0 => {
                        let greatest = (0..n).filter(|&v| present[v]).map(|v| order.activity[v]);
                        let greatest = greatest.reduce(f64::max);
                        let top = order.pop().map(|v| v as usize);
                        prop_assert_eq!(top.map(|v| order.activity[v]), greatest);
                        if let Some(v) = top {
                            prop_assert!(std::mem::replace(&mut present[v], false));
                        }
                    }
                    1 => {
                        order.insert(variable as u32);
                        present[variable] = true;
                    }
                    2 => order.bump(variable),
                    _ => order.weight *= 1e40,
                }
            }
        }
    }
}
