//! Comments at the beginning of formulas, answers and proofs. They name the question, the encoding and the checksum of
//! the graph, from which the clauses are generated again:
//!
//! ```text
//! c hamcnf 0.1.0
//! c question ring.col open from 3
//! c encoding binary
//! c graph 4c3ea7ec
//! ```

use std::fmt;
use std::io::{self, BufRead, Read};

use hamcnf_encodings::{Encoding, EncodingError, Formula};
use hamcnf_graph::Weights;

use super::error::GraphSourceError;
use super::files::Files;
use super::{GraphRead, QuestionError, QuestionSpec, Tours, VERSION, queens_in};

/// Prefix of the comment that names the question.
const QUESTION: &str = "question ";
/// Prefix of the comment that names the encoding.
const ENCODING: &str = "encoding ";
/// Prefix of the comment with the checksum of the graph's edges.
const GRAPH: &str = "graph ";
/// Prefix of the comment with the checksum of the weights, if the formula is about costs.
const WEIGHTS: &str = "weights ";
/// Prefix of the comment with the statistic of boards that is the cost of a tour.
const STATISTIC: &str = "statistic ";
/// Prefix of the comment with the greatest cost of a tour.
const MAX_COST: &str = "max-cost ";
/// Comment of a formula whose models are cycles or paths, of which a longest one is sought.
pub const LONGEST: &str = "longest cycle or path";
/// Comment of a proof about a digraph: the clauses encode the undirected graph that vertex splitting produces.
const SPLIT: &str = "vertices split";

/// Maximum length of a comment, in bytes.
pub const MOST_HEAD: u64 = 1 << 16;

/// Contents of the comments of a formula, an answer or a proof.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Head {
    /// Text of the question.
    pub question: Option<String>,
    /// Name of the encoding.
    pub encoding: Option<String>,
    /// Checksum of the edges; `None` for a board.
    pub graph: Option<String>,
    /// Checksum of the weights; `None` if the formula is not about costs.
    pub weights: Option<String>,
    /// Statistic that is the cost of a tour; `None` if the graph has weights.
    pub cost: Option<String>,
    /// Greatest cost of a tour, if the clauses bound the cost.
    pub max_cost: Option<String>,
    /// True if the models are cycles or paths that may skip vertices.
    pub is_longest: bool,
    /// True if the clauses are about the [undirected form](Tours::undirected) of the question.
    pub is_split: bool,
}

/// Reason why comments do not lead to a question and an encoding.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct HeadError(String);

impl Head {
    /// Returns the comments of a proof or an answer from the clauses of this encoding.
    pub fn comments(tours: &Tours, encoding: &Encoding) -> Vec<String> {
        let mut comments = vec![
            format!("hamcnf {VERSION}"),
            format!("{QUESTION}{tours}"),
            format!("{ENCODING}{}", encoding.in_clauses()),
        ];
        if !tours.checksum().is_empty() {
            comments.push(format!("{GRAPH}{}", tours.checksum()));
        }
        if tours.is_split() {
            comments.push(SPLIT.to_owned());
        }
        comments
    }

    /// Returns the comments of a formula whose models are tours. After the comments that are read again, they explain
    /// the models.
    pub fn of_clauses(tours: &Tours, formula: &Formula) -> Vec<String> {
        let instance = formula.instance();
        let mut comments = Self::comments(tours, formula.encoding());
        if let Some(GraphRead { vertices, edges, .. }) = GraphRead::of(instance) {
            let what = if instance.is_directed() { "arcs" } else { "edges" };
            comments.push(format!("encoded graph: {vertices} vertices, {edges} {what}"));
        }
        let mut closed = "";
        if let Some(added) = instance.describe_added() {
            closed = "closed ";
            comments.push(format!("added vertex: {added}; a closed tour without this vertex is an open tour"));
        }
        if instance.is_backward() {
            comments.push(
                "direction: positions are counted from the end of the tour; arcs have the tour's direction".to_owned(),
            );
        }
        comments.push(match formula.is_exact() {
            true => format!("models per {closed}tour, counted over all variables: {}", formula.models_per_tour()),
            false => "relaxed: some models consist of several cycles instead of a tour".to_owned(),
        });
        comments
    }

    /// Returns the comments of a formula that minimizes or bounds the cost of tours.
    pub fn of_costs(weights: &Weights, cost: Option<&impl fmt::Display>, max_cost: Option<i64>) -> Vec<String> {
        let cost = cost.map(|cost| format!("{STATISTIC}{cost}"));
        let bound = max_cost.map(|max_cost| format!("{MAX_COST}{max_cost}"));
        [format!("{WEIGHTS}{:08x}", weights.crc32())].into_iter().chain(cost).chain(bound).collect()
    }

    /// Loads the weights of the question that [`load`](Self::load) returned; `None` if the formula is not about costs.
    ///
    /// # Errors
    ///
    /// [`HeadError`] if the weights cannot be read or have changed.
    pub fn load_weights(&self, tours: &Tours, files: &Files) -> Result<Option<Weights>, HeadError> {
        let Some(said) = &self.weights else { return Ok(None) };
        let weights = tours.source().weights(files).map_err(|error| HeadError(format!("has costs: {error}")))?;
        match weights.filter(|weights| format!("{:08x}", weights.crc32()) == *said) {
            Some(weights) => Ok(Some(weights)),
            None => {
                Err(HeadError(format!("was made with other weights than {} has now: encode it again", tours.source())))
            }
        }
    }

    /// Reads the comments at the beginning of a DIMACS formula.
    ///
    /// # Errors
    ///
    /// [`io::Error`] if the formula cannot be read.
    pub fn of_formula(mut from: impl BufRead) -> io::Result<Self> {
        let (mut head, mut line) = (Self::default(), Vec::new());
        loop {
            line.clear();
            let read = from.by_ref().take(MOST_HEAD).read_until(b'\n', &mut line)?;
            match line.strip_prefix(b"c") {
                Some(comment) if (read as u64) < MOST_HEAD => head.read(comment),
                _ => return Ok(head),
            }
        }
    }

    /// Parses the text of a comment, without the comment character. Ignores later comments of the same kind.
    pub fn read(&mut self, comment: &[u8]) {
        let line = String::from_utf8_lossy(comment);
        let said = line.strip_prefix(' ').map(str::trim_end);
        self.is_split |= said == Some(SPLIT);
        self.is_longest |= said == Some(LONGEST);
        for (mark, value) in [
            (QUESTION, &mut self.question),
            (ENCODING, &mut self.encoding),
            (GRAPH, &mut self.graph),
            (WEIGHTS, &mut self.weights),
            (STATISTIC, &mut self.cost),
            (MAX_COST, &mut self.max_cost),
        ] {
            if let Some(said) = said.and_then(|said| said.strip_prefix(mark)) {
                value.get_or_insert_with(|| said.to_owned());
            }
        }
    }

    /// Loads the question, and returns it with the encoding.
    ///
    /// # Errors
    ///
    /// [`HeadError`] if the comments name none, or if the graph cannot be loaded or has changed.
    pub fn load(&self, files: &Files) -> Result<(Tours, Encoding), HeadError> {
        let wrong = |why| Err(HeadError(why));
        if let Some(Ok(queens)) = self.question.as_deref().and_then(queens_in) {
            return wrong(format!("is about {} queens, not about tours", queens.n()));
        }
        let (Some(question), Some(encoding)) = (&self.question, &self.encoding) else {
            return wrong("has no comments \"question ...\" and \"encoding ...\": pass the board or graph and --encoding instead of the formula".to_owned());
        };
        if self.is_split {
            return wrong(format!(
                "has the clauses of the undirected form of \"{question}\", whose models are not tours of the question: encode the question with `hamcnf encode`"
            ));
        }
        let not_loaded = |error: QuestionError| {
            HeadError(format!(
                "is about \"{question}\", which cannot be loaded here (pass the graph and --encoding instead of the formula): {error}"
            ))
        };
        let spec = QuestionSpec::settled(question, files).map_err(|error| not_loaded(error.into()))?;
        if !spec.source.is_lasting() {
            return wrong("was made from a graph on standard input, in a pipe or in memory: pass the graph and --encoding instead of the formula".to_owned());
        }
        let tours = spec.load(files).map_err(not_loaded)?;
        let found = tours.checksum();
        if let Some(said) = self.graph.as_deref().filter(|said| *said != found) {
            return wrong(format!(
                "was made from another graph than {} has now: their edges have the checksums {said} and {found}",
                tours.source()
            ));
        }
        let encoding = encoding.parse().map_err(|error: EncodingError| HeadError(error.to_string()))?;
        Ok((tours, encoding))
    }

    /// True if the comments are about this question, as far as the text shows. The name of the graph does not matter if
    /// its edges are the same.
    pub fn is_about(&self, tours: &Tours) -> bool {
        let files = Files::default();
        let parsed = |text: &str| QuestionSpec::settled(text, &files);
        let same = |question: &str| -> Result<bool, GraphSourceError> {
            let (said, asked) = (parsed(question)?, parsed(&tours.to_string())?);
            let same_graph = match &self.graph {
                Some(graph) => graph == tours.checksum(),
                None => said.source == asked.source,
            };
            Ok(same_graph && QuestionSpec { source: asked.source.clone(), ..said } == asked)
        };
        // Without the file that the comments name, only the edges and the text can be compared.
        let alike = |question| self.graph.as_deref() == Some(tours.checksum()) || question == tours.to_string();
        self.question.as_deref().is_some_and(|question| same(question).unwrap_or_else(|_| alike(question)))
    }
}
