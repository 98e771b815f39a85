//! `transfer`: counts the closed tours of narrow boards by powers of a transfer matrix, or computes their number modulo
//! a number; see [`count::transfer`](hamcnf_count::transfer). Modulo a number, short and wide boards are
//! counted along a frontier.

use std::num::NonZero;

use super::grammar::WrongValue;
use super::sweep::obstructed;
use super::{Advice, Exact, Field, Found, MethodKind, Profile, Setting, Together};
use crate::run::{Failure, Run, RunResult, Share, Status};
use hamcnf_count::not_counted::NotCounted;
use hamcnf_count::transfer::{self, Limits, Progress};
use hamcnf_questions::{Question, Tours};
use hamcnf_tours::{Board, TourKind};

/// Exact count of the closed tours of a narrow board of any length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Transfer {
    /// Modulus of the result; `None` for the count itself.
    pub modulus: Option<NonZero<u64>>,
}

/// Greatest modulus.
const MOST: u64 = 1 << 63;
/// Maximum number of rows, and minimum number of columns, of the boards whose tours `count` counts by the transfer
/// matrix. Measured modulo 7 with two processors: 5×60 takes as long along a frontier, 6×60 too, and 6×150 takes 45 s
/// instead of 20 s.
const NARROW: u32 = 5;
const LONG: u32 = 200;

impl Transfer {
    /// True if the method can count the tours of the question: the closed tours of a whole board.
    pub fn counts(tours: &Tours) -> bool {
        of_closed_tours(tours).is_some() && !tours.instance().is_constrained()
    }

    /// True if the transfer matrix is the better way to count the tours of the question.
    pub(super) fn is_better(tours: &Tours) -> bool {
        of_closed_tours(tours).is_some_and(|board| Self::default().is_for_matrix(board))
    }

    /// True if the transfer matrix is the better way to count the closed tours of a board. Modulo a number, a product
    /// with the matrix takes less time than with numbers of all digits.
    fn is_for_matrix(&self, board: &Board) -> bool {
        let (rows, cols) = (board.rows(), board.cols());
        let (narrow, long) = if self.modulus.is_some() { (NARROW + 1, LONG / 4) } else { (NARROW, LONG) };
        rows.min(cols) <= narrow && rows.max(cols) >= long && transfer::fits(board)
    }
}

/// Returns the board if the question is about the closed tours of a whole board.
fn of_closed_tours(tours: &Tours) -> Option<&Board> {
    let instance = tours.instance();
    let board = instance.board()?;
    (instance.kind() == TourKind::Closed).then_some(board)
}

impl MethodKind for Transfer {
    fn profile(&self) -> Profile<'_> {
        let summary = "exact count of the closed tours of a narrow board of any length by its transfer matrix, also modulo a number";
        let exact_count = self.modulus.is_none();
        Profile { boards_only: true, compared: false, exact_count, ..Profile::exact_count("transfer", summary) }
    }

    fn advice(&self, _: &Question, status: Status) -> Vec<Advice> {
        let limit = match status {
            Status::Timeout => Some("more time"),
            Status::Memout => Some("a higher --memory-limit"),
            _ => None,
        };
        limit.into_iter().chain(["a board with fewer rows"]).map(Advice::from).collect()
    }

    fn settings(&mut self) -> Vec<Field<'_>> {
        let setting = Setting::new("mod", "M", "compute the number of tours modulo M, at most 2^63");
        vec![setting.of_option(&mut self.modulus, |text| {
            let modulus = text.parse().ok().filter(|modulus: &NonZero<u64>| modulus.get() <= MOST);
            modulus.ok_or_else(|| WrongValue::new(format_args!("\"{text}\" is not a whole number from 1 to 2^63")))
        })]
    }

    fn run(&self, tours: &Tours, run: &Run<'_>) -> Result<RunResult, Failure> {
        let Some(board) = of_closed_tours(tours) else { return Ok(RunResult::default().refused(&CLOSED)) };
        if let Some(none) = obstructed(tours).filter(|_| self.modulus.is_some()) {
            return Ok(self.reduced(none));
        }
        if self.modulus.is_some() && !self.is_for_matrix(board) {
            let counted = Exact::default().run(tours, run)?;
            if !matches!(counted.status, Status::Refused | Status::Memout) {
                return Ok(self.reduced(counted));
            }
        }
        let mut known = RunResult::default();
        Ok(self.by_matrix(&[tours], run, &mut |_, result| known = result).unwrap_or(known))
    }

    fn together(&self) -> Option<&dyn Together> {
        self.modulus.is_some().then_some(self)
    }
}

impl Together for Transfer {
    fn shares(&self, _: &[&Tours]) -> bool {
        true
    }

    /// Computes the residues of several boards. Boards with lines of the same length share a matrix, and short or wide
    /// boards share a sweep.
    fn run_together(&self, tours: &[&Tours], run: &Run<'_>, found: Found<'_>) -> Result<Option<RunResult>, Failure> {
        let Some(longest) = tours.last().and_then(|tours| of_closed_tours(tours)) else {
            return Ok(Some(RunResult::default().refused(&CLOSED)));
        };
        let line = |board: &Board| (board.rows().min(board.cols()), board.piece());
        let shares = |&k: &usize| {
            let board = of_closed_tours(tours[k]);
            self.is_for_matrix(longest) && board.is_some_and(|board| line(board) == line(longest))
        };
        let (by_matrix, others): (Vec<_>, Vec<_>) = (0..tours.len()).partition(shares);
        let of = |places: &[usize]| places.iter().map(|&k| tours[k]).collect::<Vec<_>>();
        let ended = self.by_matrix(&of(&by_matrix), run, &mut |k, result| {
            found(by_matrix[k], result);
        });
        if ended.is_some() || others.is_empty() {
            return Ok(ended);
        }
        let others_asked = of(&others);
        if !Exact::default().shares(&others_asked) {
            for (k, tours) in others.into_iter().zip(others_asked) {
                found(k, self.run(tours, run)?);
            }
            return Ok(None);
        }
        Exact::default().run_together(&others_asked, run, &mut |k, counted| {
            found(others[k], self.reduced(counted));
        })
    }
}

impl Transfer {
    /// Counts the closed tours of boards by the transfer matrix of the last board, which must have the most lines.
    /// Returns the result of the boards that were not counted.
    fn by_matrix(&self, tours: &[&Tours], run: &Run<'_>, found: Found<'_>) -> Option<RunResult> {
        let mut show = |at: Progress| {
            let (share, said) = match at {
                Progress::States(states) => (None, format!("{states} states")),
                Progress::Lines(done, of) => (Some(Share { done, of }), format!("line {done} of {of}")),
            };
            run.settings().observer.at(share, || said);
        };
        let mut limits = Limits { memory: run.memory(), budget: run.budget(), progress: &mut show };
        let boards: Vec<_> = tours.iter().filter_map(|tours| of_closed_tours(tours)).collect();
        let error = self.counted(&boards, &mut limits, found).err()?;
        // A matrix gives no wrong result, which alone would be an error.
        super::sweep::not_counted(error).ok()
    }

    fn counted(&self, boards: &[&Board], limits: &mut Limits<'_>, found: Found<'_>) -> Result<(), NotCounted> {
        let Some(longest) = boards.last() else { return Ok(()) };
        let matrix = transfer::Transfer::new(longest, limits)?;
        let states = matrix.states();
        let result = |order: Option<usize>| {
            let mut result = RunResult::default();
            result.statistics.set("states", states);
            result.how = format!("exact, by a transfer matrix of {states} states");
            if let Some(order) = order {
                result.statistics.set("order", order);
                result.how += &format!(" and a recurrence of order {order}");
            }
            result
        };
        let Some(modulus) = self.modulus else {
            let count = matrix.count(limits)?;
            found(0, result(None).with_value(Status::Count, &count));
            return Ok(());
        };
        let lines = |board: &&Board| u64::from(board.rows().max(board.cols()));
        let lengths: Vec<_> = boards.iter().map(lines).collect();
        matrix.residues(&lengths, modulus, limits, &mut |k, residue| {
            let result = result(residue.order).with_value(Status::Residue, residue.value);
            found(k, result.ended(Status::Residue, format!("modulo {modulus}")));
        })
    }

    /// Converts the result of a count to a result modulo the modulus.
    fn reduced(&self, counted: RunResult) -> RunResult {
        counted.modulo(self.modulus.map(|modulus| modulus.get().into()).as_ref())
    }
}

const CLOSED: &str = "the method \"transfer\" counts the closed tours of a board without holes and constraints";
