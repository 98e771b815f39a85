//! Arguments that most commands share: the question and its encoding.

use std::error::Error;
use std::ffi::OsStr;
use std::fmt;

use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use hamcnf::constraint::Means;
use hamcnf::count::frontier::Bytes;
use hamcnf::endpoints::Endpoints;
use hamcnf::formats::{Directedness, Format, Reading, Remark};
use hamcnf::machine::available_memory;
use hamcnf::method::{self, Method};
use hamcnf::question::{
    self, Files, GraphSource, GraphSourceError, GraphText, QuestionError, QuestionSpec, QuestionText, StartSpec,
};
use hamcnf::solve::defaults;
use hamcnf::{AtMostOne, Encoding, Instance, Named, Orientation, Pruning, Queens, Ranks, TourKind, encoding, relabel};

use super::complete;
use super::constraints::Constraints;
use super::number::{MustBe, whole};
use super::warn_once;

/// Returns a parser for the names of the values of `T`. Help and error messages list the names.
pub(crate) fn named<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::ALL.iter().map(|choice| choice.as_str())).try_map(|name| name.parse())
}

/// Returns a parser for the names of graph formats.
pub(crate) fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::all().into_iter().map(Format::as_str)).try_map(|name| name.parse())
}

/// Parses a time limit, a number of seconds or a number with a unit. Returns seconds.
pub(crate) fn seconds(text: &str) -> Result<f64, MustBe> {
    let with_unit = || Some(humantime::parse_duration(text.trim()).ok()?.as_secs_f64());
    match text.parse().ok().or_else(with_unit) {
        Some(value) if value > 0.0 && value < 1e9 => Ok(value),
        _ => Err(MustBe(
            "a positive number of seconds, less than a billion, or a number with a unit such as 500ms, 5s, 2m or 1h"
                .to_owned(),
        )),
    }
}

/// Question of a command: tours, or placements of queens.
#[derive(Clone)]
pub(crate) enum Spec {
    Tours(QuestionSpec),
    Queens(Queens),
}

impl Spec {
    /// Returns the question, if it is about tours.
    pub(crate) fn tours(&self) -> Option<&QuestionSpec> {
        match self {
            Self::Tours(spec) => Some(spec),
            Self::Queens(_) => None,
        }
    }
}

/// Parses a question about tours or queens. A missing file counts as an error in the command line.
fn spec(text: &str) -> Result<Spec, Box<dyn Error + Send + Sync>> {
    let queens = || text.parse::<QuestionText>().map(|text| text.queens().cloned());
    Ok(match text.ends_with("queens") || text.ends_with("queen") {
        true if let Some(queens) = queens()? => Spec::Queens(queens),
        _ => Spec::Tours(question_spec(text)?),
    })
}

/// Parses a board, a graph, or a complete question. A missing file counts as an error in the command line.
pub(crate) fn question_spec(text: &str) -> Result<QuestionSpec, GraphSourceError> {
    QuestionSpec::settled(text, &Files::default())
}

/// Returns the help text about boards and graphs.
pub(crate) fn places() -> String {
    format!(
        "A board, a graph or a complete question:\n\
         - a board: 8x8, 8x8-a1-h8 (8x8 with a1 and h8 removed), or king:8x8 for another piece\n\
         - a graph file: graph.col, graph.col.gz, - for standard input, edges:FILE to choose a format, FILE#3 for the third graph of a file\n\
         - a graph of a family: cubic:60:7 or 'cubic 60 7', optionally followed by +planted, +no-cycle or +{}=SEED\n\
         - a question: '8x8 open from c3'\n\
         - queens: '8 queens', placements of queens that do not attack each other\n\
         - a puzzle: puzzle:FILE, or FILE.puzzle, with numbers and blank squares\n\
         See `hamcnf graph --help` for all formats and families",
        relabel::RELABEL
    )
}

/// Options for reading the text of a graph.
#[derive(Clone, clap::Args)]
pub(crate) struct GraphFormat {
    #[arg(long, value_name = "FORMAT", hide_possible_values = true, value_parser = format(), help = format_help())]
    graph_format: Option<Format>,
    /// Number of the graph in a file with several graphs, from 1; FILE#N does the same
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX), allow_negative_numbers = true)]
    graph_number: Option<u32>,
    /// Read arcs as undirected edges; FILE+undirected does the same
    #[arg(long, conflicts_with = "arcs")]
    undirected: bool,
    /// Read edges as arcs from the vertex that is named first; FILE+arcs does the same
    #[arg(long)]
    arcs: bool,
    /// Accept integer weights in the third column of an edge list, and ignore them; FILE+weights does the same
    #[arg(long)]
    weights: bool,
}

/// Returns the help text of `--graph-format`.
fn format_help() -> String {
    let names: Vec<_> = Format::all().into_iter().map(Format::as_str).collect();
    format!(
        "Format of the graph file: {} [default: detected from the text, else from the ending of the file name]",
        names.join(", ")
    )
}

impl GraphFormat {
    /// Returns the question specification, with these options applied to its graph source.
    pub(crate) fn of(&self, spec: &QuestionSpec) -> anyhow::Result<QuestionSpec> {
        let mut spec = spec.clone();
        if self.given().is_some() {
            let files = Files::default();
            spec.source = spec.source.read_with(self.reading(), &files)?;
        }
        Ok(spec)
    }

    fn reading(&self) -> Reading {
        Reading {
            format: self.graph_format,
            number: self.graph_number.map(|number| number as usize),
            directedness: match (self.arcs, self.undirected) {
                (true, _) => Directedness::Directed,
                (false, true) => Directedness::Undirected,
                (false, false) => Directedness::AsWritten,
            },
            weights: self.weights,
        }
    }

    /// Returns the name of the first of these options that the user gave; `None` if the user gave none.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (self.graph_format.is_some(), "--graph-format"),
            (self.graph_number.is_some(), "--graph-number"),
            (self.undirected, "--undirected"),
            (self.arcs, "--arcs"),
            (self.weights, "--weights"),
        ];
        let given = options.into_iter().find(|(is, _)| *is);
        given.map(|(_, option)| option)
    }
}

/// The seed of a graph.
#[derive(clap::Args)]
pub(crate) struct Seed {
    /// Seed of a random graph whose name has no seed, such as 'gnp 30 .2' [default: 0]
    #[arg(long, value_name = "SEED", value_parser = whole(0..=u32::MAX), allow_negative_numbers = true)]
    seed: Option<u32>,
}

impl Seed {
    /// Returns the graph source, with the seed of the option if it is given.
    pub(crate) fn of(&self, source: GraphSource) -> anyhow::Result<GraphSource> {
        match self.seed {
            Some(seed) => Ok(source.with_seed(seed)?),
            None => Ok(source),
        }
    }
}

/// Question about the tours of a board or graph.
#[derive(Clone, clap::Args)]
pub(crate) struct Question {
    #[arg(value_name = "BOARD|GRAPH", value_parser = spec, add = complete::places(), help = places())]
    spec: Spec,
    #[command(flatten)]
    pub(crate) words: Words,
}

impl Question {
    /// Returns the queens of a question about placements.
    pub(crate) fn queens(&self) -> Option<&Queens> {
        match &self.spec {
            Spec::Queens(queens) => Some(queens),
            Spec::Tours(_) => None,
        }
    }

    /// Returns the question specification, with the options for reading applied to its graph source.
    pub(crate) fn spec(&self) -> anyhow::Result<QuestionSpec> {
        match &self.spec {
            Spec::Tours(spec) => self.words.format.of(spec),
            Spec::Queens(queens) => bail!("\"{queens}\" asks for placements of queens, not for tours"),
        }
    }

    /// Loads the question.
    pub(crate) fn asked(&self) -> anyhow::Result<question::Tours> {
        self.words.ask(self.spec()?, &Files::default())
    }

    /// True if the user specified the kind or the start of the tours.
    pub(crate) fn says_tours(&self) -> bool {
        let is_said = self.spec.tours().is_some_and(|spec| spec.kind.is_some() || spec.start.is_some());
        is_said || self.words.open || self.words.start.is_some()
    }

    /// True if the graph can be loaded again.
    pub(crate) fn is_lasting(&self) -> bool {
        self.spec.tours().is_some_and(|spec| spec.source.is_lasting())
    }

    /// True if the question is about a graph on standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.spec.tours().is_some_and(|spec| spec.source.is_standard_input())
    }
}

/// Question on the command line, for commands in which a file may name the question instead.
#[derive(clap::Args)]
pub(crate) struct Unless {
    #[arg(value_name = "BOARD|GRAPH", value_parser = question_spec, add = complete::places(), help = format!("{} [default: the question that the file names]", places()))]
    spec: Option<QuestionSpec>,
    #[command(flatten)]
    words: Words,
}

impl Unless {
    /// Loads the question; `None` if the arguments name no graph source.
    pub(crate) fn asked(&self) -> anyhow::Result<Option<question::Tours>> {
        let Some(spec) = &self.spec else {
            if let Some(option) = self.words.given() {
                bail!("{option} needs a board or graph: name the board or graph, or remove {option}");
            }
            return Ok(None);
        };
        self.words.ask(self.words.format.of(spec)?, &Files::default()).map(Some)
    }

    /// True if the question is about a graph on standard input.
    pub(crate) fn is_standard_input(&self) -> bool {
        self.spec.as_ref().is_some_and(|spec| spec.source.is_standard_input())
    }
}

/// Options that say what the text of a question can say too. They complete the text, and must not contradict it.
#[derive(Clone, clap::Args)]
pub(crate) struct Words {
    #[command(flatten)]
    pub(crate) format: GraphFormat,
    /// Open tours (Hamiltonian paths) instead of closed tours (Hamiltonian cycles)
    #[arg(long)]
    open: bool,
    /// Start of the tour: a square by name or by number from 0, such as a1 or 0 (top left); a vertex by its name or
    /// number in the graph file; or "anywhere" for open tours [default: the first square or vertex for closed tours,
    /// anywhere for open tours]
    #[arg(long, visible_alias = "from", value_name = "START", allow_hyphen_values = true)]
    start: Option<String>,
    /// End of an open tour
    #[arg(long, value_name = "END", allow_hyphen_values = true)]
    to: Option<String>,
    #[command(flatten)]
    piece: Piece,
    #[command(flatten)]
    constraints: Constraints,
}

impl Words {
    /// Returns the name of the first of these options that the user gave; `None` if the user gave none.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [(self.open, "--open"), (self.start.is_some(), "--start"), (self.to.is_some(), "--to")];
        let given = options.into_iter().find(|(is, _)| *is).map(|(_, option)| option);
        self.format.given().or(given).or(self.piece.given()).or(self.constraints.given())
    }

    /// Loads the question that a specification and these options describe.
    pub(crate) fn ask(&self, spec: QuestionSpec, files: &Files) -> anyhow::Result<question::Tours> {
        let Ok(start) = self.start.as_deref().map(str::parse::<StartSpec>).transpose();
        let start = joined(&spec, spec.start.as_ref(), start, "starts at", "--start is")?;
        let end = joined(&spec, spec.end.as_ref(), self.to.clone(), "ends at", "--to is")?;
        let open = self.open.then_some(TourKind::Open);
        let kind = joined(&spec, spec.kind.as_ref(), open, "asks for tours that are", "--open makes them")?;
        // A question that names an end asks for open tours.
        let kind = kind.unwrap_or(if end.is_some() { TourKind::Open } else { TourKind::Closed });
        let tours = question::Tours::load(self.piece.on(&spec.source)?, kind, start.as_ref(), files)?;
        if let Some(text) = tours.source().place() {
            warn_of(text, tours.remarks());
        }
        let tours = match &end {
            Some(end) => tours.ending_at(end)?,
            None => tours,
        };
        let of_text = spec.constraints.into_iter().map(|spec| (spec, None));
        let (constraints, places): (Vec<_>, Vec<_>) = of_text.chain(self.constraints.all()?).unzip();
        tours.constrained(&constraints).map_err(|error| {
            let index = match &error {
                QuestionError::Constraint { wrong, .. } => wrong.index,
                _ => None,
            };
            match index.and_then(|index| places.get(index).cloned().flatten()) {
                Some(place) => anyhow::Error::new(error).context(place),
                None => error.into(),
            }
        })
    }
}

/// Returns the part of a question that its text or an option says, or the error that they contradict each other.
fn joined<T: Clone + PartialEq + fmt::Display>(
    spec: &QuestionSpec,
    text: Option<&T>,
    option: Option<T>,
    of_text: &str,
    of_option: &str,
) -> anyhow::Result<Option<T>> {
    match (text, option) {
        (Some(text), Some(option)) if *text != option => {
            bail!("\"{spec}\" {of_text} {text}, but {of_option} {option}: remove one of the two")
        }
        (text, option) => Ok(text.cloned().or(option)),
    }
}

/// Warns about unusual properties of a graph file, once per file.
pub(crate) fn warn_of(text: &GraphText, remarks: &[Remark]) {
    let number = text.reading.number.map(|number| format!("#{number}"));
    let number = number.unwrap_or_default();
    for remark in remarks {
        warn_once(&format!("{}{number}: {remark}", text.source));
    }
}

/// Returns the word for a vertex of an instance: `square` on a board, otherwise `vertex`.
pub(crate) fn vertex_word(instance: &Instance) -> &'static str {
    match instance.squares() {
        Some(_) => "square",
        None => "vertex",
    }
}

/// Names of squares.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct Squares {
    /// Direction in which rows are numbered: down from the top (a1 is top left), or up from the bottom as in chess (a1
    /// is bottom left). ranks=up:8x8 is the same as 8x8 --ranks up [default: down]
    #[arg(long, value_name = "DIRECTION", value_parser = named::<Ranks>())]
    ranks: Option<Ranks>,
}

impl Squares {
    /// Returns the direction in which ranks are numbered; `None` for the default.
    pub(crate) fn ranks(&self) -> Option<Ranks> {
        self.ranks
    }

    /// Returns the graph source with its ranks numbered as the option says. Squares that are removed from the board
    /// keep the names that the user typed.
    pub(crate) fn on(&self, source: &GraphSource) -> anyhow::Result<GraphSource> {
        Ok(match (source, self.ranks) {
            (GraphSource::Board(board), Some(ranks)) => {
                let said = board.board().ranks();
                if said == Ranks::Up && ranks != said {
                    bail!(
                        "\"{board}\" numbers its ranks upwards, but --ranks is {ranks}: remove --ranks, or remove \"ranks=up:\""
                    );
                }
                GraphSource::Board(board.clone().read_with(ranks))
            }
            (GraphSource::Relabelled { source, seed }, Some(_)) => {
                GraphSource::Relabelled { source: Box::new(self.on(source)?), seed: *seed }
            }
            (GraphSource::Graph(_) | GraphSource::Family(_) | GraphSource::Given(_), Some(_)) => {
                bail!("--ranks is for boards, but \"{source}\" is a graph")
            }
            // A range of boards is split into boards first. Then the options apply to each board.
            (GraphSource::Boards(_), _) | (_, None) => source.clone(),
        })
    }
}

/// The piece that moves, and the names of squares.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct Piece {
    /// Piece: a name such as king (see `hamcnf help graphs`), or the lengths of its jumps, such as 2,3 or 1,2+1,4
    /// [default: knight]
    #[arg(long, value_name = "PIECE", add = complete::pieces(), allow_hyphen_values = true)]
    piece: Option<hamcnf::Piece>,
    #[command(flatten)]
    squares: Squares,
}

impl Piece {
    /// Returns the name of the first of these options that the user gave; `None` if the user gave none.
    fn given(&self) -> Option<&'static str> {
        let piece = self.piece.map(|_| "--piece");
        piece.or(self.squares.ranks.map(|_| "--ranks"))
    }

    /// Returns the graph source with the piece and the numbering of ranks that the options select.
    pub(crate) fn on(&self, source: &GraphSource) -> anyhow::Result<GraphSource> {
        self.squares.on(&self.with_piece(source)?)
    }

    fn with_piece(&self, source: &GraphSource) -> anyhow::Result<GraphSource> {
        Ok(match (source, self.piece) {
            (GraphSource::Boards(_), _) | (_, None) => source.clone(),
            (GraphSource::Board(board), Some(piece)) => {
                // A knight may be merely the default piece of the board, so the option may replace it.
                if ![hamcnf::Piece::KNIGHT, piece].contains(&board.board().piece()) {
                    bail!(
                        "\"{board}\" already names a piece, but --piece is the {piece}: remove --piece, or remove the piece from the board"
                    );
                }
                GraphSource::Board(board.clone().with(piece)?)
            }
            (GraphSource::Relabelled { source, seed }, Some(_)) => {
                GraphSource::Relabelled { source: Box::new(self.with_piece(source)?), seed: *seed }
            }
            (GraphSource::Graph(_) | GraphSource::Family(_) | GraphSource::Given(_), Some(_)) => {
                bail!("--piece is for boards, but \"{source}\" is a graph")
            }
        })
    }
}

/// Returns the question as an undirected question without constraints, whose tours correspond to those of `asked`. Returns
/// an error if a constraint needs clauses; `what` is the requested output, in the plural.
pub(crate) fn undirected(asked: &question::Tours, what: &str) -> anyhow::Result<question::Tours> {
    let instance = asked.instance();
    match instance.means() {
        Means::Clauses(_) if let Some(other) = beside_symmetry(instance) => {
            bail!(
                "{what} support \"symmetry\" alone or with \"forbid\", but not with \"{other}\": use `hamcnf solve --number N`, which supports all constraints together"
            )
        }
        Means::Clauses(name) => {
            bail!("{what} do not support the constraint \"{name}\", which needs clauses: use `hamcnf solve --number N`")
        }
        Means::Graph if !instance.is_directed() => Ok(asked.clone()),
        _ => Ok(asked.undirected()?),
    }
}

/// Returns the kind of a constraint that cannot be combined with a symmetry, if the tours have both.
fn beside_symmetry(instance: &Instance) -> Option<&'static str> {
    let constraints = instance.constraints();
    let first = constraints.iter().position(|constraint| constraint.symmetry().is_some())?;
    let (before, rest) = constraints.split_at(first);
    let mut others = before.iter().chain(&rest[1..]);
    let other = others.find(|other| other.forced().is_none_or(|forced| !forced.is_empty()))?;
    Some(other.name())
}

/// Returns a description of tours with these endpoints. `one` is true if there is only one tour.
pub(crate) fn tours_between(instance: &Instance, ends: Endpoints, one: bool) -> String {
    let tours = if one { "tour" } else { "tours" };
    let name = |end| instance.vertex_name(end);
    match ends {
        Endpoints::Closed => format!("closed {tours}"),
        Endpoints::Open { from, to } => {
            let any = || format!("any {}", vertex_word(instance));
            let to = to.map_or_else(String::new, |to| format!(" to {}", name(to)));
            format!("open {tours} from {}{to}", from.map_or_else(any, name))
        }
    }
}

/// A limit on memory.
#[derive(clap::Args)]
pub(crate) struct Memory {
    /// Limit on the memory for states and nodes: bytes, or a number with a unit such as 500MB or 2G. Exact counts leave
    /// a quarter of it to the allocator [default: three quarters of the free memory]
    #[arg(long, value_name = "BYTES")]
    memory_limit: Option<Bytes>,
}

impl Memory {
    /// Returns the limit in bytes; `None` if the option is not given.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.memory_limit.map(|limit| limit.0)
    }

    /// Returns the number of bytes that may be used: the limit or, if no limit is given, three quarters of the free
    /// memory.
    pub(crate) fn bytes(&self) -> u64 {
        let most = || available_memory().map_or(u64::MAX, |free| free / 4 * 3);
        self.memory_limit.map_or_else(most, |limit| limit.0)
    }
}

/// Parser for counting methods. Help and error messages list the methods.
#[derive(Clone)]
pub(crate) struct CountingParser;

impl CountingParser {
    fn methods() -> impl Iterator<Item = Method> {
        method::all().into_iter().filter(Method::is_count)
    }
}

impl TypedValueParser for CountingParser {
    type Value = Method;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Method, clap::Error> {
        let text = value.to_string_lossy();
        let name = text.split(['+', ':']).next().unwrap_or_default();
        if !Self::methods().any(|known| known.name() == name) {
            let names = Self::methods().map(|known| known.name().to_owned());
            PossibleValuesParser::new(names).parse_ref(command, arg, OsStr::new(name))?;
        }
        let parser = StringValueParser::new().try_map(|text| text.parse::<Method>());
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let names = Self::methods();
        let names = names.map(|method| PossibleValue::new(method.name().to_owned()));
        Some(Box::new(names))
    }
}

/// Parser for encodings. Help and error messages list the bases.
#[derive(Clone)]
pub(crate) struct EncodingParser;

impl TypedValueParser for EncodingParser {
    type Value = Encoding;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Encoding, clap::Error> {
        let text = value.to_string_lossy();
        let base = text.split(['+', '=']).next().unwrap_or_default();
        if !encoding::bases().iter().any(|known| known.name == base) {
            let names = encoding::bases().into_iter().map(|known| known.name);
            PossibleValuesParser::new(names).parse_ref(command, arg, OsStr::new(base))?;
        }
        let parser = StringValueParser::new().try_map(|text| text.parse::<Encoding>());
        parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let bases = encoding::bases().into_iter();
        Some(Box::new(bases.map(|base| PossibleValue::new(base.name))))
    }
}

const ORIENTATION: &str = "orientation";

/// Refinements of an encoding that separate options can set.
#[derive(clap::Args)]
pub(crate) struct Variant {
    /// Exclusion of positions by distance from the start; sets the refinement "windows" [default: depends on the
    /// encoding]
    #[arg(long, value_parser = named::<Pruning>())]
    pruning: Option<Pruning>,
    /// Encoding of at-most-one constraints; sets the refinement "at-most-one" [default: pairwise]
    #[arg(long, value_name = "ENCODING", value_parser = named::<AtMostOne>())]
    pub(crate) at_most_one: Option<AtMostOne>,
    /// Directions of each closed tour that have models: both ("free") or only one ("fixed"); sets the
    /// refinement "orientation" [default: "free"; for the encoding "counting", "fixed"]
    #[arg(long, value_parser = named::<Orientation>())]
    orientation: Option<Orientation>,
}

impl Variant {
    /// Returns the encoding with the refinements of these options, for an instance.
    pub(crate) fn of(&self, encoding: &Encoding, instance: &Instance) -> anyhow::Result<Encoding> {
        if self.orientation.is_some() && instance.kind() == TourKind::Open {
            bail!("--orientation is for closed tours: an open tour has one direction, from the start");
        }
        let base: Option<Encoding> = encoding.base().parse().ok();
        let of_base = base.and_then(|base| base.value_of(ORIENTATION));
        let said = encoding.value_of(ORIENTATION);
        if instance.kind() == TourKind::Open && said.is_some() && said != of_base {
            warn_once(&format!(
                "{encoding}: {ORIENTATION} has no effect on open tours: they have one direction, from the start"
            ));
        }
        let refinements = [
            self.pruning.map(|pruning| format!("windows={pruning}")),
            self.at_most_one.map(|how| format!("at-most-one={how}")),
            self.orientation.map(|o| format!("orientation={o}")),
        ];
        let published: Encoding = encoding.base().parse().unwrap_or_else(|_| encoding.clone());
        let mut refined = encoding.clone();
        for word in refinements.iter().flatten() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let said = encoding.value_of(name).filter(|v| published.value_of(name).as_ref() != Some(v));
            if let Some(said) = said.filter(|said| said != value) {
                bail!(
                    "encoding \"{encoding}\" sets {name}={said}, but an option sets {name}={value}: remove one of the two settings"
                );
            }
            refined = refined.with(word)?;
        }
        Ok(refined)
    }

    /// Returns the name of the first of these options that the user gave; `None` if the user gave none.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (self.pruning.is_some(), "--pruning"),
            (self.at_most_one.is_some(), "--at-most-one"),
            (self.orientation.is_some(), "--orientation"),
        ];
        let given = options.into_iter().find(|(is, _)| *is);
        given.map(|(_, option)| option)
    }
}

/// One encoding with its options.
#[derive(clap::Args)]
pub(crate) struct Encoded {
    /// Encoding, optionally with refinements, such as binary or successor+parity (see `hamcnf encodings`)
    #[arg(long, short, default_value = defaults::PUBLISHED, value_parser = EncodingParser, add = complete::encodings())]
    encoding: Encoding,
    #[command(flatten)]
    pub(crate) variant: Variant,
}

impl Encoded {
    pub(crate) fn of(&self, instance: &Instance) -> anyhow::Result<Encoding> {
        self.variant.of(&self.encoding, instance)
    }
}
