//! The arguments that most commands share: what is asked, and how it is encoded.

use anyhow::bail;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hamcnf::count::Start;
use hamcnf::count::frontier::Bytes;
use hamcnf::harness::machine::available_memory;
use hamcnf::harness::place::Place;
use hamcnf::{
    AtMostOne, Board, Encoding, EncodingName, Instance, Leaper, Named, Options, Orientation,
    Pruning, TourKind,
};

use super::number::MustBe;

/// A parser of one of a type's names, which help and error messages list.
pub(crate) fn named<T: Named + Send + Sync>() -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(T::ALL.iter().map(|choice| choice.as_str()))
        .try_map(|name| name.parse())
}

/// A limit on time.
pub(crate) fn seconds(text: &str) -> Result<f64, MustBe> {
    match text.parse::<f64>() {
        Ok(value) if value > 0.0 && value < 1e9 => Ok(value),
        _ => Err(MustBe(
            "a positive number of seconds, less than a billion".to_owned(),
        )),
    }
}

/// Which tours of which board or graph.
#[derive(clap::Args)]
pub(crate) struct Question {
    /// A board, ROWSxCOLUMNS such as 8x8, or a file with a graph: DIMACS edges, TSPLIB's HCP, or a list of edges
    #[arg(value_name = "BOARD|GRAPH")]
    place: Place,
    #[command(flatten)]
    tours: Tours,
}

/// Which tours.
#[derive(clap::Args)]
pub(crate) struct Tours {
    /// Open tours: paths from the start to any square or vertex, instead of closed ones
    #[arg(long)]
    open: bool,
    /// The start: a square such as a1 (the top left corner) or its number from 0; of a graph, a vertex's number
    /// from 1 [default: the first]
    #[arg(long, value_name = "START", allow_hyphen_values = true)]
    start: Option<String>,
}

impl Tours {
    /// Those of this kind, from this start.
    pub(crate) fn new(kind: TourKind, start: &str) -> Self {
        Self {
            open: kind == TourKind::Open,
            start: Some(start.to_owned()),
        }
    }

    /// These tours there.
    pub(crate) fn on(&self, place: &Place) -> anyhow::Result<Instance> {
        let kind = if self.open {
            TourKind::Open
        } else {
            TourKind::Closed
        };
        Ok(place.instance(kind, self.start.as_deref())?)
    }
}

/// What vertices of an instance are called.
pub(crate) fn vertex_word(instance: &Instance) -> &'static str {
    match instance.board() {
        Some(_) => "square",
        None => "vertex",
    }
}

impl Question {
    pub(crate) fn instance(&self) -> anyhow::Result<Instance> {
        self.tours.on(&self.place)
    }

    /// The question for another piece.
    pub(crate) fn for_piece(&self, piece: &Piece) -> anyhow::Result<Instance> {
        match &self.place {
            Place::Board(board) => {
                let (rows, cols) = (board.rows(), board.cols());
                let leaper = piece.leaper.unwrap_or(Leaper::KNIGHT);
                let board = Board::new(rows.into(), cols.into(), leaper)?;
                self.tours.on(&Place::Board(board))
            }
            Place::Graph(file) if piece.leaper.is_some() => {
                bail!("--leaper is for boards, and {} is not one", file.display())
            }
            Place::Graph(_) => self.instance(),
        }
    }
}

/// The piece that moves.
#[derive(clap::Args)]
pub(crate) struct Piece {
    /// The piece: a leaper that jumps A squares one way and B the other, the knight being 1,2 [default: 1,2]
    #[arg(long, value_name = "A,B", allow_hyphen_values = true)]
    leaper: Option<Leaper>,
}

/// Tours that are counted or drawn: open ones from everywhere, unless a start is given.
#[derive(clap::Args)]
pub(crate) struct Counted {
    /// A board, ROWSxCOLUMNS such as 8x8, or a file with a graph: DIMACS edges, TSPLIB's HCP, or a list of edges
    #[arg(value_name = "BOARD|GRAPH")]
    place: Place,
    /// Open tours: paths from the start to any square or vertex, instead of closed ones
    #[arg(long)]
    open: bool,
    /// The start: a square such as a1 (the top left corner) or its number from 0; of a graph, a vertex's number
    /// from 1. Closed tours are the same from any [default for open tours: everywhere]
    #[arg(long, value_name = "START", allow_hyphen_values = true)]
    start: Option<String>,
}

impl Counted {
    pub(crate) fn instance(&self) -> anyhow::Result<(Instance, Start)> {
        let tours = Tours {
            open: self.open,
            start: self.start.clone(),
        };
        let start = match self.start {
            None if self.open => Start::Anywhere,
            _ => Start::Given,
        };
        Ok((tours.on(&self.place)?, start))
    }
}

/// A limit on memory.
#[derive(clap::Args)]
pub(crate) struct Memory {
    /// Memory for states and nodes, such as 500M or 2G [default: three quarters of what is free]
    #[arg(long, value_name = "BYTES")]
    memory_limit: Option<Bytes>,
}

impl Memory {
    /// Bytes, if there is a limit.
    pub(crate) fn limit(&self) -> Option<u64> {
        self.memory_limit.map(|limit| limit.0)
    }

    /// Bytes that may be used: as asked for, or most of what is free.
    pub(crate) fn bytes(&self) -> u64 {
        let most = || available_memory().map_or(u64::MAX, |free| free / 4 * 3);
        self.memory_limit.map_or_else(most, |limit| limit.0)
    }
}

/// How an encoding is varied.
#[derive(clap::Args)]
pub(crate) struct Variant {
    /// Pruning of positions by shortest paths [default: as in the paper's Table 1]
    #[arg(long, value_parser = named::<Pruning>())]
    pruning: Option<Pruning>,
    /// How at-most-one constraints become clauses
    #[arg(long, value_name = "ENCODING", default_value = "pairwise", value_parser = named::<AtMostOne>())]
    at_most_one: AtMostOne,
    /// Whether closed tours have models in both directions or in one of them [default: free; fixed for counting]
    #[arg(long, value_parser = named::<Orientation>())]
    orientation: Option<Orientation>,
}

impl Variant {
    /// This encoding with these options, for an instance.
    pub(crate) fn of(&self, name: EncodingName, instance: &Instance) -> anyhow::Result<Encoding> {
        if self.orientation.is_some() && instance.kind() == TourKind::Open {
            bail!(
                "--orientation is for closed tours: open ones have one direction, from the start"
            );
        }
        let published = Encoding::published(name).options;
        let options = Options {
            pruning: self.pruning.unwrap_or(published.pruning),
            at_most_one: self.at_most_one,
            orientation: self.orientation.unwrap_or(published.orientation),
        };
        Ok(Encoding { name, options })
    }

    /// The first of these options that is given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let options = [
            (self.pruning.is_some(), "--pruning"),
            (self.at_most_one != AtMostOne::Pairwise, "--at-most-one"),
            (self.orientation.is_some(), "--orientation"),
        ];
        let given = options.into_iter().find(|(is, _)| *is);
        given.map(|(_, option)| option)
    }
}

/// One encoding with its options.
#[derive(clap::Args)]
pub(crate) struct Encoded {
    /// The encoding
    #[arg(long, short, default_value = "binary", value_parser = named::<EncodingName>())]
    encoding: EncodingName,
    #[command(flatten)]
    variant: Variant,
}

impl Encoded {
    pub(crate) fn of(&self, instance: &Instance) -> anyhow::Result<Encoding> {
        self.variant.of(self.encoding, instance)
    }
}
