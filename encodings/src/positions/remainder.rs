//! Positions by their remainders: several small modular counters side by side.
//!
//! With pairwise coprime moduli q_1, q_2, …, the remainders determine a position below the product L of the moduli (the
//! Chinese remainder theorem). There is one counter per modulus, independent of the others. If q = 2^b, the remainder
//! is a number of b bits with the [adder](super::word). Otherwise every remainder r has a variable R_r, and exactly one
//! of these variables is true.
//!
//! - (R) Σ_r R_ir = 1 for every vertex i but the start and every q that is not a power of two
//! - (6) H_si → P(i) ≡ 1
//! - (7) H_is → P(i) ≡ N − 1
//! - (8) H_ij → P(j) ≡ P(i) + 1: if there is a variable per remainder, H_ij ∧ R_ir → R_j,r+1 for every r modulo q
//!
//! A cycle of l vertices that misses the start needs l ≡ 0 modulo L. If L ≥ N, this is impossible. If L < N, the
//! formula is *relaxed*: it is smaller, but some of its models consist of several cycles. The lengths of all these
//! cycles are divisible by L, except for the cycle through the start. Subtour-elimination constraints ("cuts") exclude
//! these models.
//!
//! # Moduli
//!
//! `remainder=4x3x5` sets the moduli. By default they are a power of two (4, 8 or 16) and the first odd primes, with a
//! product of at least N. Among these choices the default has the fewest variables.
//!
//! # Windows
//!
//! For each vertex, there is one clause for each remainder modulo L that no position in its window has. If the parity
//! is known and one of the moduli is even, the lowest bit of its counter is fixed. The remainders of the wrong parity
//! then need no clauses.
//!
//! # References
//!
//! - Marijn J. H. Heule: *Chinese Remainder Encoding for Hamiltonian Cycles*, SAT 2021.

use rustsat::types::{Lit, Var};

use super::code::{FIRST_MOVE, LAST_MOVE, MOVE};
use super::word::{equals_if, successor_if};
use super::{PARITY, PositionEncoding, Positions, WINDOW};
use crate::base::{BadArgument, Plan, Unfit};
use crate::cnf::exactly_one::{AuxiliaryCount, Cardinality};
use crate::cnf::sink::{ClauseSink, Family};
use crate::cnf::vars::{Allocator, BitVars, Term, Word};
use crate::cnf::window::Pruning;
use hamcnf_graph::graph::Vertex;
use hamcnf_tours::instance::Instance;
use hamcnf_tours::sequence::Sequence;

/// Clause family (R): exactly one remainder per vertex and modulus.
pub const ONE_REMAINDER: Family = Family { label: "(R)", says: "every position has exactly one remainder" };

/// Maximum modulus. For greater moduli, a variable per remainder is impractical.
const MOST: u32 = 1 << 12;

/// Positions represented by their remainders for several moduli.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Remainder {
    /// Moduli as given; empty if they are chosen for each instance.
    moduli: Vec<u32>,
}

impl Remainder {
    /// Parses moduli written as `4x3x5`. If `moduli` is `None`, they are chosen for each instance.
    ///
    /// # Errors
    ///
    /// [`BadArgument`], if the moduli are not pairwise coprime numbers of at least 2.
    pub fn parse(moduli: Option<&str>) -> Result<Self, BadArgument> {
        let Some(text) = moduli else {
            return Ok(Self::default());
        };
        let number = |word: &str| {
            let q = word.parse().ok().filter(|q| (2..=MOST).contains(q));
            let wrong = || BadArgument(format!("\"{word}\" is not a modulus from 2 to {MOST}: write moduli as 4x3x5"));
            q.ok_or_else(wrong)
        };
        let moduli: Vec<u32> = text.split('x').map(number).collect::<Result<_, _>>()?;
        for (k, &a) in moduli.iter().enumerate() {
            if let Some(b) = moduli[..k].iter().find(|&&b| common_factor(a, b) != 1) {
                return Err(BadArgument(format!("the moduli {b} and {a} have a common factor; choose coprime moduli")));
            }
        }
        Ok(Self { moduli })
    }

    /// Returns the moduli for an instance with `n` vertices.
    fn moduli(&self, n: u32) -> Vec<u32> {
        if self.moduli.is_empty() { fewest(n) } else { self.moduli.clone() }
    }
}

fn common_factor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { common_factor(b, a % b) }
}

/// Returns moduli with a product of at least `n`: 4, 8 or 16, followed by the first odd primes. Among these choices,
/// the result needs the fewest variables per vertex.
fn fewest(n: u32) -> Vec<u32> {
    const PRIMES: [u32; 9] = [3, 5, 7, 11, 13, 17, 19, 23, 29];
    let of = |bits: u32, primes: usize| {
        let odd = PRIMES[..primes].iter().copied();
        let moduli: Vec<u32> = std::iter::once(1 << bits).chain(odd).collect();
        let variables = bits + PRIMES[..primes].iter().sum::<u32>();
        (variables, moduli)
    };
    // Greater powers of two are not used: their counters would be binary numbers with long carries again.
    let all = (2..=4).flat_map(|bits| (0..=PRIMES.len()).map(move |k| (bits, k)));
    let enough = all.map(|(bits, k)| of(bits, k));
    let enough = enough.filter(|(_, moduli)| product(moduli) >= n.into());
    let least = enough.min_by_key(|(variables, _)| *variables);
    least.map_or_else(Vec::new, |(_, moduli)| moduli)
}

fn product(moduli: &[u32]) -> u64 {
    let all = moduli.iter();
    all.fold(1, |product: u64, &q| product.saturating_mul(q.into()))
}

impl PositionEncoding for Remainder {
    fn argument(&self) -> Option<String> {
        let moduli: Vec<_> = self.moduli.iter().map(u32::to_string).collect();
        (!moduli.is_empty()).then(|| moduli.join("x"))
    }

    fn layout(&self, instance: &Instance, plan: &Plan, variables: &mut Allocator) -> Result<Box<dyn Positions>, Unfit> {
        let clocks = self.moduli(instance.n()).into_iter();
        let clocks = clocks.map(|q| Clock::new(q, instance, variables)).collect();
        variables.fits()?;
        Ok(Box::new(RemainderPositions { instance: instance.clone(), plan: plan.clone(), clocks }))
    }
}

/// A counter modulo q.
#[derive(Clone, Debug)]
struct Clock {
    q: u32,
    /// Bits of the remainder as a binary number if q is a power of two. Otherwise bit r says that the remainder is r.
    x: BitVars,
}

impl Clock {
    fn new(q: u32, instance: &Instance, variables: &mut Allocator) -> Self {
        let length = if q.is_power_of_two() { q.ilog2() } else { q };
        let x = BitVars::of_length(instance, length, variables);
        Self { q, x }
    }

    fn is_binary(&self) -> bool {
        self.q.is_power_of_two()
    }

    fn is_at(&self, h: Lit, v: Vertex, position: u32, out: &mut dyn ClauseSink) {
        let Some(x) = self.x.word(v) else { return };
        match self.is_binary() {
            true => equals_if(h, x, position % self.q, out),
            false => out.clause(&[!h, x.bit(position % self.q)]),
        }
    }

    fn step(&self, h: Lit, x: Word, y: Word, out: &mut dyn ClauseSink) {
        if self.is_binary() {
            return successor_if(h, x, y, out);
        }
        for r in 0..self.q {
            out.clause(&[!h, !x.bit(r), y.bit((r + 1) % self.q)]);
        }
    }

    /// Returns literals whose disjunction says that `x` is not the remainder of `position`.
    fn differs(&self, x: Word, position: u32) -> Vec<Lit> {
        let r = position % self.q;
        match self.is_binary() {
            true => x.is(r).map(|l| !l).collect(),
            false => vec![!x.bit(r)],
        }
    }

    /// Returns terms whose conjunction says that `x` is the remainder of `position`.
    fn is(&self, x: Word, position: u32) -> impl Iterator<Item = Term> + use<> {
        let others = self.differs(x, position).into_iter();
        others.map(|l| Term::Lit(!l))
    }

    fn value(&self, position: u32, bit: u32) -> bool {
        let r = position % self.q;
        match self.is_binary() {
            true => r >> bit & 1 == 1,
            false => r == bit,
        }
    }
}

/// Positions of an instance in the encoding [`Remainder`]. The variables of the first counter come first, then the
/// variables of the second, and so on.
#[derive(Clone, Debug)]
struct RemainderPositions {
    instance: Instance,
    plan: Plan,
    clocks: Vec<Clock>,
}

impl RemainderPositions {
    fn one_by_one(&self) -> impl Iterator<Item = (&Clock, Vertex)> + '_ {
        let clocks = self.clocks.iter().filter(|clock| !clock.is_binary());
        clocks.flat_map(|clock| self.instance.others().map(move |v| (clock, v)))
    }

    fn of(&self, var: Var) -> Option<(&Clock, Vertex, u32)> {
        let found = |clock: &Clock| clock.x.meaning(var);
        self.clocks.iter().find_map(|clock| found(clock).map(|(v, k)| (clock, v, k)))
    }
}

impl Positions for RemainderPositions {
    fn period(&self) -> u64 {
        product(&self.clocks.iter().map(|clock| clock.q).collect::<Vec<_>>())
    }

    fn count_auxiliary(&self, count: &mut AuxiliaryCount) {
        for (clock, _) in self.one_by_one() {
            count.constraint(|| clock.q as usize);
        }
    }

    fn define(&self, card: &mut Cardinality, out: &mut dyn ClauseSink) {
        // (R) Σ_r R_ir = 1
        out.family(ONE_REMAINDER);
        for (clock, v) in self.one_by_one() {
            if let Some(x) = clock.x.word(v) {
                card.exactly_one((0..clock.q).map(|r| Term::Lit(x.bit(r))), out);
            }
        }
    }

    fn families(&self) -> [Family; 3] {
        [FIRST_MOVE, LAST_MOVE, MOVE]
    }

    /// Streams the clauses (6), H_si → P(i) ≡ 1: if the tour goes from the start s to i, then i has the remainders of
    /// position 1.
    fn first(&self, h_si: Lit, i: Vertex, out: &mut dyn ClauseSink) {
        for clock in &self.clocks {
            clock.is_at(h_si, i, 1, out);
        }
    }

    /// Streams the clauses (7), H_is → P(i) ≡ N − 1: if the tour goes from i to the start s, then i has the remainders
    /// of the last position.
    fn last(&self, h_is: Lit, i: Vertex, out: &mut dyn ClauseSink) {
        for clock in &self.clocks {
            clock.is_at(h_is, i, self.instance.n() - 1, out);
        }
    }

    /// Streams the clauses (8), H_ij → P(j) ≡ P(i) + 1: if the tour goes from i to j, then j has the remainders of the
    /// next position after i.
    fn step(&self, h_ij: Lit, i: Vertex, j: Vertex, out: &mut dyn ClauseSink) {
        for clock in &self.clocks {
            if let (Some(x), Some(y)) = (clock.x.word(i), clock.x.word(j)) {
                clock.step(h_ij, x, y, out);
            }
        }
    }

    fn keep_in_windows(&self, out: &mut dyn ClauseSink) {
        // (P) the lowest bit of a binary counter is known
        let even = self.clocks.iter().find(|clock| clock.is_binary());
        let both = self.plan.odd.as_ref().zip(even);
        if let Some((odd, clock)) = both {
            out.family(PARITY);
            for v in self.instance.others() {
                if let Some(x) = clock.x.word(v) {
                    out.clause(&[x.bit_is(0, u32::from(odd[v.index()]))]);
                }
            }
        }
        if self.plan.pruning == Pruning::None && (self.plan.odd.is_none() || both.is_some()) {
            return;
        }
        // (W) a remainder that no position in the window has
        out.family(WINDOW);
        let (n, all) = (self.instance.n(), self.period());
        let remainders = u32::try_from(all).unwrap_or(u32::MAX).min(n);
        for v in self.instance.others() {
            let window = self.plan.window(v);
            for r in 0..remainders {
                let parity_known = both.is_some() && window.step == 2 && r % 2 != window.lo % 2;
                let step = usize::try_from(all).unwrap_or(usize::MAX);
                if parity_known || (r..n).step_by(step).any(|p| window.contains(p)) {
                    continue;
                }
                let words = self.clocks.iter();
                let clause = words.filter_map(|clock| Some(clock.differs(clock.x.word(v)?, r)));
                out.clause(&clause.flatten().collect::<Vec<_>>());
            }
        }
    }

    fn at(&self, v: Vertex, p: u32) -> Option<Vec<Term>> {
        let at = |clock: &Clock| match clock.x.word(v) {
            Some(x) => clock.is(x, p).collect(),
            None if p == 0 => Vec::new(),
            None => vec![Term::False],
        };
        Some(self.clocks.iter().flat_map(at).collect())
    }

    fn meaning(&self, instance: &Instance, var: Var) -> Option<String> {
        let (clock, v, k) = self.of(var)?;
        Some(format!("R({},{},{k})", instance.vertex_name(v), clock.q))
    }

    fn value(&self, sequence: &Sequence, var: Var) -> Option<bool> {
        let (clock, v, k) = self.of(var)?;
        Some(clock.value(sequence.position(v), k))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moduli_that_fit_are_few_and_enough() {
        for n in 2..3000 {
            let moduli = Remainder::default().moduli(n);
            assert!(product(&moduli) >= n.into(), "{n}: {moduli:?}");
            for (k, &a) in moduli.iter().enumerate() {
                assert!(moduli[..k].iter().all(|&b| common_factor(a, b) == 1));
            }
        }
        assert_eq!(Remainder::default().moduli(400), [4, 3, 5, 7]);
        for (n, moduli) in [(36, &[16, 3][..]), (60, &[4, 3, 5]), (64, &[8, 3, 5]), (200, &[16, 3, 5])] {
            assert_eq!(fewest(n), moduli, "{n}");
        }
        assert!(product(&fewest(i32::MAX as u32)) >= i32::MAX as u64);
    }

    #[test]
    fn bad_moduli_are_named() {
        let wrong = |text| Remainder::parse(Some(text)).unwrap_err().to_string();
        assert_eq!(wrong("4x6"), "the moduli 4 and 6 have a common factor; choose coprime moduli");
        assert!(wrong("4x").starts_with("\"\" is not a modulus from 2 to 4096"));
        assert!(wrong("1").starts_with("\"1\" is not a modulus"));
        assert_eq!(Remainder::parse(Some("4x3")).unwrap().moduli(99), [4, 3]);
    }
}
