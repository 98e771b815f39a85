//! Where tours are sought: on a board, or in a graph that stands in a file; by the same words on the command
//! line and in experiment files.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use hamcnf_encodings::formats::{self, FormatError};
use hamcnf_encodings::{Board, BoardError, Instance, InstanceError, TourKind, Vertex};

/// A board, or a file with a graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Place {
    /// A board with its piece.
    Board(Board),
    /// The file, as it was named by the user.
    Graph(PathBuf),
}

/// Why there is no such place, or no such instance there.
#[derive(Debug, thiserror::Error)]
pub enum PlaceError {
    /// A file that programs would take for an option.
    #[error("'{0}' begins with a dash: write './{0}'")]
    Dash(String),
    /// It names neither a board nor a file.
    #[error("'{0}' is neither a board, ROWSxCOLUMNS such as 8x8, nor a file with a graph")]
    Neither(String),
    /// There is no such board, or no such square on it.
    #[error(transparent)]
    Board(#[from] BoardError),
    /// The file could not be read.
    #[error("cannot read {}: {error}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// The file has no graph that we can read.
    #[error("cannot read {}: {error}", file.display())]
    Format {
        /// The file.
        file: PathBuf,
        /// What is wrong with it.
        error: FormatError,
    },
    /// The graph does not have the start.
    #[error("the start is '{start}': in {} it can be a vertex from 1 to {last}", file.display())]
    Start {
        /// The file.
        file: PathBuf,
        /// The word that should be a vertex.
        start: String,
        /// The last vertex.
        last: u32,
    },
    /// The board or graph has no instance.
    #[error(transparent)]
    Instance(#[from] InstanceError),
}

impl Place {
    /// Tours of this kind there. The start is a square's name or number, of a graph a vertex's number from 1;
    /// the first where left out.
    ///
    /// # Errors
    ///
    /// A [`PlaceError`] that names the file, the start or the board.
    pub fn instance(&self, kind: TourKind, start: Option<&str>) -> Result<Instance, PlaceError> {
        Ok(match self {
            Self::Board(board) => {
                let start = board.square(start.unwrap_or("a1"))?;
                Instance::on_board(*board, kind, start)?
            }
            Self::Graph(file) => {
                let text = fs::read_to_string(file).map_err(|error| PlaceError::Read {
                    file: file.clone(),
                    error,
                })?;
                let graph = formats::read(&text).map_err(|error| PlaceError::Format {
                    file: file.clone(),
                    error,
                })?;
                let start = match start {
                    Some(start) => vertex(file, start, graph.n_vertices())?,
                    None => Vertex::new(0),
                };
                Instance::on_graph(self.to_string(), graph, kind, start)?
            }
        })
    }
}

/// A vertex by its number from 1.
fn vertex(file: &Path, start: &str, last: u32) -> Result<Vertex, PlaceError> {
    match start.parse::<u32>() {
        Ok(number) if (1..=last).contains(&number) => Ok(Vertex::new(number - 1)),
        _ => Err(PlaceError::Start {
            file: file.to_owned(),
            start: start.to_owned(),
            last,
        }),
    }
}

impl FromStr for Place {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        match text.parse() {
            Ok(board) => Ok(Self::Board(board)),
            Err(BoardError::Syntax(text)) if text.starts_with('-') => Err(PlaceError::Dash(text)),
            Err(BoardError::Syntax(_)) if Path::new(text).exists() => Ok(Self::Graph(text.into())),
            Err(BoardError::Syntax(text)) => Err(PlaceError::Neither(text)),
            Err(error) => Err(error.into()),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Board(board) => board.fmt(f),
            Self::Graph(file) => file.display().fmt(f),
        }
    }
}
