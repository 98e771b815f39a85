//! Output of `hamcnf list`: its options, and the items of the list one at a time.

use std::io::{self, BufWriter, Write};
use std::time::{Duration, Instant};

use clap::ValueHint;
use hamcnf::Queens;
use hamcnf::budget::{Budget, Stopped};
use hamcnf::question::Tours;
use num_bigint::BigUint;
use serde::Serialize;

use super::drawing::{self, Drawing};
use super::number::natural;
use super::output;
use super::output_file::{OutputFile, text_file};

/// Options of the output of a list.
#[derive(clap::Args)]
pub(super) struct Listing {
    /// Maximum number of tours [default: all]
    #[arg(long, short = 'n', value_name = "N", value_parser = natural)]
    pub(super) limit: Option<BigUint>,
    /// Output file, compressed if its name ends in .gz or .zst; - is standard output [default: -]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = text_file("--render"))]
    pub(super) output: Option<OutputFile>,
    /// Output format: names of the vertices (text), rows with rank and tour (csv), a JSON object per line (json), or a
    /// drawing of each tour (board). For placements of queens, a text has the row of the queen in each column, from 0, and
    /// "squares" has the squares of the queens
    #[arg(long, value_enum, default_value_t = Form::Text)]
    pub(super) format: Form,
    /// Begin a text with a line that names the board, the piece, the ends and the constraints; for boards
    #[arg(long, conflicts_with_all = ["json", "format"])]
    pub(super) heading: bool,
    /// Print a JSON object for each tour, readable by `hamcnf show` and `hamcnf check`; same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    #[command(flatten)]
    pub(super) drawing: Drawing,
}

/// Form of the list.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum Form {
    Text,
    Squares,
    Csv,
    Json,
    Board,
}

/// Row of a list in CSV.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    /// `None` if the order of the list has no ranks.
    pub(super) rank: Option<&'a str>,
    pub(super) tour: String,
}

/// Maximum time for which a tour stays in the buffer.
const DELAY: Duration = Duration::from_millis(100);

/// Event that ended the list.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// End of the list after all tours.
    Complete,
    /// The requested number of tours has been listed, or the reader of the list has stopped.
    Enough,
    /// A limit or an interrupt.
    Limit(Stopped),
}

impl Listing {
    /// Rejects files that cannot be written, before the tours or the placements of queens are found.
    pub(super) fn writable(&self, queens: Option<&Queens>) -> anyhow::Result<()> {
        self.output.as_deref().map_or(Ok(()), output::writable)?;
        self.drawing.check(queens)
    }

    pub(super) fn form(&self) -> Form {
        if self.json { Form::Json } else { self.format }
    }

    /// Writes items, such as tours, until the limit on their number, the end, or another limit. `write` gets the index of
    /// each item. Returns the number of items, and the event that ended the list.
    pub(super) fn write<T>(
        &self,
        budget: &Budget,
        asked: Option<&Tours>,
        items: &mut dyn Iterator<Item = Result<T, Stopped>>,
        write: &mut dyn FnMut(&mut dyn Write, u64, T) -> io::Result<()>,
    ) -> anyhow::Result<(u64, End)> {
        // The list is complete only if its reader has taken all of it.
        let (mut listed, mut end) = (0, End::Enough);
        output::to(self.output.as_deref(), |out| {
            let mut out = BufWriter::new(out);
            if let Some(asked) = asked.filter(|_| self.form() == Form::Text && self.heading) {
                drawing::whole_heading(asked.instance(), asked.ends(), &mut out)?;
            }
            let mut flushed = Instant::now();
            let mut ended = End::Enough;
            while self.limit.as_ref().is_none_or(|most| BigUint::from(listed) < *most) {
                let item = match budget.over() {
                    Some(why) => Some(Err(why)),
                    None => items.next(),
                };
                let item = match item {
                    Some(Ok(item)) => item,
                    Some(Err(why)) => {
                        ended = End::Limit(why);
                        break;
                    }
                    None => {
                        ended = End::Complete;
                        break;
                    }
                };
                write(&mut out, listed, item)?;
                listed += 1;
                if flushed.elapsed() >= DELAY {
                    out.flush()?;
                    flushed = Instant::now();
                }
            }
            out.flush()?;
            end = ended;
            Ok(())
        })?;
        Ok((listed, end))
    }
}
