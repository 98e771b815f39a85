//! `hamcnf encode`: writes a formula to a DIMACS or OPB file.

use std::path::Path;
use std::str::FromStr;

use anyhow::bail;
use clap::ValueHint;
use hamcnf::formats::{Format, ending};
use hamcnf::proof::Form;
use hamcnf::question::{Files, GraphSource, Head, Tours};
use hamcnf::refute::instance::proof_instance;
use hamcnf::solve::defaults;
use hamcnf::{
    AtMostOne, Clauses, Encoding, Formula, Projection, ProjectionError, ProjectionFormat, Queens, QueensFormula,
};
use rustsat::types::Var;

use super::complete;
use super::exit::DONE;
use super::formula::{FormulaFormat, Heading, Smaller, binary, can_be_written, gbd_hash, write, write_opb};
use super::header::AT_MOST_ONE;
use super::instance::{QuestionArgs, Seed, Variant, encoding, named};
use super::model::NamedModel;
use super::output;
use super::output_file::OutputFile;
use super::several::{self, BadGraphs};
use super::targets::{Destination, Paths};
use super::verbosity::note;
use super::{typed, warn_once};

/// Write a formula as a DIMACS CNF file, or as OPB for pseudo-Boolean solvers
///
/// Writes the same bytes for the same arguments. The file's comments state the question, the encoding and the command
/// that turns a model into a tour. `hamcnf solve --dimacs` has the same variables only with the same --encoding. Open
/// tours from anywhere, or between two given ends, are encoded as closed tours of the graph with one added vertex;
/// `hamcnf decode` removes this vertex. In OPB, "exactly one arc leaves a vertex" is a single constraint; the other
/// clauses are the same as in DIMACS. For a file with a graph per line, or a folder of graph files, writes a file for
/// each graph, named after the graph; --output must then be a folder or a pattern.
#[derive(clap::Args)]
#[command(aliases = ["generate", "cnf"], after_help = "Examples:
  hamcnf encode 8x8 -o 8x8.cnf
  hamcnf encode 8x8 --encoding unary -o 8x8.cnf.gz
  hamcnf encode 'gnp 30 .2' -e successor --seed 7               a random graph with its seed
  hamcnf encode cubic:40:1+planted+relabel=3
  hamcnf encode 8x8 --encoding successor -o 8x8.opb
  hamcnf encode 6x6 --from a1 --to f5 -o ends.cnf               open tours between two squares
  hamcnf encode 5x5 --open --start anywhere -o any.cnf
  hamcnf encode 6x6 --project arcs --varnames | less
  hamcnf encode 6x6 --encoding unary --project vars:1..157/4    a published projection for ApproxMC
  hamcnf encode 6x6 --encoding direct --project positions:4,8,16,20,24,32
  hamcnf encode 8x8 --gbd-hash                                  print the hash, write no file
  hamcnf encode graphs.g6 -o formulas/                          graphs-1.cnf, graphs-2.cnf, ...
  hamcnf encode graphs.g6 -o 'f-{}.opb.gz' --keep-going         f-graphs-1.opb.gz, ...; skips lines that are no graphs
  kissat 8x8.cnf | hamcnf decode 8x8.cnf -")]
pub(crate) struct Args {
    #[command(flatten)]
    question: QuestionArgs,
    /// Encoding, optionally with refinements, such as binary or successor+parity (see `hamcnf encodings`)
    #[arg(long, short, default_value = defaults::PUBLISHED, value_parser = encoding(), add = complete::encodings())]
    encoding: Encoding,
    #[command(flatten)]
    variant: Variant,
    #[command(flatten)]
    seed: Seed,
    /// Output file, compressed if its name ends in .gz or .zst; - is standard output. A folder, or a pattern such as
    /// 'out/{}.cnf', gets a file for each graph; {} is the graph's name [default: -]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<OutputFile>,
    /// Output format [default: opb if the file name ends in .opb, else cnf]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<FormulaFormat>,
    /// Add comments that name the variables
    #[arg(long)]
    varnames: bool,
    /// Projection set for model counters: "arcs", "edges" (in either direction), "co-tree" (edges outside a spanning
    /// tree), "paper" (the set for this board and encoding in the paper "Knights Tour" by Karthikeyan, Chheda and Ruan,
    /// 2024), "squares" (of placements of queens), "all", "none", "positions:4,8,16" (the variables of these positions, from 0) or "vars:1..157/4" (every 4th DIMACS variable from 1 to 157)
    #[arg(long, value_name = "SET", default_value = "none")]
    project: Project,
    /// Format of the projection line: "c p show", or "c ind" for older versions of ApproxMC
    #[arg(long, value_name = "FORMAT", default_value = "show", value_parser = named::<ProjectionFormat>())]
    projection_format: ProjectionFormat,
    /// Print only the formula's Global Benchmark Database (GBD) hash, without writing the formula. The hash depends only
    /// on the clauses; the tool gbdc computes the same hash
    #[arg(long, conflicts_with_all = ["output", "format", "varnames", "project", "projection_format"])]
    gbd_hash: bool,
    #[command(flatten)]
    bad: BadGraphs,
}

/// Projection set of the written file.
#[derive(Clone)]
enum Project {
    Tours(Projection),
    /// Variables of the squares in a formula of queens.
    Squares,
}

impl FromStr for Project {
    type Err = ProjectionError;

    fn from_str(text: &str) -> Result<Self, ProjectionError> {
        match text {
            "squares" => Ok(Self::Squares),
            text => text.parse().map(Self::Tours),
        }
    }
}

impl Project {
    fn of_tours(&self) -> anyhow::Result<&Projection> {
        match self {
            Self::Tours(projection) => Ok(projection),
            Self::Squares => bail!("the projection \"squares\" is for placements of queens; for tours, use \"arcs\""),
        }
    }

    /// True if a formula of queens is projected on its squares.
    fn is_on_squares(&self) -> anyhow::Result<bool> {
        match self {
            Self::Squares => Ok(true),
            Self::Tours(Projection::None) => Ok(false),
            Self::Tours(other) => {
                bail!("the projection \"{other}\" is for tours; for placements of queens, use \"squares\"")
            }
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    if let Some(queens) = args.question.queens() {
        return placements(queens, args);
    }
    let files = Files::default();
    if let Some(model) = NamedModel::of(&args.question, &files)? {
        return model.encode(&args.encoding, args.varnames, args.projection_format, args.output.as_deref());
    }
    let destination = Destination::of(args.output.as_deref());
    if let Destination::One(Some(file)) = destination {
        output::writable(file)?;
    }
    if !matches!(destination, Destination::Folder(_)) {
        args.check_ending()?;
    }
    let mut spec = args.question.spec()?;
    spec.source = args.seed.of(spec.source)?;
    let several = several::questions(&spec, &files)?;
    if several.is_some() && matches!(destination, Destination::One(_)) && !args.gbd_hash {
        let one = match &spec.source {
            GraphSource::Boards(range) => format!("name one board, such as {}", range.shortest()),
            _ => "choose one with --graph-number 1".to_owned(),
        };
        bail!(
            "\"{spec}\" has several graphs: write a file for each with --output FOLDER/ or --output \"PATTERN-{{}}.cnf\", or {one}"
        );
    }
    let mut paths = Paths::new(destination, args.format().ending())?;
    let Some(questions) = several else {
        let asked = args.question.options.load(spec, &files)?;
        let output = paths.of(asked.source())?;
        one(args, &asked, output.as_deref(), None)?;
        return Ok(DONE);
    };
    let mut written = 0;
    let load = |spec| args.question.options.load(spec, &files);
    let code = args.bad.each(questions, load, |asked| {
        let output = paths.of(asked.source())?;
        let name = asked.source().to_string();
        one(args, &asked, output.as_deref(), Some(&name))?;
        written += 1;
        Ok(DONE)
    })?;
    if let (Some(output), false) = (&args.output, args.gbd_hash) {
        let formulas = if written == 1 { "formula" } else { "formulas" };
        note(&format!("{}: {written} {formulas} written", output.display()));
    }
    Ok(code)
}

/// Writes the formula of a question, or prints its hash. `graph` follows the hash if there are several graphs.
fn one(args: &Args, asked: &Tours, output: Option<&Path>, graph: Option<&str>) -> anyhow::Result<()> {
    let instance = proof_instance(asked)?;
    let encoding = args.variant.of(&args.encoding, &instance)?;
    let formula = Formula::new(encoding.for_projection(args.project.of_tours()?), &instance)?;
    can_be_written(&formula)?;
    if !formula.is_exact() {
        warn_once(&format!(
            "encoding \"{}\" is relaxed: some models consist of several cycles instead of a tour; `hamcnf solve` excludes these models, but other solvers do not",
            formula.encoding()
        ));
    }
    if args.gbd_hash {
        let hash = gbd_hash(&formula, instance.name())?;
        return output::print(|out| match graph {
            Some(graph) => writeln!(out, "{hash}  {graph}"),
            None => writeln!(out, "{hash}"),
        });
    }
    let name = instance.name();
    if args.format() == FormulaFormat::Opb {
        if !matches!(args.project, Project::Tours(Projection::None)) {
            bail!("--project needs --format cnf: OPB has no line for a projection set");
        }
        return write_opb(&formula, name, &comments(asked, &formula, false), args.varnames, output);
    }
    let projection = formula.project(args.project.of_tours()?)?;
    let comments = comments(asked, &formula, projection.is_none());
    let heading = Heading { comments: &comments, ..args.heading(projection.as_deref()) };
    write(&formula, name, &heading, output, || binary(&formula))
}

/// Writes the formula of placements of queens. Variable N*i + j + 1 is true if a queen is in row i and column j; rows and
/// columns are numbered from 0.
fn placements(queens: &Queens, args: &Args) -> anyhow::Result<u8> {
    typed::only(queens, "encode", "at-most-one output varnames project projection-format")?;
    args.output.as_deref().map_or(Ok(()), output::writable)?;
    if args.format() == FormulaFormat::Opb {
        bail!("placements of queens are written as DIMACS CNF only: name a file that ends in .cnf");
    }
    let at_most_one = args.variant.at_most_one.unwrap_or_default();
    let formula = QueensFormula::new(queens, at_most_one);
    let squares: Vec<_> = formula.squares().collect();
    let projection = args.project.is_on_squares()?.then_some(squares.as_slice());
    let n = queens.n();
    let comments = [
        format!("hamcnf {}", env!("CARGO_PKG_VERSION")),
        format!("question {queens}"),
        format!("encoding {AT_MOST_ONE}{at_most_one}"),
        format!("variable {n}*i + j + 1: a queen in row i and column j, from 0"),
    ];
    // The ladder encoding has a number of clauses that is linear in the number of squares.
    let ladder = AtMostOne::Ladder;
    let smaller = || {
        (at_most_one != ladder).then(|| Smaller {
            options: format!("--at-most-one {ladder}"),
            clauses: QueensFormula::new(queens, ladder).tally().total().clauses,
        })
    };
    let heading = Heading { comments: &comments, ..args.heading(projection) };
    write(&formula, &queens.to_string(), &heading, args.output.as_deref(), smaller)?;
    Ok(DONE)
}

/// File name extensions of tables, pictures, tours and formulas in other formats.
const OTHERS: [&str; 11] = ["svg", "png", "json", "tour", "csv", "md", "html", "pdf", "wcnf", "lp", "smt2"];

impl Args {
    /// Rejects a file name with the extension of a graph, picture or table, and notes an unknown extension, unless
    /// `--format` is given.
    fn check_ending(&self) -> anyhow::Result<()> {
        // Graphs and formulas in DIMACS share the extensions txt and dimacs.
        const KNOWN: [&str; 4] = ["cnf", "opb", "txt", "dimacs"];
        let (None, Some(file)) = (self.format, &self.output) else { return Ok(()) };
        let Some(ending) = ending(file).filter(|ending| !KNOWN.contains(&&**ending)) else { return Ok(()) };
        let (name, is_graph) = (file.display(), Format::of_file(file).is_some());
        if is_graph || OTHERS.contains(&&*ending) || Form::named(file).is_ok() {
            bail!(
                "\"{name}\" ends in .{ending}, but formulas end in .cnf (DIMACS) or .opb: rename it, or pass --format cnf or \
                 --format opb{}",
                if is_graph { "; use `hamcnf graph` to write graphs" } else { "" }
            );
        }
        note(&format!("writing \"{name}\" as DIMACS CNF: .{ending} is not the ending of a known format"));
        Ok(())
    }

    /// Returns the heading of the file, without comments.
    fn heading<'a>(&self, projection: Option<&'a [Var]>) -> Heading<'a> {
        let projection = projection.map(|set| (self.projection_format, set));
        Heading { comments: &[], projection, names: self.varnames }
    }

    /// Returns the format of the formula.
    fn format(&self) -> FormulaFormat {
        let ending = self.output.as_deref().and_then(ending);
        self.format.unwrap_or(match ending.as_deref() {
            Some("opb") => FormulaFormat::Opb,
            _ => FormulaFormat::Cnf,
        })
    }
}

/// Returns the comments of the file. `is_counted` is true if a model counter counts all variables.
pub(super) fn comments(asked: &Tours, formula: &Formula, is_counted: bool) -> Vec<String> {
    let mut comments = Head::of_clauses(asked, formula);
    comments.push("tour of a model: hamcnf decode THIS-FILE ANSWER".to_owned());
    // The type of the Model Counting Competition. A projection line has a type of its own.
    comments.extend(is_counted.then(|| "t mc".to_owned()));
    comments
}
