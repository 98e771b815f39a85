//! Checkers of answers that there is no tour. They share no code with what finds such answers: plain and slow beside it, and
//! for that easy to read.

pub mod certificate;
