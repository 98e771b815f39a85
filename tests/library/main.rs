//! Tests that call the library within their own process.

#![allow(clippy::unwrap_used)]

#[path = "../brute_force/mod.rs"]
mod brute_force;
#[path = "../models/mod.rs"]
mod models;
#[path = "../processes/mod.rs"]
mod processes;
#[path = "../circuits/mod.rs"]
mod random_circuits;

mod certificates;
mod certified;
mod circuits;
mod combinations;
mod constraints;
mod costs;
mod counters;
mod counting;
mod decomposition;
mod directed;
mod engines;
mod enumeration;
mod extensions;
mod given;
mod histograms;
mod large;
mod longest;
mod methods;
mod moves;
mod parts;
mod plain_count;
mod plain_symmetric;
mod queens;
mod refusals;
mod resources;
mod shared;
mod symmetric;
