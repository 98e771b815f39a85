//! Pseudo-Boolean constraints, and the operations of the cutting-planes proof system.
//!
//! The normal form of a constraint is Σ aᵢ·lᵢ ≥ d, with literals lᵢ of different variables and with aᵢ > 0. If a sum
//! has both literals of a variable, ¬x is replaced by 1 − x: then a·x + b·¬x becomes the constant min(a, b) plus one
//! term. The term has the literal with the greater coefficient, and its coefficient is the difference of a and b.

use std::collections::BTreeMap;

use super::Why;
use super::numbers::Literal;

/// A pseudo-Boolean constraint in normal form.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(super) struct Sum {
    /// Coefficient of each variable that occurs. It is never 0, and it is negative if the variable occurs negated.
    terms: BTreeMap<u32, i64>,
    degree: i64,
}

impl Sum {
    /// Returns the constraint 0 ≥ `degree`. Terms can be added to its left side.
    pub(super) fn least(degree: i64) -> Self {
        Self { degree, ..Self::default() }
    }

    pub(super) fn degree(&self) -> i64 {
        self.degree
    }

    pub(super) fn len(&self) -> usize {
        self.terms.len()
    }

    pub(super) fn terms(&self) -> impl Iterator<Item = (Literal, i64)> + '_ {
        self.terms.iter().map(|(&variable, &coefficient)| {
            let literal = Literal(2 * variable + u32::from(coefficient < 0));
            (literal, coefficient.abs())
        })
    }

    /// Adds the term a·l to the left side. The coefficient a may be positive or negative.
    pub(super) fn add_term(&mut self, literal: Literal, coefficient: i64) -> Result<(), Why> {
        // If a is negative, a·l is rewritten as −a·¬l + a.
        let negative = literal.0 & 1 == 1;
        if coefficient < 0 {
            let opposite = coefficient.checked_neg().ok_or(Why::OVERFLOW)?;
            self.degree = self.degree.checked_add(opposite).ok_or(Why::OVERFLOW)?;
        }
        let signed = if negative { coefficient.checked_neg() } else { Some(coefficient) };
        let signed = signed.ok_or(Why::OVERFLOW)?;
        let term = self.terms.entry(literal.0 >> 1).or_default();
        if (*term < 0) != (signed < 0) {
            let both = term.unsigned_abs().min(signed.unsigned_abs());
            let both = i64::try_from(both).map_err(|_| Why::OVERFLOW)?;
            self.degree = self.degree.checked_sub(both).ok_or(Why::OVERFLOW)?;
        }
        *term = with_opposite(term.checked_add(signed))?;
        if *term == 0 {
            self.terms.remove(&(literal.0 >> 1));
        }
        Ok(())
    }

    /// Returns the sum of the two constraints.
    pub(super) fn add(mut self, other: Self) -> Result<Self, Why> {
        if self.len() < other.len() {
            return other.add(self);
        }
        self.degree = self.degree.checked_add(other.degree).ok_or(Why::OVERFLOW)?;
        for (literal, coefficient) in other.terms() {
            self.add_term(literal, coefficient)?;
        }
        Ok(self)
    }

    pub(super) fn times(mut self, factor: i64) -> Result<Self, Why> {
        for number in self.terms.values_mut().chain([&mut self.degree]) {
            *number = with_opposite(number.checked_mul(factor))?;
        }
        Ok(self)
    }

    /// Divides all coefficients and the degree by a positive divisor, and rounds up.
    pub(super) fn divided(mut self, divisor: i64) -> Self {
        let up = |number: i64| number.div_euclid(divisor) + i64::from(number.rem_euclid(divisor) > 0);
        for coefficient in self.terms.values_mut() {
            *coefficient = coefficient.signum() * up(coefficient.abs());
        }
        self.degree = up(self.degree);
        self
    }

    /// Replaces every coefficient that is greater than the degree by the degree.
    pub(super) fn saturated(mut self) -> Self {
        let most = self.degree.max(0);
        for coefficient in self.terms.values_mut() {
            *coefficient = (*coefficient).clamp(-most, most);
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self
    }

    /// Returns the negation of the constraint, in normal form.
    pub(super) fn negated(&self) -> Result<Self, Why> {
        let mut degree = 1i64.checked_sub(self.degree).ok_or(Why::OVERFLOW)?;
        for (_, coefficient) in self.terms() {
            degree = degree.checked_add(coefficient).ok_or(Why::OVERFLOW)?;
        }
        let terms = self.terms.iter().map(|(&variable, &c)| (variable, -c));
        Ok(Self { terms: terms.collect(), degree })
    }

    /// Returns the constraint with `literal` set to false. The constraint must contain the literal.
    pub(super) fn without(mut self, literal: Literal) -> Self {
        self.terms.remove(&(literal.0 >> 1));
        self
    }

    pub(super) fn coefficient(&self, literal: Literal) -> i64 {
        let found = self.terms.get(&(literal.0 >> 1)).copied().unwrap_or(0);
        let of_literal = (found < 0) == (literal.0 & 1 == 1);
        if of_literal { found.abs() } else { 0 }
    }

    /// True if the constraint has no solution: its degree exceeds the sum of its coefficients.
    pub(super) fn cannot_hold(&self) -> bool {
        let all: i128 = self.terms().map(|(_, c)| i128::from(c)).sum();
        all < i128::from(self.degree)
    }
}

/// Returns the number, or an overflow error if the number or its negation does not fit into 64 bits.
fn with_opposite(number: Option<i64>) -> Result<i64, Why> {
    number.filter(|&number| number != i64::MIN).ok_or(Why::OVERFLOW)
}
