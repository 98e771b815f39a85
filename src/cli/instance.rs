//! Arguments that most commands share: the question and its encoding.

use std::convert::Infallible;
use std::error::Error;
use std::ffi::OsStr;
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::bail;
use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{Arg, Command};
use hamcnf::constraint::Means;
use hamcnf::endpoints::Endpoints;
use hamcnf::formats::{Directedness, Format, Reading, Remark};
use hamcnf::method::{self, Method};
use hamcnf::question::{self, Files, GraphSource, GraphSourceError, GraphText, QuestionError, QuestionSpec, StartSpec};
use hamcnf::{
    AtMostOne, Encoding, Instance, Named, Orientation, Piece, Pruning, Queens, Ranks, TourKind, encoding, relabel,
};

use super::ask::Loaded;
use super::complete;
use super::constraints::Constraints;
use super::number::whole;
use super::warn_once;

/// Returns a parser for the names of the values of `T`. Help and error messages list the names.
pub(crate) fn named<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::ALL.iter().map(|choice| choice.as_str())).try_map(|name| name.parse())
}

/// Returns a parser for the names of graph formats.
pub(crate) fn format() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::all().into_iter().map(|format| format.name)).try_map(|name| name.parse())
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
    Ok(match question::queens_in(text) {
        Some(queens) => Spec::Queens(queens?),
        None => Spec::Tours(question_spec(text)?),
    })
}

/// Parses a board, a graph, or a complete question. A missing file counts as an error in the command line.
pub(crate) fn question_spec(text: &str) -> Result<QuestionSpec, GraphSourceError> {
    QuestionSpec::settled(text, &Files::default())
}

/// Argument that names a board or a graph. If there are several arguments, an error in one of them does not end the
/// command.
#[derive(Clone)]
pub(crate) struct Word {
    pub(crate) text: String,
    pub(crate) spec: Result<QuestionSpec, Arc<GraphSourceError>>,
}

impl FromStr for Word {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(Self { text: text.to_owned(), spec: question_spec(text).map_err(Arc::new) })
    }
}

/// Returns the help text about boards and graphs, for commands with questions about placements of queens.
fn places_and_queens() -> String {
    places().replace(
        "\n- a puzzle",
        "\n- queens: '8 queens', placements of queens that do not attack each other\n\
         - a model with a circuit: a DIMACS file with lines such as \"c arc A B LITERAL\" (encode, solve and decode)\n- a puzzle",
    )
}

/// Returns the help text about boards and graphs.
pub(crate) fn places() -> String {
    format!(
        "A board, a graph or a complete question:\n\
         - a board: 8x8, 8x8-a1-h8 (8x8 with a1 and h8 removed), or king:8x8 for another piece\n\
         - a graph file: graph.col, graph.col.gz, - for standard input, edges:FILE to choose a format, FILE#3 for the third graph of a file\n\
         - a graph of a family: cubic:60:7 or 'cubic 60 7', optionally followed by +planted, +no-cycle or +{}=SEED\n\
         - a question: '8x8 open from c3'\n\
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
    #[arg(long, value_name = "N", value_parser = whole(1..=u32::MAX))]
    graph_number: Option<u32>,
    /// Read arcs as undirected edges; FILE+undirected does the same
    #[arg(long, conflicts_with = "arcs")]
    undirected: bool,
    /// Read edges as arcs from the vertex that is named first; FILE+arcs does the same
    #[arg(long)]
    arcs: bool,
    /// Accept integer weights in the third column of an edge list, and all distances of a TSP of TSPLIB; FILE+weights does
    /// the same. Only --minimize and --max-cost of `hamcnf encode` use the weights
    #[arg(long)]
    weights: bool,
}

/// Returns the help text of `--graph-format`.
fn format_help() -> String {
    let names: Vec<_> = Format::all().into_iter().map(|format| format.name).collect();
    format!(
        "Format of the graph file: {} [default: detected from the text, else from the ending of the file name]",
        names.join(", ")
    )
}

impl GraphFormat {
    /// Returns the question specification, with these options applied to its graph source.
    pub(crate) fn of(&self, spec: &QuestionSpec) -> anyhow::Result<QuestionSpec> {
        let mut spec = spec.clone();
        if self.reading() != Reading::default() {
            spec.source = spec.source.read_with(self.reading(), &Files::default())?;
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
}

/// The seed of a graph.
#[derive(clap::Args)]
pub(crate) struct Seed {
    /// Seed of a random graph whose name has no seed, such as 'gnp 30 .2' [default: 0]
    #[arg(long, value_name = "SEED", value_parser = whole(0..=u32::MAX))]
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
pub(crate) struct QuestionArgs {
    #[arg(value_name = "BOARD|GRAPH", value_parser = spec, add = complete::places(), help = places_and_queens())]
    spec: Spec,
    #[command(flatten)]
    pub(crate) options: QuestionOptions,
}

impl QuestionArgs {
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
            Spec::Tours(spec) => self.options.format.of(spec),
            Spec::Queens(queens) => bail!("\"{queens}\" asks for placements of queens, not for tours"),
        }
    }

    /// Loads the question.
    pub(crate) fn asked(&self) -> anyhow::Result<question::Tours> {
        self.options.load(self.spec()?, &Files::default())
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

/// The kind of tours, and their ends. These options complete the text of a question, and must not contradict it.
#[derive(Clone, clap::Args)]
pub(crate) struct Ends {
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
}

impl Ends {
    /// Adds what the options say to a question.
    pub(crate) fn complete(&self, spec: &mut QuestionSpec) -> anyhow::Result<()> {
        let text = spec.to_string();
        let start = self.start.as_deref().map(StartSpec::from);
        let open = self.open.then_some(TourKind::Open);
        add(&text, &mut spec.start, start, "starts at", "--start is")?;
        add(&text, &mut spec.end, self.to.clone(), "ends at", "--to is")?;
        add(&text, &mut spec.kind, open, "asks for tours that are", "--open makes them")
    }
}

/// Options that say what the text of a question can say too.
#[derive(Clone, clap::Args)]
pub(crate) struct QuestionOptions {
    #[command(flatten)]
    pub(crate) format: GraphFormat,
    #[command(flatten)]
    ends: Ends,
    #[command(flatten)]
    pub(crate) board: BoardOptions,
    #[command(flatten)]
    constraints: Constraints,
}

impl QuestionOptions {
    /// Loads a question like [`load`](Self::load), within a limit on wall time.
    pub(crate) fn load_within(
        &self,
        wall: Option<Duration>,
        spec: QuestionSpec,
        files: &Arc<Files>,
    ) -> anyhow::Result<Loaded> {
        let (options, files) = (self.clone(), Arc::clone(files));
        Loaded::within(wall, spec, move |spec| options.load(spec, &files))
    }

    /// Loads the question that a specification and these options describe.
    pub(crate) fn load(&self, mut spec: QuestionSpec, files: &Files) -> anyhow::Result<question::Tours> {
        self.ends.complete(&mut spec)?;
        spec.source = self.board.on(&spec.source)?;
        let own = spec.constraints.len();
        let (constraints, places): (Vec<_>, Vec<_>) = self.constraints.all()?.into_iter().unzip();
        spec.constraints.extend(constraints);
        let tours = spec.load(files).map_err(|error| {
            let index = match &error {
                QuestionError::Constraint { wrong, .. } => wrong.index.and_then(|index| index.checked_sub(own)),
                _ => None,
            };
            match index.and_then(|index| places.get(index).cloned().flatten()) {
                Some(place) => anyhow::Error::new(error).context(place),
                None => error.into(),
            }
        })?;
        if let Some(text) = tours.source().place() {
            warn_of(text, tours.remarks());
        }
        Ok(tours)
    }
}

/// Adds what an option says to a part of a question, or returns the error that the question's text contradicts it.
fn add<T: PartialEq + fmt::Display>(
    text: &str,
    part: &mut Option<T>,
    option: Option<T>,
    of_text: &str,
    of_option: &str,
) -> anyhow::Result<()> {
    match (&part, option) {
        (Some(said), Some(option)) if *said != option => {
            bail!("\"{text}\" {of_text} {said}, but {of_option} {option}: remove one of the two")
        }
        (None, option) => *part = option,
        _ => {}
    }
    Ok(())
}

/// Warns about unusual properties of a graph file, once per file.
pub(crate) fn warn_of(text: &GraphText, remarks: &[Remark]) {
    let number = text.reading.number.map(|number| format!("#{number}")).unwrap_or_default();
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

/// The piece that moves, and the names of squares.
#[derive(Clone, Default, clap::Args)]
pub(crate) struct BoardOptions {
    /// Piece: a name such as king (see `hamcnf help graphs`), or the lengths of its jumps, such as 2,3 or 1,2+1,4
    /// [default: knight]
    #[arg(long, alias = "leaper", value_name = "PIECE", add = complete::pieces(), allow_hyphen_values = true)]
    pub(crate) piece: Option<Piece>,
    /// Direction in which rows are numbered: down from the top (a1 is top left), or up from the bottom as in chess (a1
    /// is bottom left). ranks=up:8x8 is the same as 8x8 --ranks up [default: down]
    #[arg(long, value_name = "DIRECTION", value_parser = named::<Ranks>())]
    pub(crate) ranks: Option<Ranks>,
}

impl BoardOptions {
    /// Returns the graph source with the piece and the numbering of ranks that the options select. Squares that are
    /// removed from the board keep the names that the user typed.
    pub(crate) fn on(&self, source: &GraphSource) -> anyhow::Result<GraphSource> {
        let board = match source {
            GraphSource::Board(board) => board,
            GraphSource::Relabelled { source, seed } => {
                return Ok(GraphSource::Relabelled { source: Box::new(self.on(source)?), seed: *seed });
            }
            // A range of boards is split into boards first. Then the options apply to each board.
            GraphSource::Boards(_) => return Ok(source.clone()),
            GraphSource::Graph(_) | GraphSource::Family(_) | GraphSource::Given(_) => {
                let option = self.piece.map(|_| "--piece").or(self.ranks.map(|_| "--ranks"));
                return match option {
                    Some(option) => bail!("{option} is for boards, but \"{source}\" is a graph"),
                    None => Ok(source.clone()),
                };
            }
        };
        let mut chosen = board.clone();
        if let Some(piece) = self.piece {
            // A knight may be merely the default piece of the board, so the option may replace it.
            if ![Piece::KNIGHT, piece].contains(&board.board().piece()) {
                bail!(
                    "\"{board}\" already names a piece, but --piece is the {piece}: remove --piece, or remove the piece from the board"
                );
            }
            chosen = chosen.with(piece)?;
        }
        if let Some(ranks) = self.ranks {
            if board.board().ranks() == Ranks::Up && ranks == Ranks::Down {
                bail!(
                    "\"{board}\" numbers its ranks upwards, but --ranks is {ranks}: remove --ranks, or remove \"ranks=up:\""
                );
            }
            chosen = chosen.read_with(ranks);
        }
        Ok(GraphSource::Board(chosen))
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

/// Parser for texts that begin with a listed name, such as methods and encodings. Help and error messages list the names.
#[derive(Clone)]
pub(crate) struct ListParser<T> {
    names: fn() -> Vec<String>,
    parse: fn(&str) -> Result<T, Box<dyn Error + Send + Sync>>,
}

/// Returns a parser for counting methods.
pub(crate) fn counting_method() -> ListParser<Method> {
    let names = || method::all().into_iter().filter(Method::is_count).map(|method| method.name().to_owned()).collect();
    ListParser { names, parse: |text| Ok(text.parse()?) }
}

/// Returns a parser for encodings.
pub(crate) fn encoding() -> ListParser<Encoding> {
    let names = || encoding::bases().into_iter().map(|base| base.name.to_owned()).collect();
    ListParser { names, parse: |text| Ok(text.parse()?) }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for ListParser<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        let text = value.to_string_lossy();
        let name = text.split(['+', ':', '=']).next().unwrap_or_default();
        let names = (self.names)();
        if !names.iter().any(|known| known == name) {
            PossibleValuesParser::new(names).parse_ref(command, arg, OsStr::new(name))?;
        }
        let parse = self.parse;
        StringValueParser::new().try_map(move |text| parse(&text)).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
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
    #[arg(long, alias = "amo", value_name = "ENCODING", value_parser = named::<AtMostOne>())]
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
}
