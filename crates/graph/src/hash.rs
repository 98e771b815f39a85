//! Hash function for integers.

use std::hash::{BuildHasherDefault, Hasher};

/// Fast hash function for integers, deterministic across runs.
#[derive(Clone, Copy, Default, Debug)]
pub struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0
    }

    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        for some in bytes.chunks(8) {
            let mut number = [0; 8];
            number[..some.len()].copy_from_slice(some);
            self.write_u64(u64::from_le_bytes(number));
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The constant is 2^64 divided by the golden ratio, as in Knuth's multiplicative hashing. The high bits are
        // mixed well, but hash tables also use the low bits.
        let mixed = (self.0.rotate_left(5) ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn write_u128(&mut self, number: u128) {
        self.write_u64(number as u64);
        self.write_u64((number >> 64) as u64);
    }
}

/// Hash builder for maps whose keys are hashed with [`Mix`].
pub type Mixer = BuildHasherDefault<Mix>;
