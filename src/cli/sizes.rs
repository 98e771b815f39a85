//! `hamcnf sizes`: numbers of variables and clauses of formulas.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hamcnf::endpoints::Start;
use hamcnf::harness::rows::read_rows;
use hamcnf::method::{self, Method};
use hamcnf::question::{Files, GraphSourceError, Question, QuestionSpec, StartSpec, Tours as Asked};
use hamcnf::record::{Record, SCHEMA, Status};
use hamcnf::refute::instance::proof_instance;
use hamcnf::report::difference::{Difference, Ending, Options, Size, compare};
use hamcnf::report::markdown::counted;
use hamcnf::run::Settings;
use hamcnf::{Clauses, Count, EncodeError, Encoding, Family, Formula, Named, encoding};
use serde::Serialize;
use tabled::settings::style::HorizontalLine;
use tabled::settings::{Alignment, Span, Style};
use terminal_size::{Width, terminal_size_of};

use super::complete;
use super::exit::{DONE, WRONG};
use super::input;
use super::instance::{GraphFormat, QuestionOptions, Variant, encoding, question_spec, warn_of};
use super::output::{self, Borders, Format, RELAXED_NOTE, aligned, marked};
use super::progress::Progress;
use super::several::{self, BadGraphs};
use super::typed;

/// Print the numbers of variables and clauses of encodings
///
/// Without a board or graph, prints Table 1 of the paper "Knights Tour" by Karthikeyan, Chheda and Ruan (2024): three
/// encodings of five boards. In the table, "clauses" is the number of clauses with two literals or more, as in the paper; "in DIMACS" is the
/// number of all clauses, as in the header of a DIMACS file. In JSON these numbers are "nonunit_clauses" and "clauses".
/// In CSV, the first is "nonunit" in the column "statistics", and the second is the column "clauses".
#[derive(clap::Args)]
#[command(after_help = "Examples:
  hamcnf sizes                                    the boards of the paper's Table 1
  hamcnf sizes 8x8 --encoding unary --by-family   clauses by family
  hamcnf sizes 5x5 3x10 --open --format csv
  hamcnf sizes 6x6 --from a1 --to f5
  hamcnf sizes graphs.g6 -e binary --format csv   a row for each graph of the file
  hamcnf sizes --check results/table1.csv         print differences; exit code 1 if any")]
pub(crate) struct Args {
    /// Boards (ROWSxCOLUMNS) or graphs, as for `hamcnf graph`; files with a graph per line; folders of graph files
    /// [default: 6x6 8x8 10x10 12x12 14x14, or all rows of --check]
    #[arg(value_name = "BOARD|GRAPH", value_parser = question_spec, add = complete::places())]
    places: Vec<QuestionSpec>,
    #[command(flatten)]
    options: QuestionOptions,
    /// Encodings, separated by commas (see `hamcnf encodings`) [default: all encodings; if no
    /// board or graph is given, the three encodings of the paper]
    #[arg(long, short, value_delimiter = ',', value_parser = encoding(), add = complete::encodings())]
    encoding: Vec<Encoding>,
    #[command(flatten)]
    variant: Variant,
    /// Count clauses by family; each family is one line of the encoding's definition
    #[arg(long)]
    by_family: bool,
    /// Output format; --json is short for --format json
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
    /// Print a JSON array
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Recompute the sizes in a CSV file (from --format csv), and exit with 1 if any size differs. To check only some
    /// rows, give BOARD or --encoding
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "open", "start", "to", "piece", "pruning", "at_most_one", "orientation", "by_family", "format",
        "json",
    ])]
    check: Option<PathBuf>,
    #[command(flatten)]
    bad: BadGraphs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let places: Vec<_> = args.places.iter().map(|place| args.options.format.of(place)).collect::<Result<_, _>>()?;
    if let (Some(option), []) = (typed::of::<GraphFormat>(), places.as_slice()) {
        bail!("{option} is for graph files, but no graph is named: name a graph file");
    }
    if let Some(file) = &args.check {
        return check(args, &places, file);
    }
    let format = args.format.or_json(args.json);
    let names = names(args)?;
    let files = Files::default();
    let progress = Progress::new(format_args!("counting clauses"));
    let mut rows = Vec::new();
    let mut is_first = true;
    let load = |spec| args.options.load(spec, &files);
    let measure = |asked: Asked| {
        for encoding in encodings_of(args, &names, &asked)? {
            progress.begin(None, format_args!("{asked}: counting clauses of {encoding}"));
            if format == Format::Csv {
                // Rows are printed as they arrive, and not kept.
                let record = record(asked.clone(), encoding)?;
                output::print(|out| output::csv_row(out, &record, is_first))?;
                is_first = false;
            } else {
                rows.extend(SizeRow::all(&asked, &encoding, args.by_family)?);
            }
        }
        Ok(DONE)
    };
    let places = specs(&places, &files)?;
    let several = several::of_all(&places, &files)?;
    let ended = args.bad.all(several, &places[0], &[], load, measure);
    drop(progress);
    if format == Format::Csv || ended.is_err() && rows.is_empty() {
        return ended;
    }
    // If a graph could not be loaded, the rows before it are printed first, then its error.
    output::print(|out| match format {
        Format::Table => {
            let wide = table(&rows, args.by_family, format);
            let width = wide.lines().next().map_or(0, |line| line.chars().count());
            let columns = terminal_size_of(io::stdout()).map_or(ON_PAPER, |(Width(columns), _)| usize::from(columns));
            let shown = if columns < width && !args.by_family { by_encoding(&rows) } else { wide };
            writeln!(out, "{shown}{}", footnote(&rows, "\n"))
        }
        Format::Markdown => {
            let note = footnote(&rows, "\n\n");
            writeln!(out, "{}{note}", table(&rows, args.by_family, format))
        }
        Format::Csv | Format::Json => output::json(out, &rows),
    })?;
    ended
}

/// Maximum width of a table if standard output is not a terminal: three encodings side by side.
const ON_PAPER: usize = 160;

/// Returns the given question specifications. If none are given, returns those for the paper's Table 1.
fn specs(given: &[QuestionSpec], files: &Files) -> Result<Vec<QuestionSpec>, GraphSourceError> {
    const TABLE_1: [&str; 5] = ["6x6", "8x8", "10x10", "12x12", "14x14"];
    match given {
        [] => TABLE_1.iter().map(|board| QuestionSpec::settled(board, files)).collect(),
        given => Ok(each_once(given)),
    }
}

/// Returns the encodings to measure, without the refinements that options such as `--pruning` set.
fn names(args: &Args) -> anyhow::Result<Vec<Encoding>> {
    if !args.encoding.is_empty() {
        return Ok(each_once(&args.encoding));
    }
    let names = match args.places.is_empty() {
        true => Encoding::PAPER.to_vec(),
        false => encoding::bases().iter().map(|base| base.name).collect(),
    };
    Ok(names.into_iter().map(str::parse).collect::<Result<_, _>>()?)
}

/// Returns the encodings of a question. If the user names no encoding, encodings that do not fit the question or the
/// options are left out.
fn encodings_of(args: &Args, names: &[Encoding], asked: &Asked) -> anyhow::Result<Vec<Encoding>> {
    let (instance, encoded) = (asked.instance(), &proof_instance(asked)?);
    let mut encodings = Vec::new();
    for base in names {
        let refined = args.variant.of(base, encoded);
        let offers = base.offers();
        let none = (offers.boards_only && (instance.board().is_none() || instance.is_directed()))
            || (!offers.directions && instance.is_directed());
        let lacks = |encoding: &Encoding| {
            let formula = Formula::new(encoding.clone(), encoded);
            matches!(formula, Err(EncodeError::Constraint { .. }))
        };
        let none = none || instance.is_constrained() && refined.as_ref().is_ok_and(lacks);
        if args.encoding.is_empty() && (none || refined.is_err()) {
            continue;
        }
        encodings.push(refined?);
    }
    Ok(encodings)
}

/// Size of a formula, or of one family of its clauses.
#[derive(Serialize)]
struct SizeRow {
    schema: u32,
    question: String,
    instance: String,
    tours: &'static str,
    start: String,
    method: Method,
    encoding: String,
    /// Label of the family, or [`TOTAL`].
    family: &'static str,
    /// Meaning of the family's clauses.
    #[serde(skip)]
    says: &'static str,
    variables: u64,
    nonunit_clauses: u64,
    clauses: u64,
    literals: u64,
    /// True if some models of the formula consist of several cycles.
    #[serde(skip)]
    is_relaxed: bool,
}

/// Label of rows about a whole formula.
const TOTAL: &str = "total";

impl SizeRow {
    /// Returns the rows of a formula: one per family if `by_family`, then the total.
    fn all(asked: &Asked, encoding: &Encoding, by_family: bool) -> anyhow::Result<Vec<Self>> {
        let instance = asked.instance();
        let formula = Formula::new(encoding.clone(), &proof_instance(asked)?)?;
        let tally = formula.tally();
        let row = |family: Family, count: Count| Self {
            schema: SCHEMA,
            question: asked.to_string(),
            instance: instance.name().to_owned(),
            tours: instance.kind().as_str(),
            start: match asked.start() {
                Start::Given => instance.vertex_name(instance.start()),
                Start::Anywhere => StartSpec::Anywhere.to_string(),
            },
            method: Method::from(method::Size { encoding: encoding.clone() }),
            encoding: encoding.to_string(),
            family: family.label,
            says: family.says,
            variables: formula.n_vars().into(),
            nonunit_clauses: count.without_units(),
            clauses: count.clauses,
            literals: count.literals,
            is_relaxed: !formula.is_exact(),
        };
        let families = tally.families().iter().filter(|_| by_family);
        let mut rows: Vec<_> = families.map(|&(family, count)| row(family, count)).collect();
        let all = Family { label: TOTAL, says: "all clauses" };
        rows.push(row(all, tally.total()));
        Ok(rows)
    }
}

/// Computes the size of a formula, in the form of an experiment's row.
fn record(asked: Asked, encoding: Encoding) -> anyhow::Result<Record> {
    let _progress = Progress::new(format_args!("{asked}: counting clauses of {encoding}"));
    let question = Question::from(asked);
    let method = Method::from(method::Size { encoding });
    let mut record = method.answer(&question, &Settings::default());
    if record.status != Status::Size {
        bail!("{}", record.message);
    }
    // Times and memory are left out, so that equal formulas have equal rows.
    (record.cpu_seconds, record.wall_seconds, record.peak_rss_kib) = (None, None, None);
    Ok(record)
}

fn each_once<T: Clone + PartialEq>(items: &[T]) -> Vec<T> {
    let mut once: Vec<T> = Vec::new();
    for item in items {
        if !once.contains(item) {
            once.push(item.clone());
        }
    }
    once
}

/// Computes stored sizes again and compares them: all sizes, or the sizes of the given boards and encodings.
fn check(args: &Args, given: &[QuestionSpec], file: &Path) -> anyhow::Result<u8> {
    let name = input::name(file);
    let cannot = || format!("cannot read {name}");
    let text = input::text(file).with_context(cannot)?;
    anyhow::ensure!(
        text.is_empty() || text.ends_with('\n'),
        "{name} is incomplete: the last line has no newline; write the file again with `hamcnf sizes --format csv`"
    );
    let stored = match text.as_str() {
        "" => Vec::new(),
        text => read_rows(text).with_context(cannot)?,
    };
    let mut asked = Vec::new();
    for record in stored {
        if record.status == Status::Size {
            let question = Question::load(&record.asked.question).with_context(cannot)?;
            asked.push((question, record));
        }
    }
    anyhow::ensure!(!asked.is_empty(), "{name} has no rows to compare");
    let is_there = |question: &Question, spec: &QuestionSpec| match question {
        Question::Tours(tours) => *tours.source() == spec.source,
        Question::Queens(_) => false,
    };
    for spec in given {
        let has_it = asked.iter().any(|(question, _)| is_there(question, spec));
        anyhow::ensure!(has_it, "{name} has no rows of {spec}");
    }
    asked.retain(|(question, _)| given.is_empty() || given.iter().any(|spec| is_there(question, spec)));
    let of = |record: &Record, wanted: &Encoding| {
        let encoding = record.asked.method.encoding();
        // An encoding without refinements selects all stored rows of its base.
        encoding.is_some_and(|encoding| match wanted.is_published() {
            true => encoding.base() == wanted.base(),
            false => encoding == wanted,
        })
    };
    for encoding in &args.encoding {
        let has_it = asked.iter().any(|(_, record)| of(record, encoding));
        anyhow::ensure!(has_it, "{name} has no rows of {encoding} to compare");
    }
    let all = args.encoding.is_empty();
    asked.retain(|(_, record)| all || args.encoding.iter().any(|e| of(record, e)));
    let lacking = lacking(&asked);
    let mut differences = BTreeSet::new();
    let (now, stored) = again(asked, &mut differences);
    let Difference { sizes, endings, .. } = compare(&stored, &now, &Options::default())?;
    differences.extend(endings.into_iter().map(|Ending { cell, a, b, .. }| {
        format!("{}, {}: the result is now {b}, but the stored result is {a}", cell.question, cell.method)
    }));
    differences.extend(sizes.into_iter().map(|Size { cell, size, a, b }| {
        let of = format!("{}, {}", cell.question, cell.method);
        match (a, b) {
            (Some(stored), Some(now)) => format!("{of}: {size} is {now}, but the stored value is {stored}"),
            (Some(_), None) => format!("{of}: a value of {size} is stored, but the new measurement has none"),
            (None, _) => format!("{of}: no value of {size} is stored"),
        }
    }));
    differences.extend(lacking);
    output::print(|out| {
        if differences.is_empty() {
            let questions: BTreeSet<_> = stored.iter().map(|row| &row.asked.question).collect();
            let boards = match questions.len() {
                1 => "1 board or graph".to_owned(),
                many => format!("{many} boards and graphs"),
            };
            return writeln!(out, "{} rows of {boards} agree with {name}", stored.len());
        }
        for difference in &differences {
            writeln!(out, "{difference}")?;
        }
        writeln!(out, "{} from {name}", counted(differences.len(), "difference"))
    })?;
    Ok(if differences.is_empty() { DONE } else { WRONG })
}

/// Returns a message for each missing row. A question has a missing row if another question has rows of all its methods
/// and of at least one further method, and if the size of that method is defined for the question. Only the first such
/// other question is considered.
fn lacking(asked: &[(Question, Record)]) -> Vec<String> {
    let methods = |name: &str| -> Vec<&Method> {
        let rows = asked.iter().map(|(_, record)| record).filter(|record| record.asked.question == name);
        rows.map(|record| &record.asked.method).collect()
    };
    let names: BTreeSet<&str> = asked.iter().map(|(_, r)| &*r.asked.question).collect();
    let mut lacking = Vec::new();
    for &name in &names {
        let own = methods(name);
        let mut others = names.iter().map(|other| methods(other));
        let more = others.find(|other| other.len() > own.len() && own.iter().all(|method| other.contains(method)));
        let question = asked.iter().find(|(_, record)| record.asked.question == name);
        let (Some(more), Some((question, _))) = (more, question) else {
            continue;
        };
        for method in each_once(&more).into_iter().filter(|method| !own.contains(method)) {
            let answered = method.answer(question, &Settings::default());
            if answered.status == Status::Size {
                lacking.push(format!(
                    "{name}, {method}: the row is missing, although other boards have a row of this method"
                ));
            }
        }
    }
    lacking
}

/// Recomputes rows. Returns the recomputed rows and the stored rows. A row that is stored twice, or whose graph has
/// changed, is left out, with a message in `differences`.
fn again(asked: Vec<(Question, Record)>, differences: &mut BTreeSet<String>) -> (Vec<Record>, Vec<Record>) {
    let progress = Progress::new(format_args!("counting clauses"));
    let mut warned = BTreeSet::new();
    let (mut now, mut stored): (Vec<Record>, Vec<Record>) = (Vec::new(), Vec::new());
    for (question, record) in asked {
        let (before, after, method) = (&record.asked.graph_crc32, question.checksum(), &record.asked.method);
        if before != after {
            // The name of a board says all, so its rows have no checksum.
            let [before, after] = [&**before, after].map(|crc32| if crc32.is_empty() { "none" } else { crc32 });
            differences.insert(format!(
                "the graph of {question} has changed: the checksum of its edges was {before} and is now {after}"
            ));
        } else if stored.iter().any(|other| other.key() == record.key()) {
            differences.insert(format!("{question}, {method}: the row is stored twice"));
        } else {
            progress.begin(None, format_args!("{question}: {method}"));
            if let Question::Tours(tours) = &question
                && let Some(text) = tours.source().place()
                && warned.insert(text.to_string())
            {
                warn_of(text, tours.remarks());
            }
            now.push(method.answer(&question, &Settings::default()));
            stored.push(record);
        }
    }
    (now, stored)
}

const FIGURES: [&str; 3] = ["variables", "clauses", "in DIMACS"];

/// Returns one line per board, with three columns for each encoding, as in the paper. The columns are empty if the
/// encoding does not exist for the board.
fn by_board(rows: &[SizeRow], encodings: &[&str]) -> Vec<Vec<String>> {
    let of_board = |rows: &[SizeRow]| {
        let mut line = vec![rows[0].question.clone()];
        for encoding in encodings {
            let row = rows.iter().find(|row| row.encoding == *encoding);
            let figures = row.map(|row| [row.variables, row.nonunit_clauses, row.clauses]);
            line.extend(figures.map_or_else(Default::default, |f| f.map(|n| n.to_string())));
        }
        line
    };
    rows.chunk_by(|a, b| a.question == b.question).map(of_board).collect()
}

/// Returns the encodings in the order of their columns.
fn encodings(rows: &[SizeRow]) -> Vec<&str> {
    let names = rows.iter().map(|row| &*row.encoding);
    each_once(&names.collect::<Vec<_>>())
}

/// Returns the encoding as tables show it: with an asterisk if one of its formulas is relaxed.
fn heading(rows: &[SizeRow], encoding: &str) -> String {
    let mut of_encoding = rows.iter().filter(|row| row.encoding == encoding);
    marked(encoding, of_encoding.any(|row| row.is_relaxed))
}

/// Returns the footnote about relaxed encodings after `separator`, or an empty text if no encoding is relaxed.
fn footnote(rows: &[SizeRow], separator: &str) -> String {
    match rows.iter().any(|row| row.is_relaxed) {
        true => format!("{separator}{RELAXED_NOTE}"),
        false => String::new(),
    }
}

/// Returns one line per family, and one for the total.
fn by_family(rows: &[SizeRow]) -> Vec<Vec<String>> {
    let head = ["board", "encoding", "family", "", "clauses", "in DIMACS", "literals"];
    let line = |row: &SizeRow| {
        let figures = [row.nonunit_clauses, row.clauses, row.literals].map(|n| n.to_string());
        let encoding = marked(&row.encoding, row.is_relaxed);
        let text = [&*row.question, &*encoding, row.family, row.says].map(str::to_owned);
        text.into_iter().chain(figures).collect()
    };
    std::iter::once(head.map(str::to_owned).to_vec()).chain(rows.iter().map(line)).collect()
}

fn table(rows: &[SizeRow], families: bool, format: Format) -> String {
    if families {
        return output::table(format, Borders::Rounded, by_family(rows), 4);
    }
    let encodings = encodings(rows);
    let names = encodings.iter().map(|encoding| heading(rows, encoding));
    let head = |cells: Vec<String>| std::iter::once("board".to_owned()).chain(cells).collect();
    if format == Format::Markdown {
        let heads = names.flat_map(|name| FIGURES.map(|figure| format!("{name} {figure}")));
        let lines = std::iter::once(head(heads.collect())).chain(by_board(rows, &encodings));
        return output::table(format, Borders::Rounded, lines, 1);
    }
    let groups = names.flat_map(|name| [name, String::new(), String::new()]);
    let heads = encodings.iter().flat_map(|_| FIGURES.map(str::to_owned));
    let head = [std::iter::once(String::new()).chain(groups).collect(), head(heads.collect())];
    let mut table = aligned(head.into_iter().chain(by_board(rows, &encodings)), 1);
    table.with(Style::rounded().horizontals([(2, HorizontalLine::inherit(Style::modern()))]));
    for k in 0..encodings.len() {
        let group = (0, 1 + 3 * k);
        table.modify(group, Span::column(3));
        table.modify(group, Alignment::center());
    }
    table.to_string()
}

/// Returns one line per board and encoding, for terminals that are too narrow for all columns.
fn by_encoding(rows: &[SizeRow]) -> String {
    let head = ["board", "encoding"].into_iter().chain(FIGURES).map(str::to_owned).collect();
    let line = |row: &SizeRow| {
        let figures = [row.variables, row.nonunit_clauses, row.clauses].map(|n| n.to_string());
        let text = [row.question.clone(), marked(&row.encoding, row.is_relaxed)];
        text.into_iter().chain(figures).collect()
    };
    output::table(Format::Table, Borders::Rounded, std::iter::once(head).chain(rows.iter().map(line)), 2)
}
