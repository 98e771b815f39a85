//! `hamcnf encode`: writes a formula to a DIMACS, OPB or WCNF file.

use std::path::Path;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::ValueHint;
use hamcnf::count::statistic::Statistic;
use hamcnf::formats::{Format, Reading, ending};
use hamcnf::proof::Form;
use hamcnf::question::{Files, GraphSource, Head, QuestionSpec, Tours};
use hamcnf::refute::instance::proof_instance;
use hamcnf::solve::defaults;
use hamcnf::{
    AtMostOne, Bounded, Clauses, Encoding, Formula, Objective, Projection, ProjectionError, ProjectionFormat, Queens,
    QueensFormula, Weights,
};
use rustsat::types::Var;

use super::complete;
use super::exit::DONE;
use super::formula::{
    Cost, FormulaFormat, Heading, Smaller, binary, can_be_written, gbd_hash, write, write_opb, write_wcnf,
};
use super::header::{self, AT_MOST_ONE};
use super::instance::{QuestionArgs, Seed, Variant, encoding, named};
use super::longest;
use super::model::NamedModel;
use super::number;
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
/// each graph, named after the graph; --output must then be a folder or a pattern. A solver of the formula that
/// --minimize writes finds a cheapest tour of a small graph with weights. This is no solver of the travelling salesman
/// problem (TSP): use Concorde or LKH for that.
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
  hamcnf encode roads.txt --minimize -o roads.wcnf              lines 'U V WEIGHT'; for a MaxSAT solver
  hamcnf encode 6x6 --minimize --cost slope=1/2 -o 6x6.wcnf     few moves by one row and two columns
  hamcnf encode 5x5 --longest -e successor -o longest.wcnf      a longest cycle, which may skip squares
  hamcnf encode roads.txt --max-cost 99 -o roads.cnf            tours that cost at most 99
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
    /// Output format [default: opb if the file name ends in .opb, else wcnf with --minimize or --longest, else cnf]
    #[arg(long, value_name = "FORMAT", value_enum)]
    format: Option<FormulaFormat>,
    /// Minimize the cost of a tour, the sum of the weights of its edges. The weights are the integers in the third column
    /// of an edge list, the distances of a TSP of TSPLIB, or on a board those of --cost. Solvers of TSP, such as Concorde
    /// and LKH, solve far larger graphs. Needs an encoding with arcs or edges, not direct or step
    #[arg(long)]
    minimize: bool,
    /// Allow only tours whose cost is at most COST. The weights are those of --minimize
    #[arg(long, value_name = "COST", allow_negative_numbers = true, value_parser = number::cost)]
    max_cost: Option<i64>,
    /// Cost of a tour of a board: the number of its moves with a slope of ROWS/COLUMNS, such as slope=1/2, or with one of
    /// several slopes, separated by commas
    #[arg(long, value_name = "STATISTIC", conflicts_with = "longest")]
    cost: Option<Statistic>,
    /// Maximize the number of vertices of a cycle, or with --open of a path, which may skip vertices. Needs an
    /// encoding with arcs or edges, not direct or step
    #[arg(long, conflicts_with_all = ["minimize", "max_cost"])]
    longest: bool,
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
    #[arg(long, conflicts_with_all = ["output", "format", "minimize", "max_cost", "cost", "longest", "varnames", "project", "projection_format"])]
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
    args.check_format()?;
    let destination = Destination::of(args.output.as_deref());
    if let Destination::One(Some(file)) = destination {
        output::writable(file)?;
    }
    if !matches!(destination, Destination::Folder(_)) {
        args.check_ending()?;
    }
    if args.longest {
        let options = "encoding pruning at-most-one orientation seed output format varnames";
        longest::check_options("encode", options)?;
    }
    let mut spec = args.question.spec()?;
    spec.source = args.seed.of(spec.source)?;
    let has_weights = args.has_cost() && args.cost.is_none();
    let weights = has_weights.then(|| with_weights(&mut spec, args, &files)).transpose()?;
    let several = several::questions(&spec, &files)?;
    if several.is_none()
        && weights.is_none()
        && let Some(model) = NamedModel::of(&spec, &files)?
    {
        if args.has_cost() {
            bail!(args.no_costs(&model));
        }
        if args.format() != FormulaFormat::Cnf && !args.longest {
            bail!("models with a circuit are written as DIMACS CNF only: name a file that ends in .cnf");
        }
        if !matches!(destination, Destination::One(_)) {
            bail!("a model with a circuit gives one file: name it with --output FILE");
        }
        return model.encode(&args.encoding, args.varnames, args.projection_format, args.output.as_deref());
    }
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
        one(args, &asked, weights.as_ref(), output.as_deref(), None)?;
        return Ok(DONE);
    };
    let mut written = 0;
    let load = |spec| args.question.options.load(spec, &files);
    let code = args.bad.each(questions, load, |asked| {
        let output = paths.of(asked.source())?;
        let name = asked.source().to_string();
        one(args, &asked, weights.as_ref(), output.as_deref(), Some(&name))?;
        written += 1;
        Ok(DONE)
    })?;
    if let (Some(output), false) = (&args.output, args.gbd_hash) {
        let formulas = if written == 1 { "formula" } else { "formulas" };
        note(&format!("{}: {written} {formulas} written", output.display()));
    }
    Ok(code)
}

/// Returns the weights of a list of edges, or of a TSP, and adds to the question that the source has weights. Lists of
/// three whole numbers are read so only on request.
fn with_weights(spec: &mut QuestionSpec, args: &Args, files: &Files) -> anyhow::Result<Weights> {
    let source = &spec.source;
    if source.text().is_none() {
        bail!("{}", no_weights(source));
    }
    let weighted = source.clone().read_with(Reading { weights: true, ..Reading::default() }, files)?;
    let weights = weighted.weights(files);
    if let Ok(Some(weights)) = weights {
        spec.source = weighted;
        return Ok(weights);
    }
    if let Some(model) = NamedModel::of(spec, files)? {
        bail!(args.no_costs(&model));
    }
    match weights {
        // A graph in another format can be read, but not as a list of edges.
        Err(error) if !matches!(source.weights(files), Ok(None)) => Err(error.into()),
        _ => bail!("{}", no_weights(source)),
    }
}

fn no_weights(source: &GraphSource) -> String {
    let need = match source {
        GraphSource::Board(_) | GraphSource::Boards(_) => "--cost on a board, such as --cost slope=1/2",
        _ => "a file with a line \"VERTEX VERTEX WEIGHT\" for each edge, or a TSP of TSPLIB",
    };
    format!("\"{source}\" has no weights: --minimize and --max-cost need {need}")
}

/// Writes the formula of a question, or prints its hash. `graph` follows the hash if there are several graphs.
fn one(
    args: &Args,
    asked: &Tours,
    weights: Option<&Weights>,
    output: Option<&Path>,
    graph: Option<&str>,
) -> anyhow::Result<()> {
    if args.longest {
        return longest(args, asked, output);
    }
    let instance = proof_instance(asked)?;
    let encoding = args.variant.of(&args.encoding, &instance)?;
    let formula = Formula::new(encoding.for_projection(args.project.of_tours()?), &instance)?;
    can_be_written(&formula)?;
    warn_unless(formula.is_exact(), formula.encoding());
    if args.gbd_hash {
        let hash = gbd_hash(&formula, instance.name())?;
        return output::print(|out| match graph {
            Some(graph) => writeln!(out, "{hash}  {graph}"),
            None => writeln!(out, "{hash}"),
        });
    }
    let format = args.format();
    if format != FormulaFormat::Cnf && !matches!(args.project, Project::Tours(Projection::None)) {
        bail!("--project needs --format cnf: {} has no line for a projection set", format.name());
    }
    let projection = formula.project(args.project.of_tours()?)?;
    let is_counted = format == FormulaFormat::Cnf && projection.is_none();
    let mut comments = comments(asked, &formula, is_counted);
    let cost = args.cost(asked, &formula, weights, &mut comments)?;
    let heading = Heading { comments: &comments, ..args.heading(projection.as_deref()) };
    if format == FormulaFormat::Opb {
        return write_opb(&formula, instance.name(), &comments, args.varnames, cost.as_ref(), output);
    }
    match cost.as_ref().and_then(|cost| Some((&cost.objective, cost.most?))) {
        Some((objective, most)) => {
            let bounded = Bounded::new(&formula, objective, most)?;
            clauses(args, &bounded, instance.name(), &heading, cost.as_ref(), output, || None)
        }
        None => clauses(args, &formula, instance.name(), &heading, cost.as_ref(), output, || binary(&formula)),
    }
}

/// Warns that an encoding has models with several cycles, if it is not exact.
fn warn_unless(is_exact: bool, encoding: &Encoding) {
    if !is_exact {
        warn_once(&format!(
            "encoding \"{encoding}\" is relaxed: some models consist of several cycles instead of a tour; `hamcnf solve` excludes these models, but other solvers do not"
        ));
    }
}

/// Writes the formula whose best model is a longest cycle or path.
fn longest(args: &Args, asked: &Tours, output: Option<&Path>) -> anyhow::Result<()> {
    longest::check(&args.question, asked)?;
    let instance = asked.instance();
    let encoding = args.variant.of(&args.encoding, instance)?;
    let (formula, cost) = longest::formula(asked, &encoding)?;
    warn_unless(formula.encoded().is_exact(), &encoding);
    let comments = longest::comments(asked, &encoding);
    match args.format() {
        FormulaFormat::Opb => write_opb(&formula, instance.name(), &comments, args.varnames, Some(&cost), output),
        _ => {
            let heading = Heading { comments: &comments, ..args.heading(None) };
            clauses(args, &formula, instance.name(), &heading, Some(&cost), output, || None)
        }
    }
}

/// Writes clauses as DIMACS or WCNF.
fn clauses(
    args: &Args,
    formula: &impl Clauses,
    name: &str,
    heading: &Heading<'_>,
    cost: Option<&Cost>,
    output: Option<&Path>,
    smaller: impl FnOnce() -> Option<Smaller>,
) -> anyhow::Result<()> {
    match args.format().wcnf().zip(cost) {
        Some((form, cost)) => write_wcnf(formula, form, name, heading, &cost.objective.soft(), output),
        None => write(formula, name, heading, output, smaller),
    }
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
        let Some(ending) = ending(file) else { return Ok(()) };
        match (self.has_objective(), &*ending) {
            (true, "wcnf" | "opb") => return Ok(()),
            (true, _) if KNOWN.contains(&&*ending) => bail!(self.no_objective()),
            (false, _) if KNOWN.contains(&&*ending) => return Ok(()),
            _ => {}
        }
        let (name, is_graph) = (file.display(), Format::of_file(file).is_some());
        if is_graph || OTHERS.contains(&&*ending) || Form::named(file).is_ok() {
            bail!(
                "\"{name}\" ends in .{ending}, but formulas end in .cnf (DIMACS) or .opb: rename it, or pass --format cnf or \
                 --format opb{}",
                if is_graph { "; use `hamcnf graph` to write graphs" } else { "" }
            );
        }
        let format = self.format().name();
        note(&format!("writing \"{name}\" as {format}: .{ending} is not the ending of a known format"));
        Ok(())
    }

    /// Rejects a format that cannot state what to minimize, and a format that only states this.
    fn check_format(&self) -> anyhow::Result<()> {
        if self.cost.is_some() && !self.has_cost() {
            bail!("--cost says what a tour costs: add --minimize or --max-cost");
        }
        match (self.has_objective(), self.format) {
            (true, Some(FormulaFormat::Cnf)) => bail!(self.no_objective()),
            (false, Some(FormulaFormat::Wcnf | FormulaFormat::WcnfOld)) => {
                bail!(
                    "WCNF states what to minimize: add --minimize or --longest, or choose --format cnf or --format opb"
                )
            }
            _ => Ok(()),
        }
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
            _ if self.has_objective() => FormulaFormat::Wcnf,
            _ => FormulaFormat::Cnf,
        })
    }

    /// True if a solver minimizes or maximizes something.
    fn has_objective(&self) -> bool {
        self.minimize || self.longest
    }

    /// Returns the message about a DIMACS file with an objective.
    fn no_objective(&self) -> String {
        let (what, instead) = match self.minimize {
            true => ("minimize", ", or use --max-cost instead of --minimize"),
            false => ("maximize", ""),
        };
        format!("DIMACS CNF cannot state what to {what}: name a file that ends in .wcnf or .opb{instead}")
    }

    /// Returns the message about a model, if the formula is about the cost of tours.
    fn no_costs(&self, model: &NamedModel) -> String {
        let (option, instead) = match self.minimize {
            true => ("--minimize", "write its clauses to a WCNF file as hard clauses, with soft clauses of your own"),
            false => ("--max-cost", "add clauses of your own that bound the cost"),
        };
        format!(
            "{} is a model with a circuit, and has no costs: encode it without {option}, and {instead}",
            model.name()
        )
    }

    /// True if the formula is about the cost of tours.
    fn has_cost(&self) -> bool {
        self.minimize || self.max_cost.is_some()
    }

    /// Returns the cost of tours if the formula is about it, and adds comments from which `hamcnf decode` computes the
    /// cost of a tour.
    fn cost(
        &self,
        asked: &Tours,
        formula: &Formula,
        weights: Option<&Weights>,
        comments: &mut Vec<String>,
    ) -> anyhow::Result<Option<Cost>> {
        if !self.has_cost() {
            return Ok(None);
        }
        let of_moves = self.cost.as_ref().map(|statistic| header::weights_of(statistic, asked)).transpose()?;
        let weights = of_moves.as_ref().or(weights).with_context(|| no_weights(asked.source()))?;
        let objective = Objective::new(formula, weights)?;
        comments.extend(Head::of_costs(weights, self.cost.as_ref(), self.max_cost));
        if self.format().wcnf().is_some() {
            let offset = match objective.offset() {
                0 => String::new(),
                offset => format!(" minus {offset}, because negative weights are weights of negated literals"),
            };
            comments.push(format!("cost of a tour: sum of the weights of violated soft clauses{offset}"));
        }
        Ok(Some(Cost { objective, is_minimized: self.minimize, most: self.max_cost }))
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
