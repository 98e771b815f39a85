//! Tests that run the built program, the scripts and cargo. Most of them wait for child processes.
//!
//! All these tests are one test program: the library is linked once, and waiting tests overlap. If a test changes or
//! measures its own process (environment, current directory, limits, signals), it does so in a child process.

#![allow(clippy::unwrap_used)]

#[path = "../processes/mod.rs"]
mod processes;
#[path = "../warnsdorff/mod.rs"]
mod warnsdorff;

mod answers;
mod certificates;
mod checkpoints;
mod cli;
mod cluster;
mod command;
mod corpus;
mod counted;
mod decoding;
mod dependencies;
mod difference;
mod encodings;
mod faults;
mod figures;
mod filter;
mod generator;
mod harness;
mod independent;
mod interop;
mod interrupts;
mod listing;
mod memory;
mod packages;
mod pages;
mod progress;
mod proofs;
mod render;
mod report;
mod reproduce;
mod rows;
mod shards;
mod shell;
mod streams;
mod terminal;
mod tour;
mod transcripts;
mod wording;
mod words;
