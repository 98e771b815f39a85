//! Variables, clauses and constraints, and the file formats that they are written in.

pub mod answer;
pub mod clauses;
pub mod dimacs;
pub mod exactly_one;
pub mod exactly_two;
pub mod gbd;
pub mod model;
pub mod opb;
mod output;
pub mod projection;
pub mod vars;
pub mod wcnf;
pub mod weighted_sum;
pub mod window;

pub use hamcnf_tours::sink;
