//! `hamcnf show`: draws tours from files.

use std::cell::RefCell;
use std::error::Error;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use hamcnf::formats::{Format, Remark};
use hamcnf::question::{Files, GraphSource, GraphSourceError, QuestionSpec};
use hamcnf::render::file::{self, Claim, Hints, NamedGraph};
use hamcnf::render::svg;
use hamcnf::{Board, HoledBoard, Instance, Piece, Ranks, Tour, TourKind, Vertex};

use super::drawing::{self, Canvas, Drawn, Look, Subject};
use super::exit::DONE;
use super::input;
use super::instance::{BoardOptions, question_spec};
use super::number::whole;
use super::output;

/// Draw tours from files, in the terminal or as a picture
///
/// Reads JSON from --render and --json, boards of numbers (with box-drawing characters or as plain rows), lines of
/// squares, and TSPLIB tours. Every tour is checked before it is drawn. Several tours are drawn on one sheet.
#[derive(clap::Args)]
#[command(aliases = ["draw", "render", "plot"], after_help = "Examples:
  hamcnf show tour.json
  hamcnf show tour.json -o tour.png --numbers
  hamcnf show 8x8.tour -o tour.svg
  hamcnf show found.tour --graph 8x8 -o found.svg       LKH's tour of hamcnf graph 8x8 -o 8x8.hcp
  printf '1 4 7 10\\n12 9 2 5\\n3 6 11 8\\n' | hamcnf show -  a grid of numbers
  hamcnf show tour.json --ranks up                      a1 at the bottom left
  hamcnf show one.json two.json three.txt -o sheet.svg --columns 3
  hamcnf solve 8x8 --json | hamcnf show - -o tour.svg --animate
  echo a1 c2 a3 b1 d2 b3 c1 a2 c3 d1 b2 d3 | hamcnf show -")]
pub(crate) struct Args {
    /// Files with tours; - for standard input. A tour on a graph is a line of vertices
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    hints: TourHints,
    /// Draw into a file: .svg, .png, .pdf, .txt, .json or .tour (TSPLIB)
    #[arg(long, short, value_name = "FILE", value_parser = Canvas::named)]
    output: Option<Canvas>,
    /// Number of tours side by side in the picture [default: about as many columns as rows]
    #[arg(long, value_name = "N", requires = "output", value_parser = whole(1..=u32::MAX))]
    columns: Option<u32>,
    #[command(flatten)]
    look: Look,
}

/// Facts that files may leave out: the piece, the board or graph, and the direction of the ranks.
#[derive(clap::Args)]
pub(crate) struct TourHints {
    #[command(flatten)]
    board: BoardOptions,
    /// Board or graph of the tours: 6x6, a graph file, or a graph of a family. Needed if a file with tours does not name one,
    /// or if the graph file has moved. TSPLIB tours number the squares of a board from 1, row by row, and other
    /// vertices in the order of the graph file
    #[arg(long, value_name = "BOARD|GRAPH", value_parser = question_spec, conflicts_with = "piece")]
    graph: Option<QuestionSpec>,
    /// Open tours. Otherwise, if a file does not name the kind of its tours, a tour is closed if its last vertex is adjacent
    /// to its first
    #[arg(long)]
    open: bool,
}

/// Reader of tours in files.
pub(crate) struct Reader {
    piece: Option<Piece>,
    ranks: Option<Ranks>,
    board: Option<HoledBoard>,
    graph: Option<NamedGraph>,
    is_open: bool,
}

impl Reader {
    /// Returns a reader. If a file does not state a fact, such as the piece, the reader uses the fact that the options
    /// state.
    pub(crate) fn new(hints: &TourHints) -> anyhow::Result<Self> {
        let BoardOptions { piece, ranks } = hints.board;
        let mut reader = Self { piece, ranks, board: None, graph: None, is_open: hints.open };
        if let Some(spec) = &hints.graph {
            if !spec.is_source_alone() {
                let open = match (spec.kind, &spec.end) {
                    (Some(TourKind::Open), _) | (_, Some(_)) => ", and add --open",
                    _ => "",
                };
                bail!("\"{spec}\" is a question about tours: name only the board or the graph{open}");
            }
            match hints.board.on(&spec.source)? {
                GraphSource::Board(board) => reader.board = Some(board),
                source => reader.graph = Some(loaded(source, &Files::default())?),
            }
        }
        Ok(reader)
    }

    /// Reads the tours in a file without checking them.
    pub(crate) fn read(&self, path: &Path) -> anyhow::Result<Vec<Claim>> {
        let cannot = || format!("cannot read {}", input::name(path));
        let word = path.to_str().unwrap_or_default();
        if !path.exists() && word.parse::<Board>().is_ok() {
            bail!("\"{word}\" is a board, not a file of tours; to find and draw a tour, use `hamcnf solve {word}`");
        }
        let text = input::text(path).with_context(cannot)?;
        let is_text = path.extension().is_some_and(|ending| ending == "txt");
        let is_graph = Format::of_file(path).is_some_and(|format| format != Format::TSPLIB);
        if is_graph && !is_text {
            bail!(
                "\"{}\" has the name of a graph file, not of a file of tours; to describe a graph, use `hamcnf graph`",
                path.display()
            );
        }
        // Consecutive tours are usually on the same graph, so the last graph is kept.
        let last: RefCell<Option<NamedGraph>> = RefCell::new(None);
        let find = |name: &str| {
            if let Some(graph) = last.borrow().as_ref().filter(|last| last.name == name) {
                return Ok(graph.clone());
            }
            let graph = named(name)?;
            last.replace(Some(graph.clone()));
            Ok(graph)
        };
        let facts = Hints {
            piece: self.piece,
            board: self.board.as_ref(),
            graph: self.graph.as_ref(),
            ranks: self.ranks,
            find: Some(&find),
        };
        let claims = file::read_with(&text, &facts).with_context(cannot)?;
        Ok(if self.is_open { claims.into_iter().map(Claim::opened).collect() } else { claims })
    }
}

/// Loads the graph that a file of tours names.
fn named(name: &str) -> Result<NamedGraph, Box<dyn Error + Send + Sync>> {
    let files = Files::default();
    let source = GraphSource::settled(name, &files)?;
    if !source.is_lasting() {
        return Err(GraphSourceError::NotLasting(name.to_owned()).into());
    }
    Ok(loaded(source, &files)?)
}

fn loaded(source: GraphSource, files: &Files) -> Result<NamedGraph, GraphSourceError> {
    let loaded = source.load(files)?;
    let names = loaded.names.clone();
    let fixed = loaded.remarks.iter().filter_map(Remark::fixed).flatten();
    let name = |v: u32| names.name(Vertex::new(v));
    let constraints = fixed.map(|&(a, b)| format!("force {}-{}", name(a), name(b))).collect();
    Ok(NamedGraph { name: loaded.source.to_string(), constraints, graph: loaded.into_graph(), names })
}

/// Checked tour with its caption.
struct Checked {
    caption: String,
    instance: Instance,
    tour: Tour,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<u8> {
    args.look.check(args.output.as_slice(), "--output")?;
    let reader = Reader::new(&args.hints)?;
    let mut tours = Vec::new();
    for path in &args.files {
        let name = input::name(path);
        let claims = reader.read(path)?;
        let several = claims.len() > 1;
        for (number, claim) in (1..).zip(claims) {
            let instance = claim.instance().clone();
            let tour = match claim.check() {
                Ok(tour) => tour,
                Err(wrong) => bail!("tour {number} in {name} is not a tour: {wrong}"),
            };
            let stem = path.file_stem().filter(|_| path.as_os_str() != "-");
            let stem = stem.map_or(String::new(), |stem| stem.to_string_lossy().into_owned());
            let caption = match (stem.as_str(), several) {
                ("", _) => number.to_string(),
                (_, true) => format!("{stem} {number}"),
                (_, false) => stem,
            };
            tours.push(Checked { caption, instance, tour });
        }
    }
    let captioned = tours.len() > 1;
    let drawn: Vec<_> = tours
        .iter()
        .map(|checked| Drawn {
            caption: captioned.then(|| checked.caption.clone()),
            subject: Subject::Tour(&checked.instance, &checked.tour),
        })
        .collect();
    if let Some(canvas) = &args.output {
        let columns = args.columns.map(|n| n as usize);
        let squares = tours.iter().map(|checked| u64::from(checked.instance.n()));
        let svg = svg::bytes_of_tour(squares.sum(), args.look.style());
        drawing::announce(std::slice::from_ref(canvas), svg);
        drawing::draw(canvas, &drawn, columns, args.look.style())?;
        return Ok(DONE);
    }
    output::print(|out| {
        for (k, checked) in tours.iter().enumerate() {
            let Checked { caption, instance, tour } = checked;
            if k > 0 {
                writeln!(out)?;
            }
            if captioned {
                write!(out, "{caption}: ")?;
            }
            writeln!(out, "{}\n", drawing::checked(instance))?;
            write!(out, "{}", drawing::in_terminal(instance, tour))?;
        }
        Ok(())
    })?;
    Ok(DONE)
}
