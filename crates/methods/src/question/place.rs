//! Where tours are sought: on a board, in a graph of a family, or in one that stands in a file or comes on standard
//! input; by the same words on the command line, in experiment files and in rows. Behind each of them `+relabel=SEED`
//! puts the vertices into a random order.

use std::fmt;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use hamcnf_encodings::families::Family;
use hamcnf_encodings::formats::{Format, FormatError, Listed, Reading, Remark, Wrong};
use hamcnf_encodings::relabel::{RELABEL, relabelled};
use hamcnf_encodings::{
    BoardError, FamilyError, Graph, HoledBoard, Instance, InstanceError, TourKind, Vertex,
    VertexNames,
};

use super::source::{Source, SourceError};

/// A board, or a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A board with its piece, and perhaps holes.
    Board(HoledBoard),
    /// A graph of a family.
    Family(Family),
    /// The graph in a file or on standard input.
    Graph(GraphText),
    /// The graph of one of these, its vertices in a random order: of a board the graph of its moves.
    Relabelled {
        /// Which.
        place: Box<Place>,
        /// What selects the order.
        seed: u32,
    },
    /// A graph that a program has in memory.
    Given(GivenGraph),
}

/// A graph that a program has in memory. Its name is for people: no text is read as it, and so no other process can be asked
/// about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenGraph {
    /// What it is called in messages and records.
    pub name: String,
    /// The graph.
    pub graph: Arc<Graph>,
    /// What its vertices are called.
    pub names: VertexNames,
}

/// A text with a graph: `FILE`, `-` for standard input, or one of them behind its format, as in `edges:graph.txt`. Behind it
/// may stand the number of a graph in a file of several, from 1, and how arcs and weights are taken:
/// `graph6:graphs.g6#3+undirected`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GraphText {
    /// Where it is.
    pub source: Source,
    /// Choices for reading it.
    pub reading: Reading,
}

/// The graph of a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// It.
    pub graph: Graph,
    /// The format that it was read in, if it stands in a text.
    pub format: Option<Format>,
    /// What its vertices are called.
    pub names: VertexNames,
    /// What is odd about the text, by the names there.
    pub remark: Option<Remark>,
}

/// A place that can be looked up again: not standard input or a pipe, which are gone then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LastingPlace(pub Place);

/// Why there is no such place, or no such instance there.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// A file that programs would take for an option.
    #[error("'{0}' begins with a dash: write './{0}'")]
    Dash(String),
    /// It names neither a board nor a file.
    #[error("'{0}' is neither a board, ROWSxCOLUMNS such as 8x8, nor a file with a graph{hint}", hint = hint(.0))]
    Neither(String),
    /// There is no such board, or no such square on it.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// There is no such graph of a family.
    #[error(transparent)]
    Family(#[from] FamilyError),
    /// The text could not be had.
    #[error("cannot read {text}: {error}")]
    Read {
        /// Which.
        text: Source,
        /// Why.
        error: SourceError,
    },
    /// The text has no graph that we can read.
    #[error("cannot read {text}: {error}{}", choice(.error))]
    Format {
        /// Which.
        text: Source,
        /// What is wrong with it.
        error: FormatError,
    },
    /// A format for a board.
    #[error("a graph format is for graphs, and {0} is a board: './{0}' is the file of that name")]
    FormatOfBoard(HoledBoard),
    /// A format for a family's graph.
    #[error(
        "a graph format is for graphs in files, and {0} is not in one: './{0}' is the file of that name"
    )]
    FormatOfFamily(Family),
    /// A seed that is none.
    #[error(
        "'{place}' says '{seed}' behind {RELABEL}, which takes a whole number up to {}, as in 8x8+{RELABEL}=7",
        u32::MAX
    )]
    Relabel {
        /// The place.
        place: String,
        /// What should be a seed.
        seed: String,
    },
    /// A format for a graph that is in no file.
    #[error("a graph format is for graphs in files, and {0} is not in one")]
    FormatOfGiven(String),
    /// Another format than the place has.
    #[error("'{place}' says another format than {format}")]
    FormatTwice {
        /// The place.
        place: String,
        /// The format that was to be set.
        format: Format,
    },
    /// Another number of a graph than the place has.
    #[error("'{place}' says another graph of the file than {number}")]
    NumberTwice {
        /// The place.
        place: String,
        /// The number that was to be set.
        number: usize,
    },
    /// A way to read a file whose text form is another file's name.
    #[error("'{0}' is the name of another file: rename that file")]
    OtherFile(String),
    /// Standard input or a pipe, where it would be read again.
    #[error("'{0}' is standard input or a pipe, which cannot be read again: name a file")]
    NotLasting(String),
    /// The graph does not have the start.
    #[error("'{start}' is not a vertex of {text}: {known}")]
    Start {
        /// Which file, or graph of a family.
        text: String,
        /// The word that should be a vertex.
        start: String,
        /// How they are called.
        known: String,
    },
    /// The board or graph has no instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

/// What may be meant, in words.
fn hint(text: &str) -> String {
    let meant = super::meant(text).map(|meant| format!(": did you mean '{meant}'?"));
    meant.unwrap_or_default()
}

/// Advice for a text that cannot be read without a choice.
fn choice(error: &FormatError) -> String {
    let formats = match &error.wrong {
        Wrong::Unclear { .. } => &[Format::EDGES, Format::EDGES_HEADER][..],
        Wrong::Neighbours { .. } => &[Format::EDGES_HEADER, Format::METIS],
        Wrong::Formats(formats) => formats,
        Wrong::Several(_) => {
            return ": choose one by its number, --graph-number 1 or '#1' behind the file's name"
                .to_owned();
        }
        Wrong::Directed { .. } => {
            return "; --undirected reads its arcs as undirected edges".to_owned();
        }
        Wrong::Weight(_) => {
            return ", or pass --weights to say that the third column is a weight".to_owned();
        }
        _ => return String::new(),
    };
    let options: Vec<_> = formats
        .iter()
        .map(|format| format!("--graph-format {format}"))
        .collect();
    format!(": choose with {}", options.join(" or "))
}

impl Place {
    /// Tours of this kind there. The start is a square's name or number, of a graph a vertex's number as in the
    /// file; the first where left out.
    ///
    /// # Errors
    ///
    /// A [`PlaceError`] that names the file, the start or the board.
    pub fn instance(&self, kind: TourKind, start: Option<&str>) -> Result<Instance, PlaceError> {
        Ok(self.question(kind, start)?.0)
    }

    /// The same, with what is odd about a graph in a text.
    ///
    /// # Errors
    ///
    /// As [`instance`](Self::instance).
    pub fn question(
        &self,
        kind: TourKind,
        start: Option<&str>,
    ) -> Result<(Instance, Option<Remark>), PlaceError> {
        match self {
            Self::Board(board) => {
                let start = start.map(|start| board.vertex_named(start)).transpose()?;
                let start = start.unwrap_or(Vertex::new(0));
                Ok((Instance::on_holed(board.clone(), kind, start)?, None))
            }
            Self::Family(family) => {
                let graph = family.graph().clone();
                let start = vertex(family, graph.n_vertices(), &VertexNames::default(), start)?;
                let instance = Instance::on_graph(self.to_string(), graph, kind, start)?;
                Ok((instance, None))
            }
            Self::Graph(text) => {
                let listed = text.read()?;
                let n = listed.graph.n_vertices();
                let start = vertex(&text.source, n, &listed.names, start)?;
                let instance = Instance::on_graph(self.to_string(), listed.graph, kind, start)?;
                Ok((instance.called(listed.names), listed.remark))
            }
            Self::Relabelled { .. } => {
                let Found {
                    graph,
                    names,
                    remark,
                    ..
                } = self.found()?;
                let start = vertex(self, graph.n_vertices(), &names, start)?;
                let instance = Instance::on_graph(self.to_string(), graph, kind, start)?;
                Ok((instance.called(names), remark))
            }
            Self::Given(GivenGraph { name, graph, names }) => {
                let start = vertex(name, graph.n_vertices(), names, start)?;
                let graph = Graph::clone(graph);
                let instance = Instance::on_graph(name.clone(), graph, kind, start)?;
                Ok((instance.called(names.clone()), None))
            }
        }
    }

    /// A vertex there, by its name.
    ///
    /// # Errors
    ///
    /// [`PlaceError`].
    pub fn vertex(&self, instance: &Instance, name: &str) -> Result<Vertex, PlaceError> {
        match self {
            Self::Board(board) => Ok(board.vertex_named(name)?),
            Self::Family(_) | Self::Graph(_) | Self::Given(_) | Self::Relabelled { .. } => {
                vertex(self, instance.n(), instance.vertex_names(), Some(name))
            }
        }
    }

    /// Adds choices for reading its graph.
    ///
    /// # Errors
    ///
    /// [`PlaceError`], for a board, and for a graph that has another format or number already.
    pub fn read_with(self, reading: Reading) -> Result<Self, PlaceError> {
        match self {
            Self::Board(board) => Err(PlaceError::FormatOfBoard(board)),
            Self::Family(family) => Err(PlaceError::FormatOfFamily(family)),
            Self::Graph(text) => text.read_with(reading).map(Self::Graph),
            Self::Given(given) => Err(PlaceError::FormatOfGiven(given.name)),
            Self::Relabelled { place, seed } => Ok(Self::Relabelled {
                place: Box::new(place.read_with(reading)?),
                seed,
            }),
        }
    }

    /// Whether it can be looked up again: a board, or a file that is no pipe.
    #[must_use]
    pub fn is_lasting(&self) -> bool {
        match self {
            Self::Board(_) | Self::Family(_) => true,
            Self::Graph(text) => text.source.is_lasting(),
            Self::Given(_) => false,
            Self::Relabelled { place, .. } => place.is_lasting(),
        }
    }

    /// The text that its graph stands in, if it does.
    #[must_use]
    pub fn text(&self) -> Option<&GraphText> {
        match self {
            Self::Board(_) | Self::Family(_) | Self::Given(_) => None,
            Self::Graph(text) => Some(text),
            Self::Relabelled { place, .. } => place.text(),
        }
    }

    /// The random graph that its word names no seed for, with this seed.
    ///
    /// # Errors
    ///
    /// [`PlaceError`], where it has a seed or is none.
    pub fn with_seed(self, seed: u32) -> Result<Self, PlaceError> {
        match self {
            Self::Family(family) => Ok(Self::Family(family.with_seed(seed)?)),
            Self::Relabelled { place, seed: order } => Ok(Self::Relabelled {
                place: Box::new(place.with_seed(seed)?),
                seed: order,
            }),
            Self::Board(_) | Self::Graph(_) | Self::Given(_) => Err(FamilyError::Seed {
                word: self.to_string(),
                seeded: false,
            }
            .into()),
        }
    }

    /// The graph, and how it was read.
    ///
    /// # Errors
    ///
    /// A [`PlaceError`] that names the file.
    pub fn found(&self) -> Result<Found, PlaceError> {
        let made = |graph| Found {
            graph,
            format: None,
            names: VertexNames::default(),
            remark: None,
        };
        match self {
            Self::Board(board) => Ok(made(board.graph())),
            Self::Family(family) => Ok(made(family.graph().clone())),
            Self::Graph(text) => {
                let listed = text.read()?;
                Ok(Found {
                    graph: listed.graph,
                    format: Some(listed.format),
                    names: listed.names,
                    remark: listed.remark,
                })
            }
            Self::Given(given) => Ok(Found {
                names: given.names.clone(),
                ..made(Graph::clone(&given.graph))
            }),
            Self::Relabelled { place, seed } => {
                let found = place.found()?;
                let graph = relabelled(&found.graph, *seed);
                // What was called by a word is another vertex now, and has a number.
                let names = found.names.numbering().into();
                Ok(Found {
                    graph,
                    names,
                    ..found
                })
            }
        }
    }

    /// Whether it is read from standard input.
    #[must_use]
    pub fn is_standard_input(&self) -> bool {
        match self {
            Self::Board(_) | Self::Family(_) | Self::Given(_) => false,
            Self::Graph(text) => text.source == Source::StandardInput,
            Self::Relabelled { place, .. } => place.is_standard_input(),
        }
    }
}

/// Stands before the number of a graph.
const NUMBER: char = '#';
/// Says behind a file that its arcs are undirected edges.
const UNDIRECTED: &str = "+undirected";
/// Says behind a file that its third column is a weight.
const WEIGHTS: &str = "+weights";

impl GraphText {
    /// The text of a graph in DIMACS's format on standard input.
    pub const DIMACS_ON_STANDARD_INPUT: Self = Self {
        source: Source::StandardInput,
        reading: Reading {
            format: Some(Format::DIMACS),
            number: None,
            undirected: false,
            weights: false,
        },
    };

    /// Adds choices for reading it.
    fn read_with(self, reading: Reading) -> Result<Self, PlaceError> {
        let before = self.reading;
        if let (Some(known), Some(format)) = (before.format, reading.format)
            && known != format
        {
            let place = self.to_string();
            return Err(PlaceError::FormatTwice { place, format });
        }
        if let (Some(known), Some(number)) = (before.number, reading.number)
            && known != number
        {
            let place = self.to_string();
            return Err(PlaceError::NumberTwice { place, number });
        }
        let reading = Reading {
            format: reading.format.or(before.format),
            number: reading.number.or(before.number),
            undirected: reading.undirected || before.undirected,
            weights: reading.weights || before.weights,
        };
        let is_written = |text: &Self| {
            text.to_string()
                .parse()
                .is_ok_and(|read: Self| read == *text)
        };
        let same = Self {
            source: self.source.clone(),
            reading,
        };
        if same.reading == before || is_written(&same) {
            return Ok(same);
        }
        // Behind the format it is the name of another file, but not so with a folder before it.
        let in_folder = match self.source {
            Source::File(file) => Self {
                source: Source::File(Path::new(".").join(file)),
                reading,
            },
            Source::StandardInput => same,
        };
        match is_written(&in_folder) {
            true => Ok(in_folder),
            false => Err(PlaceError::OtherFile(in_folder.to_string())),
        }
    }

    /// The graph.
    ///
    /// # Errors
    ///
    /// A [`PlaceError`] that names the file.
    pub fn read(&self) -> Result<Listed, PlaceError> {
        let source = || self.source.clone();
        let text = self.source.text().map_err(|error| PlaceError::Read {
            text: source(),
            error,
        })?;
        let listed = match &self.source {
            Source::File(file) => self.reading.of_file(&text, file),
            Source::StandardInput => self.reading.of_text(&text),
        };
        listed.map_err(|error| PlaceError::Format {
            text: source(),
            error,
        })
    }

    /// The source of this name, if it is there.
    fn named(name: &str) -> Option<Source> {
        if name.starts_with('-') && name != "-" {
            return None;
        }
        Some(Source::named(Path::new(name))).filter(Source::is_there)
    }

    /// The source of this name, or of the name behind a format.
    fn of_format(text: &str, reading: &mut Reading) -> Option<Source> {
        if let Some(source) = Self::named(text) {
            return Some(source);
        }
        Format::all().into_iter().find_map(|format| {
            let name = text.strip_prefix(format.as_str())?.strip_prefix(':')?;
            let source = Self::named(name)?;
            reading.format = Some(format);
            Some(source)
        })
    }
}

/// The first vertex, or one by its name.
fn vertex(
    of: &dyn fmt::Display,
    n: u32,
    names: &VertexNames,
    start: Option<&str>,
) -> Result<Vertex, PlaceError> {
    let Some(start) = start else {
        return Ok(Vertex::new(0));
    };
    names.vertex(start, n).ok_or_else(|| PlaceError::Start {
        text: of.to_string(),
        start: start.to_owned(),
        known: names.said(n).to_string(),
    })
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        // A file may be called so.
        if let Some((rest, seed)) = without_relabel(text)
            && text.parse::<GraphText>().is_err()
        {
            let seed = seed.parse().map_err(|_| PlaceError::Relabel {
                place: text.to_owned(),
                seed: seed.to_owned(),
            })?;
            let place = Box::new(rest.parse()?);
            return Ok(Self::Relabelled { place, seed });
        }
        match text.parse() {
            Ok(board) => Ok(Self::Board(board)),
            // What exists as a file is that.
            Err(BoardError::Syntax(text))
                if Family::is_named(&text) && !Path::new(&text).exists() =>
            {
                Ok(Self::Family(text.parse()?))
            }
            Err(BoardError::Syntax(text)) => text.parse().map(Self::Graph),
            // `8x8-old.col` may be a file.
            Err(error) => match text.parse() {
                Ok(graph) if text.contains('-') => Ok(Self::Graph(graph)),
                _ => Err(error.into()),
            },
        }
    }
}

/// A text without its last `relabel`, behind a plus sign or a blank, and what stands behind that.
fn without_relabel(text: &str) -> Option<(String, &str)> {
    let (before, behind) = text.rsplit_once(RELABEL)?;
    let before = before.strip_suffix(['+', ' '])?.trim_end();
    let behind = behind.strip_prefix(['=', ' '])?;
    let end = behind.find(['+', ' ']).unwrap_or(behind.len());
    let (seed, rest) = behind.split_at(end);
    Some((format!("{before}{rest}"), seed))
}

impl FromStr for GraphText {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        // The whole may be a file's name.
        let mut reading = Reading::default();
        if let Some(source) = Self::named(text) {
            return Ok(Self { source, reading });
        }
        let mut name = text;
        loop {
            if let Some(source) = Self::of_format(name, &mut reading) {
                return Ok(Self { source, reading });
            }
            let number = |digits: &str| -> Option<usize> {
                let number: usize = digits.parse().ok()?;
                (number.to_string() == digits).then_some(number)
            };
            name = if let Some(before) = name.strip_suffix(UNDIRECTED) {
                reading.undirected = true;
                before
            } else if let Some(before) = name.strip_suffix(WEIGHTS) {
                reading.weights = true;
                before
            } else if let Some((before, digits)) = name.rsplit_once(NUMBER)
                && let Some(number) = number(digits).filter(|_| reading.number.is_none())
            {
                reading.number = Some(number);
                before
            } else {
                return Err(match text.starts_with('-') && text != "-" {
                    true => PlaceError::Dash(text.to_owned()),
                    false => PlaceError::Neither(text.to_owned()),
                });
            };
        }
    }
}

impl fmt::Display for GraphText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Reading {
            format,
            number,
            undirected,
            weights,
        } = self.reading;
        if let Some(format) = format {
            write!(f, "{format}:")?;
        }
        match &self.source {
            Source::File(file) => file.display().fmt(f)?,
            Source::StandardInput => f.write_str("-")?,
        }
        if let Some(number) = number {
            write!(f, "{NUMBER}{number}")?;
        }
        if undirected {
            f.write_str(UNDIRECTED)?;
        }
        if weights {
            f.write_str(WEIGHTS)?;
        }
        Ok(())
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(board) => board.fmt(f),
            Self::Family(family) => family.fmt(f),
            Self::Graph(text) => text.fmt(f),
            Self::Relabelled { place, seed } => write!(f, "{place}+{RELABEL}={seed}"),
            Self::Given(given) => given.name.fmt(f),
        }
    }
}

impl FromStr for LastingPlace {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let place: Place = text.parse()?;
        if !place.is_lasting() {
            return Err(PlaceError::NotLasting(text.to_owned()));
        }
        Ok(Self(place))
    }
}

impl fmt::Display for LastingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
