//! Arithmetic modulo a number below 2^63. Operands are below the modulus, except bases of powers.

/// Returns a + b.
pub(super) fn add(a: u64, b: u64, p: u64) -> u64 {
    let sum = a + b;
    if sum >= p { sum - p } else { sum }
}

/// Returns a·b.
pub(super) fn times(a: u64, b: u64, p: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(p)) as u64
}

/// Returns the power of a base, by repeated squaring.
pub(super) fn power(base: u64, mut exponent: u64, p: u64) -> u64 {
    let (mut power, mut square) = (1 % p, base % p);
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = times(power, square, p);
        }
        square = times(square, square, p);
        exponent >>= 1;
    }
    power
}

/// Returns the inverse modulo a prime, by Fermat's little theorem.
pub(super) fn inverse(a: u64, p: u64) -> u64 {
    power(a, p - 2, p)
}
