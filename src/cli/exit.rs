//! Exit codes. They have the same meaning in every command:
//!
//! | code | meaning |
//! | --- | --- |
//! | 0 | done: a count, a table, a file, a verified proof |
//! | 1 | checked and found wrong: a failed run, answers that contradict each other, an invalid proof or tour |
//! | 2 | bad input, or a question that the method refuses |
//! | 3 | unknown: a limit ended the command, or its method gave up |
//! | 10 | there is a tour; SAT solvers use this code for satisfiable formulas |
//! | 20 | there is no tour; SAT solvers use this code for unsatisfiable formulas |
//! | 129, 130, 143 | a signal ended the command |
//!
//! SAT solvers exit with 0 after printing `s UNKNOWN`. However, scripts take 0 for success, and a limit is not an
//! answer. Therefore all commands use code 3 for limits.

/// The command is done, or the answer is yes.
pub(crate) const DONE: u8 = 0;
/// A check found that something is wrong, such as a failed run or an invalid proof.
pub(crate) const WRONG: u8 = 1;
/// Bad input; clap uses the same code.
pub(crate) const BAD_INPUT: u8 = 2;
/// Unknown answer: a limit ended the command, or its method gave up.
pub(crate) const UNKNOWN: u8 = 3;
/// A tour exists.
pub(crate) const TOUR: u8 = 10;
/// No tour exists.
pub(crate) const NO_TOUR: u8 = 20;
/// No tour exists, but the required proof could not be written.
pub(crate) const WITHOUT_PROOF: u8 = WRONG;
