//! What is asked, by one text that is the same on the command line, in experiments, in rows and for a worker:
//!
//! ```text
//! 8x8                                   a closed knight's tour
//! 8x8 from c3                           the same, written from c3 on
//! 8x8 open from a1                      an open one that begins there
//! 8x8 open from a1 to h7                one that ends there, which can be solved
//! 8x8 open from anywhere                open ones from every square, which can be counted
//! leaper:2,3:10x10 open from a1         another piece
//! 8x8-a1-h8                             a board without two of its squares
//! edges:my graph.txt open from 7        a graph
//! gnp:30,0.2:7                          one of a family, also written gnp 30 .2 7
//! gnp:30,0.2:7+planted+relabel=3        with a cycle planted, and its vertices in another order
//! 12 queens                             placements
//! ```
//!
//! A text is read from its end, so that files may have blanks in their names, and what is there by its whole text is a
//! place. Written, a question says what it has to: a closed one no start that is the first vertex, an open one always
//! its start.

mod place;
mod source;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use hamcnf_encodings::formats::Remark;
use hamcnf_encodings::names::most_alike;
use hamcnf_encodings::{Instance, NoSuchNumber, Queens, TourKind, Vertex};
use serde::{Deserialize, Serialize};

pub use place::{Found, GivenGraph, GraphText, LastingPlace, Place, PlaceError};
pub use source::{Source, SourceError};

use crate::machine::GraphRead;
use hamcnf_engines::ends::{Ends, Start};

/// A question, with the graph that it is about: copies share it.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Question {
    /// About tours.
    Tours(Arc<Tours>),
    /// About placements of queens.
    Queens(Queens),
}

/// A question about tours.
#[derive(Clone, Debug)]
pub struct Tours {
    place: Place,
    start: Start,
    end: Option<Vertex>,
    instance: Instance,
    remark: Option<Remark>,
    checksum: String,
}

/// Why a text or words are no question.
#[derive(Debug, thiserror::Error)]
pub enum QuestionError {
    /// There is no such place, or not such a start there.
    #[error(transparent)]
    Place(#[from] PlaceError),
    /// Closed tours begin where they are written from.
    #[error("{0}: closed tours go through every vertex, and 'from anywhere' is for open ones")]
    ClosedFromAnywhere(Place),
    /// Closed tours end next to where they begin.
    #[error("{0}: closed tours return to their start, and 'to' is for open ones")]
    ClosedTo(Place),
    /// An open tour has two ends.
    #[error("{place}: an open tour from {end} ends somewhere else")]
    SameEnds {
        /// Where.
        place: String,
        /// The vertex.
        end: String,
    },
    /// So many queens cannot be asked about.
    #[error(transparent)]
    Queens(#[from] NoSuchNumber),
}

impl Tours {
    /// Tours of this kind there, from a start as people write it: a square's name or number, a vertex's name or number as
    /// in its file.
    ///
    /// # Errors
    ///
    /// [`QuestionError`].
    pub fn new(
        place: Place,
        kind: TourKind,
        start: Option<&StartWord>,
    ) -> Result<Self, QuestionError> {
        let (name, start) = match start {
            None => (None, Start::Given),
            Some(StartWord::Named(name)) => (Some(name.as_str()), Start::Given),
            Some(StartWord::Anywhere) => (None, Start::Anywhere),
        };
        if (kind, start) == (TourKind::Closed, Start::Anywhere) {
            return Err(QuestionError::ClosedFromAnywhere(place));
        }
        let (instance, remark) = place.question(kind, name)?;
        let read = GraphRead::of(&instance);
        Ok(Self {
            place,
            start,
            end: None,
            instance,
            remark,
            checksum: read.map_or_else(String::new, |read| read.checksum()),
        })
    }

    /// The same tours, of which those are asked for that end at this vertex.
    ///
    /// # Errors
    ///
    /// [`QuestionError`].
    pub fn ending_at(self, name: &str) -> Result<Self, QuestionError> {
        if self.instance.kind() == TourKind::Closed {
            return Err(QuestionError::ClosedTo(self.place));
        }
        let end = self.place.vertex(&self.instance, name)?;
        if self.start == Start::Given && end == self.instance.start() {
            let end = self.instance.vertex_name(end);
            let place = self.place.to_string();
            return Err(QuestionError::SameEnds { place, end });
        }
        Ok(Self {
            end: Some(end),
            ..self
        })
    }

    /// Where they end, if that is asked.
    #[must_use]
    pub fn end(&self) -> Option<Vertex> {
        self.end
    }

    /// Where they may begin and end.
    #[must_use]
    pub fn ends(&self) -> Ends {
        match (Ends::of(&self.instance), self.start) {
            (Ends::Closed, _) => Ends::Closed,
            (Ends::Open { from, .. }, start) => Ends::Open {
                from: from.filter(|_| start == Start::Given),
                to: self.end,
            },
        }
    }

    /// Where.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The graph, with the start and the kind of tour. Open tours from anywhere have the first vertex there.
    #[must_use]
    pub fn instance(&self) -> &Instance {
        &self.instance
    }

    /// Which open tours are asked for.
    #[must_use]
    pub fn start(&self) -> Start {
        self.start
    }

    /// What tells a graph from a file from others of this name; empty for a board.
    #[must_use]
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// What is odd about the graph in a text.
    #[must_use]
    pub fn remark(&self) -> Option<&Remark> {
        self.remark.as_ref()
    }
}

impl Question {
    /// The instance, if it is about tours.
    #[must_use]
    pub fn instance(&self) -> Option<&Instance> {
        match self {
            Self::Tours(tours) => Some(&tours.instance),
            Self::Queens(_) => None,
        }
    }

    /// Whether these words ask the same, without reading a graph again: the same place, and nothing else said where
    /// nothing else has to be.
    #[must_use]
    pub fn is_about(&self, words: &Words) -> bool {
        let whole = (words.kind, &words.start, &words.end) == (None, &None, &None);
        match self {
            Self::Tours(tours) => {
                let first = tours.instance.start() == Vertex::new(0);
                let closed = tours.instance.kind() == TourKind::Closed;
                whole && first && closed && tours.place == words.place
            }
            Self::Queens(_) => false,
        }
    }

    /// What tells a graph from a file from others of this name; empty where there is none.
    #[must_use]
    pub fn checksum(&self) -> &str {
        match self {
            Self::Tours(tours) => tours.checksum(),
            Self::Queens(_) => "",
        }
    }
}

impl fmt::Display for Tours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (place, instance) = (&self.place, &self.instance);
        let start = instance.start();
        match (instance.kind(), self.start) {
            (TourKind::Closed, _) if start == Vertex::new(0) => write!(f, "{place}"),
            (TourKind::Closed, _) => write!(f, "{place}{FROM}{}", instance.vertex_name(start)),
            (TourKind::Open, Start::Given) => {
                write!(f, "{place}{OPEN}{FROM}{}", instance.vertex_name(start))
            }
            (TourKind::Open, Start::Anywhere) => write!(f, "{place}{OPEN}{FROM}{ANYWHERE}"),
        }?;
        let end = self.end.map(|end| instance.vertex_name(end));
        end.iter().try_for_each(|end| write!(f, "{TO}{end}"))
    }
}

const OPEN: &str = " open";
const CLOSED: &str = " closed";
const FROM: &str = " from ";
const TO: &str = " to ";
const ANYWHERE: &str = "anywhere";
const QUEENS: [&str; 2] = [" queens", " queen"];

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tours(tours) => tours.fmt(f),
            Self::Queens(queens) => queens.fmt(f),
        }
    }
}

/// Two questions are one if they are written alike.
impl PartialEq for Question {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

impl FromStr for Question {
    type Err = QuestionError;

    /// Open tours without a start begin at the first vertex.
    fn from_str(text: &str) -> Result<Self, QuestionError> {
        let n = QUEENS.iter().find_map(|queens| text.strip_suffix(queens));
        if let Some(n) = n.filter(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
            return Ok(Self::Queens(n.parse()?));
        }
        let words: Words = text.parse()?;
        words.tours().map(Self::from)
    }
}

impl From<Tours> for Question {
    fn from(tours: Tours) -> Self {
        Self::Tours(Arc::new(tours))
    }
}

impl From<Question> for String {
    fn from(question: Question) -> Self {
        question.to_string()
    }
}

impl TryFrom<String> for Question {
    type Error = QuestionError;

    fn try_from(text: String) -> Result<Self, QuestionError> {
        text.parse()
    }
}

/// The question that somebody means who mistypes one of its words.
#[must_use]
pub fn meant(text: &str) -> Option<String> {
    let known = [OPEN, CLOSED, FROM, TO, ANYWHERE].map(str::trim);
    let words: Vec<&str> = text.split(' ').collect();
    // The first is of the place.
    (1..words.len()).find_map(|k| {
        let right = most_alike(words[k], known.into_iter())?;
        let mut meant = words.clone();
        meant[k] = right;
        let meant = meant.join(" ");
        (meant != text && meant.parse::<Words>().is_ok()).then_some(meant)
    })
}

/// Where tours begin, as it is written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StartWord {
    /// At a vertex of this name.
    Named(String),
    /// At any: `anywhere`.
    Anywhere,
}

impl FromStr for StartWord {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            ANYWHERE => Self::Anywhere,
            name => Self::Named(name.to_owned()),
        })
    }
}

impl fmt::Display for StartWord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Named(name) => name,
            Self::Anywhere => ANYWHERE,
        })
    }
}

/// A text about tours, as far as it says something: what it does not, a command may say by its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Words {
    /// Where.
    pub place: Place,
    /// Closed or open.
    pub kind: Option<TourKind>,
    /// From where.
    pub start: Option<StartWord>,
    /// To where.
    pub end: Option<String>,
}

impl Words {
    /// The question; closed and from the first vertex where it does not say otherwise.
    ///
    /// # Errors
    ///
    /// [`QuestionError`].
    pub fn tours(self) -> Result<Tours, QuestionError> {
        // What has an end is open.
        let otherwise = match self.end {
            Some(_) => TourKind::Open,
            None => TourKind::Closed,
        };
        let kind = self.kind.unwrap_or(otherwise);
        let tours = Tours::new(self.place, kind, self.start.as_ref())?;
        match &self.end {
            Some(end) => tours.ending_at(end),
            None => Ok(tours),
        }
    }
}

impl From<Place> for Words {
    fn from(place: Place) -> Self {
        Self {
            place,
            kind: None,
            start: None,
            end: None,
        }
    }
}

impl FromStr for Words {
    type Err = PlaceError;

    fn from_str(text: &str) -> Result<Self, PlaceError> {
        let whole = match text.parse::<Place>() {
            Ok(place) => return Ok(place.into()),
            Err(error) => error,
        };
        if let Some((before, end)) = text.rsplit_once(TO)
            && !end.is_empty()
            && !end.contains(' ')
            && let Ok(words) = before.parse::<Self>()
            && words.end.is_none()
        {
            return Ok(Self {
                end: Some(end.to_owned()),
                ..words
            });
        }
        let (before, start) = match text.rsplit_once(FROM) {
            Some((before, name)) if !name.is_empty() && !name.contains(' ') => {
                (before, name.parse().ok())
            }
            _ => (text, None),
        };
        // The longest that is a place.
        if start.is_some()
            && let Ok(place) = before.parse()
        {
            let (kind, end) = (None, None);
            return Ok(Self {
                place,
                kind,
                start,
                end,
            });
        }
        let kinds = [(OPEN, TourKind::Open), (CLOSED, TourKind::Closed)];
        let kind = kinds
            .into_iter()
            .find_map(|(word, kind)| Some((before.strip_suffix(word)?, kind)));
        match (kind, start) {
            (Some((place, kind)), start) => Ok(Self {
                place: place.parse()?,
                kind: Some(kind),
                start,
                end: None,
            }),
            (None, Some(_)) => Err(before.parse::<Place>().err().unwrap_or(whole)),
            (None, None) => Err(whole),
        }
    }
}

impl fmt::Display for Words {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(f)?;
        match self.kind {
            Some(TourKind::Open) => f.write_str(OPEN)?,
            Some(TourKind::Closed) => f.write_str(CLOSED)?,
            None => {}
        }
        if let Some(start) = &self.start {
            write!(f, "{FROM}{start}")?;
        }
        self.end.iter().try_for_each(|end| write!(f, "{TO}{end}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn written(text: &str) -> String {
        match text.parse::<Question>() {
            Ok(question) => question.to_string(),
            Err(error) => panic!("{text}: {error}"),
        }
    }

    #[test]
    fn questions_are_read_as_they_are_written() {
        for text in [
            "8x8",
            "8x8 from c3",
            "8x8 open from a1",
            "8x8 open from anywhere",
            "8x8 open from a1 to h7",
            "8x8 open from anywhere to c3",
            "leaper:2,3:10x10 open from a1",
            "leaper:0,1:4x4",
            "8x8-a1-h8",
            "leaper:0,1:4x4-a1-b1 open from c1 to d4",
            "8x8+relabel=3",
            "8x8+relabel=3+relabel=4 open from 9",
            "leaper:2,3:10x10+relabel=3",
            "cubic:20:3+planted+relabel=5 from 7",
            "12 queens",
            "1 queen",
        ] {
            assert_eq!(written(text), text);
            let question: Question = text.parse().unwrap();
            let json = serde_json::to_string(&question).unwrap();
            assert_eq!(json, format!("\"{text}\""));
            assert_eq!(serde_json::from_str::<Question>(&json).unwrap(), question);
        }
        for (text, canonical) in [
            ("8x8 closed", "8x8"),
            ("8X8 from a1", "8x8"),
            ("8x8 closed from 0", "8x8"),
            ("8x8 open", "8x8 open from a1"),
            ("8x8 to h7", "8x8 open from a1 to h7"),
            ("8x8 from b1 to c1", "8x8 open from b1 to c1"),
            ("8x8 open from 9", "8x8 open from b2"),
            ("leaper:1,2:8x8 from b1", "8x8 from b1"),
            ("8x8-63-a1 open", "8x8-a1-h8 open from b1"),
            ("gnp 30 .2 7 from 3", "gnp:30,0.2:7 from 3"),
            ("gnp 30 .2 open", "gnp:30,0.2:0 open from 1"),
            (
                "gnp 30 .2 7 planted relabel 4 open to 9",
                "gnp:30,0.2:7+planted+relabel=4 open from 1 to 9",
            ),
            (
                "gnp 30 .2 7 relabel 4 planted",
                "gnp:30,0.2:7+planted+relabel=4",
            ),
            ("grid 4 x 5 closed", "grid:4x5"),
            ("8x8 relabel=04", "8x8+relabel=4"),
        ] {
            assert_eq!(written(text), canonical);
        }
    }

    #[test]
    fn files_may_be_called_anything() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).display().to_string();
        for name in [
            "g.txt",
            "my graph.txt",
            "8x8 open",
            "here from there",
            "8x8-a1",
            "g+relabel=9",
        ] {
            fs::write(path(name), "1 2\n2 3\n3 1\n").unwrap();
            let file = path(name);
            for rest in ["", " from 2", " open from 3", " open from anywhere"] {
                for format in ["", "edges:"] {
                    for order in ["", "+relabel=2"] {
                        let text = format!("{format}{file}{order}{rest}");
                        assert_eq!(written(&text), text);
                    }
                }
            }
            assert_eq!(
                written(&format!("{file} open")),
                format!("{file} open from 1")
            );
        }
    }

    #[test]
    fn what_is_no_question_is_said() {
        let wrong = |text: &str| text.parse::<Question>().unwrap_err().to_string();
        for (text, message) in [
            ("8x8 opne", "'8x8 opne' is neither a board"),
            ("nowhere open from 3", "'nowhere' is neither a board"),
            ("8x8 from z9", "square z9 is not on the 8x8 board"),
            ("8x8 open from a1 b2", "'8x8 open from a1 b2' is neither"),
            ("0x8 open", "board 0x8 has no squares"),
            (
                "8x8 from anywhere",
                "8x8: closed tours go through every vertex, and 'from anywhere' is for open ones",
            ),
            (
                "8x8 closed to b3",
                "8x8: closed tours return to their start, and 'to' is for open ones",
            ),
            ("8x8 to a1", "8x8: an open tour from a1 ends somewhere else"),
            ("8x8-c3 from c3", "square c3 is a hole of 8x8-c3"),
            ("8x8-i9", "square i9 is not on the 8x8 board"),
            ("0 queens", "'0' is not a number of queens"),
            ("99999999999 queens", "'99999999999' is not a number"),
            ("0x5", "board 0x5 has no squares"),
            (
                "8x8+relabel=x",
                "'8x8+relabel=x' says 'x' behind relabel, which takes",
            ),
            (
                "8x8+relabel=3 from a1",
                "'a1' is not a vertex of 8x8+relabel=3",
            ),
        ] {
            assert!(wrong(text).starts_with(message), "{}", wrong(text));
        }
    }
}
