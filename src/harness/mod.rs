//! Experiments: a TOML file says what to measure, every measurement is a row of a CSV file, and tables are
//! made from the rows.

pub mod answer;
pub mod cell;
pub mod child;
pub mod compare;
pub mod compare_report;
pub mod count_report;
pub mod counting;
pub mod decision;
pub mod experiment;
pub mod machine;
pub mod place;
pub mod plan;
pub mod report;
pub mod results;
pub mod sizes;
pub mod source;
pub mod way;
