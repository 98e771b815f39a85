//! `transfer`: counts the closed tours of narrow boards by powers of a transfer matrix, or computes their number modulo a
//! number; see [`count::transfer`](hamcnf_engines::count::transfer).

use std::num::NonZero;

use super::grammar::WrongValue;
use super::{Abilities, Advice, Class, Exact, MethodKind, Setting};
use crate::question::{Question, Tours};
use crate::run::{Details, Failure, Run, RunResult, Share, Status};
use hamcnf_encodings::{Board, TourKind};
use hamcnf_engines::budget::Budget;
use hamcnf_engines::count::transfer::{self, Limits, Progress, TransferError};

/// Exact count of the closed tours of a narrow board of any length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Transfer {
    /// Modulus of the result; `None` for the count itself.
    pub modulus: Option<NonZero<u64>>,
}

/// Greatest modulus.
const MOST: u64 = 1 << 63;
/// Maximum number of rows, and minimum number of columns, of the boards for which `count` uses the transfer matrix.
const NARROW: u32 = 5;
const LONG: u32 = 200;

impl Transfer {
    /// True if the transfer matrix is the better way to count the tours of the question.
    pub(super) fn is_better(tours: &Tours) -> bool {
        let is_narrow = |board: &Board| {
            let (rows, cols) = (board.rows(), board.cols());
            rows.min(cols) <= NARROW && rows.max(cols) >= LONG && transfer::fits(board)
        };
        of_closed_tours(tours).is_some_and(is_narrow)
    }
}

/// Returns the board if the question is about the closed tours of a whole board.
fn of_closed_tours(tours: &Tours) -> Option<&Board> {
    let instance = tours.instance();
    let board = instance.board()?;
    (instance.kind() == TourKind::Closed).then_some(board)
}

impl MethodKind for Transfer {
    fn name(&self) -> &str {
        "transfer"
    }

    fn summary(&self) -> &'static str {
        "exact count of the closed tours of a narrow board of any length by its transfer matrix, also modulo a number"
    }

    fn class(&self) -> Class {
        Class::Count
    }

    fn advice(&self, _: &Question, _: Status) -> Vec<Advice> {
        vec![
            "a board with fewer rows".into(),
            Advice::about(
                Exact::default(),
                "the whole number, without --mod, by --method exact",
            ),
            "more --memory-limit or --time-limit".into(),
        ]
    }

    fn abilities(&self) -> Abilities {
        Abilities {
            boards_only: true,
            exact_count: self.modulus.is_none(),
            ..Abilities::ENDPOINTS
        }
    }

    fn settings(&self) -> &'static [Setting<Self>] {
        &[Setting {
            name: "mod",
            value: "M",
            summary: "compute the number of tours modulo M, at most 2^63",
            set: |transfer, text| {
                let modulus = text
                    .parse()
                    .ok()
                    .filter(|modulus: &NonZero<u64>| modulus.get() <= MOST);
                transfer.modulus = Some(modulus.ok_or_else(|| {
                    WrongValue::new(format_args!(
                        "\"{text}\" is not a whole number from 1 to 2^63"
                    ))
                })?);
                Ok(())
            },
            get: |transfer| transfer.modulus.map(|modulus| modulus.to_string()),
        }]
    }

    fn is_compared(&self) -> bool {
        false
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let Some(board) = of_closed_tours(tours) else {
            return Ok(RunResult::default().refused(&CLOSED));
        };
        let mut show = |at: Progress| {
            let (share, said) = match at {
                Progress::States(states) => (None, format!("{states} states")),
                Progress::Lines(done, of) => {
                    (Some(Share { done, of }), format!("line {done} of {of}"))
                }
            };
            run.settings().observer.at(share, || said);
        };
        let mut limits = Limits {
            memory: run.memory(),
            budget: Budget::new(run.deadline(), run.settings().stop.clone()),
            progress: &mut show,
        };
        Ok(match self.counted(board, &mut limits) {
            Ok(result) => result,
            Err(error) => {
                let status = match error {
                    TransferError::TooWide { .. } => Status::Refused,
                    TransferError::Memory { .. } => Status::Memout,
                    TransferError::Time { .. } => Status::Timeout,
                };
                RunResult::default().ended(status, error.to_string())
            }
        })
    }
}

impl Transfer {
    fn counted(&self, board: &Board, limits: &mut Limits<'_>) -> Result<RunResult, TransferError> {
        let matrix = transfer::Transfer::new(board, limits)?;
        let mut result = RunResult::default();
        result.statistics.set("states", matrix.states());
        let states = matrix.states();
        let Some(modulus) = self.modulus else {
            let count = matrix.count(limits)?;
            let result = result.with_value(Status::Count, &count);
            return Ok(result.with(Details::Transfer {
                states,
                modulus: None,
                order: None,
            }));
        };
        let residue = matrix.residue(modulus, limits)?;
        if let Some(order) = residue.order {
            result.statistics.set("order", order);
        }
        let mut result = result.with_value(Status::Residue, residue.value);
        result.message = format!("modulo {modulus}");
        Ok(result.with(Details::Transfer {
            states,
            modulus: Some(modulus),
            order: residue.order,
        }))
    }
}

const CLOSED: &str =
    "the method \"transfer\" counts the closed tours of a board without holes and constraints";
