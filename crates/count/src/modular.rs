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

/// Sum of products modulo p, without a division for each product.
#[derive(Clone, Copy)]
pub(super) struct Products {
    /// Largest multiple of p that is at most 2^127.
    most: u128,
    p: u64,
}

impl Products {
    pub(super) fn modulo(p: u64) -> Self {
        let most = (1 << 127) / u128::from(p) * u128::from(p);
        Self { most, p }
    }

    /// Adds a·b to a sum. The sum stays below 2^127, and the product is below 2^126.
    #[inline]
    pub(super) fn add(self, sum: &mut u128, a: u64, b: u64) {
        *sum += u128::from(a) * u128::from(b);
        if *sum >= self.most {
            *sum -= self.most;
        }
    }

    /// Returns the sum modulo p.
    #[inline]
    pub(super) fn value(self, sum: u128) -> u64 {
        (sum % u128::from(self.p)) as u64
    }
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

/// True if the number is prime. The test of Miller and Rabin with the first twelve primes is exact below 2^64 (Sorenson
/// and Webster 2015).
pub(super) fn is_prime(n: u64) -> bool {
    const BASES: [u64; 12] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37];
    if n < 2 {
        return false;
    }
    if let Some(prime) = BASES.iter().find(|&&prime| n.is_multiple_of(prime)) {
        return n == *prime;
    }
    let twos = (n - 1).trailing_zeros();
    BASES.iter().all(|&base| {
        let mut x = power(base, (n - 1) >> twos, n);
        let mut passes = x == 1 || x == n - 1;
        for _ in 1..twos {
            x = times(x, x, n);
            passes |= x == n - 1;
        }
        passes
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_are_known() {
        let small: Vec<u64> = (0..60).filter(|&n| is_prime(n)).collect();
        assert_eq!(small, [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59]);
        assert!(is_prime((1 << 61) - 1) && is_prime(1_000_000_007) && !is_prime(3_215_031_751));
    }
}
