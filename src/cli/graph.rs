//! `hamcnf graph`: facts about graphs, and conversion to other formats.

use std::fmt::{self, Write as _};
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::bail;
use clap::ValueHint;
use hamcnf::budget::Budget;
use hamcnf::count::frontier::Bytes;
use hamcnf::endpoints::Endpoints;
use hamcnf::features::Features;
use hamcnf::formats::{self, Format, Remark, WriteError};
use hamcnf::question::{Files, GraphSource};
use hamcnf::run::Share;
use hamcnf::{AnyGraph, Encoding, Formula, Instance, TourKind, Vertex, VertexNames, obstruction};
use serde::Serialize;
use serde_json::Value;

use super::complain;
use super::complete;
use super::exit::{DONE, WRONG};
use super::formula::gbd_hash;
use super::instance::{BoardOptions, GraphFormat, Seed, Word, encoding, format, places, warn_of};
use super::mistake;
use super::output::{self, Borders, Format as Printed, JsonOutput};
use super::output_file::OutputFile;
use super::progress::Progress;
use super::several;
use super::topics;
use super::verbosity::note;

/// Describe graphs, or write a graph in another format
///
/// Without --to and --output, prints the size, degrees, connectivity, bipartition, cut vertices, bridges, a treewidth
/// bound and a checksum of the edges. If a cheap check proves that there is no closed tour, also prints the reason. For
/// several graphs, prints a table with one line each; the exit code is 1 if a graph cannot be read. In written graphs,
/// vertices are numbered from 1; the squares of a board are numbered row by row. Vertex names in the input are kept if
/// the output format has names.
#[derive(clap::Args)]
#[command(after_help = format!("{}

{}

Examples:
  hamcnf graph 8x8                                  64 vertices, 168 edges, bipartite
  hamcnf graph 8x8 -o 8x8.hcp                       the board's moves as a TSPLIB file
  hamcnf graph graph.txt --graph-format edges --to dimacs
  hamcnf graph 'gnp 30 .2 planted' --seed 7 -o graph.col
  hamcnf graph graphs/*.col --format csv > features.csv
  hamcnf graph 6x6 8x8 -e binary --format csv       with each formula's GBD hash
  hamcnf graph graph.graphml -o graph.g6            from any format to any other
  zstdcat graph.zst | hamcnf graph - --json | jq .components", topics::formats(), topics::families()))]
pub(crate) struct Args {
    #[arg(value_name = "BOARD|GRAPH", add = complete::places(), help = places(), required = true)]
    places: Vec<Word>,
    #[command(flatten)]
    graphs: GraphFormat,
    #[command(flatten)]
    board: BoardOptions,
    #[command(flatten)]
    seed: Seed,
    /// Write the graph in this format [default: chosen by the file extension of --output]
    #[arg(long, value_name = "FORMAT", value_parser = format())]
    to: Option<Format>,
    /// Output file, compressed if its name ends in .gz or .zst; - is standard output [default: -]
    #[arg(long, short, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<OutputFile>,
    /// Write the graph even if the format needs more than 1 GiB for it
    #[arg(long = "try")]
    try_it: bool,
    /// Add the Global Benchmark Database (GBD) hash of the formula for closed tours in this encoding
    #[arg(long, short, value_parser = encoding(), add = complete::encodings(), conflicts_with_all = ["to", "output"])]
    encoding: Option<Encoding>,
    /// Output format, with a line for each graph; --json is short for --format json [default: sentences for one graph,
    /// a table for several]
    #[arg(long, value_enum, conflicts_with_all = ["to", "output"])]
    format: Option<Printed>,
    /// Print a JSON object, or a JSON array for several graphs
    #[arg(long, conflicts_with_all = ["to", "output", "format"])]
    json: bool,
}

/// Graph with its source.
struct LoadedGraph {
    source: GraphSource,
    graph: AnyGraph,
    read: Option<(Format, VertexNames)>,
    /// Edges that every tour uses, 0-based.
    fixed: Vec<(u32, u32)>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    let format = if args.json { Some(Printed::Json) } else { args.format };
    let writes = args.to.is_some() || args.output.is_some();
    let files = Files::default();
    let Some((word, [])) = args.places.split_first() else {
        if writes {
            bail!("cannot write the graphs of several files at once: name only one file");
        }
        return describe(args, format, &mut args.places.iter().map(|word| graphs(args, word, &files)));
    };
    match graphs(args, word, &files)? {
        (graphs, _) if writes => write(args, graphs)?,
        (several, false) => return describe(args, format, &mut std::iter::once(Ok((several, false)))),
        (one, true) => {
            let facts = one.map(|found| Facts::new(args, found?)).collect::<Result<Vec<_>, _>>()?;
            match format {
                Some(format) => print(&facts, format)?,
                None => output::print(|out| facts.iter().try_for_each(|facts| write!(out, "{}", facts.text)))?,
            }
        }
    }
    Ok(DONE)
}

/// Prints a table with a line for each graph of the arguments.
fn describe<'a>(
    args: &Args,
    format: Option<Printed>,
    arguments: &mut dyn ExactSizeIterator<Item = anyhow::Result<(Graphs<'a>, bool)>>,
) -> anyhow::Result<u8> {
    let format = format.unwrap_or(Printed::Table);
    let of = arguments.len() as u64;
    let (mut all, mut is_first, mut code) = (Vec::new(), true, DONE);
    let mut progress = Progress::new(format_args!("reading graphs"));
    for (done, graphs) in (0..).zip(arguments) {
        progress.show_share(Some(Share { done, of }), format_args!("{done} of {of} graphs"));
        let graphs =
            graphs.map_or_else(|error| Box::new(std::iter::once(Err(error))) as Graphs<'_>, |(graphs, _)| graphs);
        for found in graphs {
            match found.and_then(|found| Facts::new(args, found)) {
                // Rows are printed as they arrive, and not kept.
                Ok(facts) if format == Printed::Csv => {
                    output::print(|out| output::csv_row(out, &facts.row(), is_first))?;
                    is_first = false;
                }
                Ok(facts) => all.push(facts),
                Err(error) => {
                    complain(&format!("{error:#}"));
                    code = WRONG;
                }
            }
        }
    }
    progress.clear();
    if format != Printed::Csv && !all.is_empty() {
        print(&all, format)?;
    }
    Ok(code)
}

/// Graphs of an argument, or the reasons why they cannot be loaded.
type Graphs<'a> = Box<dyn Iterator<Item = anyhow::Result<LoadedGraph>> + 'a>;

/// Returns the graphs that an argument names: several for a text with a graph per line, a folder, or a range of boards,
/// otherwise one. The flag is true for one.
fn graphs<'a>(args: &Args, word: &Word, files: &'a Files) -> anyhow::Result<(Graphs<'a>, bool)> {
    let source = source_of(args, word)?;
    Ok(match several::questions(&source.clone().into(), files)? {
        Some(several) => (Box::new(several.map(|spec| load(spec?.source, files))), false),
        None => (Box::new(std::iter::once(Ok(load(source, files)?))), true),
    })
}

/// Returns the graph source that an argument names.
fn source_of(args: &Args, word: &Word) -> anyhow::Result<GraphSource> {
    let spec = match &word.spec {
        Ok(spec) => args.graphs.of(spec)?,
        Err(wrong) => bail!("{}", mistake::graph_mistake(&word.text, wrong)),
    };
    if !spec.is_source_alone() {
        bail!("\"{spec}\" is a question about tours: name only the board or the graph");
    }
    args.seed.of(args.board.on(&spec.source)?)
}

fn load(source: GraphSource, files: &Files) -> anyhow::Result<LoadedGraph> {
    let loaded = source.load(files)?;
    if let Some(text) = loaded.source.place() {
        warn_of(text, &loaded.remarks);
    }
    Ok(LoadedGraph {
        source: loaded.source.clone(),
        read: loaded.format.map(|format| (format, loaded.names.clone())),
        fixed: loaded.remarks.iter().find_map(Remark::fixed).unwrap_or_default().to_vec(),
        graph: loaded.into_graph(),
    })
}

/// Writes the graphs in the requested format. Several graphs are possible only in formats with one graph per line.
fn write(args: &Args, mut graphs: impl Iterator<Item = anyhow::Result<LoadedGraph>>) -> anyhow::Result<()> {
    let format = match args.to {
        Some(format) => format,
        None => of_ending(args.output.as_deref())?,
    };
    let first = graphs.next();
    if !format.is_line && graphs.next().is_some() {
        bail!(
            "a {format} file can hold only one graph, but the input has several: choose one with --graph-number 1, or write graph6 or sparse6"
        );
    }
    output::to(args.output.as_deref(), |out| {
        let mut out = BufWriter::new(out);
        for found in first.into_iter().chain(graphs) {
            let found = found?;
            let n = found.graph.n_vertices();
            let bytes = format.bytes_of_matrix(&found.graph);
            if let Some(bytes) = bytes.filter(|&bytes| bytes > MOST_BYTES && !args.try_it) {
                bail!(
                    "{}: the format {format} needs {} for {n} vertices, however few the edges: use --to sparse6 or dimacs, or --try to write the file anyway",
                    found.source,
                    Bytes(bytes)
                );
            }
            if !found.fixed.is_empty() && format != Format::TSPLIB {
                note(&format!(
                    "{}: the fixed edges are not written as such; write a .hcp file, or pass --force U-V for each of them to the commands that read the graph",
                    found.source
                ));
            }
            let names = found.read.map(|(_, names)| names).unwrap_or_default();
            let written = formats::write_named(format, &found.graph, &names, &found.fixed, &mut out);
            written.map_err(|error| match error {
                // The I/O error is kept, so that a closed pipe can be distinguished from a full disk.
                WriteError::Io(error) => anyhow::Error::from(error),
                error => error.into(),
            })?;
        }
        Ok(out.flush()?)
    })
}

/// Greatest number of bytes of a graph that is written without being asked for.
const MOST_BYTES: u64 = 1 << 30;

/// Returns the graph format that the extension of the file name selects. Names without extension and standard output
/// select DIMACS.
fn of_ending(output: Option<&Path>) -> anyhow::Result<Format> {
    let output = output.unwrap_or(Path::new("-"));
    match (Format::of_file(output), formats::ending(output)) {
        (Some(format), _) => Ok(format),
        (None, None) => Ok(Format::DIMACS),
        (None, Some(ending)) => {
            bail!("unknown graph file ending .{ending}: use one of {}, or choose a format with --to", endings())
        }
    }
}

/// Lists the file name extensions of all formats.
fn endings() -> String {
    let all: Vec<_> =
        Format::all().into_iter().flat_map(|format| format.endings).map(|ending| format!(".{ending}")).collect();
    all.join(", ")
}

/// Object that `--json` prints. The facts about a digraph, except its arcs, are about the underlying undirected graph.
#[derive(Serialize)]
struct Facts {
    instance: String,
    /// Format of the graph's file; `None` for a board.
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    /// Kind of vertex names. The values are those of the field `numbering` of records.
    numbering: &'static str,
    /// Number of arcs of a digraph.
    #[serde(skip_serializing_if = "Option::is_none")]
    arcs: Option<u32>,
    /// Number of vertices of each colour in a 2-colouring; `None` if the graph is not bipartite.
    #[serde(skip_serializing_if = "Option::is_none")]
    colours: Option<[u32; 2]>,
    /// Values for the columns of tables. The checksum is given for boards too.
    #[serde(flatten)]
    features: Features,
    #[serde(skip)]
    is_board: bool,
    /// Facts in sentences.
    #[serde(skip)]
    text: String,
}

impl Facts {
    fn new(args: &Args, found: LoadedGraph) -> anyhow::Result<Self> {
        let LoadedGraph { source, graph, read, .. } = found;
        let (name, is_board) = (source.to_string(), matches!(source, GraphSource::Board(_)));
        let first = Vertex::new(0);
        // Facts are printed even if the graph is too small for closed tours.
        let instance = match &source {
            GraphSource::Board(board) => Instance::on_holed(board.clone(), TourKind::Closed, first),
            _ => Instance::on(name.clone(), graph.clone(), TourKind::Closed, first).map(|instance| match &read {
                Some((_, names)) => instance.called(names.clone()),
                None => instance,
            }),
        };
        let small;
        let (facts, found) = match &instance {
            Ok(instance) => (instance.facts(), obstruction(instance, Endpoints::Closed)),
            Err(_) => {
                small = hamcnf::Facts::from(graph.underlying().into_owned());
                (&small, None)
            }
        };
        let gbd_hash = match (&args.encoding, instance.as_ref()) {
            (None, _) => None,
            (Some(_), Err(error)) => bail!("{error}"),
            (Some(encoding), Ok(instance)) => {
                Some(gbd_hash(&Formula::new(encoding.clone(), instance)?, instance.name())?)
            }
        };
        let features = Features {
            graph_crc32: format!("{:08x}", graph.digraph().crc32()),
            gbd_hash,
            ..Features::of_graph(name.clone(), facts, found.as_ref().map(|found| found.kind), &Budget::default())
        };
        let mut facts = Self {
            instance: name,
            format: read.as_ref().map(|(format, _)| format.name),
            numbering: match &read {
                _ if is_board => "squares",
                Some((_, names)) => names.kind(),
                None => VertexNames::default().kind(),
            },
            arcs: graph.undirected().is_none().then(|| graph.n_edges()),
            colours: facts.colour_sizes(),
            features,
            is_board,
            text: String::new(),
        };
        let why = found.map(|found| found.to_string());
        // Writing to a string does not fail.
        let _ = facts.sentences(&source, read.map(|(_, names)| names), why.as_deref()).map(|text| facts.text = text);
        Ok(facts)
    }

    /// Returns the facts in sentences. `why` is the reason why there is no closed tour.
    fn sentences(
        &self,
        source: &GraphSource,
        names: Option<VertexNames>,
        why: Option<&str>,
    ) -> Result<String, fmt::Error> {
        let mut text = String::new();
        let out = &mut text;
        let Features { vertices, edges, components, cut_vertices, bridges, .. } = self.features;
        let word = |n: u32, one: &'static str, many| if n == 1 { one } else { many };
        let (vertex, edge) = (word(vertices, "vertex", "vertices"), word(edges, "edge", "edges"));
        writeln!(out, "{}: {vertices} {vertex}, {edges} {edge}", self.instance)?;
        match (self.format, names) {
            (Some(format), Some(VertexNames::Numbers(numbering))) => {
                writeln!(out, "read as {format}, vertices numbered from {}", numbering.first())?;
            }
            (Some(format), _) => writeln!(out, "read as {format}, vertices with names")?,
            (None, _) => {}
        }
        if let GraphSource::Family(family) = source {
            writeln!(out, "family: {}", family.says())?;
        }
        if let Some(arcs) = self.arcs {
            let arc = word(arcs, "arc", "arcs");
            writeln!(out, "directed, {arcs} {arc}; the facts below are about the underlying undirected graph")?;
        }
        let Features { least_degree, greatest_degree, mean_degree, .. } = self.features;
        if let (Some(least), Some(greatest), Some(mean)) = (least_degree, greatest_degree, mean_degree) {
            writeln!(out, "degrees from {least} to {greatest}, mean {mean:.2}")?;
        }
        match components {
            0 | 1 => writeln!(out, "connected")?,
            n => writeln!(out, "not connected: {n} components")?,
        }
        match self.colours {
            Some([a, b]) => writeln!(out, "bipartite: {a} and {b} vertices")?,
            None => writeln!(out, "not bipartite")?,
        }
        writeln!(out, "cut vertices: {cut_vertices}, bridges: {bridges}")?;
        match self.features.width_bound {
            Some(width) => writeln!(out, "treewidth at most {width}")?,
            None => writeln!(out, "treewidth: the computation of a bound took too long")?,
        }
        writeln!(out, "checksum of the edges (CRC-32): {}", self.features.graph_crc32)?;
        why.iter().try_for_each(|why| writeln!(out, "no closed tour: {why}"))?;
        self.features.gbd_hash.iter().try_for_each(|hash| writeln!(out, "GBD hash of the formula: {hash}"))?;
        Ok(text)
    }

    /// Returns the row of the graph. As in result rows, a board has no checksum, because its name identifies it.
    fn row(&self) -> Features {
        let mut features = self.features.clone();
        if self.is_board {
            features.graph_crc32.clear();
        }
        features
    }
}

/// Prints facts.
fn print(all: &[Facts], format: Printed) -> anyhow::Result<()> {
    output::print(|out| match (format, all) {
        (Printed::Json, [facts]) => output::json(out, &JsonOutput::new(facts)),
        (Printed::Json, all) => output::json(out, &all.iter().map(JsonOutput::new).collect::<Vec<_>>()),
        (Printed::Csv, all) => output::csv(out, &all.iter().map(Facts::row).collect::<Vec<_>>()),
        (Printed::Table | Printed::Markdown, all) => {
            let heading = Features::columns().iter().map(|name| name.replace('_', " ")).collect();
            let rows = std::iter::once(heading).chain(all.iter().map(|facts| cells(&facts.row())));
            writeln!(out, "{}", output::table(format, Borders::Rounded, rows, 2))
        }
    })
}

/// Returns the features as the cells of a table.
fn cells(features: &Features) -> Vec<String> {
    let row = serde_json::json!(features);
    let cell = |name: &&str| match &row[name] {
        Value::Null => String::new(),
        Value::Bool(is) => if *is { "yes" } else { "no" }.to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) if number.is_f64() => format!("{:.2}", number.as_f64().unwrap_or_default()),
        other => other.to_string(),
    };
    Features::columns().iter().map(cell).collect()
}
